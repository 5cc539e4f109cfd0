"""Bounded views: within the budget, whole values, true counts, little work."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.engine.bounded_view import MARK, bounded_view
from thinkagent.values import Secret, SecretText, read_json, same, tokens, write_json

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.text('é😀\n"\\', max_size=60)
    | st.integers(10**90, 10**99),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=20), inner),
    max_leaves=60,
)


@given(values, st.integers(10, 300))
def test_a_view_keeps_its_budget_and_a_whole_one_is_the_value(value, budget):
    view = bounded_view(value, budget)
    assert tokens(write_json(view.value)) <= budget
    if view.cut:
        assert tokens(write_json(value)) > budget
    else:
        assert same(view.value, value)


def left_out(view):
    return int(view.split()[0])


@given(st.lists(st.text(max_size=30) | st.integers(), max_size=200), st.integers(12, 60))
def test_shown_and_left_out_elements_are_all(value, budget):
    view, cut = bounded_view(value, budget)
    if cut:
        marked = isinstance(view[-1], dict)
        shown = len(view) - marked
        assert shown + (left_out(view[-1][MARK]) if marked else 0) == len(value)


@given(st.dictionaries(st.text("abc", max_size=6), st.text(max_size=80), max_size=60), st.integers(12, 60))
def test_shown_and_left_out_keys_are_all(value, budget):
    view, cut = bounded_view(value, budget)
    if cut:
        assert len(view.keys() & value.keys()) + (left_out(view[MARK]) if MARK in view else 0) == len(value)


@pytest.mark.parametrize(
    ("value", "budget", "view"),
    [
        pytest.param(list(range(40)), 12, [*range(10), {"…": "30 more items"}], id="list"),
        pytest.param("x" * 100, 15, "x" * 38 + "… (100 characters)", id="text"),
        pytest.param(
            {f"k{n}": n for n in range(30)}, 12, {"k0": 0, "k1": 1, "k2": 2, "…": "27 more keys"}, id="object"
        ),
        pytest.param([["x" * 500] * 9], 10, [{"…": "1 item"}], id="nothing-fits"),
        pytest.param(10**500, 15, "… (a number of 501 characters)", id="number-is-never-cut"),
        pytest.param(
            {"small": 1, "text": "y" * 400, "list": list(range(400)), "last": None},
            45,
            None,
            id="small-values-stay-beside-large-ones",
        ),
    ],
)
def test_what_is_shown(value, budget, view):
    found = bounded_view(value, budget)
    assert found.cut
    if view is None:
        assert found.value["small"] == 1
        assert found.value["last"] is None
        assert found.value["text"].endswith("… (400 characters)")
        assert "more items" in found.value["list"][-1]["…"]
    else:
        assert found.value == view


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"rows": [{"i": number, "pad": "x" * 200} for number in range(20_000)]}, id="many-rows"),
        pytest.param("x" * 5_000_000, id="one-long-text"),
        pytest.param("é😀" * 1_000_000, id="one-long-text-of-many-bytes"),
        pytest.param(list(range(1_000_000)), id="a-million-small-items"),
        pytest.param({f"key{number}": "v" * 2000 for number in range(20_000)}, id="many-keys"),
        pytest.param({"k" * 1_000_000: 1, "a": 2}, id="a-long-key"),
    ],
)
def test_big_values_cost_little(value):
    started = time.process_time()
    view = bounded_view(value, 800)
    assert time.process_time() - started < 0.5
    assert view.cut
    assert tokens(write_json(view.value)) <= 800
    assert tokens(write_json(view.value)) > 100 or "a" in view.value


def test_deep_nesting_is_cut():
    value = "deep"
    for _ in range(190):
        value = [value, {"x": "y" * 20}]
    view = bounded_view(value, 100)
    assert view.cut
    assert tokens(write_json(view.value)) <= 100


def test_secrets_are_shown_by_name_and_numbers_as_spelled():
    value = {"a": Secret("t1.token"), "b": [SecretText(("Bearer ", Secret("x")))], "n": read_json("1e2")}
    assert write_json(bounded_view(value).value) == '{"a":"«secret t1.token»","b":["Bearer «secret x»"],"n":1e2}'
    assert bounded_view(value).value["a"] == "«secret t1.token»"
