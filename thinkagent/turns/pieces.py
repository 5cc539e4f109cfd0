"""What the page tells of saved results, past turns and fetched definitions, each written once in each of its forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from thinkagent.turns.block import Block
from thinkagent.turns.remembered import Remembered
from thinkagent.values import tokens

__all__ = ["Piece", "Pieces", "Series"]

Card = TypeVar("Card")


class Piece:
    """A block in its forms, the fullest first; each form is written when it is first wanted."""

    __slots__ = ("_forms", "_name", "_written")

    def __init__(self, name: str, *forms: Callable[[], str]) -> None:
        self._name = name
        self._forms = forms
        self._written: list[tuple[Block, int] | None] = [None] * len(forms)

    @property
    def levels(self) -> int:
        return len(self._forms)

    def written(self, level: int) -> tuple[Block, int]:
        """Give a form and its tokens."""
        found = self._written[level]
        if found is None:
            block = Block("user", self._name, self._forms[level]())
            found = self._written[level] = (block, tokens(block.text))
        return found


class Pieces:
    """The pieces of a growing list of cards."""

    __slots__ = ("_rows", "all")

    def __init__(self, pieces: Sequence[Piece] = ()) -> None:
        self.all = list(pieces)
        self._rows: dict[int, tuple[list[Block], list[int]]] = {}

    def row(self, level: int, count: int) -> tuple[list[Block], int]:
        """Give the first so many in one form, and their tokens in sum."""
        blocks, sums = self._rows.setdefault(level, ([], [0]))
        for piece in self.all[len(blocks) : count]:
            block, size = piece.written(level)
            blocks.append(block)
            sums.append(sums[-1] + size)
        return blocks[:count], sums[count]


class Series(Generic[Card]):
    """The pieces of cards that grow from page to page: those of the page before are taken as they are."""

    def __init__(self, make: Callable[[Card], Piece]) -> None:
        self._make = make
        self._kept: Remembered[tuple[tuple[Card, ...], Pieces]] = Remembered(8)

    def pieces(self, cards: tuple[Card, ...]) -> Pieces:
        """Give a piece for each card, in order."""
        if not cards:
            return Pieces()
        known, pieces = self._kept.get(cards[:1], lambda: ((), Pieces()))
        if cards[: len(known)] != known:
            known, pieces = (), Pieces()
        if len(known) < len(cards):
            pieces.all += map(self._make, cards[len(known) :])
            self._kept.put(cards[:1], (cards, pieces))
        return pieces
