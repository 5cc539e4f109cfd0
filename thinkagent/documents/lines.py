"""The lines at which JSON Pointers stand in a text, found when somebody asks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import yaml

from thinkagent.documents.yaml_core import events
from thinkagent.values import JsonError

__all__ = ["find_lines"]

MAX_TEXT = 4_000_000
"""Longer texts are not searched: it would take seconds."""


class _Level:
    __slots__ = ("index", "is_mapping", "key", "pointer")

    def __init__(self, pointer: str, is_mapping: bool) -> None:
        self.pointer = pointer
        self.is_mapping = is_mapping
        self.index = -1
        self.key: str | None = None


def find_lines(text: str, pointers: Collection[str]) -> dict[str, int]:
    """Give the lines, from 1, of those pointers that can be found; JSON is read as the YAML that it nearly is.

    A member's line is that of its key. Where a key comes twice, the first is found.
    """
    wanted = set(pointers)
    found: dict[str, int] = {}
    if len(text) > MAX_TEXT or not wanted:
        return found
    levels: list[_Level] = []
    try:
        for event in events(text):
            if len(found) == len(wanted):
                break
            _step(event, levels, wanted, found)
    except JsonError:
        return found
    return found


def _step(event: Any, levels: list[_Level], wanted: set[str], found: dict[str, int]) -> None:
    kind = type(event)
    if kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
        levels.pop()
        return
    is_mapping = kind is yaml.MappingStartEvent
    if not (is_mapping or kind in (yaml.SequenceStartEvent, yaml.ScalarEvent, yaml.AliasEvent)):
        return
    pointer = ""
    if levels:
        level = levels[-1]
        if level.is_mapping and level.key is None:
            level.key = _token(event)
            pointer = f"{level.pointer}/{level.key}"
            _note(pointer, event, wanted, found)
            if kind in (yaml.ScalarEvent, yaml.AliasEvent):
                return
        elif level.is_mapping:
            pointer, level.key = f"{level.pointer}/{level.key}", None
        else:
            level.index += 1
            pointer = f"{level.pointer}/{level.index}"
    _note(pointer, event, wanted, found)
    if kind in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
        levels.append(_Level(pointer, is_mapping))


def _token(event: Any) -> str:
    text = event.value if isinstance(event, yaml.ScalarEvent) else ""
    return text.replace("~", "~0").replace("/", "~1")


def _note(pointer: str, event: Any, wanted: set[str], found: dict[str, int]) -> None:
    if pointer in wanted and pointer not in found:
        found[pointer] = event.start_mark.line + 1
