"""May a call be tried again? Only where it is known to do no harm."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from thinkagent.tools.model import Effect

__all__ = ["retry_after_s", "wait_after_answer", "wait_after_failure"]

_RETRIED = frozenset({408, 429, 502, 503, 504})
_FIRST_S = 0.5
MAX_WAIT_S = 60
"""A service that asks for more than this is not waited for."""


def wait_after_answer(status: int, asked_s: float | None, effect: Effect, attempt: int, attempts: int) -> float | None:
    """Seconds before the next attempt after an answer; None where there is to be none.

    A read is repeated on 408, 429, 502, 503 and 504; a write only on 429, which says that nothing was done
    (RFC 6585, section 4).
    """
    if status not in _RETRIED or attempt >= attempts or (effect != "read" and status != 429):
        return None
    wait = _backoff(attempt) if asked_s is None else asked_s
    return wait if wait <= MAX_WAIT_S else None


def wait_after_failure(never_sent: bool, effect: Effect, attempt: int, attempts: int) -> float | None:
    """Seconds before the next attempt after no answer came; a write is repeated only when it proves unsent."""
    if attempt >= attempts or not (never_sent or effect == "read"):
        return None
    return _backoff(attempt)


def _backoff(attempt: int) -> float:
    return _FIRST_S * float(2 ** (attempt - 1))


def retry_after_s(value: str | None, date: str | None) -> float | None:
    """Read a Retry-After field (RFC 9110, section 10.2.3): seconds, or a date measured against the answer's own."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value.strip())
    try:
        until = parsedate_to_datetime(value)
        since = parsedate_to_datetime(date) if date else None
        return None if since is None else max(0.0, (until - since).total_seconds())
    except (TypeError, ValueError):
        return None
