"""Questions about one thing: looking up what it has, and showing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from thinkagent.minds.offline.expressions import path_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known, find
from thinkagent.minds.offline.query import Entity, Lookup, Show
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Script, escaped, reference
from thinkagent.minds.offline.selecting import Selecting
from thinkagent.values import write_json

__all__ = ["OneThing", "findable"]

_SHOWN_FIELDS = 15


def findable(resources: Sequence[Resource], entity: Entity) -> list[Resource]:
    """Give the resources that an entity without a resource may be of."""
    if entity.resource is not None:
        return [entity.resource]
    named = entity.literal.kind in ("name", "quoted", "email")
    return [
        one
        for one in resources
        if (one.listings and (one.naming or one.coding)) or (one.get is not None and not (named and one.fields))
    ]


class OneThing(Selecting):
    """Looks up and shows."""

    def __init__(self, script: Script, resources: Sequence[Resource]) -> None:
        super().__init__(script)
        self.resources = resources

    def lookup(self, query: Lookup) -> NoReturn:
        say, script = self.script.language, self.script
        options = dict(query.options)
        labels = say.comma.join(dict.fromkeys(say.field(one) for fields in options.values() for one in fields))
        name = escaped(query.entity.literal.text)
        script.plan = {
            "find": say('find "{name}"', name=name),
            "answer": say("read {fields} from it", fields=labels),
        }
        known = find(script, query.entity, list(options))
        fields = options[known.resource]
        known = self._with_details(known, fields)
        values = [self._scalar(known, one) for one in fields]
        if any(value is None for value in values):
            known, values = self._computed(known, fields)
        parts = [
            say("{field}: {value}", field=say.field(one), value=value)
            for one, value in zip(fields, values, strict=True)
        ]
        answer = say("{name}: {parts}", name=known.label, parts=say.comma.join(parts))
        if len(fields) == 1:
            answer = say(
                "The {field} of {name} is {value}.", field=say.field(fields[0]), name=known.label, value=values[0]
            )
        bare = values[0] if len(fields) == 1 else None
        thought = say("I have {name} now and can read {fields} from it.", name=name, fields=labels)
        script.finish("done", answer, thought=thought, evidence=[known.name], value=bare)

    def _with_details(self, known: Known, fields: Sequence[Field]) -> Known:
        """Ask for the thing itself where the list does not give what is wanted."""
        resource = known.resource
        wanted = [one for one in fields if one in resource.details]
        one = resource.get
        if not wanted or one is None or known.seen.value(*known.item, *wanted[0].path) is not None:
            return known
        say = self.script.language
        name = self.script.name(resource.label)
        arguments = {
            **{argument: owner.id_value for argument, owner in self._above(known)},
            one.argument: known.id_value,
        }
        thought = say(
            "The list does not hold {field}; the operation for one {kind} does.",
            field=wanted[0].label,
            kind=resource.label,
        )
        seen = self.script.do(one.tool.name, arguments, save_as=name, thought=thought, doing="find")
        if not seen.ok:
            self.script.give_up(seen)
        return Known(
            resource,
            name,
            known.id_value,
            known.id_code,
            known.label_code,
            resource.item_pointer,
            known.label,
            seen,
            known.above,
        )

    def _above(self, known: Known) -> list[tuple[str, Known]]:
        parents = known.resource.get.parents if known.resource.get is not None else ()
        return [(argument, owner) for argument, key in parents for owner in known.above if owner.resource.key == key]

    def _scalar(self, known: Known, field: Field) -> str | None:
        """Refer to a value that can stand in a text; None where it has to be computed first."""
        value = known.seen.value(*known.item, *field.path)
        if value is None or isinstance(value, dict | list) or (isinstance(value, str) and value.startswith("…")):
            return None
        return reference(known.name, *known.item, *field.path)

    def _computed(self, known: Known, fields: Sequence[Field]) -> tuple[Known, list[str | None]]:
        say, script = self.script.language, self.script
        name = script.name("values")
        row = path_of(known.name, known.item)
        code = [f"thing = {row}", "texts = []"]
        nothing = say("not given")
        for one in fields:
            code.append(f"value = {_safely('thing', one)}")
            code.append(
                f"texts.append({write_json(nothing)} if value is None else "
                'value if not isinstance(value, list) else ", ".join([str(v) for v in value]))'
            )
        code.append("[t if isinstance(t, str) else str(t) for t in texts]")
        labels = say.comma.join(say.field(one) for one in fields)
        thought = say("I read {fields} with care: a value may be missing, or be a list.", fields=labels)
        seen = script.compute("\n".join(code), save_as=name, thought=thought, doing="answer")
        values = [f"<<steps.{name}.result[{number}]>>" for number in range(len(fields))]
        found = Known(known.resource, name, known.id_value, known.id_code, known.label_code, (), known.label, seen)
        return found, list(values)

    def show(self, query: Show) -> NoReturn:
        say, script = self.script.language, self.script
        name = escaped(query.entity.literal.text)
        script.plan = {"find": say('find "{name}"', name=name), "answer": say("show what is known of it")}
        known = find(script, query.entity, findable(self.resources, query.entity))
        shown: list[str] = []
        for one in (*known.resource.fields, *known.resource.details):
            value = self._scalar(known, one)
            if value is not None and len(shown) < _SHOWN_FIELDS:
                shown.append(f"{one.label}: {value}")
        if not shown:
            shown = self._shown_keys(known)
        answer = say("{kind} {name}: {parts}", kind=known.resource.label, name=known.label, parts=say.comma.join(shown))
        thought = say("I have {name} and tell what the API says of it.", name=name)
        script.finish("done", answer, thought=thought, evidence=[known.name])

    def _shown_keys(self, known: Known) -> list[str]:
        value = known.seen.value(*known.item)
        keys = (
            [key for key, item in value.items() if not isinstance(item, dict | list | None.__class__)]
            if isinstance(value, dict)
            else []
        )
        return [f"{escaped(key)}: {reference(known.name, *known.item, key)}" for key in keys if '"' not in key][
            :_SHOWN_FIELDS
        ]


def _safely(row: str, field: Field) -> str:
    found = row
    for name in field.path[:-1]:
        found = f"({found}.get({write_json(name)}) or {{}})"
    return f"{found}.get({write_json(field.path[-1])})"
