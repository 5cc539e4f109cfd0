"""Every event type comes back from its line as it went in, and says which of its fields are volatile."""

from __future__ import annotations

import dataclasses
import typing
from decimal import Decimal

import pytest

from thinkagent import events as ev
from thinkagent.errors import JournalError
from thinkagent.values import Secret, SecretText, read_json, write_json

SAMPLES: dict[object, object] = {
    int: 7,
    str: "text",
    bool: True,
    ev.CallId: ev.CallId(4, 3, 2, 1),
    ev.ThinkId: ev.ThinkId(2, 1, 3),
    list[str]: ["a"],
    list[ev.CallId]: [ev.CallId(4), ev.CallId(4, 1, hop=2)],
    list[list[str]]: [["system", "sha256:x"]],
}


def sample(hint: object) -> object:
    """Make a value of a field's type that is never its default."""
    if hint in SAMPLES:
        return SAMPLES[hint]
    if typing.get_origin(hint) is list:
        return [{"$secret": "data"}, [Secret("s")]]
    names = {getattr(part, "__name__", "") for part in typing.get_args(hint)}
    if "Secret" in names:
        return SecretText(("Bearer ", Secret("t4.i0.p0.a1.token")))
    if "Decimal" in names:
        return Decimal("0.10")
    if "int" in names:
        return 5
    if "str" in names and "Mapping" not in names:
        return "text"
    return {"key": [Secret("s"), "x", {"$text": ["hostile"]}], "n": Decimal("1.10")}


@pytest.mark.parametrize("kind", ev.EVENT_TYPES.values(), ids=ev.EVENT_TYPES.keys())
def test_an_event_survives_its_line(kind):
    hints = typing.get_type_hints(kind)
    event = kind(**{field.name: sample(hints[field.name]) for field in dataclasses.fields(kind)})
    line = read_json(write_json(ev.encode(event)))
    assert ev.decode(line).event == event
    assert set(ev.comparable(event)) == set(line) - ev.volatile_fields(kind)


@pytest.mark.parametrize("kind", ev.EVENT_TYPES.values(), ids=ev.EVENT_TYPES.keys())
def test_a_line_that_lacks_a_field_is_refused(kind):
    required = [
        f.name
        for f in dataclasses.fields(kind)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    if required:
        with pytest.raises(JournalError, match=required[0]):
            ev.decode({"seq": 3, "type": kind.type})


@pytest.mark.parametrize("text", ["t4.i0.p0.a1", "t12.i3.p2.a1.h1"])
def test_a_call_is_named(text):
    assert str(ev.CallId.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "t4", "t4.i0.p0", "t4.i0.p0.ax", "t4.i0.p0.a1.h1.z2", "x4.i0.p0.a1", "t-1.i0.p0.a1"]
)
def test_what_names_no_call_is_refused(text):
    with pytest.raises(JournalError):
        ev.CallId.parse(text)
