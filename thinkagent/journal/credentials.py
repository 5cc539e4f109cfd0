"""Where credentials stand in what comes from outside: fields by their name, addresses by their parts.

What an answer gives away (a token in JSON, in a form, in a header, in the address of the next page) is found by
where it stands, so that it can be kept secret from then on by what it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from thinkagent.values import JsonError, read_json

__all__ = [
    "MIN_LENGTH",
    "gives_away",
    "is_key_in_address",
    "is_secret_name",
    "secret_fields",
    "secret_headers",
    "secrets_in_text",
]

MIN_LENGTH = 8
"""Shorter values are secrets only where they were given: the credential `admin` must not hide `role: admin`."""

_SECRET_NAME = re.compile(
    r"(?:^|[_\-.])(?:token|secret|passw(?:or)?d|pwd|passphrase|credential|api[_\-]?key|"
    r"(?:private|secret|signing|access|encryption)[_\-]?key|session[_\-]?(?:id|token)|bearer|jwt|sig(?:nature)?)$"
    r"|^(?:authorization|proxy-authorization|cookie|set-cookie)$",
    re.IGNORECASE,
)
_NOT_SECRET = re.compile(
    r"^(?:next|prev(?:ious)?|continuation|page|cursor|sync|token)_?(?:page)?_?(?:token|type)$", re.IGNORECASE
)
_SECRET_IN_URL = ("key", "auth", "code")
"""Query parameters that carry a credential in practice; as fields of an answer the words mean anything."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_HINTS = (
    "token", "secret", "passw", "pwd", "passphrase", "credential", "key", "session", "bearer", "jwt", "sig", "auth",
    "code", "cookie", "\\u00",
)  # fmt: skip
"""A text without any of these, and without an address of a user, gives nothing away."""
_WORD = re.compile(r"[^\s\"'<>()\\]+")
_SCHEME_NAME = re.compile(r"[a-z][a-z0-9+.-]*$", re.IGNORECASE)
_MEMBER = re.compile(r"([\"'])([\w.\-]{3,64})\1\s*:\s*\"((?:[^\"\\]|\\.)*+)\"")
"""A member of an object in a text that is no JSON as a whole: JSON lines, a script in a page, a body cut short."""
_ELEMENT = re.compile(r"<([\w.\-]{3,64})(?:\s[^<>]*)?>\s*([^<>\s]+)\s*</\1>")
_LINE = re.compile(
    r"^[ \t]*[\"']?([\w.\-]{3,64})[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'<>&;,]+)[\"']?[ \t]*$", re.MULTILINE
)
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)\s+(\S+)$", re.IGNORECASE)


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Say whether a field, header or query parameter of this name carries a credential (`accessToken`, `X-Api-Key`)."""
    spelled = _CAMEL.sub("_", name)
    return bool(_SECRET_NAME.search(spelled)) and not _NOT_SECRET.search(spelled)


def is_key_in_address(name: str) -> bool:
    """Say whether a query parameter of this name carries a credential; there `key`, `auth` and `code` do as well."""
    return is_secret_name(name) or name.casefold() in _SECRET_IN_URL


def gives_away(text: str) -> bool:
    """Say whether a text, JSON or not, is worth searching for credentials; False is certain."""
    folded = text.casefold()
    return any(hint in folded for hint in _HINTS) or ("://" in folded and "@" in folded)


def secret_fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Find credentials in a JSON value, as (dotted path, value): by field name, and in texts as `secrets_in_text`."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            below = f"{path}.{key}" if path else str(key)
            if isinstance(item, str) and is_secret_name(str(key)):
                yield from _long_enough([(below, item), *_without_scheme(below, item)])
            else:
                yield from secret_fields(item, below)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from secret_fields(item, f"{path}[{number}]")
    elif isinstance(value, str):
        yield from secrets_in_text(value, path)


def secret_headers(headers: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Find credentials in header fields: by name, cookies by their values, and in addresses (`Location`, `Link`)."""
    for name, value in headers:
        path = f"headers.{name}"
        if name.lower() == "set-cookie":
            yield from _long_enough([(path, value.partition(";")[0].partition("=")[2].strip().strip('"'))])
        elif is_secret_name(name):
            yield from _long_enough([(path, value), *_without_scheme(path, value)])
        else:
            yield from secrets_in_text(value, path)


def secrets_in_text(text: str, path: str = "", *, is_form: bool = False) -> Iterator[tuple[str, str]]:
    """Find credentials in a text that is no JSON.

    In addresses a password before the host and query parameters of a telling name; in a form its fields; in anything
    else the members, elements and lines that name one (`"token": "…"`, `<token>…</token>`, `token=…`).
    """
    if len(text) < MIN_LENGTH or not gives_away(text):
        return
    named = [match.groups() for match in _ELEMENT.finditer(text)]
    named += [match.groups() for match in _LINE.finditer(text)]
    named += [(match[2], _unescaped(match[3])) for match in _MEMBER.finditer(text)]
    if is_form:
        named += parse_qsl(text)
    found = [(f"{path}.{name}".strip("."), value) for name, value in named if is_secret_name(name)]
    for match in _WORD.finditer(text):
        found += _in_url(_address(match[0]), path)
    yield from _long_enough(found)


def _address(word: str) -> str:
    """Give the address in a word; empty where there is none with a query, a fragment or a user."""
    before, mark, after = word.partition("://")
    if not mark:
        return html.unescape(word) if "?" in word and "=" in word else ""
    scheme = _SCHEME_NAME.search(before[-32:])
    return html.unescape(f"{scheme[0]}://{after}") if scheme and ("=" in after or "@" in after) else ""


def _in_url(url: str, path: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
        password = unquote(parts.password or "")
    except ValueError:
        return
    yield f"{path}.password".strip("."), password
    for name, value in [*parse_qsl(parts.query), *parse_qsl(parts.fragment)]:
        if is_key_in_address(name):
            yield f"{path}.{name}".strip("."), value


def _without_scheme(path: str, value: str) -> Iterator[tuple[str, str]]:
    """`Bearer abc` is also repeated as `abc`."""
    match = _SCHEME.match(value.strip())
    if match is not None:
        yield f"{path}.value", match[1]


def _unescaped(text: str) -> str:
    try:
        return str(read_json(f'"{text}"'))
    except JsonError:
        return text


def _long_enough(found: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((path, value) for path, value in found if len(value) >= MIN_LENGTH)
