"""How much work it is to check a value, told before it is done: a validator follows every path, however many meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thinkagent.documents.model import Schema
from thinkagent.tools.pool import BRANCHES, Pool
from thinkagent.values import Json

__all__ = ["AGAIN", "Effort", "asking"]

MAX_CHECKS = 60_000
"""Checks of a schema against a value within one validation: seconds, where every failure is told. The documents of
large services need half of that."""
MAX_FACTOR = 20
"""More checks for each value inside the value; a large one may take its time."""

AGAIN = ("unevaluatedProperties", "unevaluatedItems")
"""Keywords that ask all that describes the same value once more."""
_TIMES = 3
"""What they make of every check below them; measured with the validator in use."""
_SAME_VALUE = ("not", "if", "then", "else")

_Pair = tuple[Any, Any]


class Effort:
    """The work that checking values against one bundled schema is.

    Ten branches that each lead to the same ten branches, and so on, are few schemas and a great many checks. They are
    counted as a validator makes them, as far as it may go.
    """

    def __init__(self, schema: Schema) -> None:
        self._pool = Pool()
        self._root = self._pool.add(schema)

    def is_costly(self, value: Json) -> bool:
        """Say whether checking a value could take longer than anybody waits."""
        return self._count([self._root], value, MAX_CHECKS + MAX_FACTOR * _size(value)) == 0

    def is_costly_to_compile(self) -> bool:
        """Say whether the validator could take too long to be made: it looks ahead for what is `unevaluated`."""
        found = list(asking([self._root, *map(self._pool.__getitem__, self._pool)]))
        return self._count(found, None, MAX_CHECKS) == 0

    def _count(self, schemas: list[Any], value: Json, room: int) -> int:
        """Give what is left of the room for checks; 0 where it was not enough."""
        waiting: list[tuple[Any, Any, frozenset[int]]] = [(schema, value, frozenset()) for schema in schemas]
        while waiting and room:
            room -= 1
            schema, value, around = waiting.pop()
            if not isinstance(schema, Mapping) or id(schema) in around:
                continue
            times = _TIMES if any(keyword in schema for keyword in AGAIN) else 1
            inside = around | {id(schema)}
            for part, item in _inner(schema, value, self._pool):
                waiting.extend([(part, item, inside if item is value else frozenset())] * times)
        return room


def _size(value: Json) -> int:
    """Count the values inside a value."""
    count, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        count += 1
        if isinstance(item, Mapping | list):
            waiting.extend(item.values() if isinstance(item, Mapping) else item)
    return count


def asking(schema: Any) -> Iterator[dict[str, Any]]:
    """Find the schemas that say what is to become of the unevaluated."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if any(keyword in part for keyword in AGAIN):
                yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _inner(schema: Mapping[str, Any], value: Json, pool: Pool) -> Iterator[_Pair]:
    """Give the pairs that are checked when this one is."""
    target = pool.target(schema)
    if target is not None:
        yield target[1], value
    for keyword in (*BRANCHES, "dependentSchemas"):
        parts = schema.get(keyword)
        for part in parts.values() if isinstance(parts, Mapping) else parts if isinstance(parts, list) else ():
            yield part, value
    for keyword in _SAME_VALUE:
        if keyword in schema:
            yield schema[keyword], value
    if isinstance(value, Mapping):
        yield from _members(schema, value)
    elif isinstance(value, list):
        first = schema.get("prefixItems")
        yield from zip(first if isinstance(first, list) else (), value, strict=False)
        for keyword in ("items", "contains", "unevaluatedItems"):
            yield from ((schema[keyword], item) for item in value if keyword in schema)


def _members(schema: Mapping[str, Any], value: Mapping[str, Json]) -> Iterator[_Pair]:
    properties, patterns = schema.get("properties"), schema.get("patternProperties")
    declared = properties if isinstance(properties, Mapping) else {}
    for name, item in value.items():
        if name in declared:
            yield declared[name], item
        elif "additionalProperties" in schema:
            yield schema["additionalProperties"], item
        if "unevaluatedProperties" in schema:
            yield schema["unevaluatedProperties"], item
        if "propertyNames" in schema:
            yield schema["propertyNames"], name
        for part in patterns.values() if isinstance(patterns, Mapping) else ():
            yield part, item
