"""What the document does not tell of a list, the list itself tells: where it lies in its answer, and what it holds.

Nothing that was only seen is promised: a value may be missing in any element, and a computation says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from thinkagent.minds.offline.fields import fields_of, properties
from thinkagent.minds.offline.finding import read_list
from thinkagent.minds.offline.query import Select
from thinkagent.minds.offline.relations import relations_of
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Script
from thinkagent.minds.offline.selecting import Selecting
from thinkagent.minds.offline.vocabulary import Vocabulary
from thinkagent.minds.offline.words import tokenize
from thinkagent.values import Json

__all__ = ["Learning"]

_CUT = "…"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})")
_MOST = 3
"""More lists than a task can need are not read on a mere word."""


class Learning:
    """Reads the lists that a task names and the document does not describe."""

    def __init__(self, script: Script, resources: Sequence[Resource]) -> None:
        self.script = script
        self.resources = tuple(resources)

    def learn(self) -> tuple[Resource, ...]:
        """Give all resources, with what the answers tell of those whose answers the document leaves open.

        Those that the task does not name cannot be listed: nobody knows where their lists lie.
        """
        untold = [one for one in self._named() if _is_untold(one)]
        known = {one: self._read(one) for one in untold} if len(untold) <= _MOST else {}
        if not known:
            return tuple(replace(one, listings=()) if _is_untold(one) else one for one in self.resources)
        fresh = tuple(replace(known.get(one, one), relations=[]) for one in self.resources)
        fresh = tuple(replace(one, listings=()) if _is_untold(one) else one for one in fresh)
        for one in fresh:
            one.relations.extend(relations_of(one, fresh))
        return fresh

    def _named(self) -> list[Resource]:
        tokens = tokenize(self.script.page.task)
        words = Vocabulary(tokens, self.resources)
        named = [one.resource for at in range(len(tokens)) for one in words.resources_at(at) if one.cost < 0.35]
        return list(dict.fromkeys(named))

    def _read(self, resource: Resource) -> Resource:
        say, script = self.script.language, self.script
        kinds = say.plural(resource.label)
        script.plan = {"list": say("list all {kinds}", kinds=kinds), "answer": say("do what is asked")}
        script.plan_reason = say("now I know what the list holds")
        thought = say("The document does not say what the list of {kinds} holds, so I read it first.", kinds=kinds)
        listing = resource.listings[0]
        filters = Selecting(script).needed(Select(resource), listing)
        found = read_list(script, resource, listing, filters=filters, thought=thought)
        shape: object = found.seen.observation.get("shape")
        rows: object = found.seen.value(*found.pointer)
        for name in found.pointer:
            shape = properties(shape).get(name) if isinstance(shape, Mapping) else None
        inner = shape.get("items") if isinstance(shape, Mapping) else None
        schema = _schema_of(inner, rows if isinstance(rows, list) else []) if _is_whole(inner) else {}
        listings = (replace(listing, pointer=found.pointer, untold=False), *resource.listings[1:])
        return replace(resource, listings=listings, fields=fields_of(schema, resource.words))


def _is_untold(resource: Resource) -> bool:
    return any(one.untold for one in resource.listings)


def _is_whole(shape: object) -> bool:
    """Say whether all keys of the elements were shown: of a part, the nearest name might not be the one meant."""
    if not isinstance(shape, Mapping):
        return False
    keys = properties(shape)
    cut = any(name.startswith(_CUT) for name in keys) or "property_count" in shape or _CUT in shape
    return not cut and all(_is_whole(inner) for inner in keys.values())


def _schema_of(shape: object, samples: Sequence[Json]) -> dict[str, object]:
    """Make a schema of what was seen: types, and of texts some examples, by which dates are known."""
    if not isinstance(shape, Mapping):
        return {}
    kinds = shape.get("type")
    named = [one for one in (kinds if isinstance(kinds, list) else [kinds]) if one != "null"]
    schema: dict[str, object] = {"type": named}
    if named == ["object"]:
        seen = [one for one in samples if isinstance(one, dict)]
        inner = properties(shape)
        schema["properties"] = {name: _schema_of(inner[name], [one.get(name) for one in seen]) for name in inner}
    elif named == ["string"]:
        schema |= _text_of([one for one in samples if isinstance(one, str) and not one.startswith(_CUT)])
    return schema


def _text_of(samples: Sequence[str]) -> dict[str, object]:
    for form, pattern in (("date", _DAY), ("date-time", _MOMENT)):
        if samples and all(pattern.fullmatch(one) for one in samples):
            return {"format": form}
    return {"format": "text"}
