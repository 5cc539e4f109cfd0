"""Where the time of a run goes: exclusive stages that add up to its wall time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["STAGES", "Stages"]

STAGES = (
    "load",
    "page",
    "mind",
    "parse",
    "decide",
    "resolve",
    "check",
    "build",
    "send",
    "decode",
    "compute",
    "observe",
    "journal",
    "person",
    "idle",
)


class Stages:
    """A stopwatch with one hand: entering a stage pauses the one around it."""

    def __init__(self, clock_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clock = clock_ns
        self._spent = dict.fromkeys(STAGES, 0)
        self._current = "idle"
        self._began = self._since = clock_ns()

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Count what happens inside towards `stage`."""
        outer = self._current
        self._switch(stage)
        try:
            yield
        finally:
            self._switch(outer)

    def _switch(self, stage: str) -> None:
        now = self._clock()
        self._spent[self._current] += now - self._since
        self._current, self._since = stage, now

    def totals_us(self) -> dict[str, int]:
        """Microseconds by stage until now; stages that took none are left out."""
        self._switch(self._current)
        return {name: spent // 1000 for name, spent in self._spent.items() if spent >= 1000}

    def wall_us(self) -> int:
        return (self._clock() - self._began) // 1000
