"""A text that matches a regular expression, for expressions that are simple enough."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["example_of_pattern"]

MAX_LENGTH = 200

_CLASSES = {"d": "0123456789", "w": "abcdefghij", "s": " ", "D": "abcdefghij", "W": "-", "S": "abcdefghij"}
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_PREFERRED = "aA0bBcCdDeEfF123456789_-. /:@xyz"


class _Unknown(Exception):
    """The expression has something that is not generated from."""


class _Atom(NamedTuple):
    text: str
    least: int
    most: int


def example_of_pattern(pattern: str, least: int = 0, variant: int = 0) -> str | None:
    """Give a text that an ECMA-262 expression likely matches, at least `least` characters long where it can be.

    Other `variant`s give other texts, as far as the expression has other alternatives and characters. The caller
    checks it; None for what is not understood (look-around, back-references).
    """
    try:
        atoms = _Reader(pattern, variant).sequence(depth=0)
    except (_Unknown, IndexError, ValueError):
        return None
    missing = least - sum(len(atom.text) * atom.least for atom in atoms)
    parts = []
    for atom in atoms:
        count = atom.least
        if missing > 0 and atom.text and atom.most > atom.least:
            extra = min(atom.most - atom.least, -(-missing // len(atom.text)))
            count, missing = count + extra, missing - extra * len(atom.text)
        parts.append(atom.text * count)
    text = "".join(parts)
    return text if len(text) <= max(MAX_LENGTH, 2 * least) else None


class _Reader:
    """Reads an expression from left to right, choosing one text for each part."""

    def __init__(self, pattern: str, variant: int) -> None:
        self._pattern = pattern
        self._variant = variant
        self._at = 0

    def _peek(self) -> str:
        return self._pattern[self._at] if self._at < len(self._pattern) else ""

    def _take(self) -> str:
        char = self._pattern[self._at]
        self._at += 1
        return char

    def _take_through(self, end: str) -> str:
        stop = self._pattern.index(end, self._at)
        text, self._at = self._pattern[self._at : stop], stop + 1
        return text

    def sequence(self, depth: int) -> list[_Atom]:
        """Read the alternatives up to `)` or the end; give what the chosen one is made of."""
        if depth > 20:
            raise _Unknown
        alternatives: list[list[_Atom]] = [[]]
        while self._peek() not in ("", ")"):
            char = self._peek()
            if char == "|":
                self._take()
                alternatives.append([])
            elif char in "^$":
                self._take()
            else:
                text = self._atom(depth)
                least, most = self._quantifier()
                if len(text) * least > 10_000:
                    raise _Unknown
                alternatives[-1].append(_Atom(text, least, most))
        return alternatives[self._variant % len(alternatives)]

    def _atom(self, depth: int) -> str:
        char = self._take()
        if char == "(":
            return self._group(depth)
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        if char == ".":
            return "abcdefghij"[self._variant % 10]
        if char in "*+?{":
            raise _Unknown
        return char

    def _group(self, depth: int) -> str:
        if self._pattern.startswith("?:", self._at):
            self._at += 2
        elif self._pattern.startswith("?<", self._at) and self._pattern[self._at + 2] not in "=!":
            self._take_through(">")
        elif self._peek() == "?":
            raise _Unknown
        atoms = self.sequence(depth + 1)
        if self._take() != ")":
            raise _Unknown
        return "".join(atom.text * atom.least for atom in atoms)

    def _escape(self) -> str:
        char = self._take()
        if char in _CLASSES:
            choices = _CLASSES[char]
            return choices[self._variant % len(choices)]
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char in "bB":
            return ""
        digits = {"x": 2, "u": 4}.get(char)
        if digits is not None and self._peek() != "{":
            self._at += digits
            return chr(int(self._pattern[self._at - digits : self._at], 16))
        if char.isalnum():
            raise _Unknown
        return char

    def _class(self) -> str:
        """Read a character class after its `[`; give one character of it."""
        negated = self._peek() == "^"
        self._at += negated
        ranges: list[tuple[str, str]] = []
        while self._peek() != "]":
            start = end = self._member()
            if self._peek() == "-" and self._pattern[self._at + 1] != "]" and len(start) == 1:
                self._take()
                end = self._member()
            ranges.append((start, end))
        self._take()
        found = [char for char in _PREFERRED if any(start <= char <= end for start, end in ranges) != negated]
        if not found and not negated:
            found = [start for start, _ in ranges]
        if not found:
            raise _Unknown
        return found[self._variant % len(found)]

    def _member(self) -> str:
        char = self._take()
        if char != "\\":
            return char
        if self._peek() == "b":
            self._take()
            return "\b"
        return self._escape()

    def _quantifier(self) -> tuple[int, int]:
        """Read how often: least, and most (MAX_LENGTH where unbounded)."""
        char = self._peek()
        if char and char in "*+?":
            self._take()
            least, most = {"*": (0, MAX_LENGTH), "+": (1, MAX_LENGTH), "?": (0, 1)}[char]
        elif char == "{":
            self._take()
            low, comma, high = self._take_through("}").partition(",")
            least = int(low)
            most = int(high) if high else max(least, MAX_LENGTH) if comma else least
        else:
            return 1, 1
        if self._peek() == "?":
            self._take()
        return least, most
