"""The vault: secrets by name, in memory only. Nothing else in the program holds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from thinkagent.errors import ArgumentError
from thinkagent.journal.spellings import needles_of, pattern_of
from thinkagent.values import JsonError, Secret, SecretText, join_text, read_json, text_parts

__all__ = ["MIN_LENGTH", "Vault", "is_secret_name", "secret_fields"]

MIN_LENGTH = 8
"""Shorter values are secrets only where they were given: the credential `admin` must not hide `role: admin`."""

_SECRET_NAME = re.compile(
    r"(?:^|[_\-.])(?:token|secret|passw(?:or)?d|passphrase|credential|api[_\-]?key|private[_\-]?key|access[_\-]?key|"
    r"session[_\-]?(?:id|token)|bearer|jwt|sig(?:nature)?)$|^(?:authorization|cookie|set-cookie)$",
    re.IGNORECASE,
)
_NOT_SECRET = re.compile(
    r"^(?:next|prev(?:ious)?|continuation|page|cursor|sync|token)_?(?:page)?_?(?:token|type)$", re.IGNORECASE
)
_SECRET_IN_URL = ("key", "auth", "code")
"""Query parameters that carry a credential in practice; as fields of an answer the words mean anything."""
_ESCAPES = re.compile(r"[%&\\\n+]|[0-9a-f][A-F][0-9]|[0-9A-F][a-f][0-9]")
"""Without one of these a text can hold a secret only as it is, in Base64 or in one-case hexadecimal."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_secret_name(name: str) -> bool:
    """Say whether a field, header or query parameter of this name carries a credential (`accessToken`, `X-Api-Key`)."""
    spelled = _CAMEL.sub("_", name)
    return bool(_SECRET_NAME.search(spelled)) and not _NOT_SECRET.search(spelled)


class Vault:
    """Holds secrets by name, finds them in texts whatever their spelling, and opens them for the wire.

    A spelling other than the secret itself is kept under a name of its own (`token~1`), so that a text that went
    in comes out byte for byte.
    """

    def __init__(self, stand_in: Callable[[str], str] | None = None) -> None:
        """`stand_in` gives a value for every name that is asked for and not held: replay has no real secrets."""
        self._values: dict[str, str] = {}
        self._patterns: dict[str, str] = {}
        self._needles: list[str] = []
        self._names: dict[str, str] = {}
        self._compiled: re.Pattern[str] | None = None
        self._groups: list[str] = []
        self._stand_in = stand_in

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._values)

    def add(self, name: str, value: str) -> Secret:
        """Keep a secret. A value that is held already keeps the name under which it first appeared."""
        if value in self._names:
            return Secret(self._names[value])
        self._values[name] = value
        self._names[value] = name
        if len(value) >= MIN_LENGTH:
            self._patterns[name] = pattern_of(value)
            self._needles += needles_of(value)
            self._compiled = None
        return Secret(name)

    def expect(self, name: str) -> None:
        """Hold a stand-in for a secret that a recorded run had; without a `stand_in` this does nothing."""
        if name not in self._values and self._stand_in is not None:
            self.add(name, self._stand_in(name))

    def open(self, value: str | Secret | SecretText) -> str:
        """Give the text with its secrets in place.

        Raises:
            ArgumentError: a secret is not held any more (after a resume).
        """
        return "".join(part if isinstance(part, str) else self._value(part) for part in text_parts(value))

    def reveal(self, secret: Secret) -> str:
        """Give what a secret means, for the wire; raises like `open`.

        Where an answer's JSON spelled it with escapes (`ab\\/cd`), that is the secret and not its spelling.
        """
        value = self._value(secret)
        base = self._values.get(secret.name.partition("~")[0])
        return base if base is not None and value != base and _unescaped(value) == base else value

    def _value(self, secret: Secret) -> str:
        if secret.name not in self._values:
            self.expect(secret.name)
        try:
            return self._values[secret.name]
        except KeyError:
            raise ArgumentError(
                f"the secret {secret.name!r} is no longer known",
                code="lost_secret",
                hint="Log in again: call the operation that issued it once more",
            ) from None

    def hide(self, text: str) -> str | Secret | SecretText:
        """Put names in the place of secrets, in every spelling."""
        if not self._patterns or not (_ESCAPES.search(text) or any(needle in text for needle in self._needles)):
            return text
        pattern = self._pattern()
        parts: list[str | Secret] = []
        end = 0
        for match in pattern.finditer(text):
            start = _start(text, match.start(), end)
            name = self._groups[(match.lastindex or 1) - 1]
            parts += [text[end:start], self._spelled(name, text[start : match.end()])]
            end = match.end()
        return join_text([*parts, text[end:]]) if parts else text

    def hide_value(self, value: Any) -> Any:
        """`hide` every text of a JSON value, keys included."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, SecretText):
            return join_text([self.hide(part) if isinstance(part, str) else part for part in value.parts])
        if isinstance(value, Mapping):
            return {self.redact(key): self.hide_value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide_value(item) for item in value]
        return value

    def redact(self, text: str) -> str:
        """Make a text fit for people: `«secret NAME»` in the place of each secret."""
        return str(self.hide(text))

    def _pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            # Longest first: a secret that contains another must be found whole.
            self._groups = sorted(self._patterns, key=lambda name: -len(self._values[name]))
            self._compiled = re.compile("|".join(f"({self._patterns[name]})" for name in self._groups))
        return self._compiled

    def _spelled(self, name: str, text: str) -> Secret:
        if text == self._values[name]:
            return Secret(name)
        known = self._names.get(text)
        if known is None:
            count = sum(1 for other in self._values if other.startswith(f"{name}~")) + 1
            known = f"{name}~{count}"
            self._values[known] = text
            self._names[text] = known
        return Secret(known)


def _start(text: str, start: int, least: int) -> int:
    """Begin before a backslash that escapes the first character, so that what is left is still JSON."""
    before = text[least:start]
    slashes = len(before) - len(before.rstrip("\\"))
    return start - 1 if slashes % 2 and text[start] != "\\" else start


def _unescaped(text: str) -> str | None:
    """Read a text as the inside of a JSON string; None where it is none."""
    try:
        value = read_json(f'"{text}"')
    except JsonError:
        return None
    return value if isinstance(value, str) else None


def secret_fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Find credentials that an answer carries, as (dotted path, value): by field name, and in URLs by query name."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            below = f"{path}.{key}" if path else str(key)
            if isinstance(item, str):
                if len(item) >= MIN_LENGTH and is_secret_name(str(key)):
                    yield below, item
                else:
                    yield from _in_url(item, below)
            else:
                yield from secret_fields(item, below)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            below = f"{path}[{number}]"
            yield from _in_url(item, below) if isinstance(item, str) else secret_fields(item, below)


def _in_url(text: str, path: str) -> Iterator[tuple[str, str]]:
    """Credentials in an address: a password before the host, or a query parameter of a telling name."""
    if "://" not in text and "?" not in text:
        return
    try:
        parts = urlsplit(text)
    except ValueError:
        return
    if parts.password and len(unquote(parts.password)) >= MIN_LENGTH:
        yield f"{path}.password", unquote(parts.password)
    for name, item in parse_qsl(parts.query):
        if len(item) >= MIN_LENGTH and (is_secret_name(name) or name.casefold() in _SECRET_IN_URL):
            yield f"{path}.{name}", item
