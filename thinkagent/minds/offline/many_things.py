"""Questions about many things: counting and listing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from thinkagent.minds.offline.expressions import access, label_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.one_thing import OneThing
from thinkagent.minds.offline.query import Count, ListAll, Owned, Select
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Seen, escaped, reference
from thinkagent.minds.offline.selecting import Chosen
from thinkagent.minds.offline.telling import how_many, things_of
from thinkagent.values import write_json

__all__ = ["ManyThings", "named"]

_SHOWN = 50


class ManyThings(OneThing):
    """Counts and lists."""

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
        answer = self._counted(query.select, chosen, shown, seen.number("count"))
        thought = say("The list is complete, so the number is right.")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=shown)

    def _counted(self, select: Select, chosen: Chosen, shown: str, count: int) -> str:
        say = self.script.language
        one = count == 1 and not say.chinese
        kinds = select.resource.label if one else say.plural(select.resource.label)
        if not select.conditions and one:
            return say("There is {count} {kind}.", count=shown, kind=kinds)
        if not select.conditions:
            return say("There are {count} {kinds}.", count=shown, kinds=kinds)
        owner = chosen.owners[0].label if chosen.owners else escaped(select.owner)
        if select.owner:
            things = kinds if say.chinese else things_of(select, say, count)
            if select.when:
                when = escaped(select.when)
                return say("{owner} had {count} {kinds}.", owner=owner, count=shown, kinds=things, when=when)
            return say("{owner} has {count} {kinds}.", owner=owner, count=shown, kinds=things)
        if len(select.conditions) == 1 and isinstance(select.conditions[0], Owned) and chosen.owners:
            return say("{owner} has {count} {kinds}.", owner=owner, count=shown, kinds=kinds)
        return how_many(select, say, shown, count) + say(".")

    def list_all(self, query: ListAll) -> NoReturn:
        say, script = self.script.language, self.script
        resource, kinds = query.select.resource, say.plural(query.select.resource.label)
        self._plan(query.select, say("name them"))
        chosen = self.choose(query.select)
        name = script.name("found")
        code = [*chosen.found(), f"names = [{named('r', resource, query.fields)} for r in found]"]
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
            answer = how_many(query.select, say, say("no"), 0) + say(".")
            script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=bare)
        answer = say(
            "{many}: {names}",
            many=how_many(query.select, say, reference(name, "count"), seen.number("count")),
            names=reference(name, "text"),
        )
        if seen.number("more"):
            answer += say("; {more} more", more=reference(name, "more"))
        answer += say(".")
        script.finish("done", answer, thought=thought, evidence=[*chosen.steps, name], value=bare)

    def _one_only(self, select: Select, seen: Seen) -> None:
        """End the run where the task speaks of one thing and several fit."""
        count = seen.number("count") or seen.count
        if select.single and count > 1:
            say, kind = self.script.language, select.resource.label
            answer = say("The task speaks of one {kind}, but {count} fit.", kind=kind, count=count)
            thought = say("One was meant and several fit; I do not choose between them.")
            self.script.finish("failed", answer, thought=thought)

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
            plan["join"] = say(
                "list what belongs to them: {kinds}", kinds=say.comma.join(say.plural(one.label) for one in joins)
            )
        plan["answer"] = last
        self.script.plan = plan


def _joins(select: Select) -> list[Resource]:
    from_conditions = [one.relation.child for one in select.conditions if hasattr(one, "relation")]
    from_order = [select.order.by.child] if select.order is not None and hasattr(select.order.by, "child") else []
    return list(dict.fromkeys([*from_conditions, *from_order]))


def named(row: str, resource: Resource, fields: Sequence[Field]) -> str:
    label = label_of(row, resource)
    if not fields:
        return label
    if len(fields) == 1:
        return f'{label} + ": " + str({access(row, fields[0])})'
    pairs = " + ".join(
        f'"{", " if number else ""}{one.label} " + str({access(row, one)})' for number, one in enumerate(fields)
    )
    return f'{label} + " (" + {pairs} + ")"'
