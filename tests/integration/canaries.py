"""Secrets to look for, every way to spell one, and a search that undoes the spellings again."""

from __future__ import annotations

import base64
import html
import json
import re
import textwrap
import urllib.parse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["SPELLINGS", "found_in", "traces_of"]


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": _quoted,
    "percent_lower": lambda text: re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), _quoted(text)),
    "percent_all": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "percent_twice": lambda text: _quoted(_quoted(text)),
    "form": urllib.parse.quote_plus,
    "base64": _base64,
    "base64_url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64_inside": lambda text: _base64(f"user:{text}@x"),
    "base64_percent": lambda text: _quoted(_base64(text)),
    "base64_wrapped": lambda text: "\n".join(textwrap.wrap(_base64(f"a long beginning, then {text}"), 20)),
    "hex": lambda text: text.encode().hex(),
    "hex_upper": lambda text: text.encode().hex().upper(),
    "json": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "json_in_json": lambda text: json.dumps(json.dumps(text)),
    "javascript": lambda text: "".join(f"\\x{ord(char):02x}" for char in text),
    "html": html.escape,
    "html_numbers": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "html_hex": lambda text: "".join(f"&#x{ord(char):X};" for char in text),
    "wrapped": lambda text: "\n".join(textwrap.wrap(text, 5, drop_whitespace=False)),
}
"""By name; each gives a text out of which a reader, a browser or a program gets the secret back."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{10,}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_LINE_ENDS = re.compile(r"(?:\\r|\\n|[\r\n])+[ \t]*")


def _unescaped(text: str) -> str:
    text = re.sub(r"\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))", lambda match: chr(int(match[1] or match[2], 16)), text)
    return re.sub(r"\\+([\"/\\'])", r"\1", text)


_UNDO: tuple[Callable[[str], str], ...] = (
    urllib.parse.unquote,
    urllib.parse.unquote_plus,
    html.unescape,
    _unescaped,
    lambda text: _LINE_ENDS.sub("", text),
)


def _readings(text: str) -> set[str]:
    """The text and what three rounds of undoing make of it."""
    known, new = {text}, {text}
    for _ in range(3):
        new = {undo(one) for one in new for undo in _UNDO} - known
        known |= new
    return known


def _encoded(text: str) -> Iterator[bytes]:
    for match in _HEX.finditer(text):
        yield bytes.fromhex(match[0])
    for match in _BASE64.finditer(text):
        run = match[0].replace("-", "+").replace("_", "/")
        for skipped in range(4):
            part = run[skipped:]
            part = part[:-1] if len(part) % 4 == 1 else part
            yield base64.b64decode(part + "=" * (-len(part) % 4))


def found_in(text: str, secrets: Iterable[str]) -> set[str]:
    """Give those of the secrets that stand in a text, in whatever spelling."""
    secrets = set(secrets)
    found: set[str] = set()
    for reading in _readings(text):
        found |= {secret for secret in secrets if secret in reading}
    for flat in {text, _LINE_ENDS.sub("", text), urllib.parse.unquote(text)}:
        for raw in _encoded(flat):
            found |= {secret for secret in secrets if secret.encode() in raw}
    return found


def traces_of(result: Any, pages: Iterable[Any], log_dir: Path, *more: str) -> dict[str, str]:
    """Give every text that a run left behind or showed: log, blobs, packed log, prompts, result, and `more`."""
    from thinkagent.journal.reader import pack_log
    from thinkagent.turns import render_messages

    traces = {str(path.relative_to(log_dir)): path.read_text() for path in log_dir.rglob("*") if path.is_file()}
    assert any(name.endswith(".jsonl") for name in traces)
    traces["packed"] = pack_log(result.log)
    for number, page in enumerate(pages):
        traces[f"page {number}"] = "\n".join(str(message) for message in render_messages(page))
    traces["result"] = f"{result.as_dict()} {result!r}"
    return traces | {f"text {number}": text for number, text in enumerate(more)}
