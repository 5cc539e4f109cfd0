"""What is wrong with arguments, said so that a mind can put it right: place, rule, found, valid values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thinkagent.errors import ArgumentError, list_names, nearest
from thinkagent.tools.model import Tool
from thinkagent.values import Json, Secret, SecretText, clip, join_pointer, visible, write_json

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

__all__ = ["BadArguments", "Problem", "describe_problems", "nearest_argument", "value_at"]

MAX_SHOWN = 5
MAX_FOUND = 60
"""How many characters of a wrong value are repeated."""
MAX_BRANCHES = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    pointer: str
    """JSON Pointer into the arguments object: `/body/code`."""
    rule: str
    """The keyword that failed: type, enum, required, additionalProperties, pattern …"""
    found: str
    message: str


class BadArguments(ArgumentError):
    """Arguments that do not fit their tool; `problems` holds all of them, the message at most five."""

    def __init__(self, tool: str, problems: tuple[Problem, ...], notes: tuple[str, ...] = ()) -> None:
        shown = [problem.message for problem in problems[:MAX_SHOWN]]
        rest = len(problems) - MAX_SHOWN
        if rest > 0:
            shown.append(f"and {rest} more")
        shown += [f"note: {note}" for note in notes if "null counts" in note]
        super().__init__(
            f"the arguments of {tool!r} do not fit: {'; '.join(shown)}",
            code="bad_arguments",
            where=f"{tool} {_shown(problems[0].pointer)}".strip(),
            hint="Send the call again with these put right",
        )
        self.problems = problems


def nearest_argument(tool: Tool, name: str) -> str:
    """Say that an argument does not exist and what was probably meant."""
    properties = tool.parameters.get("properties", {})
    shown = repr(_shown(name))
    if "body" in properties and name in _properties(tool, properties["body"]):
        return f"{shown} is no argument; it is a field of 'body'"
    return f"{shown} is no argument{_instead(name, properties)}"


def value_at(value: Json, path: Iterable[str | int]) -> Json:
    """Follow a path of keys and indexes; None where it leads nowhere."""
    for part in path:
        try:
            value = value[part]
        except (LookupError, TypeError):
            return None
    return value


def describe_problems(tool: Tool, value: Json, errors: Iterable[ValidationError]) -> list[Problem]:
    """Say each failure in the words of its rule."""
    return [
        Problem(join_pointer(path), error.kind.name, _found(value_at(value, path)), _message(tool, value, error))
        for error in errors
        for path in [_path(error)]
    ]


def _path(error: ValidationError) -> list[str | int]:
    path = list(error.instance_path)
    if error.kind.name == "required":
        path.append(str(error.kind.as_dict()["property"]))
    return path


def _message(tool: Tool, value: Json, error: ValidationError) -> str:
    kind = error.kind.name
    facts: Mapping[str, Any] = error.kind.as_dict()
    pointer = _shown(join_pointer(_path(error))) or "the arguments"
    found = _found(value_at(value, error.instance_path))
    if kind == "required":
        return f"{pointer} is missing"
    if kind == "type":
        return f"{pointer} is {found}, not {_types(facts['types'])}"
    if kind == "enum":
        return f"{pointer} is {found}, not one of {_options(facts['options'])}{_closest(found, facts['options'])}"
    if kind == "const":
        return f"{pointer} is {found}, not {_found(facts['expected_value'])}"
    if kind in ("additionalProperties", "unevaluatedProperties"):
        known = _known_beside(tool, error)
        unknown = [str(name) for name in facts["unexpected"]]
        told = list_names(map(_shown, unknown), limit=4)
        return f"{pointer} has no field {told}{_instead(unknown[0], known)}"
    if kind in ("anyOf", "oneOf", "oneOfNotValid"):
        return f"{pointer} is {found} and fits none of the alternatives: {_alternatives(tool, value, facts)}"
    return f"{pointer}: {_rule_text(error, found)}"


def _rule_text(error: ValidationError, found: str) -> str:
    """The validator's sentence begins with the whole value; the bounded one takes its place."""
    _, separator, rule = error.message.rpartition(" is ") if " is " in error.message else ("", "", "")
    if separator and error.kind.name not in ("pattern", "not"):
        return f"{found} is {clip(visible(rule), 120)}"
    for verb in (" does not match ", " has ", " is not allowed for "):
        if verb in error.message:
            return f"{found}{verb}{clip(visible(error.message.rpartition(verb)[2]), 120)}"
    return clip(visible(error.message), 160)


def _alternatives(tool: Tool, value: Json, facts: Mapping[str, Any]) -> str:
    branches: Sequence[Sequence[ValidationError]] = facts.get("context", ())
    told = [f"({number}) {_message(tool, value, branch[0])}" for number, branch in enumerate(branches, 1) if branch]
    rest = len(told) - MAX_BRANCHES
    return "; ".join(told[:MAX_BRANCHES]) + (f"; and {rest} more" if rest > 0 else "")


def _types(types: Iterable[object]) -> str:
    return " or ".join("null" if kind == "null" else str(kind) for kind in types)


def _options(options: Sequence[Any]) -> str:
    shown = ", ".join(_found(option) for option in options[:12])
    rest = len(options) - 12
    return shown if rest <= 0 else f"{shown} and {rest} more"


def _closest(found: str, options: Sequence[Any]) -> str:
    texts = [_found(option) for option in options if isinstance(option, str)]
    near = nearest(found, texts, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _instead(name: str, known: Mapping[str, Any]) -> str:
    near = nearest(name, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are {list_names(known)}" if known else "; it takes none"


def _known_beside(tool: Tool, error: ValidationError) -> Mapping[str, Any]:
    schema: Any = tool.parameters
    for part in list(error.schema_path)[:-1]:
        try:
            schema = schema[part]
        except (LookupError, TypeError):
            return {}
    return _properties(tool, schema)


def _properties(tool: Tool, schema: object, depth: int = 0) -> Mapping[str, Any]:
    """The properties of an object schema, behind `$ref` and in `allOf` too."""
    if not isinstance(schema, Mapping) or depth > 8:
        return {}
    found: dict[str, Any] = {}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        found.update(_properties(tool, tool.parameters.get("$defs", {}).get(reference[8:]), depth + 1))
    for part in schema.get("allOf", ()):
        found.update(_properties(tool, part, depth + 1))
    own = schema.get("properties")
    if isinstance(own, Mapping):
        found.update(own)
    return found


def _shown(text: str) -> str:
    return clip(visible(clip(text, MAX_FOUND), newlines=False), MAX_FOUND)


def _found(value: Json) -> str:
    """A short word for what was found; containers are counted, not written."""
    if isinstance(value, Mapping):
        return f"an object with {list_names(map(_shown, value), limit=4)}" if value else "an empty object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, Secret | SecretText):
        return str(value)
    if isinstance(value, str):
        return repr(_shown(value))
    return clip(write_json(value), MAX_FOUND)
