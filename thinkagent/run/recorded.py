"""The seams that answer from a log: no network, no key, no waiting."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from thinkagent import events as ev
from thinkagent.engine.wire.answer import receive
from thinkagent.engine.wire.failures import SendFailure
from thinkagent.engine.wire.media import charset_of
from thinkagent.errors import ReplayMismatch
from thinkagent.journal import Vault
from thinkagent.minds.base import Delta, MindFailure, Reply, Usage
from thinkagent.turns.model import Page

if TYPE_CHECKING:
    import httpx

__all__ = [
    "RecordedClock",
    "RecordedGate",
    "RecordedHuman",
    "RecordedMind",
    "recorded_stop",
    "recorded_transport",
    "response_of",
]


class RecordedMind:
    """Answers with the recorded replies, attempt by attempt."""

    def __init__(self, records: Iterable[ev.Record], name: str, open_text: Callable[[Any], str]) -> None:
        self.name = name
        self._open = open_text
        self._attempts: dict[tuple[int, int], deque[ev.ReplyReceived | ev.ReplyFailed]] = defaultdict(deque)
        for record in records:
            if isinstance(record.event, ev.ReplyReceived | ev.ReplyFailed):
                think = record.event.think
                self._attempts[think.turn, think.repair].append(record.event)

    async def reply(self, page: Page, on_delta: Callable[[Delta], None] | None = None) -> Reply:
        left = self._attempts[page.turn, len(page.repairs)]
        if not left:
            raise ReplayMismatch(
                f"the log holds no further reply of the mind for turn {page.turn}",
                code="replay_differs",
                where=f"turn {page.turn}",
            )
        event = left.popleft()
        if isinstance(event, ev.ReplyFailed):
            kind: Any = event.kind
            wait = event.retry.get("wait_s") if event.retry else None
            raise MindFailure(
                kind,
                self._open(event.message),
                retryable=event.retryable,
                retry_after_s=None if wait is None else float(wait),
                status=event.status,
                usage=Usage(**{key: value for key, value in event.usage.items() if key in Usage.__slots__}),
            )
        return Reply(
            text=None if event.text is None else self._open(event.text),
            reasoning=None if event.reasoning is None else self._open(event.reasoning),
            tool_call=(self._open(event.tool_call[0]), self._open(event.tool_call[1])) if event.tool_call else None,
            extra_tool_calls=event.extra_tool_calls,
            finish_reason=event.finish_reason,
            refusal=None if event.refusal is None else self._open(event.refusal),
            model=event.model,
            usage=Usage(**{key: value for key, value in event.usage.items() if key in Usage.__slots__}),
            cost_usd=event.cost_usd if event.cost_usd is None else Decimal(event.cost_usd),
        )


class RecordedHuman:
    """Gives the recorded answers, in order."""

    def __init__(self, records: Iterable[ev.Record], open_text: Callable[[Any], str]) -> None:
        self._answers = deque(
            None if record.event.answer is None else open_text(record.event.answer)
            for record in records
            if isinstance(record.event, ev.PersonReplied)
        )

    async def ask(self, question: ev.QuestionAsked) -> str | None:
        if not self._answers:
            raise ReplayMismatch(
                f"the log holds no answer to the question of turn {question.turn}", code="replay_differs"
            )
        return self._answers.popleft()


class RecordedClock:
    """Waits for nothing: when a wait is over is the log's to say."""

    async def sleep(self, seconds: float) -> None:
        return


def recorded_stop(records: Iterable[ev.Record]) -> Callable[[], Any]:
    """Give the signal that the recorded run was stopped by."""
    signals = [
        r.event.detail for r in records if isinstance(r.event, ev.LimitReached) and r.event.kind == "interrupted"
    ]

    async def stop() -> str:
        return signals[0] if signals else ""

    return stop


def recorded_transport(records: Sequence[ev.Record], vault: Vault) -> httpx.AsyncBaseTransport:
    """Make a transport that answers each call, found by its identity, as the log has it."""
    import httpx

    outcomes = {
        record.event.call: record.event
        for record in records
        if isinstance(record.event, ev.CallAnswered | ev.CallFailed)
    }

    class RecordedTransport(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            call = request.extensions["thinkagent.call"]
            event = outcomes.get(call)
            if event is None:
                raise ReplayMismatch(f"call {call} is not in the log", code="replay_differs", where=f"turn {call.turn}")
            return response_of(event, vault)

    return RecordedTransport()


def response_of(event: ev.CallAnswered | ev.CallFailed, vault: Vault) -> httpx.Response:
    """Make the response of a recorded answer again; a recorded failure is raised as it was."""
    import httpx

    if isinstance(event, ev.CallFailed):
        kind: Any = event.kind
        raise SendFailure(kind, vault.open(event.message), never_sent=event.outcome == "not_sent")
    headers = [(str(name), vault.open(value)) for name, value in event.headers]
    content = _bytes(event, headers, vault)
    return httpx.Response(
        event.status,
        headers=[(name.encode("latin-1"), value.encode("utf-8")) for name, value in headers],
        # One byte beyond the cap, so that what was cut is cut again at the same place.
        content=content + b" " if event.truncated else content,
    )


def _bytes(event: ev.CallAnswered, headers: list[tuple[str, str]], vault: Vault) -> bytes:
    if event.body is None:
        return b""
    text = vault.open(event.body)
    if event.encoding == "base64":
        return base64.b64decode(text)
    if event.encoding == "bytes":
        return text.encode("utf-8", "surrogateescape")
    # Whichever bytes are read as the same text again.
    charset = charset_of(next((v for name, v in headers if name.lower() == "content-type"), "")) or "utf-8"
    for name in ("utf-8", charset):
        with contextlib.suppress(LookupError, ValueError):
            raw = text.encode(name, "surrogateescape")
            if receive(headers, raw).text == text:
                return raw
    return ("\ufeff" + text).encode("utf-8", "surrogateescape")


class RecordedGate:
    """Releases what waits at a seam in the order in which the log has the outcomes."""

    def __init__(self, records: Iterable[ev.Record], upcoming: Callable[[], ev.Event | None]) -> None:
        self._upcoming = upcoming
        self._order = deque(key for record in records if (key := _outcome_key(record.event)))
        self._waiting: dict[str, asyncio.Event] = {}
        self._arrived: set[str] = set()
        self._arrival = asyncio.Event()

    async def wait(self, key: str) -> None:
        event = self._waiting.setdefault(key, asyncio.Event())
        self._arrived.add(key)
        self._arrival.set()
        await event.wait()

    def is_due(self, running: Collection[str]) -> bool:
        event = self._upcoming()
        return event is not None and _outcome_key(event) in running

    async def settle(self, running: list[str]) -> None:
        own_pace = {key for key in running if key.startswith(("result ", "poll "))}
        while not set(running) <= self._arrived | own_pace:
            self._arrival.clear()
            await self._arrival.wait()
        if not self._order:
            if own_pace:
                return
            raise ReplayMismatch("the log ends here, the run would go on", code="log_ends")
        key = self._order[0]
        if key in own_pace:
            return
        if key not in self._waiting or key not in running:
            raise ReplayMismatch(
                f"the log has the outcome of {key!r} next, the run now waits for "
                f"{', '.join(repr(k) for k in running if not k.startswith('limit '))}",
                code="replay_differs",
            )
        self._waiting[key].set()

    def passed(self, key: str) -> None:
        self._arrived.discard(key)
        self._waiting.pop(key, None)
        if self._order and self._order[0] == key:
            self._order.popleft()


def _outcome_key(event: ev.Event) -> str | None:
    match event:
        case ev.ReplyReceived() | ev.ReplyFailed():
            return f"think {event.think}"
        case ev.CallAnswered():
            return f"call {event.call}"
        case ev.CallFailed():
            return None if event.kind in ("cancelled", "interrupted", "unbuilt") else f"call {event.call}"
        case ev.Woke():
            return f"woke {event.what}"
        case ev.PersonReplied():
            return f"person t{event.turn}"
        case ev.PollChecked():
            return f"poll t{event.turn}.i{event.round}"
        case ev.LimitReached(kind="time" | "interrupted"):
            return f"limit {event.kind}"
        case ev.ResultSaved() if event.tool == "compute":
            return f"result t{event.turn}"
    return None
