"""Schemas and values checked by a validator that never reads a file or the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thinkagent.documents.model import Schema
from thinkagent.values import Json, clip, plain, visible

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

__all__ = ["compile_schema", "fits", "mend_schema"]

MAX_MENDS = 100


def compile_schema(schema: Schema) -> Draft202012Validator:
    """Compile a schema of JSON Schema 2020-12; formats are not asserted, references leave the schema nowhere.

    Raises:
        ValueError: it is no such schema.
    """
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(plain(schema), offline=True)
    except jsonschema_rs.ReferencingError as error:
        raise ValueError(str(error)) from error


def fits(schema: Schema, value: Json) -> bool:
    """Say whether a value is valid; where the schema itself is not, nothing is."""
    try:
        return compile_schema(schema).is_valid(plain(value))
    except ValueError:
        return False


def mend_schema(schema: dict[str, Any]) -> list[str]:
    """Drop from a schema, in place, every keyword that keeps it from compiling, and say which.

    The tool lives; only that check is gone.
    """
    problems: list[str] = []
    for _ in range(MAX_MENDS):
        problem = _first_problem(schema)
        if problem is None:
            return problems
        path, message = problem
        dropped = _drop(schema, path) if path else _drop_half_characters(schema)
        if not dropped:
            break
        problems.append(f"{dropped} is left out" + (f": {clip(message, 120)}" if path else ""))
    properties = schema.get("properties")
    schema.pop("$defs", None)
    schema["properties"] = {name: {} for name in properties} if isinstance(properties, Mapping) else {}
    return [*problems, "the schema cannot be used; anything is accepted"]


def _first_problem(schema: dict[str, Any]) -> tuple[list[str | int], str] | None:
    import jsonschema_rs

    try:
        compile_schema(schema)
    except jsonschema_rs.ValidationError as error:
        return list(error.instance_path), error.message
    except ValueError as error:
        return [], str(error)
    return None


def _drop_half_characters(at: Any) -> str:
    """Take out the first member that holds half a surrogate pair: such a text is in no encoding."""
    if isinstance(at, dict):
        for key, value in at.items():
            if _is_broken(key) or (isinstance(value, list) and any(map(_is_broken, value))) or _is_broken(value):
                del at[key]
                return f"{clip(visible(key), 60)!r}, with half a character in it,"
    for value in at.values() if isinstance(at, dict) else at if isinstance(at, list) else ():
        dropped = _drop_half_characters(value)
        if dropped:
            return dropped
    return ""


def _is_broken(text: object) -> bool:
    return isinstance(text, str) and any("\ud800" <= char <= "\udfff" for char in text)


def _drop(schema: dict[str, Any], path: list[str | int]) -> str:
    """Take out the member that a path leads to; a list loses its whole keyword."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    at: Any = schema
    for part in path[:-1]:
        at = at[part]
    if not path or not isinstance(at, dict) or path[-1] not in at:
        return ""
    return f"{path[-1]!r} {clip(repr(at.pop(path[-1])), 60)}"
