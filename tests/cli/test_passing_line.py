"""The line that passes while calls go on."""

from __future__ import annotations

import io
import re

import pytest

from tests.run.kit import SCENARIOS
from thinkagent.cli.render.ink import Ink
from thinkagent.cli.render.transcript import Transcript

PASSING = re.compile(r"\r\x1b\[K([^\r\n]+)(?=\r)")

CASES = {
    "a read": ("read", ["GET /rows/1"]),
    "a write": ("yes-flag", ["DELETE /rows/1"]),
    "pages": ("pages", ["GET /rows", "GET /rows   page 2", "GET /rows   page 3"]),
    "a batch": ("for-each", ["GET /rows", *(f"{done} of 3 done   POST /rows" for done in range(4))]),
    "another attempt": ("retries", ["GET /flaky"] * 3),
}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("name", "lines"), CASES.values(), ids=CASES.keys())
def test_what_passes(name, lines):
    terminal = Terminal()
    transcript = Transcript(Ink(terminal, {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm"}))
    for record in SCENARIOS[name].run().records:
        transcript.show(record)
    passed = [line.strip() for line in PASSING.findall(terminal.getvalue())]
    assert [line for line in passed if "thinking" not in line] == lines
