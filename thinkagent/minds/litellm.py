"""The mind behind litellm: every provider that it knows, with the outcomes of the thin mind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from typing import Any

from thinkagent.errors import list_names, nearest
from thinkagent.minds.base import Delta, MindFailure, Reply
from thinkagent.minds.completion import Draft, NotACompletion
from thinkagent.minds.deadline import IDLE_S, TOTAL_S, Deadline, DeadlinePassed, deadline
from thinkagent.minds.endpoint import DEFAULT_BASE, Endpoint, parse_endpoint
from thinkagent.minds.failures import redact
from thinkagent.minds.keys import check_key
from thinkagent.minds.ladder import Ladder, Rung
from thinkagent.minds.litellm_failures import explain
from thinkagent.minds.litellm_loading import is_loaded, load_litellm
from thinkagent.minds.request import ChatRequest, Render
from thinkagent.turns.model import Page

__all__ = ["LiteLLMMind"]

_NO_KEY = "none"
"""Sent to a base that has no key of its own; without one litellm would send the environment's."""


class LiteLLMMind:
    """Ask one model through litellm; each `reply` is one request, retries are the caller's.

    `model` is `provider/NAME`. `api_base` None leaves the address to litellm; a given one gets `api_key` or no key at
    all. The first call imports litellm, which takes seconds and does not count towards `total_s`. Importing it this
    way also sets it up for the whole process: silent, without `.env` files, without counting tokens itself.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        options: Mapping[str, Any] | None = None,
        stream: bool = True,
        total_s: float = TOTAL_S,
        idle_s: float = IDLE_S,
        render: Render | None = None,
        ladder: Ladder | None = None,
    ) -> None:
        self._model = model
        self._provider = model.partition("/")[0]
        self._endpoint = None if api_base is None else parse_endpoint(api_base)
        self._key = None if api_key is None else check_key(api_key, "api_key")
        native = {name: _native(value) for name, value in (options or {}).items()}
        self._request = ChatRequest(model, options=native, ladder=ladder, stream=stream)
        self._total_s = total_s
        self._idle_s = idle_s
        self._render = render
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be written down or shown: the key, or the one that litellm takes from the environment."""
        key = self._key or os.environ.get(f"{self._provider.upper()}_API_KEY")
        return (key,) if key else ()

    @property
    def name(self) -> str:
        return self._model

    @property
    def rung(self) -> Rung:
        """How structured output is asked for at present."""
        return self._request.ladder.rung

    @property
    def is_slow_to_start(self) -> bool:
        """The next call has to load litellm first, for 4 to 30 seconds; worth a word to who waits."""
        return not is_loaded()

    async def reply(self, page: Page, on_delta: Callable[[Delta], None] | None = None) -> Reply:
        """Show the page to the model and give its answer as received; raises `MindFailure`."""
        litellm = await load_litellm()
        self._check_provider(litellm)
        if self._render is None:
            from thinkagent.turns.render import render_messages

            self._render = render_messages
        body = self._request.body(self._render(page))
        draft, watcher = Draft(), _Watcher(on_delta)
        cost: Decimal | None = None
        try:
            async with deadline(self._total_s, self._idle_s if self._request.stream else None) as limit:
                cost = await self._run(litellm, self._arguments(body), draft, limit, watcher)
        except DeadlinePassed as passed:
            if draft.finish_reason is None:
                raise self._failure(MindFailure("timeout", f"did not answer: {passed}", usage=draft.usage)) from None
        except MindFailure as failure:
            raise self._failure(failure) from None
        except Exception as error:  # litellm raises whatever its providers' code raises
            if error is watcher.error:
                raise
            if draft.finish_reason is None or (draft.is_empty and draft.finish_reason == "stop"):
                raise self._understood(error, litellm, draft) from None
        self._request.ladder.held()
        return self._finished(draft, cost)

    async def aclose(self) -> None:
        """Close the connections that are this mind's own; litellm keeps those of its providers."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    def _arguments(self, body: dict[str, Any]) -> dict[str, Any]:
        arguments = body | {
            # Its own is per read and no promise; it comes after ours and only ends what we left.
            "timeout": self._total_s + 5,
            "max_retries": 0,
            "num_retries": 0,
        }
        if self._endpoint is not None:
            arguments["api_base"] = self._endpoint.base
            arguments["api_key"] = self._key or _NO_KEY
            if self._endpoint.is_loopback:
                _bypass_proxies(self._endpoint.host)
        elif self._key is not None:
            arguments["api_key"] = self._key
        if self._provider == "openai" and self._endpoint is not None:
            arguments["client"] = self._own_client(self._endpoint)
        return arguments

    def _own_client(self, endpoint: Endpoint) -> Any:
        """A client that follows no redirect, since the prompt would go along, and no proxy on this machine."""
        import openai

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            try:
                http = openai.DefaultAsyncHttpxClient(
                    verify=endpoint.is_secure,
                    trust_env=not endpoint.is_loopback,
                    follow_redirects=False,
                )
            except (ValueError, ImportError, OSError, TypeError) as error:
                what = f"cannot be connected to: {type(error).__name__} while reading the proxy and TLS settings"
                raise MindFailure("unavailable", what) from error
            key = self._key or _NO_KEY
            self._loop = loop
            self._client = openai.AsyncOpenAI(api_key=key, base_url=endpoint.base, http_client=http, max_retries=0)
        return self._client

    async def _run(
        self,
        litellm: Any,
        arguments: dict[str, Any],
        draft: Draft,
        limit: Deadline,
        watcher: _Watcher,
    ) -> Decimal | None:
        answer = await litellm.acompletion(**arguments)
        cost: Decimal | None = None
        if not self._request.stream:
            value = _plain(answer)
            _take(draft, value, watcher)
            if not draft.seen:
                raise MindFailure("malformed", "answered without any choice", retryable=True, usage=draft.usage)
            watcher(draft.finish())
            return _decimal((getattr(answer, "_hidden_params", None) or {}).get("response_cost"))
        async with aclosing(answer):
            async for chunk in answer:
                value = _plain(chunk)
                _take(draft, value, watcher)
                usage = value.get("usage")
                cost = _decimal(usage.get("cost")) if isinstance(usage, dict) else cost
                if draft.grew:
                    limit.touch()
        watcher(draft.finish())
        if draft.is_empty and draft.finish_reason in (None, "stop"):
            # A page of HTML, plain JSON and an empty stream all come as one empty piece.
            raise MindFailure("malformed", "sent a stream without any content", retryable=True, usage=draft.usage)
        return cost

    def _finished(self, draft: Draft, cost: Decimal | None) -> Reply:
        reply = draft.reply(self._model)
        usage = replace(
            reply.usage,
            # Zeros of the details are litellm's own filling.
            reasoning_tokens=reply.usage.reasoning_tokens or None,
            cached_tokens=reply.usage.cached_tokens or None,
        )
        # Prices go by the model's name, whoever serves it, and are guesses without the server's own count.
        is_theirs = self._endpoint is None or self._endpoint.base == DEFAULT_BASE
        is_known = usage.input_tokens is not None and is_theirs
        return replace(reply, usage=usage, cost_usd=cost if is_known else None)

    def _understood(self, error: Exception, litellm: Any, draft: Draft) -> MindFailure:
        trouble = explain(error, litellm, streaming=draft.seen)
        words = redact(trouble.error.message, self._key) if trouble.error else ""
        said = trouble.what + (f": {words}" if words else "")
        if trouble.error is not None and (note := self._request.learn(trouble.error)):
            status = trouble.error.status
            failure = MindFailure("unsupported", f"{said} ({note})", retryable=True, retry_after_s=0.0, status=status)
        else:
            failure = MindFailure(
                trouble.kind,
                said,
                retryable=trouble.retryable,
                retry_after_s=trouble.wait_s,
                status=trouble.error.status if trouble.error else None,
                usage=draft.usage,
            )
        return self._failure(failure)

    def _failure(self, failure: MindFailure) -> MindFailure:
        where = f" at {self._endpoint.shown}" if self._endpoint is not None else ""
        return MindFailure(
            failure.kind,
            f"the model {self._model!r}{where} {failure.message}",
            retryable=failure.retryable,
            retry_after_s=failure.retry_after_s,
            status=failure.status,
            usage=failure.usage,
        )

    def _check_provider(self, litellm: Any) -> None:
        known = sorted(str(getattr(provider, "value", provider)) for provider in litellm.provider_list)
        if self._provider in known:
            return
        alike = nearest(self._provider, known)
        hint = f"did you mean {list_names(alike)}?" if alike else "write provider/NAME with one of its providers"
        raise MindFailure("bad_request", f"litellm knows no provider {self._provider!r}; {hint}")


def _take(draft: Draft, value: dict[str, Any], watcher: _Watcher) -> None:
    try:
        delta = draft.add(value)
    except NotACompletion as error:
        raise MindFailure("malformed", f"answered {error}", usage=draft.usage) from None
    watcher(delta)


def _plain(answer: Any) -> dict[str, Any]:
    value = answer.model_dump(exclude_none=True, warnings=False)
    return value if isinstance(value, dict) else {}


def _decimal(cost: object) -> Decimal | None:
    return Decimal(str(cost)) if isinstance(cost, int | float) and cost > 0 else None


def _native(value: Any) -> Any:
    """Settings as litellm can write them: its JSON knows no Decimal."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {name: _native(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_native(item) for item in value]
    return value


def _bypass_proxies(host: str) -> None:
    """Name this machine in NO_PROXY: else a proxy gets the prompt and the key."""
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [item for item in os.environ.get(name, "").split(",") if item.strip()]
        if host not in hosts and "*" not in hosts:
            os.environ[name] = ",".join([*hosts, host])


class _Watcher:
    """Pass deltas on, and remember an exception of who watches: it is no failure of the model."""

    def __init__(self, on_delta: Callable[[Delta], None] | None) -> None:
        self.error: Exception | None = None
        self._on_delta = on_delta

    def __call__(self, delta: Delta) -> None:
        if self._on_delta is None or not (delta.text or delta.reasoning):
            return
        try:
            self._on_delta(delta)
        except Exception as error:
            self.error = error
            raise
