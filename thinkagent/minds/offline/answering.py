"""Questions: looking up, showing, listing, counting, adding up, and the first by some measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from thinkagent.minds.offline.expressions import access, label_of, moment, numeric, path_of, ready
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known, find
from thinkagent.minds.offline.query import Aggregate, Count, Entity, ListAll, Lookup, Order, Owned, Select, Show
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Script, Seen, escaped, reference
from thinkagent.minds.offline.selecting import Chosen, Selecting
from thinkagent.values import write_json

__all__ = ["Answering", "findable", "ordering_lines"]

_SHOWN = 50
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


class Answering(Selecting):
    """Carries questions out, step by step."""

    def __init__(self, script: Script, resources: Sequence[Resource]) -> None:
        super().__init__(script)
        self.resources = resources

    # one thing

    def lookup(self, query: Lookup) -> NoReturn:
        say, script = self.script.language, self.script
        options = dict(query.options)
        labels = say.comma.join(dict.fromkeys(one.label for fields in options.values() for one in fields))
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
            say("{field}: {value}", field=one.label, value=value) for one, value in zip(fields, values, strict=True)
        ]
        answer = say("{name}: {parts}", name=known.label, parts=say.comma.join(parts))
        if len(fields) == 1:
            answer = say("The {field} of {name} is {value}.", field=fields[0].label, name=known.label, value=values[0])
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
        thought = say("The list does not hold {field}; the operation for one {kind} does.", field=wanted[0].label,
                      kind=resource.label)  # fmt: skip
        seen = self.script.do(one.tool.name, arguments, save_as=name, thought=thought, doing="find")
        if not seen.ok:
            self.script.give_up(seen)
        return Known(resource, name, known.id_value, known.id_code, known.label_code, resource.item_pointer, known.label,
                     seen, known.above)  # fmt: skip

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
        labels = say.comma.join(one.label for one in fields)
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

    # many things

    def count(self, query: Count) -> NoReturn:
        say, script = self.script.language, self.script
        kinds = say.plural(query.select.resource.label)
        self._plan(query.select, say("count them"))
        chosen = self.choose(query.select)
        name = script.name("number_of_" + "_".join(query.select.resource.words))
        code = [*chosen.found(), f'{{"count": len(found){chosen.doubt}}}']
        thought = say("Now I count the {kinds} that fit, in code and not in my head.", kinds=kinds)
        seen = script.compute("\n".join(code), save_as=name, thought=thought, doing="answer")
        self.check(chosen, seen)
        shown = reference(name, "count")
        answer = say("{what}: {count}", what=_said(query.select), count=shown)
        if not query.select.conditions:
            answer = say("There are {count} {kinds}.", count=shown, kinds=kinds)
            if seen.number("count") == 1:
                answer = say("There is {count} {kind}.", count=shown, kind=query.select.resource.label)
        answer = self._of_owner(answer, query.select, chosen, shown, kinds)
        thought = say("The list is complete, so the number is right.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=shown)

    def _of_owner(self, answer: str, select: Select, chosen: Chosen, shown: str, kinds: str) -> str:
        if len(select.conditions) == 1 and isinstance(select.conditions[0], Owned) and chosen.owners:
            return self.script.language(
                "{owner} has {count} {kinds}.", owner=chosen.owners[0].label, count=shown, kinds=kinds
            )
        return answer

    def aggregate(self, query: Aggregate) -> NoReturn:
        say, script = self.script.language, self.script
        field, kinds = query.field, say.plural(query.select.resource.label)
        self._plan(query.select, say("compute it from all of them"))
        chosen = self.choose(query.select)
        name = script.name(step_word(query.function))
        thought = say("I have all {kinds}; the sum and the average are code's work, exact to the digit.", kinds=kinds)
        seen = script.compute(_aggregation(query, chosen), save_as=name, thought=thought, doing="answer")
        self.check(chosen, seen)
        count = seen.number("count")
        if count == 0:
            answer = say(
                "No {kind} with a value fits, so there is nothing to compute.", kind=query.select.resource.label
            )
            script.finish("failed", answer, thought=say("Of nothing there is nothing to work out."), evidence=[name])
        self._one_unit(seen, name)
        shown = reference(name, "shown")
        who = chosen.owners[0].label if chosen.owners and len(query.select.conditions) == 1 else ""
        what = say("{owner}'s {kinds}", owner=who, kinds=kinds) if who else _said(query.select)
        told = {
            "average": say("The average {field} of {what} is {value}", field=field.label, what=what, value=shown),
            "sum": say("The sum of {field} over {what} is {value}", field=field.label, what=what, value=shown),
            "max": say("The highest {field} of {what} is {value}", field=field.label, what=what, value=shown),
            "min": say("The lowest {field} of {what} is {value}", field=field.label, what=what, value=shown),
        }
        answer = told[query.function] + self._bracket("({count} counted", count=reference(name, "count"))
        if query.function == "average":
            answer += say(", {sum} in all", sum=reference(name, "sum"))
        if seen.value("units"):
            answer += say(", in {unit}", unit=reference(name, "unit"))
        if seen.value("rounded") is True:
            answer += say(", rounded")
        if seen.number("missing"):
            answer += say(", {missing} without a value left out", missing=reference(name, "missing"))
        answer += say(").")
        thought = say("Every page was read and every value counted, so I can answer.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=reference(name, "value"))

    def _bracket(self, template: str, **parts: str) -> str:
        """Open a bracket behind a sentence: a blank comes before it in English only."""
        return ("" if self.script.language.chinese else " ") + self.script.language(template, **parts)

    def _one_unit(self, seen: Seen, name: str) -> None:
        if seen.number("units") > 1:
            say = self.script.language
            answer = say("The values are in different units ({units}), so they cannot be put together.",
                         units=reference(name, "unit"))  # fmt: skip
            self.script.finish("failed", answer, thought=say("Different units must not be mixed."), evidence=[name])

    def list_all(self, query: ListAll) -> NoReturn:
        if query.select.order is not None:
            self._first(query, query.select.order)
        say, script = self.script.language, self.script
        resource, kinds = query.select.resource, say.plural(query.select.resource.label)
        self._plan(query.select, say("name them"))
        chosen = self.choose(query.select)
        name = script.name("found")
        code = [*chosen.found(), f"names = [{_named('r', resource, query.fields)} for r in found]"]
        code.append(
            f'{{"count": len(found), "text": {write_json(say.comma)}.join(names[:{_SHOWN}]), '
            f'"more": max(len(names) - {_SHOWN}, 0){chosen.doubt}, "names": names}}'
        )
        thought = say("From the complete list I keep the {kinds} that fit.", kinds=kinds)
        seen = script.compute("\n".join(code), save_as=name, thought=thought, doing="answer")
        self.check(chosen, seen)
        self._one_only(query.select, seen)
        bare = reference(name, "names")
        thought = say("I have looked at every one of them.")
        if seen.number("count") == 0:
            answer = say("{what}: none", what=_said(query.select))
            script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=bare)
        answer = say("{what}: {count} ({names})", what=_said(query.select), count=reference(name, "count"),
                     names=reference(name, "text"))  # fmt: skip
        if seen.number("more"):
            answer += say("; {more} more", more=reference(name, "more"))
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=bare)

    def _one_only(self, select: Select, seen: Seen) -> None:
        """End the run where the task speaks of one thing and several fit."""
        count = seen.number("count") or seen.count
        if select.single and count > 1:
            say, kind = self.script.language, select.resource.label
            answer = say("The task speaks of one {kind}, but {count} fit.", kind=kind, count=count)
            thought = say("One was meant and several fit; I do not choose between them.")
            self.script.finish("failed", answer, thought=thought)

    def _first(self, query: ListAll, order: Order) -> NoReturn:
        say, script = self.script.language, self.script
        resource = query.select.resource
        self._plan(query.select, say("take the first of them"))
        chosen = self.choose(query.select)
        name = script.name("first")
        by = order.by.label if isinstance(order.by, Field) else say.plural(order.by.child.label)
        thought = say("I compare them by {by}; several may share the first place.", by=by)
        seen = script.compute(_firsts(query, order, chosen), save_as=name, thought=thought, doing="answer")
        self.check(chosen, seen)
        count = seen.number("count")
        if count == 0:
            answer = say("No {kind} fits.", kind=resource.label)
            script.finish("failed", answer, thought=say("Of nothing there is nothing to work out."), evidence=[name])
        self._one_unit(seen, name)
        answer = say("{names} ({by}: {value}", names=reference(name, "text"), by=by, value=reference(name, "value"))
        if seen.value("units"):
            answer += say(", in {unit}", unit=reference(name, "unit"))
        answer += say(")")
        if count > 1:
            answer += say("; {count} share the first place", count=reference(name, "count"))
        answer += say(".")
        thought = say("The comparison went over every one of them, so this is the answer.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=reference(name, "text"))

    # the plan

    def _plan(self, select: Select, last: str) -> None:
        say = self.script.language
        plan: dict[str, str] = {}
        owned = [one for one in select.conditions if isinstance(one, Owned)]
        if owned:
            names = say.comma.join(f'"{escaped(one.entity.literal.text)}"' for one in owned)
            plan["find"] = say("find {name}", name=names)
        plan["list"] = say("list all {kinds}", kinds=say.plural(select.resource.label))
        joins = _joins(select)
        if joins:
            plan["join"] = say("list what belongs to them: {kinds}",
                               kinds=say.comma.join(say.plural(one.label) for one in joins))  # fmt: skip
        plan["answer"] = last
        self.script.plan = plan


def _joins(select: Select) -> list[Resource]:
    from_conditions = [one.relation.child for one in select.conditions if hasattr(one, "relation")]
    from_order = [select.order.by.child] if select.order is not None and hasattr(select.order.by, "child") else []
    return list(dict.fromkeys([*from_conditions, *from_order]))


def _said(select: Select) -> str:
    return escaped(select.text or select.resource.label)


def step_word(function: str) -> str:
    return {"average": "average", "sum": "total", "max": "highest", "min": "lowest"}[function]


def _safely(row: str, field: Field) -> str:
    found = row
    for name in field.path[:-1]:
        found = f"({found}.get({write_json(name)}) or {{}})"
    return f"{found}.get({write_json(field.path[-1])})"


def _named(row: str, resource: Resource, fields: Sequence[Field]) -> str:
    label = label_of(row, resource)
    if not fields:
        return label
    if len(fields) == 1:
        return f'{label} + ": " + str({access(row, fields[0])})'
    pairs = " + ".join(
        f'"{", " if number else ""}{one.label} " + str({access(row, one)})' for number, one in enumerate(fields)
    )
    return f'{label} + " (" + {pairs} + ")"'


def _units(field: Field) -> tuple[str, str]:
    """Write how the units of what was counted are collected, and what is told of them."""
    if field.unit is None:
        return "", ""
    found = "r"
    for name in field.unit[:-1]:
        found = f"({found}.get({write_json(name)}) or {{}})"
    unit = f"{found}.get({write_json(field.unit[-1])})"
    return f"units = sorted({{str({unit}) for r in counted}})", ', "units": len(units), "unit": ", ".join(units)'


def _aggregation(query: Aggregate, chosen: Chosen) -> str:
    field = query.field
    guard = ready("r", field).removesuffix(" and ")
    lines = chosen.found()
    lines.append(f"counted = [r for r in found if {guard}]" if guard else "counted = found")
    lines.append(f"values = [{numeric('r', field)} for r in counted]")
    value = {"average": "sum(values) / len(values)", "sum": "sum(values)", "max": "max(values)", "min": "min(values)"}
    collect, told = _units(field)
    if collect:
        lines.append(collect)
    lines.append(f"value = {value[query.function]} if values else None")
    lines.append("rounded = bool(values) and value != round(value, 4)")
    lines.append("shown = str(round(value, 2)) if rounded else str(value)")
    lines.append(
        '{"count": len(values), "shown": shown, "sum": sum(values), "value": value, "rounded": rounded, '
        f'"missing": len(found) - len(counted){told}{chosen.doubt}}}'
    )
    return "\n".join(lines)


def ordering_lines(select: Select, counts: str) -> list[str]:
    """Write the statements that leave in `top` those of `found` that come first; `best` is what they have."""
    order, resource = select.order, select.resource
    assert order is not None  # the caller has looked
    lines = []
    if isinstance(order.by, Field):
        guard = ready("r", order.by).removesuffix(" and ")
        lines.append(f"counted = [r for r in found if {guard}]" if guard else "counted = found")
        key = moment("r", order.by) if order.by.kind in ("date", "moment") else numeric("r", order.by)
    else:
        own = resource.id_field
        assert own is not None  # the join has looked
        lines.append("counted = found")
        key = f"{counts}.get(str({access('r', own)}), 0)"
    pick = "max" if order.descending else "min"
    lines.append(f"best = {pick}([{key} for r in counted]) if counted else None")
    lines.append(f"top = [r for r in counted if {key} == best]")
    return lines


def _firsts(query: ListAll, order: Order, chosen: Chosen) -> str:
    resource = query.select.resource
    lines = [*chosen.found(), *ordering_lines(query.select, chosen.counts)]
    shown, told = "str(best)", ""
    if isinstance(order.by, Field):
        shown = f"str({access('top[0]', order.by)})"
        collect, told = _units(order.by)
        lines += [collect] if collect else []
    lines.append(f"names = [{_named('r', resource, query.fields)} for r in top]")
    lines.append(
        f'{{"count": len(top), "text": ", ".join(names[:{_SHOWN}]), "value": {shown} if top else None{told}{chosen.doubt}}}'
    )
    return "\n".join(lines)
