"""The words in which APIs speak of pages: fields of an answer, headers, and query parameters of an operation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from thinkagent.tools.model import Tool
from thinkagent.values import Json

__all__ = ["CURSOR_FIELDS", "LINK_FIELDS", "NEXT_HEADERS", "Numbers", "PageParameters", "follow"]

_FRAMES = ("links", "_links", "paging", "pagination", "page_info", "pageInfo", "meta", "info", "response_metadata")
_LINK_NAMES: tuple[str, ...] = (
    "next",
    "@odata.nextLink",
    "odata.nextLink",
    "nextLink",
    "next_link",
    "next_url",
    "nextUrl",
    "next_page_url",
    "nextPageUrl",
    "next_page",
    "nextPage",
)
_CURSOR_NAMES: tuple[str, ...] = (
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "nextToken",
    "next_page",
    "nextPage",
    "next",
    "end_cursor",
    "endCursor",
    "continuation_token",
    "continuationToken",
)

LINK_FIELDS = tuple((name,) for name in _LINK_NAMES) + tuple(
    (frame, name) for frame in _FRAMES for name in ("next", "next_url", "nextUrl")
)
"""Paths of fields that may hold the address of the next page."""
CURSOR_FIELDS = (
    tuple((name,) for name in _CURSOR_NAMES)
    + tuple((frame, name) for frame in _FRAMES for name in _CURSOR_NAMES)
    + (("paging", "cursors", "after"), ("cursors", "after"), ("cursor", "next"))
)
"""Paths of fields that may hold the cursor of the next page."""

NEXT_HEADERS = ("next-page", "x-next-page")
"""Headers that hold the address or the number of the next page."""

_CURSOR_PARAMETERS = (
    "cursor",
    "pagetoken",
    "token",
    "after",
    "startingafter",
    "nexttoken",
    "nextcursor",
    "continuation",
    "continuationtoken",
    "marker",
    "startafter",
    "pagecursor",
    "next",
)
_PAGE_PARAMETERS = ("page", "pagenumber", "pageno", "pagenum", "currentpage")
_OFFSET_PARAMETERS = ("offset", "skip", "startindex", "startat")
_LIMIT_PARAMETERS = ("limit", "perpage", "pagesize", "size", "pagelimit", "maxresults", "top", "count")

_TOTAL = ("total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalelements", "totalhits")
_PAGES = ("pages", "totalpages", "pagecount", "lastpage", "numpages")
_HAS_MORE = ("hasmore", "hasnext", "hasnextpage", "moreavailable", "ismore")
_TOTAL_HEADERS = ("x-total-count", "x-total", "total-records", "total-objects")
_PAGES_HEADERS = ("x-total-pages", "x-page-count")


def follow(value: Json, path: tuple[str, ...]) -> tuple[bool, Json]:
    """Follow keys; gives whether the field is there, and what it holds."""
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return False, None
        value = value[key]
    return True, value


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@dataclass(frozen=True, slots=True)
class PageParameters:
    """The query parameters of an operation that choose a page, by the document's own names."""

    page: str | None = None
    first_page: int = 1
    offset: str | None = None
    limit: str | None = None
    default_limit: int | None = None
    cursors: tuple[str, ...] = ()

    @classmethod
    def of(cls, tool: Tool) -> PageParameters:
        query = [parameter for parameter in tool.operation.parameters if parameter.location == "query"]
        by_word = {_plain(parameter.name): parameter for parameter in reversed(query)}
        page, offset, limit = (
            next((by_word[word] for word in words if word in by_word), None)
            for words in (_PAGE_PARAMETERS, _OFFSET_PARAMETERS, _LIMIT_PARAMETERS)
        )
        starts = [_number(page.schema, word) for word in ("default", "minimum")] if page else []
        return cls(
            page.name if page else None,
            next((start for start in starts if start is not None), 1),
            offset.name if offset else None,
            limit.name if limit else None,
            _number(limit.schema, "default") if limit else None,
            tuple(by_word[word].name for word in _CURSOR_PARAMETERS if word in by_word),
        )

    def taker_of(self, field: str, cursor: Json) -> str | None:
        """Give the parameter that takes a cursor from this field: its namesake, else the likeliest; a page its own."""
        word = _plain(field)
        if self.page is not None and word in ("next", "nextpage", "xnextpage") and str(cursor).isdecimal():
            return self.page
        wanted = (word, word.removeprefix("next"), word.removeprefix("end"))
        return next((name for name in self.cursors if _plain(name) in wanted), next(iter(self.cursors), None))


def _number(schema: object, keyword: str) -> int | None:
    found = schema.get(keyword) if isinstance(schema, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


@dataclass(frozen=True, slots=True)
class Numbers:
    """What an answer counts."""

    total: int | None = None
    pages: int | None = None
    page: int | None = None
    offset: int | None = None
    limit: int | None = None
    has_more: bool | None = None

    @classmethod
    def of(cls, value: Json, headers: Iterable[tuple[str, object]]) -> Numbers:
        facts: dict[str, Json] = {}
        frames = [value, *(value[frame] for frame in (*_FRAMES, "page") if frame in value)] if _is_map(value) else []
        for frame in frames:
            if _is_map(frame):
                for key, item in frame.items():
                    facts.setdefault(_plain(key), item)
        by_header = {name.lower(): item for name, item in headers}
        return cls(
            _first(facts, _TOTAL, by_header, _TOTAL_HEADERS),
            _first(facts, _PAGES, by_header, _PAGES_HEADERS),
            _first(facts, (*_PAGE_PARAMETERS, "number"), by_header, ()),
            _first(facts, _OFFSET_PARAMETERS, by_header, ()),
            _first(facts, _LIMIT_PARAMETERS[:-1], by_header, ()),
            next((facts[word] for word in _HAS_MORE if isinstance(facts.get(word), bool)), None),
        )

    def more_after(self, before: int, count: int) -> bool | None:
        """Say whether there is more after `count` items that follow `before` others."""
        if self.has_more is not None:
            return self.has_more
        return None if self.total is None else before + count < self.total

    def more_after_page(self, nth: int, before: int | None, count: int) -> bool | None:
        """Say whether there is more after the nth page, from 1; `before` counts the items of the pages before it."""
        if self.has_more is not None:
            return self.has_more
        if self.pages is not None:
            return nth < self.pages
        return None if before is None else self.more_after(before, count)


def _is_map(value: Json) -> bool:
    return isinstance(value, Mapping)


def _first(
    facts: Mapping[str, Json], words: Iterable[str], headers: Mapping[str, object], names: Iterable[str]
) -> int | None:
    for word in words:
        found = facts.get(word)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
    for name in names:
        text = headers.get(name)
        if isinstance(text, str) and text.isdecimal() and len(text) < 19:
            return int(text)
    return None
