"""Keep what was rendered from frozen objects, so that a turn renders only what is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Remembered"]

Result = TypeVar("Result")


class Remembered(Generic[Result]):
    """Results of a pure function of frozen objects, by the identity of these, the last `size` of them.

    The objects are kept alive beside the result, so that no identity can come again for another object.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[tuple[int, ...], tuple[tuple[object, ...], Result]] = {}

    def get(self, parts: tuple[object, ...], make: Callable[[], Result]) -> Result:
        """Give the result for these very objects, made now if it is not kept."""
        key = tuple(map(id, parts))
        kept = self._kept.get(key)
        if kept is None:
            kept = (parts, make())
            self._keep(key, kept)
        return kept[1]

    def put(self, parts: tuple[object, ...], result: Result) -> None:
        """Keep another result for these very objects."""
        self._keep(tuple(map(id, parts)), (parts, result))

    def _keep(self, key: tuple[int, ...], kept: tuple[tuple[object, ...], Result]) -> None:
        self._kept[key] = kept
        while len(self._kept) > self._size:
            self._kept.pop(next(iter(self._kept)), None)
