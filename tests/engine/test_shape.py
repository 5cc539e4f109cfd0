"""Shapes: small schemas with true counts, and the list that an answer carries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.engine.shape import find_items, shape
from thinkagent.values import Secret, read_json, resolve_pointer, tokens, write_json


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        pytest.param("null", {"type": "null"}, id="null"),
        pytest.param("true", {"type": "boolean"}, id="boolean"),
        pytest.param("12345678901234567890", {"type": "integer"}, id="integer"),
        pytest.param("1.10", {"type": "number"}, id="number"),
        pytest.param('"a"', {"type": "string"}, id="string"),
        pytest.param("[]", {"type": "array", "count": 0}, id="empty-list"),
        pytest.param("{}", {"type": "object", "properties": {}}, id="empty-object"),
        pytest.param(
            '{"id": 1, "tags": ["a", "b"]}',
            {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "tags": {"type": "array", "count": 2, "items": {"type": "string"}},
                },
            },
            id="object",
        ),
        pytest.param(
            '[{"id": 1, "n": null}, {"id": 2, "n": "x", "more": true}, {"id": 3.5, "n": "y"}]',
            {
                "type": "array",
                "count": 3,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "number"},
                        "n": {"type": ["null", "string"]},
                        "more": {"type": "boolean"},
                    },
                    "optional": ["more"],
                },
            },
            id="elements-together",
        ),
        pytest.param(
            '[{"l": [1, 2, 3]}, {"l": []}]',
            {
                "type": "array",
                "count": 2,
                "items": {
                    "type": "object",
                    "properties": {"l": {"type": "array", "count": [0, 3], "items": {"type": "integer"}}},
                },
            },
            id="lists-in-elements",
        ),
        pytest.param(
            '[1, "a", [1], {"b": 1}]',
            {
                "type": "array",
                "count": 4,
                "items": {
                    "type": ["integer", "string", "array", "object"],
                    "properties": {"b": {"type": "integer"}},
                    "count": 1,
                    "items": {"type": "integer"},
                },
            },
            id="elements-of-all-kinds",
        ),
    ],
)
def test_the_shape_of_a_value(value, wanted):
    assert shape(read_json(value)) == wanted


def test_a_secret_is_a_text():
    assert shape({"token": Secret("a")})["properties"] == {"token": {"type": "string"}}


def test_counts_are_true_though_only_the_ends_are_looked_at():
    rows = [{"id": number} for number in range(100_000)]
    rows[-1]["late"] = True
    found = shape(rows)
    assert found["count"] == 100_000
    assert found["items"]["optional"] == ["late"]
    assert "count" not in shape([[1]] * 1000)["items"], "not all were looked at, so no bounds are told"


def test_a_map_of_thousands_is_counted_and_not_listed():
    found = shape({f"id{number}": number for number in range(5000)})
    assert found["property_count"] == 5000
    assert len(found["properties"]) == 40


def test_the_shape_stays_small_whatever_the_value():
    value = 1
    for _ in range(150):
        value = {"a": value, "x" * 5000: [value]}
    assert tokens(write_json(shape(value))) < 2000
    assert tokens(write_json(shape([{f"k{n}_{m}": n for m in range(50)} for n in range(50)]))) < 1000


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=30,
)


@given(values)
def test_shapes_are_json_and_the_same_each_time(value):
    assert write_json(shape(value)) == write_json(shape(read_json(write_json(value))))


@given(values)
def test_items_are_where_the_pointer_says(value):
    found = find_items(value)
    if found is not None:
        assert resolve_pointer(value, found[0]) is found[1]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        pytest.param("[1]", "", id="the-body"),
        pytest.param("[]", "", id="empty-body"),
        pytest.param('{"items": [{"id": 1}], "total": 9}', "/items", id="items"),
        pytest.param('{"data": [], "next": null}', "/data", id="empty-data"),
        pytest.param('{"names": ["a"], "results": [1]}', "/results", id="usual-name-first"),
        pytest.param('{"customers": [{"id": 1}], "next_cursor": "x", "has-more": true}', "/customers", id="own-name"),
        pytest.param('{"customers": [], "totalCount": 0}', "/customers", id="own-name-empty"),
        pytest.param('{"tags": ["a"], "count": 1}', "/tags", id="list-of-texts-beside-paging"),
        pytest.param('{"generatedAt": "x", "orders": [{"id": 1}]}', "/orders", id="beside-another-scalar"),
        pytest.param('{"@odata.context": "x", "value": [{}], "@odata.nextLink": "y"}', "/value", id="odata"),
        pytest.param('{"hydra:member": [{}], "@type": "x", "hydra:totalItems": 1}', "/hydra:member", id="hydra"),
        pytest.param('{"_embedded": {"orders": [{}]}, "_links": {}, "page": {}}', "/_embedded/orders", id="hal"),
        pytest.param('{"data": {"items": [{}]}, "status": "ok"}', "/data/items", id="one-level-deeper"),
        pytest.param('{"hits": {"total": 1, "hits": [{}]}}', "/hits/hits", id="search"),
        pytest.param('{"data": [{}], "included": [{}], "errors": []}', "/data", id="beside-other-lists"),
        pytest.param('{"orders": [{}], "warnings": []}', "/orders", id="beside-warnings"),
        pytest.param('{"a/b": [{}]}', "/a~1b", id="key-with-a-slash"),
    ],
)
def test_the_list_of_a_list_answer_is_found(value, pointer):
    assert find_items(read_json(value))[0] == pointer


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("{}", id="nothing"),
        pytest.param('"a"', id="text"),
        pytest.param('{"id": 1, "lines": [{"sku": "a"}]}', id="one-thing-with-lines"),
        pytest.param('{"id": 1, "items": [{"sku": "a"}]}', id="one-thing-with-items"),
        pytest.param('{"name": "a", "tags": ["x"]}', id="one-thing-with-tags"),
        pytest.param('{"data": {"id": 1, "tags": ["x"]}}', id="one-thing-in-data"),
        pytest.param('{"users": [{}], "groups": [{}]}', id="two-lists"),
        pytest.param('{"errors": ["x"]}', id="errors-alone"),
    ],
)
def test_no_list_is_made_up(value):
    assert find_items(read_json(value)) is None
