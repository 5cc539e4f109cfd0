"""One attempt at an instance of a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_CEILING, Decimal
from itertools import chain
from typing import Any, NamedTuple

from thinkagent.documents.model import Schema
from thinkagent.tools.apart import Chooser, near
from thinkagent.tools.flatten import Flattener
from thinkagent.tools.hidden import Direction, Hidden
from thinkagent.tools.merge import ANNOTATIONS
from thinkagent.tools.patterns import example_of_pattern
from thinkagent.tools.pool import Pool
from thinkagent.tools.variants import Variants
from thinkagent.values import Json

__all__ = ["InstanceMaker", "Plan"]

MAX_NODES = 2000
"""Values of one attempt, those that came to nothing included."""
MAX_DEPTH = 24
"""Definitions around a value."""
MAX_NESTING = 80
"""Values and alternatives around a value."""
MAX_REPEATS = 2
"""How often one definition may stand inside itself."""
MAX_ITEMS = 50
MAX_TEXT = 2000

_FORMATS = {
    "date-time": "2025-01-31T09:30:00Z",
    "date": "2025-01-31",
    "time": "09:30:00Z",
    "duration": "P1D",
    "uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "email": "user@example.com",
    "idn-email": "user@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "iri": "https://example.com/",
    "uri-reference": "/path",
    "iri-reference": "/path",
    "uri-template": "/path/{id}",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ip": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "byte": "ZXhhbXBsZQ==",
    "base64": "ZXhhbXBsZQ==",
    "json-pointer": "/a/b",
    "regex": "^a+$",
}
_KINDS = (
    ("object", ("properties", "additionalProperties", "required", "minProperties", "patternProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    ("string", ("format", "pattern", "minLength", "maxLength")),
)
"""What a schema without `type` is likely about, by the keywords that it has."""


class Plan(NamedTuple):
    """How an attempt is made."""

    optional: int
    """Optional properties that an object gets."""
    within: int = MAX_NESTING
    """How deep objects get optional properties."""
    given: bool = True
    """Whether the schema's own examples and defaults are taken."""
    branch: int = 0
    """Which alternative of `anyOf` and `oneOf` is taken."""
    apart: bool = False
    """Whether the alternatives of a `oneOf` are tried until one gives what fits no other."""


class _Impossible(Exception):
    """No value can be made here: a definition inside itself, or a schema that nothing fits."""


class _Spent(Exception):
    """The value has become too large, or too much was tried in vain."""


class InstanceMaker:
    """Makes values for a bundled schema; whether they are valid is for the caller to check."""

    def __init__(self, schema: Schema, direction: Direction, prefer: Mapping[str, Json]) -> None:
        self._pool = Pool()
        self._root = self._pool.add(schema)
        self._hidden = Hidden(self._pool, direction)
        self._flattener = Flattener(self._pool, Variants(self._pool))
        self._prefer = prefer
        definitions = schema.get("$defs") if isinstance(schema, Mapping) else None
        self._chooser = Chooser(definitions if isinstance(definitions, Mapping) else {})
        self._plan = Plan(0)
        self._nodes = 0
        self._nesting = 0
        self.has_branches = False
        """Whether another `branch` would make another value."""
        self.is_spent = False
        """Whether what is required alone was too much, so that no plan makes anything."""

    def make(self, plan: Plan, schema: Schema | None = None) -> list[Json]:
        """Give the value, in a list; an empty one where none could be made.

        One that would become too large has its optional properties at its top only. `schema` is a part of the schema,
        where only that is wanted.
        """
        self.has_branches = self.is_spent = False
        for attempt in (plan, plan._replace(within=1)) if plan.optional else (plan,):
            self._plan, self._nodes, self._nesting = attempt, 0, 0
            try:
                return [self._value(self._root if schema is None else schema, ())]
            except _Impossible:
                return []
            except _Spent:
                continue
        self.is_spent = True
        return []

    def _value(self, schema: object, stack: tuple[str, ...], index: int = 0) -> Json:
        """`stack` names the definitions around; `index` tells the items of one list apart."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Spent
        if schema is True or schema == {}:
            return "string"
        if not isinstance(schema, Mapping) or len(stack) > MAX_DEPTH or self._nesting >= MAX_NESTING:
            raise _Impossible
        self._nesting += 1
        try:
            return self._resolved_value(*self._resolved(schema, stack), index)
        finally:
            self._nesting -= 1

    def _resolved_value(self, schema: Mapping[str, Any], stack: tuple[str, ...], index: int) -> Json:
        if "const" in schema:
            return schema["const"]
        enum = schema.get("enum")
        if isinstance(enum, list) and enum:
            values = [value for value in enum if value is not None] or enum
            return values[index % len(values)]
        given = self._given(schema, index)
        if given:
            return given[0]
        for keyword in ("oneOf", "anyOf"):
            parts = schema.get(keyword)
            if isinstance(parts, list) and parts:
                return self._branch(schema, keyword, parts, stack, index)
        return self._of_kind(_kind(schema), schema, stack, index)

    def _resolved(self, schema: Mapping[str, Any], stack: tuple[str, ...]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Follow `$ref` and merge `allOf`, so that one schema without them is left."""
        for _ in range(MAX_DEPTH):
            if "$ref" in schema:
                rest = {key: value for key, value in schema.items() if key != "$ref"}
                target = self._pool.target(schema)
                if target is None or stack.count(target[0]) >= MAX_REPEATS:
                    raise _Impossible
                stack = (*stack, target[0])
                if target[1] is False:
                    raise _Impossible
                found: Mapping[str, Any] = target[1] if isinstance(target[1], Mapping) else {}
                schema = {**found, **rest} if ANNOTATIONS.issuperset(rest) else {"allOf": [found, rest]}
            elif "allOf" in schema:
                flat = self._flattener.flatten(schema)
                if "allOf" in flat:
                    return _loosely_merged(flat, self._pool), stack
                schema = flat
            else:
                return schema, stack
        raise _Impossible

    def _given(self, schema: Mapping[str, Any], index: int) -> list[Json]:
        """Give the schema's own example, in a list; null and what has another type do not count."""
        if not self._plan.given:
            return []
        examples = schema.get("examples")
        known = [
            *(examples if isinstance(examples, list) else ()),
            *([schema["default"]] if "default" in schema else ()),
        ]
        usable = [
            self._hidden.prune(value, schema) for value in known if value is not None and _has_type(value, schema)
        ]
        return [usable[index % len(usable)]] if usable else []

    def _branch(
        self, schema: Mapping[str, Any], keyword: str, parts: list[Any], stack: tuple[str, ...], index: int
    ) -> Json:
        if len(parts) > 1:
            self.has_branches = True
        rest = {key: value for key, value in schema.items() if key != keyword and key not in ANNOTATIONS}
        start = self._plan.branch % len(parts)
        ordered = [*parts[start:], *parts[:start]]
        wholes = [{"allOf": [rest, part]} if rest else part for part in sorted(ordered, key=_is_null)]
        if self._plan.apart and keyword == "oneOf" and len(parts) > 1:
            found = self._chooser.choose(schema, chain.from_iterable(map(near, self._each(wholes, stack, index))))
            if found:
                return found[0]
        for value in self._each(wholes, stack, index):
            return value
        raise _Impossible

    def _each(self, schemas: Iterable[object], stack: tuple[str, ...], index: int) -> Iterator[Json]:
        """Make a value for each of the schemas for which there is one."""
        for schema in schemas:
            try:
                yield self._value(schema, stack, index)
            except _Impossible:
                continue

    def _of_kind(self, kind: str, schema: Mapping[str, Any], stack: tuple[str, ...], index: int) -> Json:
        if kind == "object":
            return self._object(schema, stack, index)
        if kind == "array":
            return self._array(schema, stack)
        if kind == "string":
            return _string(schema, index)
        if kind in ("number", "integer"):
            return _number(schema, kind == "integer", index)
        return True if kind == "boolean" else None

    def _object(self, schema: Mapping[str, Any], stack: tuple[str, ...], index: int) -> dict[str, Json]:
        declared = schema.get("properties")
        properties = declared if isinstance(declared, Mapping) else {}
        gone = self._hidden.declared(schema)
        wanted = schema.get("required")
        required = dict.fromkeys(name for name in (wanted if isinstance(wanted, list) else ()) if name not in gone)
        value: dict[str, Json] = {}
        wished = self._plan.optional if self._nesting <= self._plan.within else 0
        room = max(wished, _count(schema, "minProperties") - len(required))
        rest = schema.get("additionalProperties", True)
        for name in [*properties, *(name for name in required if name not in properties)]:
            is_required = name in required
            if name in gone or not (is_required or (room > 0 and not _is_deprecated(properties.get(name)))):
                continue
            try:
                value[name] = self._property(name, properties.get(name, rest), stack, index)
                room -= not is_required
            except _Impossible:
                if is_required:
                    raise
        if isinstance(rest, Mapping) and not properties:
            missing = max(1, _count(schema, "minProperties")) - len(value)
            for number in range(min(missing, MAX_ITEMS)):
                value[f"key{number + 1}"] = self._value(rest, stack, number)
        return value

    def _property(self, name: str, schema: object, stack: tuple[str, ...], index: int) -> Json:
        if name in self._prefer and isinstance(schema, Mapping):
            resolved, _ = self._resolved(schema, stack)
            if _has_type(self._prefer[name], resolved):
                return self._prefer[name]
        return self._value(schema, stack, index)

    def _array(self, schema: Mapping[str, Any], stack: tuple[str, ...]) -> list[Json]:
        least = _count(schema, "minItems")
        count = min(max(least, 1), _count(schema, "maxItems", MAX_ITEMS), max(MAX_ITEMS, least))
        first = schema.get("prefixItems")
        first = first if isinstance(first, list) else []
        items = schema.get("items", schema.get("contains", True))
        value: list[Json] = []
        for number in range(min(max(count, len(first)), 1000)):
            part = first[number] if number < len(first) else items
            try:
                value.append(self._value(part, stack, number))
            except _Impossible:
                if number < least:
                    raise
                break
        return value


def _loosely_merged(schema: Mapping[str, Any], pool: Pool) -> Mapping[str, Any]:
    """Put the parts of an `allOf` that cannot be merged beside each other; later parts win."""
    merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        target = pool.target(part)
        found = target[1] if target is not None else part
        if found is False:
            raise _Impossible
        for key, value in found.items() if isinstance(found, Mapping) else ():
            known = merged.get(key)
            if key == "properties" and isinstance(known, Mapping) and isinstance(value, Mapping):
                merged[key] = {**known, **value}
            elif key == "required" and isinstance(known, list) and isinstance(value, list):
                merged[key] = [*known, *value]
            elif key not in ("allOf", "additionalProperties"):
                merged[key] = value
    return merged


def _kind(schema: Mapping[str, Any]) -> str:
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return kinds
    if isinstance(kinds, list) and kinds:
        return next((kind for kind in kinds if isinstance(kind, str) and kind != "null"), "null")
    return next((kind for kind, keywords in _KINDS if any(keyword in schema for keyword in keywords)), "string")


def _has_type(value: Json, schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    known = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    return not known or any(_is_kind(value, kind) for kind in known)


def _is_kind(value: Json, kind: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, int | Decimal):
        return kind == "number" or (kind == "integer" and value == Decimal(value).to_integral_value())
    names = {str: "string", dict: "object", list: "array", type(None): "null"}
    return names.get(type(value)) == kind


def _is_null(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _is_deprecated(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("deprecated") is True


def _count(schema: Mapping[str, Any], keyword: str, default: int = 0) -> int:
    value = schema.get(keyword, default)
    return int(value) if isinstance(value, int | Decimal) and 0 <= value < 1_000_000 else default


def _string(schema: Mapping[str, Any], index: int) -> str:
    least, most = _count(schema, "minLength"), _count(schema, "maxLength", MAX_TEXT)
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        made = example_of_pattern(pattern, least, index)
        if made is not None:
            return made
    form = schema.get("format")
    text = _FORMATS.get(form, "") if isinstance(form, str) else ""
    if text:
        return text.replace("@", f"{index + 1}@", 1) if index and "@" in text else text
    text = f"string{index + 1}" if index else "string"
    if len(text) < least:
        text += "x" * (min(least, MAX_TEXT) - len(text))
    return text[:most] if most < len(text) else text


def _number(schema: Mapping[str, Any], is_integer: bool, index: int) -> int | Decimal:
    step = _limit(schema, "multipleOf")
    if is_integer and (step is None or step != step.to_integral_value()):
        step = Decimal(1)
    low, high = _limit(schema, "minimum"), _limit(schema, "maximum")
    above, below = _limit(schema, "exclusiveMinimum"), _limit(schema, "exclusiveMaximum")
    unit = step or Decimal(1)
    start = max((bound for bound in (low, above) if bound is not None), default=None)
    if start is None:
        ends = [bound for bound in (high, below) if bound is not None]
        start = min(unit, *ends) if ends else unit
        start = start - unit if below is not None and start >= below else start
    elif above is not None and start == above:
        start = _between(above, high if high is not None else below, step)
    if step:
        start = (start / step).to_integral_value(ROUND_CEILING) * step
        start = start + step if above is not None and start <= above else start
    value = start + index * unit
    if (high is not None and value > high) or (below is not None and value >= below):
        value = start
    return int(value) if value == value.to_integral_value() else value


def _between(above: Decimal, end: Decimal | None, step: Decimal | None) -> Decimal:
    if step:
        return above
    return above + 1 if end is None or above + 1 < end else (above + end) / 2


def _limit(schema: Mapping[str, Any], keyword: str) -> Decimal | None:
    value = schema.get(keyword)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    if keyword == "multipleOf" and not number > Decimal("1e-25"):
        return None
    return number if Decimal("-1e25") < number < Decimal("1e25") else None
