"""Tells fast which texts cannot hold a secret: the search for every spelling is slow, and most texts hold none."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["Sieve"]

_LOWER = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))
_DROPPED = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_ESCAPES = (b"%", b"\\u", b"\\x", b"&#", b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;", b"&nbsp;")
"""Spellings of one character by others; what they stand for is not looked for here."""
_LINE_END = re.compile(rb"(?<!\\)\\+[nrt]")  # from the first backslash of a run only: else a long run costs its square
_LEAST = 4
_MANY = 300


class Sieve:
    """Compares letters and digits alone, in one case.

    Line ends, blanks, the marks of either Base64 alphabet, quoting backslashes and the case of hexadecimal digits
    thereby make no difference. A text with any other escape is let through, and so is every text as soon as a
    secret is too odd to be compared in this way.
    """

    def __init__(self) -> None:
        self._cores = _Cores()
        self._inner = _Cores()
        self._lets_all_through = False

    def add(self, secret: str, needles: Iterable[str]) -> None:
        """Look for a secret; `needles` are its spellings without escapes."""
        cores = {_core(_raw(needle)) for needle in needles}
        odd = any(char == "\\" or char < " " for char in secret)
        if odd or any(len(core) < _LEAST + 1 for core in cores):
            self._lets_all_through = True
        for core in cores:
            self._cores.add(core)
            # Without its escaped line ends a text may lack the secret's first letter: a backslash stood before it.
            self._inner.add(core[1:] if core[:1] in (b"n", b"r", b"t") else core)

    def may_hold(self, text: str) -> bool:
        """Say whether the text must be searched; False is certain."""
        if not self._cores:
            return False
        if self._lets_all_through:
            return True
        raw = _raw(text)
        if any(escape in raw for escape in _ESCAPES):
            return True
        if self._cores.any_in(_core(raw)):
            return True
        return b"\\" in raw and self._inner.any_in(_core(_LINE_END.sub(b"", raw)))


class _Cores:
    """Texts to look for; with many of them their beginnings are looked up at every place."""

    def __init__(self) -> None:
        self._cores: set[bytes] = set()
        self._by_start: dict[bytes, set[int]] = {}
        """The beginning of cores to their lengths: many may begin alike."""

    def __bool__(self) -> bool:
        return bool(self._cores)

    def add(self, core: bytes) -> None:
        self._cores.add(core)
        self._by_start.setdefault(core[:_LEAST], set()).add(len(core))

    def any_in(self, text: bytes) -> bool:
        if len(self._cores) <= _MANY:
            return any(core in text for core in self._cores)
        known = self._by_start
        return any(
            text[start : start + length] in self._cores
            for start in range(len(text) - _LEAST + 1)
            for length in known.get(text[start : start + _LEAST], ())
        )


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _core(raw: bytes) -> bytes:
    return raw.translate(_LOWER, _DROPPED)
