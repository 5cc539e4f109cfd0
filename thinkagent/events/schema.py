"""The JSON Schema of a log's lines, made from the event types themselves."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import typing
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Any

from thinkagent.events.codec import volatile_fields
from thinkagent.events.ids import CallId, ThinkId
from thinkagent.events.types import EVENT_TYPES, SCHEMA_VERSION, Event
from thinkagent.values import Secret, SecretText

__all__ = ["log_schema"]

_TEXT = {"$ref": "#/$defs/text"}
_DIGEST = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
_SIMPLE: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    Decimal: {"type": "number"},
    NoneType: {"type": "null"},
    Secret: _TEXT,
    SecretText: _TEXT,
    Any: {},
    CallId: {"type": "string", "pattern": r"^t\d+\.i\d+\.p\d+\.a\d+(\.h\d+)?$"},
    ThinkId: {"type": "string", "pattern": r"^t\d+\.r\d+\.a\d+$"},
}
_ENVELOPE: Mapping[str, dict[str, Any]] = {
    "seq": {"type": "integer", "minimum": 1, "description": "The place in the run, from 1."},
    "at": {"type": "string", "description": "UTC, ISO 8601 with microseconds.", "x-volatile": True},
    "type": {"type": "string"},
    "prev": {
        "type": "string",
        "pattern": "^([0-9a-f]{32})?$",
        "description": "The first 32 digits of the SHA-256 of the event's line before; empty in the first.",
        "x-volatile": True,
    },
}


def log_schema() -> dict[str, Any]:
    """Give the schema (2020-12) of one line of a log, plain or packed.

    There is one branch for each event type, chosen by `type`; unknown types and later fields are allowed. Fields that
    differ between equal runs are marked `x-volatile`.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:" + re.sub("[./]", ":", SCHEMA_VERSION),
        "title": f"A line of a thought log ({SCHEMA_VERSION})",
        "description": "A log is a text of such lines. A type that is not listed belongs to a later version: keep it.",
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "if": {"properties": {"type": {"const": "blob"}}},
        "then": {"$ref": "#/$defs/blob"},
        "else": {
            "required": list(_ENVELOPE),
            "properties": dict(_ENVELOPE),
            "allOf": [
                {"if": {"properties": {"type": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}}
                for name in EVENT_TYPES
            ],
        },
        "$defs": {**_SHAPES, **{name: _event(kind) for name, kind in EVENT_TYPES.items()}},
    }


_SHAPES: Mapping[str, dict[str, Any]] = {
    "blob": {
        "description": "Content that a packed log carries itself, before the events that name it.",
        "type": "object",
        "required": ["type", "digest", "text"],
        "properties": {"type": {"const": "blob"}, "digest": _DIGEST, "text": {"type": "string"}},
    },
    "content": {
        "description": "A field whose content is long: its digest. With `json` the content is JSON, else a text.",
        "type": "object",
        "required": ["$blob"],
        "properties": {"$blob": _DIGEST, "json": {"const": True}},
        "additionalProperties": False,
    },
    "secret": {
        "description": "A secret, by the name of the place where it first appeared.",
        "type": "object",
        "required": ["$secret"],
        "properties": {"$secret": {"type": "string"}},
        "additionalProperties": False,
    },
    "text": {
        "description": "A text, a secret, or a text around secrets.",
        "anyOf": [
            {"type": "string"},
            {"$ref": "#/$defs/secret"},
            {
                "type": "object",
                "required": ["$text"],
                "properties": {"$text": {"items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/secret"}]}}},
                "additionalProperties": False,
            },
        ],
    },
}


def _event(kind: type[Event]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    volatile = volatile_fields(kind)
    told = _descriptions().get(kind.__name__, {})
    missing = dataclasses.MISSING
    fields = dataclasses.fields(kind)
    properties: dict[str, Any] = {}
    for field in fields:
        schema = _possibly_long(_schema(hints[field.name]))
        if field.name in told:
            schema = {**schema, "description": told[field.name]}
        properties[field.name] = {**schema, "x-volatile": True} if field.name in volatile else schema
    required = [f.name for f in fields if f.default is missing and f.default_factory is missing]
    return {"type": "object", "properties": properties, "required": required}


def _possibly_long(schema: dict[str, Any]) -> dict[str, Any]:
    """Allow the digest of the content in the place of what may be long."""
    kinds = schema.get("anyOf", [schema])
    if not any(kind.get("type") in ("string", "array", "object", None) and "pattern" not in kind for kind in kinds):
        return schema
    return {"anyOf": [*kinds, {"$ref": "#/$defs/content"}]} if schema else {}


def _schema(hint: Any) -> dict[str, Any]:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return {"type": "array", "items": _schema(parts[0])} if parts[0] is not Any else {"type": "array"}
    if origin is Mapping:
        return {"type": "object", **({} if parts[1] is Any else {"additionalProperties": _schema(parts[1])})}
    assert origin in (UnionType, typing.Union), f"no schema for {hint}"
    options: list[dict[str, Any]] = []
    for part in (part for part in parts if not (part is str and Secret in parts)):
        if _schema(part) not in options:
            options.append(_schema(part))
    return {"anyOf": options} if len(options) > 1 else options[0]


@cache
def _descriptions() -> Mapping[str, Mapping[str, str]]:
    """Read what the event types' source says of their fields: class to field to the text under it."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(inspect.getmodule(Event))).body:  # type: ignore[arg-type]
        if not isinstance(node, ast.ClassDef):
            continue
        told = found.setdefault(node.name, {})
        for before, after in zip(node.body, node.body[1:], strict=False):
            match before, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                    told[name] = " ".join(text.split()).replace("None", "null")
    return found
