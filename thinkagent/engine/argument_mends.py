"""Slips in arguments whose meaning is beyond doubt, put right one by one.

Only what the validator complained of is touched: a place where text is allowed is never read as something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from thinkagent.engine.argument_problems import value_at
from thinkagent.tools.model import Tool
from thinkagent.values import Json, JsonError, join_pointer, read_json, same, write_json

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

__all__ = ["Mended", "mend", "merge_patch_bodies"]

Path = tuple[str | int, ...]

_UNIONS = ("anyOf", "oneOf", "oneOfNotValid")
_MERGE_PATCH = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class Mended:
    value: dict[str, Json]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    path: Path
    note: str
    value: Json = None
    drop: bool = False
    decoded: bool = False
    """The value was read out of a text; this place is not read a second time."""


@dataclass(frozen=True, slots=True)
class _Scope:
    value: dict[str, Json]
    done: set[Path]
    bodies: frozenset[str]
    patches: frozenset[str]


def merge_patch_bodies(tool: Tool) -> frozenset[str]:
    """Name the arguments that are merge patches: there null is a word of its own."""
    return frozenset(
        argument.name
        for argument in tool.arguments
        if argument.location == "body" and argument.wire_name.partition(";")[0].strip().lower() == _MERGE_PATCH
    )


def mend(tool: Tool, value: dict[str, Json], errors: Iterable[ValidationError], done: set[Path]) -> Mended | None:
    """Put right what can be; None where nothing can. `done` remembers the places that were read out of a text."""
    bodies = frozenset(argument.name for argument in tool.arguments if argument.location == "body")
    scope = _Scope(value, done, bodies, merge_patch_bodies(tool))
    changes = [change for error in errors for change in _changes(scope, error) or ()]
    if not changes:
        return None
    mended: Json = value
    notes = []
    for change in {change.path: change for change in changes}.values():
        mended = _with(mended, change.path, change)
        notes.append(change.note)
        if change.decoded:
            done.add(change.path)
    return Mended(mended, tuple(notes))


def _changes(scope: _Scope, error: ValidationError) -> list[_Change] | None:
    """Give the changes that answer one complaint; None where there are none."""
    path: Path = tuple(error.instance_path)
    kind = error.kind.name
    facts: Mapping[str, Any] = error.kind.as_dict()
    if kind in _UNIONS:
        return _union_changes(scope, path, facts.get("context", ()))
    found = value_at(scope.value, path)
    if found is None and kind in ("type", "enum", "const"):
        return _dropped(scope, path)
    if kind == "type":
        return _as_type(scope, path, found, facts["types"])
    if kind == "enum":
        return _as_option(scope, path, found, facts["options"])
    if kind == "const":
        return _as_option(scope, path, found, [facts["expected_value"]])
    return None


def _union_changes(scope: _Scope, path: Path, branches: Sequence[Sequence[ValidationError]]) -> list[_Change] | None:
    """Take a branch whose every complaint can be answered, if there is exactly one such reading."""
    if isinstance(value_at(scope.value, path), str) and any(_allows_text(branch, path) for branch in branches):
        return None
    readings: list[list[_Change]] = []
    for branch in branches:
        answers = [_changes(scope, error) for error in branch]
        if answers and all(answers):
            reading = [change for answer in answers for change in answer or ()]
            if not any(_same_reading(reading, known) for known in readings):
                readings.append(reading)
    return readings[0] if len(readings) == 1 else None


def _allows_text(branch: Sequence[ValidationError], path: Path) -> bool:
    for error in branch:
        if tuple(error.instance_path) != path:
            continue
        facts = error.kind.as_dict()
        if error.kind.name == "type" and "string" not in facts["types"]:
            return False
        if error.kind.name == "enum" and not any(isinstance(option, str) for option in facts["options"]):
            return False
        if error.kind.name == "const" and not isinstance(facts["expected_value"], str):
            return False
        if error.kind.name in _UNIONS and not any(_allows_text(inner, path) for inner in facts.get("context", ())):
            return False
    return True


def _same_reading(left: Sequence[_Change], right: Sequence[_Change]) -> bool:
    return len(left) == len(right) and all(
        one.path == other.path and one.drop == other.drop and same(one.value, other.value)
        for one, other in zip(left, right, strict=True)
    )


def _dropped(scope: _Scope, path: Path) -> list[_Change] | None:
    """Null for a field that is not nullable counts as absent; a merge patch means it (RFC 7396)."""
    if not path or not isinstance(path[-1], str) or path[0] in scope.patches:
        return None
    return [_Change(path, f"{join_pointer(path)}: null counts as not given", drop=True)]


def _as_type(scope: _Scope, path: Path, found: Json, types: Sequence[str]) -> list[_Change] | None:
    if isinstance(found, str):
        return _decoded(scope, path, found, lambda value: _fits(value, types))
    is_scalar = isinstance(found, bool | int | Decimal)
    if is_scalar and "string" in types and path and path[0] not in scope.bodies:
        text = write_json(found)
        return [_Change(path, f"{join_pointer(path)}: {text} was taken as text", text)]
    return None


def _as_option(scope: _Scope, path: Path, found: Json, options: Sequence[Any]) -> list[_Change] | None:
    if not isinstance(found, str) or any(isinstance(option, str) for option in options):
        return None
    return _decoded(scope, path, found, lambda value: any(same(value, option) for option in options))


def _decoded(scope: _Scope, path: Path, text: str, fits: Any) -> list[_Change] | None:
    if path in scope.done:
        return None
    try:
        value = read_json(text)
    except JsonError:
        return None
    is_container = isinstance(value, dict | list)
    if isinstance(value, str) or not fits(value) or (not is_container and text != text.strip()):
        return None
    return [_Change(path, f"{join_pointer(path)}: the text was taken as {_kind(value)}", value, decoded=True)]


def _fits(value: Json, types: Sequence[str]) -> bool:
    if value is None:
        return "null" in types
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int):
        return "integer" in types or "number" in types
    if isinstance(value, Decimal):
        return "number" in types or ("integer" in types and value == value.to_integral_value())
    return ("array" if isinstance(value, list) else "object") in types


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, dict):
        return "the object that it spells"
    return "the list that it spells" if isinstance(value, list) else "a number"


def _with(value: Json, path: Path, change: _Change) -> Json:
    """Copy a value with one place changed; what is not on the way is shared."""
    if not path:
        return change.value
    copy = dict(value) if isinstance(value, Mapping) else list(value)
    if len(path) == 1 and change.drop:
        copy.pop(path[0])  # type: ignore[arg-type]
    else:
        copy[path[0]] = _with(value[path[0]], path[1:], change)  # type: ignore[index]
    return copy
