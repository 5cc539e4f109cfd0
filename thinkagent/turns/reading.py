"""Read the JSON that minds write: exact, with two leniencies that cannot change a meaning.

- `\\<` inside a text stands for the two characters `\\` and `<`: minds write `"\\<<"` where JSON wants `"\\\\<<"`.
- A comma after the last element is left out.

All else that is no JSON (single or typographic quotes, comments, Python's words, a key that comes twice) is refused
with what is wrong and where, because it could be read in more than one way.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from thinkagent.turns.problem import Unusable
from thinkagent.values import Json, JsonError, read_json

__all__ = ["TOKEN", "ReadObject", "read_lenient"]

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\],]', re.DOTALL)
"""Strings as a whole, an unclosed quote alone, and the characters that build structure."""

_SPACE = " \t\r\n"
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_GUESSES = (
    (re.compile(r"[{,\[]\s*'|'\s*:"), "texts stand in single quotes, JSON wants double quotes"),
    (re.compile(r"[{,\[:]\s*[“”„‘’]|[“”]\s*[:,}]"), 'texts stand in typographic quotes, JSON wants plain ones (")'),
    (re.compile(r"(?:^|[{,\[\s])//|/\*|[,{\[]\s*#"), "it holds a comment, JSON has none"),
    (re.compile(r"[\[:,]\s*(?:None|True|False)\b"), "it holds None, True or False, JSON writes null, true and false"),
    (re.compile(r"[\[:,]\s*-?(?:NaN|Infinity)\b"), "it holds NaN or Infinity, which are no JSON numbers"),
    (re.compile(r"[{,]\s*[A-Za-z_]\w*\s*:"), "a key stands without quotes"),
)


class ReadObject(NamedTuple):
    value: Json
    notes: tuple[str, ...]


def read_lenient(text: str, what: str = "the JSON") -> ReadObject:
    """Read one JSON value as a mind wrote it.

    Raises:
        Unusable: kind `bad_json`, or `two_actions` where one object has the key `action` twice.
    """
    duplicates: list[str] = []
    notes: list[str] = []
    try:
        value = read_json(text, on_duplicate=duplicates.append)
    except JsonError as first:
        mended = _mend(text, notes)
        try:
            if mended == text:
                raise first
            duplicates.clear()
            value = read_json(mended, on_duplicate=duplicates.append)
        except JsonError as error:
            raise _bad_json(text, what, first if mended == text else error) from error
    if "action" in duplicates:
        raise Unusable("two_actions", f"{what} has the key 'action' twice", quote=text)
    if duplicates:
        raise Unusable("bad_json", f"{what} has the key {duplicates[0]!r} twice in one object", quote=text)
    return ReadObject(value, tuple(notes))


def _mend(text: str, notes: list[str]) -> str:
    escaped = _ESCAPE.sub(lambda match: r"\\<" if match[1] == "<" else match[0], text)
    if escaped != text:
        notes.append(r"\< in a text was taken for a backslash and <")
    plain = _without_trailing_commas(escaped)
    if plain != escaped:
        notes.append("a comma after the last element was left out")
    return plain


def _without_trailing_commas(text: str) -> str:
    """Leave out each comma that stands between an element and the bracket that ends its list or object."""
    drop: list[int] = []
    comma = -1
    for match in TOKEN.finditer(text):
        token = match[0]
        if token in ("]", "}") and comma >= 0 and not text[comma + 1 : match.start()].strip(_SPACE):
            last = comma - 1
            while last > 0 and text[last] in _SPACE:
                last -= 1
            if last >= 0 and text[last] not in "[{,:":
                drop.append(comma)
        comma = match.start() if token == "," else -1
    if not drop:
        return text
    parts = [text[start + 1 : end] for start, end in zip([-1, *drop], [*drop, len(text)], strict=True)]
    return "".join(parts)


def _bad_json(text: str, what: str, error: JsonError) -> Unusable:
    outside = TOKEN.sub(lambda match: '""' if len(match[0]) > 1 else match[0], text)
    guess = next((said for pattern, said in _GUESSES if pattern.search(outside)), "")
    if not guess and "control character" in str(error):
        guess = r"a line break or control character stands inside a text, JSON writes \n"
    elif not guess and "Invalid" in str(error) and "escape" in str(error):
        guess = r"a text holds a backslash that escapes nothing; a backslash itself is written \\"
    place = f" at line {error.line}, column {error.column}" if error.line else ""
    message = f"{what} cannot be read: {guess or error}{place}"
    return Unusable("bad_json", message, quote=_around(text, error))


def _around(text: str, error: JsonError) -> str:
    """Cut out the text near the fault."""
    if not error.line:
        return text
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
    return text[max(0, offset - 60) : offset + 60]
