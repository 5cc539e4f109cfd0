"""What the docs say is what happens: their code runs and prints what they say, and what is generated is not stale."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path

import pytest

import thinkagent
from tests import regenerate
from tests.doc_blocks import Reader, blocks_of, missing_line, served_shop
from thinkagent.events import EVENT_TYPES
from thinkagent.minds.ladder import RUNGS
from thinkagent.run.outcomes import EXIT_CODES

ROOT = Path(__file__).resolve().parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
GUIDES = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in ("cli.md", "page.md")]
EVERY_PAGE = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]

by_name = pytest.mark.parametrize("page", [*READMES, *GUIDES], ids=lambda path: path.name)


@pytest.fixture
def reader(tmp_path):
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    (tmp_path / "logs").mkdir()
    shutil.copy(ROOT / "logs/sample.jsonl", tmp_path / "logs")
    with served_shop() as (address, token):
        yield Reader(tmp_path, address, {"SHOP_TOKEN": token})


@by_name
def test_the_code_of_a_page_runs_and_prints_what_it_says(page, reader):
    reader.read(blocks_of(page))


@by_name
def test_a_page_is_marked_as_it_is_meant(page):
    """A page without code that runs, or with a language that nobody knows, has lost a mark."""
    languages = {block.language for block in blocks_of(page)}
    assert languages & {"bash", "python"}
    assert languages <= {"bash", "python", "text", "json"}
    assert page.read_text("utf-8").count("<!-- prints -->") == sum(block.printed for block in blocks_of(page))


@pytest.mark.parametrize(
    ("told", "printed", "missing"),
    [
        pytest.param("a\nc\n", "a\nb\nc\n", None, id="others-between"),
        pytest.param("a\n…\nc\n", "a\nc\n", None, id="left-out"),
        pytest.param("b\na\n", "a\nb\n", "a", id="order"),
        pytest.param("ab\n", "abc\n", "ab", id="part-of-a-line"),
        pytest.param("a … c\n", "a b c\n", None, id="anything"),
        pytest.param("  a\n", "a\n", "  a", id="indented"),
        pytest.param("http://127.0.0.1:1 in 4 ms\n", "http://127.0.0.1:65000 in 1.2 s\n", None, id="port-and-time"),
        pytest.param("(a.c)\n", "(abc)\n", "(a.c)", id="no-pattern"),
    ],
)
def test_what_is_printed_is_compared(told, printed, missing):
    assert missing_line(told, printed) == missing


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_quickstart_is_two_commands(readme):
    first = next(block for block in blocks_of(readme) if block.language == "bash")
    assert first.text == "make demo\nmake test\n"


@pytest.mark.parametrize(
    ("target", "recipe"),
    [("demo", "$(BIN)/thinkagent demo"), ("test", "$(BIN)/python -m pytest -n 2")],
    ids=["demo", "test"],
)
def test_the_quickstart_makes_what_it_needs(target, recipe):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    found = re.search(rf"^{target}: \.venv/installed\S*(?: *##.*)?\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found is not None
    assert found[1] == f"\t{recipe}\n"


def test_both_readmes_say_the_same():
    """The code is the same but for the words of the tasks; so are the places that they send to."""
    english, chinese = ([block for block in blocks_of(readme) if block.language != "text"] for readme in READMES)
    assert [block.language for block in english] == [block.language for block in chinese]
    assert [block.text for block in english] == [block.text for block in chinese]
    links = [set(re.findall(r"\]\(([^)]+)\)", readme.read_text("utf-8"))) for readme in READMES]
    assert links[0] - {"README.zh-CN.md"} == links[1] - {"README.md"}
    headings = [len(re.findall(r"^## ", readme.read_text("utf-8"), re.MULTILINE)) for readme in READMES]
    assert headings[0] == headings[1]


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda path: path.name)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"^(`{3,}).*?^\1\n", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert target.startswith("https://") or (page.parent / target.partition("#")[0]).exists(), target


def test_every_guide_is_told_of_in_the_readme():
    text = READMES[0].read_text("utf-8")
    assert [page.name for page in (ROOT / "docs").glob("*.md") if f"(docs/{page.name})" not in text] == []


GENERATED = list(regenerate.pages())


@pytest.mark.parametrize(("path", "text"), GENERATED, ids=[str(path.relative_to(ROOT)) for path, _ in GENERATED])
def test_what_is_generated_is_not_stale(path, text):
    assert path.read_text("utf-8") == text, "run `make docs`"


@pytest.mark.parametrize("name", EVENT_TYPES)
def test_the_log_page_tells_of_every_event(name):
    assert re.search(rf"^\|.*`{re.escape(name)}`.* \|", (ROOT / "docs/log.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("field", dataclasses.fields(thinkagent.Settings), ids=lambda field: field.name)
def test_the_python_page_tells_of_every_setting(field):
    table = re.findall(r"^\| (`.*?) \|", (ROOT / "docs/python.md").read_text("utf-8"), re.MULTILINE)
    assert any(f"`{field.name}`" in row for row in table)


def test_the_python_page_tells_of_every_public_name():
    text = (ROOT / "docs/python.md").read_text("utf-8")
    kinds = {name for name in thinkagent.__all__ if name.endswith(("Error", "Refused", "Mismatch", "version__"))}
    assert {name for name in thinkagent.__all__ if f"`{name}`" not in text} <= kinds


def test_the_output_page_tells_every_exit_code():
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", (ROOT / "docs/output.md").read_text("utf-8"), re.MULTILINE)
    told = {status: int(code) for status, code in rows}
    assert told == {status: EXIT_CODES[status] for status in regenerate.output_schemas.RUN_STATUSES}


def test_the_minds_page_tells_every_rung():
    told = re.findall(r"^\d\. `(\w+)`", (ROOT / "docs/minds.md").read_text("utf-8"), re.MULTILINE)
    assert tuple(told) == RUNGS


def test_the_architecture_is_read_in_one_go():
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()) <= 60


def test_there_is_one_version():
    assert f'version = "{thinkagent.__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{thinkagent.__version__}]" in changelog or "## [Unreleased]" in changelog
