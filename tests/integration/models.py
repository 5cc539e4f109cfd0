"""Whole runs on the shop, their mind behind real HTTP to a model server with a script."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tests.run.kit import Instant
from thinkagent.documents import Document, from_dict
from thinkagent.events import RepairAsked, ReplyFailed, RunEnded
from thinkagent.journal import read_log
from thinkagent.run.agent import Agent
from thinkagent.run.outcomes import EXIT_CODES
from thinkagent.run.replay import replay_now
from thinkagent.run.result import RunResult
from thinkagent.run.world import Limits, Permission
from thinkagent.shop import Seen, Shop, document, seed
from thinkagent.testing import FakeModelServer
from thinkagent.testing.model_server import ModelRequest

__all__ = ["ANSWER", "FINISH", "LIST", "NOW", "TASK", "Ended", "act", "finish", "run", "without_trouble"]

NOW = datetime(2026, 11, 30, 23, 11, tzinfo=UTC)
TASK = "How many products does the shop sell?"
ANSWER = "The shop sells 12 products."
_TOKEN = "the-shop's-own-token-1"
_KEY = "the-model-server's-key-1"


def act(tool: str, arguments: Any = None, thought: str = "I go on.", **action: Any) -> dict[str, Any]:
    """Make a turn as a mind writes it."""
    return {"thought": thought, "action": {"tool": tool, "arguments": arguments or {}, **action}}


def finish(answer: str, *evidence: str, status: str = "done") -> dict[str, Any]:
    return act("finish", {"status": status, "answer": answer, "evidence": list(evidence)}, "That is all I need.")


LIST = act("listProducts", {"limit": 5}, "A list tells its total, so I ask for one.", save_as="products")
FINISH = finish("The shop sells <<steps.products.result.total>> products.", "products")


@dataclass(frozen=True)
class Ended:
    """How a run ended, and what the two servers saw of it."""

    result: RunResult
    seconds: float
    asked: list[ModelRequest]
    """The requests for completions."""
    called: tuple[Seen, ...]
    shop: Shop

    @property
    def repairs(self) -> list[str]:
        return [record.event.kind for record in self.result.records if isinstance(record.event, RepairAsked)]

    @property
    def failures(self) -> list[str]:
        return [record.event.kind for record in self.result.records if isinstance(record.event, ReplyFailed)]

    @property
    def written(self) -> list[Seen]:
        return [seen for seen in self.called if seen.method != "GET"]

    def said(self, index: int) -> str:
        """Everything that the model was shown in one request."""
        return "\n\n".join(message["content"] for message in self.asked[index].body["messages"])


def run(
    entries: Iterable[Any],
    folder: Path,
    *,
    task: str = TASK,
    data: Any = None,
    now: datetime = NOW,
    via: str | None = None,
    clock: Any = None,
    options: dict[str, Any] | None = None,
    limits: Limits = Limits(),
    permission: Permission = Permission(allow_writes=True),
    served: dict[str, Any] | None = None,
    **settings: Any,
) -> Ended:
    """Carry out a task with a model that gives these replies; `served` goes to the fake server."""
    shop = Shop(seed(now) if data is None else data, _TOKEN, clock=lambda: now)
    with shop, FakeModelServer(entries, api_key=_KEY, **(served or {})) as server:
        fields: dict[str, Any] = {
            "base_url": shop.url,
            "auth": {"bearerAuth": "env:SHOP"},
            "environ": {"SHOP": _TOKEN, "MODEL": _KEY, "TZ": "UTC"},
            "model": "openai/fake-model",
            "api_base": server.url,
            "via": via,
            "model_options": {"api_key": "env:MODEL", **(options or {})},
            "limits": limits,
            "permission": permission,
            "log_dir": folder,
            "now": now.isoformat(),
            "clock": clock or Instant(),
        }
        agent = Agent(_document(), **{**fields, **settings})
        began = time.monotonic()
        result = asyncio.run(agent.run(task))
        seconds = time.monotonic() - began
        return Ended(result, seconds, server.chats, shop.requests, shop)


@cache
def _document() -> Document:
    return from_dict(document())


def without_trouble(ended: Ended) -> RunResult:
    """Check what holds of every run: it ended as a status, and its log is whole, replays, and holds no credential."""
    result = ended.result
    assert result.log is not None
    log = read_log(result.log)
    last = log.records[-1].event
    assert isinstance(last, RunEnded)
    assert not log.torn
    assert (last.status, last.exit_code) == (result.status, EXIT_CODES[result.status])
    replayed = replay_now(log)
    assert (replayed.same, replayed.difference, replayed.notes) == (True, "", ())
    text = result.log.read_text(encoding="utf-8")
    for unwanted in (_TOKEN, _KEY, "Traceback"):
        assert unwanted not in text
    if result.status in ("model_error", "limit", "loop"):
        assert result.answer is None
        assert result.reason
    return result
