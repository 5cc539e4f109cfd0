"""Examples: the document's own where they are valid, else made from the schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from thinkagent.documents.model import Schema
from thinkagent.tools.effort import Effort
from thinkagent.tools.hidden import Direction, Hidden
from thinkagent.tools.instance import InstanceMaker, Plan
from thinkagent.tools.media import choose_body, choose_result
from thinkagent.tools.model import Tool
from thinkagent.tools.pool import Pool
from thinkagent.tools.shape import usable_examples
from thinkagent.tools.validity import compile_schema
from thinkagent.values import Json, plain

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

__all__ = ["example_call", "example_result", "example_value"]

_PLANS: Mapping[Direction, Sequence[Plan]] = {
    "request": (Plan(optional=2), Plan(optional=0), Plan(optional=0, given=False), Plan(optional=50, given=False)),
    "response": (Plan(optional=8), Plan(optional=0, given=False), Plan(optional=50, given=False)),
}
_BRANCHES = 4
"""How many alternatives of `anyOf` and `oneOf` are tried."""
_MAX_COSTLY = 2


def example_value(
    schema: Schema, *, direction: Direction = "request", prefer: Mapping[str, Json] | None = None
) -> Json:
    """Make an example of a bundled schema, the same each time.

    Taken from `examples`, `default`, `const` and `enum` where the schema has them, else made from its type, format
    and bounds; required properties and a few optional ones. `prefer` gives values for properties of these names,
    taken where they fit. It is valid wherever one of a few attempts is; where none is, it is the best known.
    """
    maker = InstanceMaker(schema, direction, prefer or {})
    attempts = chain(_attempts(maker, direction), _apart(maker, direction))
    try:
        check = _Check(schema)
    except ValueError:
        return next(attempts, None)
    made: list[Json] = []
    for value in attempts:
        made.append(value)
        if check.passes(value):
            return value
    return made[0] if made else None


def example_call(tool: Tool, validator: Draft202012Validator | None = None) -> dict[str, Json]:
    """Make arguments for a tool, valid together; empty where that could not be done.

    The body is the document's own example where that is valid. `validator` is that of `tool.parameters`, where it is
    at hand.
    """
    schema = tool.parameters
    properties, required = schema["properties"], schema.get("required", [])
    maker = InstanceMaker(schema, "request", {})
    names = [name for name in required if name != "body"]
    if "body" in properties and ("body" in required or _is_worth_showing(tool)):
        names.append("body")
    attempts = {
        name: chain(
            _body_examples(tool) if name == "body" else (),
            _attempts(maker, "request", properties[name]),
            _apart(maker, "request", properties[name]),
        )
        for name in names
    }
    call = {name: value for name, values in attempts.items() for value in islice(values, 1)}
    if len(call) == len(attempts) and _Check(schema, validator).passes(call):
        return call
    # Nothing but `required` ties arguments to each other: without it each can be looked at alone.
    alone = _Check({keyword: value for keyword, value in schema.items() if keyword != "required"})
    for name, values in attempts.items():
        first = [call.pop(name)] if name in call else []
        fitting = next(([value] for value in chain(first, values) if alone.passes({name: value})), [])
        if fitting:
            call[name] = fitting[0]
        elif name in required:
            return {}
    return call


def example_result(tool: Tool, validator: Draft202012Validator | None = None) -> Json:
    """Give an answer of a tool: the document's own example where it is valid, else one made from the schema.

    None where the document says nothing of an answer; where nothing valid was found, the document's own word.
    `validator` is that of `tool.result`, where it is at hand.
    """
    choice = choose_result(tool.operation.responses)
    own = _pruned(choice.media.examples if choice.media is not None else (), choice.schema, "response")
    if tool.result is None:
        return own[0] if own else None
    check = _Check(tool.result, validator)
    maker = InstanceMaker(tool.result, "response", {})
    for value in chain(own, _attempts(maker, "response")):
        if check.passes(value):
            return value
    return own[0] if own else next(filter(check.passes, _apart(maker, "response")), None)


class _Check:
    def __init__(self, schema: Schema, validator: Draft202012Validator | None = None) -> None:
        self._validator = validator or compile_schema(schema)
        self._effort = Effort(schema)
        self._costly = 0

    def passes(self, value: Json) -> bool:
        """Say whether a value is known to be valid; after a few that are too costly to check, none is."""
        if self._costly == _MAX_COSTLY:
            return False
        if self._effort.is_costly(value):
            self._costly += 1
            return False
        return self._validator.is_valid(plain(value))


def _is_worth_showing(tool: Tool) -> bool:
    """An optional body is shown where it says more than that there is one."""
    schema = tool.parameters["properties"]["body"]
    return isinstance(schema, Mapping) and bool({"properties", "$ref", "anyOf", "oneOf", "allOf"} & set(schema))


def _body_examples(tool: Tool) -> list[Json]:
    body = tool.operation.request_body
    media = choose_body(body).media if body is not None else None
    return _pruned(media.examples, media.schema, "request") if media is not None else []


def _pruned(examples: Iterable[Json], schema: Schema | None, direction: Direction) -> list[Json]:
    if not isinstance(schema, Mapping):
        return usable_examples(list(examples))
    pool = Pool()
    root = pool.add(schema)
    hidden = Hidden(pool, direction)
    return [hidden.prune(example, root) for example in usable_examples(list(examples))]


def _attempts(maker: InstanceMaker, direction: Direction, schema: Schema | None = None) -> Iterator[Json]:
    """Make instances one after the other, each in another way; most schemas need only the first."""
    for branch in range(_BRANCHES):
        has_branches = False
        for plan in _PLANS[direction]:
            yield from maker.make(plan._replace(branch=branch), schema)
            if maker.is_spent:
                return
            has_branches = has_branches or maker.has_branches
        if not has_branches:
            return


def _apart(maker: InstanceMaker, direction: Direction, schema: Schema | None = None) -> Iterator[Json]:
    """Make instances that fit one alternative of a `oneOf` alone, where `_attempts` had none that does."""
    if not maker.is_spent:
        for plan in _PLANS[direction]:
            yield from maker.make(plan._replace(apart=True), schema)
