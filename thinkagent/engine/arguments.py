"""Resolved arguments against the schema of their tool, before anything is sent.

What was clearly meant is taken and noted; everything else comes back with the place, the rule and the valid values.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from thinkagent.documents.model import SecurityScheme
from thinkagent.engine.argument_mends import mend, merge_patch_bodies
from thinkagent.engine.argument_problems import BadArguments, Problem, describe_problems, nearest_argument, value_at
from thinkagent.tools.effort import Effort
from thinkagent.tools.model import Tool
from thinkagent.values import Json, JsonError, Secret, SecretText, Spelled, read_json
from thinkagent.values.json import check_depth

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

__all__ = ["BadArguments", "CheckedArguments", "Problem", "check_arguments", "check_names"]

MAX_ROUNDS = 6
"""How often a value may be put right: a text in a text in a text is no slip any more."""
MAX_VALIDATORS = 512

_TEXT_RULES = ("pattern", "minLength", "maxLength", "format", "enum", "const", "contentEncoding", "contentMediaType")
_GIVEN_UP = ("backtrackLimitExceeded", "regexEngineFailure")

_checks: OrderedDict[int, _Check] = OrderedDict()


@dataclass(frozen=True, slots=True)
class CheckedArguments:
    """Arguments that fit their tool."""

    value: Mapping[str, Json]
    notes: tuple[str, ...] = ()
    """What was put right on the way: `/limit: the text "20" was taken as a number`."""


def check_arguments(tool: Tool, arguments: object, *, schemes: Iterable[SecurityScheme] = ()) -> CheckedArguments:
    """Check resolved arguments and put right what was clearly meant.

    Text that is exactly a JSON value of the declared type is taken as that value, once for each place, unless text is
    allowed there. In path, query, header and cookie a number or boolean for a declared text is taken as its
    spelling, which is what it is on the wire. Null counts as absent in path, query, header and cookie, and in a
    body wherever its field is optional and not nullable, except in a merge patch (RFC 7396), where null removes.
    What a security scheme owns is dropped. A `Secret` counts as text of any form.

    `schemes` are the document's security schemes; their parameters are dropped where a mind names them.

    Raises:
        BadArguments: with every problem found; nothing is ever taken as `{}` because it could not be read.
    """
    notes: list[str] = []
    given = _as_object(tool, arguments, notes)
    value = _known_only(tool, given, schemes, notes)
    problems = [_unknown(tool, name) for name in value if name not in _names(tool)]
    value = {name: item for name, item in value.items() if name in _names(tool)}
    check = _check_of(tool)
    errors: list[ValidationError] | None = None
    if check.validator is not None:
        value, errors = _settle(tool, check.validator, check.effort, value, notes)
    if errors is None:
        problems += _missing(tool, value)
        why = "cannot be compiled" if check.validator is None else "asks for more checks than can be made"
        notes.append(f"the schema of this tool {why}; only the names were checked")
        errors = []
    if errors or problems:
        raise BadArguments(tool.name, (*problems, *describe_problems(tool, value, errors)), tuple(notes))
    return CheckedArguments(value, tuple(notes))


def check_names(tool: Tool, arguments: object) -> None:
    """Check the names of arguments alone; their values may still hold references.

    Raises:
        BadArguments: a name that the tool does not know, or a required one that is missing.
    """
    given = _as_object(tool, arguments, [])
    known = _known_only(tool, given, (), [])
    problems = [_unknown(tool, name) for name in known if name not in _names(tool)]
    problems += _missing(tool, known)
    if problems:
        raise BadArguments(tool.name, tuple(problems))


def _as_object(tool: Tool, arguments: object, notes: list[str]) -> dict[str, Json]:
    value = arguments
    if isinstance(value, str):
        try:
            value = read_json(value)
        except JsonError as error:
            raise _no_object(tool, f"a text that is not JSON: {error}") from error
        notes.append("the arguments came as a text that holds a JSON object")
    if not isinstance(value, Mapping):
        raise _no_object(tool, _kind(value))
    try:
        check_depth(dict(value))
    except JsonError as error:
        raise _no_object(tool, f"an object {error}") from error
    return dict(value)


def _no_object(tool: Tool, found: str) -> BadArguments:
    problem = Problem("", "type", found, f"the arguments are {found}, where an object belongs")
    return BadArguments(tool.name, (problem,))


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, list | tuple):
        return "a list"
    return "a text" if isinstance(value, str | Secret | SecretText) else "a number"


def _names(tool: Tool) -> Mapping[str, Any]:
    properties = tool.parameters.get("properties", {})
    return properties if isinstance(properties, Mapping) else {}


def _known_only(
    tool: Tool, given: dict[str, Json], schemes: Iterable[SecurityScheme], notes: list[str]
) -> dict[str, Json]:
    """Drop what security schemes own and null where only presence can be sent; take the document's own names."""
    owned = _owned_by_security(tool, schemes)
    by_wire_name = _unique_wire_names(tool)
    places = {argument.name: argument.location for argument in tool.arguments}
    value: dict[str, Json] = {}
    for name, item in given.items():
        taken = name
        if name not in _names(tool):
            if name.casefold() in owned:
                notes.append(f"/{name}: the program sends this credential itself; what was given was dropped")
                continue
            taken = by_wire_name.get(name, name)
            if taken != name and taken not in given:
                notes.append(f"/{name}: taken as {taken!r}")
            else:
                taken = name
        if item is None and places.get(taken, "body") != "body":
            notes.append(f"/{taken}: null counts as not given")
            continue
        value[taken] = item
    return value


def _owned_by_security(tool: Tool, schemes: Iterable[SecurityScheme]) -> frozenset[str]:
    offered = {(argument.location, argument.wire_name.casefold()) for argument in tool.arguments}
    owned = {
        parameter.name.casefold()
        for parameter in tool.operation.parameters
        if (parameter.location, parameter.name.casefold()) not in offered
    }
    owned |= {scheme.parameter.casefold() for scheme in schemes if scheme.type == "apiKey"}
    return frozenset(owned | {"authorization"})


def _unique_wire_names(tool: Tool) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for argument in tool.arguments:
        if argument.location != "body":
            found.setdefault(argument.wire_name, []).append(argument.name)
    return {wire_name: names[0] for wire_name, names in found.items() if len(names) == 1}


def _unknown(tool: Tool, name: str) -> Problem:
    return Problem(f"/{name}", "additionalProperties", name, nearest_argument(tool, name))


def _missing(tool: Tool, given: Mapping[str, Json]) -> list[Problem]:
    required = tool.parameters.get("required", ())
    return [Problem(f"/{name}", "required", "nothing", f"/{name} is missing") for name in required if name not in given]


def _settle(
    tool: Tool, validator: Draft202012Validator, effort: Effort | None, value: dict[str, Json], notes: list[str]
) -> tuple[dict[str, Json], list[ValidationError] | None]:
    """Put right and check again until nothing changes; None for the errors where checking would take too long."""
    done: set[tuple[str | int, ...]] = set()
    for _ in range(MAX_ROUNDS):
        if effort is not None and effort.is_costly(value):
            return value, None
        errors = _errors(tool, validator, value)
        if not errors:
            return value, []
        mended = mend(tool, value, errors, done)
        if mended is None:
            return value, errors
        value = mended.value
        notes += mended.notes
    return value, _errors(tool, validator, value)


def _errors(tool: Tool, validator: Draft202012Validator, value: dict[str, Json]) -> list[ValidationError]:
    checkable = _checkable(value)
    if validator.is_valid(checkable):
        return []
    patches = merge_patch_bodies(tool)
    return [error for error in validator.iter_errors(checkable) if not _forgiven(value, error, patches)]


def _forgiven(value: Json, error: ValidationError, patches: frozenset[str]) -> bool:
    """A secret's text is unknown here, a pattern given up on has decided nothing, null in a merge patch removes."""
    kind = error.kind.name
    if kind in _GIVEN_UP:
        return True
    if kind in ("anyOf", "oneOfNotValid", "oneOf"):
        branches = error.kind.as_dict().get("context", ())
        return any(all(_forgiven(value, inner, patches) for inner in branch) for branch in branches)
    path = error.instance_path
    found = value_at(value, path)
    if kind in _TEXT_RULES and isinstance(found, Secret | SecretText):
        return True
    return found is None and kind in ("type", "enum", "const") and len(path) > 1 and path[0] in patches


def _checkable(value: Json) -> Json:
    """Give a value that the validator knows; the same object where nothing had to change."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_checkable(key): _checkable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_checkable(item) for item in value]
    if isinstance(value, Spelled):
        return Decimal(value)
    if isinstance(value, Secret | SecretText):
        return str(value)
    return value


class _Check(NamedTuple):
    """What checks the arguments of one tool, made once."""

    schema: Mapping[str, Any]
    """Held so that its identity stays taken as long as the entry lives."""
    validator: Draft202012Validator | None
    """None where the schema cannot be compiled."""
    effort: Effort | None
    """None where no part of the schema leads to another, so that checking is as long as the schema at most."""


def _check_of(tool: Tool) -> _Check:
    schema, key = tool.parameters, id(tool.parameters)
    found = _checks.get(key)
    if found is None:
        found = _checks[key] = _Check(schema, _compile(schema), Effort(schema) if "$defs" in schema else None)
        if len(_checks) > MAX_VALIDATORS:
            _checks.popitem(last=False)
    _checks.move_to_end(key)
    return found


def _compile(schema: Mapping[str, Any]) -> Draft202012Validator | None:
    from jsonschema_rs import Draft202012Validator, ValidationError

    try:
        return Draft202012Validator(_checkable(schema), offline=True)
    except (ValidationError, ValueError):
        return None
