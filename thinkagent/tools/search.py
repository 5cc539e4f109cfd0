"""Finding tools by words: BM25F over what the document says of its operations."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from thinkagent.documents.model import Operation
from thinkagent.tools.fields import body_properties
from thinkagent.tools.media import choose_body
from thinkagent.tools.pool import Pool
from thinkagent.tools.text import plain_text
from thinkagent.tools.toolset import ToolLine, Toolset
from thinkagent.tools.words import name_words, spoken_words, stem, text_words

__all__ = ["Hit", "search"]

MAX_QUERY = 2000
"""Characters of a query that are read."""
MAX_LED = 3
"""How many of the best hits bring the tools along that provide what they need."""

_K1 = 1.2
_B = 0.6
_WEIGHTS = {"name": 3.0, "summary": 2.5, "path": 2.0, "tags": 1.5, "arguments": 0.8, "description": 0.6}
_BONUS = 1.4
_MALUS = 0.3
"""For what changes something, where a question is asked: it can hold the very words and still answer nothing."""
_LISTING = 1.1
"""For what gives many things at once, where many are asked about."""

_STOPWORD_TEXT = """
a about after again all am an and any are as at be been before being both but by can could did do does doing down each
either every few for from further had has have having he her here hers him his how i if in into is it its itself just
let many may me more most much must my never no nor not now of off on once one only or other our out over own per please
same shall she should so some such than that the their them then there these they this those through to too under until
up upon us very was we were what when where whether which while who whom whose why will with without would you your
"""
_STOPWORDS = frozenset(stem(word) for word in _STOPWORD_TEXT.split())

_VERB_TEXTS = {
    "read": "list show find get fetch search read look display count view retrieve lookup check",
    "create": "create add new make issue register insert post invite send submit place book",
    "change": "update change set modify edit rename replace patch move adjust correct",
    "delete": "delete remove cancel drop destroy erase revoke clear purge",
}
_VERBS = {kind: frozenset(map(stem, words.split())) for kind, words in _VERB_TEXTS.items()}
_METHODS = {
    "read": frozenset({"GET", "HEAD", "QUERY"}),
    "create": frozenset({"POST", "PUT"}),
    "change": frozenset({"PUT", "PATCH", "POST"}),
    "delete": frozenset({"DELETE"}),
}
_CJK_VERBS = {
    "read": "列出|查询|查看|查找|获取|显示|搜索|多少|统计|一覧|取得|検索|表示|조회|검색|목록",
    "create": "创建|新建|新增|添加|增加|发放|发送|注册|下单|作成|追加|登録|送信|생성|추가|등록",
    "change": "修改|更新|更改|编辑|设置|改名|変更|更新|編集|수정|변경|업데이트",
    "delete": "删除|移除|取消|清除|撤销|削除|取り消し|삭제|제거|취소",
}
_QUESTION = re.compile(
    r"^\s*(?:what|which|who|whose|how|when|where|is|are|do|does|did|has|have|was|were|count|total|average|number)\b|[?？]\s*$",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^\s*(?:please|(?:can|could|would|will)\s+(?:you|we|i))\b", re.IGNORECASE)
"""What makes an order sound like a question."""
_MANY = re.compile(
    r"\b(?:how\s+(?:many|much)|which|number\s+of|count|total|sum|average|most|least|all|every|each)\b|多少|几|所有|全部",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A tool that a query found."""

    line: ToolLine
    score: float
    """Comparable within one search only."""
    because: str
    """Which words were found where, or for whom this tool provides a value."""


class _Entry(NamedTuple):
    name: str
    method: str
    reads: bool
    """By its method, or by the verb that its name begins with."""
    is_of_one: bool
    """Whether its path says which one thing it is about."""
    fields: Mapping[str, Counter[str]]


_indexes: WeakKeyDictionary[Toolset, _Index] = WeakKeyDictionary()


def search(toolset: Toolset, query: str, k: int = 8) -> list[Hit]:
    """Rank a document's tools by a query in words; the best `k`, none where no word is found.

    The best hits bring along the tools that provide what they require, right behind them and counted in `k`. A verb
    (`delete`) speaks for a method only among tools that other words found.
    """
    if k <= 0:
        return []
    index = _indexes.get(toolset)
    if index is None:
        index = _indexes[toolset] = _Index(toolset)
    ranked = index.rank(query[:MAX_QUERY])
    hits: dict[str, Hit] = {}
    for position, (name, score, because) in enumerate(ranked):
        if len(hits) >= k:
            break
        hits.setdefault(name, Hit(toolset.line(name), round(score, 4), because))
        for producer, argument in _producers(toolset, name) if position < MAX_LED else ():
            if len(hits) < k and producer not in hits:
                reason = f"provides {argument} for {name}"
                hits[producer] = Hit(toolset.line(producer), round(score / 2, 4), reason)
    return list(hits.values())


def _producers(toolset: Toolset, name: str) -> Iterator[tuple[str, str]]:
    """Give the likeliest provider of each argument that a tool requires."""
    operation = toolset.operation(name)
    required = {parameter.name for parameter in operation.parameters if parameter.required}
    needs = toolset.graph.needs(name)
    for argument, producers in needs.items():
        if argument in required or argument.startswith("body.") or argument.partition("_")[2] in required:
            yield producers[0], argument


class _Index:
    """Word counts of every tool, by field; made from operations, no schema is built."""

    def __init__(self, toolset: Toolset) -> None:
        self._entries = [_entry(name, toolset.operation(name)) for name in toolset]
        self._lengths = {
            field: sum(entry.fields[field].total() for entry in self._entries) / (len(self._entries) or 1) or 1.0
            for field in _WEIGHTS
        }
        self._holders: dict[str, list[int]] = {}
        for number, entry in enumerate(self._entries):
            for word in {word for counts in entry.fields.values() for word in counts}:
                self._holders.setdefault(word, []).append(number)

    def rank(self, query: str) -> list[tuple[str, float, str]]:
        """Give (name, score, because), best first; equal scores by name."""
        words: dict[str, str] = {}
        for word, spoken in spoken_words(query):
            if word not in _STOPWORDS:
                words.setdefault(word, spoken)
        scores: dict[int, float] = {}
        for word in words:
            holders = self._holders.get(word, ())
            rarity = math.log(1 + (len(self._entries) - len(holders) + 0.5) / (len(holders) + 0.5))
            for number in holders:
                scores[number] = scores.get(number, 0.0) + rarity * self._weight(self._entries[number], word)
        wanted = _wanted(query, words)
        found = []
        for number, score in scores.items():
            entry = self._entries[number]
            found.append((entry.name, score * _factor(entry, wanted, query), _because(entry, words)))
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def _weight(self, entry: _Entry, word: str) -> float:
        """BM25F: the field's counts, weighted and normalised by length, saturate together."""
        frequency = 0.0
        for field, weight in _WEIGHTS.items():
            counts = entry.fields[field]
            if word in counts:
                frequency += weight * counts[word] / (1 - _B + _B * counts.total() / self._lengths[field])
        return frequency * (_K1 + 1) / (frequency + _K1)


def _entry(name: str, operation: Operation) -> _Entry:
    body = operation.request_body
    media = choose_body(body).media if body is not None else None
    names = [parameter.name for parameter in operation.parameters]
    names += body_properties(media.schema, Pool()) if media is not None else ()
    spoken = name if not operation.operation_id else operation.operation_id
    first = next(iter(text_words(" ".join(name_words(spoken)))), "")
    return _Entry(
        name,
        operation.method,
        operation.method in _METHODS["read"] or first in _VERBS["read"],
        "{" in operation.path,
        {
            "name": _counted([spoken]),
            "summary": Counter(text_words(plain_text(operation.summary, 500))),
            "path": _counted(operation.path.split("/")),
            "tags": Counter(word for tag in operation.tags for word in text_words(tag)),
            "arguments": _counted(names),
            "description": Counter(text_words(plain_text(operation.description, 2000))),
        },
    )


def _counted(names: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name in names:
        # Names in other scripts have no words of their own: they count as text does.
        found.update(text_words(name) if not name.isascii() else [stem(word) for word in name_words(name)])
    return found


def _wanted(query: str, words: Iterable[str]) -> str:
    """Say what a query asks for: a question for an answer, an order by its first verb; empty where neither is seen."""
    if _QUESTION.search(query) and not _POLITE.search(query):
        return "answer"
    for word in words:
        for kind, verbs in _VERBS.items():
            if word in verbs:
                return kind
    return next((kind for kind, pattern in _CJK_VERBS.items() if re.search(pattern, query)), "")


def _factor(entry: _Entry, wanted: str, query: str) -> float:
    """Say how well a tool's effect fits what is asked for."""
    if wanted != "answer":
        return _BONUS if entry.method in _METHODS.get(wanted, ()) else 1.0
    if not entry.reads:
        return _MALUS
    return _BONUS * (_LISTING if _MANY.search(query) and not entry.is_of_one else 1.0)


def _because(entry: _Entry, words: Mapping[str, str]) -> str:
    places: dict[str, list[str]] = {}
    for word, spoken in words.items():
        field = next((field for field in _WEIGHTS if word in entry.fields[field]), None)
        if field is not None:
            places.setdefault(field, []).append(spoken)
    return "; ".join(f"{field}: {', '.join(found)}" for field, found in places.items())
