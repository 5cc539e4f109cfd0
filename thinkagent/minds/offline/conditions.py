"""Things and which of them: `customers registered more than 30 days ago who never ordered`.

A condition is read for one resource, before its name or after it. In English most stand after, in Chinese before;
both kinds are in one table, and a pattern that is written in one language simply never matches the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from thinkagent.minds.offline.dates import span_bounds
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.lexicon.rules import read_rules
from thinkagent.minds.offline.patterns import Env, Found
from thinkagent.minds.offline.query import (
    Compare,
    Condition,
    Entity,
    Equals,
    Missing,
    Order,
    Owned,
    Related,
    Select,
    Timed,
    When,
)
from thinkagent.minds.offline.resources import Relation, Resource
from thinkagent.minds.offline.superlatives import COMPARATIVES, SUPERLATIVES, superlative_field
from thinkagent.minds.offline.terms import Terms, fields_named
from thinkagent.minds.offline.vocabulary import ValueReading
from thinkagent.minds.offline.words import PAST, is_cjk, join_tokens, singular, split_name

__all__ = ["CONDITIONS", "CONNECTORS", "DETERMINERS", "Things", "creation_field", "owners"]

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

CONDITIONS = read_rules("conditions.txt")
_CREATED = {"create", "created", "add", "added", "place", "placed", "insert", "inserted", "issue", "issued", "open", "opened",
            "order", "ordered", "post", "posted", "submit", "submitted", "register", "registered", "publish", "published",
            "join", "joined", "date", "timestamp"}  # fmt: skip
_AFTER_BUT = {"never", "have", "has", "had", "did", "do", "does", "who", "that", "which", *"从没未不尚还"}
_LATER = {"update", "updated", "modified", "changed", "shipped", "delivered", "paid", "cancelled", "canceled", "closed",
          "completed", "resolved", "returned", "refunded", "deleted", "archived", "last", "edited", "fulfilled"}  # fmt: skip
_AUTHORS = ("author", "writer", "artist", "creator", "composer", "director", "publisher", "maker", "owner", "reporter")
_PLACES = ("city", "town", "country", "region", "state", "province", "location", "district", "place", "county")
_DEPTH = 4


def creation_field(resource: Resource) -> Field | None:
    """Give the one date that says since when a thing exists: the only date, or the only one called so."""
    dates = [one for one in resource.fields if one.kind in ("date", "moment")]
    if len(dates) == 1:
        return dates[0]
    called = [one for one in dates if set(split_name(one.path[-1])) & (_CREATED - {"date", "timestamp"})]
    strict = [one for one in called if split_name(one.path[-1])[0] in ("create", "created")]
    if len(strict) == 1 and len(called) == 1:
        return strict[0]
    return called[0] if len(called) == 1 else None


def _begins_plainly(resource: Resource) -> bool:
    """Say whether a date without a verb can only mean when a thing began: no due date, year or birthday competes."""
    first = creation_field(resource)
    others = [one for one in resource.fields if one.kind in ("date", "moment") and one is not first]
    years = [one for one in resource.fields if one.kind == "number" and "year" in one.words]
    return first is not None and not years and all(split_name(one.path[-1])[0] in _LATER for one in others)


def settle_times(resource: Resource, parts: tuple[Condition | Timed, ...]) -> tuple[Condition, ...] | None:
    """Say what each bare time is about; None where that cannot be told.

    Beside a deed it is the time of the deed (`who ordered in the last week`). Beside a state it may be when the state
    began or when the thing did (`cancelled last week`), so there is no reading.
    """
    settled: list[Condition | None] = [None if isinstance(part, Timed) else part for part in parts]
    for place, part in enumerate(parts):
        if not isinstance(part, Timed):
            continue
        beside = [one for one in (place - 1, place + 1) if 0 <= one < len(parts) and isinstance(parts[one], Related)]
        if len(beside) == 1:
            related = settled[beside[0]]
            assert isinstance(related, Related)  # of the same place in parts
            child = related.relation.child
            field = creation_field(child)
            if field is None or not _begins_plainly(child) or related.conditions:
                return None
            settled[beside[0]] = replace(related, conditions=(When(field, part.bounds),))
        else:
            field = creation_field(resource)
            states = [one for one in parts if isinstance(one, Equals) and _is_state(one)]
            if field is None or not _begins_plainly(resource) or states or beside:
                return None
            settled[place] = When(field, part.bounds)
    return tuple(one for one in settled if one is not None)


def _is_state(condition: Equals) -> bool:
    value = condition.value
    return isinstance(value, bool) or condition.negated or value.lower().endswith("ed") or value.lower() in PAST


def owners(resource: Resource, entity: Entity) -> tuple[Relation, ...]:
    """Give the relations by which such things may belong to the entity."""
    found = [one for one in resource.relations if entity.resource is None or one.parent is entity.resource]
    if entity.resource is None and entity.literal.kind in ("name", "quoted", "email"):
        found = [one for one in found if one.parent.naming or one.parent.coding or not one.parent.fields]
    return tuple(found)


class Things(Terms):
    """Adds the terms `{things}`, `{child}`, `{deed}` and `{superlative}`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader.terms |= {
            "things": self.things,
            "child": self.child,
            "deed": self.child,
            "did": self.did,
            "superlative": self.superlative,
            "comparative": self.comparative,
        }
        self._things: dict[int, list[Found]] = {}
        self._conditions: dict[tuple[int, int, str], list[Found]] = {}

    # what a condition is made of

    def child(self, at: int, env: Env) -> Iterator[Found]:
        """Read the name or the deed of what belongs to the resource at hand; the value is the relation."""
        for reading in self.words.resources_at(at):
            for relation in reading.resource.relations:
                if relation.parent is env["of"]:
                    yield Found(relation, reading.end, reading.cost + 0.1)

    def did(self, at: int, env: Env) -> Iterator[Found]:
        """Read a deed in the past: `ordered`, `bought`; a plain noun is none."""
        word = self.tokens[at].lower if at < len(self.tokens) else ""
        if is_cjk(word[:1] or " "):
            yield from (one for one in self.child(at, env) if "过" in join_tokens(self.tokens[at : one.end]))
        elif word.endswith("ed") or (word in PAST and singular(word) != word):
            yield from self.child(at, env)

    def superlative(self, at: int, env: Env) -> Iterator[Found]:
        for pattern, wanted, descending in SUPERLATIVES:
            for found in self.reader.read(pattern, at, {}):
                field = superlative_field(env["of"], wanted, creation_field(env["of"]))
                if field is not None:
                    most = descending if not (wanted == "age" and field.kind != "number") else not descending
                    yield Found(Order(field, most), found.end, found.cost + 0.1)

    def comparative(self, at: int, env: Env) -> Iterator[Found]:
        for pattern, measure, operator in COMPARATIVES:
            for found in self.reader.read(pattern, at, {}):
                yield Found((measure, operator), found.end, 0.1)

    # conditions on one resource

    def conditions(self, at: int, resource: Resource, place: str) -> list[Found]:
        key = (at, id(resource), place)
        if key not in self._conditions:
            self._conditions[key] = []
            self._conditions[key] = list(self._read_conditions(at, resource, place))
        return self._conditions[key]

    def _read_conditions(self, at: int, resource: Resource, place: str) -> Iterator[Found]:
        for rule in CONDITIONS:
            if rule.place not in (place, "both"):
                continue
            for found in self.reader.read(rule.pattern, at, {"of": resource}):
                if found.end > at:
                    yield from self._build(rule.meaning, resource, found)

    def _build(self, meaning: str, resource: Resource, found: Found) -> Iterator[Found]:
        builder: Callable[[Resource, Env], Iterator[tuple[Condition | Order | Timed, float]]] = getattr(
            self, "_on_" + meaning
        )
        for condition, cost in builder(resource, found.value):
            yield Found(condition, found.end, found.cost + cost + 0.05)

    def _on_adjective(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        field, value = env["adjective"]
        yield Equals((field,), value), 0.0

    def _on_not_adjective(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        field, value = env["adjective"]
        if isinstance(value, bool):
            yield Equals((field,), not value), 0.5
        else:
            yield Equals((field,), value, negated=True), 0.5

    def _on_code(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        literal = env["literal"]
        coding = [one for one in resource.coding if not one.choices]
        if literal.kind in ("id", "quoted") and len(coding) == 1:
            yield Equals((coding[0],), literal.text, known=False), 0.3

    def _on_equals(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        field, literal = env["text_field"], env["value"]
        if field.choices:
            choice = next((one for one in field.choices if one.lower() == literal.text.lower()), None)
            if choice is not None:
                yield Equals((field,), choice), 0.0
        else:
            yield Equals((field,), literal.text, known=False), 0.2

    def _on_compare(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield Compare(env["number_field"], env.get("compare", "=="), env["quantity"]), 0.0

    def _on_costs(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        for field, cost in price_fields(resource):
            yield Compare(field, env["compare"], env["quantity"]), cost

    def _on_comparative(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        measure, operator = env["comparative"]
        field = superlative_field(resource, measure, None)
        if field is not None and field.kind == "number":
            yield Compare(field, operator, env["quantity"]), 0.1

    def _on_missing(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        field = env["any_field"]
        if field.kind not in ("boolean", "number") and not field.required:
            yield Missing(field), 0.3

    def _on_when(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield When(env["date_field"], env["when"]), 0.0

    def _on_timed(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        if _begins_plainly(resource):
            yield from self._on_created(resource, env)

    def _on_bare(self, resource: Resource, env: Env) -> Iterator[tuple[Timed, float]]:
        yield Timed(env["when"]), 0.4

    def _on_created(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        field = creation_field(resource)
        if field is not None:
            yield When(field, env["when"]), 0.4

    def _span(self, resource: Resource, env: Env, meaning: str) -> Iterator[tuple[Condition, float]]:
        field = env.get("date_field") or creation_field(resource)
        if field is not None and not fields_named(resource, "age"):
            yield When(field, span_bounds(meaning, self.now, env["n"], env["unit"])), 0.1

    def _on_older(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield from self._span(resource, env, "before_span")

    def _on_newer(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield from self._span(resource, env, "after_span")

    def _on_older_by(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield When(env["date_field"], span_bounds("before_span", self.now, env["n"], env["unit"])), 0.0

    def _on_since_by(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield When(env["date_field"], span_bounds("upto_span", self.now, env["n"], env["unit"])), 0.0

    def _on_newer_by(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield When(env["date_field"], span_bounds("after_span", self.now, env["n"], env["unit"])), 0.0

    def _on_never(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield Related(env.get("child") or env["deed"], "==", 0), 0.0

    def _on_ever(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield Related(env.get("child") or env.get("did") or env["deed"], ">=", 1), 0.2

    def _on_so_many(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        yield Related(env["child"], env.get("compare", "=="), env["n"]), 0.0

    def _on_owned(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        relations = owners(resource, env["entity"])
        if relations and len(relations) <= 4:
            yield Owned(relations, env["entity"]), 0.0

    def _on_inside(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        """A place that is not said to be a thing has to be one that the paths know: `in demo`, not `in euros`."""
        entity = env["entity"]
        relations = owners(resource, entity)
        if entity.resource is None and entity.literal.kind == "word":
            relations = tuple(one for one in relations if one.nested is not None)
        if relations and len(relations) <= 4:
            yield Owned(relations, entity), 0.0

    def _on_by(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        entity = env["entity"]
        makers = self._text_fields(resource, _AUTHORS)
        if entity.resource is None and makers:
            yield Equals(makers[:1], entity.literal.text, known=False), 0.0 if len(makers) == 1 else 0.5
        for condition, cost in self._on_owned(resource, env):
            yield condition, cost + (0.4 if makers else 0.0)

    def _on_place(self, resource: Resource, env: Env) -> Iterator[tuple[Condition, float]]:
        if "text_field" in env:
            yield Equals((env["text_field"],), env["literal"].text, known=False), 0.2
            return
        places = self._text_fields(resource, _PLACES)
        if places and env["literal"].kind in ("name", "quoted", "word"):
            yield Equals(places, env["literal"].text, known=False), 0.6

    def _text_fields(self, resource: Resource, words: tuple[str, ...]) -> tuple[Field, ...]:
        return tuple(
            one
            for one in resource.fields
            if one.kind in ("text", "any")
            and not one.choices
            and split_name(one.path[-1])[-1:]
            and split_name(one.path[-1])[-1] in words
        )

    def _on_superlative(self, resource: Resource, env: Env) -> Iterator[tuple[Order, float]]:
        yield env["superlative"], 0.0

    def _measure(self, env: Env, descending: bool) -> Iterator[tuple[Order, float]]:
        by = next(env[name] for name in ("number_field", "date_field", "child") if name in env)
        yield Order(by, descending), 0.0

    def _on_most(self, resource: Resource, env: Env) -> Iterator[tuple[Order, float]]:
        yield from self._measure(env, True)

    def _on_least(self, resource: Resource, env: Env) -> Iterator[tuple[Order, float]]:
        yield from self._measure(env, False)

    # things

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
                            yield from self._complete(at, resource, whole, inner or determiner)

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

    def _complete(self, at: int, resource: Resource, before: Found, determiner: str) -> Iterator[Found]:
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


def price_fields(resource: Resource) -> list[tuple[Field, float]]:
    """Give the fields that say what one of them costs; several are equally near."""
    found = [
        (one, cost)
        for word in ("price", "cost")
        for one, cost in fields_named(resource, word)
        if one.kind == "number" and cost < 2.0
    ]
    least = min((cost for _, cost in found), default=0.0)
    unique = {one: cost for one, cost in found if cost <= least + 0.01}
    return list(unique.items())
