"""Properties that only the other side sets: `readOnly` in a request, `writeOnly` in an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from thinkagent.tools.pool import Gathered, Pool

__all__ = ["Direction", "Hidden"]

Direction = Literal["request", "response"]

MAX_DEPTH = 64


class Hidden:
    """Knows which properties one direction does not show, at any depth and behind any reference."""

    def __init__(self, pool: Pool, direction: Direction) -> None:
        self._pool = pool
        self._keyword = keyword = "readOnly" if direction == "request" else "writeOnly"
        self._said = Gathered(pool, lambda part: [keyword] if part.get(keyword) is True else [], ("allOf",))
        self._declared = Gathered(pool, self._hidden_in, ("allOf",))
        self._declared_anywhere = Gathered(pool, self._hidden_in)
        self._names = Gathered(pool, lambda part: [*_properties(part), *_required(part)])

    def _hidden_in(self, part: Mapping[str, Any]) -> list[str]:
        return [name for name, value in _properties(part).items() if self.is_hidden(value)]

    def is_hidden(self, schema: object) -> bool:
        """Say whether a property of this schema is not shown."""
        if isinstance(schema, Mapping) and "$ref" not in schema and "allOf" not in schema:
            return schema.get(self._keyword) is True
        return bool(self._said.of(schema))

    def declared(self, schema: object, *, branches: bool = False) -> frozenset[str]:
        """Name the hidden properties that a schema declares for the object it describes.

        Through `$ref` and `allOf`; with `branches` also through `anyOf` and `oneOf`.
        """
        return (self._declared_anywhere if branches else self._declared).of(schema)

    def names_in(self, schema: object) -> frozenset[str]:
        """Name every property that a schema declares or requires for the object it describes."""
        return self._names.of(schema)

    def prune(self, value: Any, schema: object, depth: int = 0) -> Any:
        """Copy an example without the hidden properties."""
        if depth > MAX_DEPTH:
            return value
        if isinstance(value, Mapping):
            gone = self.declared(schema, branches=True)
            return {
                name: self.prune(item, self._pool.property(schema, name), depth + 1)
                for name, item in value.items()
                if name not in gone
            }
        if isinstance(value, list):
            items = self._items(schema)
            return [self.prune(item, items, depth + 1) for item in value]
        return value

    def _items(self, schema: object) -> object:
        return next((part["items"] for part in self._pool.parts(schema) if "items" in part), None)


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _required(schema: Mapping[str, Any]) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
