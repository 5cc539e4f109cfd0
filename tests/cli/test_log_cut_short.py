"""What is said of a call that was cut short, by a stop or because the program was killed: no more than is known."""

from __future__ import annotations

import asyncio
import io

import pytest

from tests.run.kit import SCENARIOS, Rows, logs_of
from thinkagent.cli.main import run_command
from thinkagent.cli.render.ink import Ink
from thinkagent.cli.render.transcript import Transcript
from thinkagent.events import CallId
from thinkagent.values import read_json

NOTHING = "Nothing was changed."
IN_DOUBT = "in doubt: no answer is recorded; it may have been carried out"
LOOK = "look before you repeat it"

# Each log is cut after the given occurrence of an event; a tuple names the scenario, the event and its number.
CASES = {
    "read intended": (("read", "call.intended", 1), "GET /rows/1   ✗ not sent", NOTHING),
    "write intended": (("yes-flag", "call.intended", 1), "DELETE /rows/1   ✗ not sent", NOTHING),
    "read being sent": (("read", "call.sending", 1), "GET /rows/1   ✗ no answer is recorded", NOTHING),
    "page being sent": (("pages", "call.sending", 2), "GET /rows   ✗ no answer of page 2 is recorded", NOTHING),
    "write being sent": (
        ("yes-flag", "call.sending", 1),
        f"DELETE /rows/1   ✗ {IN_DOUBT}",
        f"Changed: 1 in doubt (1 × DELETE /rows/{{id}}: no answer came, {LOOK}).",
    ),
    "write of a batch being sent": (
        ("for-each", "call.answered", 2),
        "POST /rows   3 calls: ✗ 2 × in doubt, 1 × 201",
        f"Changed: 1 × POST /rows, 2 in doubt (2 × POST /rows: no answer came, {LOOK}).",
    ),
    "read failed": (("api-down", "call.failed", 3), "GET /broken   ✗ no answer", NOTHING),
    "read to be tried again": (("api-down", "call.failed", 1), "GET /broken   ✗ not sent again", NOTHING),
    "write failed": (
        ("doubt", "call.failed", 1),
        "POST /broken   ✗ in doubt",
        f"Changed: 1 in doubt (1 × POST /broken: no answer came, {LOOK}).",
    ),
    "read answered": (("read", "call.answered", 1), "GET /rows/1   200", NOTHING),
    "write answered": (
        ("yes-flag", "call.answered", 1),
        "DELETE /rows/1   204",
        "Changed: 1 × DELETE /rows/{id}.",
    ),
}


def lines_of(path):
    return [read_json(line) for line in path.read_bytes().splitlines()]


def cut(path, kind, number):
    """Leave out what a log holds after the given occurrence of an event."""
    at = [index for index, fields in enumerate(lines_of(path)) if fields["type"] == kind]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: at[number - 1] + 1]))


@pytest.mark.parametrize(("where", "call", "changed"), CASES.values(), ids=CASES.keys())
def test_a_log_that_ends_with_a_call(tmp_path, capsys, where, call, changed):
    scenario, *place = where
    log = logs_of(tmp_path, SCENARIOS[scenario])
    cut(log, *place)
    assert run_command(["log", str(log)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if call in line] != [], lines
    assert lines[-2:] == ["The run has not ended. As far as its log goes:", changed]


@pytest.mark.parametrize(("where", "call", "changed"), CASES.values(), ids=CASES.keys())
def test_its_last_turn_alone_says_the_same(tmp_path, capsys, where, call, changed):
    scenario, *place = where
    log = logs_of(tmp_path, SCENARIOS[scenario])
    cut(log, *place)
    last = max(CallId.parse(fields["call"]).turn for fields in lines_of(log) if "call" in fields)
    assert run_command(["log", str(log), "--turn", str(last)]) == 0
    assert call.partition("   ")[2] in capsys.readouterr().out


def test_a_turn_of_which_only_the_prompt_is_known(tmp_path, capsys):
    log = logs_of(tmp_path, SCENARIOS["read"])
    cut(log, "prompt", 2)
    assert run_command(["log", str(log), "--turn", "2"]) == 0
    assert capsys.readouterr().out.endswith("--- what came of it ---\nNothing: the log ends here.\n")


@pytest.mark.parametrize(
    ("name", "call"),
    [("read", "GET /rows/1   ✗ no answer"), ("yes-flag", "DELETE /rows/1   ✗ in doubt")],
    ids=["read", "write"],
)
def test_a_call_that_was_under_way_when_the_run_was_stopped(name, call):
    rows, out = Rows(), io.StringIO()
    transcript = Transcript(Ink(out, {}))

    async def stopped():
        begun = asyncio.Event()

        async def hang(request):
            begun.set()
            await asyncio.Event().wait()

        async def stop():
            await begun.wait()
            return "SIGINT"

        rows.order = hang
        await SCENARIOS[name].agent(rows).run("Do something", listen=transcript.show, stop=stop)

    asyncio.run(stopped())
    lines = [line.strip() for line in out.getvalue().splitlines()]
    at = lines.index("! stopped by Ctrl-C")
    assert lines[at + 1] == call
