"""From the tools on the page to resources: paths, schemas of answers and bodies, names of parameters.

A resource is a path that lists things (`/books`), with the operations of one thing below it (`/books/{id}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from thinkagent.minds.offline.fields import Field, Name, deref, fields_of, object_of, properties, types_of
from thinkagent.minds.offline.relations import relations_of
from thinkagent.minds.offline.resources import ITEM_KEYS, ItemTool, Listing, Resource
from thinkagent.minds.offline.words import is_cjk, singular, split_name
from thinkagent.minds.offline.wrappers import Wrapped, list_in_schema, noun_of
from thinkagent.tools.model import Tool

__all__ = ["read_resources"]

_GENERIC = {"items", "records", "entries", "features", "rows", "documents", "docs", "elements", "objects", "data"}
"""Names of a path that say only that the one before it is a list."""
_GENERIC_ONE = {singular(word) for word in _GENERIC}
_PAGING = {"limit", "offset", "page", "per_page", "perpage", "page_size", "pagesize", "page_limit", "cursor", "skip",
           "start", "after"}  # fmt: skip
_VERBS = {
    "list", "get", "find", "search", "fetch", "query", "read", "index", "all", "show", "retrieve", "browse", "lookup",
    "filter", "many", "view",
}  # fmt: skip
_EMPTY_TITLES = {
    "data", "item", "object", "schema", "response", "result", "record", "resource", "entity", "model", "body",
    "payload", "dto", "out", "read", "public", "base", "list",
}  # fmt: skip


def segments(path: str) -> list[str]:
    return [part for part in path.strip("/").split("/") if part]


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{") and segment.endswith("}") and segment.count("{") == 1


def _key(parts: Iterable[str], document: str) -> tuple[str, ...]:
    """Give the key of a path's resource; of several documents each has its own, whatever the paths."""
    names = ("{}" if _is_parameter(part) else " ".join(noun_of(part)) for part in parts)
    return (f"{document}:", *names) if document else tuple(names)


def _argument(tool: Tool, segment: str) -> str:
    wire = segment[1:-1]
    return next((one.name for one in tool.arguments if one.location == "path" and one.wire_name == wire), wire)


def _parents(tool: Tool, parts: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (_argument(tool, part), _key(parts[:place], tool.document))
        for place, part in enumerate(parts)
        if _is_parameter(part)
    )


def read_resources(tools: Iterable[Tool]) -> tuple[Resource, ...]:
    """Read what resources the tools offer, in an order that does not depend on the order of the tools."""
    ordered = sorted({tool.name: tool for tool in tools}.values(), key=lambda tool: (tool.path, tool.method, tool.name))
    usable = [tool for tool in ordered if _plain_path(tool.path)]
    found: list[Resource] = []
    for document in sorted({tool.document for tool in usable}):
        found += _of_document([tool for tool in usable if tool.document == document], document)
    resources = tuple(found)
    for resource in resources:
        resource.relations.extend(relations_of(resource, resources))
    return resources


def _of_document(tools: Sequence[Tool], document: str) -> Iterable[Resource]:
    drafts: dict[tuple[str, ...], Resource] = {}
    paths = _Paths(tools, document)
    for tool in tools:
        _read_listing(tool, drafts, paths)
    for tool in tools:
        _read_single(tool, drafts, paths)
    resources = _merge_nested(drafts)
    if not document:
        return resources
    words = tuple(map(singular, split_name(document)))
    # What several documents have is told apart as the documents are: kennel dogs.
    return [replace(one, names=(*one.names, ((*words, *one.words), 0.0)), document=document) for one in resources]


def _plain_path(path: str) -> bool:
    return all(("{" not in part and "}" not in part) or _is_parameter(part) for part in segments(path))


def _read_listing(tool: Tool, drafts: dict[tuple[str, ...], Resource], paths: _Paths) -> None:
    parts = segments(tool.path)
    if tool.method != "GET" or not parts or _is_parameter(parts[-1]):
        return
    if split_name(parts[-1]) and split_name(parts[-1])[0] in _VERBS:
        parts = parts[:-1]
    if not parts or _is_parameter(parts[-1]):
        return
    named = paths.named(parts)
    found = list_in_schema(tool.result, noun_of(named[-1]))
    untold = found is None
    if found is None:
        plainly = _is_plural(named[-1]) and not paths.has_items(parts)
        if not _says_nothing(tool) or "{" in tool.path or not (paths.has_one(parts) or _pages(tool) or plainly):
            return
        found = Wrapped((), {}, "", noun_of(named[-1]))
    key = _key(parts, tool.document)
    listing = Listing(tool, found.pointer, _parents(tool, parts), untold, paths.has_one(parts) or _pages(tool))
    known = drafts.get(key)
    if known is not None:
        drafts[key] = replace(known, listings=(*known.listings, listing))
        return
    root_schema = tool.result if isinstance(tool.result, Mapping) else {}
    whole = {**deref(found.items, root_schema), "$defs": root_schema.get("$defs", {})}
    fields = fields_of(whole, found.noun)
    drafts[key] = Resource(key, found.noun, _names(found.noun, found.title, tool), (listing,), fields)


def _says_nothing(tool: Tool) -> bool:
    """Say whether the document leaves open how an answer looks."""
    if not isinstance(tool.result, Mapping):
        return True
    whole = deref(tool.result, tool.result)
    composed = any(word in whole for word in ("oneOf", "anyOf", "enum", "const"))
    return not properties(whole) and not composed and types_of(whole) <= {"object"}


def _pages(tool: Tool) -> bool:
    return any(one.location == "query" and one.wire_name.lower() in _PAGING for one in tool.arguments)


def _is_plural(segment: str) -> bool:
    words = split_name(segment)
    return bool(words) and words[-1] != singular(words[-1])


class _Paths:
    """What the paths of a document say of each other."""

    def __init__(self, tools: Iterable[Tool], document: str) -> None:
        self._document = document
        self._known = {(tool.method, self._key(segments(tool.path))) for tool in tools}

    def _key(self, parts: Iterable[str]) -> tuple[str, ...]:
        return _key(parts, self._document)

    def has_one(self, parts: list[str]) -> bool:
        """Say whether one of what a path lists can be read."""
        return ("GET", (*self._key(parts), "{}")) in self._known

    def has_items(self, parts: list[str]) -> bool:
        """Say whether what a path names is listed below it, under a name that says no more: `/stations/items`."""
        return any(("GET", (*self._key(parts), name)) in self._known for name in _GENERIC_ONE)

    def named(self, parts: list[str]) -> list[str]:
        """Give a path up to the name of what it lists: `/stations/items` lists stations.

        Not so where the path above is the stations' own, with one of them below it or a new one posted to it.
        """
        if len(parts) < 2 or parts[-1].lower() not in _GENERIC or _is_parameter(parts[-2]) or not _is_plural(parts[-2]):
            return parts
        above = self._key(parts[:-1])
        own = ("POST", above) in self._known or any(key == (*above, "{}") for _, key in self._known)
        return parts if own else parts[:-1]


def _names(words: tuple[str, ...], title: str, tool: Tool) -> tuple[Name, ...]:
    names: list[Name] = [(words, 0.0)]
    titled = tuple(singular(word) for word in split_name(title) if singular(word) not in _EMPTY_TITLES)
    if titled and titled != words:
        names.append((titled, 0.2))
    called = split_name(tool.operation.operation_id or "")
    if len(called) > 1 and called[0] in _VERBS:
        rest = tuple(singular(word) for word in called[1:] if word not in _VERBS)
        if rest and rest not in (words, titled) and "by" not in rest and len(rest) <= 3:
            names.append((rest, 0.3))
    for text in (*tool.operation.tags, tool.summary):
        plain = text.strip()
        for affix in ("列出", "获取", "查询", "所有", "全部", "列表", "管理", "的"):
            plain = plain.removeprefix(affix).removesuffix(affix)
        if plain and len(plain) <= 6 and all(is_cjk(char) for char in plain):
            names.append(((plain,), 0.0))
    return tuple(names)


def _read_single(tool: Tool, drafts: dict[tuple[str, ...], Resource], paths: _Paths) -> None:
    parts = segments(tool.path)
    if not parts:
        return
    key = _key(parts, tool.document)
    if key in drafts and not _is_parameter(parts[-1]):
        if tool.method == "POST" and drafts[key].create is None:
            drafts[key] = replace(drafts[key], create=tool, create_parents=_parents(tool, parts))
        return
    if _is_parameter(parts[-1]) and len(parts) > 1:
        _read_item(tool, parts, drafts, paths)
    elif len(parts) > 2 and _is_parameter(parts[-2]) and tool.effect != "read":
        _read_action(tool, parts, drafts)


def _read_item(tool: Tool, parts: list[str], drafts: dict[tuple[str, ...], Resource], paths: _Paths) -> None:
    base = _key(parts[:-1], tool.document)
    if _is_parameter(parts[-2]):
        return
    words = noun_of(paths.named(parts[:-1])[-1])
    draft = drafts.get(base) or Resource(base, words, _names(words, "", tool))
    one = ItemTool(
        tool, _argument(tool, parts[-1]), parts[-1][1:-1], _parents(tool, parts[:-1]), _own_verbs(tool, words)
    )
    if tool.method == "GET" and draft.get is None:
        pointer, details = _item_shape(tool, words, draft.fields)
        draft = replace(draft, get=one, item_pointer=pointer, details=details)
    elif tool.method == "PUT" and draft.put is None:
        draft = replace(draft, put=one)
    elif tool.method == "PATCH" and draft.patch is None:
        draft = replace(draft, patch=one)
    elif tool.method == "DELETE" and draft.delete is None:
        draft = replace(draft, delete=one)
    drafts[base] = draft


def _item_shape(
    tool: Tool, words: tuple[str, ...], listed: tuple[Field, ...]
) -> tuple[tuple[str, ...], tuple[Field, ...]]:
    if not isinstance(tool.result, Mapping):
        return (), ()
    whole = deref(tool.result, tool.result)
    pointer: tuple[str, ...] = ()
    known = {one.path for one in listed}
    shared = _shared(whole, known)
    for name in (*ITEM_KEYS, "_".join(words), "".join(words)):
        inner = object_of(properties(whole).get(name), tool.result)
        # a frame may share `meta` or `links` with what it frames
        if "object" in types_of(inner) and _shared(inner, known) >= shared and (name,) not in known:
            pointer, whole = (name,), inner
            break
    found = fields_of({**whole, "$defs": tool.result.get("$defs", {})}, words)
    return pointer, tuple(one for one in found if one.path not in known)


def _shared(schema: Mapping[str, object], known: set[tuple[str, ...]]) -> int:
    return sum((name,) in known for name in properties(schema))


def _own_verbs(tool: Tool, words: tuple[str, ...]) -> tuple[str, ...]:
    called = split_name(tool.operation.operation_id or "") or split_name(tool.summary)[:1]
    generic = {
        "delete",
        "remove",
        "destroy",
        "update",
        "put",
        "patch",
        "get",
        "edit",
        "modify",
        "replace",
        "api",
        "read",
    }
    verb = called[0] if called else ""
    known = verb in generic or singular(verb) in words or verb in _VERBS or verb == ""
    return () if known or not split_name(tool.operation.operation_id or "") else (verb,)


def _read_action(tool: Tool, parts: list[str], drafts: dict[tuple[str, ...], Resource]) -> None:
    base = _key(parts[:-2], tool.document)
    if base not in drafts or tool.method not in ("POST", "PUT", "PATCH"):
        return
    verbs = split_name(parts[-1])
    if len(verbs) != 1 or _key(parts, tool.document) in drafts:
        return
    one = ItemTool(tool, _argument(tool, parts[-2]), parts[-2][1:-1], _parents(tool, parts[:-2]), verbs)
    drafts[base] = replace(drafts[base], actions=(*drafts[base].actions, one))


def _merge_nested(drafts: Mapping[tuple[str, ...], Resource]) -> tuple[Resource, ...]:
    """Let `/parks/{id}/trails` be one more way to list what `/trails` lists."""
    flat = {key: draft for key, draft in drafts.items() if "{}" not in key and draft.listings}
    merged_away: set[tuple[str, ...]] = set()
    result = dict(drafts)
    for key, draft in drafts.items():
        homes = [home for home in flat if home[-1] == key[-1] and home != key]
        if "{}" in key and len(homes) == 1:
            home = homes[0]
            result[home] = replace(result[home], listings=(*result[home].listings, *draft.listings))
            merged_away.add(key)
    return tuple(resource for key, resource in sorted(result.items()) if key not in merged_away)
