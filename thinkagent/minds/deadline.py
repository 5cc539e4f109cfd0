"""Two deadlines round one attempt: for all of it, and for the time without any content."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["IDLE_S", "TOTAL_S", "Deadline", "DeadlinePassed", "deadline"]

TOTAL_S = 300.0
"""How long one attempt may take."""

IDLE_S = 120.0
"""How long an attempt may go without content; a model that thinks in silence needs minutes."""


class DeadlinePassed(Exception):
    """The time is over; `after_s` is the limit that was met, `idle` tells which of the two it was."""

    def __init__(self, after_s: float, idle: bool) -> None:
        super().__init__(f"no {'content' if idle else 'whole answer'} within {after_s:g} s")
        self.after_s = after_s
        self.idle = idle


class Deadline:
    """What runs inside `deadline` tells it of content with `touch`."""

    def __init__(self, total_s: float, idle_s: float | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + total_s
        self._total_s = total_s
        self._idle_s = idle_s
        self.timeout = asyncio.timeout_at(self._next())

    def touch(self, idle_s: float | None = None) -> None:
        """Content came: the idle time begins anew, as long as before or `idle_s`; the total does not."""
        if idle_s is not None:
            self._idle_s = idle_s
        if not self.timeout.expired():
            self.timeout.reschedule(self._next())

    def passed(self) -> DeadlinePassed:
        if self._idle_s is None or self._loop.time() >= self._end:
            return DeadlinePassed(self._total_s, idle=False)
        return DeadlinePassed(self._idle_s, idle=True)

    def _next(self) -> float:
        if self._idle_s is None:
            return self._end
        return min(self._end, self._loop.time() + self._idle_s)


@asynccontextmanager
async def deadline(total_s: float, idle_s: float | None) -> AsyncIterator[Deadline]:
    """Cancel the body after `total_s`, or after `idle_s` without a `touch`; None is no idle limit.

    Raises:
        DeadlinePassed: one of the two was met.
    """
    limit = Deadline(total_s, idle_s)
    try:
        async with limit.timeout:
            yield limit
    except TimeoutError as error:
        if not limit.timeout.expired():
            raise
        raise limit.passed() from error
