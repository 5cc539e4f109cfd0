"""The limit of time is of the whole run: turns do not set it back."""

from __future__ import annotations

import asyncio

from tests.run.kit import Rows, Scenario, done, turn
from thinkagent.run.world import Limits


class Strict:
    """A clock on which only the run's own limit takes time; the calls of the API move it."""

    def __init__(self, calls: int) -> None:
        self.limits = 0
        self.over = asyncio.Event()
        self._left = calls

    async def sleep(self, seconds: float) -> None:
        if seconds != 600:
            return
        self.limits += 1
        await self.over.wait()

    async def tick(self, request: object) -> None:
        self._left -= 1
        if not self._left:
            self.over.set()


def scenario() -> Scenario:
    reads = [turn("getRow", {"id": number}, save_as=f"r{number}") for number in range(5)]
    return Scenario([*reads, done("Read.", "r0")], limits=Limits(timeout_s=600))


def test_the_limit_is_set_once_for_all_turns() -> None:
    clock = Strict(100)
    assert scenario().run(clock=clock).status == "done"
    assert clock.limits == 1


def test_time_that_runs_out_in_a_late_turn_ends_the_run() -> None:
    clock = Strict(4)
    rows = Rows()
    rows.order = clock.tick
    result = scenario().run(rows, clock=clock)
    assert result.status == "limit"
    assert "600 s" in result.reason
