"""The body of an answer: bytes to text when it comes, text to a value whenever its event is read.

`receive` runs once, where the bytes are; what it gives stands in the event, with secrets replaced by name. `decode`
is a pure function of the event's fields, so that a run, its resumption and its replay see the same value.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from thinkagent.engine.scope import MISSING, Missing
from thinkagent.engine.wire.holes import Holes, Text
from thinkagent.engine.wire.media import charset_of, essence, header, is_json, is_json_lines, is_text, is_wildcard
from thinkagent.values import Json, JsonError, digest, join_text, read_json, text_parts, visible

__all__ = ["Decoded", "Received", "decode", "parse_body", "receive"]

Kind = Literal["json", "text", "binary", "empty"]
Headers = Iterable[tuple[str, object]]

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_DIGIT = r"[-+.0-9eE]"
_NO_TEXT = re.compile("[\udc80-\udcff]+")
MAX_REMEMBERED = 1_000_000
"""Longer bodies are read again where they are wanted again."""
MAX_NOTED = 5
"""How many duplicate keys are named."""


@dataclass(frozen=True, slots=True)
class Received:
    """A body as its event holds it."""

    text: str | None
    """None where no byte came. A byte that is no text in its charset stands as a lone surrogate (PEP 383), so that
    nothing is lost and a replay reads the same."""
    encoding: Literal["text", "base64"] = "text"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decoded:
    """What an answer says."""

    value: Json | Missing
    """The JSON value; the text; for binary `{"type", "size", "digest"}`, without the
    size where a secret was cut out; MISSING where there is no body."""
    kind: Kind
    media_type: str = ""
    """In lower case, without parameters; empty where the answer names none."""
    notes: tuple[str, ...] = ()
    """What a reader should know: `not valid JSON: …`, `the key 'id' comes twice; the last one counts`."""


def receive(headers: Headers, body: bytes) -> Received:
    """Turn the bytes of a body into text; what is no text becomes base64.

    A byte-order mark decides the charset; JSON is UTF-8 where it can be (RFC 8259), else what `charset` says; other
    text is what `charset` says, else UTF-8.
    """
    if not body.strip():
        return Received(body.decode("ascii") or None)
    content_type = _content_type(headers)
    declared = charset_of(content_type)
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _as_text(body, [charset], mark)
    if is_json(content_type) or is_json_lines(content_type):
        return _as_text(body, ["utf-8", declared])
    if is_text(content_type) or declared:
        return _as_text(body, [declared, "utf-8"])
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return Received(base64.b64encode(body).decode("ascii"), "base64")
    if "\0" in text or not (is_wildcard(content_type) or essence(content_type) == "application/octet-stream"):
        return Received(base64.b64encode(body).decode("ascii"), "base64")
    return Received(text)


def _as_text(body: bytes, charsets: list[str], mark: bytes = b"") -> Received:
    unknown: list[str] = []
    for charset in filter(None, charsets):
        try:
            return Received(body.removeprefix(mark).decode(charset), notes=tuple(unknown))
        except LookupError:
            unknown.append(f"the charset {charset[:40]!r} is not known")
        except ValueError:
            continue
    return Received(body.decode("utf-8", "surrogateescape"), notes=tuple(unknown))


def decode(headers: Headers, body: Text | bytes | None, *, encoding: str = "text") -> Decoded:
    """Read the value of an answer's body.

    JSON is what the Content-Type calls so, whatever `+json`, and what parses where it names no type. JSON lines give
    a list. A body that is empty or blank is MISSING, whatever its type. What could not be decoded becomes U+FFFD, with
    a note. `body` and `encoding` are the event's fields; bytes go through `receive` first. The encoding `bytes` is that
    of a binary body that holds secrets: UTF-8 with what is not UTF-8 as lone surrogates (PEP 383).
    """
    headers = list(headers)
    notes: tuple[str, ...] = ()
    if isinstance(body, bytes):
        received = receive(headers, body)
        body, encoding, notes = received.text, received.encoding, received.notes
    content_type = _content_type(headers)
    media_type = essence(content_type)
    if body is None or (isinstance(body, str) and not body.strip()):
        return Decoded(MISSING, "empty", media_type, notes)
    if encoding == "base64":
        return Decoded(_binary(media_type, body), "binary", media_type, notes)
    if encoding == "bytes":
        shown = str(body).encode("utf-8", "surrogateescape")
        told = "the bytes hold a secret, which was cut out; the digest is of what is left"
        return Decoded({"type": _type(media_type), "digest": digest(shown)}, "binary", media_type, (*notes, told))
    if any(isinstance(part, str) and not part.isascii() and _NO_TEXT.search(part) for part in text_parts(body)):
        body = join_text([_readable(part) if isinstance(part, str) else part for part in text_parts(body)])
        notes = (*notes, "some bytes are no text in its charset")
    if is_json_lines(content_type):
        return _read(body, media_type, notes, lines=True)
    if is_json(content_type):
        return _read(body, media_type, notes)
    if is_wildcard(content_type):
        found = _read(body, media_type, notes)
        return found if found.kind == "json" else Decoded(body, "text", media_type, notes)
    return Decoded(body, "text", media_type, notes)


def _readable(text: str) -> str:
    return _NO_TEXT.sub(lambda match: match[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace"), text)


def _content_type(headers: Headers) -> str:
    found = header(headers, "content-type")
    return "" if found is None else str(found)


def _binary(media_type: str, body: Text) -> Json:
    try:
        raw = base64.b64decode("".join(part for part in text_parts(body) if isinstance(part, str)), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    return {"type": _type(media_type), "size": len(raw), "digest": digest(raw)}


def _type(media_type: str) -> str:
    return media_type or "application/octet-stream"


def _read(body: Text, media_type: str, notes: tuple[str, ...], *, lines: bool = False) -> Decoded:
    read = _read_once if isinstance(body, str) and len(body) <= MAX_REMEMBERED else _read_anew
    found = read(body, media_type, lines)
    return replace(found, notes=(*notes, *found.notes)) if notes else found


def _read_anew(body: Text, media_type: str, lines: bool) -> Decoded:
    twice: list[str] = []
    try:
        value = _read_lines(body, twice) if lines else parse_body(body, on_duplicate=twice.append)
    except JsonError as error:
        place = f" (line {error.line}, column {error.column})" if error.line else ""
        return Decoded(body, "text", media_type, (f"not valid JSON: {error}{place}",))
    told = [
        f"the key {visible(key, newlines=False)[:60]!r} comes twice; the last one counts"
        for key in list(dict.fromkeys(twice))[:MAX_NOTED]
    ]
    return Decoded(value, "json", media_type, tuple(told))


_read_once = lru_cache(maxsize=4)(_read_anew)
"""An answer is wanted when it comes and again from its event; values are never changed, so both may have the same."""


def _read_lines(body: Text, twice: list[str]) -> Json:
    holes = Holes(body)
    rows = [row.strip("\x1e \t\r") for row in holes.fill(body).split("\n")]
    return [parse_body(holes.restore(row), on_duplicate=twice.append) for row in rows if row]


def parse_body(body: Text, *, on_duplicate: Callable[[str], None] | None = None) -> Json:
    """Parse JSON text in which secrets stand by name.

    Within a string the secret becomes part of a `SecretText`, or the `Secret` itself where it is the whole string.
    Where it was a number or part of one, the whole number becomes a text with the secret in it. In a key, its name
    stands in its place.

    Raises:
        JsonError: the text is no JSON value.
    """
    if isinstance(body, str):
        return read_json(body, on_duplicate=on_duplicate)
    holes = Holes(body)
    return holes.restore_value(read_json(_quote_bare(holes.fill(body), holes), on_duplicate=on_duplicate))


def _quote_bare(text: str, holes: Holes) -> str:
    """Quote each stand-in outside of strings, together with the digits that touch it."""
    bare = rf"(?<!{_DIGIT})(?:{_DIGIT}*+{holes.pattern})+{_DIGIT}*+"
    token = re.compile(rf'"(?:[^"\\]|\\.)*+"|{bare}', re.DOTALL)
    return token.sub(lambda match: match[0] if match[0].startswith('"') else f'"{match[0]}"', text)
