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


class _Field(typing.NamedTuple):
    name: str
    default: Any
    writer: Callable[[Any], Any] | None
    is_plain: bool
    """Its values are JSON where no secret is in them."""


class _Codec(typing.NamedTuple):
    fields: tuple[_Field, ...]
    known: frozenset[str]
    required: frozenset[str]
    readers: Mapping[str, Callable[[Any], Any]]
    plain_readers: Mapping[str, Callable[[Any], Any]]
    """Those of fields that are more than JSON even where no secret is in them."""


def _codec(kind: type[Event]) -> _Codec:
    hints = typing.get_type_hints(kind)
    fields = []
    readers: dict[str, Callable[[Any], Any]] = {}
    for item in dataclasses.fields(kind):
        reader, writer = _form(hints[item.name])
        if reader is not None:
            readers[item.name] = reader
        fields.append(_Field(item.name, _default(item), writer, writer is to_log))
    return _Codec(
        fields=tuple(fields),
        known=frozenset(field.name for field in fields),
        required=frozenset(field.name for field in fields if field.default is dataclasses.MISSING),
        readers=readers,
        plain_readers={name: reader for name, reader in readers.items() if reader is not from_log},
    )


def _form(hint: Any) -> tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None]:
    """Give the reader and the writer of a field by its type; None where its JSON is its value."""
    if hint is CallId:
        return CallId.parse, str
    if hint is ThinkId:
        return ThinkId.parse, str
    if hint == list[CallId]:
        return (lambda texts: [CallId.parse(text) for text in texts]), (lambda ids: [str(one) for one in ids])
    return (None, None) if hint in (int, str, bool) else (from_log, to_log)


def _default(item: dataclasses.Field[Any]) -> Any:
    if item.default is dataclasses.MISSING and item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default


_CODECS: Mapping[type[Event], _Codec] = {kind: _codec(kind) for kind in EVENT_TYPES.values()}


def encode(event: Event, *, marked: bool = True) -> dict[str, Any]:
    """Turn an event into the JSON object of its log line, without the envelope but with `type`.

    Fields that have their default value are left out. Without `marked`, values stay as they are: for events of which it
    is known, or will be found out, that they hold neither a secret nor what looks like one.
    """
    if isinstance(event, UnknownEvent):
        return {"type": event.name, **event.fields}
    out: dict[str, Any] = {"type": event.type}
    for name, default, writer, is_plain in _CODECS[type(event)].fields:
        value = getattr(event, name)
        if value is default or (type(value) is type(default) and value == default):
            continue
        out[name] = value if writer is None or (is_plain and not marked) else writer(value)
    return out


def decode(line: Mapping[str, Any], *, marked: bool = True) -> Record:
    """Turn the JSON object of a log line into the record.

    An unknown type gives an `UnknownEvent`; unknown fields are kept in `Record.extra`. `marked` is false where the
    line holds no text that begins with `$`, and so neither a secret nor wrapped data.

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
    readers = codec.readers if marked else codec.plain_readers
    for name, value in line.items():
        if name in codec.known:
            reader = readers.get(name)
            values[name] = value if reader is None else reader(value)
        elif name not in _ENVELOPE:
            extra[name] = value
    if not codec.required <= values.keys():
        lacking = [field.name for field in codec.fields if field.name in codec.required - values.keys()]
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
