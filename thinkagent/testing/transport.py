"""A transport that answers from a log: a new mind, or your own code, against a recorded API."""

from __future__ import annotations

from collections import defaultdict, deque
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from thinkagent import events as ev
from thinkagent.engine.wire.servers import origin
from thinkagent.errors import ReplayMismatch
from thinkagent.journal import Log, Vault, read_log
from thinkagent.run.recorded import response_of
from thinkagent.values import JsonError, digest, read_json, write_json

__all__ = ["RecordedTransport"]


class RecordedTransport(httpx.AsyncBaseTransport):
    """Answer each request as a recorded run was answered; no connection is ever opened.

    Requests are compared by meaning: method, path, query as pairs, JSON body by value. Host and port count only where
    the run had several documents, headers never. The n-th equal request gets the n-th recorded answer. `unused` names
    the answers nobody asked for.

    Raises:
        ReplayMismatch: (from a request) nothing like it is in the log, or it came more often than recorded.
    """

    def __init__(self, log: Log | Path | str) -> None:
        found = log if isinstance(log, Log) else read_log(Path(log))
        salt = digest(found.run_id)[7:15]
        self._vault = Vault(stand_in=lambda name: f"stand-in.{salt}.{name}")
        self._answers: dict[str, deque[ev.CallAnswered | ev.CallFailed]] = defaultdict(deque)
        intended: dict[ev.CallId, str] = {}
        documents = sum(isinstance(record.event, ev.DocumentUsed) for record in found.records)
        self._by_host = documents > 1
        for record in found.records:
            event = record.event
            if isinstance(event, ev.CallIntended) and event.request:
                request = event.request
                body = None if request.get("body") is None else self._vault.open(request["body"])
                intended[event.call] = self._key(str(request["method"]), self._vault.open(request["url"]), body)
            elif isinstance(event, ev.CallAnswered | ev.CallFailed) and event.call in intended:
                self._answers[intended[event.call]].append(event)
        self._counts = {key: len(answers) for key, answers in self._answers.items()}

    @property
    def unused(self) -> list[str]:
        """The recorded requests that were not asked for, one entry for each answer left."""
        return [key for key, answers in self._answers.items() for _ in answers]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = (await request.aread()).decode("utf-8", "replace")
        key = self._key(request.method, str(request.url), body or None)
        answers = self._answers.get(key)
        if not answers:
            raise self._miss(key)
        return response_of(answers.popleft(), self._vault)

    def _key(self, method: str, url: str, body: str | None) -> str:
        return _key(method, url, body, origin(url) if self._by_host else "")

    def _miss(self, key: str) -> ReplayMismatch:
        if key in self._counts:
            times = self._counts[key]
            message = f"{key} was recorded {times} time{'s' if times != 1 else ''} and is asked for once more"
            return ReplayMismatch(message, code="not_recorded")
        near = get_close_matches(key, self._counts, n=1, cutoff=0.0)
        return ReplayMismatch(
            f"{key} is not in the log",
            code="not_recorded",
            where=f"nearest recorded request: {near[0]}" if near else "it holds no request",
        )


def _key(method: str, url: str, body: str | None, host: str) -> str:
    parts = urlsplit(url)
    query = "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True)))
    text = f"{method} {host}{parts.path}" + (f"?{query}" if query else "")
    if body is None:
        return text
    try:
        return f"{text} {write_json(_by_value(read_json(body)), sort=True)}"
    except JsonError:
        return f"{text} {body}"


def _by_value(value: Any) -> Any:
    """Spell every number alike: `1`, `1.0` and `1e0` mean the same."""
    if isinstance(value, dict):
        return {key: _by_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_by_value(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.adjusted() < 400 else value.normalize()
    return value
