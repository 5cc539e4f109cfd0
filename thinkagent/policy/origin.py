"""Where the values of a write come from: somebody gave them, or the mind made them up.

A value that the mind wrote by itself is given where it stands in the task, the inputs or a result, or where the
operation's own schema names it (enum, const, default). The document's example, copied because nothing better was at
hand, is never sent. Any other value of the mind's own is, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from thinkagent.policy.claims import read_claims
from thinkagent.policy.seen import Seen
from thinkagent.tools.model import Tool

__all__ = ["Origin", "trace"]

_REFERENCE = re.compile(r"<<[^<>]*>>")
_PLACEHOLDER = re.compile(
    r"(?:string|integer|number|example|placeholder|todo|tbd|x{3,}|\.{3}|…|your[-_ ].+|<[^<>]+>|\{[^{}]+\})",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]{2,3}|[a-z]{1,3}")
"""A currency, a country, a unit: general knowledge, though the document's example may be the same."""
_PART = re.compile(r"[^\W_]+")
_NAMED = ("properties", "patternProperties", "$defs", "dependentSchemas")


@dataclass(frozen=True, slots=True)
class Origin:
    """The values that nobody gave, by their place in the arguments (`body.customerId`)."""

    examples: Mapping[str, Any] = field(default_factory=dict)
    """Taken from the document's examples, or placeholders."""
    own: Mapping[str, Any] = field(default_factory=dict)
    """Made up by the mind in any other way."""


def trace(
    arguments: Mapping[str, Any], tool: Tool, given: Iterable[Any], results: Callable[[], Iterable[Any]]
) -> Origin:
    """Trace the values of a write's arguments as the mind wrote them, references unresolved.

    `given` are the task and the inputs; `results` gives what the steps hold, and is called only if it matters.
    """
    allowed, examples = _named_by(tool)
    first, everything = Seen(), Seen()
    for value in (*given, *allowed):
        first.add(value)
    looked = False
    found: dict[str, dict[str, Any]] = {"examples": {}, "own": {}}
    for place, value in _leaves(arguments, ""):
        if _is_given(value, first):
            continue
        if not looked:
            looked = True
            for result in results():
                everything.add(result)
        if not _is_given(value, everything):
            found["examples" if _is_example(value, examples) else "own"][place] = value
    return Origin(**found)


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{place}[{number}]")
    elif isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
        yield place, value


def _is_given(value: Any, seen: Seen) -> bool:
    if not isinstance(value, str):
        return value in (0, 1) or Decimal(str(value)) in seen.numbers
    text = _REFERENCE.sub(" ", value).strip()
    if not text or seen.has_word(text) or all(seen.has_word(part) for part in _PART.findall(text)):
        return True
    claims = read_claims(text)
    return bool(claims.dates) and text == claims.dates[0].text and seen.has_date(claims.dates[0])


def _is_example(value: Any, examples: set[Any]) -> bool:
    if not isinstance(value, str):
        return Decimal(str(value)) in examples
    text = value.strip()
    return (text in examples and not _CODE.fullmatch(text)) or _PLACEHOLDER.fullmatch(text) is not None


def _named_by(tool: Tool) -> tuple[list[Any], set[Any]]:
    """Give the values that an operation's schema allows by name, and those it only shows."""
    allowed: list[Any] = []
    shown: list[Any] = [tool.example_call, tool.example_result]
    queue: list[Any] = [tool.parameters]
    while queue:
        schema = queue.pop()
        if isinstance(schema, list | tuple):
            queue += schema
        elif isinstance(schema, Mapping):
            for key, value in schema.items():
                if key == "enum" and isinstance(value, list | tuple):
                    allowed += value
                elif key in ("const", "default"):
                    allowed.append(value)
                elif key in ("example", "examples"):
                    shown.append(value)
                else:
                    queue += list(value.values()) if key in _NAMED and isinstance(value, Mapping) else [value]
    leaves = [leaf for value in shown for _, leaf in _leaves(value, "")]
    return allowed, {leaf.strip() if isinstance(leaf, str) else Decimal(str(leaf)) for leaf in leaves}
