"""Show a thought while the reply streams, and nothing else of the reply."""

from __future__ import annotations

import re
from collections.abc import Callable

from thinkagent.turns.headings import ACTION_HEADING, LONGEST_HEADING, THOUGHT_HEADING

__all__ = ["ThoughtStream"]

_OPEN_TAG = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_CLOSE_TAG = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_OBJECT = re.compile(r"\{(?=\s*[\"}])")
_THOUGHT_ENDS = re.compile(rf"{ACTION_HEADING.pattern}|\n?(?:`{{3}}|~{{3}})|\n?\{{(?=\s*[\"'“}}])", re.IGNORECASE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_TEXT = re.compile(r'(?:[^"\\]|\\.)+', re.DOTALL)
_PLAIN = re.compile(r'[^"\\]+')
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", '"': '"', "\\": "\\", "<": "\\<"}


class ThoughtStream:
    """Decode the thought of a reply from the pieces of its raw text, wherever they are cut.

        >>> stream = ThoughtStream()
        >>> [stream.feed(piece) for piece in ('{"thou', 'ght": "I l', 'ook', ' it up.", "action": {}}')]
        ['', 'I l', 'ook', ' it up.']

    Gives the first `thought` of an object's own keys, or the text under a thought heading; a `<think>` block before
    it is not shown. What `feed` returns is text of the model: the terminal makes it visible and safe.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._state: Callable[[bool], str | None] = self._seek
        self._depth = 0
        self._key_next = False
        self._high = ""
        self._held = ""
        self._started = False
        self._context = 0

    def feed(self, delta: str) -> str:
        """Take the next piece of raw text; give the characters of the thought that it completes."""
        self._buffer += delta
        return self._run(False)

    def close(self) -> str:
        """Say that no more will come; give what was held back."""
        return self._run(True)

    @property
    def done(self) -> bool:
        """Whether the thought is over: nothing more will be given."""
        return self._state == self._finished

    def _run(self, last: bool) -> str:
        shown: list[str] = []
        while (piece := self._state(last)) is not None:
            shown.append(piece)
        return "".join(shown)

    # Each state consumes what it can of the buffer and gives a text to show, or None when it needs more.

    def _seek(self, last: bool) -> str | None:
        found = min(
            (match for match in (_OPEN_TAG.search(self._buffer), _OBJECT.search(self._buffer)) if match),
            key=lambda match: match.start(),
            default=None,
        )
        heading = THOUGHT_HEADING.search(self._buffer)
        if heading is not None and (found is None or heading.start() < found.start()):
            self._buffer = self._buffer[heading.end() :]
            self._state = self._headed
            return ""
        if found is None:
            # A tag, a heading or a brace with its key may still be incomplete.
            if self._buffer.rstrip()[-1:] != "{" and len(self._buffer) > LONGEST_HEADING:
                # The mark keeps `^` from matching where the text was cut.
                self._buffer = "\0" + self._buffer[-LONGEST_HEADING:]
            return None
        self._buffer = self._buffer[found.end() :]
        if found[0] == "{":
            self._depth, self._key_next = 1, True
            self._state = self._in_object
        else:
            self._state = self._in_reasoning
        return ""

    def _in_reasoning(self, last: bool) -> str | None:
        close = _CLOSE_TAG.search(self._buffer)
        if close is None:
            self._buffer = self._buffer[-LONGEST_HEADING:]
            return None
        self._buffer = self._buffer[close.end() :]
        self._state = self._seek
        return ""

    def _in_object(self, last: bool) -> str | None:
        match = re.search(r'["{}\[\],]', self._buffer)
        if match is None:
            self._buffer = ""
            return None
        if match[0] == '"':
            return self._key_or_text(match.start())
        self._buffer = self._buffer[match.end() :]
        self._depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        self._key_next = match[0] == "," and self._depth == 1
        if self._depth == 0:
            self._state = self._seek
        return ""

    def _key_or_text(self, start: int) -> str | None:
        string = _STRING.match(self._buffer, start)
        may_be_key = self._depth == 1 and self._key_next
        if string is None and may_be_key and len(self._buffer) - start <= LONGEST_HEADING:
            return None
        self._key_next = False
        if string is None:
            self._buffer = self._buffer[start + 1 :]
            self._state = self._in_text
            return ""
        self._buffer = self._buffer[string.end() :]
        if may_be_key and string[1] == "thought":
            self._state = self._before_value
        return ""

    def _in_text(self, last: bool) -> str | None:
        passed = _TEXT.match(self._buffer)
        self._buffer = self._buffer[passed.end() :] if passed else self._buffer
        if self._buffer[:1] != '"':
            return None
        self._buffer = self._buffer[1:]
        self._state = self._in_object
        return ""

    def _before_value(self, last: bool) -> str | None:
        rest = self._buffer.lstrip().removeprefix(":").lstrip()
        if not rest:
            return None
        if rest[0] == '"':
            self._buffer = rest[1:]
            self._state = self._in_thought
        else:
            self._state = self._in_object
        return ""

    def _in_thought(self, last: bool) -> str | None:
        plain = _PLAIN.match(self._buffer)
        if plain is not None:
            self._buffer = self._buffer[plain.end() :]
            return self._release() + plain[0]
        if not self._buffer:
            return self._release() or None if last else None
        if self._buffer[0] == '"':
            self._state = self._finished
            return self._release()
        return self._escape(last)

    def _escape(self, last: bool) -> str | None:
        kind = self._buffer[1:2]
        if kind == "" or (kind == "u" and len(self._buffer) < 6):
            return None
        if kind != "u":
            self._buffer = self._buffer[2:]
            return self._release() + _SHORT.get(kind, kind)
        digits = _HEX.match(self._buffer, 2)
        self._buffer = self._buffer[6:] if digits else self._buffer[2:]
        if digits is None:
            return self._release()
        unit = chr(int(digits[0], 16))
        if "\ud800" <= unit <= "\udbff":
            before = self._release()
            self._high = unit
            return before
        if self._high and "\udc00" <= unit <= "\udfff":
            pair, self._high = self._high + unit, ""
            return pair.encode("utf-16", "surrogatepass").decode("utf-16")
        return self._release() + unit

    def _release(self) -> str:
        """Give a high surrogate that found no partner."""
        lone, self._high = self._high, ""
        return lone

    def _headed(self, last: bool) -> str | None:
        begin = self._context
        end = _THOUGHT_ENDS.search(self._buffer, begin)
        if end is not None or last:
            ready = self._buffer[begin : end.start() if end else None]
            self._state = self._finished
            return self._without_edges(ready)
        # The last characters may be the beginning of the end; one more stays as context for `^`.
        cut = len(self._buffer) - LONGEST_HEADING - 8
        if cut <= begin:
            return None
        ready = self._buffer[begin:cut]
        self._buffer = self._buffer[cut - 1 :]
        self._context = 1
        return self._without_edges(ready)

    def _without_edges(self, text: str) -> str:
        """Hold blanks back until text follows them, and drop those at the beginning."""
        text = self._held + text
        stripped = text.rstrip()
        if not stripped:
            self._held = text if self._started else ""
            return ""
        self._held = text[len(stripped) :]
        shown = stripped if self._started else stripped.lstrip()
        self._started = True
        return shown

    def _finished(self, last: bool) -> str | None:
        self._buffer = ""
        return None
