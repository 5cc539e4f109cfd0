"""Things: `all open tickets of Bob Stone`, with everything that narrows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from thinkagent.minds.offline.conditions import Conditions
from thinkagent.minds.offline.patterns import Env, Found
from thinkagent.minds.offline.query import Condition, Equals, Order, Phrase, Select
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.times import settle_times
from thinkagent.minds.offline.vocabulary import ValueReading
from thinkagent.minds.offline.words import join_tokens, singular

__all__ = ["CONNECTORS", "DETERMINERS", "Things"]

DETERMINERS: tuple[tuple[str, str], ...] = (
    ("(all|every|each|all the|all of the|each of the|every one of the)", "all"),
    ("every single", "all"),
    ("(any|a|an|some)", "some"),
    ("(the|these|those)", "the"),
    ("(所有|全部|每个|每位|每一个|每一位|每名|每本|每件|每张|每条|所有的|全部的|全体)", "all"),
    ("(这|那)(个|位|本|件|条|张)", "the"),
)
CONNECTORS = (
    "(and|but|and also|but also)",
    ",",
    ", (and|but)",
    "(且|并且|而且|又|同时|但|但是|却|、)",
    ",[且|并且|而且|但|但是]",
)
_AFTER_BUT = {"never", "have", "has", "had", "did", "do", "does", "who", "that", "which", *"从没未不尚还"}
_DEPTH = 4


class Things(Conditions):
    """Adds the term `{things}`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader.terms["things"] = self.things
        self._things: dict[int, list[Found]] = {}

    def things(self, at: int, env: Env) -> Iterator[Found]:
        """Read a noun with all that narrows it; the value is a `Select`."""
        if at not in self._things:
            self._things[at] = []  # a noun phrase never contains itself at its own beginning
            self._things[at] = list(self._read_things(at))
        yield from self._things[at]

    def _read_things(self, at: int) -> Iterator[Found]:
        starts = [(at, "")] + [
            (found.end, kind) for pattern, kind in DETERMINERS for found in self.reader.read(pattern, at, {})
        ]
        places = range(at, len(self.tokens))
        named = {reading.resource for place in places for reading in self.words.resources_at(place)}
        listed = [one for one in self.words.resources if one.listings]
        candidates = [one for one in listed if one in named or any(self._kinds(place, one) for place in places)]
        for start, determiner in starts:
            for resource in candidates:
                for before in self._run(start, resource, "before", _DEPTH):
                    for begin, inner in self._inner_determiner(before.end):
                        for end, implied, cost in self._nouns(begin, resource):
                            whole = Found((*before.value, *implied), end, before.cost + cost)
                            lead, noun = self._text(start, before.end), self._text(begin, end)
                            yield from self._complete(at, resource, whole, inner or determiner, Phrase(lead, noun))

    def _nouns(self, at: int, resource: Resource) -> Iterator[tuple[int, tuple[Condition, ...], float]]:
        """Read the resource's own name, or a listed kind of it in the plural: `novels` are books of that genre."""
        for noun in self.words.resources_at(at):
            if noun.resource is resource:
                yield noun.end, (), noun.cost
        for kind in self._kinds(at, resource):
            yield kind.end, (Equals((kind.field,), kind.value),), kind.cost + 0.5

    def _kinds(self, at: int, resource: Resource) -> list[ValueReading]:
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None or token.kind != "word" or singular(token.lower) == token.lower:
            return []
        return [one for one in self.words.values_at(at, resource) if isinstance(one.value, str) and one.end == at + 1]

    def _inner_determiner(self, at: int) -> Iterator[tuple[int, str]]:
        yield at, ""
        for pattern, kind in DETERMINERS[4:5]:
            for found in self.reader.read(pattern, at, {}):
                yield found.end, kind

    def _text(self, start: int, end: int) -> str:
        return join_tokens(self.tokens[start:end])

    def _complete(self, at: int, resource: Resource, before: Found, determiner: str, phrase: Phrase) -> Iterator[Found]:
        # `were there` says nothing: how many loans were there in 2025
        starts = [before.end, *(found.end for found in self.reader.read("(are|were|is|was) there", before.end, {}))]
        for start, after in [(end, one) for end in starts for one in self._run(end, resource, "after", _DEPTH)]:
            parts = (*before.value, *after.value)
            orders = [part for part in parts if isinstance(part, Order)]
            conditions = settle_times(resource, tuple(part for part in parts if not isinstance(part, Order)))
            if conditions is None:
                continue
            last = self.tokens[before.end - 1]
            plural = last.kind == "cjk" or singular(last.lower) != last.lower
            ranked_many = bool(orders) and plural and last.kind != "cjk"
            if len(orders) > 1 or len(set(conditions)) < len(conditions) or ranked_many:
                continue
            select = Select(
                resource,
                conditions,
                orders[0] if orders else None,
                quantified=determiner == "all" or (determiner != "some" and bool(parts)),
                single=(not plural and determiner != "all") or bool(orders),
                text=join_tokens([*self.tokens[at : before.end], *self.tokens[start : after.end]]),
                phrase=replace(phrase, tail=self._text(start, after.end)),
            )
            self.reader.furthest = max(self.reader.furthest, after.end)
            yield Found(select, after.end, before.cost + after.cost + 0.1)

    def _run(self, at: int, resource: Resource, place: str, depth: int) -> Iterator[Found]:
        """Read no condition, or one and what follows it."""
        yield Found((), at, 0.0)
        if depth == 0:
            return
        for start, cost in self._joints(at, depth):
            for first in self.conditions(start, resource, place):
                for end in self._closings(first.end, place):
                    for rest in self._run(end, resource, place, depth - 1):
                        yield Found((first.value, *rest.value), rest.end, first.cost + rest.cost + cost)

    def _joints(self, at: int, depth: int) -> Iterator[tuple[int, float]]:
        yield at, 0.0
        if depth < _DEPTH:
            for found in self.reader.read_any(CONNECTORS, at, {}):
                joint = self.tokens[found.end - 1].lower
                follows = self.tokens[found.end].lower if found.end < len(self.tokens) else ""
                # `all but cancelled` leaves out what `all but who never paid` keeps
                if joint not in ("but", "但", "是") or follows in _AFTER_BUT:
                    yield found.end, 0.05

    def _closings(self, at: int, place: str) -> Iterator[int]:
        yield at
        if place == "before" and at < len(self.tokens) and self.tokens[at].text == "的":
            yield at + 1
