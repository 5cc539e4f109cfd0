"""Finding the tools that a task takes: by what the document says of them, and by what they need from each other."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from weakref import WeakKeyDictionary

from thinkagent.documents.model import Operation
from thinkagent.tools.search_index import SearchIndex
from thinkagent.tools.search_query import read_query
from thinkagent.tools.search_sources import Sources
from thinkagent.tools.toolset import ToolLine, Toolset

__all__ = ["Hit", "search"]

_BEFORE_NAMES = 3
"""After how many hits it is asked what a name in the query may stand for."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """A tool that a query found."""

    line: ToolLine
    score: float
    """Comparable within one search only."""
    because: str
    """Which words were found where, or for whom this tool provides a value."""


_indexes: WeakKeyDictionary[Toolset, SearchIndex] = WeakKeyDictionary()


def search(toolset: Toolset, query: str, k: int = 8) -> list[Hit]:
    """Rank a document's tools by a query in words; the best `k`, none where no word is found.

    A hit brings along the tools that provide what it requires and the query does not give, right behind it and counted
    in `k`. A verb (`delete`) speaks for a method only among tools that other words found.
    """
    if k <= 0:
        return []
    index = _indexes.get(toolset)
    if index is None:
        index = _indexes[toolset] = _index(toolset)
    read = read_query(query, index.is_known, toolset.cache)
    scores = index.scores(read)
    sources = Sources(toolset, read, scores)
    hits: dict[str, Hit] = {}

    def add(name: str, score: float, because: str) -> None:
        if len(hits) < k and name not in hits:
            hits[name] = Hit(toolset.line(name), round(score, 4), because)

    best = heapq.nsmallest(k, scores, key=lambda name: (-scores[name], name))
    for position, name in enumerate(best):
        if len(hits) >= k:
            break
        score = scores[name]
        add(name, score, index.because(name, read))
        for source, argument, consumer in sources.of(name):
            add(source, score / 2, f"provides {argument} for {consumer}")
        if position == _BEFORE_NAMES - 1:
            for source, argument, consumer in islice(sources.by_name(), _NAMED):
                add(source, score / 2, f"finds by words, provides {argument} for {consumer}")
    return list(hits.values())


def _index(toolset: Toolset) -> SearchIndex:
    rows = toolset.recall("words")
    if rows is not None:
        return SearchIndex.from_rows(rows)
    index = SearchIndex.of(_as_searched(toolset))
    toolset.remember(index.rows, "words")
    return index


def _as_searched(toolset: Toolset) -> Iterator[tuple[str, Operation]]:
    """Give the tools' operations; of several documents, each is found by the title of its own too."""
    several = len(toolset.documents) > 1
    for name in toolset:
        operation, home = toolset.operation(name), toolset.document_of(name)
        title = toolset.documents[home].title or home
        yield name, replace(operation, tags=(*operation.tags, title)) if several else operation
