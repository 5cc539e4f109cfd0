"""What an operation does to the world, as far as its document or its user says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkagent.tools.model import Effect

__all__ = ["EFFECT_EXTENSION", "effect_of", "is_idempotent"]

EFFECT_EXTENSION = "x-thinkagent-effect"

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
"""RFC 9110, section 9.2.1, and the QUERY method."""

_EFFECTS: Mapping[str, Effect] = {"read": "read", "write": "write", "delete": "delete"}


def effect_of(method: str, extensions: Mapping[str, Any], *, declared_read: bool = False) -> tuple[Effect, str]:
    """Give the effect of an operation and, where its extension holds no effect, what is wrong with it.

    A method that RFC 9110 calls safe reads, DELETE deletes, everything else writes. Only the document's
    `x-thinkagent-effect` or the user's own word (`declared_read`) changes that; names and descriptions never do.
    """
    if declared_read:
        return "read", ""
    problem = ""
    if EFFECT_EXTENSION in extensions:
        said = extensions[EFFECT_EXTENSION]
        if isinstance(said, str) and said in _EFFECTS:
            return _EFFECTS[said], ""
        problem = f"{EFFECT_EXTENSION} is {said!r}; it can be 'read', 'write' or 'delete'"
    if method in SAFE_METHODS:
        return "read", problem
    return ("delete" if method == "DELETE" else "write"), problem


def is_idempotent(method: str, effect: Effect) -> bool:
    """Say whether sending the same request twice leaves the same state as sending it once (RFC 9110, section 9.2.2)."""
    return effect == "read" or method in ("PUT", "DELETE")
