"""From a task to a query, or to the reason why there is none.

Every word of the task has to find its place in one reading of the whole; the cheapest reading counts. Nothing is
skipped but politeness. Where two readings cost the same, or none is complete, the task is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from thinkagent.minds.offline.conditions import CONDITIONS
from thinkagent.minds.offline.dates import DATE_PATTERNS, DATE_WORDS
from thinkagent.minds.offline.lexicon.concepts import english_of
from thinkagent.minds.offline.patterns import Found, Reader, literal_words
from thinkagent.minds.offline.query import (
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
    Select,
    When,
)
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.sentences import FUNCTION_PATTERNS, SENTENCES, Sentences
from thinkagent.minds.offline.superlatives import COMPARATIVES, SUPERLATIVES
from thinkagent.minds.offline.terms import COMPARISON_PATTERNS, ENTITY_PATTERNS
from thinkagent.minds.offline.things import CONNECTORS, DETERMINERS
from thinkagent.minds.offline.words import Token, join_tokens, tokenize

__all__ = ["function_words", "parse"]

_POLITE_BEFORE = (
    "(please|kindly|hi|hello|hey|could you|can you|would you|will you|i want to know)",
    "(i would like to know|i'd like to know)",
    "(i need to know|do you know|can you tell me|could you tell me|i would like you to|i want you to) [,]",
    "(请|请问|请你|帮我|请帮我|麻烦|麻烦你|你能|能否|能不能|可以|我想知道|想知道|我要知道|帮忙|您好|你好)[,]",
)
_POLITE_AFTER = ("[,] (please|thanks|thank you|for me)", "[,](谢谢|谢谢你|好吗|呢|吧|啊|可以吗)")
_END = set(".?!;:,…")
_NEAR = 0.05
_PARTICLES = set("的了是有在个把给被和与请")


@lru_cache(maxsize=1)
def function_words() -> frozenset[tuple[str, ...]]:
    """Give all words that the patterns themselves are made of."""
    patterns = [
        *(rule.pattern for rule in CONDITIONS),
        *(rule.pattern for rule in SENTENCES),
        *(pattern for pattern, _ in DETERMINERS),
        *(pattern for pattern, _ in DATE_PATTERNS),
        *CONNECTORS, *COMPARISON_PATTERNS, *FUNCTION_PATTERNS, *ENTITY_PATTERNS, *_POLITE_BEFORE, *_POLITE_AFTER,
        *DATE_WORDS,
    ]  # fmt: skip
    found = literal_words(patterns)
    latin = {(word,) for words in found for word in words if word.isascii()}
    return frozenset({words for words in found if not words[0].isascii()} | latin)


def parse(task: str, resources: Sequence[Resource], now: datetime) -> Query | Refusal:
    """Understand a task completely, or say what stands in the way.

    `now` is the run's own now in the run's zone; dates in the query are counted from it.
    """
    tokens = _without_politeness(tokenize(task))
    if not tokens:
        return Refusal(reason=Reason("the task holds no words"))
    if "<<" in task:
        return Refusal(words=("<<",))
    reader = Sentences(tokens, resources, now)
    reader.known = _known_places(tokens, function_words() | _superlatives())
    found = list(reader.sentences(0, len(tokens)))
    queries = [one for one in found if not isinstance(one.value, Refusal)]
    if queries:
        return _cheapest(queries)
    if found:
        refusal: Refusal = min(found, key=lambda one: one.cost).value
        return refusal
    return Refusal(words=_unplaced(tokens, reader, resources))


def _without_politeness(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    while tokens and tokens[-1].kind == "mark" and tokens[-1].text in _END:
        tokens = tokens[:-1]
    reader = Reader(tokens)
    start = 0
    while True:
        ends = [found.end for found in reader.read_any(_POLITE_BEFORE, start) if found.end < len(tokens)]
        if not ends:
            break
        start = max(ends)
    tokens = tokens[start:]
    for place in range(len(tokens) - 1, 0, -1):
        if any(found.end == len(tokens) for found in Reader(tokens).read_any(_POLITE_AFTER, place)):
            return _without_politeness(tokens[:place])
    return tokens


def _known_places(tokens: Sequence[Token], words: frozenset[tuple[str, ...]]) -> set[int]:
    longest = max(len(one) for one in words)
    known: set[int] = set()
    for at, token in enumerate(tokens):
        if token.kind == "quoted":
            continue
        for end in range(at + 1, min(at + longest, len(tokens)) + 1):
            text = tuple(one.lower for one in tokens[at:end])
            single_character = len(text) == 1 and token.kind == "cjk"
            if text in words and not single_character:
                known.update(range(at, end))
    return known


@lru_cache(maxsize=1)
def _superlatives() -> frozenset[tuple[str, ...]]:
    words = literal_words([pattern for pattern, _, _ in (*SUPERLATIVES, *COMPARATIVES)])
    return frozenset({*words, *((word,) for one in words for word in one if word.isascii())})


def _measurable(reader: Sentences, resources: Sequence[Resource]) -> set[int]:
    """Give the places of superlatives that measure something here."""
    known: set[int] = set()
    for at in range(len(reader.tokens)):
        for resource in resources:
            for found in reader.superlative(at, {"of": resource}):
                known.update(range(at, found.end))
    return known


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
    return listing.tool.path if listing is not None else type(query).__name__.lower()


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


def _unplaced(tokens: Sequence[Token], reader: Sentences, resources: Sequence[Resource]) -> tuple[str, ...]:
    """Name the words that mean nothing here; where all mean something, those behind the last that fitted."""
    covered = (_known_places(tokens, function_words()) | _measurable(reader, resources)) - _useless(tokens, reader)
    for at in range(len(tokens)):
        covered.update(range(at, at + reader.words.covers(at)))
    unknown = [*_unknown_latin(tokens, covered), *_unknown_chinese(tokens, covered)]
    if unknown:
        return tuple(dict.fromkeys(text for _, text in sorted(unknown)))
    start = min(reader.reader.furthest, len(tokens) - 1)
    marks = [one for at, one in enumerate(tokens[:start]) if one.kind == "id" and not reader.words.covers(at)]
    rest = [*marks, *tokens[start:]]
    if any(token.kind == "cjk" for token in rest):
        return (join_tokens(rest),)
    words = [token.text for token in rest if token.kind != "mark" and token.lower != "'s"]
    return tuple(dict.fromkeys(words)) or (join_tokens(rest),)


def _unknown_latin(tokens: Sequence[Token], covered: set[int]) -> Iterator[tuple[int, str]]:
    """Give plain words that nothing covers; capitals inside a sentence are names, and names may be anything."""
    for at, token in enumerate(tokens):
        word = token.kind == "word" or (token.kind == "id" and not re.search(r"\d", token.text))
        if word and at not in covered and token.lower != "'s" and not (at > 0 and token.capitalised):
            yield at, token.text


def _unknown_chinese(tokens: Sequence[Token], covered: set[int]) -> Iterator[tuple[int, str]]:
    """Give runs of characters that nothing covers; particles end a run, and known words of no use here belong to it."""
    run: list[int] = []
    for at in range(len(tokens) + 1):
        inside = at < len(tokens) and tokens[at].kind == "cjk" and at not in covered
        if inside and tokens[at].text not in _PARTICLES:
            run.append(at)
            continue
        if any((tokens[place].text,) not in function_words() for place in run):
            yield run[0], join_tokens([tokens[place] for place in run])
        run = []


def _useless(tokens: Sequence[Token], reader: Sentences) -> set[int]:
    """Give the places of words that the lexicon knows and the document does not."""
    places: set[int] = set()
    for at in range(len(tokens)):
        for end in range(at + 2, min(at + 5, len(tokens) + 1)):
            word = join_tokens(tokens[at:end])
            if english_of(word) and reader.words.covers(at) < end - at and tuple(word) not in function_words():
                places.update(range(at, end))
    return places
