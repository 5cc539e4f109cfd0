"""The shape of a value: a small schema with true counts, bounded whatever the value holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import NoneType
from typing import Any

from thinkagent.values import Json, Secret, SecretText, join_pointer

__all__ = ["find_items", "has_lists", "shape"]

MAX_PROPERTIES = 40
MAX_DEPTH = 6
MAX_KEY_LENGTH = 120
SAMPLE = 50
"""Elements looked at from the beginning and from the end of a list; all of a list of up to twice as many."""


def shape(value: Json) -> dict[str, Any]:
    """Describe a value: `{"type": "array", "count": 34, "items": {"type": "object", "properties": {…}}}`.

    `count` is always the list's true length. The elements of a list are described together: types that differ stand
    in a list, keys that only some have are named in `optional`, and a list inside them has `count` as
    [least, most], where all were looked at. Of an object at most 40 keys are shown and `property_count` tells how
    many there are; below six levels only the type is told.
    """
    return _merge([value], MAX_DEPTH, True, single=True)


def _merge(values: list[Json], depth: int, complete: bool, *, single: bool = False) -> dict[str, Any]:
    """Describe several values as one; `complete` tells that none was left out."""
    types = list(dict.fromkeys([_TYPES.get(type(value)) or _type(value) for value in values]))
    if "number" in types and "integer" in types:
        types.remove("integer")
    found: dict[str, Any] = {}
    if types:
        found["type"] = types[0] if len(types) == 1 else types
    if "object" in types:
        found |= _properties([value for value in values if isinstance(value, dict)], depth, complete)
    if "array" in types:
        found |= _items([value for value in values if isinstance(value, list | tuple)], depth, complete, single)
    return found


_TYPES = {
    NoneType: "null",
    bool: "boolean",
    dict: "object",
    list: "array",
    tuple: "array",
    str: "string",
    int: "integer",
    Decimal: "number",
}


def _type(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list | tuple):
        return "array"
    if isinstance(value, str | Secret | SecretText):
        return "string"
    return "integer" if isinstance(value, int) else "number"


def _properties(objects: list[dict[str, Json]], depth: int, complete: bool) -> dict[str, Any]:
    keys = dict.fromkeys(key for item in objects for key in _first_keys(item))
    shown = [key for key in keys if len(key) <= MAX_KEY_LENGTH][:MAX_PROPERTIES] if depth else []
    found: dict[str, Any] = {}
    if shown or not keys:
        found["properties"] = {
            key: _merge([item[key] for item in objects if key in item], depth - 1, complete) for key in shown
        }
    optional = [key for key in shown if any(key not in item for item in objects)]
    if optional:
        found["optional"] = optional
    if len(shown) < len(keys) or any(len(item) > len(shown) for item in objects):
        found["property_count"] = max(map(len, objects))
    return found


def _first_keys(item: Mapping[str, Json]) -> Iterable[str]:
    for number, key in enumerate(item):
        if number > 2 * MAX_PROPERTIES:
            return
        yield key


def _items(lists: list[Any], depth: int, complete: bool, single: bool) -> dict[str, Any]:
    counts = [len(item) for item in lists]
    found: dict[str, Any] = {}
    if single:
        found["count"] = counts[0]
    elif complete:
        found["count"] = [min(counts), max(counts)] if min(counts) != max(counts) else counts[0]
    sampled = [item for elements in lists for item in _sample(elements)]
    kept = sampled if len(sampled) <= 4 * SAMPLE else [*sampled[: 2 * SAMPLE], *sampled[-2 * SAMPLE :]]
    if depth and kept:
        found["items"] = _merge(kept, depth - 1, complete and len(kept) == sum(counts))
    return found


def _sample(elements: list[Json]) -> list[Json]:
    return elements if len(elements) <= 2 * SAMPLE else [*elements[:SAMPLE], *elements[-SAMPLE:]]


_LIST_NAMES = (
    "items", "data", "results", "result", "value", "values", "records", "rows", "entries", "elements", "hits",
    "content", "list", "objects", "resources", "members", "docs", "documents",
)  # fmt: skip
_ENVELOPE_NAMES = frozenset(
    {
        "total", "count", "size", "length", "page", "pages", "pagesize", "perpage", "pagenumber", "limit", "offset",
        "next", "previous", "prev", "first", "last", "cursor", "nextcursor", "nextpage", "nextpagetoken", "hasmore",
        "more", "links", "meta", "metadata", "paging", "pagination", "status", "success", "ok", "code", "message",
        "kind", "etag", "object", "type", "self", "url", "href", "totalcount", "totalitems", "totalpages",
        "totalresults", "took", "timedout", "query", "apiversion", "version", "warnings", "errors", "error", "facets",
        "nextlink", "context", "included", "start", "end", "from", "to", "skip", "top", "incompleteresults",
        "requestid", "currentpage",
    }
)  # fmt: skip
_ENTITY_NAMES = frozenset({"id", "uuid", "guid", "_id"})


def find_items(value: Json) -> tuple[str, list[Json]] | None:
    """Find the list that a list answer carries, and its JSON Pointer.

    The body itself where it is a list; else the list under a usual name (`items`, `data`, `results` …), looked for one
    level deeper under `data`, `result` and `_embedded` as well; else the only list beside words of paging, or the
    only list, when it holds objects. None where the value is one thing that has lists (it has an `id` of its own),
    or where several lists are as likely.
    """
    if isinstance(value, list):
        return "", value
    if not isinstance(value, dict):
        return None
    found = _list_in(value)
    return (join_pointer(found[0]), found[1]) if found else None


def has_lists(value: Json) -> bool:
    """Say whether a list answer carries several lists, none of which is surely the one: `{"rooms": [], "beds": []}`."""
    if not isinstance(value, dict) or find_items(value) or any(key.casefold() in _ENTITY_NAMES for key in value):
        return False
    return sum(isinstance(item, list) and not _is_envelope(key) for key, item in value.items()) > 1


def _list_in(value: Mapping[str, Json], nested: bool = True) -> tuple[list[str], list[Json]] | None:
    if any(key.casefold() in _ENTITY_NAMES for key in value):
        return None
    for name in _LIST_NAMES:
        if isinstance(value.get(name), list):
            return [name], value[name]
    if nested:
        for name in ("data", "result", "results", "hits", "response", "_embedded"):
            inner = value.get(name)
            if isinstance(inner, dict) and (found := _list_in(inner, nested=False)):
                return [name, *found[0]], found[1]
    lists = [(key, item) for key, item in value.items() if isinstance(item, list) and not _is_envelope(key)]
    if len(lists) != 1:
        return None
    key, items = lists[0]
    beside = [other for other, item in value.items() if not isinstance(item, dict | list) and not _is_envelope(other)]
    if beside and not (items and isinstance(items[0], dict)):
        return None
    return [key], items


def _is_envelope(key: str) -> bool:
    """Tell a word of paging or status, in any spelling: `next_page`, `hasMore`, `@odata.count`."""
    folded = key.casefold().removeprefix("@odata.").removeprefix("hydra:")
    return folded.translate(_JOINERS) in _ENVELOPE_NAMES


_JOINERS = {ord(char): None for char in "_-.$@:"}
