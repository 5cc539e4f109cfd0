"""The words of a document's operations, by where they stand, and how well they fit the words of a task (BM25F)."""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from thinkagent.documents.model import Operation
from thinkagent.tools.fields import body_properties, result_names
from thinkagent.tools.media import choose_body, choose_result
from thinkagent.tools.pool import Pool
from thinkagent.tools.search_query import METHODS, READING, Query
from thinkagent.tools.text import plain_text
from thinkagent.tools.words import name_words, stem, text_words

__all__ = ["Entry", "SearchIndex"]

_PAIR = re.compile(r"\{[^{}/]+\}/\{[^{}/]+\}")
_K1 = 1.2
_B = {"results": 0.2, "examples": 0.0}
_WEIGHTS = {
    "name": 3.0,
    "summary": 2.5,
    "path": 2.0,
    "tags": 1.5,
    "arguments": 0.8,
    "description": 0.8,
    "results": 0.7,
    "examples": 0.3,
}
_BONUS = 1.4
_MALUS = 0.3
"""For what changes something, where a question is asked: it can hold the very words and still answer nothing."""
_LISTING = 1.1
"""For what gives many things at once, where many are asked about."""

_PAIRED = 2.0
"""For what is found by two texts that the query gives."""

MAX_EXAMPLE_WORDS = 2000
MAX_EXAMPLE_TEXT = 60
"""Characters of a value that still is a word or two rather than a text."""


class Entry(NamedTuple):
    """An operation as the ranking sees it."""

    name: str
    method: str
    reads: bool
    """By its method, or by the verb that its name begins with."""
    is_of_one: bool
    """Whether its path says which one thing it is about."""
    has_pair: bool
    """Whether its path takes two texts, one right behind the other: `/{owner}/{name}`."""
    fields: Mapping[str, Counter[str]]
    """The stems of its words, counted."""


class SearchIndex:
    """Word counts of every tool, by field; made from operations, no tool is built."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._number_of = {entry.name: number for number, entry in enumerate(entries)}
        self._lengths = {
            field: sum(entry.fields[field].total() for entry in entries) / (len(entries) or 1) or 1.0
            for field in _WEIGHTS
        }
        self._holders: dict[str, list[int]] = {}
        for number, entry in enumerate(entries):
            for word in {word for counts in entry.fields.values() for word in counts}:
                self._holders.setdefault(word, []).append(number)

    @classmethod
    def of(cls, operations: Iterable[tuple[str, Operation]]) -> SearchIndex:
        """Read the words of operations, by their tools' names."""
        known: dict[int, tuple[Any, list[str]]] = {}
        return cls([_entry(name, operation, known) for name, operation in operations])

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]]) -> SearchIndex:
        """Make the index again whose `rows` these are."""
        return cls(
            [Entry._make([*facts, {field: Counter(n) for field, n in fields.items()}]) for *facts, fields in rows]
        )

    @property
    def rows(self) -> list[list[Any]]:
        """What is to be kept of it, as plain JSON."""
        return [list(entry) for entry in self._entries]

    def is_known(self, word: str) -> bool:
        """Say whether an operation is named by a word, in what names it rather than describes it."""
        named = ("name", "summary", "path", "tags")
        return any(
            word in self._entries[number].fields[field] for number in self._holders.get(word, ()) for field in named
        )

    def entry(self, name: str) -> Entry:
        return self._entries[self._number_of[name]]

    def scores(self, query: Query) -> dict[str, float]:
        """Say how well each tool fits that has any word of a query: its name to a positive number."""
        found: dict[int, float] = {}
        for stems in (*((word,) for word in query.words), *(sense.stems for sense in query.senses)):
            for number, worth in self._worth(stems).items():
                found[number] = found.get(number, 0.0) + worth
        return {
            entry.name: score * _factor(entry, query)
            for number, score in found.items()
            for entry in (self._entries[number],)
        }

    def _worth(self, stems: Iterable[str]) -> dict[int, float]:
        """Say what the best of several words for one thing is worth for each operation that has any."""
        best: dict[int, float] = {}
        for word in stems:
            holders = self._holders.get(word, ())
            rarity = math.log(1 + (len(self._entries) - len(holders) + 0.5) / (len(holders) + 0.5))
            for number in holders:
                best[number] = max(best.get(number, 0.0), rarity * self._weight(self._entries[number], word))
        return best

    def _weight(self, entry: Entry, word: str) -> float:
        """BM25F: the field's counts, weighted and normalised by length, saturate together."""
        frequency = 0.0
        for field, weight in _WEIGHTS.items():
            counts = entry.fields[field]
            if word in counts:
                b = _B.get(field, 0.6)
                frequency += weight * counts[word] / (1 - b + b * counts.total() / self._lengths[field])
        return frequency * (_K1 + 1) / (frequency + _K1)

    def because(self, name: str, query: Query) -> str:
        """Say which words of a query were found where."""
        entry = self.entry(name)
        places: dict[str, list[str]] = {}
        said = [((word,), spoken) for word, spoken in query.words.items()]
        for stems, spoken in [*said, *((sense.stems, sense.word) for sense in query.senses)]:
            field = next((field for field in _WEIGHTS if not entry.fields[field].keys().isdisjoint(stems)), None)
            if field is not None:
                places.setdefault(field, []).append(spoken)
        return "; ".join(f"{field}: {', '.join(found)}" for field, found in places.items())


def _factor(entry: Entry, query: Query) -> float:
    """Say how well a tool's effect fits what is asked for, and its path the values that are given."""
    return _effect_factor(entry, query) * (_PAIRED if query.pairs and entry.has_pair else 1.0)


def _effect_factor(entry: Entry, query: Query) -> float:
    if query.wanted != "answer":
        return _BONUS if entry.method in METHODS.get(query.wanted, ()) else 1.0
    if not entry.reads:
        return _MALUS
    return _BONUS * (_LISTING if query.wants_many and not entry.is_of_one else 1.0)


def _entry(name: str, operation: Operation, known: dict[int, tuple[Any, list[str]]]) -> Entry:
    body = operation.request_body
    media = choose_body(body).media if body is not None else None
    names = [parameter.name for parameter in operation.parameters]
    names += body_properties(media.schema, Pool()) if media is not None else ()
    spoken = name if not operation.operation_id else operation.operation_id
    first = next(iter(text_words(" ".join(name_words(spoken)))), "")
    result = choose_result(operation.responses)
    examples = result.media.examples if result.media is not None else ()
    fields = {
        "name": _counted([spoken]),
        "summary": Counter(text_words(plain_text(operation.summary, 500))),
        "path": _counted(operation.path.split("/")),
        "tags": Counter(word for tag in operation.tags for word in text_words(tag)),
        "arguments": _counted(names),
        "description": Counter(text_words(plain_text(operation.description, 2000))),
        "results": _counted(_names_in(result.schema, known)),
        "examples": Counter(set(_example_words(examples))),
    }
    return Entry(
        name,
        operation.method,
        operation.method in METHODS["read"] or first in READING,
        "{" in operation.path,
        bool(_PAIR.search(operation.path)),
        fields,
    )


def _names_in(schema: Any, known: dict[int, tuple[Any, list[str]]]) -> Sequence[str]:
    """Name the properties of an answer; a schema that several operations share is walked once."""
    if schema is None:
        return ()
    if id(schema) not in known:
        known[id(schema)] = schema, result_names(schema)
    return known[id(schema)][1]


def _example_words(examples: Iterable[Any]) -> Iterator[str]:
    """Give the words of the short texts in examples."""
    left = MAX_EXAMPLE_WORDS
    waiting = deque(examples)
    while waiting and left > 0:
        value = waiting.popleft()
        if isinstance(value, dict):
            waiting.extend(islice(value.values(), left))
        elif isinstance(value, list):
            waiting.extend(islice(value, left))
        elif isinstance(value, str) and len(value) <= MAX_EXAMPLE_TEXT:
            words = text_words(value)
            left -= len(words) or 1
            yield from words


def _counted(names: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name in names:
        # Names in other scripts have no words of their own: they count as text does.
        found.update(text_words(name) if not name.isascii() else [stem(word) for word in name_words(name)])
    return found
