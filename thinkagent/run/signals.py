"""Ctrl-C and SIGTERM, as something that a run can wait for."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["signals"]


@contextlib.contextmanager
def signals() -> Iterator[Callable[[], Any]]:
    """Catch Ctrl-C and SIGTERM while a run goes on; gives the wait for one, which tells its name."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[str] = loop.create_future()
    caught = []
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(number, _stop, stopped, signal.Signals(number).name)
                caught.append(number)

    async def stop() -> str:
        return await asyncio.shield(stopped)

    try:
        yield stop
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
        if not stopped.done():
            stopped.cancel()


def _stop(stopped: asyncio.Future[str], name: str) -> None:
    if not stopped.done():
        stopped.set_result(name)
