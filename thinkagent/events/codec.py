"""Events to JSON and back. What is folded is always what this reads, never what was built."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from typing import Any

from thinkagent.errors import JournalError
from thinkagent.events.ids import CallId, ThinkId
from thinkagent.events.types import EVENT_TYPES, Event, Record, UnknownEvent
from thinkagent.values import from_log, to_log

__all__ = ["comparable", "decode", "encode", "volatile_fields"]

_ENVELOPE = ("seq", "at", "type", "prev")


class _Codec(typing.NamedTuple):
    names: tuple[str, ...]
    required: tuple[str, ...]
    readers: Mapping[str, Callable[[Any], Any]]
    writers: Mapping[str, Callable[[Any], Any]]
    defaults: Mapping[str, Any]


def _codec(kind: type[Event]) -> _Codec:
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    readers: dict[str, Callable[[Any], Any]] = {}
    writers: dict[str, Callable[[Any], Any]] = {}
    for item in fields:
        hint = hints[item.name]
        if hint is CallId:
            readers[item.name], writers[item.name] = CallId.parse, str
        elif hint is ThinkId:
            readers[item.name], writers[item.name] = ThinkId.parse, str
        elif hint == list[CallId]:
            readers[item.name] = lambda texts: [CallId.parse(text) for text in texts]
            writers[item.name] = lambda ids: [str(one) for one in ids]
        elif hint in (int, str, bool):
            pass
        else:
            readers[item.name], writers[item.name] = from_log, to_log
    defaults = {item.name: default for item in fields if (default := _default(item)) is not dataclasses.MISSING}
    names = tuple(item.name for item in fields)
    return _Codec(names, tuple(name for name in names if name not in defaults), readers, writers, defaults)


def _default(item: dataclasses.Field[Any]) -> Any:
    if item.default is dataclasses.MISSING and item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default


_CODECS: Mapping[type[Event], _Codec] = {kind: _codec(kind) for kind in EVENT_TYPES.values()}


def encode(event: Event) -> dict[str, Any]:
    """Turn an event into the JSON object of its log line, without the envelope but with `type`.

    Fields that have their default value are left out.
    """
    if isinstance(event, UnknownEvent):
        return {"type": event.name, **event.fields}
    codec = _CODECS[type(event)]
    out: dict[str, Any] = {"type": event.type}
    for name in codec.names:
        value = getattr(event, name)
        if name in codec.defaults and value == codec.defaults[name] and type(value) is type(codec.defaults[name]):
            continue
        writer = codec.writers.get(name)
        out[name] = value if writer is None else writer(value)
    return out


def decode(line: Mapping[str, Any]) -> Record:
    """Turn the JSON object of a log line into the record.

    An unknown type gives an `UnknownEvent`; unknown fields are kept in `Record.extra`.

    Raises:
        JournalError: the line has no type, or lacks a field that its type must have.
    """
    word = line.get("type")
    if not isinstance(word, str):
        raise JournalError("an event has no type", code="bad_event")
    seq, at, prev = line.get("seq", 0), line.get("at", ""), line.get("prev", "")
    kind = EVENT_TYPES.get(word)
    if kind is None:
        rest = {key: value for key, value in line.items() if key not in _ENVELOPE}
        return Record(seq, at, UnknownEvent(word, rest), prev)
    codec = _CODECS[kind]
    values: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in line.items():
        if name in _ENVELOPE:
            continue
        if name not in codec.names:
            extra[name] = value
            continue
        reader = codec.readers.get(name)
        values[name] = value if reader is None else reader(value)
    lacking = [name for name in codec.required if name not in values]
    if lacking:
        raise JournalError(f"event {word!r} lacks {', '.join(lacking)}", code="bad_event", where=f"event {seq}")
    return Record(seq, at, kind(**values), prev, extra)


def volatile_fields(kind: type[Event]) -> frozenset[str]:
    """Name the fields of an event type that differ between equal runs."""
    if kind is UnknownEvent:
        return frozenset()
    return frozenset(item.name for item in dataclasses.fields(kind) if item.metadata.get("volatile"))


def comparable(event: Event) -> dict[str, Any]:
    """Give the event's JSON without its volatile fields: what two equal runs share."""
    out = encode(event)
    for name in volatile_fields(type(event)):
        out.pop(name, None)
    return out
