"""The fields of a resource, read from its schema: where each lies, what it is called, what kind of value it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from thinkagent.documents.model import Schema
from thinkagent.minds.offline.words import is_cjk, singular, split_name

__all__ = [
    "DATE_ENDINGS",
    "FRAMES",
    "Field",
    "FieldKind",
    "Name",
    "deref",
    "fields_of",
    "items_of",
    "merged",
    "object_of",
    "properties",
    "types_of",
]

FieldKind = Literal["number", "boolean", "text", "date", "moment", "list", "object", "any"]
Name = tuple[tuple[str, ...], float]
"""A way to call something: its words in singular, and how far this is from the document's own word."""

DATE_ENDINGS = {"at", "on", "date", "time", "datetime", "timestamp", "ts"}
_UNITS = {
    "usd", "eur", "gbp", "cny", "cents", "cent", "kg", "g", "grams", "km", "m", "cm", "mm", "minutes", "min", "seconds",
    "sec", "ms", "hours", "hour", "bytes", "kb", "mb", "celsius", "percent", "pct", "km2", "m2", "m3", "ha", "mi", "ft",
    "lb", "kwh", "kmh", "deg", "l", "ml",
}  # fmt: skip
_VALUE_KEYS = {"value", "amount"}
_UNIT_KEYS = {"currency", "unit", "units", "uom", "currencycode"}
_MONEY = {"price", "cost", "total", "subtotal", "fee", "balance", "tax", "budget", "salary", "revenue", "sum", "charge",
          "payment", "discount", "rate", "wage", "debit", "credit"}  # fmt: skip
_MEASURED = {"quantity", "measurement", "reading", "size", "weight", "length", "volume"}
_GENERIC = {"id", "name", "value", "amount", "key", "code", "type", "number", "title", "label", "href", "url", "count"}
FRAMES = ("attributes", "properties")
"""What only frames the values of a thing, in JSON:API and GeoJSON: a person leaves it out."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(T|$)")
_DEPTH = 3

_MAX_MERGED = 100
"""Definitions that are merged into one schema."""


@dataclass(frozen=True, eq=False)
class Field:
    """One value of a resource."""

    path: tuple[str, ...]
    names: tuple[Name, ...]
    kind: FieldKind
    schema: Mapping[str, object]
    required: bool
    """Whether the schema promises it, all the way down."""
    choices: tuple[str, ...] = ()
    """The texts of an enumeration."""
    unit: tuple[str, ...] | None = None
    """The path of the field beside it that says in what currency or unit it counts."""
    description: str = ""

    @property
    def label(self) -> str:
        """As the document writes it, without its frame."""
        return ".".join(self.path[1:] if len(self.path) > 1 and self.path[0] in FRAMES else self.path)

    @property
    def words(self) -> tuple[str, ...]:
        return self.names[0][0]


def deref(schema: object, root: Mapping[str, object], seen: set[str] | None = None) -> Mapping[str, object]:
    """Follow `#/$defs/NAME` and merge `allOf`, one level; anything that is no object schema is empty.

    `seen` names the definitions that are merged already: each counts once, or a few could lead on without end.
    """
    seen = set() if seen is None else seen
    for _ in range(10):
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            break
        definitions = root.get("$defs")
        name = reference.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        target = definitions.get(name) if isinstance(definitions, Mapping) else None
        if not isinstance(target, Mapping) or name in seen or len(seen) >= _MAX_MERGED:
            return {}
        seen.add(name)
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return merged(schema, root, seen) if isinstance(schema, Mapping) else {}


def merged(
    schema: Mapping[str, object], root: Mapping[str, object], seen: set[str] | None = None
) -> Mapping[str, object]:
    """Unite the parts of `allOf`, and of a choice between one schema and null."""
    parts = schema.get("allOf")
    for word in ("oneOf", "anyOf"):
        choice = schema.get(word)
        if isinstance(choice, list):
            real = [part for part in choice if not (isinstance(part, Mapping) and part.get("type") == "null")]
            if len(real) == 1:
                parts = [*(parts if isinstance(parts, list) else []), real[0]]
    if not isinstance(parts, list):
        return schema
    whole: dict[str, object] = {}
    fields: dict[str, object] = {}
    required: list[object] = []
    for part in [*parts, {key: value for key, value in schema.items() if key not in ("allOf", "oneOf", "anyOf")}]:
        known = deref(part, root, seen)
        whole.update(known)
        inner = known.get("properties")
        fields.update(inner if isinstance(inner, Mapping) else {})
        needed = known.get("required")
        required += needed if isinstance(needed, list) else []
    return {**whole, **({"properties": fields} if fields else {}), **({"required": required} if required else {})}


def types_of(schema: Mapping[str, object]) -> set[str]:
    """Give the JSON types that a schema names, null left out."""
    named = schema.get("type")
    types = (
        {named}
        if isinstance(named, str)
        else {item for item in named if isinstance(item, str)}
        if isinstance(named, list)
        else set()
    )
    if not types and isinstance(schema.get("properties"), Mapping):
        types = {"object"}
    if not types and "items" in schema:
        types = {"array"}
    return types - {"null"}


def items_of(schema: object, root: Mapping[str, object]) -> object | None:
    """Give the schema of a list's elements; of a choice between lists the one that says most; None for no list."""
    whole = deref(schema, root)
    if "array" in types_of(whole):
        return whole.get("items", {})
    for word in ("oneOf", "anyOf"):
        choice = whole.get(word)
        real = [part for part in choice if deref(part, root).get("type") != "null"] if isinstance(choice, list) else []
        found = [items_of(part, root) for part in real]
        if found and None not in found:
            return max(found, key=lambda one: len(properties(deref(one, root))))
    return None


def object_of(schema: object, root: Mapping[str, object]) -> Mapping[str, object]:
    """Give the schema of one thing; of a choice between objects the one that says most."""
    whole = deref(schema, root)
    choice = whole.get("oneOf") or whole.get("anyOf")
    found = [deref(part, root) for part in choice] if isinstance(choice, list) and not properties(whole) else [whole]
    return max(found, key=lambda one: len(properties(one)), default={})


def properties(schema: Mapping[str, object]) -> Mapping[str, object]:
    """Give the properties of an object schema, empty where it has none."""
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def fields_of(schema: Schema | None, owner: tuple[str, ...]) -> tuple[Field, ...]:
    """Read the fields of a bundled object schema; `owner` is the resource's own name in singular words."""
    if not isinstance(schema, Mapping):
        return ()
    return tuple(_walk(schema, schema, (), (), True, owner, frozenset()))


def _walk(
    schema: Mapping[str, object],
    root: Mapping[str, object],
    path: tuple[str, ...],
    above: tuple[str, ...],
    required: bool,
    owner: tuple[str, ...],
    seen: frozenset[str],
) -> Iterator[Field]:
    whole = deref(schema, root)
    needed = whole.get("required")
    must = {item for item in needed if isinstance(item, str)} if isinstance(needed, list) else set()
    inner = properties(whole)
    unit = next((name for name in inner if name.lower().replace("_", "") in _UNIT_KEYS), None)
    for name, raw in inner.items():
        if not isinstance(name, str) or not isinstance(raw, Mapping):
            continue
        found = deref(raw, root)
        here = (*path, name)
        promised = required and name in must and "null" not in _all_types(found)
        field_names = _names(name, above, found, owner, unit is not None)
        beside = (*path, unit) if unit is not None and _counts_in(name, unit) else None
        yield _field(here, field_names, found, promised, beside)
        reference = str(raw.get("$ref", ""))
        if "object" in types_of(found) and len(here) < _DEPTH and (not reference or reference not in seen):
            framed = not path and name in FRAMES
            words = () if framed else tuple(singular(word) for word in split_name(name))
            yield from _walk(found, root, here, words, promised, owner, seen | {reference} if reference else seen)


def _counts_in(name: str, unit: str) -> bool:
    """Say whether a field is what the currency or unit beside it is about."""
    words = {singular(word) for word in split_name(name)}
    about = _MONEY | _VALUE_KEYS if "currency" in unit.lower() else _MEASURED | _VALUE_KEYS
    return name != unit and bool(words & about)


def _all_types(schema: Mapping[str, object]) -> set[str]:
    named = schema.get("type")
    found = {item for item in named if isinstance(item, str)} if isinstance(named, list) else set()
    return found | ({"null"} if schema.get("nullable") is True else set())


def _field(
    path: tuple[str, ...],
    names: tuple[Name, ...],
    schema: Mapping[str, object],
    required: bool,
    unit: tuple[str, ...] | None,
) -> Field:
    description = schema.get("description")
    choices = schema.get("enum")
    texts = tuple(item for item in choices if isinstance(item, str)) if isinstance(choices, list) else ()
    if isinstance(schema.get("const"), str):
        texts = (str(schema["const"]),)
    text = description if isinstance(description, str) else ""
    return Field(path, names, _kind(path[-1], schema), schema, required, texts, unit, text)


def _kind(name: str, schema: Mapping[str, object]) -> FieldKind:
    types = types_of(schema)
    form = schema.get("format")
    if types == {"string"}:
        if form == "date":
            return "date"
        if form == "date-time":
            return "moment"
        if form in ("decimal", "number", "double", "money"):
            return "number"
        if form is None and not schema.get("enum") and _looks_dated(name, schema):
            return "moment"
        return "text"
    if types and types <= {"number", "integer"}:
        return "number"
    if types == {"boolean"}:
        return "boolean"
    if types == {"array"}:
        return "list"
    return "object" if types == {"object"} else "any"


def _looks_dated(name: str, schema: Mapping[str, object]) -> bool:
    examples = schema.get("examples")
    samples = [schema.get("example"), *(examples if isinstance(examples, list) else [])]
    if any(isinstance(sample, str) and _ISO.match(sample) for sample in samples):
        return True
    words = split_name(name)
    return len(words) > 1 and words[-1] in DATE_ENDINGS - {"time", "ts"} and samples == [None]


def _names(
    name: str, above: tuple[str, ...], schema: Mapping[str, object], owner: tuple[str, ...], has_unit: bool
) -> tuple[Name, ...]:
    words = tuple(singular(word) for word in split_name(name)) or (name,)
    names: list[Name] = [(words, 0.0)]
    if above:
        names = [((*above, *words), 0.0)]
        if words[0] in _VALUE_KEYS and has_unit:
            names.append((above, 0.2))
        elif not set(words) <= _GENERIC:
            names.append((words, 0.4))
    elif len(words) > len(owner) and words[: len(owner)] == owner:
        names.append((words[len(owner) :], 0.1))
    for known, cost in list(names):
        if len(known) > 1 and known[-1] in DATE_ENDINGS:
            names.append((known[:-1], cost + 0.1))
        if len(known) > 1 and (known[-1] in _UNITS or split_name(name)[-1] in _UNITS):
            names.append((known[:-1], cost + 0.3))
        if len(known) > 1 and known[0] in ("is", "has"):
            names.append((known[1:], cost + 0.1))
    for text in (schema.get("title"), schema.get("description")):
        if isinstance(text, str) and 0 < len(text) <= 8 and is_cjk(text[0]):
            names.append(((text,), 0.0))
    return tuple(names)
