"""Examples: the document's own where they are valid, else made from the schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thinkagent.documents.model import Schema
from thinkagent.tools.hidden import Direction, Hidden
from thinkagent.tools.instance import InstanceMaker, Plan
from thinkagent.tools.media import choose_body, choose_result
from thinkagent.tools.model import Tool
from thinkagent.tools.pool import Pool
from thinkagent.tools.shape import usable_examples
from thinkagent.tools.validity import compile_schema
from thinkagent.values import Json, plain

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
    value, _ = _example(schema, direction, prefer or {}, ())
    return value


def example_call(tool: Tool) -> dict[str, Json]:
    """Make arguments for a tool; empty where nothing valid could be made."""
    properties = tool.parameters["properties"]
    required = tool.parameters.get("required", [])
    names = [name for name in properties if name in required or (name == "body" and _is_worth_showing(tool))]
    call: dict[str, Json] = {}
    for name in names:
        schema = _with_definitions(properties[name], tool.parameters)
        own = _body_examples(tool) if name == "body" else ()
        value, is_valid = _example(schema, "request", {}, own)
        if is_valid:
            call[name] = value
        elif name in required:
            return {}
    return call


def example_result(tool: Tool) -> Json:
    """Give an answer of a tool; None where the document says nothing of it."""
    choice = choose_result(tool.operation.responses)
    own = _pruned(choice.media.examples if choice.media is not None else (), choice.schema, "response")
    if tool.result is None:
        return own[0] if own else None
    value, is_valid = _example(tool.result, "response", {}, own)
    return own[0] if own and not is_valid else value


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


def _example(
    schema: Schema, direction: Direction, prefer: Mapping[str, Json], own: Sequence[Json]
) -> tuple[Json, bool]:
    """Give the first valid example, the document's own first; else the best and False."""
    try:
        validator = compile_schema(schema)
    except ValueError:
        return (own[0] if own else None), False
    for value in own:
        if validator.is_valid(plain(value)):
            return value, True
    best: list[Json] = []
    for branch in range(_BRANCHES):
        for plan in _PLANS[direction]:
            maker = InstanceMaker(schema, direction, prefer, plan._replace(branch=branch))
            made = maker.make()
            if made and validator.is_valid(plain(made[0])):
                return made[0], True
            best = best or made
        if not maker.has_branches:
            break
    return (best[0] if best else None), False
