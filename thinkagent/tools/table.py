"""A tool's arguments as rows that a reader understands without reading JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from thinkagent.tools.pool import Pool
from thinkagent.tools.text import plain_text
from thinkagent.values import Json, clip, visible, write_json

__all__ = ["Row", "rows_of"]

MAX_DEPTH = 5
MAX_ROWS = 3000
MAX_VISITS = 20_000
"""Schemas that are looked at for one table, those that give no row included."""
MAX_NESTING = 60
"""Lists, maps and alternatives around a value."""
MAX_NAME = 80
"""Of one property; a row's name holds those around it too."""
MAX_ENUM = 12
MAX_TYPE_DEPTH = 3
MAX_VALUE = 60
MAX_DESCRIPTION = 200

_PLAIN = re.compile(r"[A-Za-z0-9_.:/+@-]+")


class Row(NamedTuple):
    name: str
    """With its place: `body.lines[].sku`."""
    about: str
    """Type and rules: `string (date), required, one of A, B`."""
    description: str
    required: bool
    """Itself and everything around it."""
    depth: int


def rows_of(parameters: Mapping[str, Any]) -> list[Row]:
    """List every argument of an arguments schema with what lies inside it, in order; a long list is cut."""
    pool = Pool()
    root = pool.add(parameters)
    rows: list[Row] = []
    for row in _Walk(pool).members(root, "", True, 0, frozenset()):
        rows.append(row)
        if len(rows) >= MAX_ROWS:
            break
    return rows


class _Walk:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._visits = 0
        self._nesting = 0

    def members(self, schema: object, prefix: str, required: bool, depth: int, seen: frozenset[str]) -> Iterator[Row]:
        """Give the rows of an object's properties."""
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return
        needed = schema.get("required")
        properties = schema.get("properties")
        for name, value in properties.items() if isinstance(properties, Mapping) else ():
            is_needed = isinstance(needed, list) and name in needed
            shown = prefix + clip(visible(name, newlines=False), MAX_NAME)
            yield from self._row(value, shown, is_needed, required, depth, seen)

    def _row(
        self, schema: Any, name: str, is_needed: bool, required: bool, depth: int, seen: frozenset[str]
    ) -> Iterator[Row]:
        resolved, names = self._resolved(schema)
        if isinstance(resolved, Mapping) and names & seen:
            yield Row(name, _about("again as above", is_needed, {}), "", is_needed and required, depth)
            return
        description = ""
        if isinstance(resolved, Mapping):
            description = plain_text(str(resolved.get("description") or ""), MAX_DESCRIPTION)
            about = _about(self._type(resolved), is_needed, resolved)
        else:
            about = _about("anything", is_needed, {})
        yield Row(name, about, description, is_needed and required, depth)
        yield from self._inside(resolved, name, is_needed and required, depth + 1, seen | names)

    def _inside(self, schema: object, name: str, required: bool, depth: int, seen: frozenset[str]) -> Iterator[Row]:
        """Give the rows of what lies inside a value: properties, items, the variants one after the other."""
        self._visits += 1
        if (
            isinstance(schema, Mapping)
            and depth <= MAX_DEPTH
            and self._visits <= MAX_VISITS
            and self._nesting < MAX_NESTING
        ):
            self._nesting += 1
            yield from self._parts(schema, name, required, depth, seen)
            self._nesting -= 1

    def _parts(
        self, schema: Mapping[str, Any], name: str, required: bool, depth: int, seen: frozenset[str]
    ) -> Iterator[Row]:
        yield from self.members(schema, f"{name}.", required, depth, seen)
        items, names = self._resolved(schema.get("items"))
        if isinstance(items, Mapping) and not names & seen:
            yield from self._inside(items, f"{name}[]", required, depth, seen | names)
        rest, names = self._resolved(schema.get("additionalProperties"))
        if isinstance(rest, Mapping) and not names & seen:
            yield from self._inside(rest, f"{name}.*", False, depth, seen | names)
        for keyword in ("oneOf", "anyOf", "allOf"):
            parts = schema.get(keyword)
            for number, part in enumerate(parts if isinstance(parts, list) else (), start=1):
                inner, names = self._resolved(part)
                if isinstance(inner, Mapping) and not names & seen:
                    mark = "" if keyword == "allOf" else f"({_name_of(part, inner) or f'form {number}'})"
                    yield from self._inside(inner, name + mark, required and not mark, depth, seen | names)

    def _resolved(self, schema: object) -> tuple[object, frozenset[str]]:
        """Follow `$ref`, with what stands beside it; and name the definitions on the way."""
        names: set[str] = set()
        while isinstance(schema, Mapping) and "$ref" in schema:
            target = self._pool.target(schema)
            if target is None or target[0] in names:
                break
            names.add(target[0])
            schema = _beside(target[1], {key: value for key, value in schema.items() if key != "$ref"})
        return schema, frozenset(names)

    def _type(self, schema: Mapping[str, Any], depth: int = 0) -> str:
        self._visits += 1
        if depth > MAX_TYPE_DEPTH or self._visits > MAX_VISITS:
            return "…"
        for keyword in ("oneOf", "anyOf"):
            parts = schema.get(keyword)
            if isinstance(parts, list) and "type" not in schema:
                if len(parts) > MAX_ENUM:
                    return f"one of {len(parts)} forms"
                return " or ".join(dict.fromkeys(self._alternative(part, depth) for part in parts))
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return " or ".join(map(str, kinds))
        if kinds == "array":
            items, _ = self._resolved(schema.get("items"))
            inner = self._type(items, depth + 1) if isinstance(items, Mapping) else "anything"
            return f"array of {inner}" if len(inner) < MAX_VALUE else "array"
        if isinstance(kinds, str):
            form = schema.get("format")
            return f"{kinds} ({plain_text(form, 30)})" if isinstance(form, str) else kinds
        return "object" if "properties" in schema else "text" if "pattern" in schema else "anything"

    def _alternative(self, part: object, depth: int) -> str:
        """Name an alternative in a list of them: by its definition, its title or its type."""
        resolved, names = self._resolved(part)
        if not isinstance(resolved, Mapping):
            return "anything"
        return _name_of(part, resolved) or ("object" if names else self._type(resolved, depth + 1))


def _beside(schema: object, rest: Mapping[str, Any]) -> object:
    if not rest or not isinstance(schema, Mapping):
        return schema
    merged = {**schema, **rest}
    if isinstance(schema.get("properties"), Mapping) and isinstance(rest.get("properties"), Mapping):
        merged["properties"] = {**schema["properties"], **rest["properties"]}
    if isinstance(schema.get("required"), list) and isinstance(rest.get("required"), list):
        merged["required"] = [*schema["required"], *rest["required"]]
    return merged


def _name_of(part: object, resolved: Mapping[str, Any]) -> str:
    """Give the name of an alternative's definition, or its title; empty where it has none."""
    if isinstance(part, Mapping) and isinstance(part.get("$ref"), str):
        return clip(visible(str(part["$ref"]).rpartition("/")[2]), MAX_NAME)
    title = resolved.get("title")
    return plain_text(title, 40) if isinstance(title, str) else ""


def _about(kind: str, is_needed: bool, schema: Mapping[str, Any]) -> str:
    parts = [kind]
    if is_needed:
        parts.append("required")
    if "const" in schema:
        parts.append(f"always {_show(schema['const'])}")
    enum = schema.get("enum")
    if isinstance(enum, list):
        shown = ", ".join(_show(value) for value in enum[:MAX_ENUM])
        parts.append(f"one of {shown}" + (f" and {len(enum) - MAX_ENUM} more" if len(enum) > MAX_ENUM else ""))
    parts.extend(_bounds(schema))
    if schema.get("default") is not None:
        parts.append(f"default {_show(schema['default'])}")
    if schema.get("deprecated") is True:
        parts.append("deprecated")
    return ", ".join(parts)


def _bounds(schema: Mapping[str, Any]) -> Iterator[str]:
    for keyword, text in (
        ("minimum", "at least {}"),
        ("exclusiveMinimum", "more than {}"),
        ("maximum", "at most {}"),
        ("exclusiveMaximum", "less than {}"),
        ("multipleOf", "a multiple of {}"),
        ("minLength", "at least {} characters"),
        ("maxLength", "at most {} characters"),
        ("minItems", "at least {} items"),
        ("maxItems", "at most {} items"),
        ("pattern", "matches pattern {}"),
    ):
        if keyword in ("minLength", "minItems") and schema.get(keyword) == 1:
            yield "not empty"
        elif keyword in schema:
            yield text.format(_show(schema[keyword]))


def _show(value: Json) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return clip(value, MAX_VALUE)
    return clip(visible(write_json(value), newlines=False), MAX_VALUE)
