"""A field that is called a total: what all of them come to is a sum, not a list of each."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from thinkagent.run.agent import Agent
from thinkagent.shop import Shop, seed

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "task", ["What is the total of all orders?", "所有订单的总额是多少？"], ids=["english", "chinese"]
)
def test_the_total_of_all_is_their_sum(task):
    with Shop(seed(NOW), clock=lambda: NOW) as shop:
        agent = Agent(
            f"{shop.url}/openapi.json",
            auth={"bearerAuth": "env:TOKEN"},
            environ={"TOKEN": shop.token, "TZ": "UTC"},
            now=NOW.isoformat(),
            log_dir=None,
        )
        result = asyncio.run(agent.run(task))
        expected = sum(Decimal(str(order["total"])) for order in shop.state()["orders"])
    assert result.status == "done"
    assert str(expected) in result.answer
