"""The end of a run: the mind's answer against the log, what changed, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from thinkagent import events as ev
from thinkagent.engine.compute import reads_nothing
from thinkagent.engine.references import find_references, resolve
from thinkagent.policy.changes import Change, change_rows
from thinkagent.policy.proof import Claim, Fact, prove
from thinkagent.run.outcomes import EXIT_CODES
from thinkagent.run.stages import Stages
from thinkagent.run.state import Item, RunState, Step
from thinkagent.run.values import evidence_of, scope_of, step_value
from thinkagent.run.world import World
from thinkagent.values import clip

__all__ = ["changes_of", "run_ended", "take_answer"]

_OUTCOMES = {"ok": "ok", "http_error": "refused", "unknown": "unknown", "network_error": "not_sent"}


def take_answer(state: RunState, world: World) -> ev.Answered:
    """Resolve the mind's answer and check its claim; the status that comes out is code's."""
    arguments = state.action["arguments"]
    answer = resolve(arguments["answer"], scope_of(state)).value
    evidence = [str(name) for name in arguments.get("evidence") or ()]
    claim = Claim(
        status=arguments["status"],
        template=arguments["answer"],
        answer=answer,
        evidence=evidence,
        referenced=[path.name for path in find_references(arguments["answer"]) if path.root == "steps" and path.name],
    )
    changes = changes_of(state)
    doubtful = sum(1 for change in changes if change.outcome == "unknown")
    proof = prove(
        claim,
        {name: _fact(step) for name, step in state.steps.items()},
        task=world.task,
        inputs=state.inputs,
        denied=state.refused,
        doubtful=doubtful,
        writes=[_as_written(one, world) for one in changes if one.outcome == "ok" or world.dry_run],
    )
    proof = replace(proof, notes=(*proof.notes, *_made_up(state, changes)))
    return ev.Answered(
        state.turn, _status(claim, proof.proven, state), answer, evidence, change_rows(changes), proof.as_dict()
    )


def _as_written(change: Change, world: World) -> str:
    """Name a write by what its own document says: the name of a document proves no deed."""
    tool = world.toolset.get(change.tool)
    if tool is None or not tool.document:
        return f"{change.label} {change.tool}"
    return f"{change.label.removesuffix(f' of {tool.document}')} {world.toolset.own_name(tool.name)}"


def _made_up(state: RunState, changes: Iterable[Change]) -> Iterable[str]:
    """Tell which writes went through with values that nobody gave."""
    for turn, tool in dict.fromkeys((change.turn, change.tool) for change in changes if change.outcome == "ok"):
        if places := state.own.get(turn):
            yield f"{tool} was sent with values that the model made up: {', '.join(places)}"


def _status(claim: Claim, proven: bool, state: RunState) -> str:
    if claim.status == "done":
        return "done" if proven else "refused" if state.refused else "unproven"
    if state.refused:
        return "refused"
    outcomes = [item.outcome for step in state.steps.values() for item in step.items]
    if outcomes and all(outcome == "network_error" for outcome in outcomes):
        return "api_error"
    return claim.status


def _unanswered(state: RunState) -> str:
    """Why the last call got no answer."""
    messages = [str(item.message) for step in state.steps.values() for item in step.items if item.message]
    return messages[-1] if messages else ""


def _fact(step: Step) -> Fact:
    bad = [item.outcome for item in step.items if item.outcome != "ok"]
    ok = step.status == "ok" and len(bad) < max(1, len(step.items))
    complete = step_value(step).complete
    failed = f"{len(bad)} of {len(step.items)} items did not succeed ({', '.join(dict.fromkeys(bad))})" if bad else ""
    state = bad[0] if bad else step.status
    own = bool(step.expression) and not step.uses and reads_nothing(step.expression)
    formula = step.expression if own else ""
    return Fact(step.name, step.tool, ok, state, complete, lambda: evidence_of(step), step.uses, formula, failed)


def changes_of(state: RunState) -> list[Change]:
    """List every write that was sent, in order of turn and item."""
    changes = [_change(state, turn, tool, item) for turn, tool, item in state.writes]
    for call, (item, effect, phase) in sorted(state.in_flight.items()):
        if effect != "read" and phase == "sending":
            label = state.labels.get(call.turn, "")
            changes.append(Change(call.turn, item, "", effect, label, "unknown"))
    return changes


def _change(state: RunState, turn: int, tool: str, item: Item) -> Change:
    status = item.pages[-1].status if item.pages else None
    effect = "delete" if state.labels.get(turn, "").startswith("DELETE ") else "write"
    return Change(turn, item.index, tool, effect, state.labels.get(turn, ""), _outcome(state, item, status), status)


def _outcome(state: RunState, item: Item, status: int | None) -> str:
    if state.started is not None and state.started.dry_run:
        return "not_sent"
    if item.outcome == "http_error" and status is not None and (status >= 500 or 300 <= status < 400):
        # An error of the server, a gateway or a redirect does not say that nothing was done.
        return "unknown"
    return _OUTCOMES[item.outcome]


def run_ended(state: RunState, world: World, status: str, reason: str, stages: Stages) -> ev.RunEnded:
    """Make the last event: status, exit code, changes, usage, and where the time went."""
    if status == "interrupted" and state.limit is not None and state.limit.detail == "SIGTERM":
        exit_code = EXIT_CODES["terminated"]
    else:
        exit_code = EXIT_CODES[status]
    if not reason and state.answer is not None:
        reason = "; ".join(state.answer.proof.get("doubts", ())) or "; ".join(state.refused)
    if status == "dry_run" and state.answer is not None and state.answer.status != "done":
        # The examples of a document lead only so far: what the real answers would lead to is not known.
        reason = f"the examples led to {state.answer.status!r}: {clip(str(state.answer.answer), 300)}"
    if not reason and status == "api_error":
        reason = _unanswered(state)
    return ev.RunEnded(
        status,
        exit_code,
        reason,
        change_rows(changes_of(state)),
        dict(_usage(state)),
        stages_us=stages.totals_us(),
        wall_us=stages.wall_us(),
    )


def _usage(state: RunState) -> Iterable[tuple[str, Any]]:
    totals = state.totals
    yield "turns", totals.turns
    yield "calls", totals.calls
    yield "writes", totals.writes
    yield "replies", totals.replies
    if totals.failed_replies:
        yield "failed_replies", totals.failed_replies
    yield "input_tokens", totals.input_tokens
    yield "output_tokens", totals.output_tokens
    yield "unknown_usage", totals.unknown_usage
    yield "cost_usd", totals.cost_usd if not totals.unknown_cost else None
