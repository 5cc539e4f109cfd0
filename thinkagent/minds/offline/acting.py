"""Orders: what has to be known before a write, the write, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from thinkagent.minds.offline.answering import Answering, findable, ordering_lines
from thinkagent.minds.offline.commands import creates, needs_more
from thinkagent.minds.offline.expressions import access, constant, label_of, path_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known, find, path_arguments
from thinkagent.minds.offline.query import Act, Change, Create, Entity, Issue, Literal, Reason, Remove, Select
from thinkagent.minds.offline.resources import ItemTool, Resource
from thinkagent.minds.offline.script import Seen, escaped, reference
from thinkagent.minds.offline.terms import body_of
from thinkagent.minds.offline.values import Unfit, fit_value, fits_id
from thinkagent.tools.model import Tool
from thinkagent.values import Json, write_json

__all__ = ["Acting"]

_IF_NONE = "if-none-match"


class Acting(Answering):
    """Carries orders out, step by step."""

    # making

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
        thought = say('Everything that the operation needs is in the task, so I create the {kind} "{name}".',
                      kind=resource.label, name=name)  # fmt: skip
        if above:
            thought = say('{parent} is there, so I create the {kind} "{name}" in it.', parent=above[0].resource.label,
                          kind=resource.label, name=name)  # fmt: skip
        seen = script.do(tool.name, arguments, save_as=step, thought=thought, doing="write")
        self._refused(seen)
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
                body = _body([*values, (field, self._fitted(field, query.name))])
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

    def _cannot(self, reason: Reason) -> NoReturn:
        say = self.script.language
        answer = say("I cannot do this: {reason}.", reason=escaped(say.reason(reason)))
        self.script.finish("impossible", answer, thought=say("Something that the operation needs is not there."))

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
            ]
            if len(pointing) != 1:
                self._cannot(
                    Reason(
                        "the document does not say how a {kind} is put into a {parent}",
                        (("kind", resource.label), ("parent", owner.resource.label)),
                    )
                )
            body = arguments.setdefault("body", {})
            _put(body, pointing[0].path, owner.id_value)

    def _complete(self, resource: Resource, tool: Tool, arguments: Mapping[str, Json]) -> None:
        """End the run where the operation needs more than the task gives."""
        body = arguments.get("body")
        fields = body_of(resource, tool).fields
        missing = [one.label for one in fields if one.required and len(one.path) == 1 and not _has(body, one.path)]
        missing += [
            one.name for one in tool.arguments if one.required and one.name not in arguments and one.name != "body"
        ]
        if missing:
            names = ", ".join(repr(name) for name in missing)
            self._cannot(needs_more(resource, names))

    # issuing

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
        targets = self._targets(select, say("issue each of them the {kind}", kind=kind))
        arguments = _issue_arguments(query, "<<item.id>>")
        thought = say("{kinds} are found: {count}. I issue each of them the {kind}.", kinds=to,
                      count=targets.count, kind=kind)  # fmt: skip
        self._for_each(tool, arguments, f"new_{kind}", thought, say("Issued {values} to", values=_what(query)))

    def _targets(self, select: Select, last: str, body: str = "") -> Seen:
        """Compute whom a write is about, as a list of identifiers with names; ends the run where nobody fits."""
        say, script = self.script.language, self.script
        self._plan(select, say("keep those that fit"))
        script.plan["write"] = last
        chosen = self.choose(select)
        resource = select.resource
        own = resource.id_field
        if own is None:
            return self._cannot(
                Reason("the document does not say what identifies a {kind}", (("kind", resource.label),))
            )
        rows = "found"
        lines = chosen.found()
        if select.order is not None:
            lines += ordering_lines(select, chosen.counts)
            rows = "top"
        if chosen.doubts:
            tested = script.name("having")
            seen = script.compute("\n".join([*lines, f'{{"count": len({rows}){chosen.doubt}}}']), save_as=tested,
                                  thought=say("First I see whether the data knows these words at all."),
                                  doing="answer")  # fmt: skip
            self.check(chosen, seen)
        extra = f', "body": {body}' if body else ""
        lines.append(f'[{{"id": {access("r", own)}, "name": {label_of("r", resource)}{extra}}} for r in {rows}]')
        thought = say("Before anything is written I work out exactly which {kinds} are meant.",
                      kinds=say.plural(resource.label))  # fmt: skip
        seen = script.compute("\n".join(lines), save_as=script.name("targets"), thought=thought, doing="answer")
        if seen.count == 0:
            answer = say("{what}: none, so nothing was changed.", what=escaped(select.text))
            script.finish(
                "done", answer, thought=say("Nobody fits, so there is nothing to write."), evidence=["targets"]
            )
        self._one_only(select, seen)
        return seen

    def _for_each(self, tool: Tool, arguments: Mapping[str, Json], name: str, thought: str, told: str) -> NoReturn:
        say, script = self.script.language, self.script
        step = script.name(name + "s")
        seen = script.do(tool.name, arguments, save_as=step, thought=thought, doing="write",
                         for_each="<<steps.targets.result>>")  # fmt: skip
        self._refused(seen)
        done = script.name("outcome")
        code = [
            f'good = [t["name"] for t, o in zip(targets, {step}) if o["status"] == "ok"]',
            f'bad = [t["name"] for t, o in zip(targets, {step}) if o["status"] != "ok"]',
            f'{{"done": len(good), "failed": len(bad), "names": {write_json(say.comma)}.join(good), '
            f'"not": {write_json(say.comma)}.join(bad)}}',
        ]
        thought = say("I do not take it for granted: I count which of them the API has confirmed.")
        counted = script.compute("\n".join(code), save_as=done, thought=thought, doing="write")
        answer = say(
            "{told} {count}: {names}.", told=told, count=reference(done, "done"), names=reference(done, "names")
        )
        if counted.number("failed"):
            answer = say("{told} {count}: {names}; not to {failed}: {others}.", told=told, count=reference(done, "done"),
                         names=reference(done, "names"), failed=reference(done, "failed"),
                         others=reference(done, "not"))  # fmt: skip
            script.finish(
                "failed", answer, thought=say("Some were not confirmed, and I say which."), evidence=[step, done]
            )
        script.finish("done", answer, thought=say("All of them are confirmed."), evidence=["targets", step, done])

    def _refused(self, seen: Seen) -> None:
        if seen.status == "refused":
            say = self.script.language
            answer = say("Nothing was changed, because it was not permitted: {told}", told=escaped(seen.summary))
            self.script.finish(
                "failed", answer, thought=say("The write was refused; without it the task cannot be done.")
            )

    # changing, removing, acting

    def change(self, query: Change) -> NoReturn:
        say = self.script.language
        operation = query.resource.patch or query.resource.put
        assert operation is not None  # the grammar has looked
        written = ", ".join(f"{field.label} = {value}" for field, value in query.values)
        told = say("Set {written} for", written=escaped(written))
        body = _body(query.values)
        merged = query.resource.patch is None
        self._on_each(query.resource, operation, query.each, query.one, say("write {written}", written=escaped(written)),
                      told, None if merged else body, query.values if merged else ())  # fmt: skip

    def remove(self, query: Remove) -> NoReturn:
        say = self.script.language
        assert query.resource.delete is not None  # the grammar has looked
        self._on_each(query.resource, query.resource.delete, query.each, query.one, say("delete"), say("Deleted"))

    def act(self, query: Act) -> NoReturn:
        say = self.script.language
        verb = " ".join(query.operation.verbs)
        self._complete(query.resource, query.operation.tool, dict.fromkeys(_path_names(query.operation), ""))
        self._on_each(query.resource, query.operation, query.each, query.one, verb, say("Done ({verb}):", verb=verb))

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
        targets = self._targets(each, last, _merged("r", body_of(resource, operation.tool), merge) if merge else "")
        arguments: dict[str, Json] = {operation.argument: "<<item.id>>"}
        arguments |= path_arguments(script, operation.parents, (), resource)
        if merge:
            arguments["body"] = "<<item.body>>"
        elif body is not None:
            arguments["body"] = body
        thought = say("{kinds} are found: {count}. Now for each of them: {last}.", kinds=say.plural(resource.label),
                      count=targets.count, last=last)  # fmt: skip
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
            whole = script.name("changed_body")
            code = _merged(path_of(known.name, known.item), body_of(resource, operation.tool), merge)
            script.compute(code, save_as=whole, doing="write",
                           thought=say("The operation replaces the whole thing, so I keep all else as it is."))  # fmt: skip
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


def _names(entities: Sequence[Entity]) -> str:
    return ", ".join(escaped(one.literal.text) for one in entities)


def _path_names(operation: ItemTool) -> list[str]:
    return [operation.argument, *(argument for argument, _ in operation.parents)]


def _missing_parents(resource: Resource, tool: Tool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if resource.put is not None and resource.put.tool is tool:
        return resource.put.parents
    return resource.create_parents


def _put(body: dict[str, Json], path: Sequence[str], value: object) -> None:
    for name in path[:-1]:
        body = body.setdefault(name, {})
    body[path[-1]] = value


def _has(body: Json, path: Sequence[str]) -> bool:
    for name in path:
        if not isinstance(body, Mapping) or name not in body:
            return False
        body = body[name]
    return True


def _body(values: Sequence[tuple[Field, object]]) -> dict[str, Json]:
    body: dict[str, Json] = {}
    for field, value in values:
        _put(body, field.path, value)
    return body


def _with_body(tool: Tool, values: Sequence[tuple[Field, object]]) -> dict[str, Json]:
    """Give the body where there is something to say in it, or where the operation requires one."""
    required = any(one.name == "body" and one.required for one in tool.arguments)
    return {"body": _body(values)} if values or required else {}


def _only_if_new(tool: Tool) -> dict[str, Json]:
    """Ask that nothing is replaced, where the operation knows how (RFC 9110, section 13.1.2)."""
    header = next(
        (one for one in tool.arguments if one.location == "header" and one.wire_name.lower() == _IF_NONE), None
    )
    return {header.name: "*"} if header is not None else {}


def _issue_arguments(query: Issue, whom: Json) -> dict[str, Json]:
    body = _body(query.values)
    if isinstance(query.target, str):
        return {query.target: whom, "body": body}
    _put(body, query.target.path, whom)
    return {"body": body}


def _what(query: Issue) -> str:
    values = " ".join(str(value) for _, value in query.values)
    return escaped(f"{values} {query.resource.label}".strip())


def _merged(row: str, body: Resource, values: Sequence[tuple[Field, object]]) -> str:
    """Write the whole new state of a thing: what its operation takes of the old one, and the changes."""
    changed = {field.path[-1]: value for field, value in values if len(field.path) == 1}
    kept = [one for one in body.fields if len(one.path) == 1 and one.path[-1] not in changed]
    names = ", ".join(write_json(one.path[-1]) for one in kept)
    pairs = ", ".join(f"{write_json(name)}: {constant(value)}" for name, value in changed.items())
    return f"{{**{{k: {row}[k] for k in [{names}] if k in {row}}}, {pairs}}}"
