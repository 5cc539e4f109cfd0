"""Names and sentences as words that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["Words", "name_words", "singular", "split_name", "spoken_words", "stem", "text_words"]

Words = tuple[str, ...]

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_TEXT = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "data": "data",
    "media": "media",
    "news": "news",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "criteria": "criterion",
    "aliases": "alias",
    "movies": "movie",
    "cookies": "cookie",
    "caches": "cache",
}
_DERIVED = (("ation", 4), ("ition", 4), ("ion", 5), ("or", 3), ("er", 4), ("ment", 5))
"""What makes a noun of a verb, and how much is left of it at least."""
_LONGEST_NAME = 500
"""Characters of a name that are read."""
_KEEP_S = ("ss", "us", "is", "ous")


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """Give the singular of an English noun in lower case, as well as rules can."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 and word != "ids":
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "uses")) and not word.endswith("houses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(_KEEP_S):
        return word[:-1]
    return word


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Give what the forms of an English word have in common: orders, ordered, ordering; direct, director, direction."""
    word = singular(word)
    for ending, shortest in _DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            word = word[: -len(ending)]
            break
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and re.search("[aeiouy]", word[: -len(ending)]):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith("ll"):
        word = word[:-1]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def split_name(name: str) -> list[str]:
    """Split a name into its words in lower case: `bulk_deleteMessages`."""
    return [word.lower() for word in _PARTS.findall(name[:_LONGEST_NAME])]


@lru_cache(maxsize=50_000)
def name_words(name: str) -> tuple[str, ...]:
    """Split a name into lower-case singular words: `customerIDs`, `customer-ids`, `customer_ids`."""
    # `customerIDs`: a plural of capitals is one word.
    name = re.sub(r"([A-Z]{2,})s(?![a-z])", r"\1", name[:_LONGEST_NAME])
    return tuple(map(singular, split_name(name)))


def spoken_words(text: str) -> Iterator[tuple[str, str]]:
    """Give the stem and the form of each of a sentence's words; Chinese, Japanese and Korean as pairs of characters."""
    for word in _TEXT.findall(text):
        for run in _CJK.findall(word):
            yield from ((run[at : at + 2],) * 2 for at in range(max(1, len(run) - 1)))
        for part in _CJK.sub(" ", word).split():
            for piece in split_name(part.removesuffix("'s")):
                yield stem(piece), piece


def text_words(text: str) -> list[str]:
    """Give the stems of a sentence's words, as `spoken_words` does."""
    return [found for found, _ in spoken_words(text)]
