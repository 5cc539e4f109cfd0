"""What all writes have in common: whom they are about, one call for each, and what was confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from thinkagent.minds.offline.commands import needs_more
from thinkagent.minds.offline.expressions import access, label_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.finding import Known
from thinkagent.minds.offline.measuring import Measuring, ordering_lines
from thinkagent.minds.offline.query import Reason, Select
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Seen, escaped, reference
from thinkagent.minds.offline.telling import how_many
from thinkagent.minds.offline.terms import body_of
from thinkagent.tools.model import Tool
from thinkagent.values import Json, write_json

__all__ = ["Writing", "body_with", "put"]


class Writing(Measuring):
    """The steps that every write takes."""

    def _targets(self, select: Select, last: str, body: str = "") -> tuple[Seen, tuple[Known, ...]]:
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
            seen = script.compute(
                "\n".join([*lines, f'{{"count": len({rows}){chosen.doubt}}}']),
                save_as=tested,
                thought=say("First I see whether the data knows these words at all."),
                doing="answer",
            )
            self.check(chosen, seen)
        extra = f', "body": {body}' if body else ""
        lines.append(f'[{{"id": {access("r", own)}, "name": {label_of("r", resource)}{extra}}} for r in {rows}]')
        thought = say(
            "Before anything is written I work out exactly which {kinds} are meant.", kinds=say.plural(resource.label)
        )
        seen = script.compute("\n".join(lines), save_as=script.name("targets"), thought=thought, doing="answer")
        if seen.count == 0:
            answer = say("{many}, so nothing was changed.", many=how_many(select, say, say("no"), 0))
            script.finish(
                "done", answer, thought=say("Nobody fits, so there is nothing to write."), evidence=["targets"]
            )
        self._one_only(select, seen)
        return seen, chosen.owners

    def _for_each(self, tool: Tool, arguments: Mapping[str, Json], name: str, thought: str, told: str) -> NoReturn:
        say, script = self.script.language, self.script
        step = script.name(name + "s")
        seen = script.do(
            tool.name, arguments, save_as=step, thought=thought, doing="write", for_each="<<steps.targets.result>>"
        )
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
            answer = say(
                "{told} {count}: {names}; not to {failed}: {others}.",
                told=told,
                count=reference(done, "done"),
                names=reference(done, "names"),
                failed=reference(done, "failed"),
                others=reference(done, "not"),
            )
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

    def _cannot(self, reason: Reason) -> NoReturn:
        say = self.script.language
        answer = say("I cannot do this: {reason}.", reason=escaped(say.reason(reason)))
        self.script.finish("impossible", answer, thought=say("Something that the operation needs is not there."))

    def _complete(self, resource: Resource, tool: Tool, arguments: Mapping[str, Json], verb: str = "") -> None:
        """End the run where the operation needs more than the task gives."""
        body = arguments.get("body")
        fields = body_of(resource, tool).fields
        missing = [one.label for one in fields if one.required and len(one.path) == 1 and not _has(body, one.path)]
        missing += [
            one.name for one in tool.arguments if one.required and one.name not in arguments and one.name != "body"
        ]
        if missing:
            names = ", ".join(repr(name) for name in missing)
            parts = (("verb", verb), ("names", names))
            reason = Reason("'{verb}' also needs {names}, which the task does not give", parts)
            self._cannot(reason if verb else needs_more(resource, names))


def put(body: dict[str, Json], path: Sequence[str], value: object) -> None:
    for name in path[:-1]:
        body = body.setdefault(name, {})
    body[path[-1]] = value


def _has(body: Json, path: Sequence[str]) -> bool:
    for name in path:
        if not isinstance(body, Mapping) or name not in body:
            return False
        body = body[name]
    return True


def body_with(values: Sequence[tuple[Field, object]]) -> dict[str, Json]:
    body: dict[str, Json] = {}
    for field, value in values:
        put(body, field.path, value)
    return body
