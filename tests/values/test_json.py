"""Exact JSON: every number comes back as it was spelled."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.values import (
    JsonError,
    Secret,
    SecretText,
    Spelled,
    plain,
    read_json,
    same,
    write_json,
    write_plain,
)

NUMBERS = st.one_of(
    st.integers().map(str),
    st.sampled_from(["-0", "0.10", "1e400", "1E5", "1.0e-7", "-0.0", "9007199254740993", "9007199254740991"]),
    st.decimals(allow_nan=False, allow_infinity=False).map(lambda d: f"{d:f}"),
    st.from_regex(r"\A-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?\Z"),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text())
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(NUMBERS)
def test_a_number_is_written_as_it_was_read(text):
    assert write_json(read_json(f'{{"n":[{text}]}}')) == f'{{"n":[{text}]}}'


@given(VALUES)
def test_what_is_written_reads_back_equal(value):
    assert same(read_json(write_json(value)), value)
    assert same(read_json(write_json(value, indent=2, sort=True)), value)


ODD_TEXTS = st.text(st.sampled_from('\0"\\u0000\ud800$é'), max_size=6)
ODD_SCALARS = st.one_of(ODD_TEXTS, NUMBERS.map(read_json), st.booleans(), st.none())
ODD_VALUES = st.recursive(ODD_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(ODD_TEXTS, inner), max_leaves=12)


@given(ODD_VALUES)
def test_numbers_keep_their_spelling_beside_any_text(value):
    """Both writers, the fast and the readable one, say the same of what was read."""
    assert write_json(read_json(write_json(value, indent=1))) == write_json(value)


@given(ODD_VALUES)
def test_plain_writing_is_writing_or_refused(value):
    written = write_plain(value)
    assert written is None or (written == write_json(value) and '"$' not in written)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"a": Secret("k")}, id="secret"),
        pytest.param([{"a": [SecretText(("Bearer ", Secret("k")))]}], id="text-with-a-secret"),
        pytest.param({"$secret": "k"}, id="what-looks-like-one"),
        pytest.param({"a": "$b"}, id="a-text-that-begins-with-a-mark"),
    ],
)
def test_what_is_not_plain_is_not_written_plainly(value):
    assert write_plain(value) is None


@pytest.mark.parametrize(
    "value", [{"a": object()}, [{1, 2}], {"a": b"x"}, {("a",): 1}], ids=["object", "set", "bytes", "key"]
)
def test_what_json_does_not_know_is_refused(value):
    with pytest.raises(TypeError):
        write_json(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity")], ids=repr)
def test_what_is_no_number_is_refused(value):
    for inside in (value, [value], {"a": value}):
        with pytest.raises(ValueError):
            write_json(inside)


def test_deeper_than_the_encoder_goes_is_refused_as_before():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RecursionError):
        write_json(value)


@pytest.mark.parametrize("digits", [40, 4299, 4300, 20_000], ids=lambda n: f"{n}-digits")
def test_long_integers_keep_every_digit(digits):
    text = "7" * digits
    assert write_json(read_json(f"[{text}]")) == f"[{text}]"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("NaN", "NaN is not a JSON number", id="nan"),
        pytest.param("[Infinity]", "Infinity is not a JSON number", id="infinity"),
        pytest.param('{"a":', "Expecting value", id="cut"),
        pytest.param("[1] [2]", "Extra data", id="two"),
        pytest.param("", "Expecting value", id="empty"),
        pytest.param("1e99999999999999999999", "exponent that is too large", id="huge-exponent"),
        pytest.param("[" * 300 + "]" * 300, "nested deeper than 200", id="deep-list"),
        pytest.param('{"a":' * 201 + "1" + "}" * 201, "nested deeper than 200", id="deep-object"),
        pytest.param("[" * 200_000, "nested deeper than 200", id="very-deep"),
        pytest.param(b'"\xff"', "not UTF-8", id="bytes"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(text, says):
    with pytest.raises(JsonError, match=says):
        read_json(text)


def test_brackets_inside_a_text_are_no_depth():
    assert read_json('"' + "[" * 1000 + '"') == "[" * 1000


def test_duplicate_keys_are_told_and_the_later_counts():
    told: list[str] = []
    assert read_json('{"a":1,"b":2,"a":3}', on_duplicate=told.append) == {"a": 3, "b": 2}
    assert told == ["a"]


def test_a_lone_surrogate_goes_through():
    assert write_json(read_json('"\\ud800x"')) == '"\\ud800x"'


def test_plain_is_what_a_validator_takes():
    value = plain(read_json('{"a":[1e2,1.5]}'))
    assert value == {"a": [Decimal("100"), Decimal("1.5")]}
    assert not any(isinstance(item, Spelled) for item in value["a"])


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("1", "1.0", True),
        ("true", "1", False),
        ('{"a":1,"b":2}', '{"b":2,"a":1.00}', True),
        ("[1,2]", "[2,1]", False),
        ('{"a":null}', "{}", False),
    ],
)
def test_sameness_is_by_meaning(left, right, equal):
    assert same(read_json(left), read_json(right)) is equal
