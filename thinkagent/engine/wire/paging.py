"""Is there another page, and which request reads it?

What the answer says counts, in this order: a link (in the body, in `Link`, in `Next-Page`), a cursor, `has_more`,
numbers (page, pages, total, limit, offset). A link is followed to the same origin only; cursors and numbers go
into query parameters that the operation documents. Pages carry the credentials and headers of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin

from thinkagent.engine.shape import find_items, has_lists
from thinkagent.engine.wire.auth import Target, auth_parts
from thinkagent.engine.wire.holes import Holes, Text
from thinkagent.engine.wire.page_facts import CURSOR_FIELDS, LINK_FIELDS, NEXT_HEADERS, Numbers, PageParameters, follow
from thinkagent.engine.wire.request import WireRequest
from thinkagent.engine.wire.servers import same_origin
from thinkagent.engine.wire.styles import encode_query, scalar_text
from thinkagent.tools.model import Tool
from thinkagent.values import Json, Secret, SecretText, text_parts

__all__ = ["NextPage", "Paging", "more_pages", "next_page", "paging"]

Headers = Iterable[tuple[str, object]]

_LINK = re.compile(r"<([^>]*)>((?:\s*;\s*[^\s;=,]+(?:\s*=\s*(?:\"[^\"]*\"|[^\s;,\"]*))?)*)")
_RELATION = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", re.IGNORECASE)
SEVERAL = "the answer has several lists and a next page, which is not read by itself; ask for it by its own parameters"
_URL_SAFE = "/:@!$&'()*+,;=~%?[]"


@dataclass(frozen=True, slots=True)
class NextPage:
    """The request of the next page."""

    request: WireRequest
    why: str
    """`the body's 'next'`, `page 3 of 7`."""
    is_certain: bool = True
    """False where this page was full and nothing says whether another follows."""


@dataclass(frozen=True, slots=True)
class Paging:
    next: NextPage | None
    more: bool | None
    """True: there are more; False: this was the last; None: nothing tells."""
    note: str = ""


class _Place(NamedTuple):
    """Where a page came from."""

    tool: Tool
    request: WireRequest
    target: Target


def next_page(tool: Tool, request: WireRequest, target: Target, value: object, headers: Headers) -> NextPage | None:
    """Give the request of the next page, or None where there is none that can be made."""
    return paging(tool, request, target, value, headers).next


def more_pages(tool: Tool, request: WireRequest, target: Target, value: object, headers: Headers) -> bool | None:
    """Say whether more pages exist beyond this one; None where nothing tells."""
    return paging(tool, request, target, value, headers).more


def paging(tool: Tool, request: WireRequest, target: Target, value: object, headers: Headers) -> Paging:
    """Read from an answer whether and where it goes on. Only lists have pages, and only a GET is paged."""
    found = find_items(value) if isinstance(value, dict | list) else None
    if tool.method != "GET" or not (found or has_lists(value)):
        return Paging(None, None)
    place = _Place(tool, request, target)
    known = list(headers)
    by_link = _by_link(place, value, known)
    if found is None:
        goes_on = by_link is not None and by_link.more
        return Paging(None, True, SEVERAL) if goes_on else Paging(None, None)
    if by_link is not None and by_link.next is not None:
        return by_link
    numbers = Numbers.of(value, known)
    # An end cursor stands on the last page too.
    by_cursor = None if numbers.has_more is False else _by_cursor(place, value, known)
    by_rest = by_cursor or _by_numbers(place, numbers, len(found[1]))
    if by_rest.next is not None or by_link is None:
        return by_rest
    return by_link if by_rest.more is None else replace(by_rest, note=by_link.note)


def _by_link(place: _Place, value: Json, headers: list[tuple[str, object]]) -> Paging | None:
    ended = False
    for where, link in _links(value, headers):
        if link is None or link == "":
            ended = True
            continue
        request = _linked(place, link)
        if request is None:
            return Paging(None, True, f"{where} leads to another origin and is not followed")
        if request.url != place.request.url:
            return Paging(NextPage(request, where), True)
    return Paging(None, False) if ended else None


def _links(value: Json, headers: list[tuple[str, object]]) -> Iterable[tuple[str, Text | None]]:
    for path in LINK_FIELDS:
        is_there, found = follow(value, path)
        if isinstance(found, Mapping):
            found = found.get("href", found.get("url"))
        if is_there and (found is None or found == "" or _is_link(found)):
            yield f"the body's {'.'.join(path)!r}", found
    for name, content in headers:
        if name.lower() == "link" and isinstance(content, str | SecretText):
            yield from _link_header(content)
        elif name.lower() in NEXT_HEADERS and (content == "" or _is_link(content)):
            yield f"the header {name!r}", content  # type: ignore[misc]


def _is_link(value: object) -> bool:
    if not isinstance(value, str | SecretText):
        return False
    return str(value).startswith(("http://", "https://", "/", "?"))


def _link_header(content: Text) -> Iterable[tuple[str, Text | None]]:
    """RFC 8288. A field that names neighbours but no next page says that this is the last."""
    holes = Holes(content)
    relations: dict[str, str] = {}
    for target, parameters in _LINK.findall(holes.fill(content)):
        relation = _RELATION.search(parameters)
        for word in ((relation[1] or relation[2]) if relation else "").lower().split():
            relations.setdefault(word, target)
    if "next" in relations:
        yield "the header 'Link'", holes.restore(relations["next"])
    elif relations.keys() & {"prev", "previous", "first", "last"}:
        yield "the header 'Link'", None


def _linked(place: _Place, link: Text) -> WireRequest | None:
    """Resolve a link against the page's own address; None where it leaves the origin."""
    holes = Holes(place.request.url, link)
    base = holes.fill(place.request.url)
    try:
        url = urljoin(base, holes.fill(link).strip()).partition("#")[0]
        if not same_origin(url, base) or "@" in url.partition("://")[2].partition("/")[0]:
            return None
    except ValueError:
        return None
    address, _, query = url.partition("?")
    owned = auth_parts(place.tool.operation, place.target).query
    names = {name for name, _ in owned}
    pieces = [piece for piece in query.split("&") if piece and unquote(piece.partition("=")[0]) not in names]
    pieces = [quote(piece, safe=_URL_SAFE) for piece in pieces]
    pieces += [f"{encode_query(name)}={holes.fill(secret)}" for name, secret in owned]
    whole = quote(address, safe=_URL_SAFE) + ("?" + "&".join(pieces) if pieces else "")
    restored = holes.restore(whole)
    own = {secret.name for _, secret in owned} | set(_secret_names(place.request.url))
    spelled = [name for name in dict.fromkeys(_secret_names(link)) if name not in own]
    kept = [name for name in place.request.spelled if name in _secret_names(restored)]
    return replace(place.request, url=restored, spelled=tuple(dict.fromkeys([*kept, *spelled])))


def _secret_names(text: Text) -> list[str]:
    return [part.name for part in text_parts(text) if isinstance(part, Secret)]


def _by_cursor(place: _Place, value: Json, headers: list[tuple[str, object]]) -> Paging | None:
    parameters = PageParameters.of(place.tool)
    for where, field, cursor in _cursors(value, headers):
        if cursor is None or cursor == "":
            return Paging(None, False)
        parameter = parameters.taker_of(field, cursor)
        if parameter is None:
            return Paging(None, True, f"{where} names a next page, but the operation documents no parameter for it")
        text = scalar_text(cursor)
        request = _with_query(place.request, {parameter: text}) if text is not None else place.request
        if request.url != place.request.url:
            return Paging(NextPage(request, where), True)
    return None


def _cursors(value: Json, headers: list[tuple[str, object]]) -> Iterable[tuple[str, str, Json]]:
    for path in CURSOR_FIELDS:
        is_there, found = follow(value, path)
        if is_there and not isinstance(found, bool | dict | list) and not _is_link(found):
            yield f"the body's {'.'.join(path)!r}", path[-1], found
    for name, content in headers:
        if name.lower() in NEXT_HEADERS and isinstance(content, str) and not _is_link(content):
            yield f"the header {name!r}", name, content


def _by_numbers(place: _Place, numbers: Numbers, count: int) -> Paging:
    parameters = PageParameters.of(place.tool)
    sent = _query_numbers(place.request.url)
    limit = sent.get(parameters.limit or "") or numbers.limit or parameters.default_limit
    if parameters.page is not None:
        page = _known(sent.get(parameters.page), numbers.page, parameters.first_page)
        before = (page - parameters.first_page) * limit if limit else 0 if page == parameters.first_page else None
        more = numbers.more_after_page(page - parameters.first_page + 1, before, count)
        why = f"page {page + 1}" + (f" of {numbers.pages}" if numbers.pages is not None else "")
        return _stepped(place, {parameters.page: str(page + 1)}, why, more, count, limit)
    offset = _known(sent.get(parameters.offset or ""), numbers.offset, 0)
    more = numbers.more_after(offset, count)
    if parameters.offset is None:
        return Paging(None, more)
    return _stepped(place, {parameters.offset: str(offset + count)}, f"from {offset + count}", more, count, limit)


def _known(*numbers: int | None) -> int:
    return next(number for number in numbers if number is not None)


def _stepped(
    place: _Place, query: dict[str, str], why: str, more: bool | None, count: int, limit: int | None
) -> Paging:
    if more is None and (count == 0 or (limit is not None and count < limit)):
        more = False
    if more is False or (more is None and limit is None) or count == 0:
        return Paging(None, more)
    request = _with_query(place.request, dict(query))
    return Paging(NextPage(request, why, is_certain=more is True), more)


def _query_numbers(url: Text) -> dict[str, int]:
    pairs = (piece.partition("=") for piece in str(url).partition("?")[2].split("&"))
    return {unquote(name): int(value) for name, _, value in pairs if value.isdecimal() and len(value) < 19}


def _with_query(request: WireRequest, values: Mapping[str, Text]) -> WireRequest:
    """Put query parameters in the place of those of their names, or at the end."""
    holes = Holes(request.url, *values.values())
    address, _, query = holes.fill(request.url).partition("?")
    left = {name: f"{encode_query(name)}={holes.fill(encode_query(value))}" for name, value in values.items()}
    pieces = []
    for piece in filter(None, query.split("&")):
        name = unquote(piece.partition("=")[0])
        if name not in values:
            pieces.append(piece)
        elif name in left:
            pieces.append(left.pop(name))
    return replace(request, url=holes.restore("?".join([address, "&".join([*pieces, *left.values()])])))
