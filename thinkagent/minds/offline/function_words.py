"""The words that the patterns themselves are made of: what a task may say besides the words of the document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from thinkagent.minds.offline.conditions import CONDITIONS
from thinkagent.minds.offline.dates import DATE_PATTERNS, DATE_WORDS
from thinkagent.minds.offline.patterns import literal_words
from thinkagent.minds.offline.sentences import FUNCTION_PATTERNS, SENTENCES
from thinkagent.minds.offline.superlatives import COMPARATIVES, SUPERLATIVES
from thinkagent.minds.offline.terms import COMPARISON_PATTERNS, ENTITY_PATTERNS
from thinkagent.minds.offline.things import CONNECTORS, DETERMINERS
from thinkagent.minds.offline.words import Token

__all__ = ["POLITE_AFTER", "POLITE_BEFORE", "function_words", "known_places", "superlative_words"]

POLITE_BEFORE = (
    "(please|kindly|hi|hello|hey|could you|can you|would you|will you|i want to know)",
    "(i would like to know|i'd like to know)",
    "(i need to know|do you know|can you tell me|could you tell me|i would like you to|i want you to) [,]",
    "(请|请问|请你|帮我|请帮我|麻烦|麻烦你|你能|能否|能不能|可以|我想知道|想知道|我要知道|帮忙|您好|你好)[,]",
)
POLITE_AFTER = ("[,] (please|thanks|thank you|for me)", "[,](谢谢|谢谢你|好吗|呢|吧|啊|可以吗)")


@lru_cache(maxsize=1)
def function_words() -> frozenset[tuple[str, ...]]:
    """Give all words that the patterns themselves are made of."""
    patterns = [
        *(rule.pattern for rule in CONDITIONS),
        *(rule.pattern for rule in SENTENCES),
        *(pattern for pattern, _ in DETERMINERS),
        *(pattern for pattern, _ in DATE_PATTERNS),
        *CONNECTORS, *COMPARISON_PATTERNS, *FUNCTION_PATTERNS, *ENTITY_PATTERNS, *POLITE_BEFORE, *POLITE_AFTER,
        *DATE_WORDS,
    ]  # fmt: skip
    found = literal_words(patterns)
    latin = {(word,) for words in found for word in words if word.isascii()}
    return frozenset({words for words in found if not words[0].isascii()} | latin)


def known_places(tokens: Sequence[Token], words: frozenset[tuple[str, ...]]) -> set[int]:
    """Give the places of the tokens that are among some words; a single Chinese character is none."""
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
def superlative_words() -> frozenset[tuple[str, ...]]:
    """Give the words of superlatives and comparatives."""
    words = literal_words([pattern for pattern, _, _ in (*SUPERLATIVES, *COMPARATIVES)])
    return frozenset({*words, *((word,) for one in words for word in one if word.isascii())})
