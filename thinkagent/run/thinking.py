"""The mind's part of a turn: the page it is shown, one attempt at a reply, and what the reply means."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from thinkagent import events as ev
from thinkagent.engine.arguments import BadArguments
from thinkagent.engine.compute import steps_used
from thinkagent.engine.references import ReferenceMiss, resolve, valid_step_name
from thinkagent.errors import ArgumentError
from thinkagent.minds.base import MindFailure, Reply
from thinkagent.run.calls import Caller
from thinkagent.run.commands import Think
from thinkagent.run.discretion import Discretion
from thinkagent.run.pages import PageBuilder
from thinkagent.run.prompts import PromptWriter
from thinkagent.run.seams import Seams
from thinkagent.run.stages import Stages
from thinkagent.run.state import RunState
from thinkagent.run.values import scope_of
from thinkagent.run.world import World
from thinkagent.turns import check_turn, parse_reply, render_blocks, repair_message
from thinkagent.turns.model import Page, Turn
from thinkagent.turns.problem import Unusable
from thinkagent.values import tokens, write_json

__all__ = ["Thinker"]

_BACKOFF_S = 1.0
_REFERENCE_CODES = ("bad_reference", "false_reference", "reference_miss")
MAX_ANSWER = 100_000
"""Characters of an answer as the mind writes it; what its references stand for is not counted."""
MAX_MODEL_WAIT_S = 60.0
"""A model server that asks for a longer pause is waited for this long."""


class Thinker:
    """Shows pages to the mind and understands its replies."""

    def __init__(
        self, world: World, seams: Seams, stages: Stages, append: Callable[..., ev.Record], caller: Caller
    ) -> None:
        self._world = world
        self._seams = seams
        self._stages = stages
        self._append = append
        self._caller = caller
        self._pages = PageBuilder(world)
        self._discretion = Discretion(seams.vault)
        self._prompts = PromptWriter(seams.vault)

    def think(self, command: Think, state: RunState) -> Coroutine[Any, Any, ev.Event | None]:
        """Show the page; give the wait for the reply."""
        started = time.perf_counter_ns()
        with self._stages("page"):
            page = self._discretion.page(self._pages.page(state))
            blocks, total = self._prompts.write(render_blocks(page), state)
            spent = (time.perf_counter_ns() - started) // 1000
        self._append(ev.PromptShown(command.think, blocks, total, spent))
        return self._reply(command.think, page, total)

    async def _reply(self, think: ev.ThinkId, page: Page, shown: int) -> ev.Event:
        started = time.perf_counter_ns()
        hide = self._seams.vault.hide
        try:
            reply = await self._seams.mind.reply(page, self._seams.on_delta)
        except MindFailure as failure:
            retry = self._retry(failure, think, page, shown)
            return ev.ReplyFailed(
                think,
                failure.kind,
                hide(failure.message),
                failure.status,
                retry,
                retry is not None,
                _usage(failure.usage),
            )
        total_us = reply.total_us or (time.perf_counter_ns() - started) // 1000
        return self._received(think, reply, total_us)

    def _retry(self, failure: MindFailure, think: ev.ThinkId, page: Page, shown: int) -> dict[str, Any] | None:
        """Say how the next attempt may follow: later, or at once with a smaller page where this one was too long."""
        if failure.kind != "context_length":
            return {"wait_s": _wait(failure, think.attempt)} if failure.retryable else None
        # In hundreds, so that a replay by another version, whose page is a little longer, still agrees.
        budget = shown // 200 * 100
        smaller = render_blocks(self._pages.within(page, budget))
        if sum(tokens(block.text) for block in smaller) >= shown:
            return None
        return {"wait_s": 0, "budget_tokens": budget}

    def _received(self, think: ev.ThinkId, reply: Reply, total_us: int) -> ev.Event:
        hide = self._seams.vault.hide
        return ev.ReplyReceived(
            think,
            text=None if reply.text is None else hide(reply.text),
            reasoning=None if reply.reasoning is None else hide(reply.reasoning),
            tool_call=None if reply.tool_call is None else [hide(part) for part in reply.tool_call],
            extra_tool_calls=reply.extra_tool_calls,
            finish_reason=None if reply.finish_reason is None else self._seams.vault.redact(reply.finish_reason),
            refusal=None if reply.refusal is None else hide(reply.refusal),
            model=self._seams.vault.redact(reply.model),
            usage=_usage(reply.usage),
            cost_usd=reply.cost_usd,
            first_token_us=reply.first_token_us,
            total_us=total_us,
        )

    def parse(self, state: RunState) -> ev.Event:
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
            reasoning=None if reply.reasoning is None else str(reply.reasoning),
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
                _check_length(action["arguments"]["answer"])
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
            kind = "reference_miss" if error.code in _REFERENCE_CODES else "bad_arguments"
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


def _check_length(answer: Any) -> None:
    if (length := len(write_json(answer))) > MAX_ANSWER:
        raise ArgumentError(
            f"the answer has {length} characters, at most {MAX_ANSWER} may be written",
            code="bad_arguments",
            hint="Say it in words, with references for long data: <<steps.NAME.result>>",
        )


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
