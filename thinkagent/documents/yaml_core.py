"""YAML read as JSON means it.

The scalars are those of YAML 1.2's core schema (section 10.3.2): no dates, no `yes`, `no`, `on`, `off`, no octals by a
leading zero, no sexagesimals, no `1_000`. Two departures keep what the author wrote: a number with leading zeros
(`012`) and `.inf`/`.nan`, which JSON cannot say, stay text. Keys are always the text as written. Numbers are exact.

Aliases share the value of their anchor and are never copied out; what they would come to if copied is counted and
bounded. An alias inside the anchor that it names becomes an empty mapping or list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import yaml

from thinkagent.values import Json, JsonError, Spelled, write_json

__all__ = ["YamlText", "events", "read_yaml"]

MAX_ALIASED = 100_000
"""Values that all aliases of one text may stand for, counted as if they were copied out: schemas are, in the end."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_JSON_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_JSON_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_CORE_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_BASED = re.compile(r"0(?:o[0-7]{1,400}|x[0-9a-fA-F]{1,400})\Z")
_LONGEST_INT = 4300
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_CORE_TAGS = frozenset(f"tag:yaml.org,2002:{word}" for word in ("int", "float", "bool", "null"))


@dataclass(slots=True)
class YamlText:
    """What a YAML text holds, and what was odd about it."""

    value: Json
    repeated: list[str] = field(default_factory=list)
    """Keys that came again in the same mapping; the later one counts."""
    circular: list[str] = field(default_factory=list)
    """Names of anchors with an alias inside themselves."""
    more_documents: bool = False
    """Whether other documents follow the first; they are not read."""


def events(text: str) -> Iterator[Any]:
    """Give the events of a YAML text as PyYAML's parser makes them; raises `JsonError` with line and column."""
    loader = _LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not YAML"
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise JsonError(problem, line, column) from error
    except yaml.YAMLError as error:
        raise JsonError(*_reader_problem(error, text)) from error
    finally:
        loader.dispose()


def read_yaml(text: str, *, max_depth: int = 500) -> YamlText:
    """Read the first document of a YAML text.

    Raises:
        JsonError: not YAML, nested deeper than `max_depth`, or aliases that stand for too many values.
    """
    return _Builder(max_depth).build(text)


def _reader_problem(error: yaml.YAMLError, text: str) -> tuple[str, int, int]:
    found = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]", text)
    if found is None:
        return str(getattr(error, "reason", error)), 0, 0
    before = text[: found.start()]
    line, column = before.count("\n") + 1, found.start() - (before.rfind("\n") + 1) + 1
    return f"the character U+{ord(found[0]):04X} is not allowed", line, column


def resolve_scalar(text: str) -> Json:
    """Give a plain scalar its value by the core schema."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if not (first.isdecimal() or first in "-+."):
        return text
    if _JSON_INTEGER.match(text):
        return Decimal(text) if text == "-0" or len(text) >= _LONGEST_INT else int(text)
    if _BASED.match(text):
        return int(text[2:], 8 if text[1] == "o" else 16)
    if not _CORE_NUMBER.match(text):
        return text
    try:
        value = Decimal(text)
    except ArithmeticError:
        return text
    if _JSON_DECIMAL.match(text):
        return value if str(value) == text else Spelled(text)
    return int(value) if _JSON_INTEGER.match(str(value)) and len(text) < _LONGEST_INT else value


class _Frame:
    """A mapping or list that is being filled."""

    __slots__ = ("anchor", "height", "is_merged", "key", "merges", "own", "size", "value")

    def __init__(self, value: dict[str, Json] | list[Json], anchor: str | None, is_merged: bool) -> None:
        self.value = value
        self.anchor = anchor
        self.is_merged = is_merged
        self.key: str | None = None
        self.merges: list[Json] = []
        self.own: set[str] = set()
        self.size = 1
        self.height = 1


@dataclass(slots=True)
class _Anchored:
    value: Json
    text: str
    """As written, for an alias that stands as a key."""
    size: int
    height: int
    is_open: bool = False


class _Builder:
    def __init__(self, max_depth: int) -> None:
        self.max_depth = max_depth
        self.stack: list[_Frame] = []
        self.anchors: dict[str, _Anchored] = {}
        self.result = YamlText(None)
        self.aliased = 0
        self.merge_next = False

    def build(self, text: str) -> YamlText:
        documents = 0
        for event in events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._open({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._open([], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.result.more_documents = True
                    break
        return self.result

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        text: str = event.value
        is_plain = event.tag is None and event.implicit[0]
        frame = self.stack[-1] if self.stack else None
        wants_key = frame is not None and frame.key is None and type(frame.value) is dict and not self.merge_next
        if wants_key and is_plain and text == "<<":
            self.merge_next = True
            return
        value = text if wants_key or not (is_plain or event.tag in _CORE_TAGS) else resolve_scalar(text)
        if event.anchor is not None:
            kept = resolve_scalar(text) if wants_key and is_plain else value
            self.anchors[event.anchor] = _Anchored(kept, text, 1, 0)
        self._put(value, text, 1, 0)

    def _open(self, value: dict[str, Json] | list[Json], event: Any) -> None:
        if len(self.stack) >= self.max_depth:
            mark = event.start_mark
            raise JsonError(f"nested deeper than {self.max_depth} levels", mark.line + 1, mark.column + 1)
        if event.anchor is not None:
            self.anchors[event.anchor] = _Anchored(value, "", 0, 0, is_open=True)
        self.stack.append(_Frame(value, event.anchor, self.merge_next))
        self.merge_next = False

    def _close(self) -> None:
        frame = self.stack.pop()
        value = frame.value
        if frame.merges and isinstance(value, dict):
            own = dict(value)
            value.clear()
            for source in frame.merges:
                for key, item in source.items():
                    value.setdefault(key, item)
            value.update(own)
        if frame.anchor is not None:
            anchored = self.anchors.get(frame.anchor)
            if anchored is not None and anchored.value is value:
                self.anchors[frame.anchor] = _Anchored(value, "", frame.size, frame.height)
        self.merge_next = frame.is_merged
        self._put(value, None, frame.size, frame.height)

    def _alias(self, event: Any) -> None:
        name: str = event.anchor
        anchored = self.anchors.get(name)
        mark = event.start_mark
        if anchored is None:
            raise JsonError(f"found undefined alias {name!r}", mark.line + 1, mark.column + 1)
        if anchored.is_open:
            self.result.circular.append(name)
            self._put(type(anchored.value)(), "", 1, 1)
            return
        self.aliased += anchored.size
        if self.aliased > MAX_ALIASED:
            raise JsonError(
                f"aliases stand for more than {MAX_ALIASED} values (an alias bomb?)", mark.line + 1, mark.column + 1
            )
        if len(self.stack) + anchored.height > self.max_depth:
            raise JsonError(f"nested deeper than {self.max_depth} levels", mark.line + 1, mark.column + 1)
        self._put(anchored.value, anchored.text, anchored.size, anchored.height)

    def _put(self, value: Json, text: str | None, size: int, height: int) -> None:
        if not self.stack:
            self.result.value = value
            return
        frame = self.stack[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        target = frame.value
        if isinstance(target, list):
            target.append(value)
        elif self.merge_next:
            self.merge_next = False
            self._merge(frame, value)
        elif frame.key is None:
            key = text if isinstance(text, str) and not isinstance(value, dict | list) else write_json(value)
            if key in frame.own:
                self.result.repeated.append(key)
            frame.own.add(key)
            frame.key = key
        else:
            target[frame.key] = value
            frame.key = None

    def _merge(self, frame: _Frame, value: Json) -> None:
        sources = value if isinstance(value, list) else [value]
        if all(isinstance(source, dict) for source in sources):
            frame.merges.extend(sources)
        elif isinstance(frame.value, dict):
            frame.value["<<"] = value
