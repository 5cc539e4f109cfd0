"""Calls: built and judged as a batch, rebuilt and compared one by one, sent, and turned into one event each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thinkagent import events as ev
from thinkagent.engine.arguments import check_arguments
from thinkagent.engine.references import Scope, resolve
from thinkagent.engine.wire.answer import Received, decode, receive
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.failures import SendFailure
from thinkagent.engine.wire.inflate import is_undone
from thinkagent.engine.wire.media import is_form
from thinkagent.engine.wire.paging import paging
from thinkagent.engine.wire.request import WireRequest, build_request
from thinkagent.errors import ArgumentError, ThinkagentError
from thinkagent.journal import Vault, gives_away, secret_fields, secret_headers, secrets_in_text
from thinkagent.policy.origin import Origin, trace
from thinkagent.policy.permission import Request, Verdict, judge, over_limit
from thinkagent.policy.retries import retry_after_s, wait_after_answer, wait_after_failure
from thinkagent.run.seams import Seams
from thinkagent.run.secrecy import check_secrets
from thinkagent.run.stages import Stages
from thinkagent.run.state import RunState, Step
from thinkagent.run.values import evidence_of, scope_of
from thinkagent.run.world import World
from thinkagent.tools.model import Tool
from thinkagent.values import JsonError, clip, read_json, write_json

if TYPE_CHECKING:
    from thinkagent.engine.wire.send import RawAnswer

__all__ = ["Caller", "Prepared"]

CAP_BYTES = 20_000_000
"""Longer answers are cut there, and marked."""
_DROPPED_HEADERS = frozenset({"content-length", "transfer-encoding", "connection", "keep-alive"})


@dataclass(frozen=True, slots=True)
class Prepared:
    """One call as it would leave."""

    request: WireRequest
    digest: str
    notes: tuple[str, ...] = ()


class Caller:
    """Builds, judges and sends the calls of a run."""

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
        self._targets = targets
        self._stages = stages
        self._append = append
        self._transport: Any = None
        self._batch: tuple[int, list[Prepared]] | None = None

    def prepare(self, state: RunState, action: Any) -> list[Prepared]:
        """Resolve, check and build every call of an action, before any is sent; none where a limit forbids them.

        Raises:
            ArgumentError: a reference misses, or arguments do not fit; says for which item.
        """
        if action["tool"] == "wait":
            return [self._repeated(state, action)]
        tool = self._tool(action["tool"])
        scope = scope_of(state)
        items = self._items(action, scope)
        if items is None:
            return [self._build(tool, action["arguments"], scope, state)]
        if self._over_limit(state, tool, len(items)):
            return []
        prepared = []
        for number, item in enumerate(items):
            inner = Scope(scope.steps, scope.inputs, item)
            try:
                prepared.append(self._build(tool, action["arguments"], inner, state))
            except ArgumentError as error:
                error.where = ", ".join(filter(None, (error.where, f"item {number + 1} of {len(items)}")))
                raise
        return prepared

    def remember(self, turn: int, prepared: list[Prepared]) -> None:
        """Keep a batch that was just built, so that judging it does not build it again."""
        self._batch = (turn, prepared)

    def _prepared(self, state: RunState) -> list[Prepared]:
        if self._batch is None or self._batch[0] != state.turn:
            self._batch = (state.turn, self.prepare(state, state.action))
        return self._batch[1]

    def _items(self, action: Any, scope: Scope) -> list[Any] | None:
        if action.get("for_each") is None:
            return None
        with self._stages("resolve"):
            items = resolve(action["for_each"], scope).value
        if not isinstance(items, list):
            kind = type(items).__name__
            raise ArgumentError(
                f"for_each needs a list, {action['for_each']!r} is of type {kind}",
                code="bad_arguments",
                hint="Give a reference to a list, such as <<steps.NAME.items>>",
            )
        return items

    def _build(self, tool: Tool, arguments: Any, scope: Scope, state: RunState) -> Prepared:
        with self._stages("resolve"):
            resolved = resolve(dict(arguments), scope)
        with self._stages("check"):
            schemes = self._world.toolset.documents[tool.document].security_schemes.values()
            checked = check_arguments(tool, resolved.value, schemes=schemes)
        with self._stages("build"):
            request = build_request(tool, checked.value, self._targets[tool.document])
            check_secrets(request, tool, self._targets, state, self._world.toolset)
            return Prepared(request, request.digest, checked.notes)

    def _repeated(self, state: RunState, action: Any) -> Prepared:
        """The read that a `wait` repeats: of the named step, or of the last one."""
        name = action["arguments"]["repeat"].get("step")
        reads = [step for step in state.steps.values() if step.effect == "read" and step.items and not step.for_each]
        if name is None and reads:
            step: Step | None = max(reads, key=lambda one: one.turn)
        else:
            step = next((one for one in reads if one.name == name), None)
        if step is None or step.items[0].request is None:
            raise ArgumentError(
                f"there is no saved read {name!r} to repeat" if name else "there is no saved read to repeat",
                code="bad_arguments",
                hint="Call the read once and save it, then wait with repeat",
            )
        request = WireRequest.from_dict(step.items[0].request)
        return Prepared(request, request.digest)

    def _tool(self, name: str) -> Tool:
        tool: Tool | None = self._world.toolset.get(name)
        if tool is None:
            raise ArgumentError(f"a tool {name!r} does not exist", code="unknown_tool")
        return tool

    def tool_of(self, state: RunState) -> Tool:
        """The operation that the present action calls, also through `wait`."""
        if state.action["tool"] != "wait":
            return self._tool(state.action["tool"])
        name = state.action["arguments"]["repeat"].get("step")
        reads = [step for step in state.steps.values() if step.effect == "read" and step.items]
        step = next((one for one in reads if one.name == name), None) or max(reads, key=lambda one: one.turn)
        return self._tool(step.tool)

    def decide(self, state: RunState) -> ev.Event:
        """Judge the present action's batch."""
        try:
            tool = self.tool_of(state)
            items = self._items(state.action, scope_of(state))
            over = self._over_limit(state, tool, 1 if items is None else len(items))
            prepared = [] if over else self._prepared(state)
        except ThinkagentError as error:
            reason = error.message
            return ev.Decided(state.turn, "invalid", "unbuilt", reason, "read", observation=error.as_dict())
        with self._stages("decide"):
            origin = self._origin(state, tool)
            if origin.examples and over is None:
                return self._invented(state, tool, origin.examples)
            permission = self._world.permission
            verdict = over or judge(
                Request(tool.name, tool.effect, len(prepared), state.totals.writes),
                allow_writes=permission.allow_writes,
                yes=permission.yes,
                person=permission.person,
                dry_run=self._world.dry_run,
            )
            digests = [one.digest for one in prepared]
        return ev.Decided(
            state.turn,
            verdict.verdict,
            verdict.rule,
            verdict.reason,
            tool.effect,
            tool=tool.name,
            digests=digests,
            own=list(origin.own),
        )

    def _origin(self, state: RunState, tool: Tool) -> Origin:
        if tool.effect == "read":
            return Origin()
        steps = state.steps.values()
        return trace(state.action["arguments"], tool, (self._world.task, state.inputs), lambda: map(evidence_of, steps))

    def _invented(self, state: RunState, tool: Tool, examples: Mapping[str, Any]) -> ev.Decided:
        shown = ", ".join(f"{place} {clip(write_json(value), 60)}" for place, value in list(examples.items())[:5])
        error = ArgumentError(
            f"{shown}: only an example of the document or a placeholder; no task, input or result gives it",
            code="invented_value",
            where=f"the arguments of {tool.name}",
            hint="Look the value up, compute it or ask for it; if it cannot be had, finish and say what is missing",
        )
        told = self._seams.vault.hide_value(error.as_dict())
        return ev.Decided(
            state.turn, "invalid", "origin", told["message"], tool.effect, tool=tool.name, observation=told
        )

    def _over_limit(self, state: RunState, tool: Tool, count: int) -> Verdict | None:
        limits, totals = self._world.limits, state.totals
        request = Request(tool.name, tool.effect, count, totals.writes, totals.calls)
        return over_limit(request, max_writes=limits.writes, max_calls=limits.calls)

    def question(self, state: RunState) -> ev.QuestionAsked:
        """The question that shows a batch to the person: its count and three samples."""
        prepared = self._prepared(state)
        samples = [
            {"call": one.request.label, "url": one.request.url, "body": one.request.body} for one in prepared[:3]
        ]
        count = len(prepared)
        text = f"This will send {count} write{'s' if count != 1 else ''} ({state.decided.tool})."
        if state.decided.own:
            text += f" Made up by the model: {', '.join(state.decided.own)}."
        return ev.QuestionAsked(
            state.turn, "permission", text, ["yes", "no", "details", "stop"], samples=samples, count=count
        )

    def begin(self, call: ev.CallId, state: RunState) -> Coroutine[Any, Any, ev.Event | None] | None:
        """Write down that a call will be made and that it is being sent; give its sending.

        What would be sent is built anew and must be what was decided on.
        """
        tool = self.tool_of(state)
        try:
            request = self._request(call, state)
        except ThinkagentError as error:
            self._append(ev.CallIntended(call, tool.name, tool.effect, f"{tool.method} {tool.path}", {}, ""))
            self._append(ev.CallFailed(call, "unbuilt", error.message, "not_sent"))
            return None
        name = request.digest if call.page else ""
        self._append(ev.CallIntended(call, tool.name, tool.effect, request.label, request.as_dict(), name))
        self._append(ev.CallSending(call), tool.effect != "read")
        return self._send(call, tool, request)

    def _request(self, call: ev.CallId, state: RunState) -> WireRequest:
        batch = state.batch
        assert batch is not None
        if call.page:
            following = batch.items[call.item].pages[call.page - 1].next_page
            assert following is not None
            return WireRequest.from_dict(following)
        index = 0 if batch.polling else call.item
        prepared = self._prepared(state)[index]
        if prepared.digest != state.decided.digests[index]:
            raise ArgumentError("the request is no longer the one that was decided on", code="changed_request")
        return prepared.request

    async def _send(self, call: ev.CallId, tool: Tool, request: WireRequest) -> ev.Event:
        from thinkagent.engine.wire.opening import open_request
        from thinkagent.engine.wire.send import send

        limits = self._world.limits
        try:
            opened = open_request(request, self._seams.vault.reveal)
            opened.extensions |= {"thinkagent.call": call, "thinkagent.tool": tool.name}
            if self._transport is None:
                self._transport = self._seams.transport()
            raw = await send(opened, self._transport, total_s=limits.call_s, cap_bytes=CAP_BYTES)
        except SendFailure as error:
            wait = wait_after_failure(error.never_sent, tool.effect, call.attempt, limits.attempts)
            outcome = "not_sent" if error.never_sent else "failed" if tool.effect == "read" else "unknown"
            message = self._seams.vault.hide(error.message)
            return ev.CallFailed(call, error.kind, message, outcome, None if wait is None else {"wait_s": wait})
        except ThinkagentError as error:
            return ev.CallFailed(call, error.code, self._seams.vault.hide(error.message), "not_sent")
        with self._stages("decode"):
            return self._answered(call, tool, request, raw)

    def _answered(self, call: ev.CallId, tool: Tool, request: WireRequest, raw: RawAnswer) -> ev.Event:
        vault = self._seams.vault
        received = receive(raw.headers, raw.body)
        headers = [
            [name, value]
            for name, value in raw.headers
            if name not in _DROPPED_HEADERS and not (name == "content-encoding" and is_undone(value))
        ]
        if received.encoding == "text":
            vault.learn(str(call), _given_away(headers, received.text))
        body, encoding = _hidden(vault, received, raw.body)
        hidden = [[name, vault.hide(value)] for name, value in headers]
        pairs = [(str(name), value) for name, value in hidden]
        value = decode(pairs, body, encoding=encoding).value if 200 <= raw.status < 300 else None
        ahead = paging(tool, request, self._targets[tool.document], value, pairs)
        fields = dict(raw.headers)
        asked = retry_after_s(fields.get("retry-after"), fields.get("date"))
        wait = wait_after_answer(raw.status, asked, tool.effect, call.attempt, self._world.limits.attempts)
        return ev.CallAnswered(
            call,
            raw.status,
            hidden,
            body,
            encoding=encoding,
            truncated=raw.truncated,
            secrets=sorted(name for name in vault.names if name.startswith(f"{call}.")),
            notes=[*raw.notes, *received.notes, *([ahead.note] if ahead.note else [])],
            more=ahead.more,
            next_page=None if ahead.next is None or self._world.dry_run else ahead.next.request.as_dict(),
            retry=None if wait is None else {"wait_s": wait},
            times_us=dict(raw.times_us),
        )

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.aclose()


def _hidden(vault: Vault, received: Received, raw: bytes) -> tuple[Any, str]:
    """Give a body and its encoding for the event; Base64 would show secrets in a binary body, so they are cut out."""
    if received.text is None:
        return None, "text"
    if received.encoding == "text":
        return vault.hide(received.text), "text"
    hidden = vault.hide(raw.decode("utf-8", "surrogateescape"))
    return (received.text, received.encoding) if isinstance(hidden, str) else (hidden, "bytes")


def _given_away(headers: list[list[Any]], text: str | None) -> Iterator[tuple[str, str]]:
    """Find the credentials that an answer carries, by where they stand in it."""
    yield from secret_headers((str(name), str(value)) for name, value in headers)
    if text is None or not gives_away(text):
        return
    try:
        yield from secret_fields(read_json(text))
    except JsonError:
        content_type = next((str(value) for name, value in headers if name == "content-type"), "")
        yield from secrets_in_text(text, is_form=is_form(content_type))
