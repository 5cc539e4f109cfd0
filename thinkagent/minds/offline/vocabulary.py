"""Where the words of a task meet the words of the document.

A reading has a cost: nothing for the document's own word, a little for another form of it, more for a synonym.
What costs least is what was meant; two that cost the same are an ambiguity, and nobody guesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from thinkagent.minds.offline.fields import Field, Name
from thinkagent.minds.offline.lexicon.concepts import concept_distance, root_phrase
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.words import Token, is_cjk, root, singular, split_name

__all__ = ["FieldReading", "ResourceReading", "ValueReading", "Vocabulary"]

_LONGEST = 8


class ResourceReading(NamedTuple):
    resource: Resource
    end: int
    cost: float


class FieldReading(NamedTuple):
    field: Field
    end: int
    cost: float


class ValueReading(NamedTuple):
    field: Field
    value: str | bool
    end: int
    cost: float


@lru_cache(maxsize=65536)
def _distance(asked: str, known: str) -> float | None:
    """Say what it costs to take a word of the task for a word of the document; None where it cannot be."""
    if asked == known or singular(asked) == singular(known):
        return 0.0
    if not is_cjk(asked[0]) and root_phrase(asked) == root_phrase(known):
        return 0.3
    far = concept_distance(asked, known)
    if far is None:
        return None
    return (0.2 if is_cjk(asked[0]) else 1.0) + 0.05 * far


def _texts(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, str]]:
    """Give the texts that begin at a token: a few Latin words, or a run of Chinese characters."""
    if at >= len(tokens) or tokens[at].kind not in ("word", "id", "cjk"):
        return
    if tokens[at].kind == "cjk":
        text = ""
        for end in range(at, min(at + _LONGEST, len(tokens))):
            if tokens[end].kind != "cjk":
                return
            text += tokens[end].lower
            yield end + 1, text
        return
    text = ""
    for end in range(at, min(at + 3, len(tokens))):
        if tokens[end].kind not in ("word", "id"):
            return
        parts = " ".join(split_name(tokens[end].lower)) or tokens[end].lower
        text = f"{text} {parts}".strip()
        yield end + 1, text


class Vocabulary:
    """The words of one document, looked up in one task."""

    def __init__(self, tokens: Sequence[Token], resources: Sequence[Resource]) -> None:
        self.tokens = tokens
        self.resources = resources
        self._texts: dict[int, list[tuple[int, str]]] = {}
        self._resources: dict[int, list[ResourceReading]] = {}
        self._fields: dict[tuple[int, int], list[FieldReading]] = {}
        self._values: dict[tuple[int, int], list[ValueReading]] = {}

    def match(self, at: int, words: Sequence[str]) -> Iterator[tuple[int, float]]:
        """Match the document's words at a place in the task; gives the end and the cost of every way."""
        if at not in self._texts:
            self._texts[at] = list(_texts(self.tokens, at))
        whole = " ".join(words)
        for end, text in self._texts[at]:
            cost = _distance(text, whole)
            if cost is None and " " in text + whole and text.replace(" ", "") == whole.replace(" ", ""):
                cost = 0.2
            if cost is not None:
                yield end, cost
            first = _distance(text, words[0]) if len(words) > 1 else None
            if first is not None:
                for last, rest in self.match(end, words[1:]):
                    yield last, first + rest

    def resources_at(self, at: int) -> list[ResourceReading]:
        """Give the resources that the words from here may name; the same words, only the nearest."""
        if at not in self._resources:
            found = [
                ResourceReading(one, end, cost) for one in self.resources for end, cost in self._names_at(at, one.names)
            ]
            self._resources[at] = [one for one in _cheapest(found) if not self._is_literal_elsewhere(at, one)]
        return self._resources[at]

    def _is_literal_elsewhere(self, at: int, reading: ResourceReading) -> bool:
        """Say whether words that are only like a resource's name stand in another's: `purchases` are no orders then."""
        said = {singular(token.lower) for token in self.tokens[at : reading.end] if not is_cjk(token.text[0])}
        others = [one for one in self.resources if one is not reading.resource]
        return reading.cost >= 1.0 and any(said & set(one.words) for one in others)

    def fields_at(self, at: int, resource: Resource) -> list[FieldReading]:
        """Give the fields of a resource that the words from here may name."""
        known = self._fields.get((at, id(resource)))
        if known is None:
            found = []
            for one in (*resource.fields, *resource.details):
                for end, cost in self._names_at(at, one.names):
                    found.append(FieldReading(one, end, cost))
                for size in range(1, len(one.words)):
                    for end, cost in self.match(at, one.words[size:]):
                        found.append(FieldReading(one, end, cost + 1.5))
            known = self._fields[at, id(resource)] = _cheapest(found)
        return known

    def values_at(self, at: int, resource: Resource) -> list[ValueReading]:
        """Give the enumerated values and true booleans of a resource that the words from here may mean."""
        known = self._values.get((at, id(resource)))
        if known is None:
            found = []
            for one in resource.fields:
                for choice in one.choices:
                    for end, cost in self._choice_at(at, choice):
                        found.append(ValueReading(one, choice, end, cost))
                if one.kind == "boolean":
                    for end, cost in self._names_at(at, one.names):
                        found.append(ValueReading(one, True, end, cost))
                    for end, cost in self._negated_at(at, one.names):
                        found.append(ValueReading(one, False, end, cost))
            known = self._values[at, id(resource)] = _cheapest([one for one in found if not self._is_order(at, one)])
        return known

    def _is_order(self, at: int, reading: ValueReading) -> bool:
        """Say whether a word is what is to be done, and not a state: `close tickets` asks for no closed ones."""
        word = self.tokens[at].lower
        state = str(reading.value).lower() if isinstance(reading.value, str) else reading.field.words[0]
        return reading.end == at + 1 and state.endswith("ed") and not word.endswith("ed") and root(word) == root(state)

    def _choice_at(self, at: int, choice: str) -> Iterator[tuple[int, float]]:
        if at < len(self.tokens) and self.tokens[at].kind != "cjk" and self.tokens[at].lower == choice.lower():
            yield at + 1, 0.0
            return
        words = split_name(choice)
        for end, cost in self.match(at, words) if words else ():
            if cost < 1.0 or self.tokens[at].kind == "cjk":
                yield end, cost

    def _negated_at(self, at: int, names: Iterable[Name]) -> Iterator[tuple[int, float]]:
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None or token.kind != "word":
            return
        for prefix in ("un", "in", "non", "non-"):
            rest = token.lower.removeprefix(prefix)
            if rest != token.lower and len(rest) > 2:
                for words, extra in names:
                    if len(words) == 1 and (cost := _distance(rest, words[0])) is not None and cost < 1.0:
                        yield at + 1, cost + extra + 0.1

    def _names_at(self, at: int, names: Iterable[Name]) -> Iterator[tuple[int, float]]:
        for words, extra in names:
            for end, cost in self.match(at, words):
                yield end, cost + extra

    def covers(self, at: int) -> int:
        """Give how many tokens from here are a word of the document, 0 where none is."""
        ends = [reading.end for reading in self.resources_at(at)]
        for resource in self.resources:
            ends += [reading.end for reading in self.fields_at(at, resource)]
            ends += [reading.end for reading in self.values_at(at, resource)]
        return max(ends, default=at) - at


_Reading = TypeVar("_Reading", ResourceReading, FieldReading, ValueReading)


def _cheapest(readings: list[_Reading]) -> list[_Reading]:
    """Keep one reading for each meaning and end, and of those with one end the cheapest and its near rivals."""
    best: dict[tuple[object, ...], _Reading] = {}
    for reading in readings:
        key = tuple(part if isinstance(part, str | bool | int) else id(part) for part in reading[:-1])
        if key not in best or reading.cost < best[key].cost:
            best[key] = reading
    least: dict[int, float] = {}
    for reading in best.values():
        least[reading.end] = min(least.get(reading.end, reading.cost), reading.cost)
    return [reading for reading in best.values() if reading.cost <= least[reading.end] + 0.01]
