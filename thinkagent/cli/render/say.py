"""Words for figures and values: times, tokens, costs, arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from thinkagent.events import DocumentUsed
from thinkagent.values import clip, visible, write_json

__all__ = [
    "arguments_text",
    "count",
    "document_text",
    "duration",
    "one_line",
    "size",
    "target",
    "usage_text",
    "value_text",
]

VALUE_LENGTH = 80
LINE_LENGTH = 400


def count(number: int, noun: str) -> str:
    """Write a number with its noun: `1 turn`, `3 turns`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(microseconds: int) -> str:
    """Write a time as people do: `12 ms`, `3.4 s`, `2 min 5 s`."""
    if microseconds < 999_500:
        return f"{max(1, round(microseconds / 1000))} ms"
    seconds = microseconds / 1_000_000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def size(count_bytes: int) -> str:
    """Write a number of bytes: `312 B`, `4.1 kB`, `2.0 MB`."""
    if count_bytes < 1000:
        return f"{count_bytes} B"
    if count_bytes < 999_950:
        return f"{count_bytes / 1000:.1f} kB"
    return f"{count_bytes / 1_000_000:.1f} MB"


def one_line(text: object, length: int = LINE_LENGTH) -> str:
    """Make a text safe, put it on one line and cut it."""
    return clip(visible(str(text), newlines=False).strip(), length)


def value_text(value: Any, length: int = VALUE_LENGTH) -> str:
    """Write a value as JSON on one line; a text that is one reference stands without quotes."""
    if isinstance(value, str) and value.startswith("<<") and value.endswith(">>") and value.count("<<") == 1:
        return one_line(value, length)
    return one_line(write_json(value), length)


def arguments_text(arguments: Mapping[str, Any]) -> str:
    """Write a call's arguments: `name="Alice Chen"  body.code="WELCOME10"`."""
    return "  ".join(f"{name}={value_text(value)}" for name, value in _named(arguments))


def _named(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in arguments.items():
        if name == "body" and isinstance(value, Mapping) and 0 < len(value) <= 6:
            yield from ((f"body.{field}", item) for field, item in value.items())
        else:
            yield name, value


def target(request: Mapping[str, Any], base_url: str) -> str:
    """Write a request's target as people read it: path and query, with the host where it is not the run's own."""
    url = visible(str(request.get("url", "")), newlines=False)
    base = base_url.rstrip("/")
    if base and (url == base or url.startswith((base + "/", base + "?"))):
        return url[len(base) :] or "/"
    return url


def document_text(document: DocumentUsed, *, with_address: bool) -> str:
    """Write what a run stands on: `shop (OpenAPI 3.1.0)`; of several documents by name, with the address of each."""
    text = f"{document.name or one_line(document.title, 80) or 'untitled'} (OpenAPI {one_line(document.version, 20)})"
    return f"{text} {one_line(document.base_url, 200)}" if document.name and with_address else text


def usage_text(usage: Mapping[str, Any], mind: str) -> str:
    """Say what the model was used for and what it cost; what is not known is said to be unknown, never 0."""
    if mind == "offline":
        return "no model"
    if not usage.get("replies") and not usage.get("failed_replies"):
        return "no reply of the model"
    spent_in, spent_out = usage.get("input_tokens"), usage.get("output_tokens")
    if spent_in is None and spent_out is None:
        told = "tokens unknown"
    else:
        told = f"{_figure(spent_in)} tokens in, {_figure(spent_out)} out"
        if usage.get("unknown_usage"):
            told = f"at least {told}"
    cost = usage.get("cost_usd")
    return f"{told}, {'cost unknown' if cost is None else f'${Decimal(cost):f}'}"


def _figure(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"
