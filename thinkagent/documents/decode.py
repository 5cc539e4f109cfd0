"""Bytes of a document to text: by byte order mark, else UTF-8, else Windows-1252."""

from __future__ import annotations

import codecs
from typing import NamedTuple

__all__ = ["Decoded", "decode"]

# UTF-32 before UTF-16: the mark of UTF-32 LE begins with that of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)


class Decoded(NamedTuple):
    text: str
    """Without byte order mark."""
    encoding: str
    """utf-8, utf-8-sig, utf-16, utf-32 or cp1252."""


def decode(data: bytes) -> Decoded:
    """Decode the bytes of a document.

    Raises:
        ValueError: the bytes are no text in any of these encodings.
    """
    for mark, codec, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(codec), encoding)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise
        return Decoded(data.decode("cp1252"), "cp1252")
