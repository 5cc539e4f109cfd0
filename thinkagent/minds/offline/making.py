"""Orders that make something: one thing by its name, or one for each of some others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from thinkagent.minds.offline.commands import creates
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known, find, path_arguments
from thinkagent.minds.offline.one_thing import findable
from thinkagent.minds.offline.query import Create, Entity, Issue, Literal, Reason
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import escaped
from thinkagent.minds.offline.terms import body_of
from thinkagent.minds.offline.values import Unfit, fit_value, fits_id
from thinkagent.minds.offline.writing import Writing, body_with, put
from thinkagent.tools.model import Tool
from thinkagent.values import Json

__all__ = ["Making"]

_IF_NONE = "if-none-match"


class Making(Writing):
    """Creates and issues."""

    def create(self, query: Create) -> NoReturn:
        say, script = self.script.language, self.script
        resource = query.resource
        name = escaped(query.name.text) if query.name is not None else ""
        plan = {"find": say("find {name}", name=_names(query.parents))} if query.parents else {}
        script.plan = {**plan, "write": say("create the {kind} {name}", kind=resource.label, name=name).rstrip()}
        tool, arguments = self._making(query)
        above = self._above_of(query.parents)
        arguments |= path_arguments(script, _missing_parents(resource, tool), above, resource)
        self._fill_from_above(resource, tool, above, arguments)
        self._complete(resource, tool, arguments)
        step = script.name(f"new_{resource.label}")
        thought = say(
            'Everything that the operation needs is in the task, so I create the {kind} "{name}".',
            kind=resource.label,
            name=name,
        )
        if above:
            thought = say(
                'The {parent} is there, so I create the {kind} "{name}" in it.',
                parent=above[0].resource.label,
                kind=resource.label,
                name=name,
            )
        seen = script.do(tool.name, arguments, save_as=step, thought=thought, doing="write")
        self._refused(seen)
        if seen.http_status == 412 and set(_only_if_new(tool)) & set(arguments):
            answer = say('The {kind} "{name}" exists already; nothing was changed.', kind=resource.label, name=name)
            script.finish("failed", answer, thought=say("I asked to create it only if it is new, and it is not."))
        if not seen.ok:
            script.give_up(seen)
        answer = say('Created the {kind} "{name}".', kind=resource.label, name=name)
        if not name:
            answer = say("Created a {kind}.", kind=resource.label)
        script.finish("done", answer, thought=say("The API has said that it is there now."), evidence=[step])

    def _making(self, query: Create) -> tuple[Tool, dict[str, Json]]:
        """Choose the operation, and put the name and the values where it takes them."""
        say, resource = self.script.language, query.resource
        values: list[tuple[Field, object]] = list(query.values)
        post, put = resource.create, resource.put
        if query.name is not None and post is not None:
            field = self._name_field(body_of(resource, post), query.name)
            if field is not None and all(field is not given for given, _ in values):
                body = body_with([*values, (field, self._fitted(field, query.name))])
                return post, {"body": body}
        if query.name is not None and put is not None and creates(put.tool):
            wanted = fits_id(put.tool.parameters.get("properties", {}).get(put.argument), query.name)
            if wanted is not None:
                return put.tool, {put.argument: wanted, **_only_if_new(put.tool), **_with_body(put.tool, values)}
        if query.name is None and post is not None:
            return post, _with_body(post, values)
        answer = say("The document does not say where the name of a new {kind} goes.", kind=resource.label)
        return self.script.finish(
            "impossible", answer, thought=say("I see no place for the name, and I do not invent one.")
        )

    def _name_field(self, body: Resource, name: Literal) -> Field | None:
        named = [one for one in body.naming if one.path[-1].lower() not in ("email", "username", "login")]
        required = [one for one in named if one.required]
        own = [one for one in (*body.coding, body.id_field) if one is not None] if name.looks_like_id else []
        return next(iter([*required, *named, *own]), None)

    def _fitted(self, field: Field, literal: Literal) -> object:
        try:
            return fit_value(field, literal)
        except Unfit as error:
            return self._cannot(error.reason)

    def _above_of(self, parents: Sequence[Entity]) -> tuple[Known, ...]:
        above: list[Known] = []
        for entity in parents:
            above.append(find(self.script, entity, findable(self.resources, entity), above))
        return tuple(above)

    def _fill_from_above(
        self, resource: Resource, tool: Tool, above: Sequence[Known], arguments: dict[str, Json]
    ) -> None:
        """Let the body point at what lies above, where the path does not."""
        keys = {key for _, key in resource.create_parents}
        for owner in above:
            if owner.resource.key in keys or any(value == owner.id_value for value in arguments.values()):
                continue
            pointing = [
                one
                for one in body_of(resource, tool).fields
                if one.words[:-1] == owner.resource.words and len(one.words) > 1
                if owner.resource.document == resource.document
            ]
            if len(pointing) != 1:
                self._cannot(
                    Reason(
                        "the document does not say how a {kind} is put into a {parent}",
                        (("kind", resource.label), ("parent", owner.resource.label)),
                    )
                )
            body = arguments.setdefault("body", {})
            put(body, pointing[0].path, owner.id_value)

    def issue(self, query: Issue) -> NoReturn:
        say, script = self.script.language, self.script
        tool = query.resource.create
        assert tool is not None  # the grammar has looked
        kind, to = query.resource.label, say.plural(query.recipient.label)
        if query.one is not None:
            script.plan = {
                "find": say('find "{name}"', name=escaped(query.one.literal.text)),
                "write": say("issue the {kind}", kind=kind),
            }
            known = find(script, query.one, [query.recipient])
            arguments = _issue_arguments(query, known.id_value)
            step = script.name(f"new_{kind}")
            thought = say("I know for whom it is, so I issue the {kind}.", kind=kind)
            seen = script.do(tool.name, arguments, save_as=step, thought=thought, doing="write")
            self._refused(seen)
            if not seen.ok:
                script.give_up(seen)
            answer = say("Issued a {kind} to {name}.", kind=kind, name=known.label)
            script.finish(
                "done", answer, thought=say("The API has said that it is there now."), evidence=[known.name, step]
            )
        select = query.each
        assert select is not None  # one or each
        targets, _ = self._targets(select, say("issue each of them the {kind}", kind=kind))
        arguments = _issue_arguments(query, "<<item.id>>")
        thought = say(
            "Found {count} {kinds}. I issue each of them the {kind}.", kinds=to, count=targets.count, kind=kind
        )
        self._for_each(tool, arguments, f"new_{kind}", thought, say("Issued {values} to", values=self._what(query)))

    def _what(self, query: Issue) -> str:
        values = " ".join(str(value) for _, value in query.values)
        return escaped(f"{values} {self.script.language.noun(query.resource.label)}".strip())


def _names(entities: Sequence[Entity]) -> str:
    return ", ".join(escaped(one.literal.text) for one in entities)


def _missing_parents(resource: Resource, tool: Tool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if resource.put is not None and resource.put.tool is tool:
        return resource.put.parents
    return resource.create_parents


def _with_body(tool: Tool, values: Sequence[tuple[Field, object]]) -> dict[str, Json]:
    """Give the body where there is something to say in it, or where the operation requires one."""
    required = any(one.name == "body" and one.required for one in tool.arguments)
    return {"body": body_with(values)} if values or required else {}


def _only_if_new(tool: Tool) -> dict[str, Json]:
    """Ask that nothing is replaced, where the operation knows how (RFC 9110, section 13.1.2)."""
    header = next(
        (one for one in tool.arguments if one.location == "header" and one.wire_name.lower() == _IF_NONE), None
    )
    return {header.name: "*"} if header is not None else {}


def _issue_arguments(query: Issue, whom: Json) -> dict[str, Json]:
    body = body_with(query.values)
    if isinstance(query.target, str):
        return {query.target: whom, "body": body}
    put(body, query.target.path, whom)
    return {"body": body}
