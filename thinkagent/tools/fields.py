"""The named values inside a schema, as far as they can identify something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from thinkagent.documents.model import Schema
from thinkagent.tools.pool import Pool
from thinkagent.tools.words import Words, name_words

__all__ = ["Field", "body_fields", "is_free", "kinds_of", "result_fields"]

MAX_DEPTH = 3
MAX_FIELDS = 400

_WRAPPERS = frozenset(
    {"data", "item", "result", "value", "record", "entry", "element", "content", "list", "page", "response"}
)
_BRANCHES = ("allOf", "anyOf", "oneOf")


class Field(NamedTuple):
    name: str
    owners: tuple[Words, ...]
    """What the value belongs to, by every name that the schema gives it: `customer`, `shop customer`."""
    kinds: frozenset[str]
    """Types of JSON Schema; empty where the schema says none."""
    required: bool = False
    is_free: bool = True
    """Whether the value is neither fixed nor one of a few."""


def result_fields(schema: Schema | None, resource: Words) -> Iterator[Field]:
    """Walk the scalar properties of an answer, lists and wrappers included; `resource` is what the path is about."""
    pool = Pool()
    root = pool.add(schema) if schema is not None else True
    for number, field in enumerate(_walk(root, pool, (resource,), 0, frozenset())):
        if number >= MAX_FIELDS:
            return
        yield field


def body_fields(schema: Schema | None) -> dict[str, Field]:
    """Give the properties of a request body at its top, by name."""
    pool = Pool()
    root = pool.add(schema) if schema is not None else True
    found: dict[str, Field] = {}
    for part in _parts(root, pool, set()):
        required = part.get("required")
        for name, value in _properties(part):
            is_required = isinstance(required, list) and name in required
            known = found.get(name)
            if known is None or is_required:
                found[name] = Field(name, (), kinds_of(value, pool), is_required, is_free(value, pool))
    return found


def _walk(schema: object, pool: Pool, owners: tuple[Words, ...], depth: int, seen: frozenset[str]) -> Iterator[Field]:
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return
    target = pool.target(schema)
    if target is not None:
        name, found = target
        if name not in seen:
            yield from _walk(found, pool, (*owners, name_words(name)), depth, seen | {name})
    for keyword in _BRANCHES:
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            yield from _walk(part, pool, owners, depth, seen)
    if "items" in schema:
        yield from _walk(schema["items"], pool, owners, depth, seen)
    deeper: list[tuple[str, Any]] = []
    for name, value in _properties(schema):
        kinds = kinds_of(value, pool)
        if kinds & {"object", "array"} or (not kinds and isinstance(value, Mapping) and _holds_more(value)):
            deeper.append((name, value))
        if not kinds or kinds - {"object"}:
            yield Field(name, owners, kinds, is_free=is_free(value, pool))
    for name, value in deeper:
        words = name_words(name)
        inner = owners if words and words[-1] in _WRAPPERS else (words,)
        yield from _walk(value, pool, inner, depth + 1, seen)


def _holds_more(schema: Mapping[str, Any]) -> bool:
    return bool({"$ref", "properties", "items", *_BRANCHES} & set(schema))


def _properties(schema: Mapping[str, Any]) -> list[tuple[str, Any]]:
    properties = schema.get("properties")
    return list(properties.items()) if isinstance(properties, Mapping) else []


def _parts(schema: object, pool: Pool, seen: set[str]) -> Iterator[Mapping[str, Any]]:
    """Walk the schemas that describe the same value."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    target = pool.target(schema)
    if target is not None and target[0] not in seen:
        seen.add(target[0])
        yield from _parts(target[1], pool, seen)
    for keyword in _BRANCHES:
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            yield from _parts(part, pool, seen)


def kinds_of(schema: object, pool: Pool) -> frozenset[str]:
    """Give the types that a schema allows, null left out; empty where it does not say."""
    found: set[str] = set()
    for part in _parts(schema, pool, set()):
        kinds = part.get("type")
        listed = kinds if isinstance(kinds, list) else [kinds]
        found.update(kind for kind in listed if isinstance(kind, str))
    return frozenset(found - {"null"})


def is_free(schema: object, pool: Pool) -> bool:
    """Say whether a value is neither fixed nor one of a few."""
    return not any("enum" in part or "const" in part for part in _parts(schema, pool, set()))
