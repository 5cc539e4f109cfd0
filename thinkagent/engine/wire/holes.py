"""Stand-ins for secrets while a text passes through code that knows only plain texts."""

from __future__ import annotations

import re
from itertools import count

from thinkagent.values import Json, Secret, SecretText, join_text, text_parts

__all__ = ["Holes", "Text"]

Text = str | Secret | SecretText

_TOKEN = re.compile(r"secret(\d+)hole")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class Holes:
    """Fills texts with stand-ins and puts the secrets back.

    A stand-in is made of ASCII letters and digits, so neither JSON nor a URL escapes it. None of the texts given to
    the constructor holds it, not even spelled with JSON escapes: data from outside can never name a secret.
    """

    def __init__(self, *texts: Text) -> None:
        plain = [part for text in texts for part in text_parts(text) if isinstance(part, str)]
        plain += [_ESCAPE.sub(lambda match: chr(int(match[1], 16)), part) for part in plain if "\\u" in part]
        taken = {match[1] for part in plain for match in _TOKEN.finditer(part)}
        # Begins with a letter that it holds nowhere else: no end of a text and beginning of a stand-in make another.
        number = next(number for number in count() if str(number) not in taken)
        self._token = f"secret{number}hole"
        self._pattern = re.compile(rf"{self._token}(\d+)z")
        self._secrets: list[Secret] = []
        self._numbers: dict[Secret, int] = {}

    @property
    def pattern(self) -> str:
        """The regular expression of a stand-in, with one group."""
        return self._pattern.pattern

    def fill(self, text: Text) -> str:
        """Put a stand-in in the place of each secret."""
        return "".join(part if isinstance(part, str) else self._stand_in(part) for part in text_parts(text))

    def restore(self, text: str) -> Text:
        """Put the secrets back; the inverse of `fill`."""
        pieces = self._pattern.split(text)
        if len(pieces) == 1:
            return text
        parts: list[str | Secret] = []
        for index, piece in enumerate(pieces):
            parts.append(self._secrets[int(piece)] if index % 2 else piece)
        return join_text(parts)

    def fill_value(self, value: Json) -> Json:
        """`fill` every text of a JSON value."""
        if isinstance(value, Secret | SecretText):
            return self.fill(value)
        if isinstance(value, dict):
            return {key: self.fill_value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.fill_value(item) for item in value]
        return value

    def restore_value(self, value: Json) -> Json:
        """`restore` every text of a JSON value; a key with a secret keeps the secret's name, keys being texts."""
        if isinstance(value, str):
            return self.restore(value)
        if isinstance(value, dict):
            return {str(self.restore(key)): self.restore_value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.restore_value(item) for item in value]
        return value

    def _stand_in(self, secret: Secret) -> str:
        number = self._numbers.setdefault(secret, len(self._secrets))
        if number == len(self._secrets):
            self._secrets.append(secret)
        return f"{self._token}{number}z"
