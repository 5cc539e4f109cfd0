"""Two worked turns, made from the document's own tools: a read, then what is done with its result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from thinkagent.tools.model import Tool
from thinkagent.turns.frame import json_data
from thinkagent.values import Json, tokens, write_json

__all__ = ["example_turn", "short_arguments", "worked_turns"]

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,40}")
_MAX_ARGUMENT_TOKENS = 100
_MAX_TEXT = 60
_STEP = "found"


def worked_turns(tools: Sequence[Tool]) -> str:
    """Write two turns that show the form; the first tool that reads serves, else the first of all."""
    tool = next((tool for tool in tools if tool.effect == "read"), tools[0] if tools else None)
    if tool is None:
        first = {"tool": "search_tools", "arguments": {"query": "what the task needs"}}
        thought = "I know no tool for this yet, so I look for one."
        return write_json(_turn(thought, first, plan=["find a tool", "use it"]))
    # The second turn holds nothing of the document but keys that are plain words, so its references stay as they are.
    return f"{example_turn(tool, first=True)}\n{write_json(_second(tool))}"


def example_turn(tool: Tool, *, first: bool = False) -> str:
    """Write one right turn that calls a tool with its example arguments."""
    action = {"tool": tool.name, "arguments": short_arguments(tool)}
    thought = f"I do not have this yet. {tool.name} can give it, so I call it now."
    if tool.effect != "read":
        thought = f"I have all that {tool.name} needs, so I call it now."
    plan = [f"call {tool.name}", "answer from its result"] if first else None
    return json_data(_turn(thought, {**action, "save_as": _STEP}, plan=plan))


def short_arguments(tool: Tool) -> dict[str, Any]:
    """Give a tool's example arguments, only the required ones and long texts cut where they would be long."""
    given = {key: _short(value) for key, value in tool.example_call.items()}
    if tokens(write_json(given)) <= _MAX_ARGUMENT_TOKENS:
        return given
    required = {argument.name for argument in tool.arguments if argument.required}
    given = {key: value for key, value in given.items() if key in required}
    if tokens(write_json(given)) <= _MAX_ARGUMENT_TOKENS:
        return given
    return {
        key: value if not isinstance(value, dict | list) else type(value)() for key, value in list(given.items())[:4]
    }


def _short(value: Json) -> Json:
    if isinstance(value, str):
        return value if len(value) <= _MAX_TEXT else "..."
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_short(item) for item in value[:3]]
    return value


def _second(tool: Tool) -> dict[str, Any]:
    schema = _resolved(tool.result, tool.result)
    properties = {
        key: _resolved(item, tool.result)
        for key, item in _mapping(schema.get("properties")).items()
        if isinstance(key, str) and _KEY.fullmatch(key)
    }
    listed = next((key for key, item in properties.items() if _has_type(item, "array")), None)
    if _has_type(schema, "array"):
        return _counting(f"len({_STEP})")
    if listed is not None:
        return _counting(f'len({_STEP}["{listed}"])')
    scalar = next((key for key, item in properties.items() if _has_type(item, "string", "integer", "number")), None)
    said = f"The {scalar} is <<steps.{_STEP}.result.{scalar}>>." if scalar else f"Status <<steps.{_STEP}.status>>."
    arguments = {"status": "done", "answer": said, "evidence": [_STEP]}
    return _turn("The result holds what was asked for.", {"tool": "finish", "arguments": arguments}, doing=2)


def _counting(expression: str) -> dict[str, Any]:
    action = {"tool": "compute", "arguments": {"expression": expression}, "save_as": "count"}
    return _turn("The list is there. I let the program count it, not myself.", action, doing=2)


def _turn(thought: str, action: dict[str, Any], *, plan: list[str] | None = None, doing: int = 1) -> dict[str, Any]:
    return {"thought": thought, **({"plan": plan} if plan else {}), "doing": doing, "action": action}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _resolved(schema: object, root: object) -> Mapping[str, Any]:
    """Follow a reference into the schema's own `$defs`."""
    definitions = _mapping(_mapping(root).get("$defs"))
    found = _mapping(schema)
    for _ in range(8):
        reference = found.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/$defs/"):
            break
        found = _mapping(definitions.get(reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")))
    return found


def _has_type(schema: Mapping[str, Any], *kinds: str) -> bool:
    declared = schema.get("type")
    return any(kind == declared or (isinstance(declared, list) and kind in declared) for kind in kinds)
