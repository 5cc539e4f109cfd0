"""What an API's error body says, and which argument it speaks of.

Read are problem details (RFC 9457), lists of faults with a place (`{"detail": [{"loc", "msg"}]}`), maps from a field
to its faults, JSON:API's `source.pointer`, `{"error": {"message"}}` and its many cousins, plain text and the title of
an HTML page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

from thinkagent.engine.scope import MISSING, Missing
from thinkagent.values import Json, clip, parse_pointer, visible

__all__ = ["Problem", "read_problem"]

MESSAGE_LENGTH = 400
FAULTS_SHOWN = 5

_MESSAGE_KEYS = (
    "detail", "message", "error_description", "description", "msg", "error_message", "errorMessage", "reason",
    "faultstring", "error", "title", "text", "summary",
)  # fmt: skip
_FAULT_LIST_KEYS = (
    "detail", "errors", "details", "invalid-params", "invalid_params", "violations", "validation_errors", "fields",
    "error", "issues",
)  # fmt: skip
_PLACE_KEYS = ("loc", "name", "field", "param", "parameter", "propertyPath", "property", "path", "pointer", "target")
_LOCATIONS = frozenset({"body", "query", "path", "header", "cookie", "querystring", "params", "form"})


@dataclass(frozen=True, slots=True)
class Problem:
    """An error body, read."""

    message: str
    """One line, safe to show; empty where the body says nothing."""
    speaks_of: tuple[str, ...] = ()
    """Names of arguments or fields, as `qty` or `body.lines.0.qty`."""


class _Fault(NamedTuple):
    place: str
    message: str


def read_problem(value: Json | Missing, text: str | None = None) -> Problem:
    """Read an error body: decoded JSON in `value`, or else its `text`."""
    if isinstance(value, dict | list) and value:
        faults = _faults(value)
        head = _head(value) if isinstance(value, dict) else ""
        told = [f"{place}: {message}" if place and message else message for place, message in faults]
        shown = [line for line in dict.fromkeys(told) if line and line != head]
        if len(shown) > FAULTS_SHOWN:
            shown = [*shown[:FAULTS_SHOWN], f"{len(shown) - FAULTS_SHOWN} more"]
        places = dict.fromkeys(fault.place for fault in faults if fault.place)
        return Problem(_line("; ".join([head, *shown] if head else shown)), tuple(map(_line, places)))
    if isinstance(value, str):
        return Problem(_line(value))
    if value is not MISSING and value not in (None, {}, []):
        return Problem(_line(str(value)))
    return Problem(_line(_page_title(text))) if text else Problem("")


def _line(text: str) -> str:
    return clip(" ".join(visible(text[: 4 * MESSAGE_LENGTH], newlines=False).split()), MESSAGE_LENGTH)


def _head(body: Mapping[str, Json], depth: int = 3) -> str:
    """Find the sentence that tells the problem as a whole; the more telling key comes first."""
    for key in _MESSAGE_KEYS:
        found = body.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    for key in ("error", "fault", "errors", "detail", "message", "Error", "response"):
        inner = body.get(key)
        if isinstance(inner, dict) and depth and (found := _head(inner, depth - 1)):
            return found
    return ""


def _faults(body: Json, depth: int = 3) -> list[_Fault]:
    if isinstance(body, list):
        return [fault for item in body[:100] for fault in _one_fault(item)]
    if not isinstance(body, dict) or not depth:
        return []
    for key in _FAULT_LIST_KEYS:
        found = body.get(key)
        if isinstance(found, list) and (faults := _faults(found)):
            return faults
        if isinstance(found, dict):
            faults = _by_field(found) or _faults(found, depth - 1)
            if faults:
                return faults
    own = _place(body)
    if own and _head(body):
        return [_Fault(own, "")]
    inner = body.get("error")
    if isinstance(inner, dict) and (place := _place(inner)):
        return [_Fault(place, "")]
    return _by_field(body)


def _one_fault(item: Json) -> list[_Fault]:
    if isinstance(item, str):
        return [_Fault("", item)]
    if not isinstance(item, dict):
        return []
    return [_Fault(_place(item), _head(item))]


def _by_field(body: Mapping[str, Json]) -> list[_Fault]:
    """Read `{"qty": ["must be at least 1"]}`; lists of texts under every key that has a list."""
    faults: list[_Fault] = []
    for key, messages in list(body.items())[:100]:
        if isinstance(messages, list) and messages and all(isinstance(message, str) for message in messages):
            place = "" if key in ("non_field_errors", "__all__", "") else key
            faults += [_Fault(place, message) for message in messages]
    return faults


def _place(fault: Mapping[str, Json]) -> str:
    source = fault.get("source")
    if isinstance(source, dict):
        return _place(source)
    location = fault.get("in") or fault.get("location")
    for key in _PLACE_KEYS:
        found = fault.get(key)
        if isinstance(found, list) and all(isinstance(part, str | int) for part in found):
            return ".".join(map(str, _without_location(found)))
        if isinstance(found, str) and found:
            return _path(found)
    return _path(location) if isinstance(location, str) and location not in _LOCATIONS else ""


def _without_location(parts: Sequence[str | int]) -> Sequence[str | int]:
    if len(parts) > 1 and isinstance(parts[0], str) and parts[0] in _LOCATIONS - {"body"}:
        return parts[1:]
    return parts


def _path(written: str) -> str:
    """Write `/data/qty`, `$.qty` or `#/qty` as `data.qty`, `qty`, `qty`."""
    pointer = written.removeprefix("#")
    if pointer.startswith("/"):
        return ".".join(parse_pointer(pointer))
    return written.removeprefix("$.")


_TITLE = re.compile(r"<title[^>]*>(.*?)</title>|<h1[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]+>", re.IGNORECASE | re.DOTALL)


def _page_title(text: str) -> str:
    """Take the title of an HTML page, the text itself of anything else."""
    head = text[:20_000]
    if not re.search(r"<(?:!doctype|html|head|body|title|h1)\b", head[:2000], re.IGNORECASE):
        return head
    titles = [unescape(_TAG.sub(" ", first or second)).strip() for first, second in _TITLE.findall(head)]
    found = "; ".join(dict.fromkeys(title for title in titles if title))
    return found or unescape(_TAG.sub(" ", head))
