"""Which of the things: conditions on one resource, read before its name or after it.

In English most stand after, in Chinese before; both kinds are in one table (`lexicon/conditions.txt`), and a pattern
that is written in one language simply never matches the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    Timed,
    When,
)
from thinkagent.minds.offline.resources import Relation, Resource
from thinkagent.minds.offline.superlatives import COMPARATIVES, SUPERLATIVES, superlative_field
from thinkagent.minds.offline.terms import Terms, fields_named
from thinkagent.minds.offline.times import begins_plainly, creation_field
from thinkagent.minds.offline.words import PAST, is_cjk, join_tokens, singular, split_name

__all__ = ["CONDITIONS", "Conditions", "owners", "price_fields"]

CONDITIONS = read_rules("conditions.txt")
_AUTHORS = ("author", "writer", "artist", "creator", "composer", "director", "publisher", "maker", "owner", "reporter")
_PLACES = ("city", "town", "country", "region", "state", "province", "location", "district", "place", "county")


def owners(resource: Resource, entity: Entity) -> tuple[Relation, ...]:
    """Give the relations by which such things may belong to the entity."""
    found = [one for one in resource.relations if entity.resource is None or one.parent is entity.resource]
    if entity.resource is None and entity.literal.kind in ("name", "quoted", "email"):
        found = [one for one in found if one.parent.naming or one.parent.coding or not one.parent.fields]
    if entity.resource is None and entity.literal.kind == "word":
        # `orders by drone`: a plain word is a name only where things have no other names
        found = [one for one in found if not one.parent.naming]
    return tuple(found)


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


class Conditions(Terms):
    """Adds the terms `{child}`, `{deed}`, `{did}`, `{superlative}` and `{comparative}`, and what conditions mean."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader.terms |= {
            "child": self.child,
            "deed": self.child,
            "did": self.did,
            "superlative": self.superlative,
            "comparative": self.comparative,
        }
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
                    # the oldest has the earliest date, and the greatest number of years
                    most = descending if field.kind == "number" else field.kind in ("date", "moment") and not descending
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
        if begins_plainly(resource):
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
        relations = owners(resource, env["entity"])
        if env["entity"].resource is None and env["entity"].literal.kind == "word":
            relations = tuple(one for one in relations if one.nested is not None)
        if relations and len(relations) <= 4:
            yield Owned(relations, env["entity"]), 0.0

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
        kinds = {split_name(one.path[-1])[-1] for one in places}
        # a city of birth and one of residence: nobody knows which is meant
        if places and len(kinds) == len(places) and env["literal"].kind in ("name", "quoted", "word"):
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
