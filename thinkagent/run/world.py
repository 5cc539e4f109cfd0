"""What a run stands on and never changes while it goes on. Frozen; no clock, no socket, no secret's value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from thinkagent.tools import Toolset

__all__ = ["Limits", "Permission", "World"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run may use; each holds in every path, inside pages and batches too."""

    turns: int = 30
    calls: int = 200
    writes: int = 50
    timeout_s: float = 600
    repairs: int = 2
    """Repairs in a row before the run ends as model_error."""
    attempts: int = 3
    """Attempts at one reply of the model, and at one call that may be repeated."""
    concurrency: int = 4
    loop_remark: int = 3
    loop_end: int = 5
    call_s: float = 60
    """Seconds for one call, from the first byte sent to the last received."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may let a write leave."""

    allow_writes: bool = False
    yes: bool = False
    person: bool = False
    """Whether somebody can be asked."""

    @property
    def sentence(self) -> str:
        """What may be sent, for the mind."""
        if self.allow_writes:
            return "Reads and writes may be sent."
        if self.yes or self.person:
            return "Reads may be sent. Each write is shown to the person first, who may say no."
        return "Only reads may be sent. A write will be refused, because nobody can be asked."


@dataclass(frozen=True, slots=True)
class World:
    task: str
    toolset: Toolset
    now: datetime
    """The run's fixed now, with its zone's offset."""
    timezone: str
    servers: Mapping[str, str] = field(default_factory=dict)
    """The base address of each document, by its name, as the mind may see it."""
    limits: Limits = Limits()
    permission: Permission = Permission()
    dry_run: bool = False
    answer_schema: Mapping[str, Any] | None = None
    excluded: frozenset[str] = frozenset()
    """Names of operations that the user left out."""
    settings: Mapping[str, Any] = field(default_factory=dict)
