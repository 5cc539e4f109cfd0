"""One event as one line of the log, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thinkagent.errors import JournalError
from thinkagent.events import Event, Record, decode, encode
from thinkagent.journal.blobs import BLOB_BYTES, Blobs
from thinkagent.values import JsonError, digest, read_json, write_json, write_plain

__all__ = ["chain", "read_line", "write_line"]


def write_line(event: Event, seq: int, at: str, prev: str, blobs: Blobs) -> tuple[str, Record]:
    """Write an event as a line (without its newline) and give the record just as a reader will see it.

    Fields longer than `BLOB_BYTES` are put into `blobs` first and named by digest.
    """
    head = {"seq": seq, "at": at}
    written = write_plain({**head, **encode(event, marked=False), "prev": prev})
    if written is not None and not _is_long(written):
        return written, decode(read_json(written), marked=False)
    fields = encode(event)
    line: dict[str, Any] = {**head, "type": fields.pop("type")}
    whole: dict[str, Any] = {}
    for name, value in fields.items():
        text = value if type(value) is str else write_json(value) if isinstance(value, dict | list) else ""
        if _is_long(text):
            kind = {} if type(value) is str else {"json": True}
            whole[name] = {"$blob": blobs.put(text), **kind}
            fields[name] = value if type(value) is str else read_json(text)
    written = write_json({**line, **fields, **whole, "prev": prev})
    if not whole:
        return written, decode(read_json(written))
    short = read_json(written)
    return written, decode({**short, **{name: fields[name] for name in whole}})


def _is_long(text: str) -> bool:
    return len(text) * 4 > BLOB_BYTES and len(text.encode("utf-8", "surrogatepass")) > BLOB_BYTES


def read_line(text: str, blobs: Callable[[str], str]) -> Record:
    """Read a line of the log; `blobs` gives content by digest.

    Raises:
        JournalError: it is no event. MissingBlob: it names content that is not there.
    """
    try:
        line = read_json(text)
    except JsonError as error:
        raise JournalError(f"a line of the log is no JSON: {error}", code="bad_event") from error
    if not isinstance(line, dict):
        raise JournalError("a line of the log is no JSON object", code="bad_event")
    marked = '"$' in text
    return decode({name: _content(value, blobs) for name, value in line.items()} if marked else line, marked=marked)


def _content(value: Any, blobs: Callable[[str], str]) -> Any:
    if isinstance(value, Mapping) and "$blob" in value and isinstance(value["$blob"], str):
        text = blobs(value["$blob"])
        return read_json(text) if value.get("json") else text
    return value


def chain(line: str) -> str:
    """Give what the next event's `prev` says of this line: the first 32 digits of its SHA-256."""
    return digest(line)[7:39]
