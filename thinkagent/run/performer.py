"""Carries out commands: what does not wait at once, what waits as its beginning and its wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any

from thinkagent import events as ev
from thinkagent.engine.compute import Sandbox, steps_used
from thinkagent.engine.references import resolve, step_name_for
from thinkagent.engine.scope import Scope
from thinkagent.engine.wire.auth import Target
from thinkagent.errors import ThinkagentError
from thinkagent.run.calls import Caller
from thinkagent.run.commands import Decide, End, Finish, Limit, Look, Observe, Parse, Poll, Save, Think
from thinkagent.run.ending import run_ended, take_answer
from thinkagent.run.looking import look
from thinkagent.run.observing import observe
from thinkagent.run.seams import Seams
from thinkagent.run.stages import Stages
from thinkagent.run.state import RunState
from thinkagent.run.thinking import Thinker
from thinkagent.run.values import scope_of
from thinkagent.run.world import World

__all__ = ["Performer"]

Outcome = Coroutine[Any, Any, ev.Event | None]


class Performer:
    """Does what one run wants done; the driver decides when."""

    def __init__(
        self,
        world: World,
        seams: Seams,
        targets: Mapping[str, Target],
        stages: Stages,
        append: Callable[..., ev.Record],
    ) -> None:
        self._world = world
        self._seams = seams
        self._stages = stages
        self._append = append
        self._caller = Caller(world, seams, targets, stages, append)
        self._thinker = Thinker(world, seams, stages, append, self._caller)
        self._sandbox = Sandbox()

    def perform(self, command: object, state: RunState) -> None:
        """Carry out a command that does not wait: one event is appended."""
        match command:
            case Parse():
                with self._stages("parse"):
                    self._append(self._thinker.parse(state))
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
                    self._append(self._answered(state))
            case Limit(kind=kind, detail=detail):
                self._append(ev.LimitReached(kind, detail))
            case End(status=status, reason=reason):
                ended = run_ended(state, self._world, status, self._seams.vault.redact(reason), self._stages)
                self._append(ended, sync=True)

    def _answered(self, state: RunState) -> ev.Event:
        event = take_answer(state, self._world)
        return replace(event, answer=self._seams.vault.hide_value(event.answer))

    def must_sync(self, event: ev.Event, state: RunState) -> bool:
        """Say whether an outcome must be on the disk before anything is done on the strength of it."""
        if isinstance(event, ev.ReplyReceived):
            return event.cost_usd is not None or bool(event.model)
        if isinstance(event, ev.CallAnswered | ev.CallFailed):
            return state.batch is not None and state.batch.effect != "read"
        return False

    def think(self, command: Think, state: RunState) -> Outcome:
        return self._thinker.think(command, state)

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

    def _save(self, state: RunState) -> ev.Event:
        batch = state.batch
        if batch is None:
            return ev.ResultSaved(state.turn, self._name(state), state.action["tool"], value=state.person.answer)
        calls = [page.call for _, item in sorted(batch.items.items()) for page in item.pages]
        for_each = state.action.get("for_each") is not None
        return ev.ResultSaved(state.turn, self._name(state), batch.tool, calls=calls, for_each=for_each)

    def _name(self, state: RunState) -> str:
        given: str | None = state.action.get("save_as")
        if given:
            return given
        return step_name_for(_plain_tool(state), {name for name, step in state.steps.items() if step.status == "ok"})

    async def close(self) -> None:
        """Give back what was opened: connections to the API and the model, the sandbox's workers."""
        await self._caller.close()
        if hasattr(self._seams.mind, "aclose"):
            await self._seams.mind.aclose()
        await self._sandbox.close()


def _plain_tool(state: RunState) -> str:
    tool: str = state.action["tool"]
    return {"compute": "computed", "ask": "answer", "wait": "waited", "inspect": "inspected"}.get(tool, tool)
