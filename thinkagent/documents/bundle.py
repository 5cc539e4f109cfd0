"""Schemas of a document as bundled JSON Schema 2020-12: every `$ref` is `#/$defs/NAME` and resolves inside the schema.

Each schema that a reference leads to is translated once, as a fragment whose own references already carry their final
names; a bundle is a fragment together with those that it needs. Names are the same throughout a document, so the
`$defs` of several bundles can be put together. Fragments are shared between bundles and must not be changed.
"""

from __future__ import annotations

import posixpath
import re
from functools import cached_property
from typing import Any, NamedTuple

from thinkagent.documents.dialect import ANNOTATIONS, translate
from thinkagent.documents.files import Files
from thinkagent.documents.model import Schema
from thinkagent.documents.nodes import Miss, Node, View
from thinkagent.documents.version import Dialect
from thinkagent.values import Json, digest, parse_pointer

__all__ = ["Schemas"]

_PREFIX = "#/$defs/"
_CIRCLE = "goes in a circle"
_BESIDE = frozenset((*ANNOTATIONS, "$ref"))

Key = tuple[str, str]
"""File and pointer of a schema."""


class _Fragment(NamedTuple):
    schema: Any
    needs: tuple[Key, ...]


class Schemas:
    """Translates and bundles the schemas of one document, on demand."""

    def __init__(self, files: Files, dialect: Dialect, components: View | None) -> None:
        self._files = files
        self._siblings_count = dialect not in ("2.0", "3.0")
        self._nodes: dict[Key, Node] = {}
        self._fragments: dict[Key, _Fragment] = {}
        self._closures: dict[Key, tuple[Key, ...]] = {}
        self._bundles: dict[Key, Schema] = {}
        self._names: dict[Key, str] = {}
        self._tops: dict[int, Key] = {}
        """What stands at the top of a bundle, by the bundle's identity; bundles are kept."""
        self._components = components
        self._taken: set[str] = set()
        self._meant: dict[Key, Key | Miss] = {}
        """What a reference to a schema comes to in the end."""

    def bundle(self, node: Node) -> Schema:
        """Give the schema that stands at a node; a dangling reference in it accepts anything."""
        key = (node.file, node.pointer)
        value = node.value
        if isinstance(value, dict) and set(value) == {"$ref"} and isinstance(value["$ref"], str):
            target = self._target(value["$ref"], node)
            if target is None:
                return {}
            return self._bundle_of(target)
        known = self._bundles.get(key)
        if known is None:
            known = self._bundles[key] = self._assemble(self._translate(node), key)
        return known

    def component(self, name: str) -> Schema | None:
        """Give a component schema by its key; None where there is none."""
        node = self._components.get(name) if self._components is not None else None
        return self.bundle(node) if node is not None else None

    def name_of(self, bundled: Schema) -> str:
        """Give the key of the component schema that a bundle of this document was made from; empty for any other."""
        return self._keys.get(self._tops.get(id(bundled), ("", "")), "")

    @cached_property
    def _keys(self) -> dict[Key, str]:
        members = self._components.members() if self._components is not None else ()
        return {(node.file, node.pointer): name for name, node in members}

    def variants(self, name: str) -> dict[str, Schema]:
        """Give the schemas that a component with a discriminator may stand for, by discriminator value.

        From the mapping, else from the component schemas whose `allOf` names it (OpenAPI, Discriminator Object).
        """
        parent = self._components.get(name) if self._components is not None else None
        view = self._files.view(parent) if parent is not None else None
        discriminator = view.raw("discriminator") if view is not None else None
        if view is None or discriminator is None:
            return {}
        found = self._mapped(discriminator, view.node)
        covered = set(found.values())
        for child, node in self._heirs.get((view.node.file, view.node.pointer), ()):
            key = (node.file, node.pointer)
            if key not in covered:
                self._nodes.setdefault(key, node)
                found.setdefault(child, key)
        return {value: self._bundle_of(key) for value, key in found.items()}

    @cached_property
    def _heirs(self) -> dict[Key, list[tuple[str, Node]]]:
        """The component schemas whose `allOf` names a schema, by that schema."""
        heirs: dict[Key, list[tuple[str, Node]]] = {}
        for name, node in self._components.members() if self._components is not None else ():
            for parent in self._parents(node):
                heirs.setdefault(parent, []).append((name, node))
        return heirs

    def _parents(self, node: Node) -> dict[Key, None]:
        parts = node.value.get("allOf") if isinstance(node.value, dict) else None
        found: dict[Key, None] = {}
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            if isinstance(part, dict) and isinstance(part.get("$ref"), str):
                target = self._files.find(part["$ref"], node.child("allOf").child(index))
                if isinstance(target, Node):
                    found[target.file, target.pointer] = None
        return found

    def _mapped(self, discriminator: Json, node: Node) -> dict[str, Key]:
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        found: dict[str, Key] = {}
        for value, reference in mapping.items() if isinstance(mapping, dict) else ():
            key = self._mapping_target(reference, node)
            if key is not None:
                found[value] = key
        return found

    def _mapping_target(self, reference: Json, node: Node) -> Key | None:
        if not isinstance(reference, str):
            return None
        named = self._components.get(reference) if self._components is not None else None
        target = named if named is not None else self._files.find(reference, node)
        if isinstance(target, Miss):
            return None
        key = (target.file, target.pointer)
        self._nodes.setdefault(key, target)
        return key

    def _bundle_of(self, key: Key) -> Schema:
        known = self._bundles.get(key)
        if known is None:
            known = self._bundles[key] = self._assemble(self._fragment(key), key)
        return known

    def _assemble(self, fragment: _Fragment, top: Key) -> Schema:
        """Bring the schema itself to the top and add what it needs."""
        schema = fragment.schema
        needs = dict.fromkeys(fragment.needs)
        by_name = {self._name(key): key for key in needs}
        while isinstance(schema, dict) and "$ref" in schema and all(map(_is_beside, schema)):
            top = by_name[schema["$ref"].removeprefix(_PREFIX)]
            inner = self._fragment(top)
            outer = {word: item for word, item in schema.items() if word != "$ref"}
            if isinstance(inner.schema, bool):
                return inner.schema
            schema = {**inner.schema, **outer}
            needs = dict.fromkeys(inner.needs)
            by_name = {self._name(item): item for item in needs}
        if isinstance(schema, bool):
            return schema
        definitions: dict[Key, None] = {}
        for key in needs:
            definitions.update(dict.fromkeys(self._closure(key)))
        if definitions:
            schema = {**schema, "$defs": {self._name(key): self._fragment(key).schema for key in definitions}}
        self._tops[id(schema)] = top
        return schema  # type: ignore[no-any-return]

    def _closure(self, key: Key) -> tuple[Key, ...]:
        known = self._closures.get(key)
        if known is None:
            found: dict[Key, None] = {key: None}
            todo = [key]
            while todo:
                for need in self._fragment(todo.pop()).needs:
                    if need not in found:
                        found[need] = None
                        todo.append(need)
            known = self._closures[key] = tuple(found)
        return known

    def _fragment(self, key: Key) -> _Fragment:
        known = self._fragments.get(key)
        if known is None:
            known = self._fragments[key] = self._translate(self._nodes[key])
        return known

    def _translate(self, node: Node) -> _Fragment:
        needs: dict[Key, None] = {}
        holder: list[Any] = [{}]
        todo: list[tuple[Node, Any, str | int]] = [(node, holder, 0)]
        while todo:
            current, into, key = todo.pop()
            into[key] = self._one(current, needs, todo)
        return _Fragment(holder[0], tuple(needs))

    def _one(self, node: Node, needs: dict[Key, None], todo: list[tuple[Node, Any, str | int]]) -> Any:
        value = node.value
        if isinstance(value, bool):
            return value
        if not isinstance(value, dict):
            if value is not None:
                self._note(node, "a schema is no object", "the schema accepts anything")
            return {}
        translated = translate(
            value, siblings_count=self._siblings_count, note=lambda _, message: self._note(node, message, "")
        )
        if translated.referring is not None:
            target = self._target(translated.reference, node)
            if target is None:
                del translated.referring["$ref"]
            else:
                translated.referring["$ref"] = _PREFIX + self._name(target)
                needs[target] = None
        self._name_mapping(translated.schema, node)
        for slot in translated.slots:
            child = node
            for step in slot.steps:
                child = child.child(step)
            todo.append((child, slot.into, slot.key))
        return translated.schema

    def _name_mapping(self, schema: dict[str, Json], node: Node) -> None:
        discriminator = schema.get("discriminator")
        if isinstance(discriminator, dict) and "mapping" in discriminator:
            named = {value: self._name(key) for value, key in self._mapped(discriminator, node).items()}
            schema["discriminator"] = {**discriminator, "mapping": named}

    def _target(self, reference: str, at: Node) -> Key | None:
        """Follow references to a schema that says something; None where they lead nowhere or in a circle."""
        passed: dict[Key, bool] = {}
        node = at
        target: str = reference
        end: Key | Miss | None = None
        while end is None:
            found = self._files.find(target, node)
            if isinstance(found, Miss):
                end = found
                break
            key = (found.file, found.pointer)
            end = Miss(target, _CIRCLE, node) if key in passed else self._meant.get(key)
            if end is None:
                value = found.value
                is_reference = isinstance(value, dict) and isinstance(value.get("$ref"), str)
                passed[key] = not (is_reference and len(value) == 1)
                self._nodes.setdefault(key, found)
                if is_reference:
                    target, node = value["$ref"], found
                else:
                    end = key
        is_circle = isinstance(end, Miss) and end.reason == _CIRCLE
        for key, says_something in reversed(passed.items()):
            end = key if says_something and not is_circle else end
            self._meant[key] = end
        if isinstance(end, Miss):
            self._note(at, str(end), "the schema accepts anything")
            return None
        return end

    def _name(self, key: Key) -> str:
        if not self._names:
            self._name_components()
        known = self._names.get(key)
        if known is None:
            file, pointer = key
            tokens = parse_pointer(pointer)
            known = self._give_name(key, tokens[-1] if tokens else posixpath.splitext(posixpath.basename(file))[0])
        return known

    def _name_components(self) -> None:
        """Name the component schemas after their keys, before any other schema can take such a name."""
        members = list(self._components.members()) if self._components is not None else []
        for name, node in sorted(members, key=lambda member: member[0] != _legal(member[0])):
            value = node.value
            key: Key | None = (node.file, node.pointer)
            if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("$ref"), str):
                key = self._target(value["$ref"], node)
            if key is not None and key not in self._names:
                self._give_name(key, name)

    def _give_name(self, key: Key, written: str) -> str:
        name = _legal(written)
        if name in self._taken:
            name = f"{name}-{digest('#'.join(key))[7:13]}"
        self._taken.add(name)
        self._names[key] = name
        return name

    def _note(self, node: Node, message: str, consequence: str) -> None:
        self._files.findings.add(node.file, node.pointer, message, consequence=consequence)


def _is_beside(keyword: str) -> bool:
    """Whether a keyword beside a `$ref` only annotates what it leads to."""
    return keyword in _BESIDE or keyword.startswith("x-")


def _legal(name: str) -> str:
    """Give a name that needs no escape in a `$ref`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("_") or "schema"
