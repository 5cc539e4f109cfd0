"""Every way in which a secret may be spelled in a text."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

from thinkagent.values import write_json

__all__ = ["needles_of", "pattern_of"]

_WRAP = r"(?:\\*(?:\r?\n|\r)[ \t]*|(?:\\+r)?\\+n[ \t]*|(?:%(?:25)*0[dD])?%(?:25)*0[aA])?"
"""A line end in the middle, as mail and PEM wrap it, raw or as JSON or a form spells it."""


def pattern_of(secret: str) -> str:
    """Give the regular expression that finds `secret` however it is spelled.

    As it is, or with any of its characters percent-encoded (once or twice), as a JSON or JavaScript escape, as an
    HTML entity, with `+` for a blank; wrapped over lines; as Base64 of either alphabet, alone or within a longer
    text; as hexadecimal. All of these may also be of an address that holds it, Base64 and hexadecimal of JSON too.
    """
    ways = [_WRAP.join(map(_character, secret)), *_encoded(secret)]
    if "%" in (address := quote(secret, safe="", errors="replace")):
        ways.append(_WRAP.join(_of_address(char) for char in address))
    return "|".join(ways)


def _of_address(char: str) -> str:
    """A character of a percent-encoded secret, which may be spelled once more; hexadecimal of either case."""
    return f"(?:{_character(char)}|{_character(char.lower())})" if char in "ABCDEF" else _character(char)


def _character(char: str) -> str:
    code = ord(char)
    ways = [re.escape(char)]
    raw = char.encode("utf-8", "surrogatepass")
    ways.append("".join(rf"%(?:25)*{_hex(byte, 2)}" for byte in raw))
    units = char.encode("utf-16-be", "surrogatepass")
    ways.append("".join(rf"\\+u{_hex(int.from_bytes(units[i : i + 2]), 4)}" for i in range(0, len(units), 2)))
    ways.append(rf"&#(?:0*{code}|[xX]0*{_hex(code)});")
    if code < 0x100:
        ways.append(rf"\\+x{_hex(code, 2)}")
    if char in _NAMED:
        ways.append(f"&{_NAMED[char]};")
    if char in '"/\\':
        ways.append(rf"\\+{re.escape(char)}")
    if char == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


_NAMED = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}


def _hex(number: int, width: int = 0) -> str:
    return "".join(d if d.isdigit() else f"[{d}{d.upper()}]" for d in f"{number:0{width}x}")


def needles_of(secret: str) -> list[str]:
    """Give the spellings that need no escape character: one of them is in every text that hides the secret without."""
    found = [secret]
    for text in _encoded_texts(secret):
        hexadecimal = text.encode("utf-8", "surrogatepass").hex()
        found += [hexadecimal, hexadecimal.upper()]
        for core, _ in _base64_cores(text):
            found += [core, core.replace("+", "-").replace("/", "_")]
    return found


def _encoded_texts(secret: str) -> dict[str, None]:
    """What is encoded as a whole is a secret, an address that holds it, or JSON that does."""
    return dict.fromkeys((secret, quote(secret, safe="", errors="replace"), write_json(secret)[1:-1]))


def _encoded(secret: str) -> list[str]:
    found = []
    for text in _encoded_texts(secret):
        found.append(_WRAP.join(_hex(byte, 2) for byte in text.encode("utf-8", "surrogatepass")))
        for core, at_start in _base64_cores(text):
            end = "[A-Za-z0-9+/_-]?=*" if at_start else ""
            found.append(_WRAP.join(_either_alphabet(char) for char in core) + end)
    return found


def _base64_cores(secret: str) -> list[tuple[str, bool]]:
    """Give what Base64 makes of the secret wherever it stands in a longer text, and whether at a block's start.

    The first and last characters of a run also carry bits of the neighbours; they are left out.
    """
    raw = secret.encode("utf-8", "surrogatepass")
    found = []
    for shift in range(3):
        core = base64.b64encode(b"\0" * shift + raw).decode()[(0, 2, 3)[shift] :].rstrip("=")
        core = core[:-1] if (shift + len(raw)) % 3 else core
        if len(core) >= 8:
            found.append((core, not shift))
    return found


def _either_alphabet(char: str) -> str:
    """Either alphabet's character; what is not a letter or digit may itself be escaped, as in a URL or by JSON."""
    pair = {"+": "+-", "-": "+-", "/": "/_", "_": "/_"}.get(char)
    return re.escape(char) if pair is None else f"(?:{'|'.join(map(_character, pair))})"
