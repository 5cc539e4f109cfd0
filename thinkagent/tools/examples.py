"""Examples: the document's own where they are valid, else made from the schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from thinkagent.documents.model import Schema
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


def example_value(
    schema: Schema, *, direction: Direction = "request", prefer: Mapping[str, Json] | None = None
) -> Json:
    """Make an example of a bundled schema, the same each time.

    Taken from `examples`, `default`, `const` and `enum` where the schema has them, else made from its type, format
    and bounds; required properties and a few optional ones. `prefer` gives values for properties of these names,
    taken where they fit. It is valid wherever one of a few attempts is; where none is, it is the best known.
    """
    try:
        validator = compile_schema(schema)
    except ValueError:
        return next(_attempts(schema, direction, prefer or {}), None)
    made: list[Json] = []
    for value in _attempts(schema, direction, prefer or {}):
        made.append(value)
        if validator.is_valid(plain(value)):
            return value
    return made[0] if made else None


def example_call(tool: Tool, validator: Draft202012Validator | None = None) -> dict[str, Json]:
    """Make arguments for a tool, valid together; empty where that could not be done.

    The body is the document's own example where that is valid. `validator` is that of `tool.parameters`, where it is
    at hand.
    """
    validator = validator or compile_schema(tool.parameters)
    properties = tool.parameters["properties"]
    required = tool.parameters.get("required", [])
    call: dict[str, Json] = {}
    for name in required:
        if name != "body":
            call[name] = example_value(_with_definitions(properties[name], tool.parameters))
    if "body" not in properties or not ("body" in required or _is_worth_showing(tool)):
        return call if validator.is_valid(plain(call)) else {}
    bodies = chain(
        _body_examples(tool), _attempts(_with_definitions(properties["body"], tool.parameters), "request", {})
    )
    for body in bodies:
        with_body = {**call, "body": body}
        if validator.is_valid(plain(with_body)):
            return with_body
    return call if "body" not in required and validator.is_valid(plain(call)) else {}


def example_result(tool: Tool, validator: Draft202012Validator | None = None) -> Json:
    """Give an answer of a tool: the document's own example where it is valid, else one made from the schema.

    None where the document says nothing of an answer; where nothing valid was found, the document's own word.
    `validator` is that of `tool.result`, where it is at hand.
    """
    choice = choose_result(tool.operation.responses)
    own = _pruned(choice.media.examples if choice.media is not None else (), choice.schema, "response")
    if tool.result is None:
        return own[0] if own else None
    validator = validator or compile_schema(tool.result)
    made: list[Json] = []
    for value in chain(own, _attempts(tool.result, "response", {})):
        made.append(value)
        if validator.is_valid(plain(value)):
            return value
    return made[0] if made else None


def _is_worth_showing(tool: Tool) -> bool:
    """An optional body is shown where it says more than that there is one."""
    schema = tool.parameters["properties"]["body"]
    return isinstance(schema, Mapping) and bool({"properties", "$ref", "anyOf", "oneOf", "allOf"} & set(schema))


def _with_definitions(schema: Any, root: Mapping[str, Any]) -> Schema:
    if isinstance(schema, Mapping) and "$defs" in root:
        return {**schema, "$defs": root["$defs"]}
    found: Schema = schema
    return found


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


def _attempts(schema: Schema, direction: Direction, prefer: Mapping[str, Json]) -> Iterator[Json]:
    """Make instances one after the other, each in another way; most schemas need only the first."""
    for branch in range(_BRANCHES):
        has_branches = False
        for plan in _PLANS[direction]:
            maker = InstanceMaker(schema, direction, prefer, plan._replace(branch=branch))
            yield from maker.make()
            has_branches = has_branches or maker.has_branches
        if not has_branches:
            return
