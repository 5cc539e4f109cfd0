"""Laws of references: print and parse are inverse, every pointer has a path, every value arrives as it was."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.engine.references import Path, Scope, StepValue, escape, find_references, look_up, parse_path, resolve
from thinkagent.errors import ArgumentError
from thinkagent.values import join_pointer, read_json, resolve_pointer, write_json

keys = st.text(max_size=8) | st.sampled_from(
    ["a.b", "", "0", "-1", ">>", "<<steps.x.result>>", '"', "'", "\\", "]", "\n"]
)
indexes = st.integers(-5, 10**6)
ways = st.lists(keys | indexes, max_size=5).map(tuple)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
paths = st.one_of(
    st.builds(
        Path, st.just("steps"), names, st.sampled_from(["result", "status", "headers", "items", "outcomes"]), ways
    ),
    st.builds(Path, st.just("inputs"), st.text(max_size=8), st.just(""), ways),
    st.builds(Path, st.just("item"), st.just(""), st.just(""), ways),
)
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([Decimal("1.10")])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)


@given(paths)
def test_parse_after_print_is_the_same_path(path):
    assert parse_path(str(path)) == path
    assert parse_path(f"  {path} ") == path


@given(paths, st.text("ab <>\\{$", max_size=6))
def test_a_printed_reference_is_found_in_any_surroundings(path, after):
    assert find_references({"x": [f"x {path.reference}{after}"]})[:1] == [path]


def pointers(value, at=()):
    yield at
    if isinstance(value, dict):
        for key, item in value.items():
            yield from pointers(item, (*at, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from pointers(item, (*at, place))


@given(values)
def test_every_pointer_has_a_path_that_leads_to_the_same_value(value):
    root = Path("steps", "s", "result")
    scope = Scope({"s": StepValue(value)})
    for keys_ in pointers(value):
        pointer = join_pointer(keys_)
        target = resolve_pointer(value, pointer)
        for path in (Path.from_pointer(root, pointer), Path.from_pointer(root, pointer, value)):
            assert parse_path(str(path)) == path
            assert path.to_pointer() == pointer
            assert look_up(path, scope) is target
            assert resolve(path.reference, scope).value is target


def test_no_pointer_counts_from_the_end():
    with pytest.raises(ValueError, match="end of a list"):
        parse_path("item[-1]").to_pointer()


@given(st.text() | st.text("<>\\{}$steps.inputs[] \"'x", max_size=30))
def test_an_escaped_text_arrives_as_it_was(text):
    assert resolve(escape(text), Scope()).value == text
    assert find_references(escape(text)) == []


@given(st.text("<>\\{}$steps.inputs[]item \"'x0", max_size=30))
def test_any_text_either_resolves_or_is_an_argument_error(text):
    refused = None
    try:
        resolve(text, Scope({"s": StepValue(1)}, {"x": 2}, item=3))
    except ArgumentError as error:
        refused = error
    assert refused is None or (refused.message and refused.code != "error")


@given(values)
def test_a_value_without_references_is_unchanged(value):
    def escaped(item):
        if isinstance(item, dict):
            return {key: escaped(inner) for key, inner in item.items() if "<" not in key}
        if isinstance(item, list):
            return [escaped(inner) for inner in item]
        return escape(item) if isinstance(item, str) else item

    def kept(item):
        if isinstance(item, dict):
            return {key: kept(inner) for key, inner in item.items() if "<" not in key}
        return [kept(inner) for inner in item] if isinstance(item, list) else item

    assert resolve(escaped(value), Scope()).value == kept(value)


NUMBERS = st.one_of(
    st.sampled_from(
        [str(2**53 - 1), str(2**53), str(2**53 + 1), "1.10", "0.10", "-0", "1e2", "1E400", "9" * 40, "1e-7"]
    ),
    st.integers().map(str),
    st.integers(10**39, 10**40).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: str(number).replace("E+", "e")),
)


@given(NUMBERS)
def test_numbers_go_through_a_reference_byte_for_byte(spelled):
    scope = Scope({"s": StepValue(read_json(f'{{"n": {spelled}}}'))})
    assert write_json(resolve({"n": "<<steps.s.result.n>>"}, scope).value) == f'{{"n":{spelled}}}'
    assert resolve("id-<<steps.s.result.n>>", scope).value == f"id-{spelled}"
