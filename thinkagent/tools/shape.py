"""A document's schemas as one direction sees them: bundled anew, `allOf` merged, every variant in view."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Any

from thinkagent.documents.model import Schema
from thinkagent.tools.flatten import BASE_REF, Flattener
from thinkagent.tools.hidden import MAX_DEPTH, Direction, Hidden
from thinkagent.tools.pool import Pool
from thinkagent.tools.text import plain_text
from thinkagent.tools.variants import Components, Variant, Variants
from thinkagent.values import clip, plain

__all__ = ["Shaper", "usable_examples"]

MAX_TEXT = 1000
"""Characters of a title or description that a schema keeps."""
MAX_FACES = 8
"""How often one definition is rewritten, each time with other properties hidden by the schemas around it."""

_ONE = frozenset(
    {"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)
_LIST = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LEFT_OUT = frozenset(
    {"$defs", "definitions", "$id", "$schema", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "id"}
    | {"$recursiveAnchor", "$vocabulary", "$comment", "externalDocs", "xml", "contentSchema", "nullable", "example"}
)
_TYPES = frozenset({"null", "boolean", "object", "array", "number", "string", "integer"})
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


class Shaper:
    """Rewrites schemas of one document; what they share is rewritten once. Numbers come out plain.

    Left out are the properties that the direction does not show, from `required` too, keywords that are no JSON
    Schema 2020-12 and identifiers; what had to be dropped stands in `problems`.
    """

    def __init__(self, direction: Direction, components: Components | None = None) -> None:
        pool = Pool()
        self.hidden = Hidden(pool, direction)
        self.problems: list[str] = []
        self.pool = pool
        self._definitions: dict[str, Any] = {}
        self._needs: dict[str, tuple[str, ...]] = {}
        self._variants = Variants(pool, components)
        self._flattener = Flattener(pool, self._variants)
        self._made: dict[tuple[str, frozenset[str], bool], str] = {}
        self._faces: Counter[str] = Counter()
        self._waiting: deque[tuple[str, Any, frozenset[str], str]] = deque()

    def shape(self, schema: Schema) -> Schema:
        """Rewrite a bundled schema; its references lead to `definitions`, which the caller adds."""
        shaped: Schema = self._shape(self.pool.add(schema), frozenset(), self._variants.name_of(schema), 0)
        # Definitions wait in a queue: a chain of them may be longer than Python's stack.
        while self._waiting:
            place, definition, hidden, owner = self._waiting.popleft()
            self._definitions[place] = self._shape(definition, hidden, owner, 0)
        return shaped

    def definitions(self, schema: object) -> dict[str, Any]:
        """Give the definitions that a rewritten schema needs, each before those that it needs itself."""
        found: dict[str, Any] = {}
        waiting = deque(_references(schema))
        while waiting:
            name = waiting.popleft()
            if name in self._definitions and name not in found:
                found[name] = self._definitions[name]
                if name not in self._needs:
                    self._needs[name] = tuple(dict.fromkeys(_references(found[name])))
                waiting.extend(self._needs[name])
        return found

    def _shape(self, schema: Any, hidden: frozenset[str], owner: str, depth: int) -> Any:
        """`hidden` are names that the schemas around this one do not show; `owner` is as `Flattener.flatten` has it."""
        if isinstance(schema, bool):
            return {} if schema else False
        if not isinstance(schema, Mapping):
            self._problem(f"{_short(schema)} stands where a schema is expected")
            return {}
        if depth > MAX_DEPTH:
            self._problem(f"a schema is nested deeper than {MAX_DEPTH} levels")
            return {}
        if self._variants.is_parent(schema):
            chosen = self._choice(schema, owner)
            if chosen is not None:
                return chosen
        flat = self._flattener.flatten(schema, owner)
        own = hidden | self.hidden.declared(flat)
        gone = own | self.hidden.declared(flat, branches=True)
        shaped: dict[str, Any] = {}
        for keyword, value in flat.items():
            if keyword == "$ref":
                shaped.update(self._reference(value, own))
            elif keyword not in _LEFT_OUT and not keyword.startswith("x-"):
                self._keyword(shaped, flat, keyword, value, own if keyword != "required" else gone, depth)
        return shaped

    def _keyword(
        self,
        shaped: dict[str, Any],
        flat: Mapping[str, Any],
        keyword: str,
        value: Any,
        gone: frozenset[str],
        depth: int,
    ) -> None:
        if keyword == "properties" and isinstance(value, Mapping):
            shaped[keyword] = {
                name: self._shape(item, frozenset(), "", depth + 1)
                for name, item in value.items()
                if name not in gone and not self.hidden.is_hidden(item)
            }
        elif keyword in _NAMED and isinstance(value, Mapping):
            shaped[keyword] = {name: self._shape(item, frozenset(), "", depth + 1) for name, item in value.items()}
        elif keyword == "items" and isinstance(value, list):
            shaped.setdefault("prefixItems", [self._shape(item, frozenset(), "", depth + 1) for item in value])
        elif keyword in _ONE:
            inherited = gone if keyword in ("if", "then", "else", "not") else frozenset()
            shaped[keyword] = self._one(keyword, value, inherited, depth)
        elif keyword in _LIST and isinstance(value, list):
            self._branches(shaped, flat, keyword, value, gone, depth)
        elif keyword == "required" and isinstance(value, list):
            names = [name for name in value if isinstance(name, str) and name not in gone]
            if names:
                shaped[keyword] = list(dict.fromkeys(names))
        elif keyword == "dependentRequired" and isinstance(value, Mapping):
            shaped[keyword] = {
                name: [other for other in names if other not in gone]
                for name, names in value.items()
                if name not in gone and isinstance(names, list)
            }
        else:
            self._plain(shaped, flat, keyword, value)

    def _one(self, keyword: str, value: Any, hidden: frozenset[str], depth: int) -> Any:
        if isinstance(value, bool) and keyword in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems"):
            return value
        return self._shape(value, hidden, "", depth + 1)

    def _plain(self, shaped: dict[str, Any], flat: Mapping[str, Any], keyword: str, value: Any) -> None:
        """Take over a keyword that holds no schemas."""
        if keyword == "type":
            kinds = [value] if isinstance(value, str) else value if isinstance(value, list) else []
            known = [kind for kind in dict.fromkeys(map(str, kinds)) if kind in _TYPES]
            if len(known) < len(kinds) or not known:
                self._problem(f"{_short(value)} is no type of JSON Schema")
            if known:
                shaped[keyword] = known[0] if isinstance(value, str) or len(known) == 1 else known
        elif keyword in ("title", "description"):
            if isinstance(value, str) and value.strip():
                shaped[keyword] = plain_text(value, MAX_TEXT)
        elif keyword == "discriminator":
            name = self._variants.property_of(flat)
            if name and ("oneOf" in flat or "anyOf" in flat):
                shaped[keyword] = {"propertyName": name}
        elif keyword == "examples":
            shown = [self.hidden.prune(item, flat) for item in usable_examples(value)]
            if shown:
                shaped[keyword] = shown
        elif keyword == "default":
            for usable in usable_examples([value]):
                shaped[keyword] = self.hidden.prune(usable, flat)
        elif keyword == "enum" and value == []:
            self._problem("an empty enum allows nothing")
        else:
            shaped[keyword] = plain(value)

    def _branches(
        self,
        shaped: dict[str, Any],
        flat: Mapping[str, Any],
        keyword: str,
        parts: list[Any],
        hidden: frozenset[str],
        depth: int,
    ) -> None:
        inherited = frozenset() if keyword == "prefixItems" else hidden
        discriminator = self._variants.property_of(flat) if keyword in ("oneOf", "anyOf") else ""
        marks = self._variants.listed(flat, parts) if discriminator else {}
        branches = []
        for part in parts:
            branch = self._shape(part, inherited, "", depth + 1)
            target = self.pool.target(part)
            if target is not None and target[0] in marks and isinstance(branch, dict):
                branch = _marked(branch, discriminator, marks[target[0]])
            branches.append(branch)
        if branches:
            shaped[keyword] = branches

    def _choice(self, parent: Mapping[str, Any], name: str) -> dict[str, Any] | None:
        """Write a discriminator's parent as the choice between its variants; None where none is known."""
        variants = self._variants.children(parent, name)
        if not variants:
            return None
        discriminator = self._variants.property_of(parent)
        branches = [self._variant(variant, name, discriminator) for variant in variants]
        texts = {
            key: plain_text(text, MAX_TEXT)
            for key in ("title", "description")
            if isinstance(text := parent.get(key), str)
        }
        return {**texts, "anyOf": branches, "discriminator": {"propertyName": discriminator}}

    def _variant(self, variant: Variant, parent: str, discriminator: str) -> dict[str, Any]:
        place = BASE_REF if variant.definition == parent else "#/$defs/"
        return _marked(self._reference(place + variant.definition, frozenset()), discriminator, variant.values)

    def _reference(self, ref: object, hidden: frozenset[str]) -> dict[str, Any]:
        """Give `$ref` to the rewritten definition, made now if it is not there yet."""
        is_base = isinstance(ref, str) and ref.startswith(BASE_REF)
        name = self.pool.name_of(ref.replace(BASE_REF, "#/$defs/", 1) if isinstance(ref, str) and is_base else ref)
        seen: set[str] = set()
        while name is not None and name not in seen:
            seen.add(name)
            schema = self.pool[name]
            if not (isinstance(schema, Mapping) and set(schema) == {"$ref"}):
                break
            name = self.pool.name_of(schema["$ref"])
        else:
            self._problem(f"the reference {_short(ref)} leads nowhere")
            return {}
        gone = (hidden & self.hidden.names_in(schema)) - self.hidden.declared(schema) if hidden else hidden
        key = (name, gone, is_base)
        if key not in self._made:
            if self._faces[name] == MAX_FACES:
                self._problem(f"the schema {_short(name)} is needed in more than {MAX_FACES} ways")
                return {}
            self._faces[name] += 1
            self._made[key] = place = self._place(name, key[1], is_base)
            self._definitions[place] = {}
            if is_base:
                schema = {keyword: value for keyword, value in schema.items() if keyword != "discriminator"}
            self._waiting.append((place, schema, key[1], name))
        return {"$ref": f"#/$defs/{self._made[key]}"}

    def _place(self, name: str, hidden: frozenset[str], is_base: bool) -> str:
        """Name a rewritten definition; the same whatever was rewritten before it."""
        base = _NOT_IN_NAME.sub("_", name).strip("_") or "Schema"
        if is_base:
            base += "_base"
        if hidden:
            base += f"_without_{_NOT_IN_NAME.sub('_', '_'.join(sorted(hidden)))}"
        place, number = base, 2
        while place in self._definitions:
            place, number = f"{base}_{number}", number + 1
        return place

    def _problem(self, text: str) -> None:
        if text not in self.problems:
            self.problems.append(text)


def _references(schema: object) -> Iterator[str]:
    """Walk the names of the definitions that a rewritten schema refers to."""
    if isinstance(schema, dict):
        ref = schema.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
        for value in schema.values():
            if isinstance(value, dict | list):
                yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def usable_examples(examples: object) -> list[Any]:
    """Give the examples that are values; one that holds a reference was never resolved."""
    listed = examples if isinstance(examples, list | tuple) else [examples]
    return [plain(example) for example in listed if not _holds_reference(example)]


def _holds_reference(value: object) -> bool:
    if isinstance(value, Mapping):
        return isinstance(value.get("$ref"), str) or any(map(_holds_reference, value.values()))
    return isinstance(value, list) and any(map(_holds_reference, value))


def _marked(branch: dict[str, Any], name: str, values: tuple[str, ...]) -> dict[str, Any]:
    """Say beside a branch which values of the discriminating property choose it."""
    mark = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    return {**branch, "properties": {**branch.get("properties", {}), name: mark}, "required": [name]}


def _short(value: object) -> str:
    return clip(repr(value), 80)
