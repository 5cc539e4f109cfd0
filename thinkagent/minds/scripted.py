"""The scripted mind: replies given beforehand, for tests of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from thinkagent.minds.base import Delta, MindFailure, Reply
from thinkagent.turns.model import Page
from thinkagent.values import write_json

__all__ = ["ScriptedMind", "ScriptedReply"]

Said = str | Mapping[str, Any] | Reply | MindFailure

ScriptedReply = Said | Callable[[Page], Said]
"""A text, a turn as an object, a whole `Reply`, a failure to raise, or a function of the page that gives one."""


class ScriptedMind:
    """Answer with the given replies, one for each attempt, in order; fail loudly when they run out.

        mind = ScriptedMind([{"thought": "…", "action": {"tool": "finish", "arguments": {…}}}])

    `pages` holds every page that it was shown. Replies are taken one at a time, so they may come from a generator.
    """

    def __init__(self, replies: Iterable[ScriptedReply], *, name: str = "scripted") -> None:
        self.pages: list[Page] = []
        self._replies: Iterator[ScriptedReply] = iter(replies)
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def reply(self, page: Page, on_delta: Callable[[Delta], None] | None = None) -> Reply:
        """Give the next reply, or raise the `MindFailure` that stands in its place."""
        self.pages.append(page)
        entry = next(self._replies, None)
        if entry is None:
            raise MindFailure("bad_request", f"the script has no more replies (turn {page.turn})")
        said = entry(page) if callable(entry) else entry
        if isinstance(said, MindFailure):
            raise said
        reply = said if isinstance(said, Reply) else _as_reply(said, self._name)
        if on_delta is not None and (reply.text or reply.reasoning):
            on_delta(Delta(reply.text or "", reply.reasoning or ""))
        return reply


def _as_reply(said: str | Mapping[str, Any], name: str) -> Reply:
    text = said if isinstance(said, str) else write_json(dict(said))
    return Reply(text, finish_reason="stop", model=name)
