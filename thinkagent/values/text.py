"""Texts from outside, made safe to show and short enough to read."""

from __future__ import annotations

import re

__all__ = ["clip", "tokens", "visible"]

# C0 but tab and newline, DEL, C1, zero-width, bidi controls, line separators, BOM, tags, surrogates.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str, *, newlines: bool = True) -> str:
    """Make control, bidi and invisible characters visible, so that foreign text cannot steer a terminal.

    C0 controls become their pictures (U+2400 block), all others `\\u` escapes. Newlines and tabs stay unless
    `newlines` is false; then each becomes a blank.
    """
    if not newlines:
        text = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def clip(text: str, length: int) -> str:
    """Cut a text to at most `length` characters, with `…` where something was left out."""
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…"


def tokens(text: str) -> int:
    """Count tokens as this project does: UTF-8 bytes divided by four, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)
