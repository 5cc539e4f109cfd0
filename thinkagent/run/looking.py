"""search_tools and inspect: looking at what is there already, without a call."""

from __future__ import annotations

from typing import Any

from thinkagent import events as ev
from thinkagent.engine.paths import Path, parse_path
from thinkagent.engine.references import look_up, resolve, step_name_for
from thinkagent.engine.scope import MISSING
from thinkagent.errors import ArgumentError, ThinkagentError, list_names, nearest
from thinkagent.run.state import RunState
from thinkagent.run.values import scope_of
from thinkagent.run.world import World
from thinkagent.tools import search

__all__ = ["look"]

MAX_FOUND = 5
MAX_NAMED = 8
_LIMIT = 20


def look(state: RunState, world: World) -> ev.ResultSaved:
    """Carry out `search_tools` or `inspect`."""
    tool = state.action["tool"]
    taken = {name for name, step in state.steps.items() if step.status == "ok"}
    name = state.action.get("save_as") or step_name_for("inspected" if tool == "inspect" else "found", taken)
    try:
        arguments = resolve(dict(state.action["arguments"]), scope_of(state)).value
        value = _found(arguments, world) if tool == "search_tools" else _part(arguments, state)
    except ThinkagentError as error:
        return ev.ResultSaved(state.turn, name, tool, problem=error.as_dict())
    uses = [arguments["step"]] if tool == "inspect" else []
    return ev.ResultSaved(state.turn, name, tool, uses=uses, value=value)


def _found(arguments: dict[str, Any], world: World) -> list[str]:
    names = [str(name) for name in arguments.get("names") or ()]
    unknown = [name for name in names if world.toolset.get(name) is None]
    if unknown:
        close = nearest(unknown[0], world.toolset.names)
        raise ArgumentError(
            f"a tool {unknown[0]!r} does not exist",
            code="unknown_tool",
            hint=f"Did you mean {list_names(close)}?" if close else "Search by words with query",
        )
    if not names:
        names = [hit.line.name for hit in search(world.toolset, str(arguments["query"]), MAX_FOUND)]
    return names[:MAX_NAMED]


def _part(arguments: dict[str, Any], state: RunState) -> Any:
    name = arguments["step"]
    text = arguments.get("path") or ""
    path = _path(name, text)
    value = look_up(path, scope_of(state), f"{name} {text}".strip())
    offset, limit = int(arguments.get("offset") or 0), int(arguments.get("limit") or _LIMIT)
    if isinstance(value, list):
        return value[offset : offset + limit]
    if isinstance(value, str) and arguments.get("limit") is not None:
        return value[offset : offset + limit]
    return None if value is MISSING else value


def _path(name: str, text: str) -> Path:
    """Read a path of `inspect`: as in a reference, with or without its beginning, or only the part below result."""
    inner = text.strip().removeprefix("<<").removesuffix(">>").strip()
    for start in (f"steps.{name}.", f"steps.{name}["):
        if inner.startswith(start):
            return parse_path(inner)
    if not inner:
        return parse_path(f"steps.{name}.result")
    if inner.split(".")[0].split("[")[0] in ("result", "status", "headers", "items", "outcomes"):
        return parse_path(f"steps.{name}.{inner}")
    joint = "" if inner.startswith("[") else "."
    return parse_path(f"steps.{name}.result{joint}{inner}")
