"""Small documents that mean a great deal of work to whoever follows every path in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.tools.helpers import answer, body, operation

__all__ = ["CHAINS", "FANS", "PLACES", "chain", "fan", "nest", "paths_of", "ref"]

DEPTH, WIDTH = 30, 10


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _each(schema: Any) -> dict[str, Any]:
    return {f"p{number}": schema for number in range(WIDTH)}


def _wrapped(schema: Any) -> list[Any]:
    return [{"required": [name], "properties": {name: schema}} for name in _each(schema)]


def _described(schema: Any) -> list[Any]:
    return [{**schema, "description": f"the {number}th"} for number in range(WIDTH)]


FANS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "properties": lambda to: {"type": "object", "properties": _each(to)},
    "required properties": lambda to: {"type": "object", "required": [*_each(to)], "properties": _each(to)},
    "allOf": lambda to: {"allOf": [to] * WIDTH},
    "allOf of properties": lambda to: {"allOf": [{"properties": {name: to}} for name in _each(to)]},
    "allOf that cannot be merged": lambda to: {
        "allOf": _described(to),
        "properties": {"own": {}},
        "additionalProperties": False,
    },
    "allOf on one property": lambda to: {"allOf": [{"properties": {"a": {"minLength": 1}}}, *_described(to)]},
    "oneOf": lambda to: {"oneOf": [to] * WIDTH},
    "oneOf of properties": lambda to: {"oneOf": _wrapped(to)},
    "anyOf": lambda to: {"anyOf": [to] * WIDTH},
    "anyOf of properties": lambda to: {"anyOf": _wrapped(to)},
    "anyOf of one property": lambda to: {"anyOf": [{"properties": {"a": to}}] * WIDTH},
    "items": lambda to: {"type": "array", "minItems": WIDTH, "items": to},
    "prefixItems": lambda to: {"type": "array", "prefixItems": [to] * WIDTH},
    "additionalProperties": lambda to: {"type": "object", "minProperties": WIDTH, "additionalProperties": to},
    "patternProperties": lambda to: {"patternProperties": {f".{{0,{number}}}": to for number in range(WIDTH)}},
    "not": lambda to: {"not": {"anyOf": [to] * WIDTH}},
    "if": lambda to: {"if": to, "then": to, "else": to},
    "unevaluatedProperties": lambda to: {"allOf": [to], "anyOf": [to, True], "unevaluatedProperties": False},
    "hidden by the way there": lambda to: {
        "anyOf": [{"properties": {name: {"readOnly": True}}, "anyOf": [to]} for name in _each(to)]
    },
    "discriminator": lambda to: {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "discriminator": {"propertyName": "kind", "mapping": dict.fromkeys(_each(to), to["$ref"])},
    },
}
"""From one schema to the next, ten times over."""

CHAINS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "allOf": lambda to: {"allOf": [to], "properties": {"own": {"type": "string"}}},
    "oneOf": lambda to: {"oneOf": [to, {"type": "integer"}]},
    "items": lambda to: {"type": "array", "items": to},
    "properties": lambda to: {"type": "object", "required": ["next"], "properties": {"next": to}},
    "additionalProperties": lambda to: {"type": "object", "additionalProperties": to},
    "not": lambda to: {"not": to},
    "$ref": lambda to: to,
    "$ref with a description": lambda to: {**to, "description": "the next"},
}

PLACES: dict[str, Callable[[Any], Mapping[str, Any]]] = {
    "body": lambda schema: {"requestBody": body(schema)},
    "answer": lambda schema: {"responses": answer(schema)},
    "parameter": lambda schema: {"parameters": [{"name": "q", "in": "query", "required": True, "schema": schema}]},
}


def fan(make: Callable[[dict[str, Any]], dict[str, Any]], *, is_circular: bool) -> dict[str, Any]:
    """Make component schemas S0 to S30, each of which leads to the next ten times; the last to nothing or to S0."""
    last = {"type": "object", "properties": {"first": ref("S0")}} if is_circular else {"type": "string"}
    return {**{f"S{number}": make(ref(f"S{number + 1}")) for number in range(DEPTH)}, f"S{DEPTH}": last}


def chain(make: Callable[[dict[str, Any]], dict[str, Any]], length: int) -> dict[str, Any]:
    """Make component schemas of which each leads to the next once."""
    return {**{f"S{number}": make(ref(f"S{number + 1}")) for number in range(length)}, f"S{length}": {"type": "object"}}


def nest(make: Callable[[Any], Any], levels: int, inside: Any) -> Any:
    """Put a value into itself, again and again."""
    for _ in range(levels):
        inside = make(inside)
    return inside


def paths_of(schema: Any) -> dict[str, Any]:
    """Make a document's paths with a schema in every place that has one."""
    whole = {key: value for place in PLACES.values() for key, value in place(schema).items()}
    listed = answer({"type": "array", "items": schema})
    return {
        "/things": {
            "get": operation("listThings", summary="List things", responses=listed),
            "post": operation("createThing", summary="Create a thing", **whole),
        }
    }
