"""The resources of an API: what can be listed, read, made, changed and removed, and how they hang together.

Everything is read from the tools on the page: paths, schemas of answers and bodies, names of parameters. A resource
is a path that lists things (`/customers`), with the operations of one thing below it (`/customers/{id}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkagent.minds.offline.fields import Field, Name, deref, fields_of, properties, types_of
from thinkagent.minds.offline.lexicon.concepts import concept_distance
from thinkagent.minds.offline.words import is_cjk, singular, split_name
from thinkagent.tools.model import Tool

__all__ = ["CODE_WORDS", "NAME_WORDS", "ItemTool", "Listing", "Relation", "Resource", "read_resources"]

NAME_WORDS = ("name", "title", "label", "subject", "heading", "username", "login", "email", "nickname")
CODE_WORDS = (
    "id",
    "sku",
    "slug",
    "code",
    "isbn",
    "key",
    "symbol",
    "number",
    "reference",
    "ref",
    "uuid",
    "barcode",
    "ean",
)
_ID_ENDINGS = {"id", "uuid", "key", "ref", "slug", "isbn", "number", "code"}
_LIST_KEYS = ("data", "items", "results", "records", "entries", "values", "content", "rows", "list", "features", "docs")
_ITEM_KEYS = ("data", "result", "item", "attributes", "record", "payload")
_VERBS = {
    "list", "get", "find", "search", "fetch", "query", "read", "index", "all", "show", "retrieve", "browse", "lookup",
    "filter", "many", "view",
}  # fmt: skip
_EMPTY_TITLES = {
    "data", "item", "object", "schema", "response", "result", "record", "resource", "entity", "model", "body",
    "payload", "dto", "out", "read", "public", "base", "list",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Listing:
    """An operation that gives many: where the list lies in its answer, and which path arguments it needs."""

    tool: Tool
    pointer: tuple[str, ...]
    parents: tuple[tuple[str, tuple[str, ...]], ...]
    """Path arguments with the key of the resource that each identifies."""


@dataclass(frozen=True, eq=False)
class ItemTool:
    """An operation on one thing, by its identifier in the path."""

    tool: Tool
    argument: str
    wire_name: str
    parents: tuple[tuple[str, tuple[str, ...]], ...]
    verbs: tuple[str, ...] = ()
    """The words that name what it does, where it is no plain read, change or removal."""


@dataclass(frozen=True, eq=False)
class Resource:
    """A kind of thing that the API knows."""

    key: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[Name, ...]
    listings: tuple[Listing, ...] = ()
    fields: tuple[Field, ...] = ()
    details: tuple[Field, ...] = ()
    """Fields that only the operation for one thing gives."""
    item_pointer: tuple[str, ...] = ()
    get: ItemTool | None = None
    create: Tool | None = None
    create_parents: tuple[tuple[str, tuple[str, ...]], ...] = ()
    put: ItemTool | None = None
    patch: ItemTool | None = None
    delete: ItemTool | None = None
    actions: tuple[ItemTool, ...] = ()
    relations: list[Relation] = field(default_factory=list)
    """To the resources that it belongs to."""

    @property
    def label(self) -> str:
        """Its plain English name, singular."""
        return " ".join(self.words)

    @property
    def listing(self) -> Listing | None:
        return min(self.listings, key=lambda one: (len(one.parents), one.tool.path), default=None)

    @property
    def id_field(self) -> Field | None:
        """The field that holds what the path of one thing takes."""
        items = [tool for tool in (self.get, self.patch, self.put, self.delete, *self.actions) if tool is not None]
        wanted = [tool.wire_name.lower().replace("_", "") for tool in items[:1]]
        flat = {one.path[-1].lower().replace("_", ""): one for one in reversed(self.top)}
        own = "".join(self.words) + "id"
        for name in (*[one for one in wanted if one not in ("id", own)], "id", own, "uuid", "key", "slug", "isbn"):
            if name in flat:
                return flat[name]
        return None

    @property
    def top(self) -> tuple[Field, ...]:
        """The fields of the thing itself: not inside another, but inside what only wraps it."""
        level: tuple[str, ...] = ()
        while True:
            found = tuple(one for one in self.fields if one.path[:-1] == level)
            wraps = [
                one for one in found if one.path[-1] in (*_ITEM_KEYS, "_".join(self.words)) and one.kind == "object"
            ]
            if not wraps or any(one.kind not in ("object", "list") for one in found):
                return found
            level = wraps[0].path

    def named_by(self, words: Sequence[str]) -> tuple[Field, ...]:
        """Give the text fields whose name ends in one of `words`, nearest the front of `words` first."""
        own = self.id_field
        fitting = [
            one
            for one in self.top
            if one.kind in ("text", "any")
            and not one.choices
            and one is not own
            and one.path[-1]
            and split_name(one.path[-1])
            and split_name(one.path[-1])[-1] in words
            and not _is_foreign(one, self)
        ]
        return tuple(sorted(fitting, key=lambda one: (words.index(split_name(one.path[-1])[-1]), len(one.words))))

    @property
    def naming(self) -> tuple[Field, ...]:
        return self.named_by(NAME_WORDS)

    @property
    def coding(self) -> tuple[Field, ...]:
        return self.named_by(CODE_WORDS)

    @property
    def label_field(self) -> Field | None:
        """What a person would call one of them by."""
        naming = [one for one in self.naming if split_name(one.path[-1])[-1] != "email"]
        if naming and split_name(naming[0].path[-1])[0] not in ("first", "last", "given", "family"):
            return naming[0]
        return self.id_field or next(iter([*self.coding, *self.naming]), None)


@dataclass(frozen=True, eq=False)
class Relation:
    """How one resource belongs to another: a field, a path below the parent, a filter, or several of them."""

    child: Resource
    parent: Resource
    field: Field | None = None
    by_name: bool = False
    """The field may hold the parent's name in place of its identifier."""
    nested: Listing | None = None
    filter: str | None = None
    """The argument of the child's listing that takes the parent's identifier."""

    @property
    def role(self) -> tuple[str, ...]:
        """The words of the field without its identifier ending: `assignee`, `customer`."""
        if self.field is None:
            return self.parent.words
        words = self.field.words
        return words[:-1] if len(words) > 1 and words[-1] in _ID_ENDINGS else words


def _is_foreign(one: Field, resource: Resource) -> bool:
    return any(relation.field is one for relation in resource.relations)


def segments(path: str) -> list[str]:
    return [part for part in path.strip("/").split("/") if part]


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{") and segment.endswith("}") and segment.count("{") == 1


def _noun(segment: str) -> tuple[str, ...]:
    words = split_name(segment.removesuffix(".json"))
    return tuple(singular(word) for word in words)


def _key(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple("{}" if _is_parameter(part) else " ".join(_noun(part)) for part in parts)


def _argument(tool: Tool, segment: str) -> str:
    wire = segment[1:-1]
    return next((one.name for one in tool.arguments if one.location == "path" and one.wire_name == wire), wire)


def _parents(tool: Tool, parts: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (_argument(tool, part), _key(parts[:place])) for place, part in enumerate(parts) if _is_parameter(part)
    )


def read_resources(tools: Iterable[Tool]) -> tuple[Resource, ...]:
    """Read what resources the tools offer, in an order that does not depend on the order of the tools."""
    ordered = sorted({tool.name: tool for tool in tools}.values(), key=lambda tool: (tool.path, tool.method, tool.name))
    usable = [tool for tool in ordered if _plain_path(tool.path)]
    drafts: dict[tuple[str, ...], Resource] = {}
    for tool in usable:
        _read_listing(tool, drafts)
    for tool in usable:
        _read_single(tool, drafts)
    resources = _merge_nested(drafts)
    for resource in resources:
        resource.relations.extend(_relations(resource, resources))
    return resources


def _plain_path(path: str) -> bool:
    return all(("{" not in part and "}" not in part) or _is_parameter(part) for part in segments(path))


def _read_listing(tool: Tool, drafts: dict[tuple[str, ...], Resource]) -> None:
    parts = segments(tool.path)
    if tool.method != "GET" or not parts or _is_parameter(parts[-1]):
        return
    if split_name(parts[-1]) and split_name(parts[-1])[0] in _VERBS:
        parts = parts[:-1]
    if not parts or _is_parameter(parts[-1]):
        return
    found = _find_list(tool, _noun(parts[-1]))
    if found is None:
        return
    pointer, items, title = found
    words = _noun(parts[-1])
    key = _key(parts)
    listing = Listing(tool, pointer, _parents(tool, parts))
    known = drafts.get(key)
    if known is not None:
        drafts[key] = replace(known, listings=(*known.listings, listing))
        return
    root_schema = tool.result if isinstance(tool.result, Mapping) else {}
    whole = {**deref(items, root_schema), "$defs": root_schema.get("$defs", {})}
    drafts[key] = Resource(key, words, _names(words, title, tool), (listing,), fields_of(whole, words))


def _find_list(tool: Tool, noun: tuple[str, ...]) -> tuple[tuple[str, ...], object, str] | None:
    """Find the list in an answer's schema: its place, the schema of its items, and their title."""
    if not isinstance(tool.result, Mapping):
        return None
    whole = deref(tool.result, tool.result)
    if "array" in types_of(whole):
        return (), whole.get("items", {}), _title(whole.get("items"))
    for prefix, level in _levels(whole, tool.result):
        arrays = {}
        for name, raw in properties(level).items():
            inner = deref(raw, tool.result)
            if "array" in types_of(inner) and "string" not in types_of(deref(inner.get("items"), tool.result)):
                arrays[name] = inner
        own = [name for name in arrays if _noun(name) == noun]
        usual = [name for name in _LIST_KEYS if name in arrays]
        if len(properties(level)) > 12 and not own and not usual:
            continue  # an object of its own that happens to hold a list
        chosen = own or usual or (list(arrays) if len(arrays) == 1 else [])
        if chosen and not ("id" in properties(level) and not own):
            items = arrays[chosen[0]].get("items", {})
            return (*prefix, chosen[0]), items, _title(items)
    return None


def _levels(
    whole: Mapping[str, object], root_schema: Mapping[str, object]
) -> Iterable[tuple[tuple[str, ...], Mapping[str, object]]]:
    yield (), whole
    for name in ("data", "result", "response", "_embedded"):
        inner = deref(properties(whole).get(name), root_schema)
        if properties(inner):
            yield (name,), inner


def _title(schema: object) -> str:
    if not isinstance(schema, Mapping):
        return ""
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else str(schema.get("title") or "")


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


def _read_single(tool: Tool, drafts: dict[tuple[str, ...], Resource]) -> None:
    parts = segments(tool.path)
    if not parts:
        return
    key = _key(parts)
    if key in drafts and not _is_parameter(parts[-1]):
        if tool.method == "POST" and drafts[key].create is None:
            drafts[key] = replace(drafts[key], create=tool, create_parents=_parents(tool, parts))
        return
    if _is_parameter(parts[-1]) and len(parts) > 1:
        _read_item(tool, parts, drafts)
    elif len(parts) > 2 and _is_parameter(parts[-2]) and tool.effect != "read":
        _read_action(tool, parts, drafts)


def _read_item(tool: Tool, parts: list[str], drafts: dict[tuple[str, ...], Resource]) -> None:
    base = _key(parts[:-1])
    words = _noun(parts[-2])
    if _is_parameter(parts[-2]):
        return
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
    if not any((name,) in known for name in properties(whole)):
        for name in (*_ITEM_KEYS, "_".join(words), "".join(words)):
            inner = deref(properties(whole).get(name), tool.result)
            if "object" in types_of(inner):
                pointer, whole = (name,), inner
                break
    found = fields_of({**whole, "$defs": tool.result.get("$defs", {})}, words)
    return pointer, tuple(one for one in found if one.path not in known)


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
    base = _key(parts[:-2])
    if base not in drafts or tool.method not in ("POST", "PUT", "PATCH"):
        return
    verbs = split_name(parts[-1])
    if len(verbs) != 1 or _key(parts) in drafts:
        return
    one = ItemTool(tool, _argument(tool, parts[-2]), parts[-2][1:-1], _parents(tool, parts[:-2]), verbs)
    drafts[base] = replace(drafts[base], actions=(*drafts[base].actions, one))


def _merge_nested(drafts: Mapping[tuple[str, ...], Resource]) -> tuple[Resource, ...]:
    """Let `/customers/{id}/orders` be one more way to list what `/orders` lists."""
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


def _relations(child: Resource, resources: tuple[Resource, ...]) -> list[Relation]:
    relations: list[Relation] = []
    for one in child.fields:
        target = _target(one, child, resources)
        if target is not None:
            parent, by_name = target
            if not any(
                known.field is not None and known.field.path[:-1] == one.path[:-1] != () and known.parent is parent
                for known in relations
            ):
                relations.append(Relation(child, parent, one, by_name, None, _filter_like(child, one)))
    for listing in child.listings:
        for _, key in listing.parents:
            above = next((one for one in resources if one.key == key), None)
            if above is None or above is child:
                continue
            same = [known for known in relations if known.parent is above]
            if len(same) == 1:
                relations[relations.index(same[0])] = replace(same[0], nested=listing)
            elif not same:
                relations.append(Relation(child, above, None, False, listing, None))
    relations += _filter_relations(child, resources, relations)
    return relations


def _target(one: Field, child: Resource, resources: tuple[Resource, ...]) -> tuple[Resource, bool] | None:
    if one.kind not in ("text", "number", "any") or one.choices:
        return None
    words = one.words
    if len(words) > 1 and words[-1] in _ID_ENDINGS:
        return _named(words[:-1], child, resources, one, False)
    for parent in resources:
        own = parent.id_field
        if own is not None and parent is not child and words == (*parent.words, *own.words) and parent.listings:
            return parent, False
    if (
        len(one.path) > 1
        or one.kind == "any"
        or one.schema.get("format") not in (None, "uuid", "int64", "int32", "uri")
    ):
        return None
    found = [
        resource for resource in resources if resource is not child and resource.words == words and resource.listings
    ]
    return (found[0], True) if len(found) == 1 else None


def _named(
    stem: tuple[str, ...], child: Resource, resources: tuple[Resource, ...], one: Field, by_name: bool
) -> tuple[Resource, bool] | None:
    others = [resource for resource in resources if resource.listings or resource.get]
    exact = [resource for resource in others if resource.words == stem]
    if stem == ("parent",):
        exact = [child]
    flat = [resource for resource in exact if "{}" not in resource.key] or exact
    if len(flat) == 1:
        return (flat[0], by_name) if flat[0] is not child or stem == ("parent",) else None
    if exact:
        return None
    described = set(split_name(one.description))
    told = [r for r in others if r is not child and len(r.words) == 1 and r.words[0] in described]
    if len(told) == 1:
        return told[0], by_name
    near = [r for r in others if r is not child and concept_distance(" ".join(stem), r.label) is not None]
    return (near[0], by_name) if len(near) == 1 else None


def _filter_like(child: Resource, one: Field) -> str | None:
    listing = child.listing
    if listing is None:
        return None
    wanted = {one.words, *(words for words, _ in one.names)}
    for argument in listing.tool.arguments:
        words = tuple(singular(word) for word in split_name(argument.wire_name))
        if argument.location == "query" and words in wanted:
            return argument.name
    return None


def _filter_relations(child: Resource, resources: tuple[Resource, ...], known: list[Relation]) -> list[Relation]:
    """Relations that only a query parameter tells of: `GET /coupons?customerId=`."""
    listing = child.listing
    found: list[Relation] = []
    for argument in listing.tool.arguments if listing is not None else ():
        words = tuple(singular(word) for word in split_name(argument.wire_name))
        if argument.location != "query" or len(words) < 2 or words[-1] != "id":
            continue
        parents = [one for one in resources if one.words == words[:-1] and one is not child]
        if len(parents) == 1 and not any(one.parent is parents[0] for one in known):
            found.append(Relation(child, parents[0], None, False, None, argument.name))
    return found
