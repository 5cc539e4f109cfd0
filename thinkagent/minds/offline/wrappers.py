"""Where the list lies in an answer: in its schema, or, where the document tells nothing, in the answer itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from thinkagent.minds.offline.fields import deref, items_of, properties, types_of
from thinkagent.minds.offline.words import singular, split_name

__all__ = ["Wrapped", "is_alone", "list_in_answer", "list_in_schema", "noun_of"]

_LIST_KEYS = ("data", "items", "results", "records", "entries", "values", "content", "rows", "list", "features", "docs")
_BESIDE = {
    "link", "error", "warning", "included", "message", "notification", "notice", "meta", "facet", "aggregation",
    "hint", "_link",
}  # fmt: skip
"""Lists that stand beside the one that was asked for, in singular."""
_OWN_MARKS = {"id", "uuid", "guid", "_id"}
_WIDE = 12


class Wrapped(NamedTuple):
    """A list inside an answer: its place, the schema of its elements, their title, and what they are called."""

    pointer: tuple[str, ...]
    items: object
    title: str
    noun: tuple[str, ...]


def noun_of(name: str) -> tuple[str, ...]:
    """Give the words of a path's segment or of a key, in singular."""
    return tuple(singular(word) for word in split_name(name.removesuffix(".json")))


def list_in_schema(result: object, noun: tuple[str, ...]) -> Wrapped | None:
    """Find the list that an answer's schema promises for a path whose last name is `noun`; None without one."""
    if not isinstance(result, Mapping):
        return None
    whole = deref(result, result)
    items = items_of(whole, result)
    if items is not None:
        return Wrapped((), items, _title(items), noun)
    for prefix, level in _levels(whole, result):
        arrays = {name: items_of(raw, result) for name, raw in properties(level).items()}
        things = {name: one for name, one in arrays.items()
                  if one is not None and "string" not in types_of(deref(one, result))}  # fmt: skip
        name = _chosen(things, noun)
        wide = len(properties(level)) > _WIDE  # an object of its own that happens to hold a list
        if name is None:
            rest = [one for one in things if not _is_beside(one)]
            if len(rest) != 1 or wide or _OWN_MARKS & set(properties(level)):
                continue
            name = rest[0]
            # `/lamps/schema` with a list of `columns` lists columns, and no schemas
            title, own = _title(things[name]), noun_of(name)
            told = noun if own[-1:] == noun[-1:] or noun_of(title) == noun else own
            return Wrapped((*prefix, name), things[name], title, told)
        if noun_of(name) == noun or not _OWN_MARKS & set(properties(level)):
            return Wrapped((*prefix, name), things[name], _title(things[name]), noun)
    return None


def list_in_answer(shape: object, noun: tuple[str, ...], *, sure: bool) -> tuple[str, ...] | None:
    """Find the list in the shape of an answer; None where it has none, or more than one that may be meant.

    `sure` says that the document leaves no doubt that it is a list: then it may stand under any usual key.
    """
    if not isinstance(shape, Mapping):
        return None
    if shape.get("type") == "array":
        return ()
    keys = properties(shape)
    arrays = [name for name, inner in keys.items() if isinstance(inner, Mapping) and inner.get("type") == "array"]
    name = _chosen(arrays, noun)
    if name is None or not is_alone(shape, (name,)) or not (sure or noun_of(name) == noun):
        return None
    return (name,)


def is_alone(shape: object, pointer: tuple[str, ...]) -> bool:
    """Say whether no other list of an answer can be taken for the one at `pointer` when its pages are put together."""
    for name in pointer:
        keys = properties(shape) if isinstance(shape, Mapping) else {}
        if _OWN_MARKS & set(keys):
            return False
        others = [one for one, inner in keys.items() if isinstance(inner, Mapping) and inner.get("type") == "array"]
        if any(one != name and not _is_beside(one) for one in others):
            return False
        shape = keys.get(name)
    return True


def _chosen(names: Collection[str], noun: tuple[str, ...]) -> str | None:
    """Choose the list that is called like the path, else the only one of a usual name."""
    own = [name for name in names if noun_of(name) == noun]
    found = own or [name for name in _LIST_KEYS if name in names]
    return found[0] if len(found) == 1 else None


def _is_beside(name: str) -> bool:
    return " ".join(noun_of(name)) in _BESIDE


def _levels(
    whole: Mapping[str, object], root: Mapping[str, object]
) -> list[tuple[tuple[str, ...], Mapping[str, object]]]:
    levels: list[tuple[tuple[str, ...], Mapping[str, object]]] = [((), whole)]
    for name in ("data", "result", "response", "_embedded"):
        inner = deref(properties(whole).get(name), root)
        if properties(inner):
            levels.append(((name,), inner))
    return levels


def _title(schema: object) -> str:
    if not isinstance(schema, Mapping):
        return ""
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else str(schema.get("title") or "")
