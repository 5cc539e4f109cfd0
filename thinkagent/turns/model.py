"""The protocol between a mind and the program: the page it is shown and the turn it answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from thinkagent.tools.model import Tool

__all__ = [
    "BUILT_IN",
    "Action",
    "DocumentCard",
    "Exchange",
    "ObservationCard",
    "Page",
    "Plan",
    "StepCard",
    "Turn",
]

BUILT_IN = ("compute", "search_tools", "inspect", "wait", "ask", "finish")
"""The names of the tools that are not the API's; an operation of such a name is called `api_NAME`."""


@dataclass(frozen=True, slots=True)
class Action:
    """What the mind wants done: exactly one thing."""

    tool: str
    arguments: Mapping[str, Any]
    """As written, references unresolved."""
    save_as: str | None = None
    for_each: str | None = None
    """A reference to a list; inside the arguments `<<item…>>` is one of its elements."""
    pages: int | str | None = None
    """How many pages to read: a number or "all"."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A mind's reply, understood."""

    thought: str
    action: Action
    plan: tuple[str, ...] | None = None
    """Given in the first turn, later only to change it."""
    plan_reason: str | None = None
    doing: int | None = None
    """Which item of the plan this turn serves, from 1."""
    notes: tuple[str, ...] = ()
    """What was put right in silence: `arguments was a text that holds JSON`."""


@dataclass(frozen=True, slots=True)
class Plan:
    items: tuple[str, ...]
    doing: int = 1
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """What the mind is told of the API as a whole."""

    title: str
    version: str
    description: str
    server: str
    operations: int
    name: str = ""
    """By which it is told from other documents; empty where it is the only one."""


@dataclass(frozen=True, slots=True)
class StepCard:
    """A saved result as the mind sees it: its name, where it came from, its shape with true counts."""

    name: str
    tool: str
    turn: int
    status: str
    """The observation's status: ok, http_error, unknown …"""
    summary: str
    shape: Any
    """A small schema: {"type": "array", "count": 34, "items": {…}}; see engine.observation."""
    complete: bool = True
    """False where more pages exist that were not read."""


@dataclass(frozen=True, slots=True)
class ObservationCard:
    """One past turn: what was thought and done, and what came of it."""

    turn: int
    thought: str
    action: Action
    observation: Mapping[str, Any]
    """As in the log: status, summary, http, result, shape, next_actions, recovery_hint."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reply that could not be used, and what was said about it."""

    reply: str
    message: str


@dataclass(frozen=True, slots=True)
class Page:
    """Everything a mind is shown in one turn. The only thing it is shown."""

    turn: int
    task: str
    document: DocumentCard
    now: str
    """The run's fixed now, ISO 8601 with offset."""
    timezone: str
    permission: str
    """One sentence: what may be sent."""
    inputs: Mapping[str, Any]
    """Input names to their bounded views."""
    lines: tuple[Tool, ...]
    """Tools shown as signature lines, in document order (those the budget allows)."""
    groups: Mapping[str, int]
    """Where not all fit: tag to the number of its tools; empty when `lines` holds all."""
    likely: tuple[Tool, ...]
    """At most 8 tools shown with schema and example, best first."""
    fetched: tuple[Tool, ...] = ()
    """Tools that `search_tools` gave, in the order they came."""
    plan: Plan | None = None
    steps: tuple[StepCard, ...] = ()
    history: tuple[ObservationCard, ...] = ()
    """All turns so far; rendering shows the last ones in full and the earlier ones in a line each."""
    repairs: tuple[Exchange, ...] = ()
    """The replies of this very turn that could not be used."""
    remark: str | None = None
    """A word from the program: a loop that begins, a limit that is near."""
    turns_left: int | None = None
    answer_schema: Mapping[str, Any] | None = None
    documents: tuple[DocumentCard, ...] = ()
    """Of several documents each; empty where there is one. `document` speaks of all together then."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    budget_tokens: int = 16_000
    """What the whole prompt may take, about; less after a model said that it was too long."""
