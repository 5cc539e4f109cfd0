"""Which things a task means: the lists that have to be read, and the Python that keeps what fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from thinkagent.minds.offline.expressions import access, condition_on, path_of, unit_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known, find, read_list
from thinkagent.minds.offline.query import Compare, Condition, Entity, Equals, Owned, Related, Select
from thinkagent.minds.offline.resources import Listing, Relation, Resource
from thinkagent.minds.offline.script import Script, Seen, escaped
from thinkagent.minds.offline.words import singular, split_name
from thinkagent.values import Json

__all__ = ["Chosen", "Selecting"]

_ALL = ("all", "any", "*", "both")


class Doubt(NamedTuple):
    """What has to be counted before a selection can be trusted."""

    code: str
    kind: Literal["word", "gap", "unit"]
    """`word`: how many have the task's own word at all; `gap`: how many do not say whether they have what is
    excluded; `unit`: in how many units the values are that are compared."""
    word: str


@dataclass(frozen=True)
class Chosen:
    """How to compute what was selected."""

    resource: Resource
    lines: tuple[str, ...]
    """Statements that come before."""
    rows: str
    """An expression that gives the list of what fits."""
    doubts: tuple[Doubt, ...] = ()
    owners: tuple[Known, ...] = ()
    steps: tuple[str, ...] = ()
    counts: str = ""
    """The name of the object that counts what belongs to each, where the order needs it."""

    def found(self) -> list[str]:
        """Give the statements that leave what fits in `found`."""
        return [*self.lines, f"found = {self.rows}"]

    @property
    def doubt(self) -> str:
        """An entry of the result with a number for each doubt; empty without any."""
        return f', "having": [{", ".join(one.code for one in self.doubts)}]' if self.doubts else ""


class Selecting:
    """Reads what a selection needs."""

    def __init__(self, script: Script) -> None:
        self.script = script

    def choose(self, select: Select) -> Chosen:
        """Take the steps that a selection needs and give how to compute it."""
        owners = self._owners(select)
        listing, filters, vouched = self._listing(select, owners)
        lists: dict[Resource, str] = {}
        lists[select.resource] = self._read(select, listing, owners, filters)
        tests: list[str] = []
        lines: list[str] = []
        rows = lists[select.resource]
        for condition in select.conditions:
            if isinstance(condition, Owned):
                tests += self._ownership(condition, owners, vouched)
            elif isinstance(condition, Related):
                statement, test = self._belonging(condition, select, lists)
                lines += statement
                tests.append(test)
            else:
                tests.append(condition_on("r", condition))
        counts = ""
        if select.order is not None and isinstance(select.order.by, Relation):
            counts = "counts"
            lines += self._counting(select.order.by, lists, counts)
        kept = f"[r for r in {rows} if {' and '.join(tests)}]" if tests else rows
        return Chosen(
            select.resource,
            tuple(lines),
            kept,
            tuple(_doubts(select, rows, tests)),
            tuple(owners.values()),
            tuple(self.script.results),
            counts,
        )

    def check(self, chosen: Chosen, seen: Seen) -> None:
        """End the run where a doubt is right."""
        say = self.script.language
        having = seen.value("having")
        counts = having if isinstance(having, list) else []
        for doubt, count in zip(chosen.doubts, counts, strict=False):
            kind, word = chosen.resource.label, escaped(doubt.word)
            if doubt.kind == "word" and count == 0:
                answer = say('No {kind} has "{word}".', kind=kind, word=word)
                thought = say("The data does not know this word, so nothing can fit.")
                self.script.finish("failed", answer, thought=thought)
            if doubt.kind == "gap" and count != 0:
                answer = say(
                    "Not every {kind} says '{word}', and I do not guess what the others are.", kind=kind, word=word
                )
                thought = say("What is not said is neither yes nor no.")
                self.script.finish("failed", answer, thought=thought)
            if doubt.kind == "unit" and count != 1 and count != 0:
                answer = say("The values of '{word}' are in different units, so they cannot be compared.", word=word)
                self.script.finish("failed", answer, thought=say("Different units must not be mixed."))

    # owners

    def _owners(self, select: Select) -> dict[Entity, Known]:
        found: dict[Entity, Known] = {}
        owned = [one for one in select.conditions if isinstance(one, Owned)]
        # What lies higher in the paths first: it is needed to find what lies below it.
        for condition in sorted(owned, key=lambda one: min(len(relation.parent.key) for relation in one.relations)):
            resources = list(dict.fromkeys(relation.parent for relation in condition.relations))
            above = tuple(found.values())
            if condition.entity not in found:
                found[condition.entity] = find(self.script, condition.entity, resources, above)
        return found

    def _relation(self, condition: Owned, owner: Known) -> Relation:
        fitting = [one for one in condition.relations if one.parent is owner.resource]
        if len(fitting) > 1:
            say = self.script.language
            names = say.comma.join(repr(".".join(one.role)) for one in fitting)
            answer = say("It is not said which of these is meant: {names}", names=names)
            self.script.finish("impossible", answer, thought=say("Two readings fit equally, and I do not guess."))
        return fitting[0]

    def _listing(self, select: Select, owners: dict[Entity, Known]) -> tuple[Listing, dict[str, Json], set[Entity]]:
        """Choose the operation to list with, the filters to pass, and the owners that these vouch for."""
        pairs = [(one, self._relation(one, owners[one.entity])) for one in select.conditions if isinstance(one, Owned)]
        flat = [one for one in select.resource.listings if not one.parents]
        nested = [relation.nested for _, relation in pairs if relation.nested is not None]
        listing = flat[0] if flat else select.resource.listing
        filters: dict[str, Json] = {}
        vouched: set[Entity] = set()
        for owned, relation in pairs:
            owner = owners[owned.entity]
            if relation.filter is not None and listing is not None and not listing.parents:
                filters[relation.filter] = owner.id_value
                vouched.add(owned.entity)
            elif relation.nested is not None and (relation.field is None or not flat):
                listing = max(nested, key=lambda one: len(one.parents))
                vouched |= {one.entity for one, other in pairs if other.nested is not None}
        assert listing is not None  # only what can be listed is selected
        return listing, filters, vouched

    def _ownership(self, condition: Owned, owners: dict[Entity, Known], vouched: set[Entity]) -> list[str]:
        """Write that an element is the owner's; what the operation itself vouches for may lack the field."""
        owner = owners[condition.entity]
        relation = self._relation(condition, owner)
        trusted = condition.entity in vouched
        if relation.field is None:
            if not trusted:
                self._cannot_join(relation)
            return []
        held = access("r", relation.field)
        test = f"str({held}) == str({owner.id_code})"
        if relation.by_name:
            test = f"str({held}) in (str({owner.id_code}), {owner.label_code})"
        return [test if not trusted or relation.field.required else f"({held} is None or {test})"]

    def _cannot_join(self, relation: Relation) -> None:
        say = self.script.language
        answer = say(
            "The document does not say how a {child} tells which {parent} it belongs to.",
            child=relation.child.label,
            parent=relation.parent.label,
        )
        self.script.finish("impossible", answer, thought=say("Without that link I cannot join the two lists."))

    # lists

    def _read(self, select: Select, listing: Listing, owners: dict[Entity, Known], filters: dict[str, Json]) -> str:
        say = self.script.language
        kinds = say.plural(select.resource.label)
        filters = {**filters, **self.needed(select, listing)}
        owner = next(iter(owners.values()), None)
        if owner is not None:
            thought = say(
                "I know which {parent} is meant. Now I need its {kinds}, all pages: a part would give a wrong answer.",
                parent=owner.resource.label,
                kinds=kinds,
            )
        else:
            thought = say("I need all {kinds}, every page of them: a part would give a wrong answer.", kinds=kinds)
        above = tuple(one for owner in owners.values() for one in (owner, *owner.above))
        return read_list(self.script, select.resource, listing, above=above, filters=filters, thought=thought).code

    def needed(self, select: Select, listing: Listing) -> dict[str, Json]:
        """Fill what the listing requires, and undo defaults that would hide things without a word."""
        filled: dict[str, Json] = {}
        schemas = listing.tool.parameters.get("properties", {})
        for argument in listing.tool.arguments:
            if argument.location not in ("query", "header") or not isinstance(schemas.get(argument.name), dict):
                continue
            schema = schemas[argument.name]
            words = tuple(singular(word) for word in split_name(argument.wire_name))
            asked = self._asked(select.conditions, words)
            choices = schema.get("enum") or (schema.get("items") or {}).get("enum") or []
            everything = next((choice for choice in choices if choice in _ALL), None)
            hides = "default" in schema and self._is_field(select.resource, words)
            if argument.required and "default" not in schema:
                if asked is None and everything is None:
                    self._cannot_list(select.resource, argument.name)
                filled[argument.name] = asked if asked is not None else everything
            elif hides and (asked is not None or everything is not None):
                filled[argument.name] = everything if everything is not None else asked
            elif hides:
                self._cannot_list(select.resource, argument.name)
        return filled

    def _asked(self, conditions: Sequence[Condition], words: tuple[str, ...]) -> Json:
        for condition in conditions:
            if isinstance(condition, Equals) and condition.fields[0].words == words and not condition.negated:
                return condition.value
        return None

    def _is_field(self, resource: Resource, words: tuple[str, ...]) -> bool:
        return any(words == name for one in resource.fields for name, cost in one.names if cost < 0.3)

    def _cannot_list(self, resource: Resource, argument: str) -> None:
        say = self.script.language
        kinds = say.plural(resource.label)
        answer = say("The {kinds} cannot be listed without choosing '{argument}'.", kinds=kinds, argument=argument)
        self.script.finish(
            "impossible", answer, thought=say("I would see only some of them, and I do not guess which.")
        )

    # joins

    def _child_list(self, relation: Relation, lists: dict[Resource, str]) -> str:
        child = relation.child
        if relation.field is None or relation.parent.id_field is None:
            self._cannot_join(relation)
        if child not in lists:
            say = self.script.language
            listing = next((one for one in child.listings if not one.parents), None)
            if listing is None:
                self._cannot_join(relation)
            assert listing is not None  # the line above ends the run
            thought = say(
                "To see which {kinds} belong to which {parent} I need all of them, and join the two lists myself.",
                kinds=say.plural(child.label),
                parent=relation.parent.label,
            )
            filters = self.needed(Select(child), listing)
            lists[child] = read_list(self.script, child, listing, filters=filters, thought=thought, doing="join").code
        return lists[child]

    def _belonging(self, condition: Related, select: Select, lists: dict[Resource, str]) -> tuple[list[str], str]:
        """Write what collects the owners of the child list, and the test of one element against it."""
        relation = condition.relation
        rows = self._child_list(relation, lists)
        assert relation.field is not None  # _child_list has looked
        parent_id = relation.parent.id_field
        assert parent_id is not None
        kept = " and ".join(
            condition_on("o", one) for one in condition.conditions if not isinstance(one, Owned | Related)
        )
        if kept:
            rows = f"[o for o in {rows} if {kept}]"
        own = f"str({access('r', parent_id)})"
        name = "with_" + "_".join(part for part in relation.child.words if part.isascii()) or "with_some"
        if condition.number == 0 or (condition.operator == ">=" and condition.number == 1):
            statement = f"{name} = {{str({access('o', relation.field)}) for o in {rows}}}"
            inside = "not in" if condition.operator == "==" else "in"
            test = f"{own} {inside} {name}"
            if relation.by_name:
                other = f"str({self._label(relation.parent)})"
                joint = "and" if condition.operator == "==" else "or"
                test = f"({test} {joint} {other} {inside} {name})"
            return [statement], test
        if relation.by_name:
            self._cannot_join(relation)
        return _tally(rows, relation.field, name), f"{name}.get({own}, 0) {condition.operator} {condition.number}"

    def _label(self, resource: Resource) -> str:
        named = resource.label_field
        return access("r", named) if named is not None else path_of("r", ("name",))

    def _counting(self, relation: Relation, lists: dict[Resource, str], name: str) -> list[str]:
        rows = self._child_list(relation, lists)
        assert relation.field is not None
        if relation.by_name:
            self._cannot_join(relation)
        return _tally(rows, relation.field, name)


def _tally(rows: str, field: Field, name: str) -> list[str]:
    key = f"str({access('o', field)})"
    return [f"{name} = {{}}", f"for o in {rows}:", f"    {name}[{key}] = {name}.get({key}, 0) + 1"]


def _doubts(select: Select, rows: str, tests: Sequence[str]) -> Iterator[Doubt]:
    """Give what may make a selection wrong: words that no value has, values that are not there, units that differ."""
    for condition in select.conditions:
        test = condition_on("r", condition) if isinstance(condition, Equals | Compare) else ""
        if isinstance(condition, Equals) and not condition.known:
            yield Doubt(f"len([r for r in {rows} if {test}])", "word", str(condition.value))
        elif isinstance(condition, Equals) and (condition.negated or condition.value is False):
            field = condition.fields[0]
            others = [*(one for one in tests if one != test), f"{access('r', field)} is None"]
            if not field.required:
                yield Doubt(f"len([r for r in {rows} if {' and '.join(others)}])", "gap", field.label)
        elif isinstance(condition, Compare) and condition.field.unit is not None:
            yield _one_unit(condition.field, rows)
    by = select.order.by if select.order is not None else None
    if isinstance(by, Field) and by.unit is not None:
        yield _one_unit(by, rows)


def _one_unit(field: Field, rows: str) -> Doubt:
    code = f"len({{str({unit_of('r', field)}) for r in {rows} if {access('r', field)} is not None}})"
    return Doubt(code, "unit", field.label)
