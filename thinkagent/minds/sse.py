"""Server-sent events (WHATWG HTML, section 9.2), read from bytes that may be split anywhere."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

__all__ = ["ServerEvent", "SseReader"]

_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")
"""A carriage return at the very end may be the first half of CRLF, so it waits for the next bytes."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One dispatched event; several `data:` lines are joined by newlines."""

    data: str
    event: str = "message"


class SseReader:
    """Turn bytes into events as they come.

    Comments, unknown fields, `id:` and `retry:` are passed over. Bytes that are no UTF-8 become U+FFFD, as the
    standard asks.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._rest: list[str] = []
        self._data: list[str] = []
        self._event = ""

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """Take the next bytes and give the events that they complete, in order."""
        return self._take(self._decoder.decode(chunk))

    def finish(self) -> list[ServerEvent]:
        """Give what the end of the stream completes: an event whose closing blank line never came is one too."""
        text = "".join(self._rest) + self._decoder.decode(b"", final=True)
        self._rest = []
        return self._lines([*re.split(r"\r\n|\n|\r", text), ""])

    def _take(self, text: str) -> list[ServerEvent]:
        if not text:
            return []
        # Joining only when a line ends keeps one endless line linear in its length.
        self._rest.append(text)
        if "\n" not in text and "\r" not in text and not self._rest[0].endswith("\r"):
            return []
        *lines, rest = _LINE_END.split("".join(self._rest))
        self._rest = [rest] if rest else []
        return self._lines(lines)

    def _lines(self, lines: list[str]) -> list[ServerEvent]:
        events = []
        for line in lines:
            if line:
                self._field(line)
            elif self._data:
                events.append(ServerEvent("\n".join(self._data), self._event or "message"))
                self._data, self._event = [], ""
            else:
                self._event = ""
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
