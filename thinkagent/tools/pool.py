"""The definitions of several bundled schemas under one set of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from thinkagent.documents.model import Schema

__all__ = ["BRANCHES", "Gathered", "Pool"]

BRANCHES = ("allOf", "anyOf", "oneOf")
"""Keywords whose schemas describe the same value as the schema around them."""

_PREFIX = "#/$defs/"


class Pool:
    """Schemas by name, as the document gave them.

    Two bundled schemas may use one name for different things; the later one is renamed on its way in.
    """

    def __init__(self) -> None:
        self._schemas: dict[str, Any] = {}

    def add(self, schema: Schema) -> Schema:
        """Take over a bundled schema's `$defs` and give the schema without them."""
        if not isinstance(schema, Mapping):
            return schema
        root = {keyword: value for keyword, value in schema.items() if keyword != "$defs"}
        given = schema.get("$defs")
        if not isinstance(given, Mapping):
            return root
        renamed: dict[str, str] = {
            name: self._free(name, given)
            for name, value in given.items()
            if name in self._schemas and self._schemas[name] is not value and self._schemas[name] != value
        }
        for name, value in given.items():
            self._schemas.setdefault(renamed.get(name) or name, _rename(value, renamed) if renamed else value)
        return _rename(root, renamed) if renamed else root

    def take(self, name: str, schema: Schema) -> None:
        """Take over a bundled schema as the definition of this name, unless there is one."""
        if name not in self._schemas:
            self._schemas[name] = self.add(schema)

    def _free(self, name: str, given: Mapping[str, Any]) -> str:
        number = 2
        while f"{name}_{number}" in self._schemas or f"{name}_{number}" in given:
            number += 1
        return f"{name}_{number}"

    def name_of(self, ref: object) -> str | None:
        """Give the name that a `$ref` leads to; None where it leads nowhere."""
        if not isinstance(ref, str) or not ref.startswith(_PREFIX):
            return None
        raw = ref[len(_PREFIX) :]
        return raw if raw in self._schemas else next((name for name in _spellings(ref) if name in self._schemas), None)

    def __getitem__(self, name: str) -> Any:
        return self._schemas[name]

    def __contains__(self, name: str) -> bool:
        return name in self._schemas

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemas)

    def target(self, schema: object) -> tuple[str, Any] | None:
        """Follow a schema's `$ref`: name and schema of the definition."""
        if not isinstance(schema, Mapping) or "$ref" not in schema:
            return None
        name = self.name_of(schema["$ref"])
        return None if name is None else (name, self._schemas[name])

    def parts(self, schema: object, keywords: Sequence[str] = BRANCHES) -> Iterator[Mapping[str, Any]]:
        """Walk the schemas that describe the same value, through `$ref` and these keywords, each definition once."""
        # Definitions fan out and form chains: a walk by path would be exponential, one by recursion too deep.
        seen: set[str] = set()
        waiting: list[object] = [schema]
        while waiting:
            part = waiting.pop()
            if not isinstance(part, Mapping):
                continue
            yield part
            for keyword in reversed(keywords):
                branches = part.get(keyword)
                waiting.extend(reversed(branches) if isinstance(branches, list) else ())
            target = self.target(part)
            if target is not None and target[0] not in seen:
                seen.add(target[0])
                waiting.append(target[1])

    def property(self, schema: object, name: str) -> object:
        """Give the schema of a property, by what describes the same value; None where none declares it."""
        for part in self.parts(schema):
            properties = part.get("properties")
            if isinstance(properties, Mapping) and name in properties:
                found: object = properties[name]
                return found
        return None


class Gathered:
    """What all the schemas that describe one value say of it together; each definition is read once."""

    def __init__(
        self, pool: Pool, read: Callable[[Mapping[str, Any]], Iterable[str]], keywords: Sequence[str] = BRANCHES
    ) -> None:
        self._pool = pool
        self._read = read
        self._keywords = keywords
        self._own: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._known: dict[str, frozenset[str]] = {}

    def of(self, schema: object) -> frozenset[str]:
        """Give what is said by a schema and by all that it leads to through `$ref` and the keywords."""
        found, ahead = self._inside(schema)
        if not found and len(ahead) == 1:
            (name,) = ahead
            if name not in self._known:
                self._known[name] = self._with_all(frozenset(), ahead)
            return self._known[name]
        return self._with_all(found, ahead)

    def _with_all(self, found: frozenset[str], names: frozenset[str]) -> frozenset[str]:
        seen = set(names)
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in self._own:
                self._own[name] = self._inside(self._pool[name])
            said, ahead = self._own[name]
            found |= said
            waiting.extend(ahead - seen)
            seen |= ahead
        return found

    def _inside(self, schema: object) -> tuple[frozenset[str], frozenset[str]]:
        """Give what is said before any definition, and the definitions that are led to."""
        said: set[str] = set()
        names: set[str] = set()
        waiting = [schema]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Mapping):
                said.update(self._read(part))
                target = self._pool.target(part)
                names.update([target[0]] if target is not None else ())
                for keyword in self._keywords:
                    branches = part.get(keyword)
                    waiting.extend(branches if isinstance(branches, list) else ())
        return frozenset(said), frozenset(names)


def _spellings(ref: str) -> tuple[str, str]:
    """Give the name in a `$ref` as written and unescaped."""
    raw = ref[len(_PREFIX) :]
    return raw, unquote(raw).replace("~1", "/").replace("~0", "~")


def _rename(value: Any, renamed: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        changed = {key: _rename(item, renamed) for key, item in value.items()}
        ref = changed.get("$ref")
        if isinstance(ref, str) and ref.startswith(_PREFIX):
            old = next((spelling for spelling in _spellings(ref) if spelling in renamed), None)
            changed["$ref"] = ref if old is None else _PREFIX + renamed[old]
        return changed
    if isinstance(value, list):
        return [_rename(item, renamed) for item in value]
    return value
