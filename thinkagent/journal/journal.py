"""The journal: the only writer of a run's events."""

from __future__ import annotations

import fcntl
import os
import secrets
import string
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from thinkagent.errors import JournalError
from thinkagent.events import Event, Record
from thinkagent.journal.blobs import Blobs, FileBlobs, MemoryBlobs
from thinkagent.journal.line import chain, write_line

__all__ = ["FileJournal", "Journal", "MemoryJournal", "new_run_id"]

_LETTERS = string.digits + string.ascii_lowercase


def new_run_id(now: datetime | None = None) -> str:
    """Make the id of a run: `20261130-231107-k3f9`; ids sort by time, also within a second."""
    moment = now or datetime.now(UTC)
    part = moment.microsecond * len(_LETTERS) ** 2 // 1_000_000
    within = _LETTERS[part // len(_LETTERS)] + _LETTERS[part % len(_LETTERS)]
    return moment.strftime("%Y%m%d-%H%M%S-") + within + "".join(secrets.choice(_LETTERS) for _ in range(2))


class Journal(Protocol):
    """Keeps the events of one run.

    Raises:
        JournalError: an event could not be kept. Nothing may be done on the strength of it.
    """

    path: Path | None

    def append(self, event: Event, *, sync: bool = False) -> Record:
        """Keep an event and give it as a reader will see it; `sync` waits until it is on the disk."""
        ...

    def close(self) -> None: ...


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class MemoryJournal:
    """A journal in memory, for tests and for runs that need no file; `lines` is the log's text."""

    path: Path | None = None

    def __init__(self, *, clock: Callable[[], str] = _utc_now, blobs: Blobs | None = None) -> None:
        self.lines: list[str] = []
        self.records: list[Record] = []
        self.blobs: Blobs = blobs or MemoryBlobs()
        self._clock = clock
        self._prev = ""

    def append(self, event: Event, *, sync: bool = False) -> Record:
        line, record = write_line(event, len(self.lines) + 1, self._clock(), self._prev, self.blobs)
        self.lines.append(line)
        self.records.append(record)
        self._prev = chain(line)
        return record

    def close(self) -> None:
        pass


class FileJournal:
    """A journal as a file: one event a line, each by one write to an append-only descriptor, mode 0600.

    A second writer of the same file is refused. After a write that failed half way the file is cut back to its
    last whole line.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], str] = _utc_now,
        seq: int = 0,
        prev: str = "",
    ) -> None:
        """Open `path`, making it and its folder; `seq` and `prev` continue a log that is there already.

        Raises:
            JournalError: the folder or the file cannot be written, or another process is writing it.
        """
        self.path: Path | None = path
        self._clock = clock
        self._seq = seq
        self._prev = prev
        self._blobs = FileBlobs(path.parent / "blobs")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | (0 if seq else os.O_EXCL) | getattr(os, "O_NOFOLLOW", 0)
            self._file = os.open(path, flags, 0o600)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            if isinstance(error, FileExistsError | NotADirectoryError):
                reason = f"{str(path.parent)!r} is no folder"
            raise JournalError(
                f"the log cannot be written: {reason}",
                code="journal_unwritable",
                where=str(path),
                hint="Pass --log-dir with a folder that you can write",
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise JournalError(
                "another process is writing this log", code="journal_locked", where=str(path), hint="Wait for its end"
            ) from error
        self._size = os.fstat(self._file).st_size

    def append(self, event: Event, *, sync: bool = False) -> Record:
        line, record = write_line(event, self._seq + 1, self._clock(), self._prev, self._blobs)
        if sync:
            self._blobs.sync()
        self._write((line + "\n").encode("utf-8", "surrogatepass"))
        if sync:
            self._fsync()
        self._seq += 1
        self._prev = chain(line)
        return record

    def _write(self, data: bytes) -> None:
        written = 0
        try:
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            if written:
                os.ftruncate(self._file, self._size)
            raise self._unwritable(error) from error
        self._size += len(data)

    def _fsync(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> JournalError:
        return JournalError(
            f"the log cannot be written any more: {error.strerror}",
            code="journal_unwritable",
            where=str(self.path),
            hint="Nothing was done on the strength of the lost event; make room and start again",
        )

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
