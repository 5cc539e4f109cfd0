from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest

from thinkagent.shop import Shop, seed

NOW = datetime(2026, 11, 30, 23, 11, tzinfo=UTC)
TOKEN = "a token for tests"


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop(seed(NOW), TOKEN, clock=lambda: NOW) as running:
        yield running


@pytest.fixture
def client(shop: Shop) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=shop.url, headers=headers, trust_env=False, timeout=10) as client:
        yield client
