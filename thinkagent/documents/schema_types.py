"""The words that documents use for types, as types of JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping

from thinkagent.values import Json

__all__ = ["JSON_TYPES", "type_words"]

JSON_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")

_WORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    **{word: ("integer", {}) for word in ("int", "int32", "int64", "long", "short", "bigint")},
    **{word: ("number", {}) for word in ("float", "double", "decimal")},
    **{word: ("boolean", {}) for word in ("bool",)},
    **{word: ("string", {}) for word in ("str", "text", "char")},
    **{word: ("object", {}) for word in ("map", "dict", "dictionary", "hash", "struct")},
    **{word: ("array", {}) for word in ("list",)},
    **{word: ("string", {"format": "date-time"}) for word in ("datetime", "date-time")},
    **{word: ("string", {"format": word}) for word in ("date", "time", "uuid", "uri", "email", "byte")},
    "file": ("string", {"format": "binary"}),
    "binary": ("string", {"format": "binary"}),
}


def type_words(word: Json) -> tuple[str | None, Mapping[str, str]]:
    """Give the JSON type that a word means and the keywords that go with it; None where it means none."""
    if word is None:
        return "null", {}
    if not isinstance(word, str):
        return None, {}
    if word in JSON_TYPES:
        return word, {}
    return _WORDS.get(word.strip().lower(), (word.lower() if word.lower() in JSON_TYPES else None, {}))
