"""The outside of a run, each thing behind the smallest door its caller needs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from thinkagent.events import QuestionAsked
from thinkagent.journal import Journal, Vault
from thinkagent.minds.base import Delta, Mind

if TYPE_CHECKING:
    import httpx

__all__ = ["Clock", "Gate", "Human", "Nobody", "Seams", "SystemClock"]


class Human(Protocol):
    """Somebody who can be asked."""

    async def ask(self, question: QuestionAsked) -> str | None:
        """Give the answer (`yes`, `no` or `stop` to a question of permission), or None where nobody is there."""
        ...


class Nobody:
    """Nobody is there: every question is answered by None, at once."""

    async def ask(self, question: QuestionAsked) -> str | None:
        return None


class Clock(Protocol):
    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clock."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Gate(Protocol):
    """Decides which of the running commands may have its outcome next: replay releases them in recorded order."""

    async def wait(self, key: str) -> None:
        """Return when the command of this key may go on."""
        ...

    def is_due(self, running: Collection[str]) -> bool:
        """Say whether the outcome of one of these comes before anything else may begin."""
        ...

    async def settle(self, running: list[str]) -> None:
        """Let the next one go, once every running command waits."""
        ...

    def passed(self, key: str) -> None:
        """Note that the outcome of a command was taken."""
        ...


@dataclass(slots=True)
class Seams:
    """Everything a driver reaches the world through."""

    mind: Mind
    journal: Journal
    vault: Vault
    transport: Callable[[], httpx.AsyncBaseTransport]
    """Gives the transport when the first call needs it."""
    human: Human
    clock: Clock
    stop: Callable[[], Awaitable[str]]
    """Waits for the wish to stop; gives the name of the signal."""
    gate: Gate | None = None
    on_delta: Callable[[Delta], None] | None = None
