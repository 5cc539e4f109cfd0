"""Who an event belongs to: the identity of each call and of each question to the mind, unique within a run."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from thinkagent.errors import JournalError

__all__ = ["CallId", "ThinkId"]


class CallId(NamedTuple):
    """One attempt at one HTTP request: `t4.i0.p0.a1`, with `.h1` where a hop (redirect, token) was needed."""

    turn: int
    item: int = 0
    """The element of `for_each`, or the round of a `repeat`; 0 where there is neither."""
    page: int = 0
    attempt: int = 1
    hop: int = 0

    def __str__(self) -> str:
        hop = f".h{self.hop}" if self.hop else ""
        return f"t{self.turn}.i{self.item}.p{self.page}.a{self.attempt}{hop}"

    @classmethod
    def parse(cls, text: str) -> CallId:
        """Read the text form; raises `JournalError` when it is none."""
        return _call_id(text)

    def again(self) -> CallId:
        """The next attempt at the same request."""
        return self._replace(attempt=self.attempt + 1, hop=0)


class ThinkId(NamedTuple):
    """One attempt at one reply: `t4.r0.a1`; r counts the repairs asked for in the turn."""

    turn: int
    repair: int = 0
    attempt: int = 1

    def __str__(self) -> str:
        return f"t{self.turn}.r{self.repair}.a{self.attempt}"

    @classmethod
    def parse(cls, text: str) -> ThinkId:
        """Read the text form; raises `JournalError` when it is none."""
        numbers = _numbers(text, "tra")
        if len(numbers) != 3:
            raise JournalError(f"{text!r} names no attempt at a reply", code="bad_event")
        return cls(*numbers)


@lru_cache(maxsize=1024)
def _call_id(text: str) -> CallId:
    numbers = _numbers(text, "tipah")
    if not 4 <= len(numbers) <= 5:
        raise JournalError(f"{text!r} names no call", code="bad_event")
    return CallId(*numbers)


def _numbers(text: str, letters: str) -> list[int]:
    parts = text.split(".")
    if len(parts) > len(letters):
        return []
    found = []
    for part, letter in zip(parts, letters, strict=False):
        if not part.startswith(letter) or not part[1:].isdecimal():
            return []
        found.append(int(part[1:]))
    return found
