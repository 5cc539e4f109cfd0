"""The thin mind: any server that speaks OpenAI's chat completions, over httpx itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import httpx

from thinkagent.minds.base import Delta, FailureKind, MindFailure, Reply
from thinkagent.minds.client import CONNECT_S, BadSurroundings, build_client, usable_endpoint
from thinkagent.minds.completion import Draft, NotACompletion
from thinkagent.minds.deadline import IDLE_S, TOTAL_S, Deadline, DeadlinePassed, deadline
from thinkagent.minds.endpoint import DEFAULT_BASE, show_address
from thinkagent.minds.failures import ServerError, classify, error_in, read_error, redact, retry_after
from thinkagent.minds.keys import check_key
from thinkagent.minds.ladder import Ladder, Rung
from thinkagent.minds.request import ChatRequest, Message, Render
from thinkagent.minds.sse import ServerEvent, SseReader
from thinkagent.turns.model import Page
from thinkagent.values import JsonError, clip, read_json, visible, write_json

__all__ = ["OpenAIMind"]

_AFTER_FINISH_S = 2.0
"""How long a finished answer waits for its usage."""
_CAP = 32 * 1024 * 1024
_ERROR_CAP = 64 * 1024

OnDelta = Callable[[Delta], None]


class OpenAIMind:
    """Ask one model at an OpenAI-compatible server; each `reply` is one HTTP request.

    `api_key` None sends no credential. `options` go into the body as top-level fields. `total_s` and `idle_s` bound
    one attempt; pings and comments of a stream are no content. `transport` stands in for the network in tests.

    What the server refuses (a way of structured output, a setting, the system role) is changed once and remembered:
    the attempt fails as `unsupported`, and the next one differs.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str = DEFAULT_BASE,
        api_key: str | None = None,
        options: Mapping[str, Any] | None = None,
        stream: bool = True,
        total_s: float = TOTAL_S,
        idle_s: float = IDLE_S,
        transport: httpx.AsyncBaseTransport | None = None,
        render: Render | None = None,
        ladder: Ladder | None = None,
    ) -> None:
        self._model = model
        self._endpoint = usable_endpoint(api_base)
        self._key = None if api_key is None else check_key(api_key, "api_key")
        self._request = ChatRequest(model, options=options or {}, ladder=ladder, stream=stream)
        self._total_s = total_s
        self._idle_s = idle_s
        self._transport = transport
        self._render = render
        self._client: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be written down or shown: the key."""
        return () if self._key is None else (self._key,)

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    @property
    def rung(self) -> Rung:
        """How structured output is asked for at present."""
        return self._request.ladder.rung

    async def reply(self, page: Page, on_delta: OnDelta | None = None) -> Reply:
        """Show the page to the model and give its answer as received; raises `MindFailure`."""
        body = write_json(self._request.body(self._messages(page))).encode("utf-8")
        draft = Draft()
        try:
            idle_s = self._idle_s if self._request.stream else None
            async with deadline(self._total_s, idle_s) as limit, self._send(body) as response:
                await self._receive(response, draft, limit, on_delta or _ignore)
        except DeadlinePassed as passed:
            if draft.finish_reason is None:
                # Ours, not the server's: the time that the user gave is used up, so it is not tried again.
                raise self._failure("timeout", f"did not answer: {passed}", draft=draft) from passed
        except httpx.HTTPError as error:
            if draft.finish_reason is None:
                raise self._lost(error, draft) from error
        self._request.ladder.held()
        return draft.reply(self._model)

    async def aclose(self) -> None:
        """Close the connections; the mind can still be used and opens new ones."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    def _messages(self, page: Page) -> Iterable[Message]:
        if self._render is None:
            from thinkagent.turns.render import render_messages

            self._render = render_messages
        return self._render(page)

    @asynccontextmanager
    async def _send(self, body: bytes) -> AsyncIterator[httpx.Response]:
        client = self._open()
        headers = {"Accept": "text/event-stream, application/json", "Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            async with client.stream("POST", self._endpoint.url, content=body, headers=headers) as response:
                yield response
        finally:
            client.cookies.clear()

    def _open(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            # A client belongs to the loop that it first ran in.
            try:
                self._loop, self._client = loop, build_client(self._endpoint, self._transport)
            except BadSurroundings as error:
                raise self._failure("unavailable", f"cannot be connected to: {error}") from error
        return self._client

    async def _receive(self, response: httpx.Response, draft: Draft, limit: Deadline, on_delta: OnDelta) -> None:
        if not 200 <= response.status_code < 300:
            raise await self._refused(response)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise self._failure("malformed", f"answered in content encoding {encoding!r} that nobody asked for")
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        async with aclosing(self._chunks(response)) as chunks:
            head = await anext(chunks, b"")
            if media_type == "text/event-stream" or head.lstrip().startswith((b"data:", b"event:", b":")):
                await self._receive_stream(head, chunks, draft, limit, on_delta)
            else:
                whole = bytearray(head)
                async for chunk in chunks:
                    whole += chunk
                self._take_whole(bytes(whole), media_type, draft, on_delta)

    async def _chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        size = 0
        async for chunk in response.aiter_raw():
            size += len(chunk)
            if size > _CAP:
                raise self._failure("malformed", f"sent an answer of more than {_CAP} bytes")
            yield chunk

    async def _receive_stream(
        self, head: bytes, chunks: AsyncIterator[bytes], draft: Draft, limit: Deadline, on_delta: OnDelta
    ) -> None:
        reader = SseReader()
        done = self._take_events(reader.feed(head), draft, limit, on_delta)
        while not done and (chunk := await anext(chunks, None)) is not None:
            done = self._take_events(reader.feed(chunk), draft, limit, on_delta)
        if not done:
            done = self._take_events(reader.finish(), draft, limit, on_delta)
        _tell(on_delta, draft.finish())
        if draft.is_empty and draft.finish_reason in (None, "stop"):
            raise self._failure("malformed", "sent a stream without any content", retryable=True, draft=draft)
        if not done and draft.finish_reason is None:
            raise self._failure("malformed", "cut its answer off in the middle", retryable=True, draft=draft)

    def _take_events(self, events: list[ServerEvent], draft: Draft, limit: Deadline, on_delta: OnDelta) -> bool:
        for event in events:
            data = event.data.strip()
            if data == "[DONE]":
                return True
            if not data:
                continue
            try:
                value = read_json(data)
            except JsonError as error:
                raise self._failure(
                    "malformed", f"sent a stream chunk that is no JSON: {error}", retryable=True, draft=draft
                ) from None
            self._take_chunk(value, draft, limit, on_delta)
        return False

    def _take_chunk(self, value: object, draft: Draft, limit: Deadline, on_delta: OnDelta) -> None:
        if told := error_in(value):
            raise self._told(told, None, draft)
        try:
            delta = draft.add(value)
        except NotACompletion as error:
            raise self._failure("malformed", f"sent {error} in its stream", draft=draft) from None
        if draft.finish_reason is not None:
            limit.touch(_AFTER_FINISH_S)
        elif delta.text or delta.reasoning or draft.grew:
            limit.touch()
        _tell(on_delta, delta)

    def _take_whole(self, body: bytes, media_type: str, draft: Draft, on_delta: OnDelta) -> None:
        try:
            value = read_json(body)
        except JsonError as error:
            # What claims to be JSON was meant to be a completion; a page never becomes one by asking again.
            retryable = not body.strip() or "json" in media_type
            raise self._failure("malformed", _describe(body, media_type), retryable=retryable) from error
        if told := error_in(value):
            raise self._told(told, None, draft)
        try:
            delta = draft.add(value)
        except NotACompletion as error:
            raise self._failure("malformed", f"answered {error}") from None
        if not draft.seen:
            raise self._failure("malformed", "answered without any choice", retryable=True, draft=draft)
        ending = draft.finish()
        _tell(on_delta, Delta(delta.text + ending.text, delta.reasoning + ending.reasoning))

    async def _refused(self, response: httpx.Response) -> MindFailure:
        status = response.status_code
        if 300 <= status < 400:
            target = show_address(response.headers.get("location", ""))
            return self._failure(
                "bad_request",
                f"answered {status} and points to {target!r}; redirects are not followed, since the prompt would go "
                "there: pass the right base with --api-base",
                status=status,
            )
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > _ERROR_CAP:
                break
        error = read_error(status, bytes(body[:_ERROR_CAP]).decode("utf-8", "replace"))
        return self._told(error, retry_after(response.headers), None)

    def _told(self, error: ServerError, wait_s: float | None, draft: Draft | None) -> MindFailure:
        """Turn an error of the server into a failure, and learn from it what to change."""
        words = redact(error.message, self._key)
        said = f"answered {error.status or 'an error'}" + (f": {words}" if words else "")
        if note := self._request.learn(error):
            return self._failure(
                "unsupported", f"{said} ({note})", retryable=True, retry_after_s=0.0, status=error.status
            )
        kind, retryable = classify(error)
        if kind == "not_found":
            said += "; there is no such model, or the base is not right: it mostly ends in '/v1'"
        return self._failure(kind, said, retryable=retryable, retry_after_s=wait_s, status=error.status, draft=draft)

    def _lost(self, error: httpx.HTTPError, draft: Draft) -> MindFailure:
        if isinstance(error, httpx.ConnectTimeout):
            return self._failure("unavailable", f"did not accept a connection within {CONNECT_S:g} s", retryable=True)
        if isinstance(error, httpx.ConnectError):
            return self._failure("unavailable", "cannot be reached: the connection failed", retryable=True)
        if isinstance(error, httpx.LocalProtocolError):
            # Its text repeats header values, the key among them.
            return self._failure("bad_request", "was not asked: a header cannot be sent")
        if draft.seen:
            return self._failure("malformed", "cut its answer off in the middle", retryable=True, draft=draft)
        what = f"closed the connection without an answer ({type(error).__name__})"
        return self._failure("unavailable", what, retryable=True)

    def _failure(
        self,
        kind: FailureKind,
        what: str,
        *,
        retryable: bool = False,
        retry_after_s: float | None = None,
        status: int | None = None,
        draft: Draft | None = None,
    ) -> MindFailure:
        message = f"the model {self.name!r} at {self._endpoint.shown} {what}"
        extra: dict[str, Any] = {} if draft is None else {"usage": draft.usage}
        return MindFailure(kind, message, retryable=retryable, retry_after_s=retry_after_s, status=status, **extra)


def _describe(body: bytes, media_type: str) -> str:
    if not body.strip():
        return "answered with an empty body"
    if media_type == "text/html" or body.lstrip()[:1] == b"<":
        return "answered with a page of HTML instead of a completion"
    return f"answered with {clip(visible(media_type), 60) or 'content'!r} that is no JSON"


def _tell(on_delta: OnDelta, delta: Delta) -> None:
    if delta.text or delta.reasoning:
        on_delta(delta)


def _ignore(delta: Delta) -> None:
    """Nobody watches."""
