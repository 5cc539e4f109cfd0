"""Make the changing part of the page fit its budget: the oldest is shortened first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from thinkagent.turns.block import Block
from thinkagent.turns.pieces import Piece

__all__ = ["Part", "fit"]


@dataclass(slots=True)
class Part:
    """A piece of the page in its forms, the fullest first; past the last form it is left out."""

    piece: Piece
    level: int = 0

    @property
    def block(self) -> Block | None:
        """The piece in its present form; None where it is left out."""
        return self.piece.written(self.level)[0] if self.level < self.piece.levels else None

    @property
    def size(self) -> int:
        return self.piece.written(self.level)[1] if self.level < self.piece.levels else 0


def fit(turns: list[Part], steps: list[Part], fetched: list[Part], budget_tokens: int) -> None:
    """Shorten parts in place until their sum fits; each list is in order of time.

    Past turns go to a line first, then fetched definitions to their signature, then steps; only then are lines left
    out. The last turn is the last to be shortened, and always stays at least as a line.
    """
    total = sum(part.size for part in (*turns, *steps, *fetched))
    for part, level in _reductions(turns, steps, fetched):
        if total <= budget_tokens:
            return
        if part.level < level:
            before = part.size
            part.level = level
            total += part.size - before


def _reductions(turns: list[Part], steps: list[Part], fetched: list[Part]) -> Iterator[tuple[Part, int]]:
    """Give what to shorten, to which form, in order. The forms: 0 full, 1 line, 2 left out."""
    yield from ((part, 1) for part in turns[:-1])
    yield from ((part, 1) for part in fetched[:-1])
    yield from ((part, 1) for part in steps[:-3])
    yield from ((part, 2) for part in turns[:-5])
    yield from ((part, 1) for part in steps[-3:])
    yield from ((part, 2) for part in steps[:-10])
    yield from ((part, 2) for part in fetched[:-1])
    yield from ((part, 1) for part in fetched[-1:])
    yield from ((part, 2) for part in turns[:-1])
    yield from ((part, 2) for part in steps)
    yield from ((part, 1) for part in turns[-1:])
    yield from ((part, 2) for part in fetched)
