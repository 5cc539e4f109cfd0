"""What holds for every run whatever happens to it: the order of ends, a crash at any event, odd events."""

from __future__ import annotations

import asyncio
import random

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.run.kit import SCENARIOS, Rows, Scenario, done, resumed, turn
from thinkagent import events as ev
from thinkagent.errors import JournalError
from thinkagent.journal import MemoryBlobs, MemoryJournal, parse_log, read_line
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.driver import Driver
from thinkagent.run.fold import apply, fold
from thinkagent.run.replay import replay_now
from thinkagent.run.seams import Nobody, Seams
from thinkagent.run.state import RunState

WRITES = {
    name: SCENARIOS[name] for name in ("for-each", "conflict", "doubt", "asked-yes", "yes-flag", "secrets", "writes")
}
ALL_CRASHES = [
    "read",
    "pages",
    "for-each",
    "for-each-reads",
    "recover",
    "retries",
    "doubt",
    "polling",
    "model-recovers",
]


class Dies(MemoryJournal):
    """A journal that fails for good after so many events, as a killed program would."""

    def __init__(self, events_left: int) -> None:
        super().__init__()
        self.left = events_left

    def append(self, event: ev.Event, *, sync: bool = False) -> ev.Record:
        if self.left <= 0:
            raise JournalError("the program was killed", code="killed")
        self.left -= 1
        return super().append(event, sync=sync)


class Held:
    """Lets concurrent requests end in an order of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    async def __call__(self, request: httpx.Request) -> None:
        for _ in range(self.random.randrange(12)):
            await asyncio.sleep(0)


def run_until(agent, ready, journal):
    """Run with this journal until it ends or dies; give the state."""

    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    async def go() -> RunState:
        seams = Seams(
            mind=ready.mind,
            journal=journal,
            vault=ready.vault,
            transport=lambda: agent._make_transport(ready),
            human=agent._human or Nobody(),
            clock=agent._clock,
            stop=never,
        )
        driver = Driver(ready.world, seams, ready.targets)
        for event in ready.opening:
            driver.append(event)
        return await driver.run()

    return asyncio.run(go())


def remaining_script(scenario: Scenario, state: RunState) -> list:
    """What the mind would go on with: the script without the replies that the log holds."""
    taken = state.totals.replies + state.totals.failed_replies
    return list(scenario.script[taken:])


@pytest.mark.parametrize("name", sorted({*WRITES, *ALL_CRASHES}))
def test_a_crash_after_any_event_repeats_no_write(name):
    scenario = SCENARIOS[name]
    whole = len(scenario.run().records)
    for count in range(6, whole):
        rows = Rows()
        agent = scenario.agent(rows)
        ready = agent.prepare("Do something with the rows")
        journal = Dies(count)
        with pytest.raises(JournalError):
            run_until(agent, ready, journal)
        state = fold(read_line(line, journal.blobs.get) for line in journal.lines)
        script = remaining_script(scenario, state)
        again = Scenario(
            script, scenario.status, scenario.permission, scenario.limits, scenario.human, scenario.settings
        )
        second = again.agent(rows, mind=ScriptedMind(script))
        ready_again = second.prepare("Do something with the rows")
        for secret in ready.vault.names:
            ready_again.vault.add(secret, ready.vault._values[secret])
        after, more = resumed(second, state, ready_again)
        assert after.phase == "ended"
        assert all(times == 1 for key, times in rows.written.items() if not key.startswith("POST /token")), (
            count,
            rows.written,
        )
        sent = [r.event.call for r in [*journal.records, *more.records] if isinstance(r.event, ev.CallSending)]
        assert len(sent) == len(set(sent)), "a call's identity came twice"
        assert fold([*journal.records, *more.records]) == after


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000), name=st.sampled_from(["for-each", "for-each-reads", "pages", "retries"]))
def test_the_end_does_not_depend_on_the_order_of_answers(seed, name):
    plain, shuffled = Rows(), Rows()
    shuffled.order = Held(seed)
    scenario = SCENARIOS[name]
    first, second = scenario.run(plain), scenario.run(shuffled)
    assert fold(first.records).steps == fold(second.records).steps
    assert (first.answer, first.changes) == (second.answer, second.changes)
    observed = [
        [r.event.observation for r in run.records if isinstance(r.event, ev.Observed)] for run in (first, second)
    ]
    assert observed[0] == observed[1]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_fold_does_not_depend_on_the_order_of_concurrent_ends(data):
    records = list(SCENARIOS["for-each-reads"].run().records)
    ends = [n for n, r in enumerate(records) if isinstance(r.event, ev.CallAnswered | ev.CallFailed)]
    begun = [n for n, r in enumerate(records) if isinstance(r.event, ev.CallIntended | ev.CallSending)]
    order = data.draw(st.permutations([records[n] for n in ends]))
    head = [records[n] for n in range(len(records)) if n < min(begun)]
    tail = [records[n] for n in range(len(records)) if n > max(ends)]
    starts = [records[n] for n in begun]
    assert fold([*head, *starts, *order, *tail]) == fold(records)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_shuffled_runs_replay_in_their_recorded_order(seed):
    rows = Rows()
    rows.order = Held(seed)
    scenario = SCENARIOS["for-each-reads"]
    agent = scenario.agent(rows)
    ready = agent.prepare("Do something with the rows")
    journal = MemoryJournal(blobs=MemoryBlobs())
    run_until(agent, ready, journal)
    log = parse_log(("\n".join(journal.lines) + "\n").encode("utf-8", "surrogatepass"))
    replayed = replay_now(log)
    assert replayed.same, replayed.difference


EVENTS = [
    record.event for name in ("for-each", "repairs", "polling", "asked-no") for record in SCENARIOS[name].run().records
]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(EVENTS), max_size=30))
def test_the_fold_is_total(events):
    """A log that was put together by hand may be nonsense; reading it never breaks."""
    state = RunState()
    for event in events:
        state = apply(state, event)


def test_a_request_that_changed_is_never_sent():
    """What is sent is what was decided on: the batch is rebuilt and compared before it leaves."""
    rows = Rows()
    scenario = Scenario([turn("dropRow", {"id": 1}, save_as="gone"), done("Gone.", "gone")])
    agent = scenario.agent(rows)
    ready = agent.prepare("x")
    journal = Dies(1)
    with pytest.raises(JournalError):
        run_until(agent, ready, journal)
    state = fold(journal.records)
    while state.phase != "decide":
        journal = Dies(journal.left + len(journal.records) + 1)
        with pytest.raises(JournalError):
            run_until(scenario.agent(rows), scenario.agent(rows).prepare("x"), journal)
        state = fold(journal.records)
    state = apply(state, ev.Decided(1, "allow", "allow-writes", "", "delete", tool="dropRow", digests=["sha256:other"]))
    script = [done("It was not sent.", status="failed")]
    second = Scenario(script).agent(rows)
    after, more = resumed(second, state, second.prepare("x"))
    assert not rows.written
    failed = [r.event for r in more.records if isinstance(r.event, ev.CallFailed)]
    assert [event.outcome for event in failed] == ["not_sent"]
    assert after.end.status == "api_error"
