"""Why a task is not understood: words that are strange here, or known words that fit into no sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from thinkagent.minds.offline.function_words import function_words, known_places
from thinkagent.minds.offline.lexicon.concepts import english_of
from thinkagent.minds.offline.query import Refusal
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.sentences import Sentences
from thinkagent.minds.offline.texts import MEASURES
from thinkagent.minds.offline.words import Token, join_tokens, root, split_name
from thinkagent.tools.model import Tool

__all__ = ["not_understood", "told_words"]

_PARTICLES = set("的了是有在个把给被和与请")


def not_understood(
    tokens: Sequence[Token], reader: Sentences, resources: Sequence[Resource], told: frozenset[str]
) -> Refusal:
    """Name the words that are strange here; where none is, those behind the last that fitted, none for the whole."""
    covered = (known_places(tokens, function_words()) | _measurable(reader, resources)) - _useless(tokens, reader)
    for at in range(len(tokens)):
        covered.update(range(at, at + reader.words.covers(at)))
    found = sorted([*_unknown_latin(tokens, covered), *_unknown_chinese(tokens, covered)])
    unknown = list(dict.fromkeys(text for _, text in found))
    strange = [word for word in unknown if root(word.lower()) not in told]
    if strange:
        return Refusal(words=tuple(strange))
    return Refusal(words=_behind(tokens, reader), known=True)


def _behind(tokens: Sequence[Token], reader: Sentences) -> tuple[str, ...]:
    furthest = min(reader.reader.furthest, len(tokens) - 1)
    whole = [at for at in range(furthest) if at + reader.words.covers(at) > furthest]
    start = min([furthest, *whole])
    marks = [one.text for at, one in enumerate(tokens[:start]) if one.kind == "id" and not reader.words.covers(at)]
    return tuple(dict.fromkeys([*marks, join_tokens(tokens[start:])]))


def told_words(tools: Iterable[Tool]) -> frozenset[str]:
    """Give the roots of all words by which a document tells of its operations."""
    texts = [
        text for one in tools for text in (one.name, one.path, one.summary, *(arg.wire_name for arg in one.arguments))
    ]
    return frozenset(root(word) for text in texts for word in split_name(text))


def _unknown_latin(tokens: Sequence[Token], covered: set[int]) -> Iterator[tuple[int, str]]:
    """Give plain words that nothing covers; capitals inside a sentence are names, and names may be anything."""
    chinese = any(token.kind == "cjk" for token in tokens)
    for at, token in enumerate(tokens):
        word = token.kind == "word" or (token.kind == "id" and not re.search(r"\d", token.text))
        named = token.capitalised and (at > 0 or chinese)
        if word and at not in covered and token.lower != "'s" and not named:
            yield at, token.text


def _unknown_chinese(tokens: Sequence[Token], covered: set[int]) -> Iterator[tuple[int, str]]:
    """Give runs of characters that nothing covers; particles end a run, and known words of no use here belong to it."""
    run: list[int] = []
    for at in range(len(tokens) + 1):
        inside = at < len(tokens) and tokens[at].kind == "cjk" and at not in covered
        if inside and tokens[at].text not in _PARTICLES:
            run.append(at)
            continue
        counted = len(run) > 1 and run[0] > 0 and tokens[run[0] - 1].text in "少几" and tokens[run[0]].text in MEASURES
        run = run[1:] if counted else run
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


def _measurable(reader: Sentences, resources: Sequence[Resource]) -> set[int]:
    """Give the places of superlatives that measure something here."""
    known: set[int] = set()
    for at in range(len(reader.tokens)):
        for resource in resources:
            for found in reader.superlative(at, {"of": resource}):
                known.update(range(at, found.end))
    return known
