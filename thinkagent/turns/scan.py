"""Find the JSON objects in a reply: bare, in fences, or within prose. Hidden reasoning is taken out first.

The rule, from left to right:

1. A `<think>` block is no part of the reply; nor is anything before a closing tag that nobody opened, nor anything
   after an opening tag that nobody closes. A tag inside a text of a complete object is just text.
2. In prose and in a fence that is marked as JSON or not marked, an object begins at `{` followed by a key. It ends at
   its own bracket; brackets, backticks and fences inside its texts do no harm.
3. In a fence of another language only an object that fills the whole fence is looked at, and only if there is none
   elsewhere.
4. What stands behind the word `Observation:` is not taken: a reply cannot observe.
5. An object that does not end, or whose brackets disagree, reaches to the end of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from thinkagent.turns.problem import Unusable
from thinkagent.turns.reading import TOKEN, read_lenient
from thinkagent.values import Json

__all__ = ["ENVELOPE", "Found", "Stripped", "extent", "find_objects", "strip_reasoning"]

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_START = re.compile(r"\{(?=\s*(?:[\"'“”„‘’}]|//|/\*|#|(?:thought|plan|doing|action|tool|tool_name)\b))")
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+.#-]*)")
_NEXT = re.compile(rf"(?P<start>{_START.pattern})|(?P<fence>{_FENCE.pattern})")
_JSON_FENCE = {"", "json", "jsonc", "json5"}
_PRETENDED = re.compile(r"(?:\bobservation|观察(?:结果)?)[\s*_]*[:：][\s*_]*(?:[`~]{3,}\w*\s*)?$", re.IGNORECASE)
ENVELOPE = re.compile(r"[\"'“”‘’{,\s](?:thought|action|tool|tool_name)[\"'“”‘’]?\s*[:：]")
_SOUND = re.compile(r'\{\s*["}]')
_WINDOW = 400
"""How far the first key of a turn is looked for behind a brace that begins no sound JSON."""
_MAX_SKIPPED = 1_000
_ODD_QUOTE = re.compile(r"\{\s*['“”„‘’]")
_PAIRS = {"}": "{", "]": "["}

State = Literal["ok", "broken", "cut"]


class Extent(NamedTuple):
    state: State
    end: int


@dataclass(frozen=True, slots=True)
class Stripped:
    text: str
    reasoning: str
    unclosed: bool
    """A `<think>` that never ends: what followed it was taken for reasoning."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object in the reply, from `start` to `end`; `problem` says why it could not be read."""

    start: int
    end: int
    value: Json = None
    problem: Unusable | None = None
    notes: tuple[str, ...] = ()
    foreign_fence: bool = False
    pretended: bool = False


def strip_reasoning(text: str) -> Stripped:
    """Take hidden reasoning out of a reply (rule 1)."""
    hidden: list[str] = []
    while (tag := _first_tag(text)) is not None:
        if tag[1]:
            hidden.append(text[: tag.start()])
            text = text[tag.end() :]
            continue
        close = next((other for other in _TAG.finditer(text, tag.end()) if other[1]), None)
        if close is None:
            hidden.append(text[tag.end() :])
            return Stripped(text[: tag.start()], "\n".join(hidden).strip(), True)
        hidden.append(text[tag.end() : close.start()])
        text = text[: tag.start()] + text[close.end() :]
    return Stripped(text, "\n".join(hidden).strip(), False)


def _first_tag(text: str) -> re.Match[str] | None:
    """Give the first tag that is not inside a complete object."""
    tag = _TAG.search(text)
    if tag is None or text.find("{", 0, tag.start()) < 0:
        return tag
    for found in find_objects(text):
        while tag is not None and tag.start() < found.end:
            if tag.start() < found.start or found.problem is not None:
                return tag
            tag = _TAG.search(text, found.end)
        if tag is None:
            return None
    return tag


def find_objects(text: str) -> Iterator[Found]:
    """Find the objects of a reply in order (rules 2 to 4), whatever they hold."""
    position = 0
    fence = ""
    skipped = 0
    while (match := _NEXT.search(text, position)) is not None:
        if match["start"] is None:
            mark, language = match["fence"][:3], match[4].lower()
            position = match.end()
            if fence:
                fence = "" if fence == mark else fence
            elif language in _JSON_FENCE:
                fence = mark
            else:
                position, found = _foreign_fence(text, match)
                if found is not None:
                    yield found
            continue
        start = match.start()
        if (after := _prose_end(text, start)) is not None:
            position = after
            skipped += 1
            if skipped > _MAX_SKIPPED:
                return
            continue
        state, end = extent(text, start)
        found = _read(text, start, end, state)
        position = end
        if found.problem is None or state != "ok" or ENVELOPE.search(text, start, end):
            yield found


def _prose_end(text: str, start: int) -> int | None:
    """Say where to go on after a brace that begins no turn, as in `{'id'}`; None where it may begin one."""
    if _SOUND.match(text, start):
        return None
    state, end = extent(text, start, start + _WINDOW)
    if ENVELOPE.search(text, start, min(end, start + _WINDOW)):
        return None
    return end if state == "ok" else start + 1


def _foreign_fence(text: str, opening: re.Match[str]) -> tuple[int, Found | None]:
    """Read a fence of another language: where it ends, and the object if it holds nothing else (rule 3)."""
    mark = opening[3]
    begin = opening.end()
    while begin < len(text) and text[begin].isspace():
        begin += 1
    if _START.match(text, begin):
        state, end = extent(text, begin)
        found = _read(text, begin, end, state)
        rest = text[end:].lstrip()
        if found.problem is None and (not rest or rest.startswith(mark)):
            after = text.find(mark, end)
            found = Found(begin, end, found.value, None, found.notes, True, found.pretended)
            return (len(text) if after < 0 else after + len(mark)), found
    close = text.find(mark, opening.end())
    return (len(text) if close < 0 else close + len(mark)), None


def extent(text: str, start: int, limit: int | None = None) -> Extent:
    """Say where the object that begins at `start` ends and whether its brackets agree, looking as far as `limit`."""
    stack: list[str] = []
    for match in TOKEN.finditer(text, start, len(text) if limit is None else limit):
        token = match[0]
        if token in ("{", "["):
            stack.append(token)
        elif token in ("}", "]"):
            if stack.pop() != _PAIRS[token]:
                return Extent("broken", len(text))
            if not stack:
                return Extent("ok", match.end())
        elif token == '"':
            break
    return Extent("cut", len(text))


def _read(text: str, start: int, end: int, state: State) -> Found:
    pretended = _PRETENDED.search(text, max(0, start - 60), start) is not None
    piece = text[start:end]
    if state == "cut" and not _ODD_QUOTE.match(piece):
        problem = Unusable("cut", "the reply ends in the middle of its JSON", quote=piece[-120:])
        return Found(start, end, problem=problem, pretended=pretended)
    try:
        value, notes = read_lenient(piece, "the JSON of the turn")
    except Unusable as error:
        return Found(start, end, problem=error, pretended=pretended)
    return Found(start, end, value, None, notes, False, pretended)
