"""Where a hit's missing arguments come from: the tools that give them, as far as the task itself does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thinkagent.documents.model import Operation, Parameter
from thinkagent.tools.search_query import Query
from thinkagent.tools.toolset import Toolset
from thinkagent.tools.words import name_words

__all__ = ["Sources"]

MAX_CHAIN = 3
"""How many tools before a tool are looked for."""

_TEXT_ARGUMENTS = {"q", "query", "search", "text", "term", "keyword", "name", "title", "phrase"}
_OPAQUE = {"id", "uuid", "guid", "key", "uid", "sha", "hash", "arn"}


class Sources:
    """The providers of what the hits of one search require."""

    def __init__(self, toolset: Toolset, query: Query, scores: Mapping[str, float]) -> None:
        self._toolset = toolset
        self._query = query
        self._scores = scores

    def of(self, name: str, depth: int = 0) -> Iterator[tuple[str, str, str]]:
        """Give (provider, argument, consumer) for each argument that a tool requires, and for its providers' own."""
        for argument, producers in self._needed(name):
            best = min(producers, key=lambda producer: (-self._fit(producer), producers.index(producer)))
            yield best, argument, name
            if depth < MAX_CHAIN:
                yield from self.of(best, depth + 1)

    def _needed(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give the arguments that a tool requires, other tools provide and the task does not give."""
        missing = self._missing(self._toolset.operation(name))
        for argument, producers in self._toolset.graph.needs(name).items():
            if argument.startswith("body.") or {argument, argument.partition("_")[2]} & missing:
                yield argument, producers

    def _missing(self, operation: Operation) -> set[str]:
        """Name the required parameters that the task itself gives no value for: no number for an id, no name."""
        required = [parameter for parameter in operation.parameters if parameter.required]
        numeric = [parameter.name for parameter in required if _is_number(parameter)]
        # The last part of a path is said first: season 3 of it, episode 24.
        missing = set(numeric[: max(0, len(numeric) - len(self._query.numbers))])
        for parameter in required:
            words = name_words(parameter.name)
            is_opaque = bool(words) and words[-1] in _OPAQUE
            if parameter.name not in numeric and not self._query.numbers and (is_opaque or not self._query.names):
                missing.add(parameter.name)
        return missing

    def by_name(self) -> Iterator[tuple[str, str, str]]:
        """Give the tools that find by words what a name in the task may stand for, where another tool needs it."""
        if len(self._query.names) == self._query.pairs:
            return
        found: dict[str, tuple[float, str, str]] = {}
        for name, score in self._scores.items():
            for argument, producers in self._needed(name):
                for producer in producers:
                    if score > found.get(producer, (0.0, "", ""))[0] and self._takes_text(producer):
                        found[producer] = (score, argument, name)
        for producer, (_, argument, name) in sorted(found.items(), key=lambda item: (-item[1][0], item[0])):
            yield producer, argument, name

    def _takes_text(self, name: str) -> bool:
        return _takes_text(self._toolset.operation(name))

    def _fit(self, producer: str) -> float:
        score = self._scores.get(producer, 0.0)
        if self._query.names and self._takes_text(producer):
            score += 100.0
        return score


def _is_number(parameter: Parameter) -> bool:
    schema: Any = parameter.schema
    return isinstance(schema, Mapping) and schema.get("type") in ("integer", "number")


def _takes_text(operation: Operation) -> bool:
    """Say whether an operation finds things by words that a person would say."""
    return any(
        parameter.location == "query"
        and (words := name_words(parameter.name))
        and _TEXT_ARGUMENTS.issuperset(words)
        and not (isinstance(parameter.schema, Mapping) and "enum" in parameter.schema)
        for parameter in operation.parameters
    )
