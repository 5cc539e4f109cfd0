"""The schemas of the protocol: the envelope as two constants, and the arguments of the built-in tools.

The envelope never depends on the document, so a provider compiles it once. `STRICT_SCHEMA` obeys the strict rules of
structured output: every object is closed, every key required, what may be absent is nullable, and `arguments` is a
text that holds a JSON object, because its keys cannot be known. `OPEN_SCHEMA` says the same for everybody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from thinkagent.values import JsonError, join_pointer, plain, read_json, visible

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

__all__ = ["BUILT_IN_SCHEMAS", "OPEN_SCHEMA", "STRICT_SCHEMA", "check_built_in", "coerce_built_in", "is_reference"]

_THOUGHT = "What you know, what is missing, and why this action is the next one. First person, the task's language."
_PLAN = "Short items. Given in the first turn, later only to change it."
_DOING = "The number of the plan's item that this turn serves, from 1."
_TOOL = "The name of one tool, exactly as listed."
_SAVE_AS = "A name for the result: letters, digits and _."
_FOR_EACH = "A reference to a list; the call is made once for each element, which is <<item>> in the arguments."
_PAGES = 'How many pages of a list to read: a number or "all".'


def _nullable(kind: str | list[str], description: str) -> dict[str, Any]:
    kinds = [kind] if isinstance(kind, str) else kind
    return {"type": [*kinds, "null"], "description": description}


def _envelope(action: dict[str, Any]) -> dict[str, Any]:
    return {
        "thought": {"type": "string", "description": _THOUGHT},
        "plan": {"type": ["array", "null"], "items": {"type": "string"}, "description": _PLAN},
        "plan_reason": _nullable("string", "Why the plan changes; only when it does."),
        "doing": _nullable("integer", _DOING),
        "action": {"type": "object", "properties": action},
    }


def _strict() -> dict[str, Any]:
    action = {
        "tool": {"type": "string", "description": _TOOL},
        "arguments": {"type": "string", "description": "The tool's arguments: a JSON object, written as text."},
        "save_as": _nullable("string", _SAVE_AS),
        "for_each": _nullable("string", _FOR_EACH),
        "pages": _nullable("string", _PAGES),
    }
    properties = _envelope(action)
    properties["action"] |= {"required": list(action), "additionalProperties": False}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _open() -> dict[str, Any]:
    action = {
        "tool": {"type": "string", "description": _TOOL},
        "arguments": {"type": "object", "description": "The tool's arguments."},
        "save_as": _nullable("string", _SAVE_AS),
        "for_each": _nullable("string", _FOR_EACH),
        "pages": _nullable(["integer", "string"], _PAGES),
    }
    properties = _envelope(action)
    properties["action"] |= {"required": ["tool", "arguments"]}
    return {"type": "object", "properties": properties, "required": ["thought", "action"]}


STRICT_SCHEMA: Mapping[str, Any] = _strict()
"""The envelope for strict structured output (`json_schema` with `strict: true`)."""

OPEN_SCHEMA: Mapping[str, Any] = _open()
"""The envelope for everything else, the tool `act` among it: `arguments` is an object."""


def _closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "description": description}


def _texts(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "minLength": 1}, "description": description}


_REPEAT = _closed(
    ["until"],
    step=_text("The saved read to send again; the last one when absent."),
    until=_text("A Python expression over the new result; true ends the wait."),
    every_s={"type": "number", "exclusiveMinimum": 0, "description": "Seconds between two calls."},
    at_most={"type": "integer", "minimum": 1, "description": "How many times at most."},
)

BUILT_IN_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "compute": _closed(["expression"], expression=_text("A Python expression, or a few lines whose last is one.")),
    "search_tools": {
        **_closed([], query=_text("What the tool is to do, in words."), names=_texts("Names of tools to define.")),
        "minProperties": 1,
    },
    "inspect": _closed(
        ["step"],
        step=_text("The name of a saved result."),
        path=_text("A path into it, as in a reference: result.rows[3].name"),
        offset={"type": "integer", "minimum": 0, "description": "Where to begin in a list or a text."},
        limit={"type": "integer", "minimum": 1, "description": "How many elements or characters."},
    ),
    "wait": {
        **_closed([], seconds={"type": "number", "minimum": 0, "description": "How long."}, repeat=_REPEAT),
        "minProperties": 1,
        "maxProperties": 1,
    },
    "ask": _closed(
        ["question"], question=_text("What the person is asked."), options=_texts("Answers to choose from.")
    ),
    "finish": _closed(
        ["status", "answer"],
        status={"enum": ["done", "failed", "impossible"], "description": "The honest word for the end."},
        answer={"description": "The answer: text with references, or JSON where a schema for it was given."},
        evidence=_texts("Names of the steps that the answer rests on."),
    ),
}
"""JSON Schema 2020-12 of the arguments of each built-in tool; references may stand in the place of any value."""

_HOW_MANY = {
    "minProperties": "one of its arguments is needed, none is given",
    "maxProperties": "exactly one of its arguments may be given",
}
_COERCED = {"integer": int, "number": object, "array": list, "object": dict}


def coerce_built_in(tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Take text that is exactly a JSON value of the declared type for that value, and null for absent.

    Returns the arguments and a note for each that was changed.
    """
    properties = BUILT_IN_SCHEMAS[tool]["properties"]
    changed: dict[str, Any] = {}
    notes: list[str] = []
    for name, value in arguments.items():
        declared = properties.get(name, {}).get("type")
        if value is None and declared is not None:
            continue
        changed[name] = value
        if isinstance(value, str) and declared in _COERCED and not is_reference(value):
            read = _read_as(value, declared)
            if read is not None:
                changed[name] = read
                notes.append(f"{name} was a text that holds a JSON {declared}")
    return changed, tuple(notes)


def _read_as(text: str, declared: str) -> Any:
    try:
        value = read_json(text)
    except JsonError:
        return None
    if isinstance(value, bool | str) or not isinstance(value, _COERCED[declared]):
        return None
    if declared == "number" and isinstance(value, dict | list):
        return None
    return value


def check_built_in(tool: str, arguments: Mapping[str, Any]) -> list[str]:
    """Check the arguments of a built-in tool; gives one sentence for each fault, none when they fit.

    A text that is one whole reference fits everywhere: what it stands for is not known yet.
    """
    validator = _validator(tool)
    return [_fault(error) for error in validator.iter_errors(plain(arguments)) if not is_reference(error.instance)]


def is_reference(value: object) -> bool:
    """Say whether a value is a text that is one whole reference."""
    return isinstance(value, str) and (text := value.strip()).startswith("<<") and text.endswith(">>")


@cache
def _validator(tool: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(dict(BUILT_IN_SCHEMAS[tool]))


def _fault(error: ValidationError) -> str:
    where = join_pointer(error.instance_path) or "arguments"
    rule = error.schema_path[-1] if error.schema_path else ""
    if rule in _HOW_MANY:
        return f"{where}: {_HOW_MANY[rule]}"
    message = visible(error.message, newlines=False)
    return f"{where}: {message if len(message) <= 240 else message[:100] + ' … ' + message[-130:]}"
