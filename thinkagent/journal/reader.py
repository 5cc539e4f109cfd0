"""Reading logs: whole, torn, packed, or while they grow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from thinkagent.errors import JournalError, UsageError, list_names
from thinkagent.events import SCHEMA_VERSION, Record, RunStarted, UnknownEvent
from thinkagent.journal.blobs import FileBlobs, MemoryBlobs, MissingBlob
from thinkagent.journal.line import chain, read_line
from thinkagent.values import JsonError, digest, read_json, write_json

__all__ = ["Log", "find_log", "logs_in", "pack_log", "parse_log", "read_log"]

_RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-z]{4}")
_SYNCED = ("reply", "call.answered", "run.ended")
"""Events that are on the disk before anything later happens: before one of these nothing can be torn."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log as read: its records in order, and what is wrong with the file."""

    records: tuple[Record, ...]
    path: Path | None = None
    torn: str = ""
    """Why the end was left out; empty where the file is whole."""
    altered: tuple[int, ...] = ()
    """Events whose predecessor is not the one they were written after."""
    size_bytes: int = 0
    """How much of the file the records fill."""
    last_line: str = ""

    @property
    def run_id(self) -> str:
        first = self.records[0].event if self.records else None
        return first.run_id if isinstance(first, RunStarted) else ""


def read_log(path: Path) -> Log:
    """Read the log file of a run, plain or packed.

    A torn end (a crash, a full disk) is left out and told; a broken line before it is an error.

    Raises:
        JournalError: no such file, no log, or a log of an unknown schema.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(
            f"the log {str(path)!r} cannot be read: {error.strerror}",
            code="no_such_log",
            hint="`thinkagent log` lists the logs there are",
        ) from error
    return parse_log(data, path)


def parse_log(data: bytes, path: Path | None = None) -> Log:
    """Read a log from its bytes; `path` tells where its blobs lie."""
    whole, end, tail = data.rpartition(b"\n")
    lines = whole.split(b"\n") if end else []
    torn = "the last line is not whole" if tail.strip(b"\0") else ""
    packed: dict[str, str] = {}
    beside = FileBlobs(path.parent / "blobs") if path is not None else MemoryBlobs()

    def content(name: str) -> str:
        return packed[name] if name in packed else beside.get(name)

    records: list[Record] = []
    altered: list[int] = []
    size = 0
    prev = last_line = ""
    for number, raw in enumerate(lines):
        try:
            text = raw.decode("utf-8", "surrogatepass")
            if text.startswith('{"type":"blob"'):
                _unpack(text, packed)
                size += len(raw) + 1
                continue
            record = read_line(text, content)
        except (JournalError, UnicodeDecodeError) as error:
            if _only_torn_end(lines[number + 1 :], error):
                torn = f"from line {number + 1} on it was not written whole"
                break
            raise _broken(path, number + 1, error) from error
        if record.prev != prev:
            altered.append(record.seq)
        prev = chain(text)
        last_line = text
        size += len(raw) + 1
        records.append(record)
    _check_schema(records, path)
    return Log(tuple(records), path, torn, tuple(altered), size, last_line)


def _unpack(text: str, packed: dict[str, str]) -> None:
    try:
        line = read_json(text)
        content = line["text"]
        if digest(content) != line["digest"]:
            raise MissingBlob("packed content was changed", code="missing_blob")
        packed[line["digest"]] = content
    except (JsonError, KeyError, TypeError, AttributeError) as error:
        raise JournalError("packed content cannot be read", code="bad_event") from error


def _only_torn_end(rest: list[bytes], error: Exception) -> bool:
    """Say whether a line that cannot be read may be what a crash left: nothing that was synced follows it."""
    if not isinstance(error, MissingBlob) and any(line.strip(b"\0") for line in rest):
        return False
    return not any(f'"type":"{kind}"'.encode() in line for line in rest for kind in _SYNCED)


def _broken(path: Path | None, number: int, error: Exception) -> JournalError:
    reason = error.message if isinstance(error, JournalError) else "not UTF-8"
    return JournalError(
        f"{str(path or 'the log')!r} is no log that can be read: {reason}",
        code="bad_log",
        where=f"line {number}",
        hint=(isinstance(error, JournalError) and error.hint) or "Name a file that `thinkagent run` wrote",
    )


def _check_schema(records: list[Record], path: Path | None) -> None:
    if not records:
        raise JournalError(
            f"{str(path or 'the log')!r} holds no event",
            code="bad_log",
            hint="A log begins with run.started; name a file that `thinkagent run` wrote",
        )
    first = records[0].event
    if not isinstance(first, RunStarted):
        found = first.name if isinstance(first, UnknownEvent) else first.type
        raise JournalError(
            f"{str(path or 'the log')!r} begins with {found!r}, a log begins with 'run.started'", code="bad_log"
        )
    if first.schema != SCHEMA_VERSION:
        raise JournalError(
            f"{str(path or 'the log')!r} has schema {first.schema!r}, this version reads {SCHEMA_VERSION!r}",
            code="unknown_schema",
            hint="Use the version of thinkagent that wrote it (versions in its first line)",
        )


def logs_in(folder: Path) -> list[Path]:
    """Give the logs of a folder, the newest last; files that bear another name than a run's id come first."""
    if not folder.is_dir():
        return []
    found = [path for path in folder.glob("*.jsonl") if path.is_file()]
    return sorted(found, key=lambda path: (_RUN_ID.fullmatch(path.stem) is not None, path.stem))


def find_log(name: str, folder: Path) -> Path:
    """Find a log by path, by `last`, or by the beginning of its run id.

    Raises:
        UsageError: none fits, or several do.
    """
    direct = Path(name)
    if direct.is_file():
        return direct
    known = logs_in(folder)
    if name == "last":
        if known:
            return known[-1]
        raise UsageError(f"there is no log in {str(folder)!r}", code="no_such_log", hint="Pass --log-dir or a path")
    fits = [path for path in known if path.stem.startswith(name)] if name else []
    exact = [path for path in fits if path.stem == name]
    if len(exact or fits) == 1:
        return (exact or fits)[0]
    if fits:
        raise UsageError(
            f"several logs begin with {name!r}: {list_names((p.stem for p in fits[::-1]), 5)}",
            code="ambiguous_log",
            hint="Give more of the id, or `last` for the newest",
        )
    raise UsageError(
        f"no log is called {name!r}; in {str(folder)!r} there are {list_names((p.stem for p in known[::-1]), 5)}",
        code="no_such_log",
        hint="Pass a path, `last`, or the beginning of an id",
    )


def pack_log(path: Path) -> str:
    """Make one text of a log and its blobs, readable anywhere as a log.

    Raises:
        JournalError: the log or a blob cannot be read.
    """
    log = read_log(path)
    blobs = FileBlobs(path.parent / "blobs")
    lines = path.read_bytes()[: log.size_bytes].decode("utf-8", "surrogatepass").split("\n")[:-1]
    already = {read_json(line)["digest"] for line in lines if line.startswith('{"type":"blob"')}
    out = []
    for name in _blob_names(lines):
        if name not in already:
            already.add(name)
            out.append(write_json({"type": "blob", "digest": name, "text": blobs.get(name)}))
    return "\n".join([*out, *lines]) + "\n"


def _blob_names(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if '"$blob"' not in line or line.startswith('{"type":"blob"'):
            continue
        for value in read_json(line).values():
            if isinstance(value, dict) and isinstance(value.get("$blob"), str):
                yield value["$blob"]
