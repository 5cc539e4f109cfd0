"""One Schema Object of any version, translated to JSON Schema 2020-12, one level at a time.

`translate` gives the translated keywords and says which subschemas are still to be translated and where each goes; the
caller walks. What is no schema survives as the schema that accepts anything, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from thinkagent.documents.schema_types import JSON_TYPES, type_words
from thinkagent.values import Json, clip, write_json

__all__ = ["REFERENCE_SIBLINGS", "Slot", "Translated", "translate"]

REFERENCE_SIBLINGS = frozenset(
    [
        "description",
        "summary",
        "title",
        "nullable",
        "x-nullable",
        "readOnly",
        "writeOnly",
        "deprecated",
        "default",
        "example",
        "examples",
    ]
)
"""What counts beside a `$ref` before 3.1, where by the letter nothing does: notes that authors put there."""

ANNOTATIONS = ("title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "discriminator")
_ONE = frozenset(
    [
        "additionalProperties",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    ]
)
_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas"))
_TEXTS = frozenset(("title", "description", "format", "pattern", "contentMediaType", "contentEncoding"))
_FLAGS = frozenset(("deprecated", "readOnly", "writeOnly", "uniqueItems"))
_COUNTS = frozenset(
    [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
    ]
)
_BOUNDS = frozenset(("minimum", "maximum", "multipleOf"))
_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_COMPOSED = ("$ref", "allOf", "anyOf", "oneOf", "not", "const")
_SMALL_VALUES = 32
_SMALL_TEXT = 400

Note = Callable[[str, str], None]
"""Takes a keyword and what is wrong with it."""


class Slot(NamedTuple):
    """A subschema still to be translated: where its value goes, and where it stands."""

    into: Any
    key: str | int
    steps: tuple[str | int, ...]


@dataclass(slots=True)
class Translated:
    schema: dict[str, Json]
    slots: list[Slot] = field(default_factory=list)
    referring: dict[str, Json] | None = None
    """The object that is to get the translated `$ref`, where the schema has one."""
    reference: str = ""


def translate(raw: Mapping[str, Json], *, siblings_count: bool, note: Note) -> Translated:
    """Translate one level of a schema object; `siblings_count` is false before 3.1."""
    reference = raw.get("$ref", raw.get("$dynamicRef", raw.get("$recursiveRef")))
    if isinstance(reference, str):
        if not siblings_count:
            raw = {key: value for key, value in raw.items() if key in REFERENCE_SIBLINGS}
    elif reference is not None:
        note("$ref", f"'$ref' is {_shown(reference)}, not a text")
    result = Translated({})
    if isinstance(reference, str):
        result.reference = reference
        result.schema["$ref"] = reference
    for key, value in raw.items():
        _keyword(key, value, raw, result, note)
    _add_examples(raw, result.schema)
    if "description" not in result.schema and isinstance(reference, str) and isinstance(raw.get("summary"), str):
        result.schema["description"] = raw["summary"]
    result.referring = result.schema if isinstance(reference, str) else None
    if _is_nullable(raw):
        _allow_null(result)
    return result


def _keyword(key: str, value: Json, raw: Mapping[str, Json], result: Translated, note: Note) -> None:
    schema = result.schema
    if key == "type":
        _types(value, schema, note)
    elif key in _MAPS:
        _map(key, value, result, note)
    elif key in _LISTS:
        _list(key, value, result, note)
    elif key == "items":
        _items(value, raw, result)
    elif key in _ONE:
        schema[key] = True
        result.slots.append(Slot(schema, key, (key,)))
    elif key in _TEXTS:
        _keep(schema, key, value, isinstance(value, str), note)
    elif key in _FLAGS:
        _keep(schema, key, value, isinstance(value, bool), note)
    elif key in _COUNTS:
        _keep(schema, key, _whole(value), _whole(value) is not None, note, value)
    elif key in _BOUNDS:
        is_exclusive = raw.get(f"exclusive{key[:1].upper()}{key[1:]}") is True
        if not is_exclusive:
            _keep(schema, key, value, _is_number(value) and (key != "multipleOf" or value > 0), note)
    elif key in _EXCLUSIVE:
        _exclusive(key, value, raw, schema, note)
    elif key == "enum":
        _enum(value, schema, note)
    elif key in ("const", "default"):
        schema[key] = value
    elif key == "required":
        _required(value, schema, note)
    elif key == "dependentRequired":
        _keep(schema, key, value, isinstance(value, dict), note)
    elif key == "dependencies":
        _dependencies(value, result)
    elif key == "discriminator":
        _discriminator(value, schema)
    elif key.startswith("x-") and key not in ("x-nullable", "x-example") and is_small(value):
        schema[key] = value


def _keep(schema: dict[str, Json], key: str, value: Json, fits: object, note: Note, found: Json = None) -> None:
    if fits:
        schema[key] = value
    elif value is not None or found is not None:
        note(key, f"{key!r} is {_shown(value if found is None else found)} and is ignored")


def _types(value: Json, schema: dict[str, Json], note: Note) -> None:
    words = value if isinstance(value, list) else [value]
    types: list[str] = []
    is_complete = True
    for word in words:
        known, extra = type_words(word)
        if word is not None and word not in (*JSON_TYPES, "file"):
            note("type", f"'type' is {_shown(word)}, which JSON Schema does not have")
        is_complete = is_complete and known is not None
        if known is not None and known not in types:
            types.append(known)
        for key, item in extra.items():
            schema.setdefault(key, item)
    if types and is_complete:
        schema["type"] = types if isinstance(value, list) and len(types) > 1 else types[0]


def _map(key: str, value: Json, result: Translated, note: Note) -> None:
    if not isinstance(value, dict):
        note(key, f"{key!r} is {_shown(value)}, not an object, and is ignored")
        return
    if isinstance(value.get("$ref"), str):
        _map_behind_reference(key, value, result, note)
        return
    members: dict[str, Json] = {}
    result.schema[key] = members
    if key == "properties":
        # Draft 3 and many hands put `required: true` on the property itself.
        needed = [name for name, member in value.items() if isinstance(member, dict) and member.get("required") is True]
        if needed:
            result.schema["required"] = list(dict.fromkeys((*result.schema.get("required", ()), *needed)))
    for name in value:
        members[name] = True
        result.slots.append(Slot(members, name, (key, name)))


def _map_behind_reference(key: str, value: Mapping[str, Json], result: Translated, note: Note) -> None:
    """Read `properties: {$ref: …}`, which the standard does not know, as the schema that is meant."""
    note(key, f"{key!r} holds a '$ref' of its own, where only a schema can have one")
    if key == "properties" and len(value) == 1:
        parts = result.schema.setdefault("allOf", [])
        parts.append(True)
        result.slots.append(Slot(parts, len(parts) - 1, (key,)))


def _list(key: str, value: Json, result: Translated, note: Note) -> None:
    if isinstance(value, dict):
        note(key, f"{key!r} is an object, not a list; it is read as a list of one")
        members = result.schema.setdefault(key, [])
        members.append(True)
        result.slots.append(Slot(members, len(members) - 1, (key,)))
    elif isinstance(value, list) and value:
        members = result.schema.setdefault(key, [])
        start = len(members)
        members.extend([True] * len(value))
        result.slots.extend(Slot(members, start + index, (key, index)) for index in range(len(value)))
    elif value is not None and value != []:
        note(key, f"{key!r} is {_shown(value)}, not a list, and is ignored")


def _items(value: Json, raw: Mapping[str, Json], result: Translated) -> None:
    if not isinstance(value, list):
        result.schema["items"] = True
        result.slots.append(Slot(result.schema, "items", ("items",)))
        return
    members: list[Json] = [True] * len(value)
    if members:
        result.schema["prefixItems"] = members
        result.slots.extend(Slot(members, index, ("items", index)) for index in range(len(value)))
    if "additionalItems" in raw:
        result.schema["items"] = True
        result.slots.append(Slot(result.schema, "items", ("additionalItems",)))


def _enum(value: Json, schema: dict[str, Json], note: Note) -> None:
    if isinstance(value, list) and value:
        schema["enum"] = list(value)
    else:
        note("enum", "'enum' is empty and is ignored" if value == [] else f"'enum' is {_shown(value)}, not a list")


def _exclusive(key: str, value: Json, raw: Mapping[str, Json], schema: dict[str, Json], note: Note) -> None:
    if isinstance(value, bool):
        bound = raw.get(_EXCLUSIVE[key])
        if value and _is_number(bound):
            schema[key] = bound
    else:
        _keep(schema, key, value, _is_number(value), note)


def _required(value: Json, schema: dict[str, Json], note: Note) -> None:
    if isinstance(value, list):
        required = dict.fromkeys((*schema.get("required", ()), *map(str, value)))
        if required:
            schema["required"] = list(required)
    elif value is not None:
        note("required", f"'required' is {_shown(value)}, not a list of names")


def _dependencies(value: Json, result: Translated) -> None:
    for name, needed in value.items() if isinstance(value, dict) else ():
        if isinstance(needed, list):
            result.schema.setdefault("dependentRequired", {})[name] = needed
        else:
            members = result.schema.setdefault("dependentSchemas", {})
            members[name] = True
            result.slots.append(Slot(members, name, ("dependencies", name)))


def _discriminator(value: Json, schema: dict[str, Json]) -> None:
    if isinstance(value, str):
        schema["discriminator"] = {"propertyName": value}
    elif isinstance(value, dict) and isinstance(value.get("propertyName"), str):
        schema["discriminator"] = {key: item for key, item in value.items() if key in ("propertyName", "mapping")}


def _add_examples(raw: Mapping[str, Json], schema: dict[str, Json]) -> None:
    examples = raw.get("examples")
    found: list[Json] = []
    if isinstance(examples, list):
        found = list(examples)
    elif isinstance(examples, dict):
        found = [item["value"] if isinstance(item, dict) and "value" in item else item for item in examples.values()]
    for key in ("example", "x-example"):
        if key in raw:
            found.append(raw[key])
    if found:
        schema["examples"] = found


def _is_nullable(raw: Mapping[str, Json]) -> bool:
    return any(raw.get(key) in (True, "true") for key in ("nullable", "x-nullable"))


def _allow_null(result: Translated) -> None:
    """Let the schema accept null as well: `nullable: true` of 3.0, `x-nullable` of 2.0."""
    schema = result.schema
    if any(key in schema for key in _COMPOSED):
        inner = {key: value for key, value in schema.items() if key not in ANNOTATIONS}
        outer = {key: value for key, value in schema.items() if key in ANNOTATIONS}
        result.slots = [slot._replace(into=inner) if slot.into is schema else slot for slot in result.slots]
        result.referring = inner if result.referring is schema else result.referring
        result.schema = {**outer, "anyOf": [inner, {"type": "null"}]}
        return
    types = schema.get("type")
    if isinstance(types, str) and types != "null":
        schema["type"] = [types, "null"]
    elif isinstance(types, list) and "null" not in types:
        schema["type"] = [*types, "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]


def is_small(value: Json) -> bool:
    """Whether a value is small enough to be carried along in every tool, and holds no reference."""
    todo, count = [value], 0
    while todo:
        item = todo.pop()
        count += 1
        if count > _SMALL_VALUES or (isinstance(item, str) and len(item) > _SMALL_TEXT):
            return False
        if isinstance(item, dict):
            if "$ref" in item:
                return False
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return True


def _is_number(value: Json) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _whole(value: Json) -> int | None:
    if not _is_number(value) or value < 0 or value != value.__floor__() or value >= 2**63:
        return None
    return int(value)


def _shown(value: Json) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return clip(repr(value) if isinstance(value, str) else write_json(value), 60)
