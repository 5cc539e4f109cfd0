"""Secrets in texts, however they are spelled."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote

from thinkagent.journal.reading import Reading, levels, readings, unescape, without_blanks
from thinkagent.journal.sieve import Sieve
from thinkagent.values import write_json

__all__ = ["Finder", "Found"]

_LEAST = 8
"""Characters of a needle: anything shorter would be found by chance."""
_MANY = 48
"""With more needles than these, their beginnings are looked up at every place of a text instead of each in turn."""
_ONE_ALPHABET = str.maketrans("-_", "+/")
_ONE_CASE = str.maketrans("ABCDEF", "abcdef")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


class Found(NamedTuple):
    """A place where a secret stands."""

    start: int
    end: int
    name: str


class Finder:
    """Finds secrets as they are, or escaped in any way that `reading` undoes, each level of a text by itself.

    Within each level also as Base64 of either alphabet, alone or within a longer text, and as hexadecimal: of the
    secret, of an address that holds it, or of JSON that does. With `+` for a blank, as forms
    have it, or wrapped between words.
    """

    def __init__(self) -> None:
        self._plain = _Needles()
        self._blankless = _Needles()
        self._base64 = _Needles()
        self._hex = _Needles()
        self._sieve = Sieve()

    def add(self, name: str, secret: str) -> None:
        """Look for a secret of at least eight characters from now on."""
        # A text that was read to its end has lost the escapes that the secret itself seems to hold.
        plain = dict.fromkeys((secret, unescape(secret)))
        plain |= dict.fromkeys(text.replace(" ", "+") for text in (*plain,))
        encoded = dict.fromkeys((secret, quote(secret, safe="", errors="replace"), write_json(secret)[1:-1]))
        raw = [text.encode("utf-8", "surrogatepass") for text in encoded]
        hexadecimal = [one.hex() for one in raw]
        cores = [core for one in raw for core in _cores(one)]
        self._plain.add(plain, name)
        if " " in secret:
            self._blankless.add(["".join(text.split()) for text in plain], name)
        self._hex.add(hexadecimal, name)
        self._base64.add(cores, name)
        self._sieve.add(secret, [text for text in (*plain, *hexadecimal, *cores) if len(text) >= _LEAST])

    def find(self, text: str) -> list[Found]:
        """Give every place that holds a secret, in order; places that overlap are one, named after the longest."""
        if not self._plain or len(text) < _LEAST or not self._sieve.may_hold(text):
            return []
        return self.search(text) if any(map(self._is_in, levels(text))) else []

    def search(self, text: str) -> list[Found]:
        """`find` without first asking whether it is worth it."""
        found: list[Found] = []
        for reading in readings(text):
            found += self._in_reading(reading)
        return _merged(found)

    def _is_in(self, text: str) -> bool:
        """Say whether one level of a text holds a secret, without saying where."""
        return (
            self._plain.any_in(text)
            or self._hex.any_in(text.translate(_ONE_CASE) if self._hex else text)
            or self._base64.any_in(text.translate(_ONE_ALPHABET))
            or (bool(self._blankless) and self._blankless.any_in("".join(text.split())))
        )

    def _in_reading(self, reading: Reading) -> Iterator[Found]:
        text = reading.text
        for start, end, name in self._plain.find(text):
            yield Found(*reading.origin(start, end), name)
        for start, end, name in self._hex.find(text.translate(_ONE_CASE) if self._hex else text):
            yield Found(*reading.origin(start, end), name)
        normal = text.translate(_ONE_ALPHABET)
        for start, end, name in self._base64.find(normal):
            yield Found(*reading.origin(*_whole(normal, start, end)), name)
        if self._blankless:
            flat = without_blanks(reading)
            for start, end, name in self._blankless.find(flat.text):
                yield Found(*flat.origin(start, end), name)


class _Needles:
    """Texts to look for, with the name of the secret that each spells."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._by_start: dict[str, set[int]] = {}
        """The beginning of needles to their lengths: many may begin alike."""

    def __bool__(self) -> bool:
        return bool(self._names)

    def add(self, needles: Iterable[str], name: str) -> None:
        for needle in needles:
            if len(needle) >= _LEAST and needle not in self._names:
                self._names[needle] = name
                self._by_start.setdefault(needle[:_LEAST], set()).add(len(needle))

    def find(self, text: str) -> Iterator[Found]:
        search = self._one_by_one if len(self._names) <= _MANY else self._by_beginnings
        for start, needle in search(text):
            yield Found(start, start + len(needle), self._names[needle])

    def any_in(self, text: str) -> bool:
        """Say whether a text holds any of them."""
        return next(self.find(text), None) is not None

    def _one_by_one(self, text: str) -> Iterator[tuple[int, str]]:
        for needle in self._names:
            start = text.find(needle)
            while start >= 0:
                yield start, needle
                start = text.find(needle, start + 1)

    def _by_beginnings(self, text: str) -> Iterator[tuple[int, str]]:
        known = self._by_start
        for start in range(len(text) - _LEAST + 1):
            for length in known.get(text[start : start + _LEAST], ()):
                needle = text[start : start + length]
                if needle in self._names:
                    yield start, needle


def _cores(raw: bytes) -> Iterable[str]:
    """Give what Base64 makes of bytes wherever they stand in longer ones.

    The first and last characters of a run also carry bits of the neighbours; they are left out.
    """
    for shift in range(3):
        core = base64.b64encode(b"\0" * shift + raw).decode()[(0, 2, 3)[shift] :].rstrip("=")
        yield core[:-1] if (shift + len(raw)) % 3 else core


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Add the neighbours that carry some of the secret's bits, and the padding."""
    if start and text[start - 1] in _BASE64:
        start -= 1
    if end < len(text) and text[end] in _BASE64:
        end += 1
    while end < len(text) and text[end] == "=":
        end += 1
    return start, end


def _merged(found: list[Found]) -> list[Found]:
    merged: list[Found] = []
    longest = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        size = one.end - one.start
        if merged and one.start < merged[-1].end:
            last = merged[-1]
            name = one.name if size > longest else last.name
            longest = max(longest, size)
            merged[-1] = Found(last.start, max(last.end, one.end), name)
        else:
            merged.append(one)
            longest = size
    return merged
