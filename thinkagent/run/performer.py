"""Carries out commands: what does not wait at once, what waits as its beginning and its wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from thinkagent import events as ev
from thinkagent.engine.arguments import BadArguments
from thinkagent.engine.compute import Sandbox, steps_used
from thinkagent.engine.references import ReferenceMiss, resolve, step_name_for, valid_step_name
from thinkagent.engine.scope import Scope
from thinkagent.engine.wire.auth import Target
from thinkagent.errors import ArgumentError, ThinkagentError
from thinkagent.minds.base import MindFailure, Reply
from thinkagent.run.calls import Caller
from thinkagent.run.commands import Decide, End, Finish, Limit, Look, Observe, Parse, Poll, Save, Think
from thinkagent.run.ending import run_ended, take_answer
from thinkagent.run.looking import look
from thinkagent.run.observing import observe
from thinkagent.run.pages import PageBuilder
from thinkagent.run.seams import Seams
from thinkagent.run.stages import Stages
from thinkagent.run.state import RunState
from thinkagent.run.values import scope_of
from thinkagent.run.world import World
from thinkagent.turns import check_turn, parse_reply, render_blocks, repair_message
from thinkagent.turns.model import Turn
from thinkagent.turns.problem import Unusable
from thinkagent.values import digest, tokens

__all__ = ["Performer"]

_BACKOFF_S = 1.0
MAX_MODEL_WAIT_S = 60.0
"""A model server that asks for a longer pause is waited for this long."""

Outcome = Coroutine[Any, Any, ev.Event | None]


class Performer:
    """Does what one run wants done; the driver decides when."""

    def __init__(
        self,
        world: World,
        seams: Seams,
        target: Target,
        stages: Stages,
        append: Callable[..., ev.Record],
    ) -> None:
        self._world = world
        self._seams = seams
        self._stages = stages
        self._append = append
        self._pages = PageBuilder(world)
        self._caller = Caller(world, seams, target, stages, append)
        self._sandbox = Sandbox()

    def perform(self, command: object, state: RunState) -> None:
        """Carry out a command that does not wait: one event is appended."""
        match command:
            case Parse():
                with self._stages("parse"):
                    self._append(self._parse(state))
            case Decide():
                self._append(self._caller.decide(state))
            case Look():
                with self._stages("observe"):
                    self._append(look(state, self._world))
            case Save():
                self._append(self._save(state))
            case Observe():
                started = time.perf_counter_ns()
                with self._stages("observe"):
                    observation = self._seams.vault.hide_value(observe(state, self._world))
                    spent = (time.perf_counter_ns() - started) // 1000
                self._append(ev.Observed(state.turn, observation, spent))
            case Finish():
                with self._stages("decide"):
                    self._append(take_answer(state, self._world))
            case Limit(kind=kind, detail=detail):
                self._append(ev.LimitReached(kind, detail))
            case End(status=status, reason=reason):
                ended = run_ended(state, self._world, status, self._seams.vault.redact(reason), self._stages)
                self._append(ended, sync=True)

    def must_sync(self, event: ev.Event, state: RunState) -> bool:
        """Say whether an outcome must be on the disk before anything is done on the strength of it."""
        if isinstance(event, ev.ReplyReceived):
            return event.cost_usd is not None or bool(event.model)
        if isinstance(event, ev.CallAnswered | ev.CallFailed):
            return state.batch is not None and state.batch.effect != "read"
        return False

    # The mind

    def think(self, command: Think, state: RunState) -> Outcome:
        """Show the page; give the wait for the reply."""
        started = time.perf_counter_ns()
        with self._stages("page"):
            page = self._pages.page(state)
            blocks = [(block.role, self._seams.vault.redact(block.text)) for block in render_blocks(page)]
            named = [(role, digest(text), text) for role, text in blocks]
        for _, name, text in named:
            if name not in state.blocks:
                self._append(ev.BlockShown(name, text))
        spent = (time.perf_counter_ns() - started) // 1000
        total = sum(tokens(text) for _, _, text in named)
        self._append(ev.PromptShown(command.think, [[role, name] for role, name, _ in named], total, spent))
        return self._reply(command.think, page)

    async def _reply(self, think: ev.ThinkId, page: Any) -> ev.Event:
        started = time.perf_counter_ns()
        hide = self._seams.vault.hide
        try:
            reply = await self._seams.mind.reply(page, self._seams.on_delta)
        except MindFailure as failure:
            retry = {"wait_s": _wait(failure, think.attempt)} if failure.retryable else None
            return ev.ReplyFailed(
                think,
                failure.kind,
                hide(failure.message),
                failure.status,
                retry,
                failure.retryable,
                _usage(failure.usage),
            )
        total_us = reply.total_us or (time.perf_counter_ns() - started) // 1000
        return self._received(think, reply, total_us)

    def _received(self, think: ev.ThinkId, reply: Reply, total_us: int) -> ev.Event:
        hide = self._seams.vault.hide
        return ev.ReplyReceived(
            think,
            text=None if reply.text is None else hide(reply.text),
            reasoning=None if reply.reasoning is None else hide(reply.reasoning),
            tool_call=None if reply.tool_call is None else [hide(part) for part in reply.tool_call],
            extra_tool_calls=reply.extra_tool_calls,
            finish_reason=reply.finish_reason,
            refusal=None if reply.refusal is None else hide(reply.refusal),
            model=reply.model,
            usage=_usage(reply.usage),
            cost_usd=reply.cost_usd,
            first_token_us=reply.first_token_us,
            total_us=total_us,
        )

    def _parse(self, state: RunState) -> ev.Event:
        """Understand the reply as a turn that can be carried out, or say what is wrong with it."""
        turn: Turn | None = None
        try:
            turn = self._understood(state)
            action = _as_dict(turn)
            self._check_meaning(state, turn, action)
        except Unusable as problem:
            message = self._repair_message(problem, state)
            hidden = self._seams.vault.redact(message)
            return ev.RepairAsked(state.turn, len(state.repairs) + 1, problem.kind, hidden)
        return ev.TurnTaken(
            state.turn,
            turn.thought,
            action,
            plan=None if turn.plan is None else list(turn.plan),
            plan_reason=turn.plan_reason,
            doing=turn.doing,
            notes=list(turn.notes),
        )

    def _repair_message(self, problem: Unusable, state: RunState) -> str:
        toolset = self._world.toolset
        named = toolset.get(problem.tool) if problem.tool else None
        some = toolset.get(toolset.names[0]) if toolset.names else None
        left = self._world.limits.repairs - len(state.repairs) - 1
        return repair_message(problem, tool=named, example=named or some, left=max(0, left))

    def _understood(self, state: RunState) -> Turn:
        reply = state.reply
        turn = parse_reply(
            None if reply.text is None else str(reply.text),
            tool_call=None if reply.tool_call is None else (str(reply.tool_call[0]), str(reply.tool_call[1])),
            extra_tool_calls=reply.extra_tool_calls,
            finish_reason=reply.finish_reason,
            refusal=None if reply.refusal is None else str(reply.refusal),
        )
        return check_turn(
            turn,
            self._world.toolset,
            plan=state.plan,
            excluded=self._world.excluded,
            step_name_problem=lambda name: _name_problem(name, state),
        )

    def _check_meaning(self, state: RunState, turn: Turn, action: dict[str, Any]) -> None:
        """Resolve and check everything that the action needs, so that a slip is put right before anything is done."""
        tool = turn.action.tool
        try:
            if tool == "finish":
                resolve(dict(action["arguments"]), scope_of(state))
                self._check_answer(state, action["arguments"])
            elif tool == "compute":
                steps_used(action["arguments"]["expression"], scope_of(state))
            elif tool in ("search_tools", "inspect", "ask") or action["arguments"].get("seconds") is not None:
                resolve(dict(action["arguments"]), scope_of(state))
            else:
                self._caller.remember(state.turn, self._caller.prepare(state, action))
        except ReferenceMiss as error:
            raise Unusable.of("reference_miss", error, tool=tool) from error
        except BadArguments as error:
            raise Unusable.of("bad_arguments", error, tool=tool) from error
        except ArgumentError as error:
            kind = "reference_miss" if error.code in ("bad_reference", "reference_miss") else "bad_arguments"
            raise Unusable.of(kind, error, tool=tool) from error  # type: ignore[arg-type]

    def _check_answer(self, state: RunState, arguments: Mapping[str, Any]) -> None:
        schema = self._world.answer_schema
        if schema is None or arguments.get("status") != "done":
            return
        from jsonschema_rs import Draft202012Validator

        from thinkagent.values import plain

        answer = resolve(arguments["answer"], scope_of(state)).value
        error = next(iter(Draft202012Validator(dict(schema)).iter_errors(plain(answer))), None)
        if error is not None:
            place = "/".join(map(str, error.instance_path)) or "the answer"
            raise ArgumentError(f"the answer does not fit its schema at {place}: {error.message}", code="bad_arguments")

    # The API

    def call(self, call: ev.CallId, state: RunState) -> Outcome | None:
        return self._caller.begin(call, state)

    def ask(self, state: RunState) -> Outcome:
        """Put the question; give the wait for its answer."""
        if state.action["tool"] == "ask":
            arguments = resolve(dict(state.action["arguments"]), scope_of(state)).value
            question = ev.QuestionAsked(
                state.turn, "mind", arguments["question"], [str(option) for option in arguments.get("options") or ()]
            )
        else:
            question = self._caller.question(state)
        self._append(question)
        return self._answer(question)

    async def _answer(self, question: ev.QuestionAsked) -> ev.Event:
        started = time.perf_counter_ns()
        if question.kind == "permission" and self._world.permission.yes:
            return ev.PersonReplied(question.turn, "yes")
        answer = await self._seams.human.ask(question)
        waited = (time.perf_counter_ns() - started) // 1000
        return ev.PersonReplied(question.turn, None if answer is None else self._seams.vault.hide(answer), waited)

    # Computing

    async def compute(self, state: RunState) -> ev.Event:
        """Give the value of the expression, or the error that the mind is told."""
        expression = state.action["arguments"]["expression"]
        scope = scope_of(state)
        name = self._name(state)
        try:
            value = await self._sandbox.compute(expression, scope, now=self._world.now, zone=self._world.timezone)
        except ThinkagentError as error:
            return ev.ResultSaved(state.turn, name, "compute", problem=self._seams.vault.hide_value(error.as_dict()))
        uses = list(steps_used(expression, scope))
        return ev.ResultSaved(state.turn, name, "compute", uses=uses, value=self._seams.vault.hide_value(value))

    async def poll(self, command: Poll, state: RunState) -> ev.Event:
        """Try `until` on the newest answer, which stands under the name of the step and under `result`."""
        repeat = state.action["arguments"]["repeat"]
        scope = scope_of(state)
        newest = self._newest(state)
        names = {"result": newest, **({repeat["step"]: newest} if repeat.get("step") else {})}
        inner = Scope({**scope.steps, **names}, scope.inputs)
        try:
            met = await self._sandbox.compute(repeat["until"], inner, now=self._world.now, zone=self._world.timezone)
        except ThinkagentError as error:
            return ev.PollChecked(command.turn, command.round, False, self._seams.vault.redact(error.message))
        return ev.PollChecked(command.turn, command.round, bool(met))

    def _newest(self, state: RunState) -> Any:
        from thinkagent.run.state import Step
        from thinkagent.run.values import step_value

        assert state.batch is not None
        item = state.batch.items[max(state.batch.items)]
        return step_value(Step("result", state.batch.tool, state.turn, item.outcome, [item]))

    # Steps

    def _save(self, state: RunState) -> ev.Event:
        batch = state.batch
        if batch is None:
            return ev.ResultSaved(state.turn, self._name(state), state.action["tool"], value=state.person.answer)
        calls = [page.call for _, item in sorted(batch.items.items()) for page in item.pages]
        for_each = state.action.get("for_each") is not None
        return ev.ResultSaved(state.turn, self._name(state), batch.tool, calls=calls, for_each=for_each)

    def _name(self, state: RunState) -> str:
        taken = {name for name, step in state.steps.items() if step.status == "ok"}
        given: str | None = state.action.get("save_as")
        return given or step_name_for(_plain_tool(state), taken)

    async def close(self) -> None:
        """Give back what was opened: connections to the API and the model, the sandbox's workers."""
        await self._caller.close()
        if hasattr(self._seams.mind, "aclose"):
            await self._seams.mind.aclose()
        await self._sandbox.close()


def _plain_tool(state: RunState) -> str:
    tool: str = state.action["tool"]
    return {"compute": "computed", "ask": "answer", "wait": "waited", "inspect": "inspected"}.get(tool, tool)


def _name_problem(name: str, state: RunState) -> str | None:
    if not valid_step_name(name):
        return f"{name!r} cannot name a result; use letters, digits and _, no word that Python or thinkagent has taken"
    step = state.steps.get(name)
    if step is not None and step.status == "ok":
        return f"there is a result {name!r} already; choose another name"
    return None


def _as_dict(turn: Turn) -> dict[str, Any]:
    action = turn.action
    out: dict[str, Any] = {"tool": action.tool, "arguments": dict(action.arguments)}
    for field in ("save_as", "for_each", "pages"):
        if getattr(action, field) is not None:
            out[field] = getattr(action, field)
    return out


def _usage(usage: Any) -> dict[str, int | None]:
    found = {name: getattr(usage, name) for name in usage.__slots__}
    return {name: count for name, count in found.items() if count is not None}


def _wait(failure: MindFailure, attempt: int) -> float:
    if failure.retry_after_s is not None:
        return min(failure.retry_after_s, MAX_MODEL_WAIT_S)
    return 0.0 if failure.kind == "unsupported" else _BACKOFF_S * float(2 ** min(attempt - 1, 5))
