"""What a reference or an expression can see: steps by name, inputs, and the item of a `for_each`."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal

from thinkagent.engine.paths import Path
from thinkagent.values import Json

__all__ = ["MISSING", "Missing", "Origin", "Scope", "StepState", "StepValue", "step_name_for", "valid_step_name"]


class Missing(Enum):
    """The type of `MISSING`, which stands where there is no value at all; None is JSON's null."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING

StepState = Literal["ok", "http_error", "unknown", "network_error", "invalid", "refused", "skipped"]
"""The status of the step's observation (see `engine.observation`); only `ok` gives a result."""


@dataclass(frozen=True, slots=True)
class StepValue:
    """A saved step, as references see it."""

    result: Json | Missing = MISSING
    """The decoded body; MISSING where none came (204, HEAD), None where it was `null`."""
    status: int | None = None
    headers: Mapping[str, Json] = field(default_factory=dict)
    """Names in lower case; `set-cookie` is an object of cookies by name."""
    items: list[Json] | None = None
    """The list found in the result, after all pages that were read."""
    outcomes: list[Json] | None = None
    """Of a `for_each`, one per item in order: item, status, http, result or error."""
    state: StepState = "ok"
    reason: str = ""
    """Why the step has no result: `404; no such person`."""
    complete: bool = True
    """False where more pages exist that were not read."""


@dataclass(frozen=True, slots=True)
class Scope:
    """All that can be referred to at one moment of a run."""

    steps: Mapping[str, StepValue] = field(default_factory=dict)
    inputs: Mapping[str, Json] = field(default_factory=dict)
    item: Json | Missing = MISSING
    """The element at hand; MISSING outside a `for_each`."""
    item_path: Path | None = None
    """Where the element came from, so that its values keep their origin."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from."""

    kind: Literal["task", "input", "step", "item", "literal"]
    name: str = ""
    """Of the input or step."""
    path: str = ""
    """The reference as a path; empty for a literal."""


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_OWN = frozenset({"steps", "inputs", "item", "today", "now", "Decimal", "date", "datetime", "timedelta", "timezone"})
_TAKEN = _OWN | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))
INTERNAL_PREFIX = "_thinkagent_"
"""Names that a computation keeps for itself."""


def valid_step_name(name: str) -> bool:
    """Tell whether a step may bear this name.

    It is `[A-Za-z_][A-Za-z0-9_]*`, no keyword or builtin of Python, none of the variables of a computation
    (`steps`, `inputs`, `item`, `today`, `now`, `Decimal`, `date` …).
    """
    return bool(_NAME.fullmatch(name)) and name not in _TAKEN and not name.startswith(INTERNAL_PREFIX)


def step_name_for(tool: str, taken: Container[str]) -> str:
    """Make a valid step name out of a tool's name that is not in `taken`: `listOrders`, then `listOrders_2`."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", tool).strip("_") or "step"
    if name[0].isdigit():
        name = f"step_{name}"
    if not valid_step_name(name):
        name += "_"
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate
