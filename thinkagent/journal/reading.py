"""A text with its escapes undone, and where each character of it stood before.

Undone, one level at a time, are percent-encoding, the escapes of JSON and JavaScript, HTML's character references, and
line ends with the indentation after them: wrapping is no part of what is wrapped.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ["Reading", "levels", "readings", "unescape", "without_blanks"]

LEVELS = 5
"""How often escapes are undone: what is spelled in a spelling of a spelling is still found."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_ESCAPE = re.compile(
    r"[%\\&\r\n](?:"  # a set of characters first: the search skips to the next of them
    r"(?<=%)(?P<percent>[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*+)"
    r"|(?<=\\)u(?P<pair>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<=\\)u(?P<unit>[0-9a-fA-F]{4})|(?<=\\)u\{(?P<point>[0-9a-fA-F]{1,6})\}|(?<=\\)x(?P<byte>[0-9a-fA-F]{2})"
    r"|(?<=\\)(?P<quoted>[\"'/\\])"
    r"|(?P<line>(?<=\r)\n?[ \t]*|(?<=\n)[ \t]*|(?<=\\)(?:\r\n?|\n|r(?:\\n)?|n)[ \t]*)"
    r"|(?<=&)(?:#0*(?P<number>[0-9]{1,7})|#[xX]0*(?P<hex>[0-9a-fA-F]{1,6})|(?P<named>amp|lt|gt|quot|apos|nbsp));"
    r")"
)


_BLANKS = re.compile(r"\s+")

Characters = Callable[[re.Match[str]], Iterable[tuple[str, int, int]]]


@dataclass(slots=True)
class Reading:
    """A text, and the way back to what it was read from."""

    text: str
    source: Reading | None = None
    at: array[int] = field(default_factory=lambda: array("q"))
    """Where in `text` an escape was undone, in order."""
    lengths: bytearray = field(default_factory=bytearray)
    """For each: how many characters of `text` it is (0 or 1)."""
    starts: array[int] = field(default_factory=lambda: array("q"))
    """For each: where it begins in the source's text."""
    ends: array[int] = field(default_factory=lambda: array("q"))

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the part of the first text that `start` to `end` was read from."""
        reading = self
        while reading.source is not None:
            start, end = reading._span(start)[0], reading._span(end - 1)[1]
            reading = reading.source
        return start, end

    def _span(self, place: int) -> tuple[int, int]:
        index = bisect_right(self.at, place) - 1
        if index < 0:
            return place, place + 1
        length, start, end = self.lengths[index], self.starts[index], self.ends[index]
        if place < self.at[index] + length:
            return start, end
        begin = end + place - self.at[index] - length
        return begin, begin + 1


def readings(text: str) -> Iterator[Reading]:
    """Give the text as it is, then with one level of escapes undone after the other, as long as there are any."""
    reading: Reading | None = Reading(text)
    for _ in range(LEVELS + 1):
        if reading is None:
            return
        yield reading
        reading = _undone(reading)


def levels(text: str) -> Iterator[str]:
    """Give the texts of `readings` without the way back, which costs much where there are many escapes."""
    for level in range(LEVELS + 1):
        yield text
        if level == LEVELS or _ESCAPE.search(text) is None:
            return
        text = _ESCAPE.sub(_meaning, text)


def _meaning(match: re.Match[str]) -> str:
    """What an escape stands for, percent-encoded bytes in a row at once."""
    kind = match.lastgroup or ""
    if kind != "percent":
        return _character(kind, match[kind])
    raw = bytes.fromhex(match["percent"].replace("%", ""))
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return "".join(char for char, _, _ in _bytes(raw, 0))


def unescape(text: str) -> str:
    """Give the last of a text's readings."""
    *_, last = levels(text)
    return last


def without_blanks(reading: Reading) -> Reading:
    """Give a reading without its blanks and line ends: a text of several words may be wrapped between any two."""
    return _replaced(reading, _BLANKS.finditer(reading.text), lambda match: [("", *match.span())])


def _undone(reading: Reading) -> Reading | None:
    if _ESCAPE.search(reading.text) is None:
        return None
    return _replaced(reading, _ESCAPE.finditer(reading.text), _characters)


def _replaced(reading: Reading, matches: Iterable[re.Match[str]], characters: Characters) -> Reading:
    text = reading.text
    made = Reading("", reading)
    pieces: list[str] = []
    length = end = 0
    for match in matches:
        pieces.append(text[end : match.start()])
        length += match.start() - end
        end = match.end()
        for char, start, stop in characters(match):
            pieces.append(char)
            made.at.append(length)
            made.lengths.append(len(char))
            made.starts.append(start)
            made.ends.append(stop)
            length += len(char)
    pieces.append(text[end:])
    made.text = "".join(pieces)
    return made


def _characters(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """What an escape stands for: each character (none for a line end) with its own start and end."""
    start, end = match.span()
    kind = match.lastgroup or ""
    found = match[kind]
    if kind == "percent":
        yield from _bytes(bytes.fromhex(found.replace("%", "")), start)
        return
    yield _character(kind, found), start, end


def _character(kind: str, found: str) -> str:
    if kind == "line":
        return ""
    if kind == "quoted":
        return found
    if kind == "named":
        return _NAMED[found]
    if kind == "pair":
        high, low = int(found[:4], 16), int(found[-4:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    code = int(found, 10 if kind == "number" else 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def _bytes(raw: bytes, start: int) -> Iterator[tuple[str, int, int]]:
    """Read percent-encoded bytes as UTF-8; a byte that is none stands for itself (Latin-1)."""
    place = 0
    while place < len(raw):
        size = 1 if raw[place] < 0xC0 else 2 if raw[place] < 0xE0 else 3 if raw[place] < 0xF0 else 4
        try:
            char = raw[place : place + size].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            char, size = chr(raw[place]), 1
        yield char, start + 3 * place, start + 3 * (place + size)
        place += size
