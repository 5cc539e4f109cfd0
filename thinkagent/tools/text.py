"""Descriptions in Markdown or HTML as plain text."""

from __future__ import annotations

import html
import re
from functools import lru_cache

from thinkagent.values import clip, visible

__all__ = ["first_sentence", "plain_text"]

MAX_SOURCE = 20_000
"""Characters of a description that are looked at."""

_COMMENT = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b[^>]*>.*?(?:</\1\s*>|$)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|hr|/?(?:p|div|li|ul|ol|tr|table|h[1-6]|pre|blockquote))\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|"
    r"mark|ol|p|pre|q|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|"
    r"var|iframe|video|audio|source|input|button|form|svg|path|nav|article|header|footer|figure|figcaption|label)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)|!?\[([^\[\]]+)\]\[[^\[\]]*\]")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-=]{3,}[ \t]*$)", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[*+-][ \t]+", re.MULTILINE)
_STRONG = re.compile(r"(?<!\w)(\*\*\*|\*\*|__)(?=\S)([^\n]{1,2000}?)(?<=\S)\1(?!\w)")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_LINES = re.compile(r"\s*\n\s*")
_SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?](?=\s+\S)|[。！？]")


@lru_cache(maxsize=20_000)
def plain_text(text: str, length: int) -> str:
    """Give a description as one line of plain text of at most `length` characters.

    Tags and tables go, links become their text, entities their characters; what would steer a terminal is made visible.
    """
    text = text[:MAX_SOURCE]
    if "<" in text:
        text = _AUTOLINK.sub(r"\1", text)
        text = _COMMENT.sub(" ", text)
        text = _TAG.sub("", _BREAK.sub("\n", text))
    if "[" in text:
        text = _LINK.sub(lambda match: match[1] if match[1] is not None else match[2], text)
    text = _BULLET.sub("- ", _HEADING.sub("", _TABLE_ROW.sub("", _FENCE.sub("", text))))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", _CODE.sub(r"\2", text)))
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    if "&" in text:
        text = html.unescape(text)
    lines = [line for line in _LINES.split(_BLANKS.sub(" ", text).strip()) if line]
    return clip(visible(" ".join(lines), newlines=False), length)


def first_sentence(text: str, length: int) -> str:
    """Give the first sentence of a description as plain text of at most `length` characters."""
    plain = plain_text(text, 4 * length)
    end = _SENTENCE_END.search(plain)
    return clip(plain[: end.end()] if end else plain, length)
