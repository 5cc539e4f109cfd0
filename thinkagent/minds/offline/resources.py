"""The resources of an API: what can be listed, read, made, changed and removed, and how they hang together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from thinkagent.minds.offline.fields import FRAMES, Field, Name
from thinkagent.minds.offline.words import split_name
from thinkagent.tools.model import Tool

__all__ = ["CODE_WORDS", "ID_ENDINGS", "ITEM_KEYS", "NAME_WORDS", "ItemTool", "Listing", "Relation", "Resource"]

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
ID_ENDINGS = {"id", "uuid", "key", "ref", "slug", "isbn", "number", "code"}
ITEM_KEYS = ("data", "result", "item", "attributes", "record", "payload")


@dataclass(frozen=True, eq=False)
class Listing:
    """An operation that gives many: where the list lies in its answer, and which path arguments it needs."""

    tool: Tool
    pointer: tuple[str, ...]
    parents: tuple[tuple[str, tuple[str, ...]], ...]
    """Path arguments with the key of the resource that each identifies."""
    untold: bool = False
    """Whether the document does not say how the answer looks: the list is then found in the answer itself."""
    sure: bool = True
    """Whether paths or parameters leave no doubt that it gives many."""


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
    document: str = ""
    """The name of its document, of several; what belongs together is of one document."""

    @property
    def label(self) -> str:
        """Its plain English name, singular."""
        return " ".join(self.words)

    @property
    def listing(self) -> Listing | None:
        return min(self.listings, key=lambda one: (len(one.parents), one.tool.path), default=None)

    @cached_property
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

    @cached_property
    def top(self) -> tuple[Field, ...]:
        """The fields of the thing itself: not inside another, but inside what only wraps or frames it."""
        level: tuple[str, ...] = ()
        while True:
            found = tuple(one for one in self.fields if one.path[:-1] == level)
            wraps = [
                one for one in found if one.path[-1] in (*ITEM_KEYS, "_".join(self.words)) and one.kind == "object"
            ]
            if not wraps or any(one.kind not in ("object", "list") for one in found):
                return (*found, *(one for one in self.fields if len(one.path) == 2 and one.path[0] in FRAMES))
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
            and not (len(one.words) > 1 and one.words[-1] == "id")
        ]
        return tuple(sorted(fitting, key=lambda one: (words.index(split_name(one.path[-1])[-1]), len(one.words))))

    @property
    def naming(self) -> tuple[Field, ...]:
        return self.named_by(NAME_WORDS)

    @property
    def coding(self) -> tuple[Field, ...]:
        return self.named_by(CODE_WORDS)

    @property
    def name_parts(self) -> tuple[Field, ...]:
        """The first and the last name, where these are all the name that a thing has."""
        parts = [next((one for one in self.top if split_name(one.path[-1]) == (word, "name")), None)
                 for word in ("first", "last")]  # fmt: skip
        found = tuple(one for one in parts if one is not None and one.required)
        return found if len(found) == 2 and self.label_field not in self.naming else ()

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
        """The words of the field without its identifier ending: `assignee`, `member`."""
        if self.field is None:
            return self.parent.words
        words = self.field.words
        return words[:-1] if len(words) > 1 and words[-1] in ID_ENDINGS else words


def _is_foreign(one: Field, resource: Resource) -> bool:
    return any(relation.field is one for relation in resource.relations)
