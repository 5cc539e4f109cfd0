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
                loop.add_signal_handler(number, _stop, loop, stopped, number)
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


def _stop(loop: asyncio.AbstractEventLoop, stopped: asyncio.Future[str], number: signal.Signals) -> None:
    # The second one gets the default: whoever presses Ctrl-C again does not want to wait.
    loop.remove_signal_handler(number)
    if not stopped.done():
        stopped.set_result(number.name)
