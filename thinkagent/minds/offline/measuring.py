"""Sums, averages and extremes of a field, and the first by some measure."""

from __future__ import annotations

from typing import NoReturn

from thinkagent.minds.offline.expressions import access, moment, numeric, ready, unit_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.many_things import ManyThings, named
from thinkagent.minds.offline.query import Aggregate, Equals, ListAll, Order, Select
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Seen, reference
from thinkagent.minds.offline.selecting import Chosen
from thinkagent.minds.offline.telling import said
from thinkagent.minds.offline.words import root
from thinkagent.values import write_json

__all__ = ["Measuring", "ordering_lines"]

_SHOWN = 50
_OFF = {root(word) for word in ("cancelled", "refunded", "voided")}


class Measuring(ManyThings):
    """Adds up and compares."""

    def aggregate(self, query: Aggregate) -> NoReturn:
        say, script = self.script.language, self.script
        field, kinds = query.field, say.plural(query.select.resource.label)
        self._plan(query.select, say("compute it from all of them"))
        chosen = self.choose(query.select)
        name = script.name(_step_word(query.function))
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
        if query.spent and seen.number("off"):
            answer = say(
                "{count} of the {kinds} have the state '{state}', and it is not said whether these count.",
                count=reference(name, "off"),
                kinds=kinds,
                state=_called_off(query.select.resource)[1],
            )
            thought = say("Two readings fit equally, and I do not guess.")
            script.finish("failed", answer, thought=thought, evidence=[name])
        shown = reference(name, "shown")
        who = chosen.owners[0].label if chosen.owners and len(query.select.conditions) == 1 else ""
        what = say("{owner}'s {kinds}", owner=who, kinds=kinds) if who else said(query.select, say)
        told = {
            "average": say("The average {field} of {what} is {value}", field=say.field(field), what=what, value=shown),
            "sum": say("The sum of {field} over {what} is {value}", field=say.field(field), what=what, value=shown),
            "max": say("The highest {field} of {what} is {value}", field=say.field(field), what=what, value=shown),
            "min": say("The lowest {field} of {what} is {value}", field=say.field(field), what=what, value=shown),
        }
        answer = told[query.function] + self._bracket("({count} counted", count=reference(name, "count"))
        if query.function == "average":
            answer += say(", {sum} in all", sum=reference(name, "sum"))
        if seen.value("units"):
            answer += say(", in {unit}", unit=reference(name, "unit"))
        if seen.number("off"):
            state = _called_off(query.select.resource)[1]
            answer += say(", {count} of them with the state '{state}'", count=reference(name, "off"), state=state)
        if seen.value("rounded") is True:
            answer += say(", rounded")
        if seen.number("missing"):
            answer += say(", {missing} without a value left out", missing=reference(name, "missing"))
        answer += say(").")
        thought = say("Every page was read and every value counted, so I can answer.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=reference(name, "value"))

    def first(self, query: ListAll, order: Order) -> NoReturn:
        say, script = self.script.language, self.script
        resource = query.select.resource
        self._plan(query.select, say("take the first of them"))
        chosen = self.choose(query.select)
        name = script.name("first")
        by = say.field(order.by) if isinstance(order.by, Field) else say.plural(order.by.child.label)
        thought = say("I compare them by {by}; several may share the first place.", by=by)
        seen = script.compute(_firsts(query, order, chosen), save_as=name, thought=thought, doing="answer")
        self.check(chosen, seen)
        count = seen.number("count")
        if count == 0:
            answer = say("No {kind} fits.", kind=resource.label)
            script.finish("failed", answer, thought=say("Of nothing there is nothing to work out."), evidence=[name])
        self._one_unit(seen, name)
        parts = {"names": reference(name, "text"), "by": by, "value": reference(name, "value")}
        answer = say("It is {names} ({by}: {value}", **parts)
        if count > 1:
            answer = say("They are {names} ({by}: {value}", **parts)
        if seen.value("units"):
            answer += say(", in {unit}", unit=reference(name, "unit"))
        answer += say(")")
        if count > 1:
            answer += say("; {count} share the first place", count=reference(name, "count"))
        answer += say(".")
        thought = say("The comparison went over every one of them, so this is the answer.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=reference(name, "text"))

    def _bracket(self, template: str, **parts: str) -> str:
        """Open a bracket behind a sentence: a blank comes before it in English only."""
        return ("" if self.script.language.chinese else " ") + self.script.language(template, **parts)

    def _one_unit(self, seen: Seen, name: str) -> None:
        if seen.number("units") > 1:
            say = self.script.language
            answer = say(
                "The values are in different units ({units}), so they cannot be put together.",
                units=reference(name, "unit"),
            )
            self.script.finish("failed", answer, thought=say("Different units must not be mixed."), evidence=[name])


def _step_word(function: str) -> str:
    return {"average": "average", "sum": "total", "max": "highest", "min": "lowest"}[function]


def _called_off(resource: Resource) -> tuple[Field | None, str]:
    """Give the field and the value that say of a thing that it did not come to be; (None, "") where there is none."""
    for one in resource.fields:
        if one.kind == "boolean" and root(one.words[-1]) in _OFF:
            return one, one.words[-1]
        for choice in one.choices:
            if root(choice.lower()) in _OFF:
                return one, choice
    return None, ""


def _count_called_off(query: Aggregate) -> str:
    field, state = _called_off(query.select.resource)
    asked = any(isinstance(one, Equals) and field in one.fields for one in query.select.conditions)
    if field is None or asked:
        return ""
    value = "True" if field.kind == "boolean" else write_json(state)
    return f', "off": len([r for r in counted if {access("r", field)} == {value}])'


def _units(field: Field) -> tuple[str, str]:
    """Write how the units of what was counted are collected, and what is told of them."""
    if field.unit is None:
        return "", ""
    return (
        f"units = sorted({{str({unit_of('r', field)}) for r in counted}})",
        ', "units": len(units), "unit": ", ".join(units)',
    )


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
        f'"missing": len(found) - len(counted){_count_called_off(query)}{told}{chosen.doubt}}}'
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
    lines.append(f"names = [{named('r', resource, query.fields)} for r in top]")
    value = f"{shown} if top else None"
    lines.append(f'{{"count": len(top), "text": ", ".join(names[:{_SHOWN}]), "value": {value}{told}{chosen.doubt}}}')
    return "\n".join(lines)
