"""What a model server's refusal means: its error read, its kind found, its text made safe to show."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import quote

from thinkagent.minds.base import FailureKind
from thinkagent.values import JsonError, clip, read_json, visible, write_json

__all__ = ["ServerError", "classify", "error_in", "read_error", "redact", "retry_after"]

_SHOWN = 300
"""Characters of a server's own words that a message repeats."""

_CONTEXT = re.compile(
    r"context[ _]?(length|window|size)|maximum context|too many (input |prompt )?tokens|reduce the length"
    r"|(prompt|input|request|messages?) (is |are |was |were )?too (long|large)|exceed\w*\b.{0,40}\bcontext",
    re.IGNORECASE | re.DOTALL,
)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerError:
    """An error as the server told it; `status` is None where it came inside a 200."""

    status: int | None
    message: str = ""
    param: str = ""
    code: str = ""
    """Its `code` and `type`, joined by a blank."""

    @property
    def text(self) -> str:
        """All its words, to look for names in."""
        return f"{self.message} {self.param} {self.code}"


def read_error(status: int, body: str) -> ServerError:
    """Read the body of an answer that is no success; any shape of body is an error with words."""
    try:
        value = read_json(body)
    except JsonError:
        return ServerError(status, body.strip())
    return error_in(value, status) or ServerError(status, body.strip())


def error_in(value: object, status: int | None = None) -> ServerError | None:
    """Find the error object in a decoded answer or stream chunk; None where it holds none.

    Knows `{"error": {…}}`, `{"error": "text"}`, a list of one, and, where `status` says that it is an error,
    `{"message"}` and `{"detail"}` at the top.
    """
    if isinstance(value, list) and value:
        return error_in(value[0], status)
    if not isinstance(value, dict):
        return None
    error = value.get("error")
    if error is None or error is False:
        if status is None or not ("message" in value or "detail" in value):
            return None
        error = value
    if not isinstance(error, dict):
        return ServerError(status, _words(error))
    return ServerError(
        status if status is not None else _status_in(error),
        _words(error.get("message") or error.get("detail") or error),
        _words(error.get("param") or ""),
        " ".join(filter(None, (_words(error.get("code") or ""), _words(error.get("type") or "")))),
    )


def _words(value: object) -> str:
    return value if isinstance(value, str) else write_json(value)


def _status_in(error: dict[str, object]) -> int | None:
    for key in ("code", "status", "status_code"):
        value = error.get(key)
        if isinstance(value, int) and 400 <= value <= 599:
            return value
    return None


def classify(error: ServerError) -> tuple[FailureKind, bool]:
    """Say what an error is and whether the same request may succeed later."""
    status = error.status
    if status not in (401, 403) and _CONTEXT.search(error.text):
        return "context_length", False
    if status is None:
        status = _status_of_words(error.text)
    match status:
        case 401 | 403:
            return "auth", False
        case 404:
            return "not_found", False
        case 408:
            return "timeout", True
        case 413:
            return "context_length", False
        case 429:
            return "rate_limited", not _QUOTA.search(error.text)
        case 425:
            return "unavailable", True
        case _ if status >= 500:
            return "unavailable", True
    return "bad_request", False


_STATUS_WORDS = (
    (429, re.compile(r"rate.?limit|too many requests|insufficient_quota", re.IGNORECASE)),
    (401, re.compile(r"invalid_api_key|authentication|unauthorized", re.IGNORECASE)),
    (404, re.compile(r"model_not_found", re.IGNORECASE)),
    (400, re.compile(r"invalid_request|bad_request|invalid_prompt", re.IGNORECASE)),
)


def _status_of_words(text: str) -> int:
    return next((status for status, words in _STATUS_WORDS if words.search(text)), 500)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Read how long the server asks to wait, in seconds (RFC 9110, section 10.2.3); None where it says nothing usable.

    `headers` has lower-case names. A date counts from the server's own `Date`, else from `now` (a POSIX time).
    """
    millis = _seconds(headers.get("retry-after-ms", ""))
    if millis is not None:
        return millis / 1000
    text = headers.get("retry-after", "")
    seconds = _seconds(text)
    if seconds is not None:
        return seconds
    until = _posix(text)
    if until is None:
        return None
    since = _posix(headers.get("date", ""))
    if since is None:
        since = time.time() if now is None else now
    return max(0.0, until - since)


def _seconds(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*", text) else None


def _posix(text: str) -> float | None:
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def redact(text: str, secret: str | None) -> str:
    """Make foreign words safe to show: the key out in every spelling, controls visible, cut to a readable length."""
    if secret and len(secret) >= 8:
        raw = secret.encode("utf-8", "surrogatepass")
        spellings = {
            secret,
            quote(secret, safe=""),
            quote(secret),
            base64.b64encode(raw).decode(),
            base64.b64encode(raw).decode().rstrip("="),
            base64.urlsafe_b64encode(raw).decode().rstrip("="),
            raw.hex(),
            write_json(secret)[1:-1],
        }
        for spelling in sorted(spellings, key=len, reverse=True):
            text = text.replace(spelling, "***")
    return clip(visible(text, newlines=False).strip(), _SHOWN)
