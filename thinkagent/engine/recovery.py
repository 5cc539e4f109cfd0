"""What to do after an error answer, by its status (RFC 9110, section 15) and by what the document says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkagent.tools.model import Effect, ErrorMeaning
from thinkagent.values import clip, visible

__all__ = ["hint_for_status", "meaning_of"]

_HINTS: Mapping[int, str] = {
    400: "Put right the arguments that the message speaks of and call again",
    401: "It needs a login that this run lacks or has lost. Log in first if a tool does so; else finish and say so",
    402: "Payment is required. Finish and say so",
    403: "This login may not do it. Do not repeat it; finish and say so, or find another way",
    404: "Nothing is at this address. Check the ids in the arguments: list or search first, then use what is there",
    405: "This method is not offered here. Choose another tool",
    406: "It cannot answer in the form that was asked for. Choose another tool",
    408: "The server waited too long for the request. It may be sent once more",
    409: "It conflicts with what is there now. Read the present state, then decide; it may be done already",
    410: "It is gone for good. Go on without it",
    411: "The server wants a length. Choose another tool",
    412: "It has changed since it was read. Read it again, then decide",
    413: "The body is too large. Send less",
    414: "The address is too long. Send less in the query",
    415: "The server does not take this kind of body. Choose another tool or another content type",
    422: "Put right the arguments that the message speaks of and call again",
    423: "It is locked. Wait, then read it again",
    424: "A step that it depends on failed. Look at that one first",
    428: "It wants a condition such as If-Match. Read it first, then send its ETag",
    429: "Too many calls. Wait before the next one",
    431: "The headers are too large. Send less",
    451: "It is withheld for legal reasons. Finish and say so",
    501: "The server does not offer this. Choose another tool",
}


def meaning_of(status: int, errors: Sequence[ErrorMeaning]) -> ErrorMeaning | None:
    """Find what the document says of a status: exactly, by its class (`4XX`), or as `default`."""
    for wanted in (str(status), f"{status // 100}XX", "default"):
        for error in errors:
            if error.status.upper() == wanted.upper():
                return error
    return None


def hint_for_status(
    status: int,
    *,
    effect: Effect = "read",
    headers: Mapping[str, str] | None = None,
    meaning: ErrorMeaning | None = None,
) -> str:
    """Say which next step is safe after an error answer; headers that tell it (RFC 9110: Allow, Retry-After) count."""
    told = {name.casefold(): visible(clip(value, 120), newlines=False) for name, value in (headers or {}).items()}
    hint = _hint(status, effect, told)
    # An advice for a class of errors must not hide what the status itself means for a write.
    if meaning is not None and meaning.advice and meaning.status.isdecimal() and status < 500:
        return meaning.advice
    return hint


def _hint(status: int, effect: Effect, headers: Mapping[str, str]) -> str:
    wait = f" (Retry-After: {headers['retry-after']})" if "retry-after" in headers else ""
    if status == 405 and "allow" in headers:
        return f"{_HINTS[405]}; here is offered: {headers['allow']}"
    if status == 408 and effect != "read":
        return _LOOK_FIRST
    if status in _HINTS:
        return _HINTS[status] + wait
    if status < 200:
        return "That is no final answer. It may be sent once more" if effect == "read" else _LOOK_FIRST
    if status < 400:
        place = f" to {headers['location']}" if "location" in headers else ""
        if effect == "read":
            return f"It points elsewhere{place}, which was not followed. Choose a tool that reads it there"
        return f"It points elsewhere{place}, which was not followed. {_LOOK_FIRST}"
    if status < 500:
        return "The request was not accepted. Look at the message and change the call"
    if effect == "read":
        return f"The server failed. It may be asked once more{wait}; if it fails again, finish and say so"
    return _LOOK_FIRST + wait


_LOOK_FIRST = "It may have happened all the same. Do not repeat it; read first whether it did"
