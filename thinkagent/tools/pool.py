"""The definitions of several bundled schemas under one set of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from thinkagent.documents.model import Schema

__all__ = ["Pool"]

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
        return next((name for name in _spellings(ref) if name in self._schemas), None)

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
