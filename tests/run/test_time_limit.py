"""The limit of time is of the whole run: turns do not set it back."""

from __future__ import annotations

import asyncio

import pytest

from tests.run.kit import Rows, Scenario, done, turn
from thinkagent.events import CallIntended, Decided, Record, TurnTaken
from thinkagent.journal import read_log
from thinkagent.run.replay import replay_now
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


@pytest.mark.parametrize("after", [TurnTaken, Decided])
@pytest.mark.parametrize("name", ["a write", "a batch of writes"])
def test_time_that_runs_out_while_calls_are_built_lets_none_begin(name, after, tmp_path) -> None:
    clock = Strict(100)
    rows = Rows()
    script = [
        turn("compute", {"expression": "[1, 2, 3]"}, save_as="ids"),
        turn("createRow", {"body": {"row": 1}})
        if name == "a write"
        else turn("createRow", {"body": {"row": "<<item>>"}}, for_each="<<steps.ids.result>>"),
        done("Made.", "ids"),
    ]

    def over(record: Record) -> None:
        if isinstance(record.event, after) and record.event.turn == 2:
            clock.over.set()

    agent = Scenario(script, limits=Limits(timeout_s=600)).agent(rows, clock=clock, log_dir=tmp_path)
    result = asyncio.run(agent.run("Make rows", listen=over))
    assert (result.status, rows.seen, result.changes) == ("limit", [], ())
    assert not [record for record in result.records if isinstance(record.event, CallIntended)]
    assert result.log is not None
    replayed = replay_now(read_log(result.log))
    assert replayed.same, replayed.difference


def test_a_batch_beyond_the_limit_of_calls_is_not_built() -> None:
    rows = Rows()
    script = [
        turn("compute", {"expression": "list(range(100000))"}, save_as="ids"),
        turn("getRow", {"id": "<<item>>"}, for_each="<<steps.ids.result>>"),
    ]
    result = Scenario(script).run(rows)
    assert (result.status, rows.seen) == ("limit", [])
    assert "getRow would make 100000 calls; the limit is 200 (--max-calls)" in result.reason
