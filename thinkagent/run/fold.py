"""Events to state. Total and pure: no clock, no network, no volatile field, `at` and `seq` included.

The state that goes in is consumed: `apply` may change it in place and gives it back, so folding n events costs n
steps whatever the size of a batch. The fold does not depend on the order in which concurrent calls end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from thinkagent import events as ev
from thinkagent.run import fold_calls
from thinkagent.run.state import Repeat, RunState, Step, Totals
from thinkagent.turns.model import Action, Exchange, ObservationCard, Plan
from thinkagent.values import digest, write_json

__all__ = ["apply", "fold"]


def fold(records: Iterable[ev.Record]) -> RunState:
    """Fold a whole log, or any prefix of one."""
    state = RunState()
    for record in records:
        state = apply(state, record.event)
    return state


def apply(state: RunState, event: ev.Event) -> RunState:
    """Take one event, as read back from the log, into the state."""
    handler = _HANDLERS.get(type(event))
    if handler is not None:
        handler(state, event)
    return state


def _started(state: RunState, event: ev.RunStarted) -> None:
    state.started = event
    state.phase = "think"


def _inputs(state: RunState, event: ev.InputsGiven) -> None:
    state.inputs = event.values


def _prompt(state: RunState, event: ev.PromptShown) -> None:
    state.prompt = ev.whole_prompt(state.prompt, event.blocks)
    state.think = event.think
    state.prompted = True
    state.think_wait = None


def _reply(state: RunState, event: ev.ReplyReceived) -> None:
    state.reply = event
    state.prompted = False
    state.failures.clear()
    state.phase = "parse"
    totals = state.totals
    totals.replies += 1
    _add_usage(totals, event.usage)
    if event.cost_usd is None:
        totals.unknown_cost += 1
    else:
        totals.cost_usd = event.cost_usd + (totals.cost_usd or Decimal(0))


def _add_usage(totals: Totals, usage: Any) -> None:
    given, made = usage.get("input_tokens"), usage.get("output_tokens")
    if given is None or made is None:
        totals.unknown_usage += 1
    if given is not None:
        totals.input_tokens = (totals.input_tokens or 0) + given
    if made is not None:
        totals.output_tokens = (totals.output_tokens or 0) + made


def _reply_failed(state: RunState, event: ev.ReplyFailed) -> None:
    state.prompted = False
    state.failures.append(event)
    state.totals.failed_replies += 1
    if event.usage:
        _add_usage(state.totals, event.usage)
    state.think = state.think._replace(attempt=state.think.attempt + 1)
    retry = event.retry or {}
    state.think_wait = retry.get("wait_s")
    state.budget_tokens = retry.get("budget_tokens", state.budget_tokens)


def _repair(state: RunState, event: ev.RepairAsked) -> None:
    state.repairs.append(Exchange(_reply_text(state.reply), str(event.message)))
    state.think = ev.ThinkId(state.turn, event.repair)
    state.reply = None
    state.phase = "think"


def _reply_text(reply: ev.ReplyReceived | None) -> str:
    if reply is None:
        return ""
    call = f"{reply.tool_call[0]}({reply.tool_call[1]})" if reply.tool_call else ""
    return "\n".join(part for part in (str(reply.text or ""), call) if part)


_PHASE_OF_TOOL = {"compute": "compute", "search_tools": "look", "inspect": "look", "ask": "person", "finish": "finish"}


def _turn(state: RunState, event: ev.TurnTaken) -> None:
    state.taken = event
    state.totals.turns += 1
    state.repairs = []
    state.decided = state.question = state.person = state.batch = state.saved = None
    _plan(state, event)
    tool = event.action["tool"]
    if tool == "wait":
        state.phase = "wait" if event.action["arguments"].get("seconds") is not None else "decide"
    else:
        state.phase = _PHASE_OF_TOOL.get(tool, "decide")  # type: ignore[assignment]


def _plan(state: RunState, event: ev.TurnTaken) -> None:
    items = tuple(event.plan) if event.plan else None
    if state.plan is None:
        state.plan = Plan(items or (str(state.started.task) if state.started else "the task",))
    elif items and items != state.plan.items:
        state.plan = Plan(items, min(state.plan.doing, len(items)), event.plan_reason)
    if event.doing is not None and event.doing != state.plan.doing:
        state.plan = Plan(state.plan.items, min(max(1, event.doing), len(state.plan.items)), state.plan.reason)


def _decided(state: RunState, event: ev.Decided) -> None:
    state.decided = event
    if event.own:
        state.own[event.turn] = list(event.own)
    if event.verdict == "allow":
        fold_calls.begin(state, event)
    elif event.verdict == "ask":
        state.phase = "person"
    else:
        if event.verdict == "deny":
            state.refused.append(str(event.reason))
        state.phase = "observe"


def _question(state: RunState, event: ev.QuestionAsked) -> None:
    state.question = event


def _person(state: RunState, event: ev.PersonReplied) -> None:
    state.person = event
    if state.question is not None and state.question.kind == "permission" and state.decided is not None:
        if event.answer == "yes":
            fold_calls.begin(state, state.decided)
            return
        stopped = event.answer == "stop"
        said = "nobody could be asked" if event.answer is None else "the person said no"
        state.refused.append(f"{state.decided.tool}: {'the person stopped the run' if stopped else said}")
        state.phase = "ending" if stopped else "observe"
    else:
        state.phase = "save" if event.answer is not None else "observe"


def _woke(state: RunState, event: ev.Woke) -> None:
    kind, _, name = event.what.partition(" ")
    if kind == "think":
        state.think_wait = None
    elif kind == "wait":
        state.phase = "observe"
    elif kind in ("call", "poll") and state.batch is not None:
        call = ev.CallId.parse(name)
        state.batch.waiting.pop(call, None)
        if call not in state.batch.ready:
            state.batch.ready.appendleft(call)


def _limit(state: RunState, event: ev.LimitReached) -> None:
    if state.phase != "ended":
        state.limit = state.limit or event
        state.phase = "ending"


def _resumed(state: RunState, event: ev.RunResumed) -> None:
    """Settle what was in flight when the program died."""
    if state.prompted:
        state.prompted = False
        state.think = state.think._replace(attempt=state.think.attempt + 1)
    for call, (_, effect, phase) in sorted(state.in_flight.items()):
        if phase == "sending" and effect != "read":
            message = "the program ended before an answer came"
            fold_calls.failed(state, ev.CallFailed(call, "interrupted", message, outcome="unknown"))
        else:
            fold_calls.failed(state, ev.CallFailed(call, "interrupted", "", outcome="not_sent", retry={"wait_s": 0}))
    if state.batch is not None:
        for call in sorted(state.batch.waiting):
            state.batch.waiting.pop(call)
            state.batch.ready.append(call)
    state.limit = None
    if state.phase == "ending" and state.answer is None:
        state.phase = "call" if state.batch is not None and not state.batch.finished else "observe"


def _result(state: RunState, event: ev.ResultSaved) -> None:
    state.saved = event
    state.phase = "observe"
    if event.problem is not None:
        return
    batch = state.batch
    items = [batch.items[index] for index in sorted(batch.items)] if batch is not None else []
    if batch is not None and batch.polling:
        items = items[-1:]
    bad = [item.outcome for item in items if item.outcome != "ok"]
    status = bad[0] if bad and not event.for_each else "ok"
    single = len(items) == 1 and not event.for_each and batch is not None and batch.effect == "read"
    state.steps[event.name] = Step(
        name=event.name,
        tool=event.tool,
        turn=event.turn,
        status=status,
        items=items,
        for_each=event.for_each,
        computed=batch is None,
        value=event.value,
        uses=tuple(event.uses),
        expression=str(state.action["arguments"]["expression"]) if event.tool == "compute" else "",
        effect=batch.effect if batch is not None else "read",
        digest=state.decided.digests[0] if single and state.decided is not None and state.decided.digests else "",
    )
    if event.tool == "search_tools" and isinstance(event.value, list):
        state.fetched += [name for name in event.value if isinstance(name, str) and name not in state.fetched]
        state.steps.pop(event.name)


def _observed(state: RunState, event: ev.Observed) -> None:
    if state.taken is not None:
        fields = {"save_as", "for_each", "pages"}
        action = state.taken.action
        state.history.append(
            ObservationCard(
                turn=event.turn,
                thought=str(state.taken.thought),
                action=Action(action["tool"], action["arguments"], **{k: action[k] for k in fields if k in action}),
                observation=event.observation,
            )
        )
    state.loop = _count_repeat(state, event)
    state.turn = event.turn + 1
    state.think = ev.ThinkId(state.turn)
    state.reply = None
    state.batch = None
    if state.phase != "ending":
        state.phase = "think"


def _count_repeat(state: RunState, event: ev.Observed) -> int:
    """Count equal actions with equal outcomes; what was made to repeat (polls, batches, pages) is no loop."""
    batch = state.batch
    if batch is not None and (batch.polling or batch.size != 1 or batch.pages != 1 or batch.effect != "read"):
        return 0
    if batch is not None and batch.items and state.decided is not None and state.decided.digests:
        item = next(iter(batch.items.values()))
        outcome = item.outcome + "".join(f"{page.status} {page.body}" for page in item.pages)
        key = state.decided.digests[0]
    else:
        outcome = write_json(event.observation, sort=True)
        key = state.action_key()
    outcome = digest(outcome)
    known = state.repeats.get(key)
    if known is None or known.outcome != outcome:
        state.repeats[key] = Repeat(outcome)
        return 1
    known.count += 1
    return known.count


def _final_answer(state: RunState, event: ev.Answered) -> None:
    state.answer = event
    state.phase = "ending"


def _ended(state: RunState, event: ev.RunEnded) -> None:
    state.end = event
    state.phase = "ended"


_HANDLERS: dict[type[ev.Event], Callable[[RunState, Any], None]] = {
    ev.RunStarted: _started,
    ev.InputsGiven: _inputs,
    ev.PromptShown: _prompt,
    ev.ReplyReceived: _reply,
    ev.ReplyFailed: _reply_failed,
    ev.RepairAsked: _repair,
    ev.TurnTaken: _turn,
    ev.Decided: _decided,
    ev.QuestionAsked: _question,
    ev.PersonReplied: _person,
    ev.CallIntended: fold_calls.intended,
    ev.CallSending: fold_calls.sending,
    ev.CallAnswered: fold_calls.answered,
    ev.CallFailed: fold_calls.failed,
    ev.PollChecked: fold_calls.polled,
    ev.Woke: _woke,
    ev.LimitReached: _limit,
    ev.RunResumed: _resumed,
    ev.ResultSaved: _result,
    ev.Observed: _observed,
    ev.Answered: _final_answer,
    ev.RunEnded: _ended,
}
