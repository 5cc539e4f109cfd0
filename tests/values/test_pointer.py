"""JSON Pointer, with the examples of RFC 6901, section 5."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.values import join_pointer, parse_pointer, resolve_pointer

DOCUMENT = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_rfc_6901(pointer, value):
    assert resolve_pointer(DOCUMENT, pointer) == value


@given(st.lists(st.text()))
def test_tokens_survive(parts):
    assert parse_pointer(join_pointer(parts)) == parts


@pytest.mark.parametrize("pointer", ["/foo/2", "/foo/00", "/foo/-", "/nope", "/foo/0/x"])
def test_a_pointer_that_leads_nowhere(pointer):
    with pytest.raises(LookupError):
        resolve_pointer(DOCUMENT, pointer)
