"""A value for exactly one of the alternatives of a `oneOf`, where they overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from thinkagent.tools.effort import Effort
from thinkagent.tools.validity import compile_schema
from thinkagent.values import Json, plain

__all__ = ["Chooser", "near"]

MAX_CHOICES = 50
"""How many `oneOf` of one schema are looked into: fewer where there are many definitions to be compiled with each."""
DEFINITIONS = 50
MAX_VALUES = 40
"""How many values are tried for one of them."""


class Chooser:
    """Chooses among values by checking them against the `oneOf` itself."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._room = MAX_CHOICES // (1 + len(definitions) // DEFINITIONS)

    def choose(self, schema: Mapping[str, Any], values: Iterable[Json]) -> list[Json]:
        """Give the first of a few values that is valid, in a list; an empty one where none is or that is not known."""
        if not self._room:
            return []
        self._room -= 1
        bundled = {**schema, "$defs": self._definitions}
        effort = Effort(bundled)
        try:
            validator = compile_schema(bundled)
        except ValueError:
            return []
        for _, value in zip(range(MAX_VALUES), values, strict=False):
            if effort.is_costly(value):
                self._room = 0
                return []
            if validator.is_valid(plain(value)):
                return [value]
        return []


def near(value: Json) -> Iterator[Json]:
    """Give a value and others that differ from it in what tells alternatives apart: size, whole numbers, more keys."""
    yield value
    if isinstance(value, Mapping):
        yield {**value, "key1": "string"}
    elif isinstance(value, list):
        yield []
    elif isinstance(value, str):
        yield from (value[:1], value * 4, 1)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield from (value + Decimal("0.5"), -value, value * 1000)
