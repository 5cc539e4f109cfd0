"""Schemas and values checked by a validator that never reads a file or the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from thinkagent.documents.model import Schema
from thinkagent.tools.effort import AGAIN, Effort, asking
from thinkagent.values import Json, clip, plain, visible

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

__all__ = ["compile_schema", "fits", "mend_schema"]

MAX_MENDS = 100


def compile_schema(schema: Schema, *, is_plain: bool = False) -> Draft202012Validator:
    """Compile a schema of JSON Schema 2020-12; formats are not asserted, references leave the schema nowhere.

    `is_plain` says that `values.plain` has nothing to do on it.

    Raises:
        ValueError: it is no such schema.
    """
    import jsonschema_rs

    checked: Any = schema if is_plain else plain(schema)
    try:
        return jsonschema_rs.Draft202012Validator(checked, offline=True)
    except jsonschema_rs.ReferencingError as error:
        raise ValueError(str(error)) from error


def fits(schema: Schema, value: Json) -> bool:
    """Say whether a value is valid; where the schema itself is not, nothing is."""
    try:
        return compile_schema(schema).is_valid(plain(value))
    except ValueError:
        return False


def mend_schema(schema: dict[str, Any]) -> tuple[Draft202012Validator, list[str]]:
    """Drop from a plain schema, in place, every keyword that keeps it from compiling; compile it and say which.

    The tool lives; only that check is gone.
    """
    problems: list[str] = []
    if Effort(schema).is_costly_to_compile():
        for part in list(asking(schema)):
            for keyword in AGAIN:
                part.pop(keyword, None)
        problems.append("'unevaluatedProperties' and 'unevaluatedItems' are left out: too much leads to too much")
    for _ in range(MAX_MENDS):
        compiled = _compiled_or_problem(schema)
        if not isinstance(compiled, _Problem):
            return compiled, problems
        path, message = compiled
        dropped = _drop(schema, path) if path else _drop_half_characters(schema)
        if not dropped:
            break
        problems.append(f"{dropped} is left out" + (f": {clip(message, 120)}" if path else ""))
    properties = schema.get("properties")
    schema.pop("$defs", None)
    schema["properties"] = {name: {} for name in properties} if isinstance(properties, Mapping) else {}
    return compile_schema(schema, is_plain=True), [*problems, "the schema cannot be used; anything is accepted"]


class _Problem(NamedTuple):
    path: list[str | int]
    message: str


def _compiled_or_problem(schema: dict[str, Any]) -> Draft202012Validator | _Problem:
    import jsonschema_rs

    try:
        return compile_schema(schema, is_plain=True)
    except jsonschema_rs.ValidationError as error:
        return _Problem(list(error.instance_path), error.message)
    except ValueError as error:
        return _Problem([], str(error))


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
