"""`allOf` made one schema, where that says the same."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from thinkagent.values import same

__all__ = ["ANNOTATIONS", "merge_schemas"]

ANNOTATIONS = frozenset(
    {"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}
    | {"externalDocs", "xml", "discriminator", "nullable"}
)
"""Keywords that constrain nothing."""

_LARGEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_SMALLEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_NESTED = ("items", "propertyNames")


MAX_JOINED = 100
"""How many schemas one property may have."""


class _Conflict(Exception):
    """The schemas cannot be written as one."""


def merge_schemas(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Write the conjunction of schemas that hold neither `$ref` nor `allOf` as one; None where that cannot be.

    Properties that several declare become `allOf` of theirs, to be merged in turn. Of annotations the first schema's
    count, then those of the later ones over those of the earlier ones.
    """
    if any("$ref" in schema or "allOf" in schema for schema in schemas):
        return None
    try:
        _check_closed(schemas)
        merged: dict[str, Any] = {}
        for schema in schemas:
            for keyword, value in schema.items():
                if keyword not in merged:
                    merged[keyword] = value
                elif keyword in ANNOTATIONS or keyword.startswith("x-"):
                    merged[keyword] = _annotation(keyword, merged[keyword], value, keyword in schemas[0])
                else:
                    merged[keyword] = _both(keyword, merged[keyword], value)
    except _Conflict:
        return None
    return merged


def _annotation(keyword: str, left: Any, right: Any, is_first: bool) -> Any:
    if keyword in ("readOnly", "writeOnly", "deprecated"):
        return left is True or right is True
    return left if is_first else right


def _both(keyword: str, left: Any, right: Any) -> Any:
    if keyword == "type":
        return _common_type(left, right)
    if keyword == "properties" and isinstance(left, Mapping) and isinstance(right, Mapping):
        return {**left, **{name: _join(left[name], value) if name in left else value for name, value in right.items()}}
    if keyword == "required" and isinstance(left, list) and isinstance(right, list):
        return list(dict.fromkeys((*left, *right)))
    if keyword == "enum" and isinstance(left, list) and isinstance(right, list):
        return _common_values(left, right) or _conflict()
    if keyword in _NESTED:
        return _join(left, right)
    if same(left, right):
        return left
    try:
        if keyword in _LARGEST:
            return max(left, right)
        if keyword in _SMALLEST:
            return min(left, right)
    except TypeError:
        return _conflict()
    return _conflict()


def _common_values(left: list[Any], right: list[Any]) -> list[Any]:
    # Looked up, not compared: two lists of thousands have millions of pairs.
    known = set(map(_hashable, right))
    return [value for value in left if _hashable(value) in known]


def _hashable(value: Any) -> Hashable:
    """Give what is equal for values that are the `same`, and only for those."""
    if isinstance(value, dict):
        return "object", frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list):
        return "array", tuple(map(_hashable, value))
    return isinstance(value, bool), value


def _conflict() -> Any:
    raise _Conflict


def _join(left: Any, right: Any) -> Any:
    parts = list(_conjuncts(left))
    for part in _conjuncts(right):
        if not any(same(part, other) for other in parts):
            parts.append(part)
    if len(parts) > MAX_JOINED:
        return _conflict()
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def _conjuncts(schema: Any) -> list[Any]:
    """Give what a joined schema was joined from, so that joining again and again says each thing once."""
    is_joined = isinstance(schema, Mapping) and set(schema) == {"allOf"} and isinstance(schema["allOf"], list)
    return schema["allOf"] if is_joined and schema["allOf"] else [schema]


def _common_type(left: Any, right: Any) -> Any:
    lefts = [left] if isinstance(left, str) else left
    rights = [right] if isinstance(right, str) else right
    if not isinstance(lefts, list) or not isinstance(rights, list):
        return _conflict()
    common = [kind for kind in lefts if kind in rights or (kind == "integer" and "number" in rights)]
    common += [kind for kind in rights if kind == "integer" and "number" in lefts and kind not in common]
    if not common:
        return _conflict()
    return common[0] if len(common) == 1 else common


def _check_closed(schemas: Sequence[Mapping[str, Any]]) -> None:
    """Refuse where a keyword of one schema reaches what only another one declares."""
    if any("prefixItems" in schema for schema in schemas) and sum("items" in schema for schema in schemas) > 1:
        raise _Conflict
    for closed in schemas:
        rest = closed.get("additionalProperties", True)
        is_outer = closed is schemas[0]
        if ("unevaluatedProperties" in closed or "unevaluatedItems" in closed) and not is_outer:
            raise _Conflict
        if rest is True or rest == {}:
            continue
        own = _names(closed)
        if any(_names(other) - own or "patternProperties" in other for other in schemas if other is not closed):
            raise _Conflict


def _names(schema: Mapping[str, Any]) -> set[str]:
    properties = schema.get("properties")
    return set(properties) if isinstance(properties, Mapping) else set()
