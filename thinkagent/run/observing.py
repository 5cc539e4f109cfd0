"""What the mind is told of its turn, made from the state alone."""

from __future__ import annotations

from typing import Any

from thinkagent.engine.observation import (
    Answer,
    Observation,
    for_answer,
    for_batch,
    for_compute,
    for_error,
    for_failure,
    for_value,
)
from thinkagent.engine.scope import MISSING
from thinkagent.errors import ArgumentError, PermissionRefused
from thinkagent.run.state import Item, RunState, Step
from thinkagent.run.values import decoded, item_value, merged_pages, step_value
from thinkagent.run.world import World
from thinkagent.tools.model import Tool

__all__ = ["observe"]


def observe(state: RunState, world: World) -> Observation:
    """Make the observation of the present turn."""
    tool = state.action["tool"]
    if state.saved is not None and state.saved.problem is not None:
        return for_error(_error(state.saved.problem))
    if tool == "wait" and state.decided is None:
        return {"status": "ok", "summary": f"waited {state.action['arguments']['seconds']} s"}
    if tool == "ask":
        return _asked(state)
    if tool in ("compute", "inspect", "search_tools"):
        return _looked(state, tool)
    if state.batch is None:
        return _not_sent(state)
    return _called(state, world)


def _error(problem: Any) -> ArgumentError:
    fields = {name: str(problem.get(name, "")) for name in ("code", "where", "hint")}
    return ArgumentError(str(problem.get("message", "")), **fields)


def _asked(state: RunState) -> Observation:
    if state.person is None or state.person.answer is None:
        return for_error(ArgumentError("nobody is there who could be asked", hint=_UNASKED))
    return for_value("the person answered", state.person.answer, step=state.saved.name)


def _looked(state: RunState, tool: str) -> Observation:
    saved = state.saved
    if tool == "search_tools":
        names = list(saved.value)
        if not names:
            return for_error(ArgumentError("no tool fits these words", hint="Use other words of the API's own"))
        return for_value(f"now on the page, with their definitions: {', '.join(names)}", names)
    if tool == "inspect":
        return for_value(f"a part of {state.action['arguments']['step']}", saved.value, step=saved.name)
    return for_compute(saved.value, step=saved.name, incomplete=_incomplete(state, saved.uses))


def _incomplete(state: RunState, names: Any) -> list[str]:
    found = []
    queue = list(names)
    while queue:
        step = state.steps.get(queue.pop(0))
        if step is None or step.name in found:
            continue
        if not step_value(step).complete:
            found.append(step.name)
        queue += step.uses
    return found


def _not_sent(state: RunState) -> Observation:
    decided = state.decided
    if decided.verdict == "invalid":
        return for_error(_error(decided.observation or {"message": str(decided.reason)}))
    if decided.verdict == "ask":
        said = "nobody could be asked" if state.person.answer is None else "the person said no"
        return for_failure("refused", f"{decided.tool}: {said}", effect=decided.effect)
    return for_error(PermissionRefused(str(decided.reason), code=decided.rule, hint=_REFUSED))


_UNASKED = "Go on without an answer, or finish and say what is missing"
_REFUSED = "Do not try it again; finish, and say what permission is missing"


def _called(state: RunState, world: World) -> Observation:
    batch, saved = state.batch, state.saved
    assert batch is not None
    tool = world.toolset.get(batch.tool)
    step = state.steps[saved.name]
    if step.for_each:
        outcomes = [{"item": number, **item_value(item)} for number, item in enumerate(step.items)]
        return for_batch(outcomes, step=step.name)
    if batch.polling:
        return _polled(state, step, tool)
    return _single(state, step, step.items[0], tool)


def _polled(state: RunState, step: Step, tool: Tool | None) -> Observation:
    batch = state.batch
    assert batch is not None
    observation = _single(state, step, step.items[-1], tool)
    rounds = len(batch.items)
    if batch.problem:
        told = f"the wait ended after {rounds} calls: {batch.problem}"
        return {**observation, "status": "invalid", "summary": f"{told}; {observation['summary']}"}
    told = "the condition holds" if batch.met else "the condition never held"
    return {**observation, "summary": f"{told} after {rounds} calls; {observation['summary']}"}


def _single(state: RunState, step: Step, item: Item, tool: Tool | None) -> Observation:
    label = state.labels.get(step.turn, "")
    if not item.pages:
        return for_failure(
            "unknown" if item.outcome == "unknown" else "network_error",
            str(item.message),
            request=label,
            effect=tool.effect if tool else "read",
            look_with=_look_with(tool),
        )
    value, rows = merged_pages(item)
    first, last = item.pages[0], item.pages[-1]
    found = decoded(first)
    is_text = found.kind == "text"
    headers = {str(name): str(text) for name, text in first.headers}
    notes = [note for page in item.pages for note in (*page.notes, *decoded(page).notes)]
    if any(page.truncated for page in item.pages):
        notes.insert(0, "the answer was too long and is cut")
    return for_answer(
        Answer(
            status=last.status,
            value=MISSING if is_text else value,
            headers=headers,
            text=str(found.value) if is_text else None,
            content_type=found.media_type,
            effect=tool.effect if tool else "read",
            errors=tool.errors if tool else (),
            arguments=tuple(state.action["arguments"]),
            step=step.name,
            items=rows,
            pages=len(item.pages),
            more_pages=last.more,
            findings=tuple(dict.fromkeys(notes)),
        )
    )


def _look_with(tool: Tool | None) -> list[str]:
    """Name reads that could show whether a write happened: those that take or give what it makes."""
    return list(tool.feeds[:3]) if tool is not None else []
