"""What to do now: a pure function of the state and the world."""

from __future__ import annotations

from thinkagent.events import CallId
from thinkagent.run.commands import (
    Ask,
    Call,
    Command,
    Compute,
    Deadline,
    Decide,
    End,
    Finish,
    Interrupt,
    Limit,
    Look,
    Observe,
    Parse,
    Poll,
    Save,
    Think,
    Wait,
)
from thinkagent.run.state import Batch, RunState
from thinkagent.run.world import World

__all__ = ["next_commands"]


def next_commands(state: RunState, world: World) -> tuple[Command, ...]:
    """Give everything that should be going on now, in order; running commands are among it.

    What is running and not listed is no longer wanted. A command that does not wait comes alone.
    """
    if state.phase in ("ended", "start"):
        return ()
    if state.phase == "ending":
        return (_end(state, world),)
    found = _of_phase(state, world)
    if len(found) == 1 and not isinstance(found[0], Think | Call | Wait | Ask | Compute | Poll):
        return found
    return (*found, Deadline(world.limits.timeout_s), Interrupt())


def _of_phase(state: RunState, world: World) -> tuple[Command, ...]:
    match state.phase:
        case "think":
            return _think(state, world)
        case "parse":
            return (Parse(state.think),)
        case "decide":
            return (Decide(state.turn),)
        case "person":
            return (Ask(state.turn),)
        case "call":
            return _calls(state, world)
        case "compute":
            return (Compute(state.turn),)
        case "look":
            return (Look(state.turn),)
        case "wait":
            return (Wait(f"wait t{state.turn}", state.action["arguments"]["seconds"]),)
        case "save":
            return (Save(state.turn),)
        case "observe":
            return (Observe(state.turn),)
        case "finish":
            return (Finish(state.turn),)
    return ()


_LIMITS = {"max-writes": "writes", "max-calls": "calls"}


def _think(state: RunState, world: World) -> tuple[Command, ...]:
    limits = world.limits
    if state.failures and not _may_try_again(state, world):
        return (End("model_error", str(state.failures[-1].message)),)
    if len(state.repairs) > limits.repairs:
        return (End("model_error", f"the model's reply could not be used {len(state.repairs)} times in a row"),)
    if not state.repairs and not state.prompted and not state.failures:
        if state.totals.turns >= limits.turns:
            taken = f"{limits.turns} turn{'s' if limits.turns != 1 else ''}"
            return (Limit("turns", f"the limit of {taken} is reached (--max-turns)"),)
        if state.loop >= limits.loop_end:
            detail = f"the same action gave the same outcome {state.loop} times, with nothing written in between"
            return (Limit("loop", detail),)
        if state.decided is not None and state.decided.rule in _LIMITS:
            return (Limit(_LIMITS[state.decided.rule], str(state.decided.reason)),)
    if state.think_wait:
        return (Wait(f"think {state.think}", state.think_wait),)
    return (Think(state.think),)


def _may_try_again(state: RunState, world: World) -> bool:
    last = state.failures[-1]
    counted = sum(1 for failure in state.failures if failure.kind != "unsupported")
    return last.retryable and counted < world.limits.attempts and len(state.failures) < 4 * world.limits.attempts


def _calls(state: RunState, world: World) -> tuple[Command, ...]:
    batch = state.batch
    if batch is None:
        return ()
    if batch.polling and batch.met is None and batch.done:
        return (Poll(state.turn, max(batch.items)),)
    running: list[Command] = [Call(call) for call in sorted(batch.live)]
    limit = world.limits.calls
    left = limit - state.totals.calls
    free = max(0, min(world.limits.concurrency - len(running), left))
    waits: list[Command] = [
        Wait(f"{'poll' if batch.polling and call.attempt == 1 else 'call'} {call}", seconds)
        for call, seconds in sorted(batch.waiting.items())
    ]
    started: list[Command] = [Call(call) for call in _first(batch, free)]
    if not running and not started and (left <= 0 or not waits):
        made = f"{limit} call{'s' if limit != 1 else ''}"
        return (Limit("calls", f"the limit of {made} is reached (--max-calls)"),)
    return (*running, *started, *waits)


def _first(batch: Batch, count: int) -> list[CallId]:
    return [batch.ready[index] for index in range(min(count, len(batch.ready)))]


def _end(state: RunState, world: World) -> Command:
    if state.limit is not None and state.answer is None:
        kind = state.limit.kind
        status = kind if kind in ("loop", "interrupted") else "limit"
        return End(status, state.limit.detail)
    if state.answer is None:
        return End("refused", "; ".join(state.refused))
    return End("dry_run" if world.dry_run else state.answer.status)
