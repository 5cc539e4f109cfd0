"""Properties that only the other side sets: `readOnly` in a request, `writeOnly` in an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from thinkagent.tools.pool import Pool

__all__ = ["Direction", "Hidden"]

Direction = Literal["request", "response"]

_BRANCHES = ("allOf", "anyOf", "oneOf")
MAX_DEPTH = 64


class Hidden:
    """Knows which properties one direction does not show, at any depth and behind any reference."""

    def __init__(self, pool: Pool, direction: Direction) -> None:
        self._pool = pool
        self._keyword = "readOnly" if direction == "request" else "writeOnly"
        self._known: dict[tuple[str, bool], frozenset[str]] = {}
        self._at: dict[str, frozenset[str]] = {}

    def is_hidden(self, schema: object, seen: frozenset[str] = frozenset()) -> bool:
        """Say whether a property of this schema is not shown."""
        if not isinstance(schema, Mapping):
            return False
        if schema.get(self._keyword) is True:
            return True
        target = self._pool.target(schema)
        if target is not None and target[0] not in seen and self.is_hidden(target[1], seen | {target[0]}):
            return True
        parts = schema.get("allOf")
        return isinstance(parts, list) and any(self.is_hidden(part, seen) for part in parts)

    def declared(self, schema: object, *, branches: bool = False) -> frozenset[str]:
        """Name the hidden properties that a schema declares for the object it describes.

        Through `$ref` and `allOf`; with `branches` also through `anyOf` and `oneOf`.
        """
        return self._declared(schema, branches, frozenset())

    def _declared(self, schema: object, branches: bool, seen: frozenset[str]) -> frozenset[str]:
        if not isinstance(schema, Mapping):
            return frozenset()
        found = frozenset(name for name, value in _properties(schema) if self.is_hidden(value))
        target = self._pool.target(schema)
        if target is not None and target[0] not in seen:
            found |= self._of_definition(target[0], branches, seen)
        for keyword in _BRANCHES if branches else ("allOf",):
            parts = schema.get(keyword)
            for part in parts if isinstance(parts, list) else ():
                found |= self._declared(part, branches, seen)
        return found

    def _of_definition(self, name: str, branches: bool, seen: frozenset[str]) -> frozenset[str]:
        key = (name, branches)
        if key not in self._known:
            found = self._declared(self._pool[name], branches, seen | {name})
            if seen:
                return found
            self._known[key] = found
        return self._known[key]

    def names_at(self, name: str) -> frozenset[str]:
        """Name every property that a definition declares or requires for the object it describes."""
        if name not in self._at:
            self._at[name] = frozenset(self._names(self._pool[name], {name}))
        return self._at[name]

    def _names(self, schema: object, seen: set[str]) -> Iterator[str]:
        if not isinstance(schema, Mapping):
            return
        yield from (name for name, _ in _properties(schema))
        required = schema.get("required")
        yield from (name for name in (required if isinstance(required, list) else ()) if isinstance(name, str))
        target = self._pool.target(schema)
        if target is not None and target[0] not in seen:
            seen.add(target[0])
            yield from self._names(target[1], seen)
        for keyword in _BRANCHES:
            parts = schema.get(keyword)
            for part in parts if isinstance(parts, list) else ():
                yield from self._names(part, seen)

    def prune(self, value: Any, schema: object, depth: int = 0) -> Any:
        """Copy an example without the hidden properties."""
        if depth > MAX_DEPTH:
            return value
        if isinstance(value, Mapping):
            gone = self.declared(schema, branches=True)
            return {
                name: self.prune(item, self._property(schema, name), depth + 1)
                for name, item in value.items()
                if name not in gone
            }
        if isinstance(value, list):
            items = self._keyword_of(schema, "items")
            return [self.prune(item, items, depth + 1) for item in value]
        return value

    def _property(self, schema: object, name: str) -> object:
        for part in self._parts(schema, set()):
            properties = part.get("properties")
            if isinstance(properties, Mapping) and name in properties:
                found: object = properties[name]
                return found
        return None

    def _keyword_of(self, schema: object, keyword: str) -> object:
        return next((part[keyword] for part in self._parts(schema, set()) if keyword in part), None)

    def _parts(self, schema: object, seen: set[str]) -> Iterator[Mapping[str, Any]]:
        """Walk the schemas that describe the same value."""
        if not isinstance(schema, Mapping):
            return
        yield schema
        target = self._pool.target(schema)
        if target is not None and target[0] not in seen:
            seen.add(target[0])
            yield from self._parts(target[1], seen)
        for keyword in _BRANCHES:
            parts = schema.get(keyword)
            for part in parts if isinstance(parts, list) else ():
                yield from self._parts(part, seen)


def _properties(schema: Mapping[str, Any]) -> list[tuple[str, Any]]:
    properties = schema.get("properties")
    return list(properties.items()) if isinstance(properties, Mapping) else []
