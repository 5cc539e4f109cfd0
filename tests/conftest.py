"""For every test: no network but this machine's own, the same examples each time, no limit of time by the clock."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("thinkagent", deadline=None, derandomize=True, database=None)
settings.load_profile("thinkagent")

_connect = socket.socket.connect


def _only_loopback(self: socket.socket, address: Any) -> Any:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = str(address[0])
        try:
            is_here = ipaddress.ip_address(host).is_loopback
        except ValueError:
            is_here = host == "localhost"
        if not is_here:
            raise AssertionError(f"a test tried to reach {host!r}; tests reach this machine only")
    return _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep what is remembered of documents out of the user's own folder, for processes that tests start too."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "THINKAGENT_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Any:
    socket.socket.connect = _only_loopback  # type: ignore[method-assign, assignment]
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]
