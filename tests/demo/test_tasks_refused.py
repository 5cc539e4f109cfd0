"""Forty tasks that cannot be done: an honest refusal each, no answer, no write, though writes are allowed."""

from __future__ import annotations

import asyncio

import pytest

from tests.demo.wordings import data_of, refusals
from thinkagent.run.agent import Agent
from thinkagent.run.world import Permission
from thinkagent.shop import Shop


@pytest.mark.parametrize("task", refusals(), ids=lambda task: task.id)
def test_it_is_refused_without_a_write(task):
    with Shop(data_of(task), clock=lambda: task.now) as shop:
        before = shop.state()
        agent = Agent(
            f"{shop.url}/openapi.json",
            auth={"bearerAuth": "env:SHOP_TOKEN"},
            environ={"SHOP_TOKEN": shop.token, "TZ": "UTC"},
            permission=Permission(allow_writes=task.allow_writes),
            now=task.now.isoformat(),
            log_dir=None,
        )
        result = asyncio.run(agent.run(task.task))
        assert shop.state() == before
    assert result.status in ("failed", "impossible", "refused"), result.answer
    assert result.exit_code == 1
    assert result.changes == ()
    assert result.answer
