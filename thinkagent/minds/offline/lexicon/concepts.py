"""Which words of general language mean the same thing, in English and Chinese.

A concept is a pair of lists in `concepts.json`; within a list the nearest word stands first. It is what a
dictionary of commerce, office and computing says, and nothing about any one API.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from thinkagent.minds.offline.words import is_cjk, root, singular
from thinkagent.values import read_json

__all__ = ["chinese_of", "concept_distance", "english_of", "root_phrase"]


def root_phrase(text: str) -> str:
    """Give the roots of all words of an English phrase."""
    return " ".join(root(singular(word)) for word in text.split())


@lru_cache(maxsize=1)
def _concepts() -> dict[str, dict[int, int]]:
    """Word or phrase to the concepts it belongs to, each with the word's place in its list."""
    groups = read_json(files(__package__).joinpath("concepts.json").read_bytes())
    known: dict[str, dict[int, int]] = {}
    for number, languages in enumerate(groups):
        for words in languages:
            for place, word in enumerate(words):
                known.setdefault(word if is_cjk(word[0]) else root_phrase(word), {}).setdefault(number, place)
    return known


@lru_cache(maxsize=1)
def _english() -> dict[str, str]:
    groups = read_json(files(__package__).joinpath("concepts.json").read_bytes())
    found: dict[str, str] = {}
    for english, chinese in groups:
        for word in chinese:
            found.setdefault(word, english[0])
    return found


def english_of(word: str) -> str:
    """Give the first English word for a Chinese one; empty where the lexicon has none."""
    return _english().get(word, "")


@lru_cache(maxsize=1)
def _nouns() -> dict[str, str]:
    groups = read_json(files(__package__).joinpath("concepts.json").read_bytes())
    found: dict[str, str] = {}
    for english, chinese in groups:
        for word in english:
            found.setdefault(word, chinese[0])
    return found


def chinese_of(word: str) -> str:
    """Give the first Chinese word for an English one; empty where the lexicon has none."""
    return _nouns().get(word, "")


@lru_cache(maxsize=65536)
def concept_distance(asked: str, known: str) -> int | None:
    """Say how far a word of the document lies from a word of the task, from 0; None where they share no concept."""
    concepts = _concepts()
    mine = concepts.get(asked if is_cjk(asked[:1] or " ") else root_phrase(asked))
    theirs = concepts.get(known if is_cjk(known[:1] or " ") else root_phrase(known))
    if not mine or not theirs:
        return None
    shared = [theirs[number] for number in mine if number in theirs]
    return min(shared) if shared else None
