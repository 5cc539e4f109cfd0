"""A schema with its `allOf` merged, as far as that can be written as one schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkagent.tools.merge import ANNOTATIONS, merge_schemas
from thinkagent.tools.pool import Pool
from thinkagent.tools.variants import Variants

__all__ = ["BASE_REF", "Flattener"]

BASE_REF = "#/$base/"
"""Stands for `#/$defs/` where a variant extends its parent: the parent's own fields, not the choice of variants."""

MAX_CHAIN = 30
"""How many definitions may lead to each other within one `allOf` before they are left as they are."""


class Flattener:
    """Merges `allOf`; a definition that includes itself is included once."""

    def __init__(self, pool: Pool, variants: Variants) -> None:
        self._pool = pool
        self._variants = variants
        self._known: dict[str, dict[str, Any]] = {}
        self._within: dict[str, dict[str, Any]] = {}
        """What definitions came to in the `allOf` at hand, where they lead back to what is already in it."""
        self._cuts = 0

    def flatten(self, schema: Mapping[str, Any], owner: str = "") -> dict[str, Any]:
        """Give the same schema without `allOf` where its parts can be merged, else as it is.

        `owner` is the name of the definition that this is the whole of.
        """
        self._within.clear()
        return self._flatten(schema, (owner,) if owner else ())

    def _flatten(self, schema: Mapping[str, Any], stack: tuple[str, ...]) -> dict[str, Any]:
        parts = schema.get("allOf")
        if not isinstance(parts, list):
            return dict(schema)
        rest = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
        parts = [part for part in parts if part is not True and not self._is_in(part, stack)]
        if not parts:
            return rest
        if len(parts) == 1 and ANNOTATIONS.issuperset(rest) and not self._extends(parts[0], stack):
            return self._wrapped(parts[0], rest, stack)
        if all(isinstance(part, Mapping) for part in parts):
            merged = merge_schemas([rest, *(self._resolved(part, stack) for part in parts)])
            if merged is not None:
                return merged
        return {**rest, "allOf": [self._as_base(part) for part in parts]}

    def _is_in(self, part: object, stack: tuple[str, ...]) -> bool:
        target = self._pool.target(part)
        is_in = target is not None and target[0] in stack
        self._cuts += is_in
        return is_in

    def _extends(self, part: object, stack: tuple[str, ...]) -> bool:
        """Say whether a definition, by this part, is a variant of the parent that the part names."""
        target = self._pool.target(part)
        if target is None or not stack or not self._variants.is_parent(target[1]):
            return False
        variants = self._variants.children(target[1], target[0])
        return any(variant.definition == stack[-1] for variant in variants)

    def _wrapped(self, part: Any, rest: dict[str, Any], stack: tuple[str, ...]) -> dict[str, Any]:
        """Put annotations beside the one schema they are about."""
        if not isinstance(part, Mapping):
            return {**rest, "allOf": [part]}
        return {**self._flatten(part, stack), **rest}

    def _resolved(self, part: Mapping[str, Any], stack: tuple[str, ...]) -> dict[str, Any]:
        target = self._pool.target(part)
        if target is None:
            return self._flatten(part, stack)
        name, schema = target
        if len(stack) > MAX_CHAIN:
            self._cuts += 1
            return dict(part)
        if not isinstance(schema, Mapping) or self._is_in(part, stack):
            return dict(part)
        flat = self._definition(name, schema, stack)
        beside = {keyword: value for keyword, value in part.items() if keyword != "$ref"}
        if beside:
            return merge_schemas([beside, flat]) or dict(part)
        return flat

    def _definition(self, name: str, schema: Mapping[str, Any], stack: tuple[str, ...]) -> dict[str, Any]:
        if name in self._known:
            return self._known[name]
        if name in self._within:
            self._cuts += 1
            return self._within[name]
        cuts = self._cuts
        flat = self._flatten(schema, (*stack, name))
        if self._variants.is_parent(schema):
            flat.pop("discriminator", None)
        if "$ref" in flat:
            flat = self._resolved(flat, (*stack, name))
        (self._known if self._cuts == cuts else self._within)[name] = flat
        return flat

    def _as_base(self, part: Any) -> Any:
        target = self._pool.target(part)
        if target is None or not self._variants.is_parent(target[1]):
            return part
        return {**part, "$ref": BASE_REF + target[0]}
