"""A dry run is made for its requests: they are shown however little else is."""

from __future__ import annotations

import pytest

from tests.cli.documents import things
from thinkagent.cli.main import run_command
from thinkagent.values import read_json

BASE = "http://127.0.0.1:9"
CREATE = "Create a thing named Joe"
ALONE = {
    CREATE: [f"POST {BASE}/things", '  {"name":"Joe"}', "Dry run: nothing was sent. Would change: 1 × POST /things."],
    "How many things are there?": [f"GET {BASE}/things", "Dry run: nothing was sent, and no write would have been."],
}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    (tmp_path / "things.json").write_text(things(BASE), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")


def dry_run(capsys, task, *flags):
    assert run_command(["run", task, "--spec", "things.json", "--dry-run", *flags]) == 0
    return capsys.readouterr()


@pytest.mark.parametrize(("task", "lines"), ALONE.items(), ids=["write", "read"])
def test_quiet_shows_the_requests_alone(capsys, task, lines):
    out, err = dry_run(capsys, task, "--quiet")
    assert (out, err.splitlines()) == ("", lines)


def test_quiet_json_has_the_result_alone(capsys):
    out, err = dry_run(capsys, CREATE, "--quiet", "--json")
    assert err == ""
    result = read_json(out)
    assert (result["status"], result["answer"]) == ("dry_run", None)
    assert [change["call"] for change in result["changes"]] == ["POST /things"]


def test_what_comes_of_a_call_is_said_to_be_an_example(capsys):
    out, err = dry_run(capsys, CREATE)
    assert out == ""
    shown = err.splitlines()
    at = shown.index("     POST /things   not sent (dry run)")
    assert shown[at + 1 : at + 3] == ['       {"name":"Joe"}', "     the document's example: 201; no body"]
