"""The JSON Schema of a log's lines, made from the event types themselves."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from thinkagent.events.codec import volatile_fields
from thinkagent.events.ids import CallId, ThinkId
from thinkagent.events.types import EVENT_TYPES, SCHEMA_VERSION, Event

__all__ = ["log_schema"]

_SIMPLE: dict[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    CallId: {"type": "string", "pattern": r"^t\d+\.i\d+\.p\d+\.a\d+(\.h\d+)?$"},
    ThinkId: {"type": "string", "pattern": r"^t\d+\.r\d+\.a\d+$"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def log_schema() -> dict[str, Any]:
    """Give the schema (2020-12) of one line: one branch for each event type, unknown ones and later fields allowed.

    A field whose content went to a blob is `{"$blob": DIGEST}`. Fields that differ between equal runs are marked
    `x-volatile`.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_VERSION,
        "title": "A line of a thought log",
        "type": "object",
        "required": ["type"],
        "properties": {
            "seq": {"type": "integer", "description": "The place in the run, from 1."},
            "at": {"type": "string", "description": "UTC, ISO 8601 with microseconds.", "x-volatile": True},
            "type": {"type": "string"},
            "prev": {"type": "string", "description": "Digest of the line before.", "x-volatile": True},
        },
        "allOf": [
            {"if": {"properties": {"type": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}}
            for name in EVENT_TYPES
        ],
        "$defs": {
            "blob": {"type": "object", "required": ["$blob"], "properties": {"$blob": {"type": "string"}}},
            **{name: _event(kind) for name, kind in EVENT_TYPES.items()},
        },
    }


def _event(kind: type[Event]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    volatile = volatile_fields(kind)
    missing = dataclasses.MISSING
    fields = dataclasses.fields(kind)
    properties: dict[str, Any] = {}
    for field in fields:
        schema: dict[str, Any] = {"anyOf": [_field(hints[field.name]), {"$ref": "#/$defs/blob"}]}
        properties[field.name] = {**schema, "x-volatile": True} if field.name in volatile else schema
    required = [f.name for f in fields if f.default is missing and f.default_factory is missing]
    return {"type": "object", "properties": properties, "required": required}


def _field(hint: Any) -> dict[str, Any]:
    found = _SIMPLE.get(hint)
    if found is not None:
        return found
    return {"type": "array"} if typing.get_origin(hint) is list else {}
