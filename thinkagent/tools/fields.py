"""The named values inside a schema, as far as they can identify something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from thinkagent.documents.model import Schema
from thinkagent.tools.pool import BRANCHES, Gathered, Pool
from thinkagent.tools.words import Words, name_words

__all__ = ["THE_RESOURCE", "Facts", "Field", "body_properties", "result_fields", "result_names"]

MAX_DEPTH = 3
MAX_FIELDS = 400
MAX_VISITS = 4000
"""Schemas that are looked at in one answer: without a bound, ten branches to ten branches and so on never end."""

_WRAPPERS = frozenset(
    {"data", "item", "result", "value", "record", "entry", "element", "content", "list", "page", "response"}
)


THE_RESOURCE: Words = ("\0",)
"""Stands among the owners of a field for what the operation's path is about."""


class Field(NamedTuple):
    name: str
    owners: tuple[Words, ...]
    """What the value belongs to, by every name that the schema gives it: `customer`, `shop customer`."""
    kinds: frozenset[str]
    """Types of JSON Schema; empty where the schema says none."""
    is_free: bool = True
    """Whether the value is neither fixed nor one of a few."""


class Facts:
    """What a pool's schemas say of the values that they describe."""

    def __init__(self, pool: Pool) -> None:
        self._types = Gathered(pool, _types)
        self._limits = Gathered(pool, lambda part: {"enum", "const"} & set(part))

    def kinds(self, schema: object) -> frozenset[str]:
        """Give the types that a schema allows, null left out; empty where it does not say."""
        return self._types.of(schema) - {"null"}

    def is_free(self, schema: object) -> bool:
        """Say whether a value is neither fixed nor one of a few."""
        return not self._limits.of(schema)


def _types(schema: Mapping[str, Any]) -> list[str]:
    types = schema.get("type")
    return [kind for kind in (types if isinstance(types, list) else [types]) if isinstance(kind, str)]


def result_fields(schema: Schema) -> Iterator[Field]:
    """Walk the scalar properties of an answer, lists and wrappers included."""
    pool = Pool()
    return islice(_walk(_Place(pool.add(schema), (THE_RESOURCE,)), pool), MAX_FIELDS)


def result_names(schema: Schema) -> list[str]:
    """Name the properties of an answer and what they belong to, each once."""
    found: dict[str, None] = {}
    for field in result_fields(schema):
        found[field.name] = None
        found.update((" ".join(owner), None) for owner in field.owners if owner != THE_RESOURCE)
    return list(found)


def body_properties(schema: Schema | None, pool: Pool) -> dict[str, Any]:
    """Give the schemas of a request body's properties at its top, by name; what they refer to joins the pool."""
    found: dict[str, Any] = {}
    for part in pool.parts(pool.add(schema) if schema is not None else True):
        required = part.get("required")
        needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
        found.update((name, value) for name, value in _properties(part) if name not in found or name in needed)
    return found


class _Place(NamedTuple):
    """A schema inside an answer, still to be looked at."""

    schema: object
    owners: tuple[Words, ...]
    depth: int = 0
    seen: frozenset[str] = frozenset()
    """Definitions around it."""
    is_open: bool = False
    """Whether all that describes the same value was looked at, and its own properties are next."""


def _walk(root: _Place, pool: Pool) -> Iterator[Field]:
    facts = Facts(pool)
    waiting = [root]
    for _ in range(MAX_VISITS):
        if not waiting:
            return
        place = waiting.pop()
        if not isinstance(place.schema, Mapping) or place.depth > MAX_DEPTH:
            continue
        if not place.is_open:
            waiting.append(place._replace(is_open=True))
            waiting.extend(reversed(list(_beside(place, place.schema, pool))))
            continue
        deeper = []
        for name, value in _properties(place.schema):
            kinds = facts.kinds(value)
            if kinds & {"object", "array"} or (not kinds and isinstance(value, Mapping) and _holds_more(value)):
                words = name_words(name)
                owners = place.owners if words and words[-1] in _WRAPPERS else (words,)
                deeper.append(_Place(value, owners, place.depth + 1, place.seen))
            if not kinds or kinds - {"object"}:
                yield Field(name, place.owners, kinds, is_free=facts.is_free(value))
        waiting.extend(reversed(deeper))


def _beside(place: _Place, schema: Mapping[str, Any], pool: Pool) -> Iterator[_Place]:
    """Give what describes the same value, and the items of a list: what belongs to the same owners."""
    target = pool.target(schema)
    if target is not None and target[0] not in place.seen:
        name, found = target
        yield place._replace(schema=found, owners=(*place.owners, name_words(name)), seen=place.seen | {name})
    for keyword in BRANCHES:
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            yield place._replace(schema=part)
    if "items" in schema:
        yield place._replace(schema=schema["items"])


def _holds_more(schema: Mapping[str, Any]) -> bool:
    return bool({"$ref", "properties", "items", *BRANCHES} & set(schema))


def _properties(schema: Mapping[str, Any]) -> list[tuple[str, Any]]:
    properties = schema.get("properties")
    return list(properties.items()) if isinstance(properties, Mapping) else []
