"""The placeholders of a path: `{id}`, and what some write in its place (`{id*}`, `{.id}`, `{;id*}`, `{?id}`)."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Placeholder", "placeholders"]

_BRACES = re.compile(r"\{([^{}]*)\}")
_EXPRESSION = re.compile(r"[.;?&/#+]?(.*?)(?:\*|:\d+)?\Z", re.DOTALL)


class Placeholder(NamedTuple):
    text: str
    """With its braces, as it stands in the path."""
    name: str
    """The name of the parameter that fills it."""


def placeholders(path: str, names: frozenset[str] = frozenset()) -> tuple[Placeholder, ...]:
    """Find the placeholders of a path in order, each once.

    `names` are the declared path parameters: a text in braces that is one of them is that name as it is, any other is
    read as a URI Template expression (RFC 6570) of one variable.
    """
    found: dict[str, Placeholder] = {}
    for match in _BRACES.finditer(path):
        inner = match[1]
        expression = _EXPRESSION.match(inner)
        bare = expression[1] if expression is not None else inner
        name = inner if inner in names or not bare else bare
        found.setdefault(match[0], Placeholder(match[0], name))
    return tuple(found.values())
