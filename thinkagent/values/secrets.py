"""Secrets as values: a name stands where the credential would, and only the wire ever opens it.

In a log a secret is `{"$secret": NAME}` and a text that holds one is `{"$text": ["Bearer ", {"$secret": NAME}]}`.
Data from outside that happens to have such a shape is wrapped as `{"$data": …}` on its way in, so that a hostile
answer can never name a secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Secret", "SecretText", "from_log", "join_text", "text_parts", "to_log"]

_MARKS = ("$secret", "$text", "$data")


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential or an issued token, by the name of the place where it first appeared."""

    name: str

    def __str__(self) -> str:
        return f"«secret {self.name}»"


@dataclass(frozen=True, slots=True)
class SecretText:
    """A text that holds at least one secret; `parts` are plain texts and secrets in order."""

    parts: tuple[str | Secret, ...]

    def __str__(self) -> str:
        return "".join(str(part) for part in self.parts)


def text_parts(value: str | Secret | SecretText) -> tuple[str | Secret, ...]:
    """Give the parts of a text, whatever kind it is."""
    if isinstance(value, SecretText):
        return value.parts
    return (value,)


def join_text(parts: Sequence[str | Secret | SecretText]) -> str | Secret | SecretText:
    """Join texts and secrets: a plain `str` without secrets, the `Secret` itself when it stands alone."""
    try:
        return "".join(parts)  # type: ignore[arg-type]
    except TypeError:
        pass
    flat: list[str | Secret] = []
    for part in parts:
        for piece in text_parts(part):
            if piece == "":
                continue
            if isinstance(piece, str) and flat and isinstance(flat[-1], str):
                flat[-1] += piece
            else:
                flat.append(piece)
    if not flat:
        return ""
    if len(flat) == 1:
        return flat[0]
    return SecretText(tuple(flat))


def to_log(value: Any) -> Any:
    """Turn a value with secrets into plain JSON for an event; data that looks like a mark is wrapped."""
    if isinstance(value, Secret):
        return {"$secret": value.name}
    if isinstance(value, SecretText):
        return {"$text": [part if isinstance(part, str) else {"$secret": part.name} for part in value.parts]}
    if isinstance(value, dict):
        inner = {key: to_log(item) for key, item in value.items()}
        marked = "$blob" in inner or (len(inner) == 1 and next(iter(inner)) in _MARKS)
        return {"$data": inner} if marked else inner
    if isinstance(value, list | tuple):
        return [to_log(item) for item in value]
    return value


def from_log(value: Any) -> Any:
    """Turn plain JSON of an event back into the value; the inverse of `to_log`."""
    if isinstance(value, dict):
        if len(value) == 1:
            mark, inner = next(iter(value.items()))
            if mark == "$secret" and isinstance(inner, str):
                return Secret(inner)
            if mark == "$text" and isinstance(inner, list):
                return join_text([from_log(part) for part in inner])
            if mark == "$data" and isinstance(inner, dict):
                return {key: from_log(item) for key, item in inner.items()}
        return {key: from_log(item) for key, item in value.items()}
    if isinstance(value, list):
        return [from_log(item) for item in value]
    return value
