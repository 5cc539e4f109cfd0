"""Finding the one thing that a task names: by its identifier, else by an exact name; never by likeness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from thinkagent.minds.offline.expressions import label_of, path_of
from thinkagent.minds.offline.matching import candidates, matching
from thinkagent.minds.offline.query import Entity
from thinkagent.minds.offline.resources import ItemTool, Listing, Resource
from thinkagent.minds.offline.script import Script, Seen, escaped, reference
from thinkagent.minds.offline.values import fits_id
from thinkagent.minds.offline.words import singular, split_name
from thinkagent.minds.offline.wrappers import is_alone, list_in_answer
from thinkagent.tools.model import Tool
from thinkagent.values import Json, write_json

__all__ = ["Known", "Rows", "find", "path_arguments", "read_list"]

_TOTALS = ("total", "totalCount", "total_count", "totalItems", "total_items", "totalResults", "total_results",
           "numberMatched")  # fmt: skip
_LIMITS = ("limit", "perpage", "pagesize", "pagelimit", "maxresults", "top", "count", "size")
_PAGES = {"page", "pagenumber", "offset", "pageoffset", "skip", "start", "startindex", "cursor", "after",
          "pagetoken", "nexttoken", "token", "marker", "continuation"}  # fmt: skip
_USUAL_LIMITS = {10, 20, 25, 30, 50, 100, 200, 250, 500, 1000}
_NOT_THERE = {400, 403, 404, 405, 410, 422}
"""Answers that may mean that no such identifier exists; another way is tried."""


@dataclass(frozen=True)
class Known:
    """One thing that was found."""

    resource: Resource
    name: str
    """The step that holds it."""
    id_value: Json
    """Its identifier for arguments: a reference, or the task's own literal."""
    id_code: str
    """Its identifier for computations."""
    label_code: str
    item: tuple[str, ...]
    """Where in the step's result the thing itself lies."""
    label: str
    """A text or reference for answers."""
    seen: Seen
    above: tuple[Known, ...] = field(default=())


@dataclass(frozen=True)
class _Nothing:
    resource: Resource
    near: str
    several: str = ""
    told: str = ""
    """What the API said where it did not say that there is none."""


class Rows(NamedTuple):
    """A list that was read to its end."""

    code: str
    """The Python that names it."""
    pointer: tuple[str, ...]
    seen: Seen


def find(script: Script, entity: Entity, resources: Sequence[Resource], above: Sequence[Known] = ()) -> Known:
    """Find the entity among the resources that it may be of; ends the run where there is none, or more than one."""
    if entity.within is not None and entity.within.resource is not None:
        outer = find(script, entity.within, [entity.within.resource], above)
        above = (*above, outer, *outer.above)
    results = [_find_in(script, entity, resource, above) for resource in resources]
    known = [one for one in results if isinstance(one, Known)]
    missed = [one for one in results if isinstance(one, _Nothing)]
    several = [one for one in missed if one.several]
    if len(known) == 1 and not several:
        return known[0]
    return _say_not_found(script, entity, known, missed)


def _say_not_found(script: Script, entity: Entity, known: Sequence[Known], missed: Sequence[_Nothing]) -> NoReturn:
    say, name = script.language, escaped(entity.literal.text)
    several = next((one for one in missed if one.several), None)
    if several is not None:
        answer = say(
            'More than one {kind} is called "{name}": {several}',
            kind=several.resource.label,
            name=name,
            several=several.several,
        )
        script.finish("failed", answer, thought=say("Several have this name and I do not choose between them."))
    if known:
        kinds = say.comma.join(one.resource.label for one in known)
        answer = say('"{name}" fits more than one thing: {kinds}', name=name, kinds=kinds)
        script.finish("failed", answer, thought=say("The name fits several kinds of things, and I do not guess."))
    kinds = " / ".join(one.resource.label for one in missed)
    answer = say('No {kind} is called "{name}".', kind=kinds, name=name)
    told = next((one.told for one in missed if one.told), "")
    if told:
        answer = say('No {kind} called "{name}" could be read: {told}', kind=kinds, name=name, told=escaped(told))
    near = [one.near for one in missed if one.near]
    if near:
        answer = say("{answer} The nearest: {near}", answer=answer, near=say.comma.join(near))
    script.finish("failed", answer, thought=say("Nothing has exactly this name. I name the nearest, but take none."))


def _find_in(script: Script, entity: Entity, resource: Resource, above: Sequence[Known]) -> Known | _Nothing:
    own = resource.id_field
    by_id = entity.by is None or entity.by is own
    argument = fits_id(_schema_of(resource.get), entity.literal) if resource.get is not None and by_id else None
    searchable = bool(resource.listings and (resource.naming or resource.coding or entity.by))
    names_first = searchable and entity.literal.kind in ("name", "quoted", "email", "word")
    names_first = names_first and not (entity.literal.kind == "quoted" and entity.literal.looks_like_id)
    missed = _Nothing(resource, "")
    if argument is not None and not names_first:
        got = _get(script, entity, resource, argument, above)
        if isinstance(got, Known) and not (searchable and _alike(got, entity)):
            return got
        missed = got if isinstance(got, _Nothing) else missed
    if searchable or (resource.get is None and resource.listings):
        found = _search(script, entity, resource, above, tried_id=argument is not None and not names_first)
        if isinstance(found, Known) or not names_first or argument is None or found.several:
            return found
        if entity.literal.kind != "word" or found.near:
            return found
        got = _get(script, entity, resource, argument, above)
        return got if isinstance(got, Known) else found
    return missed


def _alike(known: Known, entity: Entity) -> bool:
    """Say whether what an identifier leads to is called like the task calls it, but is not: `Room 2` for `room 5`."""
    field = known.resource.label_field
    label = known.seen.value(*known.item, *field.path) if field is not None else None
    if not entity.called or not isinstance(label, str):
        return False
    words, called = label.lower().split(), entity.called.lower().split()
    return words != called and words[:1] == called[:1]


def _schema_of(tool: ItemTool | None) -> object:
    return tool.tool.parameters.get("properties", {}).get(tool.argument) if tool is not None else None


def path_arguments(
    script: Script, parents: Sequence[tuple[str, tuple[str, ...]]], above: Sequence[Known], resource: Resource
) -> dict[str, Json]:
    """Fill the path arguments of what lies above; ends the run where the task does not say which."""
    filled: dict[str, Json] = {}
    for argument, key in parents:
        owner = next((one for one in above if one.resource.key == key), None)
        if owner is None:
            say = script.language
            answer = say("The task does not say which {parent} the {kind} is in.", parent=key[-1], kind=resource.label)
            script.finish("impossible", answer, thought=say("I would need to know where to look, and I do not guess."))
        filled[argument] = owner.id_value
    return filled


def _get(
    script: Script, entity: Entity, resource: Resource, argument: object, above: Sequence[Known]
) -> Known | _Nothing:
    one = resource.get
    assert one is not None  # the caller has looked
    say = script.language
    name = script.name(resource.label)
    arguments = {**path_arguments(script, one.parents, above, resource), one.argument: argument}
    thought = say(
        '"{name}" looks like an identifier, so I ask for that {kind} directly.',
        name=escaped(entity.literal.text),
        kind=resource.label,
    )
    seen = script.do(one.tool.name, arguments, save_as=name, thought=thought, doing="find")
    if seen.ok and not _is_such(seen.value(*resource.item_pointer), resource):
        missing = seen.value() is None or seen.value(*resource.item_pointer) is None
        told = "" if missing else say("the answer does not look like a {kind}", kind=resource.label)
        return _Nothing(resource, "", told=told)
    if seen.ok:
        item = resource.item_pointer
        row = path_of(name, item)
        label = label_of(row, resource) if resource.fields else write_json(entity.literal.text)
        shown = _shown_label(seen, item, resource)
        text = reference(name, *item, *shown) if shown else escaped(entity.literal.text)
        return Known(resource, name, argument, write_json(argument), label, item, text, seen, tuple(above))
    if seen.status == "http_error" and seen.http_status in _NOT_THERE:
        return _Nothing(resource, "", told="" if seen.http_status in (404, 410) else seen.summary)
    return script.give_up(seen)


def _is_such(value: Json, resource: Resource) -> bool:
    """Say whether an answer is the thing itself: it has its identifier, or, where none is known, something of it."""
    if not isinstance(value, Mapping) or not value:
        return False
    own = resource.id_field
    wanted = [own] if own is not None else list(resource.top)
    told = own is None and bool(resource.item_pointer)  # the document says where it lies
    return (
        told
        or not wanted
        or any(_holds(value, one.path) for one in wanted)
        or any(key.startswith("…") for key in value)
    )


def _holds(value: Json, path: Sequence[str]) -> bool:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value is not None


def _shown_label(seen: Seen, item: tuple[str, ...], resource: Resource) -> tuple[str, ...]:
    field = resource.label_field
    if field is None:
        return ()
    value = seen.value(*item, *field.path)
    return field.path if isinstance(value, str) and value else ()


def read_list(
    script: Script,
    resource: Resource,
    listing: Listing,
    *,
    above: Sequence[Known] = (),
    filters: Mapping[str, Json] | None = None,
    thought: str,
    doing: str = "list",
) -> Rows:
    """Read a list to its end, once in a run; ends the run where that is not possible."""
    arguments = {**path_arguments(script, listing.parents, above, resource), **(filters or {})}
    key = write_json([listing.tool.name, arguments])
    if key in script.lists:
        name, seen = script.lists[key]
    else:
        name = script.name(_step_words(resource))
        seen = script.do(listing.tool.name, arguments, save_as=name, thought=thought, doing=doing, pages="all")
        script.lists[key] = (name, seen)
    if not seen.ok:
        script.give_up(seen)
    say, shape = script.language, seen.observation.get("shape")
    pointer = list_in_answer(shape, resource.words, sure=listing.sure) if listing.untold else listing.pointer
    if pointer is None:
        answer = say("The answer of {operation} is no list that I can be sure of.", operation=listing.tool.name)
        script.finish("failed", answer, thought=say("I do not guess which part of an answer is the list."))
    whole = seen.complete and not _fewer_than_told(seen, pointer) and not _may_be_cut(seen, pointer, listing.tool)
    if not whole or not is_alone(shape, pointer):
        script.finish(
            "failed",
            say(
                "Not all {kinds} could be read, and a part of them would give a wrong answer.",
                kinds=say.plural(resource.label),
            ),
            thought=say("The list is not complete, so I must not count or compare it."),
        )
    return Rows(path_of(name, pointer), pointer, seen)


def _fewer_than_told(seen: Seen, pointer: tuple[str, ...]) -> bool:
    """Say whether the answer itself speaks of more than was read."""
    read = seen.counted(*pointer)
    totals = [seen.value(*pointer[:-1], key) for key in _TOTALS] if pointer else []
    return read is not None and any(isinstance(one, int) and not isinstance(one, bool) and one > read for one in totals)


def _may_be_cut(seen: Seen, pointer: tuple[str, ...], tool: Tool) -> bool:
    """Say whether a list is as long as a limit of its own, and nothing tells that there is no more.

    So it is where an operation takes a limit and no page: services have a limit then even if nobody sets one.
    """
    taken = {_plain(one.wire_name): one.name for one in tool.arguments if one.location == "query"}
    limits = [taken[name] for name in _LIMITS if name in taken]
    told = pointer and any(isinstance(seen.value(*pointer[:-1], key), int) for key in _TOTALS)
    if not limits or _PAGES & set(taken) or told:
        return False
    schema = tool.parameters.get("properties", {}).get(limits[0], {})
    set_by_document = {schema.get("default"), schema.get("maximum")}
    return seen.counted(*pointer) in (set_by_document - {None} or _USUAL_LIMITS)


def _plain(name: str) -> str:
    return "".join(split_name(name))


def _step_words(resource: Resource) -> str:
    last = resource.key[-1] if resource.key else resource.label
    words = last if last.isascii() else resource.label
    from_path = next(
        (part for part in (resource.listing.tool.path.rsplit("/", 1)[-1:] if resource.listing else [])), ""
    )
    return from_path if from_path.isascii() and from_path and "{" not in from_path else words


def _search(
    script: Script, entity: Entity, resource: Resource, above: Sequence[Known], *, tried_id: bool
) -> Known | _Nothing:
    say = script.language
    listing = next((one for one in resource.listings if _reachable(one, above)), None) or resource.listing
    assert listing is not None  # the caller has looked
    kinds = say.plural(resource.label)
    found = _filter(entity, resource, listing) if not entity.called else None
    text = escaped(entity.literal.text)
    if found is not None:
        argument, shown = found
        thought = say(
            'I do not know the identifier of {kind} "{name}". The list can be filtered by {field}, so I ask for that.',
            kind=resource.label,
            name=text,
            field=shown,
        )
        if tried_id:
            thought = say(
                '"{name}" is no identifier of a {kind}. It may be another mark: the list can be filtered by {field}.',
                name=text,
                kind=resource.label,
                field=shown,
            )
        filters = {argument: entity.literal.text}
        rows = read_list(script, resource, listing, above=above, filters=filters, thought=thought, doing="find")
        known = _pick(script, entity, resource, rows.code, above, near=False)
        if isinstance(known, Known) or known.several:
            return known
    thought = say('I look through all {kinds} for one that is called exactly "{name}".', kinds=kinds, name=text)
    rows = read_list(script, resource, listing, above=above, thought=thought, doing="find")
    return _pick(script, entity, resource, rows.code, above, near=True)


def _reachable(listing: Listing, above: Sequence[Known]) -> bool:
    return all(any(one.resource.key == key for one in above) for _, key in listing.parents)


def _filter(entity: Entity, resource: Resource, listing: Listing) -> tuple[str, str] | None:
    """Choose the one query parameter that filters by what the literal looks like."""
    preferred = (
        [entity.by]
        if entity.by is not None
        else list(resource.coding if entity.literal.looks_like_id and resource.coding else resource.naming)
    )
    if entity.literal.kind == "email":
        preferred = [one for one in resource.naming if "email" in one.words] or preferred
    elif entity.by is None:
        preferred = [one for one in preferred if "email" not in one.words]
    words = {one.words: one for one in preferred}
    fitting = []
    for argument in listing.tool.arguments:
        named = tuple(singular(word) for word in split_name(argument.wire_name))
        if argument.location == "query" and named in words:
            fitting.append((argument.name, words[named].label))
    return fitting[0] if len(fitting) == 1 else None


def _pick(
    script: Script, entity: Entity, resource: Resource, rows: str, above: Sequence[Known], *, near: bool
) -> Known | _Nothing:
    say = script.language
    name = script.name(f"the {resource.label}")
    fields = candidates(entity, resource)
    seen = script.compute(
        matching(entity, fields, resource, rows, near),
        save_as=name,
        thought=say(
            'A filter may find more than what was asked for, so I take only what is called exactly "{name}".',
            name=escaped(entity.literal.text),
        ),
        doing="find",
    )
    count = seen.number("count")
    if count == 1:
        own = resource.id_field
        path = ("item", *own.path) if own is not None else ("item",)
        row = path_of(name, ("item",))
        return Known(
            resource,
            name,
            reference(name, *path),
            path_of(name, path),
            label_of(row, resource),
            ("item",),
            reference(name, "label"),
            seen,
            tuple(above),
        )
    if count > 1:
        return _Nothing(resource, "", reference(name, "labels"))
    return _Nothing(resource, reference(name, "near") if seen.value("near") else "")
