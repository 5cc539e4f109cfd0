"""The full definition of a tool, exactly as a mind reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkagent.tools.model import Tool
from thinkagent.tools.table import Row, rows_of
from thinkagent.values import Json, clip, tokens, visible, write_json

__all__ = ["describe", "repeat_note"]

MAX_TOKENS = 1200
MAX_EXAMPLE = 1200
MAX_RESULT = 400
MAX_NAMES = 6
MAX_NAME = 80
MAX_ERRORS = 8


def describe(tool: Tool, *, max_tokens: int = MAX_TOKENS) -> str:
    """Write everything that a mind is to know of a tool, in at most about `max_tokens` tokens.

    What is too long loses descriptions first, then optional arguments from the deepest; how many is said. Required
    ones stay, up to as many as fit into `MAX_TOKENS` by themselves.
    """
    rows = rows_of(tool.parameters)
    head = [_head(tool), _purpose(tool, {row.name for row in rows if row.required})]
    tail = [*_example(tool), *_errors(tool)]
    room = max_tokens - tokens("\n".join([*head, *tail]))
    return "\n".join([*head, *_table(rows, room), *tail])


def repeat_note(tool: Tool) -> str:
    """Say what sending the same call again does."""
    if tool.effect == "read":
        return "safe to repeat"
    return "repeating it changes nothing more" if tool.idempotent else "repeating it does it again"


def _head(tool: Tool) -> str:
    path = visible(tool.path, newlines=False)
    parts = [f"{tool.name}   {tool.effect}", f"{tool.method} {clip(path, 300)}", repeat_note(tool)]
    parts += [f"of {tool.document}"] if tool.document else []
    return " · ".join([*parts, "deprecated"] if tool.deprecated else parts)


def _purpose(tool: Tool, required: set[str]) -> str:
    sentences = [tool.when_to_use]
    needs = {clip(name, MAX_NAME): (name in required, _names(tools)) for name, tools in tool.needs.items()}
    needed = [f"{name} (from {tools})" for name, (is_needed, tools) in needs.items() if is_needed]
    if needed:
        sentences.append(f"Needs {_listed(needed)}.")
    offered = [f"{name} can come from {tools}" for name, (is_needed, tools) in needs.items() if not is_needed]
    if offered:
        sentences.append("; ".join(offered[:MAX_NAMES]) + ".")
    if tool.feeds:
        sentences.append(f"Its result feeds {_names(tool.feeds)}.")
    return " ".join(sentences)


def _names(names: Sequence[str]) -> str:
    return _listed(list(names))


def _listed(items: list[str]) -> str:
    rest = len(items) - MAX_NAMES
    return ", ".join(items[:MAX_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def _table(rows: Sequence[Row], room: int) -> list[str]:
    """Lay out the arguments with as much as there is room for."""
    if not rows:
        return ["  no arguments"]
    for length in (200, 80, 40, 0):
        lines = _lines(rows, length)
        if tokens("\n".join(lines)) <= room:
            return lines
    kept = list(rows)
    for depth in (4, 3, 2, 1, 0):
        kept = [row for row in kept if row.depth <= depth or row.required]
        lines = [*_lines(kept, 0), *_left_out(rows, kept)]
        if tokens("\n".join(lines)) <= room:
            return lines
    kept = _fitting(kept, room)
    return [*_lines(kept, 0), *_left_out(rows, kept)]


def _fitting(rows: Sequence[Row], room: int) -> list[Row]:
    """Keep the required arguments, as far as any definition may be that long, and others while there is room."""
    sizes = [tokens(f"{line}\n") for line in _lines(rows, 0)]
    kept: list[int] = []
    size = 0
    for number in sorted(range(len(rows)), key=lambda number: not rows[number].required):
        size += sizes[number]
        if size > (max(room, MAX_TOKENS) if rows[number].required else room):
            break
        kept.append(number)
    return [rows[number] for number in sorted(kept)]


def _left_out(rows: Sequence[Row], kept: Sequence[Row]) -> Iterator[str]:
    count = len(rows) - len(kept)
    required = sum(row.required for row in rows) - sum(row.required for row in kept)
    if required:
        yield f"  … and {count} more, {required} of them required: more than can be told here"
    elif count:
        yield f"  … and {count} more optional ones"


def _lines(rows: Sequence[Row], length: int) -> list[str]:
    width = min(max((len(row.name) for row in rows), default=0), 40)
    lines = []
    for row in rows:
        text = f". {clip(row.description, length)}" if row.description and length else ""
        lines.append(f"  {row.name.ljust(width)}  {row.about}{text}")
    return lines


def _example(tool: Tool) -> Iterator[str]:
    if not tool.example_call and tool.parameters.get("required"):
        return
    call = clip(visible(write_json(tool.example_call), newlines=False), MAX_EXAMPLE)
    line = f"Example  {tool.name} {call}"
    if tool.example_result is not None:
        line += f"  → {clip(visible(write_json(_brief(tool.example_result)), newlines=False), MAX_RESULT)}"
    yield line


def _brief(value: Json, depth: int = 0) -> Json:
    """Shorten a value to its outline: one item of a list, a few keys, short texts."""
    if isinstance(value, dict):
        shown = {key: _brief(item, depth + 1) for key, item in list(value.items())[: 8 if depth < 3 else 2]}
        return {**shown, "…": "…"} if len(shown) < len(value) else shown
    if isinstance(value, list):
        return [*(_brief(item, depth + 1) for item in value[:1]), *(["…"] if len(value) > 1 else [])]
    return clip(value, 60) if isinstance(value, str) else value


def _errors(tool: Tool) -> Iterator[str]:
    if tool.errors:
        shown = [f"{error.status} {error.meaning}: {error.advice}" for error in tool.errors[:MAX_ERRORS]]
        yield "Errors   " + " · ".join(shown)
