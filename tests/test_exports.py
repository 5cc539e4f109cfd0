"""The public names are those that are listed, in order, each with a docstring, and none is imported before its use."""

from __future__ import annotations

import subprocess
import sys

import thinkagent
from tests.run.kit import DOCUMENT, SCENARIOS, Instant, Rows
from thinkagent.testing import ScriptedMind


def test_the_list_is_sorted_and_complete():
    assert thinkagent.__all__ == sorted(thinkagent.__all__)
    for name in set(thinkagent.__all__) - {"__version__"}:
        assert getattr(thinkagent, name).__doc__, name
    assert dir(thinkagent) == sorted(thinkagent.__all__)


def test_importing_costs_next_to_nothing():
    code = "import thinkagent, sys; print(sorted(m for m in sys.modules if m.startswith('thinkagent')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['thinkagent', 'thinkagent.version']"


def test_run_is_called_by_its_package():
    import httpx

    result = thinkagent.run(
        "Read row 1",
        spec=DOCUMENT,
        mind=ScriptedMind(list(SCENARIOS["read"].script)),
        transport=httpx.MockTransport(Rows()),
        clock=Instant(),
        log_dir=None,
    )
    assert isinstance(result, thinkagent.RunResult)
    assert result.answer == "Its id is 1."


async def _inside() -> str:
    import httpx

    result = thinkagent.run(
        "Read row 1",
        spec=DOCUMENT,
        mind=ScriptedMind(list(SCENARIOS["read"].script)),
        transport=httpx.MockTransport(Rows()),
        clock=Instant(),
        log_dir=None,
    )
    return str(result.answer)


def test_run_works_inside_a_running_loop():
    import asyncio

    assert asyncio.run(_inside()) == "Its id is 1."
