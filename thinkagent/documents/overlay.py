"""Overlays: a document is changed by a document, so that a bad description is improved without editing it.

OpenAPI Overlay Specification 1.0 and 1.1: actions in order, each with a JSONPath (RFC 9535) and an update, a copy or a
removal. An action that selects nothing changes nothing, which is told; one that does not fit is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from thinkagent.errors import DocumentError
from thinkagent.values import Json, clip, write_json

__all__ = ["apply_overlay"]

_VERSION = re.compile(r"1\.\d+\.\d+")
_REMOVE, _COPY, _UPDATE = "remove", "copy", "update"
Location = tuple[str | int, ...]


def apply_overlay(value: Json, overlay: Json, source: str) -> tuple[Json, list[str]]:
    """Give the document that an overlay makes of a document, and what selected nothing.

    `value` is used up: it may be changed in place.

    `source` names the overlay in errors.

    Raises:
        DocumentError: it is no overlay, or an action does not fit the document.
    """
    actions = overlay.get("actions") if isinstance(overlay, Mapping) else None
    version = overlay.get("overlay") if isinstance(overlay, Mapping) else None
    if not isinstance(version, str) or not _VERSION.fullmatch(version) or not isinstance(actions, list):
        raise DocumentError(
            f"{source!r} is no OpenAPI Overlay: it has {_has(overlay)}, not 'overlay: 1.x.y' and a list of 'actions'",
            code="overlay_invalid",
            where=source,
            hint="Give a document of the Overlay Specification 1.0 or 1.1",
        )
    idle = []
    for number, action in enumerate(actions):
        step = _Action(action, f"{source}#/actions/{number}")
        value, is_idle = step.apply(value)
        if is_idle:
            idle.append(f"action {number + 1} of {source} selects nothing: {clip(step.target, 200)}")
    return value, idle


def _has(value: Json) -> str:
    return f"the keys {', '.join(map(repr, list(value)[:5]))}" if isinstance(value, Mapping) and value else "no keys"


class _Action:
    """One Action Object."""

    def __init__(self, action: Json, where: str) -> None:
        self.where = where
        if not isinstance(action, Mapping) or not isinstance(action.get("target"), str):
            raise self.error("the action has no 'target'")
        self.action = action
        self.target: str = action["target"]

    def apply(self, document: Json) -> tuple[Json, bool]:
        """Give the changed document, and whether nothing was selected."""
        places = self._select(self.target, document)
        if not places:
            return document, True
        if self.action.get(_REMOVE) is True:
            _remove(document, places, self)
            return document, False
        if _UPDATE in self.action:
            new = self.action[_UPDATE]
        elif _COPY in self.action:
            new = self._copied(document)
        else:
            raise self.error("the action has neither 'update', 'copy' nor 'remove: true'")
        for place in places:
            document = _put(document, place, self._merged(_at(document, place), new, place))
        return document, False

    def _select(self, query: str, document: Json) -> list[Location]:
        import jsonpath

        try:
            return list(dict.fromkeys(match.parts for match in jsonpath.finditer(query, document)))
        except jsonpath.JSONPathError as error:
            raise self.error(f"{clip(query, 200)!r} is no JSONPath: {clip(str(error), 200)}") from error

    def _copied(self, document: Json) -> Json:
        source = self.action[_COPY]
        found = self._select(source, document) if isinstance(source, str) else []
        if len(found) != 1:
            raise self.error(f"'copy' has to select one node, {clip(str(source), 200)!r} selects {len(found)}")
        return _at(document, found[0])

    def _merged(self, old: Json, new: Json, place: Location) -> Json:
        """Merge as the specification says; the null of an empty YAML key leaves an object or list as it is."""
        if isinstance(old, list):
            return [*old, *deepcopy(new)] if isinstance(new, list) else [*old, deepcopy(new)]
        if isinstance(old, Mapping) != isinstance(new, Mapping) or isinstance(new, list):
            raise self.error(f"{_kind(new)} cannot be merged into {_kind(old)} at {_shown(place)}")
        if not isinstance(old, Mapping):
            return new
        merged = dict(old)
        for key, item in new.items():
            if key not in old:
                merged[key] = deepcopy(item)
            elif isinstance(old[key], list) and not isinstance(item, list) and item is not None:
                raise self.error(f"{_kind(item)} cannot be merged into a list at {_shown((*place, key))}")
            elif item is not None or not isinstance(old[key], Mapping | list):
                merged[key] = self._merged(old[key], item, (*place, key))
        return merged

    def error(self, message: str) -> DocumentError:
        return DocumentError(message, code="overlay_invalid", where=self.where, hint="Correct the overlay there")


def _at(value: Any, place: Location) -> Any:
    for part in place:
        value = value[part]
    return value


def _put(document: Any, place: Location, value: Json) -> Any:
    if not place:
        return value
    _at(document, place[:-1])[place[-1]] = value
    return document


def _remove(document: Any, places: Iterable[Location], action: _Action) -> None:
    """Take nodes out, the last of a list first, so that the places of the others stay true."""
    order = sorted(places, key=lambda place: [(isinstance(part, int), part) for part in place], reverse=True)
    for place in order:
        if not place:
            raise action.error("the document itself cannot be removed")
        del _at(document, place[:-1])[place[-1]]


def _kind(value: Json) -> str:
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list) else "a single value"


def _shown(place: Location) -> str:
    return clip("$" + "".join(f"[{write_json([part])[1:-1]}]" for part in place), 200)
