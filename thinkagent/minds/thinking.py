"""Hidden thinking that a model writes into its text: told apart from what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ThinkingSplitter", "split_thinking"]

_TAGS = ("think", "thinking")
_OPEN = re.compile(r"\s*<(?:think|thinking)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_MARK = re.compile(r'\\.|["{}]|</(?:think|thinking)>', re.IGNORECASE | re.DOTALL)
_LONGEST_CLOSE = max(len(f"</{tag}>") for tag in _TAGS)


def split_thinking(text: str) -> tuple[str, str | None]:
    """Split a model's text into what it says and the thinking before it (None where there was none).

    Thinking is a `<think>` block at the beginning, also one that is never closed (then nothing is said) or that only
    has its closing tag. A tag inside a string of a JSON object is text.
    """
    thoughts: list[str] = []
    start = 0
    while opened := _OPEN.match(text, start):
        closed = _CLOSE.search(text, opened.end())
        thoughts.append(text[opened.end() : closed.start() if closed else len(text)])
        start = closed.end() if closed else len(text)
    for closed in _unquoted_closes(text, start):
        thoughts.append(text[start : closed.start()])
        start = closed.end()
    if not thoughts:
        return text, None
    reasoning = "\n".join(part for thought in thoughts if (part := thought.strip()))
    return text[start:].lstrip(), reasoning or None


def _unquoted_closes(text: str, start: int) -> Iterator[re.Match[str]]:
    """Find the closing tags outside the strings of JSON objects, in one pass; quotes in prose open no string."""
    if not _CLOSE.search(text, start):
        return
    depth, quoted = 0, False
    for mark in _MARK.finditer(text, start):
        sign = mark[0]
        if sign == '"':
            quoted = depth > 0 and not quoted
        elif quoted or sign.startswith("\\"):
            continue
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        else:
            depth = 0
            yield mark


class ThinkingSplitter:
    """Split a text while it streams: a leading `<think>` block is reasoning, all else is text.

    A block that only has its closing tag cannot be known before the tag comes; `split_thinking` of the whole text is
    what counts in the end.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "undecided"

    def feed(self, piece: str) -> tuple[str, str]:
        """Take the next piece and give what can be shown of it: (text, reasoning)."""
        self._held += piece
        if self._state == "undecided":
            self._held = self._held.lstrip()
            self._decide()
        if self._state == "thinking":
            return self._think()
        if self._state == "text":
            shown, self._held = self._held, ""
            return shown, ""
        return "", ""

    def finish(self) -> tuple[str, str]:
        """Give what was held back for a tag that never came."""
        shown, self._held = self._held, ""
        return ("", shown) if self._state == "thinking" else (shown, "")

    def _decide(self) -> None:
        if opened := _OPEN.match(self._held):
            self._held = self._held[opened.end() :]
            self._state = "thinking"
        elif not any(f"<{tag}>".startswith(self._held.lower()) for tag in _TAGS):
            self._state = "text"

    def _think(self) -> tuple[str, str]:
        if closed := _CLOSE.search(self._held):
            reasoning, rest = self._held[: closed.start()], self._held[closed.end() :]
            self._held, self._state = "", "undecided"
            text, more = self.feed(rest)
            return text, reasoning + more
        # A "<" near the end may begin the closing tag.
        cut = self._held.rfind("<", max(0, len(self._held) - _LONGEST_CLOSE + 1))
        cut = len(self._held) if cut < 0 else cut
        reasoning, self._held = self._held[:cut], self._held[cut:]
        return "", reasoning
