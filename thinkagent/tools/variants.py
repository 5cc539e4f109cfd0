"""The variants that a discriminator chooses between (OpenAPI Discriminator Object)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from thinkagent.documents.model import Schema
from thinkagent.tools.pool import Gathered, Pool

__all__ = ["Components", "Variant", "Variants"]


class Components(Protocol):
    """The component schemas of a document, bundled."""

    def schema(self, name: str) -> Schema | None:
        """Give a component schema; None where there is none of that name."""
        ...

    def name_of(self, schema: Schema) -> str:
        """Give the name of the component that a schema, by identity, is; empty for any other."""
        ...

    def variants(self, name: str) -> Mapping[str, Schema]:
        """Give what a component with a discriminator may stand for, by the discriminator's value."""
        ...


class Variant(NamedTuple):
    definition: str
    values: tuple[str, ...]
    """The values of the discriminating property that choose it."""


class Variants:
    """Reads discriminators: which definition is chosen by which value.

    A variant that only the document's components hold joins the pool when it is found.
    """

    def __init__(self, pool: Pool, components: Components | None = None) -> None:
        self._pool = pool
        self._components = components
        self._children: dict[str, list[Variant]] = {}
        self._limits = Gathered(pool, lambda part: {"enum", "const"} & set(part))

    def name_of(self, schema: Schema) -> str:
        """Give the name of the component that a schema is; empty where it is none."""
        name = self._components.name_of(schema) if self._components is not None else ""
        return name if self._is_there(name) else ""

    def property_of(self, schema: Mapping[str, Any]) -> str:
        """Give the name of the discriminating property; empty where there is no discriminator."""
        discriminator = schema.get("discriminator")
        name = discriminator.get("propertyName") if isinstance(discriminator, Mapping) else None
        return name if isinstance(name, str) else ""

    def is_parent(self, schema: object) -> bool:
        """Say whether the schema is the parent of variants that it does not itself list."""
        if not isinstance(schema, Mapping) or "oneOf" in schema or "anyOf" in schema:
            return False
        return bool(self.property_of(schema))

    def mapped(self, schema: Mapping[str, Any]) -> list[Variant]:
        """Give the variants that the mapping names and that are there, in its order."""
        values: dict[str, list[str]] = {}
        for value, place in _mapping(schema).items():
            name = self._definition(place)
            if name is not None:
                values.setdefault(name, []).append(value)
        return [Variant(name, tuple(found)) for name, found in values.items()]

    def listed(self, schema: Mapping[str, Any], parts: Iterable[object]) -> dict[str, tuple[str, ...]]:
        """Give the values that choose each of the listed definitions.

        Those of the mapping; a definition that it does not name is chosen by its own name, unless its property says
        something else or is not there (OpenAPI, Discriminator Object: the implicit mapping).
        """
        values = {variant.definition: variant.values for variant in self.mapped(schema)}
        for target in map(self._pool.target, parts):
            if target is not None and target[0] not in values and self._is_component(target[0]):
                declared = self._pool.property(target[1], self.property_of(schema))
                if isinstance(declared, Mapping) and not self._limits.of(declared):
                    values[target[0]] = (target[0],)
        return values

    def _is_component(self, name: str) -> bool:
        return self._components is None or self._components.schema(name) is not None

    def children(self, parent: Mapping[str, Any], name: str = "") -> list[Variant]:
        """Give a parent's variants: those it maps, and the definitions that extend it by `allOf`.

        Where it maps none, it is itself the variant of its own name. `name` is the parent's; without it only the
        mapping is known.
        """
        if not name:
            return self.mapped(parent)
        if name not in self._children:
            mapped = self.mapped(parent)
            known = {value for variant in mapped for value in variant.values}
            known_names = {variant.definition for variant in mapped}
            extending = [
                Variant(child, (child,)) for child in self._extending(name) if child not in known | known_names
            ]
            itself = [Variant(name, (name,))] if extending and not mapped else []
            self._children[name] = [*mapped, *extending, *itself]
        return self._children[name]

    def _definition(self, place: object) -> str | None:
        if not isinstance(place, str):
            return None
        name = self._pool.name_of(place)
        if name is not None:
            return name
        last = place.rpartition("/")[2]
        return next((name for name in (place, last) if self._is_there(name)), None)

    def _is_there(self, name: str) -> bool:
        if name not in self._pool and self._components is not None:
            schema = self._components.schema(name)
            if schema is not None:
                self._pool.take(name, schema)
        return name in self._pool

    def _extending(self, parent: str) -> list[str]:
        if self._components is not None:
            variants = self._components.variants(parent)
            for name, schema in variants.items():
                self._pool.take(name, schema)
            return [name for name in variants if name != parent]
        return [name for name in self._pool if name != parent and self._extends(name, parent)]

    def _extends(self, name: str, parent: str) -> bool:
        schema = self._pool[name]
        parts = schema.get("allOf") if isinstance(schema, Mapping) else None
        targets = [self._pool.target(part) for part in (parts if isinstance(parts, list) else ())]
        return any(target is not None and target[0] == parent for target in targets)


def _mapping(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    discriminator = schema.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, Mapping) else None
    return mapping if isinstance(mapping, Mapping) else {}
