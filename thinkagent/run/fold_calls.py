"""The calls of one turn, folded: what is ready, what is under way, how each item stands and when the batch is done."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from thinkagent import events as ev
from thinkagent.run.state import Answer, Batch, Item, RunState

__all__ = ["answered", "begin", "failed", "intended", "polled", "sending"]

POLLS = 10
"""How often a `repeat` calls at most when it does not say."""
POLL_EVERY_S = 2


def begin(state: RunState, event: ev.Decided) -> None:
    action = state.action
    repeat = _repeat_of(state)
    polling = repeat is not None
    size = len(event.digests) if repeat is None else int(repeat.get("at_most") or POLLS)
    wanted = action.get("pages")
    state.batch = Batch(
        turn=event.turn,
        tool=event.tool,
        effect=event.effect,
        size=size,
        ready=deque(ev.CallId(event.turn, item) for item in range(1 if polling else size)),
        pages=None if wanted == "all" else int(wanted) if wanted else 1,
        polling=polling,
    )
    state.phase = "call" if size else "save"


def _repeat_of(state: RunState) -> Mapping[str, Any] | None:
    """Give what a `wait` repeats, if the present action is one."""
    if state.action.get("tool") != "wait":
        return None
    repeat = state.action["arguments"].get("repeat")
    return repeat if isinstance(repeat, Mapping) else None


def intended(state: RunState, event: ev.CallIntended) -> None:
    state.totals.calls += 1
    if event.effect != "read":
        state.totals.writes += 1
    state.labels[event.call.turn] = event.label
    state.called[event.call.turn] = event.tool
    state.in_flight[event.call] = (event.call.item, event.effect, "intended")
    batch = state.batch
    if batch is None:
        return
    if batch.ready and batch.ready[0] == event.call:
        batch.ready.popleft()
    elif event.call in batch.ready:
        batch.ready.remove(event.call)
    batch.waiting.pop(event.call, None)
    batch.live[event.call] = "intended"
    item = batch.items.setdefault(event.call.item, Item(event.call.item))
    if not event.call.page:
        item.request = event.request


def sending(state: RunState, event: ev.CallSending) -> None:
    item, effect, _ = state.in_flight.get(event.call, (event.call.item, "read", ""))
    state.in_flight[event.call] = (item, effect, "sending")
    if state.batch is not None and event.call in state.batch.live:
        state.batch.live[event.call] = "sending"


def _end_call(state: RunState, call: ev.CallId) -> tuple[Batch, Item] | None:
    state.in_flight.pop(call, None)
    batch = state.batch
    if batch is None or batch.live.pop(call, None) is None:
        return None
    return batch, batch.items[call.item]


def answered(state: RunState, event: ev.CallAnswered) -> None:
    found = _end_call(state, event.call)
    if found is None:
        return
    batch, item = found
    if event.retry is not None:
        batch.waiting[event.call.again()] = event.retry.get("wait_s", 0)
        return
    answer = Answer(
        event.call,
        event.status,
        event.headers,
        event.body,
        event.encoding,
        event.truncated,
        event.notes,
        event.more,
        event.next_page,
    )
    item.pages.append(answer)
    wants_more = batch.pages is None or len(item.pages) < batch.pages
    if answer.ok and answer.next_page is not None and wants_more and batch.effect == "read" and not batch.polling:
        batch.ready.append(ev.CallId(event.call.turn, event.call.item, event.call.page + 1))
        return
    _close(state, batch, item, "ok" if answer.ok else "http_error")


def failed(state: RunState, event: ev.CallFailed) -> None:
    found = _end_call(state, event.call)
    if found is None:
        return
    batch, item = found
    if event.retry is not None:
        batch.waiting[event.call.again()] = event.retry.get("wait_s", 0)
        return
    item.message, item.kind = event.message, event.kind
    _close(state, batch, item, "unknown" if event.outcome == "unknown" else "network_error")


def _close(state: RunState, batch: Batch, item: Item, outcome: str) -> None:
    item.outcome = outcome
    batch.done += 1
    if batch.polling:
        batch.met = None if outcome == "ok" else False
        if outcome != "ok":
            batch.problem = f"round {item.index + 1} ended as {outcome}"
            batch.done = batch.size
    if batch.effect != "read":
        state.writes.append((batch.turn, batch.tool, item))
        state.writes.sort(key=lambda entry: (entry[0], entry[2].index))
        state.repeats.clear()
    if batch.finished and not (batch.polling and batch.met is None):
        state.phase = "save"


def polled(state: RunState, event: ev.PollChecked) -> None:
    batch = state.batch
    if batch is None:
        return
    batch.met, batch.problem = event.met, event.problem
    if event.met or event.problem or batch.finished:
        batch.done = batch.size
        state.phase = "save"
    else:
        every = (_repeat_of(state) or {}).get("every_s") or POLL_EVERY_S
        batch.waiting[ev.CallId(event.turn, event.round + 1)] = every
