"""From a task to a query, or to the reason why there is none.

Every word of the task has to find its place in one reading of the whole; the cheapest reading counts. Nothing is
skipped but politeness. Where two readings cost the same, or none is complete, the task is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from thinkagent.minds.offline.function_words import (
    POLITE_AFTER,
    POLITE_BEFORE,
    function_words,
    known_places,
    superlative_words,
)
from thinkagent.minds.offline.patterns import Found, Reader
from thinkagent.minds.offline.query import (
    Act,
    Aggregate,
    Change,
    Compare,
    Count,
    Create,
    Equals,
    Issue,
    ListAll,
    Lookup,
    Missing,
    Owned,
    Query,
    Reason,
    Refusal,
    Related,
    Remove,
    Select,
    When,
)
from thinkagent.minds.offline.refusing import not_understood
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.sentences import Sentences
from thinkagent.minds.offline.words import Token, tokenize

__all__ = ["parse"]

_END = set(".?!;:,…")
_NEAR = 0.05


def parse(
    task: str, resources: Sequence[Resource], now: datetime, told: frozenset[str] = frozenset()
) -> Query | Refusal:
    """Understand a task completely, or say what stands in the way.

    `now` is the run's own now in the run's zone; dates in the query are counted from it. `told` are words of the
    document besides the names of its resources (see `told_words`): they are not strange.
    """
    tokens = _without_politeness(tokenize(task))
    if not tokens:
        return Refusal(reason=Reason("the task holds no words"))
    if "<<" in task:
        return Refusal(words=("<<",))
    reader = Sentences(tokens, resources, now)
    reader.known = known_places(tokens, function_words() | superlative_words())
    found = list(reader.sentences(0, len(tokens)))
    queries = [one for one in found if not isinstance(one.value, Refusal)]
    if queries:
        best = _cheapest(queries)
        asked = task.rstrip().endswith(("?", "？")) and len(tokens) == len(_without_marks(tokenize(task)))
        if asked and isinstance(best, Create | Issue | Change | Act | Remove):
            return Refusal(reason=Reason("a question is no order to change something"))
        return best
    if found:
        refusal: Refusal = min(found, key=lambda one: one.cost).value
        return refusal
    return not_understood(tokens, reader, resources, told)


def _without_marks(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    while tokens and tokens[-1].kind == "mark" and tokens[-1].text in _END:
        tokens = tokens[:-1]
    return tokens


def _without_politeness(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    tokens = _without_marks(tokens)
    reader = Reader(tokens)
    start = 0
    while True:
        ends = [found.end for found in reader.read_any(POLITE_BEFORE, start) if found.end < len(tokens)]
        if not ends:
            break
        start = max(ends)
    tokens = tokens[start:]
    for place in range(len(tokens) - 1, 0, -1):
        if any(found.end == len(tokens) for found in Reader(tokens).read_any(POLITE_AFTER, place)):
            return _without_politeness(tokens[:place])
    return tokens


def _cheapest(found: list[Found]) -> Query | Refusal:
    least = min(one.cost for one in found)
    best: dict[object, Found] = {}
    for one in found:
        if one.cost <= least + _NEAR:
            best.setdefault(_identity(one.value), one)
    if len(best) == 1:
        query: Query = next(iter(best.values())).value
        return query
    return Refusal(readings=_differences([one.value for one in best.values()]))


def _identity(query: Query) -> object:
    return query


def _differences(queries: Sequence[Query]) -> tuple[str, ...]:
    """Name each reading by what is in it and not in all of them."""
    parts = [list(dict.fromkeys(_names_in(query))) for query in queries]
    common = set(parts[0]).intersection(*parts[1:])
    own = [" ".join(name for name in names if name not in common) or type(query).__name__.lower()
           for names, query in zip(parts, queries, strict=True)]  # fmt: skip
    if len(set(own)) == len(own):
        return tuple(own)
    return tuple(f"{name} ({path})" for name, path in zip(own, (_path_of(query) for query in queries), strict=True))


def _path_of(query: Query) -> str:
    """Tell where the things of a query are listed, for those that share a name."""
    select = getattr(query, "select", None) or getattr(query, "each", None)
    resource = getattr(select or query, "resource", None)
    listing = resource.listing if isinstance(resource, Resource) else None
    if listing is None:
        return type(query).__name__.lower()
    tool = listing.tool
    return f"{tool.path} of {tool.document}" if tool.document else tool.path


def _names_in(value: object) -> Iterable[str]:
    if isinstance(value, Select):
        yield value.resource.label
        for condition in value.conditions:
            yield from _names_in(condition)
        if value.order is not None:
            yield getattr(value.order.by, "label", "count")
    elif isinstance(value, Lookup):
        for resource, fields in value.options:
            yield from (f"{resource.label}.{field.label}" for field in fields)
    elif isinstance(value, Aggregate):
        yield f"{value.function} {value.select.resource.label}.{value.field.label}"
        yield from _names_in(value.select)
    elif isinstance(value, Count | ListAll):
        yield from _names_in(value.select)
    elif isinstance(value, Equals):
        yield from (f"{field.label}={value.value}" for field in value.fields)
    elif isinstance(value, Compare | When | Missing):
        yield value.field.label
    elif isinstance(value, Related):
        yield f"{value.relation.child.label} by {'.'.join(value.relation.role)}"
    elif isinstance(value, Owned):
        yield from (f"{one.child.label} of {one.parent.label}" for one in value.relations)
    elif isinstance(value, Create):
        yield f"create {value.resource.label}"
        yield from (one.resource.label for one in value.parents if one.resource is not None)
    elif isinstance(value, Issue):
        yield f"{value.resource.label} for {value.recipient.label}"
    elif isinstance(value, Change):
        yield from (f"{value.resource.label}.{field.label}" for field, _ in value.values)
    elif hasattr(value, "resource") and value.resource is not None:
        yield value.resource.label
        yield from _names_in(getattr(value, "each", None))
