"""Where the time of a run goes: exclusive stages that add up to its wall time."""

from __future__ import annotations

import time
from collections.abc import Callable

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


class Stage:
    """A stage while it lasts; the one around it goes on after."""

    __slots__ = ("_inner", "_outer", "_switch")

    def __init__(self, switch: Callable[[str], None], inner: str, outer: str) -> None:
        self._switch, self._inner, self._outer = switch, inner, outer

    def __enter__(self) -> None:
        self._switch(self._inner)

    def __exit__(self, *error: object) -> None:
        self._switch(self._outer)


class Stages:
    """A stopwatch with one hand: entering a stage pauses the one around it."""

    def __init__(self, clock_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clock = clock_ns
        self._spent = dict.fromkeys(STAGES, 0)
        self._current = "idle"
        self._began = self._since = clock_ns()

    def __call__(self, stage: str) -> Stage:
        """Count what happens inside the `with` towards `stage`."""
        return Stage(self.switch, stage, self._current)

    def switch(self, stage: str) -> None:
        now = self._clock()
        self._spent[self._current] += now - self._since
        self._current, self._since = stage, now

    def totals_us(self) -> dict[str, int]:
        """Microseconds by stage until now; stages that took none are left out."""
        self.switch(self._current)
        return {name: spent // 1000 for name, spent in self._spent.items() if spent >= 1000}

    def wall_us(self) -> int:
        return (self._clock() - self._began) // 1000
