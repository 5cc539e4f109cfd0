"""A piece of the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Block", "Role"]

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the prompt; the log tells each text once."""

    role: Role
    name: str
    """`rules`, `document`, `tools`, `tool:NAME`, `examples`, `task`, `fetched:NAME`, `step:NAME`, `turn:N`, `earlier`,
    `plan`, `state`, `reply:N`, `repair:N`."""
    text: str
