"""The essays' form of a turn: a thought under a heading, then an action under another.

**Thought Process:** I do not know the id yet, so I look it up.
**Next Action:** {"tool_name": "listThings", "arguments": {"name": "x"}}
"""

from __future__ import annotations

import re

__all__ = ["ACTION_HEADING", "LONGEST_HEADING", "THOUGHT_HEADING", "thought_before"]

LONGEST_HEADING = 40
"""No heading is longer, marks and blanks included."""

_THOUGHT = r"thought(?:[ \t]process)?s?|thinking|reasoning|思考(?:过程)?|想法"
_ACTION = r"(?:next[ \t])?action|next[ \t]step|(?:下一步)?行动|下一步(?:操作)?|动作"


def _heading(words: str) -> re.Pattern[str]:
    """A heading begins a line, or is bold anywhere; it ends with a colon inside or outside the bold marks."""
    line = rf"(?:^|\n)[ \t]{{0,3}}(?:#{{1,6}}[ \t]{{0,3}})?(?:{words})[ \t]{{0,3}}[:：]"
    title = rf"(?:^|\n)[ \t]{{0,3}}#{{1,6}}[ \t]{{0,3}}(?:{words})[ \t]{{0,3}}(?=\n)"
    marks = r"(?:\*\*|__)"
    inside = rf"[:：][ \t]?{marks}"
    outside = rf"{marks}[ \t]?(?:[:：]|(?=\n))"
    bold = rf"(?:#{{1,6}}[ \t]{{0,3}})?{marks}[ \t]?(?:{words})[ \t]?(?:{inside}|{outside})"
    return re.compile(f"{bold}|{line}|{title}", re.IGNORECASE)


THOUGHT_HEADING = _heading(_THOUGHT)
ACTION_HEADING = _heading(_ACTION)

_OPEN_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*\w*\s*$")


def thought_before(text: str, end: int) -> str:
    """Give the thought under a heading before `end`, where the object begins; empty where there is no heading."""
    begin = THOUGHT_HEADING.search(text, 0, end)
    if begin is None:
        return ""
    thought = text[begin.end() : end]
    action = ACTION_HEADING.search(thought)
    if action is not None:
        thought = thought[: action.start()]
    return _OPEN_FENCE.sub("", thought).strip()
