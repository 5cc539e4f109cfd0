"""Long content beside the log, by digest, shared between runs."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from thinkagent.errors import JournalError
from thinkagent.values import digest

__all__ = ["BLOB_BYTES", "Blobs", "FileBlobs", "MemoryBlobs", "MissingBlob"]

BLOB_BYTES = 32_768
"""Content longer than this goes by digest."""

_NAME = re.compile(r"sha256:([0-9a-f]{64})")


class MissingBlob(JournalError):
    """A log names content that is not there."""


class Blobs(Protocol):
    def put(self, text: str) -> str:
        """Keep a text; give its digest."""
        ...

    def get(self, name: str) -> str:
        """Give the text of a digest; raises `MissingBlob`."""
        ...

    def sync(self) -> None:
        """Bring what was put since the last call to the disk."""
        ...


class MemoryBlobs:
    """Blobs in memory: of a packed log, and of runs that keep none."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._texts = dict(texts or {})

    def put(self, text: str) -> str:
        name = digest(text)
        self._texts[name] = text
        return name

    def get(self, name: str) -> str:
        try:
            return self._texts[name]
        except KeyError:
            raise MissingBlob(f"the log names content {name[:19]}… that is not there", code="missing_blob") from None

    def sync(self) -> None:
        pass


class FileBlobs:
    """Blobs as files of a folder, each written whole under a temporary name first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unsynced: list[Path] = []

    def put(self, text: str) -> str:
        name = digest(text)
        path = self._path(name)
        if path.exists():
            return name
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
            os.replace(temporary, path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise JournalError(
                f"content of the log cannot be written: {error.strerror}", code="journal_unwritable", where=str(path)
            ) from error
        self._unsynced.append(path)
        return name

    def get(self, name: str) -> str:
        try:
            text = self._path(name).read_bytes().decode("utf-8", "surrogatepass")
        except (OSError, UnicodeDecodeError) as error:
            raise MissingBlob(
                f"the log names content {name[:19]}… that is not in {str(self._folder)!r}",
                code="missing_blob",
                hint="Copy the blobs folder with the log, or make one file of both: thinkagent log pack",
            ) from error
        if digest(text) != name:
            raise MissingBlob(f"content {name[:19]}… was changed after it was written", code="missing_blob")
        return text

    def sync(self) -> None:
        if not self._unsynced:
            return
        for path in self._unsynced:
            _fsync(path)
        self._unsynced.clear()
        _fsync(self._folder)

    def _path(self, name: str) -> Path:
        match = _NAME.fullmatch(name)
        if match is None:
            raise MissingBlob(f"{name!r} is no digest", code="missing_blob")
        return self._folder / match[1]


def _fsync(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise JournalError(
            f"the log cannot be brought to the disk: {error.strerror}", code="journal_unwritable", where=str(path)
        ) from error
