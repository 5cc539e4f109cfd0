"""How the tests of minds ask: a small page, two messages, one attempt."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from thinkagent.minds.base import Delta, Mind, MindFailure, Reply
from thinkagent.turns.model import DocumentCard, Page

PAGE = Page(
    turn=1,
    task="count the planets",
    document=DocumentCard("t", "1", "", "http://127.0.0.1/", 1),
    now="2026-01-01T00:00:00+00:00",
    timezone="UTC",
    permission="reads only",
    inputs={},
    lines=(),
    groups={},
    likely=(),
)


class Said(NamedTuple):
    role: str
    content: str


def render(page: Page) -> list[Said]:
    return [Said("system", "Answer in JSON."), Said("user", page.task)]


class Outcome(NamedTuple):
    """What one attempt gave: a reply or a failure, and the pieces that came before it."""

    reply: Reply | None
    failure: MindFailure | None
    deltas: list[Delta]

    @property
    def shown(self) -> str:
        return "".join(delta.text for delta in self.deltas)

    @property
    def shown_reasoning(self) -> str:
        return "".join(delta.reasoning for delta in self.deltas)


async def attempt(mind: Mind, page: Page = PAGE) -> Outcome:
    deltas: list[Delta] = []
    try:
        return Outcome(await mind.reply(page, deltas.append), None, deltas)
    except MindFailure as failure:
        return Outcome(None, failure, deltas)


def ask(mind: Any, times: int = 1) -> list[Outcome]:
    """Ask `times` in one loop and close the mind."""

    async def run() -> list[Outcome]:
        try:
            return [await attempt(mind) for _ in range(times)]
        finally:
            if hasattr(mind, "aclose"):
                await mind.aclose()

    return asyncio.run(run())


def ask_once(mind: Any) -> Outcome:
    return ask(mind)[0]
