"""Lines for people: safe to show, as wide as the terminal, coloured where colour is wanted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple, TextIO

from thinkagent.values import visible

__all__ = ["Flow", "Ink", "Styled", "cells", "clip_cells", "dotted", "whole"]

_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31", "warn": "33", "name": "36"}
_WIDE = "\u2e80-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60"
_CLOSING = "、。〉》」』】〕〗！），．：；？］｝…”’%"
_TOKEN = re.compile(rf"\s+|[{_WIDE}][{_CLOSING}]*|[^\s{_WIDE}]+[{_CLOSING}]*")
"""A blank, a word, or one character of a script that is written without blanks; a line begins with no closing mark."""
LEAST_WIDTH = 20
USUAL_WIDTH = 80
_LEAST_ROOM = 8
"""Columns at the end of a row that are enough to begin a word in that no row can hold."""


class Styled(NamedTuple):
    """A piece of a line and its style: bold, dim, good, bad, warn or name; empty for none."""

    text: str
    style: str = ""
    whole: bool = False
    """Not to be broken where it fits into a row."""


Part = str | Styled


def whole(text: str, style: str = "") -> Styled:
    """Give a piece of a line that stays together."""
    return Styled(text, style, whole=True)


def dotted(items: Iterable[str], style: str = "") -> Iterator[Styled]:
    """Put dots between items; a line of them is broken behind a dot."""
    *first, last = items
    for item in first:
        yield whole(f"{item} ·", style)
        yield Styled(" ", style)
    yield whole(last, style)


def cells(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def clip_cells(text: str, width: int) -> str:
    """Cut a text to at most `width` columns, with `…` where something was left out."""
    if cells(text) <= width:
        return text
    kept, used = [], 1
    for char in text:
        used += cells(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


class Ink:
    """Writes to one stream. Whatever a text holds, no control or bidi character of it reaches the stream.

    On a terminal lines are wrapped to its width and coloured (`NO_COLOR`, `TERM=dumb` and a pipe turn that off);
    elsewhere each line is one line and nothing moves.

    Args:
        stream: where to write.
        environ: read for NO_COLOR, TERM and COLUMNS.
        forgiving: a stream that is closed is written to no more and nobody is told; a run must not end because
            nobody watches it any longer.
    """

    def __init__(self, stream: TextIO, environ: Mapping[str, str], *, forgiving: bool = False) -> None:
        self._stream = stream
        self._environ = environ
        self._forgiving = forgiving
        self._closed = False
        self._transient = ""
        self._asks = False
        self.is_terminal = _is_terminal(stream)
        capable = self.is_terminal and environ.get("TERM") != "dumb"
        self.moves = capable
        self.colours = capable and not environ.get("NO_COLOR")

    @property
    def width(self) -> int:
        """Columns to write in; 0 where lines are not wrapped."""
        if not self.is_terminal:
            return 0
        given = self._environ.get("COLUMNS", "")
        columns = int(given) if given.isdecimal() else 0
        return max(LEAST_WIDTH, columns or _columns(self._stream) or USUAL_WIDTH)

    def line(self, *parts: Part, indent: int = 0, hang: int | None = None) -> None:
        """Write one line: `indent` blanks before it, `hang` blanks before each line that it is wrapped onto."""
        self.clear()
        pieces = [_safe(part) for part in parts]
        hanging = indent if hang is None else hang
        for number, row in enumerate(_wrapped(pieces, self.width, indent, hanging)):
            before = " " * (hanging if number else indent)
            self._write((before + "".join(map(self._painted, row))).rstrip() + "\n")

    def text(self, text: str, indent: int = 0, style: str = "") -> None:
        """Write a text of several lines; one that is wrapped goes on under its own first word."""
        for line in text.replace("\r\n", "\n").split("\n"):
            before = len(line) - len(line.lstrip(" "))
            self.line(Styled(line, style), indent=indent, hang=indent + before)

    def blank(self) -> None:
        self.clear()
        self._write("\n")

    def transient(self, text: str) -> None:
        """Show a passing line on a terminal; the next line takes its place."""
        if not self.moves or text == self._transient:
            return
        shown = clip_cells(visible(text, newlines=False), self.width - 1)
        self._write("\r\x1b[K" + self._painted(Styled(shown, "dim")))
        self._transient = text

    def prompt(self, text: str, indent: int = 0) -> None:
        """Ask for a line; whoever types it ends the line, else what is written next does."""
        self.raw(" " * indent + text, "bold")
        self._asks = True

    def typed(self) -> None:
        """Say that the line that was asked for was typed."""
        self._asks = False

    def clear(self) -> None:
        """Take the passing line away, and end a prompt that got no answer."""
        if self._asks:
            self._asks = False
            self._write("\n")
        if self._transient:
            self._transient = ""
            self._write("\r\x1b[K")

    def raw(self, text: str, style: str = "") -> None:
        """Write a piece of a line, made safe but not wrapped."""
        self.clear()
        self._write(self._painted(Styled(visible(text), style)))

    def _painted(self, part: Styled) -> str:
        if not self.colours or not part.style or not part.text:
            return part.text
        return f"\x1b[{_CODES[part.style]}m{part.text}\x1b[0m"

    def _write(self, text: str) -> None:
        if self._closed:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            if not self._forgiving:
                raise
            self._closed = True


class Flow:
    """A text that comes in pieces and is wrapped as it comes.

    A word is held back until it is whole, a blank until a word follows.
    """

    def __init__(self, ink: Ink, column: int, hang: int) -> None:
        self._ink = ink
        self._column = column
        self._hang = hang
        self._blank = ""
        self._held = ""

    def feed(self, text: str) -> None:
        tokens = _TOKEN.findall(self._held + visible(text))
        self._held = tokens.pop() if tokens else ""
        self._show(tokens)

    def end(self) -> None:
        """Write what was held back, and end the line."""
        held, self._held = self._held, ""
        self._show([held] if held else [])
        self._ink.raw("\n")

    def _show(self, tokens: Iterable[str]) -> None:
        width = self._ink.width
        for token in tokens:
            if token.isspace():
                self._blank += token
            else:
                self._word(token, width)

    def _word(self, word: str, width: int) -> None:
        if "\n" in self._blank:
            self._break()
        elif self._blank:
            pieces = _pieces(word, width - self._hang, width - self._column - 1)
            if width and self._column + 1 + cells(next(pieces)) > width and self._column > self._hang:
                self._break()
            else:
                self._ink.raw(" ")
                self._column += 1
        self._blank = ""
        for piece in _pieces(word, width - self._hang, width - self._column) if width else (word,):
            if width and self._column + cells(piece) > width and self._column > self._hang:
                self._break()
            self._ink.raw(piece)
            self._column += cells(piece)

    def _break(self) -> None:
        self._ink.raw("\n" + " " * self._hang)
        self._column = self._hang


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _columns(stream: TextIO) -> int:
    """Count the columns of the terminal that a stream is; 0 where they are not known."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def _safe(part: Part) -> Styled:
    piece = part if isinstance(part, Styled) else Styled(part)
    return piece._replace(text=visible(piece.text, newlines=False))


def _wrapped(parts: Iterable[Styled], width: int, indent: int, hang: int) -> Iterator[list[Styled]]:
    """Break a line into rows of at most `width` columns, between words, and within words that are longer."""
    pieces = list(parts)
    if not width or indent + sum(cells(part.text) for part in pieces) <= width:
        yield pieces
        return
    row: list[Styled] = []
    column = indent
    for part in pieces:
        for token in _tokens(part, width - hang):
            for piece in [token] if token.isspace() else _pieces(token, max(1, width - hang), width - column):
                size = cells(piece)
                if column + size > width and row:
                    yield _joined(row)
                    row, column = [], hang
                    if piece.isspace():
                        continue
                row.append(Styled(piece, part.style))
                column += size
    yield _joined(row)


def _tokens(part: Styled, width: int) -> list[str]:
    text = part.text.lstrip()
    if part.whole and cells(text) <= width:
        return [blank for blank in (part.text[: len(part.text) - len(text)],) if blank] + [text]
    found: list[str] = _TOKEN.findall(part.text)
    return found


def _joined(row: list[Styled]) -> list[Styled]:
    """Make one piece of neighbours of one style; a row ends with no blank."""
    while row and row[-1].text.isspace():
        row.pop()
    groups = groupby(row, key=lambda piece: piece.style)
    return [Styled("".join(piece.text for piece in pieces), style) for style, pieces in groups]


def _pieces(word: str, width: int, room: int) -> Iterator[str]:
    """Cut a word that is wider than a row, beginning in what is left of this one; others stay whole."""
    if width < 1 or cells(word) <= width:
        yield word
        return
    limit = room if room >= _LEAST_ROOM else width
    piece, used = "", 0
    for char in word:
        size = cells(char)
        if used + size > limit and piece:
            yield piece
            piece, used, limit = "", 0, width
        piece += char
        used += size
    yield piece
