"""The vault: secrets by name, in memory only. Nothing else in the program holds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from thinkagent.errors import ArgumentError
from thinkagent.journal.credentials import MIN_LENGTH
from thinkagent.journal.spellings import Finder
from thinkagent.values import JsonError, Secret, SecretText, join_text, read_json, text_parts, write_json

__all__ = ["Vault"]


class Vault:
    """Holds secrets by name, finds them in texts whatever their spelling, and opens them for the wire.

    A spelling other than the secret itself is kept under a name of its own (`token~1`), so that a text that went
    in comes out byte for byte.
    """

    def __init__(self, stand_in: Callable[[str], str] | None = None) -> None:
        """`stand_in` gives a value for every name that is asked for and not held: replay has no real secrets."""
        self._values: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._spellings: dict[str, int] = {}
        """How many spellings of a secret were seen."""
        self._finder = Finder()
        self._looked_for = 0
        self._stand_in = stand_in

    @property
    def looked_for(self) -> int:
        """How many secrets are looked for; a text that came before one of them may hold it."""
        return self._looked_for

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
            self._finder.add(name, value)
            self._looked_for += 1
        return Secret(name)

    def learn(self, place: str, found: Iterable[tuple[str, str]]) -> None:
        """Keep what a place gave away, as (path, value) from `credentials`.

        With a `stand_in` nothing is learned: what a recorded run learned is in its log, under the same names.
        """
        if self._stand_in is None:
            for path, value in found:
                self.add(f"{place}.{path}" if path else place, value)

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
        parts: list[str | Secret] = []
        end = 0
        for found in self._finder.find(text):
            start = _start(text, found.start, end)
            parts += [text[end:start], self._spelled(found.name, text[start : found.end])]
            end = found.end
        return join_text([*parts, text[end:]]) if parts else text

    def hide_value(self, value: Any) -> Any:
        """`hide` every text of a JSON value, keys included."""
        if isinstance(value, dict | list) and not self._finder.find(write_json(value)):
            return value
        return self._hide_each(value)

    def _hide_each(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, SecretText):
            return join_text([self.hide(part) if isinstance(part, str) else part for part in value.parts])
        if isinstance(value, Mapping):
            return {self.redact(key): self._hide_each(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._hide_each(item) for item in value]
        return value

    def redact(self, text: str) -> str:
        """Make a text fit for people: `«secret NAME»` in the place of each secret."""
        return str(self.hide(text))

    def _spelled(self, name: str, text: str) -> Secret:
        if text == self._values[name]:
            return Secret(name)
        known = self._names.get(text)
        if known is None:
            self._spellings[name] = count = self._spellings.get(name, 0) + 1
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
