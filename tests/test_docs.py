"""What the docs say is what happens: their commands run, and what is generated is not stale."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

import thinkagent
from tests import regenerate
from thinkagent.events import encode
from thinkagent.journal import read_log
from thinkagent.shop import Shop, seed
from thinkagent.values import plain, read_json, write_json

ROOT = Path(__file__).resolve().parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text("utf-8"), re.DOTALL)


def commands(path: Path) -> list[str]:
    return [line for block in blocks(path, "bash") for line in block.strip().splitlines()]


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_quickstart_is_two_commands(readme):
    assert commands(readme)[:2] == ["make demo", "make test"]


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_command_of_the_readme_runs(readme, tmp_path):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in commands(readme):
        program, *arguments = command.split()
        if program == "make":
            assert re.search(rf"^{arguments[0]}:", makefile, re.MULTILINE), command
            continue
        assert program == "thinkagent", command
        ran = subprocess.run(
            [sys.executable, "-m", "thinkagent", *arguments],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, f"{command}\n{ran.stderr}"
        assert ran.stdout.strip(), command


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_python_of_the_readme_runs(readme, tmp_path, monkeypatch, capsys):
    now = datetime(2026, 11, 30, tzinfo=UTC)
    monkeypatch.chdir(tmp_path)
    with Shop(seed(now), clock=lambda: now) as shop:
        monkeypatch.setenv("TOKEN", shop.token)
        for block in blocks(readme, "python"):
            exec(block, {"url": f"{shop.url}/openapi.json", "url_of_api": shop.url})
    assert capsys.readouterr().out == "done There are 12 products.\n"


def test_the_demo_does_its_three_tasks(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "thinkagent", "demo", "--log-dir", str(tmp_path)],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "TZ": "UTC"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.strip().splitlines()) == 3
    assert "61.475" in ran.stdout
    assert "3 of 3 tasks done" in ran.stderr


@pytest.mark.parametrize(("path", "text"), list(regenerate.pages()), ids=lambda value: getattr(value, "name", ""))
def test_what_is_generated_is_not_stale(path, text):
    assert path.read_text("utf-8") == text, "run `make docs`"


def test_every_line_of_a_log_fits_the_published_schema():
    schema = read_json((ROOT / "docs/schemas/log.schema.json").read_bytes())
    validator = Draft202012Validator(schema)
    for record in read_log(ROOT / "logs/sample.jsonl").records:
        line = {"seq": record.seq, "at": record.at, **encode(record.event), "prev": record.prev}
        assert validator.is_valid(plain(read_json(write_json(line)))), record.event.type
    assert not validator.is_valid({"type": "run.ended", "status": 7})


def test_the_architecture_is_read_in_one_go():
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()) <= 60


def test_there_is_one_version():
    assert f'version = "{thinkagent.__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
