"""What an exception of litellm means: told by its class and by what caused it, since its status may be made up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from thinkagent.minds.base import FailureKind
from thinkagent.minds.failures import ServerError, classify, error_in, retry_after

__all__ = ["Trouble", "explain"]

_PREFIX = re.compile(r"^\s*((litellm\.)?[A-Za-z]*(Error|Exception|Timeout)( Error)?\s*(:|-)\s*)+")
_CHAIN_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Trouble:
    """An exception, understood. `error` is what the server told, where it told anything."""

    kind: FailureKind
    retryable: bool
    what: str
    """What the server did, in the words of a message: `answered 429`."""
    error: ServerError | None = None
    wait_s: float | None = None


def explain(error: Exception, litellm: Any, *, streaming: bool) -> Trouble:
    """Find the kind of an exception; `streaming` says that the answer had begun."""
    import openai

    chain = list(_chain(error))
    broken = isinstance(error, litellm.exceptions.MidStreamFallbackError) or streaming
    if broken:
        told = next((told for link in chain if (told := _told_in_stream(link, openai)) is not None), None)
        if told is not None:
            kind, retryable = classify(told)
            return Trouble(kind, retryable, f"answered {told.status or 'an error'}", told)
        return Trouble("malformed", True, "cut its answer off in the middle, or sent a broken piece of it")
    if any(_is_lost(link, openai) for link in chain):
        return Trouble("unavailable", True, "cannot be reached, or closed the connection without an answer")
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) and 300 <= status <= 599 else 500
    if status == 500 and not any(_is_answer(link, openai) for link in chain):
        return Trouble("malformed", False, "answered with what is no completion")
    if status < 400:
        return Trouble(
            "bad_request", False, f"answered {status}, a redirect, which is not followed: pass the right base"
        )
    told = _told(error, status)
    if isinstance(error, litellm.exceptions.ContextWindowExceededError):
        return Trouble("context_length", False, f"answered {status}", told)
    kind, retryable = classify(told)
    return Trouble(kind, retryable, f"answered {status}", told, retry_after(_headers(error)))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and all that led to it, nearest first."""
    waiting = [error]
    seen: set[int] = set()
    while waiting and len(seen) < _CHAIN_LENGTH:
        link = waiting.pop(0)
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            yield link
            waiting += [getattr(link, "original_exception", None), link.__cause__, link.__context__]


def _told_in_stream(link: BaseException, openai: Any) -> ServerError | None:
    """The error object that a stream held; openai's client raises its plainest class for it."""
    body = getattr(link, "body", None)
    return error_in({"error": body}) if type(link) is openai.APIError and isinstance(body, dict) else None


def _is_lost(link: BaseException, openai: Any) -> bool:
    # litellm has a class of this name for many things; only the client's own tells of a connection.
    return type(link) in (openai.APIConnectionError, openai.APITimeoutError) or _is_a(link, "TransportError")


def _is_answer(link: BaseException, openai: Any) -> bool:
    """Tell whether a server truly answered with an error status."""
    if _is_a(link, "HTTPStatusError"):
        return True
    return isinstance(link, openai.APIStatusError) and type(link).__module__.partition(".")[0] == "openai"


def _is_a(link: BaseException, name: str) -> bool:
    """Look for a class of httpx by name: there are two packages of it, and providers use either."""
    packages = ("httpx", "httpx2")
    return any(base.__name__ == name and base.__module__.partition(".")[0] in packages for base in type(link).__mro__)


def _told(error: Exception, status: int) -> ServerError:
    body = getattr(error, "body", None)
    if isinstance(body, dict) and (told := error_in({"error": body}, status)) is not None:
        return told
    text = _PREFIX.sub("", str(getattr(error, "message", "") or error))
    return ServerError(status, text.partition("Traceback (most recent call last)")[0].strip())


def _headers(error: Exception) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    told = getattr(error, "litellm_response_headers", None)
    found: dict[str, str] = {}
    for source in (headers, told):
        if isinstance(source, Mapping):
            found |= {str(name).lower(): str(value) for name, value in source.items()}
    return found
