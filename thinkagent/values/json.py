"""One reader and one writer for JSON, both exact.

Integers and decimals keep every digit and their spelling from the wire to the wire: `1.10` stays `1.10`, `1e2`
stays `1e2`, `-0` stays `-0`, and an integer of any length survives. `NaN` and the infinities are no JSON
(RFC 8259, section 6) and are refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from json.encoder import encode_basestring
from typing import Any

from thinkagent.values.secrets import Secret, SecretText

__all__ = ["Json", "JsonError", "Spelled", "digest", "plain", "read_json", "same", "write_json", "write_plain"]

Json = Any
"""None, bool, int, Decimal, str, list, dict with text keys, `Secret` or `SecretText`."""

MAX_DEPTH = 200
"""Deeper values are refused: validators and writers of C or Rust may crash on them."""

_NEGATIVE_ZERO = re.compile(r"-0(?![.\d])")
_LONG_INTEGER = re.compile(r"\d{4300}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonError(ValueError):
    """The text is no JSON value; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Spelled(Decimal):
    """A decimal that is written back as it was spelled (`1e2`), where `str` would spell it otherwise."""

    spelling: str

    def __new__(cls, text: str) -> Spelled:
        self = super().__new__(cls, text)
        self.spelling = text
        return self


def _decimal(text: str) -> Decimal:
    value = Decimal(text)
    return value if str(value) == text else Spelled(text)


def _integer(text: str) -> int | Decimal:
    if text == "-0" or len(text) >= 4300:
        return Decimal(text)
    return int(text)


def _has_odd_integer(text: str) -> bool:
    return bool(_NEGATIVE_ZERO.search(text) or (len(text) >= 4300 and _LONG_INTEGER.search(text)))


def _refuse_constant(name: str) -> None:
    raise JsonError(f"{name} is not a JSON number")


def read_json(
    text: str | bytes, *, on_duplicate: Callable[[str], None] | None = None, max_depth: int = MAX_DEPTH
) -> Json:
    """Read one JSON value exactly.

    `on_duplicate` is told each key that comes twice in one object; the later one counts.

    Raises:
        JsonError: it is not one JSON value, not UTF-8, or nested deeper than `max_depth`.
    """
    if isinstance(text, bytes | bytearray):
        try:
            text = bytes(text).decode("utf-8")
        except UnicodeDecodeError as error:
            raise JsonError(f"not UTF-8 at byte {error.start}") from error
    if text.startswith("\ufeff"):
        text = text[1:]

    on_pairs = None if on_duplicate is None else _pairs(on_duplicate)
    parse_int = _integer if _has_odd_integer(text) else None
    decoder = _PLAIN if on_pairs is None and parse_int is None else _decoder(parse_int, on_pairs)
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonError(f"nested deeper than {max_depth} levels") from error
    except InvalidOperation as error:
        raise JsonError("a number has an exponent that is too large") from error
    if (text.count("[") + text.count("{")) > max_depth:
        check_depth(value, max_depth)
    return value


def _pairs(on_duplicate: Callable[[str], None]) -> Callable[[list[tuple[str, Json]]], dict[str, Json]]:
    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(items)
        if len(found) != len(items):
            seen: set[str] = set()
            for key, _ in items:
                if key in seen:
                    on_duplicate(key)
                seen.add(key)
        return found

    return pairs


def _decoder(parse_int: Any, object_pairs_hook: Any) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=_decimal,
        parse_int=parse_int,
        parse_constant=_refuse_constant,
        object_pairs_hook=object_pairs_hook,
    )


_PLAIN = _decoder(None, None)


def check_depth(value: Json, max_depth: int = MAX_DEPTH) -> None:
    """Refuse a value that is nested deeper than `max_depth`; raises `JsonError`."""
    level = [value] if isinstance(value, dict | list) else []
    depth = 0
    while level:
        depth += 1
        if depth > max_depth:
            raise JsonError(f"nested deeper than {max_depth} levels")
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]


def _string(text: str) -> str:
    written: str = encode_basestring(text)
    if not written.isascii() and _SURROGATE.search(written):
        written = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)
    return written


def _key(key: object) -> str:
    if isinstance(key, str):
        return _string(key)
    raise TypeError(f"a JSON object has text keys, not {key!r}")


def write_json(value: Json, *, indent: int | None = None, sort: bool = False) -> str:
    """Write a value as compact UTF-8 JSON, numbers as they were spelled, secrets by name.

    `indent` gives a readable form, `sort` orders the keys (for digests and comparisons).

    Raises:
        TypeError: a value that JSON does not know.
        ValueError: NaN or an infinity.
    """
    if indent is None and isinstance(value, dict | list):
        written = _write_fast(value, sort)
        if written is not None:
            return written
    out: list[str] = []
    _write(value, out.append, sort, indent, 0)
    return "".join(out)


def write_plain(value: Json) -> str | None:
    """Write a value like `write_json`; None where it holds a secret or a text that begins with `$`."""
    written = _write_fast(value, False, secrets=False) if isinstance(value, dict | list) else None
    return None if written is None or '"$' in written else written


def _write_fast(value: Json, sort: bool, *, secrets: bool = True) -> str | None:
    """Write with the standard library's encoder, a mark in the place of each decimal; None where that cannot be."""
    numbers: list[str] = []

    def other(item: object) -> str:
        if isinstance(item, Decimal):
            numbers.append(_scalar(item))
            return _MARK
        if not isinstance(item, Secret | SecretText):
            raise TypeError(f"{type(item).__name__} is not a JSON value")
        if not secrets:
            raise _SecretFound
        return str(item)

    encoder = json.JSONEncoder(
        ensure_ascii=False,
        check_circular=False,
        allow_nan=False,
        sort_keys=sort,
        separators=(",", ":"),
        default=other,
    )
    try:
        written = encoder.encode(value)
    except _SecretFound:
        return None
    if _WRITTEN_MARK in written:
        between = written.split(_WRITTEN_MARK)
        if len(between) != len(numbers) + 1:
            return None
        numbers.append("")
        written = "".join([text for pair in zip(between, numbers, strict=True) for text in pair])
    if not written.isascii() and _SURROGATE.search(written):
        written = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)
    return written


class _SecretFound(Exception):
    pass


_MARK = "\0"
_WRITTEN_MARK = '"\\u0000"'


def _write(value: Json, emit: Callable[[str], object], sort: bool, indent: int | None, level: int) -> None:
    kind = type(value)
    if kind is str:
        emit(_string(value))
    elif value is None:
        emit("null")
    elif kind is bool:
        emit("true" if value else "false")
    elif kind is int:
        emit(int.__repr__(value))
    elif kind is dict:
        if not value:
            emit("{}")
            return
        gap, end, colon = _gaps(indent, level)
        separator = "{" + gap
        for key, item in sorted(value.items()) if sort else value.items():
            emit(separator)
            emit(_key(key))
            emit(colon)
            _write(item, emit, sort, indent, level + 1)
            separator = "," + gap
        emit(end + "}")
    elif kind is list or kind is tuple:
        if not value:
            emit("[]")
            return
        gap, end, _ = _gaps(indent, level)
        separator = "[" + gap
        for item in value:
            emit(separator)
            _write(item, emit, sort, indent, level + 1)
            separator = "," + gap
        emit(end + "]")
    else:
        emit(_scalar(value))


def _gaps(indent: int | None, level: int) -> tuple[str, str, str]:
    if indent is None:
        return "", "", ":"
    return "\n" + " " * (indent * (level + 1)), "\n" + " " * (indent * level), ": "


def _scalar(value: Json) -> str:
    if isinstance(value, Spelled):
        return value.spelling
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a JSON number")
        return str(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} is not a JSON number")
        return repr(value)
    if isinstance(value, Secret | SecretText):
        return _string(str(value))
    if isinstance(value, str):
        return _string(str.__str__(value))
    if isinstance(value, int):
        return int.__repr__(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def plain(value: Json) -> Json:
    """Copy a value for a validator: plain decimals, and a text in the place of each secret."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Spelled):
        return Decimal(value)
    if isinstance(value, Secret | SecretText):
        return str(value)
    return value


def same(left: Json, right: Json) -> bool:
    """Compare by meaning: numbers by value, but a boolean is never a number; key order does not matter."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(item, right[key]) for key, item in left.items())
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def digest(text: str | bytes) -> str:
    """Name a text by its SHA-256: `sha256:` and 64 hexadecimal digits."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return "sha256:" + hashlib.sha256(raw).hexdigest()
