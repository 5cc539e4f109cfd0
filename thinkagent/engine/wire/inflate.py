"""Undo gzip and deflate in slices, so that a bomb costs no more memory than the reader allows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

__all__ = ["IDENTITY", "INFLATED", "Inflater", "coding", "is_undone"]

IDENTITY = "identity"
INFLATED = frozenset({"gzip", "x-gzip", "deflate"})

_SLICE = 64 * 1024
_ANY_HEADER = 47
"""zlib's word for: gzip or zlib, whichever the header says."""
_RAW = -15
_GZIP_MAGIC = b"\x1f\x8b"


def coding(content_encoding: str) -> str:
    """Give the name of a content coding (RFC 9110, section 8.4.1) as it is known here."""
    return content_encoding.strip().lower() or IDENTITY


def is_undone(content_encoding: str) -> bool:
    """Say whether a body under this header is read without its coding; else it is left out."""
    return coding(content_encoding) in {IDENTITY, *INFLATED}


class Inflater:
    """Inflates gzip (several members too), zlib, and the raw deflate that some servers send under its name."""

    def __init__(self) -> None:
        self._engine = zlib.decompressobj(_ANY_HEADER)
        self._head = b""
        self._started = False

    @property
    def complete(self) -> bool:
        """Whether the stream has come to its own end; a cut one never does."""
        return self._engine.eof

    def inflate(self, data: bytes) -> Iterator[bytes]:
        """Give what `data` inflates to, at most 64 KiB at a time; raises `zlib.error` where it is damaged."""
        if not self._started:
            data = self._head + data
            if len(data) < 2:
                self._head = data
                return
        is_full = False
        while data or is_full:
            piece = self._step(data)
            if piece:
                yield piece
            is_full = len(piece) == _SLICE
            data = self._rest()

    def _step(self, data: bytes) -> bytes:
        if self._started:
            return self._engine.decompress(data, _SLICE)
        self._started = True
        try:
            return self._engine.decompress(data, _SLICE)
        except zlib.error:
            self._engine = zlib.decompressobj(_RAW)
            return self._engine.decompress(data, _SLICE)

    def _rest(self) -> bytes:
        if self._engine.eof and self._engine.unused_data.startswith(_GZIP_MAGIC):
            data = self._engine.unused_data
            self._engine = zlib.decompressobj(_ANY_HEADER)
            return data
        return self._engine.unconsumed_tail
