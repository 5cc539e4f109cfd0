"""Orders about what exists: changing it, removing it, and the operations of a resource's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from thinkagent.minds.offline.expressions import constant, path_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import find, path_arguments
from thinkagent.minds.offline.making import Making
from thinkagent.minds.offline.query import Act, Change, Entity, Reason, Remove, Select
from thinkagent.minds.offline.resources import ItemTool, Resource
from thinkagent.minds.offline.script import escaped, reference
from thinkagent.minds.offline.terms import body_of
from thinkagent.minds.offline.writing import body_with
from thinkagent.values import Json, write_json

__all__ = ["Acting"]


class Acting(Making):
    """Carries orders and questions out, step by step."""

    def change(self, query: Change) -> NoReturn:
        say = self.script.language
        operation = query.resource.patch or query.resource.put
        assert operation is not None  # the grammar has looked
        written = ", ".join(f"{field.label} = {_written(value)}" for field, value in query.values)
        told = say("Set {written} for", written=escaped(written))
        body = body_with(query.values)
        merged = query.resource.patch is None
        if merged and any(len(field.path) > 1 for field, _ in query.values):
            self._cannot(_no_part(query.resource))
        self._on_each(
            query.resource,
            operation,
            query.each,
            query.one,
            say("write {written}", written=escaped(written)),
            told,
            None if merged else body,
            query.values if merged else (),
        )

    def remove(self, query: Remove) -> NoReturn:
        say = self.script.language
        assert query.resource.delete is not None  # the grammar has looked
        self._on_each(query.resource, query.resource.delete, query.each, query.one, say("delete"), say("Deleted"))

    def act(self, query: Act) -> NoReturn:
        say = self.script.language
        verb = " ".join(query.operation.verbs)
        self._complete(query.resource, query.operation.tool, dict.fromkeys(_path_names(query.operation), ""), verb)
        body: Json = {} if any(one.name == "body" and one.required for one in query.operation.tool.arguments) else None
        told = say("Done ({verb}):", verb=verb)
        self._on_each(query.resource, query.operation, query.each, query.one, verb, told, body)

    def _on_each(
        self,
        resource: Resource,
        operation: ItemTool,
        each: Select | None,
        one: Entity | None,
        last: str,
        told: str,
        body: Json = None,
        merge: Sequence[tuple[Field, object]] = (),
    ) -> NoReturn:
        say, script = self.script.language, self.script
        if one is not None:
            self._on_one(resource, operation, one, last, told, body, merge)
        assert each is not None  # one or each
        if merge and _not_listed(resource, operation, merge):
            self._cannot(_no_part(resource))
        whole = _merged("r", body_of(resource, operation.tool), merge) if merge else ""
        targets, owners = self._targets(each, last, whole)
        arguments: dict[str, Json] = {operation.argument: "<<item.id>>"}
        arguments |= path_arguments(script, operation.parents, owners, resource)
        if merge:
            arguments["body"] = "<<item.body>>"
        elif body is not None:
            arguments["body"] = body
        thought = say(
            "Found {count} {kinds}. Now for each of them: {last}.",
            kinds=say.plural(resource.label),
            count=targets.count,
            last=last,
        )
        self._for_each(operation.tool, arguments, "changed", thought, told)

    def _on_one(
        self,
        resource: Resource,
        operation: ItemTool,
        one: Entity,
        last: str,
        told: str,
        body: Json,
        merge: Sequence[tuple[Field, object]],
    ) -> NoReturn:
        say, script = self.script.language, self.script
        name = escaped(one.literal.text)
        script.plan = {"find": say('find "{name}"', name=name), "write": last}
        known = find(script, one, [resource])
        arguments: dict[str, Json] = {operation.argument: known.id_value}
        arguments |= path_arguments(script, operation.parents, known.above, resource)
        if merge:
            known = self._with_details(known, _not_listed(resource, operation, merge))
            whole = script.name("changed_body")
            code = _merged(path_of(known.name, known.item), body_of(resource, operation.tool), merge)
            script.compute(
                code,
                save_as=whole,
                doing="write",
                thought=say("The operation replaces the whole thing, so I keep all else as it is."),
            )
            arguments["body"] = reference(whole)
        elif body is not None:
            arguments["body"] = body
        step = script.name("done")
        thought = say('I have found "{name}" and know what to write.', name=name)
        seen = script.do(operation.tool.name, arguments, save_as=step, thought=thought, doing="write")
        self._refused(seen)
        if not seen.ok:
            script.give_up(seen)
        answer = say("{told} {name}.", told=told, name=known.label)
        script.finish("done", answer, thought=say("The API has confirmed it."), evidence=[known.name, step])


def _written(value: object) -> str:
    return value if isinstance(value, str) else write_json(value)


def _path_names(operation: ItemTool) -> list[str]:
    return [operation.argument, *(argument for argument, _ in operation.parents)]


def _no_part(resource: Resource) -> Reason:
    return Reason(
        "the operation replaces a whole {kind}, and the list does not hold all of it", (("kind", resource.label),)
    )


def _not_listed(resource: Resource, operation: ItemTool, values: Sequence[tuple[Field, object]]) -> list[Field]:
    """Give the details of a thing that its operation takes and its list does not hold: they must not be lost."""
    listed = {one.path for one in resource.fields}
    given = {field.path for field, _ in values}
    taken = {one.path for one in body_of(resource, operation.tool).fields if len(one.path) == 1}
    return [one for one in resource.details if one.path in taken - listed - given]


def _merged(row: str, body: Resource, values: Sequence[tuple[Field, object]]) -> str:
    """Write the whole new state of a thing: what its operation takes of the old one, and the changes."""
    changed = {field.path[-1]: value for field, value in values if len(field.path) == 1}
    kept = [one for one in body.fields if len(one.path) == 1 and one.path[-1] not in changed]
    names = ", ".join(write_json(one.path[-1]) for one in kept)
    pairs = ", ".join(f"{write_json(name)}: {constant(value)}" for name, value in changed.items())
    return f"{{**{{k: {row}[k] for k in [{names}] if k in {row}}}, {pairs}}}"
