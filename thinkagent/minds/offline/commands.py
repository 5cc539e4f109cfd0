"""Orders: making, issuing, changing and removing things, and the operations of a resource's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.patterns import Env, Found
from thinkagent.minds.offline.query import (
    Act,
    Change,
    Create,
    Entity,
    Issue,
    Literal,
    Query,
    Reason,
    Refusal,
    Remove,
    Select,
)
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.things import Things
from thinkagent.minds.offline.values import Unfit, fit_value, values_named
from thinkagent.minds.offline.words import split_name
from thinkagent.tools.model import Tool

__all__ = ["Commands", "creates", "making_tool", "needs_more"]

_IDS = {"id", "uuid", "key", "ref", "slug", "code", "number"}

Meaning = Iterator[tuple[Query | Refusal, float]]
Target = Select | Entity


def making_tool(resource: Resource) -> Tool | None:
    """Give the operation that makes one: a POST on the list, or a PUT that is documented to create."""
    if resource.create is not None:
        return resource.create
    return resource.put.tool if resource.put is not None and creates(resource.put.tool) else None


def needs_more(resource: Resource, names: str) -> Reason:
    """Say which parts of a new thing the task does not give."""
    parts = (("kind", resource.label), ("names", names))
    return Reason("a new {kind} also needs {names}, which the task does not give", parts)


def creates(tool: Tool) -> bool:
    """Say whether the document tells that this PUT may create what it names."""
    return any(response.status == "201" for response in tool.operation.responses)


class Commands(Things):
    """Adds the terms of orders and what they mean."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader.terms |= {
            "gift": self.gift,
            "giving": self.giving,
            "receiver": self.target,
            "target": self.target,
            "changing": self.changing,
            "newvalue": self.value,
            "assigned": self.assigned,
        }

    # terms

    def target(self, at: int, env: Env) -> Iterator[Found]:
        """Read whom or what an order is about: one thing, or all things that are said to be meant."""
        yield from self.entity(at, env)
        yield from self.things(at, env)

    def giving(self, at: int, env: Env) -> Iterator[Found]:
        """Read the verb that an operation which makes things is itself called by: `send` for `sendMessage`."""
        for resource in self.words.resources:
            tool = resource.create
            called = split_name(tool.operation.operation_id or tool.summary) if tool is not None else ()
            for end, cost in self.words.match(at, called[:1]) if called else ():
                if cost < 1.0:
                    yield Found(resource, end, cost)

    def gift(self, at: int, env: Env) -> Iterator[Found]:
        """Read what is issued: `GOLD2 badge`; the value is (resource, values of its body)."""
        for resource in self.words.resources:
            if resource.create is None:
                continue
            if "giving" in env and env["giving"] is not resource:
                continue
            body = self.body(resource, resource.create)
            for before in self._gift_values(at, body):
                for noun in self.words.resources_at(before.end):
                    if noun.resource is not resource:
                        continue
                    cost = before.cost + noun.cost
                    yield Found((resource, before.value), noun.end, cost)
                    if not before.value:
                        for after in self._gift_values(noun.end, body):
                            if after.value:
                                yield Found((resource, after.value), after.end, cost + after.cost)

    def _gift_values(self, at: int, body: Resource) -> Iterator[Found]:
        yield Found((), at, 0.0)
        for reading in self.words.values_at(at, body):
            yield Found(((reading.field, reading.value),), reading.end, reading.cost)
        for found in self.literal(at, {}):
            fields = [one for one in body.coding if not one.choices and not _points_away(one)]
            if found.value.kind in ("id", "quoted") and len(fields) == 1:
                yield Found(((fields[0], found.value.text),), found.end, found.cost + 0.2)

    def changing(self, at: int, env: Env) -> Iterator[Found]:
        """Read the field that is to change; the value maps each resource to the fields that fit."""
        by_end: dict[int, dict[Resource, list[tuple[Field, float]]]] = {}
        for resource in self.words.resources:
            for reading in self.words.fields_at(at, self.body(resource, _changing_tool(resource))):
                options = by_end.setdefault(reading.end, {}).setdefault(resource, [])
                options.append((reading.field, reading.cost))
        for end, found in by_end.items():
            yield Found(found, end, 0.1)

    def assigned(self, at: int, env: Env) -> Iterator[Found]:
        """Read `with price 12.50 and stock 3` for the resource at hand; the value is a tuple of (field, literal)."""
        resource = env["resource"]
        body = self.body(resource, making_tool(resource))
        for start in self.reader.read_any(("[,] (with|having) [a|an|the]", "[,|且|并且|,且]"), at, {}):
            yield from self._assignments(start.end, body)

    def _assignments(self, at: int, body: Resource) -> Iterator[Found]:
        for reading in self.words.fields_at(at, body):
            for sign in self.reader.read_any(("[of|=|:|is|set to]", "(为|是|设为)"), reading.end, {}):
                for value in self.value(sign.end, {}):
                    pair = (reading.field, value.value)
                    cost = reading.cost + value.cost + 0.1
                    yield Found((pair,), value.end, cost)
                    for joint in self.reader.read_any(("(and|,|, and) [a|an|the]", "(、|,|和|且|并且)"), value.end, {}):
                        for rest in self._assignments(joint.end, body):
                            yield Found((pair, *rest.value), rest.end, cost + rest.cost)

    # making

    def _mean_create(self, env: Env) -> Meaning:
        resource, parent = env["resource"], env.get("parent")
        tool = making_tool(resource)
        if tool is None:
            yield (
                Refusal(
                    reason=Reason("the document has no operation that creates a {kind}", (("kind", resource.label),))
                ),
                0.0,
            )
            return
        try:
            values = tuple((field, fit_value(field, literal)) for field, literal in env.get("assigned", ()))
        except Unfit as error:
            yield Refusal(reason=error.reason), 0.0
            return
        if len({field for field, _ in values}) < len(values):
            return
        yield Create(resource, env.get("name"), values, (parent,) if parent is not None else ()), 0.0

    def _mean_issue(self, env: Env) -> Meaning:
        yield from self._issue(env["gift"], env["receiver"])

    def _mean_issue_each(self, env: Env) -> Meaning:
        select = env["things"]
        if not select.single:
            yield from self._issue(env["gift"], _all_of(select))

    def _issue(self, gift: tuple[Resource, tuple[tuple[Field, object], ...]], receiver: Target) -> Meaning:
        resource, values = gift
        if isinstance(receiver, Select) and not receiver.quantified:
            return
        body = self.body(resource, resource.create)
        for parent, field in self._pointers(resource, body, receiver):
            missing = [
                one.label
                for one in body.top
                if one.required and one is not field and all(one is not given for given, _ in values)
            ]
            if missing:
                names = ", ".join(repr(name) for name in missing)
                yield Refusal(reason=needs_more(resource, names)), 0.0
                continue
            each = receiver if isinstance(receiver, Select) else None
            one = receiver if isinstance(receiver, Entity) else None
            yield Issue(resource, field, parent, values, each, one), 0.0

    def _pointers(self, gift: Resource, body: Resource, receiver: Target) -> list[tuple[Resource, Field | str]]:
        """Give where the receiver's identifier goes: a field of the body, or an argument of the path."""
        wanted = receiver.resource
        found: list[tuple[Resource, Field | str]] = [
            (parent, argument)
            for argument, key in gift.create_parents
            for parent in self.words.resources
            if parent.key == key and wanted in (None, parent)
        ]
        for one in body.fields:
            words = one.words[:-1] if len(one.words) > 1 and one.words[-1] in _IDS else one.words
            for parent in self.words.resources:
                fits = wanted is parent or (wanted is None and (parent.naming or parent.get is not None))
                fits = fits and parent.document == gift.document
                if parent.words == words and fits and one.kind in ("text", "number", "any"):
                    found.append((parent, one))
        return found

    # changing

    def _mean_change(self, env: Env) -> Meaning:
        yield from self._change(env["changing"], env["target"], env["newvalue"])

    def _mean_change_each(self, env: Env) -> Meaning:
        yield from self._change(env["changing"], _all_of(env["things"]), env["newvalue"])

    def _change(self, changing: dict[Resource, list[tuple[Field, float]]], target: Target, literal: Literal) -> Meaning:
        if isinstance(target, Select) and not target.quantified:
            return
        for resource, options in changing.items():
            if target.resource is not None and target.resource is not resource:
                continue
            for field, cost in options:
                try:
                    value = fit_value(field, literal)
                except Unfit as error:
                    yield Refusal(reason=error.reason), cost
                    continue
                yield self._changed(resource, ((field, value),), target), cost

    def _changed(self, resource: Resource, values: tuple[tuple[Field, object], ...], target: Target) -> Change:
        if isinstance(target, Select):
            return Change(resource, values, target, None)
        return Change(resource, values, None, target)

    def _mean_mark(self, env: Env) -> Meaning:
        target, literal = env["target"], env["value"]
        if isinstance(target, Select) and not target.quantified:
            return
        for resource in self.words.resources:
            if target.resource not in (None, resource):
                continue
            for field in self.body(resource, _changing_tool(resource)).fields:
                for one, value in values_named(field, literal.text):
                    yield self._changed(resource, ((one, value),), target), 0.1

    def _mean_rename(self, env: Env) -> Meaning:
        target, literal = env["target"], env["newvalue"]
        if not isinstance(target, Entity):
            return
        for resource in self.words.resources:
            named = [one for one in self.body(resource, _changing_tool(resource)).naming if one.words[-1] != "email"]
            if target.resource in (None, resource) and len(named) == 1:
                yield self._changed(resource, ((named[0], literal.text),), target), 0.1

    # removing and the operations of a resource's own

    def _mean_remove(self, env: Env) -> Meaning:
        yield from self._remove(env["target"])

    def _mean_remove_each(self, env: Env) -> Meaning:
        yield from self._remove(_all_of(env["things"]))

    def _remove(self, target: Target) -> Meaning:
        if target.resource is not None and target.resource.delete is None:
            kind = target.resource.label
            yield Refusal(reason=Reason("the document has no operation that deletes a {kind}", (("kind", kind),))), 0.0
            return
        if isinstance(target, Select):
            if target.quantified:
                yield Remove(target.resource, target, None), 0.0
            return
        for resource in self.words.resources:
            if resource.delete is not None and target.resource in (None, resource):
                yield Remove(resource, None, target), 0.0

    def _mean_act(self, env: Env) -> Meaning:
        yield from self._act(env["verb"], env["target"])

    def _mean_act_each(self, env: Env) -> Meaning:
        yield from self._act(env["verb"], _all_of(env["things"]))

    def _act(self, verb: tuple[Resource, Any], target: Target) -> Meaning:
        resource, operation = verb
        if target.resource not in (None, resource):
            return
        if isinstance(target, Select):
            if target.quantified:
                yield Act(resource, operation, target, None), 0.0
        else:
            yield Act(resource, operation, None, target), 0.0


def _all_of(select: Select) -> Select:
    """Take things that `each of them` has pointed at: all of them are meant."""
    return replace(select, quantified=True)


def _changing_tool(resource: Resource) -> Tool | None:
    operation = resource.patch or resource.put
    return operation.tool if operation is not None else None


def _points_away(field: Field) -> bool:
    return len(field.words) > 1 and field.words[-1] == "id"
