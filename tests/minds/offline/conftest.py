from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.minds.offline.data import LIBRARY_ROWS, PARK_ROWS, STORE_ROWS, TICKET_ROWS, WAREHOUSE_ROWS
from tests.minds.offline.documents import LIBRARY, PARKS, STORE, TICKETS, WAREHOUSE
from tests.minds.offline.world import Run, work
from thinkagent.engine.compute import Sandbox

WORLDS = {
    "library": (LIBRARY, LIBRARY_ROWS),
    "tickets": (TICKETS, TICKET_ROWS),
    "warehouse": (WAREHOUSE, WAREHOUSE_ROWS),
    "parks": (PARKS, PARK_ROWS),
    "store": (STORE, STORE_ROWS),
}


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    found = Sandbox(processes=1)
    yield found
    asyncio.run(found.close())


@pytest.fixture
def do(sandbox: Sandbox) -> Callable[..., Run]:
    """Do a task in one of the worlds."""

    def run(world: str, task: str, **settings: Any) -> Run:
        tools, rows = WORLDS[world]
        return work(sandbox, task, settings.pop("tools", tools), settings.pop("rows", rows), **settings)

    return run
