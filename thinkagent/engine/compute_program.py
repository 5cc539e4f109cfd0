"""One computation as a worker gets it: the code, and the values it names as JSON text.

As text, because tens of thousands of rows go in four times as fast that way as value by value.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from thinkagent.engine.compute_errors import ComputeError
from thinkagent.engine.compute_prelude import PRELUDE
from thinkagent.engine.compute_source import OWN_NAMES, Prepared
from thinkagent.engine.lookup import ReferenceMiss, describe, look_up
from thinkagent.engine.paths import STEP_PARTS, Path
from thinkagent.engine.scope import INTERNAL_PREFIX, Scope
from thinkagent.engine.shape import find_items
from thinkagent.values import Json, parse_pointer, write_json

__all__ = ["Program", "build_program"]

_LONE_SURROGATE = re.compile(r"(\\\\)|\\u(d[89a-f][0-9a-f]{2})")
# The sandbox's JSON knows no lone surrogates: they travel as private characters that the data does not use.
_PRIVATE_BLOCKS = range(0x10F800, 0xF0000, -0x800)


@dataclass(frozen=True, slots=True)
class Program:
    """Everything that one worker is given."""

    code: str
    texts: Mapping[str, str]
    """Variables that hold JSON text."""
    lines: tuple[int, ...]
    first_line: int
    """The line of `code` where the expression begins, from 1."""
    variables: frozenset[str]
    inputs: tuple[str, ...]
    stand_ins: int
    """Where the stand-ins for lone surrogates begin; 0 where there are none."""


def build_program(prepared: Prepared, scope: Scope) -> Program:
    """Put the code together with the values it names.

    Raises:
        ComputeError: it counts or goes through the object round a list.
        ReferenceMiss: a step or input that it names has no value.
    """
    values = _values(prepared, scope)
    for name in (prepared.counted - prepared.bound) & values.keys():
        _refuse_envelope(name, values[name], prepared)
    texts: dict[str, str] = {}
    lines = [PRELUDE.rstrip("\n"), *prepared.imports]
    for name, written in prepared.constants.items():
        lines.append(f'{name} = Decimal("{written}")')
    if "today" in prepared.names:
        lines.append("today = date.today()")
    if "now" in prepared.names:
        lines.append("now = datetime.now().astimezone()")
    written_texts, stand_ins = _without_surrogates([write_json(value) for value in values.values()])
    for number, (name, text) in enumerate(zip(values, written_texts, strict=True)):
        texts[f"{INTERNAL_PREFIX}text_{number}"] = text
        lines.append(f"{name} = {INTERNAL_PREFIX}json.loads({INTERNAL_PREFIX}text_{number}, parse_float=Decimal)")
    before = "\n".join(lines)
    variables = {*scope.steps, *OWN_NAMES, "steps", "inputs", "today", "now"}
    variables |= {name for name in prepared.bound if not name.startswith(INTERNAL_PREFIX)}
    return Program(
        code=f"{before}\n{prepared.code}",
        texts=texts,
        lines=prepared.lines,
        first_line=before.count("\n") + 2,
        variables=frozenset(variables),
        inputs=tuple(scope.inputs),
        stand_ins=stand_ins,
    )


def _values(prepared: Prepared, scope: Scope) -> dict[str, Json]:
    """Collect what the code names; raises `ReferenceMiss` where a step or input has no value."""
    values: dict[str, Json] = {}
    for name in sorted(prepared.names & scope.steps.keys()):
        part = "result" if scope.steps[name].outcomes is None else "outcomes"
        try:
            values[name] = look_up(Path("steps", name, part), scope, name)
        except ReferenceMiss:
            if name not in prepared.bound:
                raise
    for variable, path in prepared.paths.items():
        if path.root == "steps" and not path.part:
            if path.name not in scope.steps:
                look_up(Path("steps", path.name, "result"), scope, f"steps.{path.name}")
            values[variable] = _record(path.name, scope)
        else:
            values[variable] = look_up(path, scope, str(path))
    free = prepared.names - prepared.bound
    if "steps" in free:
        values["steps"] = {name: _record(name, scope) for name in scope.steps}
    if "inputs" in free:
        values["inputs"] = dict(scope.inputs)
    return values


def _record(name: str, scope: Scope) -> dict[str, Json]:
    """Give the parts that a step has."""
    record: dict[str, Json] = {}
    for part in STEP_PARTS:
        with contextlib.suppress(ReferenceMiss):
            record[part] = look_up(Path("steps", name, part), scope)
    return record


def _refuse_envelope(name: str, value: Json, prepared: Prepared) -> None:
    """Refuse to count or go through the object round a list: its length is that of the keys."""
    found = find_items(value) if isinstance(value, dict) else None
    if found is None:
        return
    path = prepared.paths.get(name)
    if path is not None:
        name = path.root + "".join(f"[{key!r}]" for key in (path.name, path.part) if key)
    inner = name + "".join(f"[{key!r}]" for key in parse_pointer(found[0]))
    raise ComputeError(
        f"{name} is {describe(value)}, not its list of {len(found[1])}",
        code="compute_envelope",
        hint=f"Take the list: {inner}",
    )


def _without_surrogates(texts: list[str]) -> tuple[list[str], int]:
    """Replace the escapes of lone surrogates in JSON texts; tell where their stand-ins begin, 0 without any."""
    if not any(match[2] for text in texts for match in _LONE_SURROGATE.finditer(text)):
        return texts, 0
    used = {ord(char) >> 11 for text in texts for char in text if ord(char) >= 0xF0000}
    start = next(block for block in _PRIVATE_BLOCKS if block >> 11 not in used)

    def stand_in(match: re.Match[str]) -> str:
        return match[0] if match[1] else chr(int(match[2], 16) - 0xD800 + start)

    return [_LONE_SURROGATE.sub(stand_in, text) for text in texts], start
