"""One call of an operation: what its handler is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkagent.shop.store import Store
from thinkagent.values import Json

__all__ = ["Answer", "Call"]


@dataclass(frozen=True, slots=True)
class Call:
    """A request that passed the document's checks."""

    store: Store
    now: int
    """The shop's time, in microseconds since 1970."""
    path: Mapping[str, str] = field(default_factory=dict)
    """The values of the path's placeholders, decoded."""
    query: Mapping[str, str | int] = field(default_factory=dict)
    """The query parameters that were given; integers as such."""
    body: Json = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; a body of None is none."""

    status: int
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict)
