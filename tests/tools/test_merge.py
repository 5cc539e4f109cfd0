"""`allOf` as one schema, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.tools.merge import merge_schemas
from thinkagent.tools.validity import fits


@pytest.mark.parametrize(
    ("schemas", "merged"),
    [
        pytest.param([{"required": ["a"]}, {"required": ["b", "a"]}], {"required": ["a", "b"]}, id="required"),
        pytest.param(
            [{"properties": {"a": {}}}, {"properties": {"b": {}}}], {"properties": {"a": {}, "b": {}}}, id="properties"
        ),
        pytest.param(
            [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"maximum": 2}}}],
            {"properties": {"a": {"allOf": [{"minimum": 1}, {"maximum": 2}]}}},
            id="one-property-twice",
        ),
        pytest.param([{"type": "number"}, {"type": "integer"}], {"type": "integer"}, id="integer-is-a-number"),
        pytest.param([{"type": ["string", "null"]}, {"type": "string"}], {"type": "string"}, id="types"),
        pytest.param(
            [{"minimum": 1, "maxLength": 9}, {"minimum": 2, "maxLength": 3}],
            {"minimum": 2, "maxLength": 3},
            id="bounds",
        ),
        pytest.param([{"enum": ["a", "b"]}, {"enum": ["b", "c"]}], {"enum": ["b"]}, id="enum"),
        pytest.param([{"description": "outer"}, {"description": "inner"}], {"description": "outer"}, id="outer-words"),
        pytest.param([{}, {"title": "old"}, {"title": "new"}], {"title": "new"}, id="later-words"),
        pytest.param([{"readOnly": False}, {"readOnly": True}], {"readOnly": True}, id="read-only"),
    ],
)
def test_what_says_the_same(schemas, merged):
    assert merge_schemas(schemas) == merged


@pytest.mark.parametrize(
    "schemas",
    [
        pytest.param([{"pattern": "a"}, {"pattern": "b"}], id="patterns"),
        pytest.param([{"type": "string"}, {"type": "object"}], id="types"),
        pytest.param([{"enum": ["a"]}, {"enum": ["b"]}], id="enums"),
        pytest.param([{"anyOf": [{}]}, {"anyOf": [{"type": "string"}]}], id="two-choices"),
        pytest.param([{"not": {}}, {"not": {"type": "string"}}], id="two-nots"),
        pytest.param([{"contains": {"minimum": 1}}, {"contains": {"maximum": 1}}], id="contains"),
        pytest.param([{"prefixItems": [{}], "items": {}}, {"items": {"type": "string"}}], id="tuple-and-list"),
        pytest.param([{"properties": {"a": {}}}, {"properties": {}, "additionalProperties": False}], id="closed-inner"),
        pytest.param([{"additionalProperties": {"type": "string"}}, {"properties": {"a": {}}}], id="closed-outer"),
        pytest.param([{}, {"unevaluatedProperties": False}], id="unevaluated-inner"),
        pytest.param([{"$ref": "#/$defs/A"}, {}], id="reference"),
    ],
)
def test_what_cannot_be_one_schema(schemas):
    assert merge_schemas(schemas) is None


BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", "integer", "number", "string", ["string", "object"]]),
        "minimum": st.integers(0, 5),
        "maximum": st.integers(0, 5),
        "maxLength": st.integers(0, 3),
        "enum": st.lists(st.sampled_from([1, 2, "a", "b"]), min_size=1, max_size=3, unique=True),
        "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
        "properties": st.dictionaries(
            st.sampled_from(["a", "b"]), st.sampled_from([{}, {"type": "string"}, {"minimum": 2}])
        ),
        "additionalProperties": st.sampled_from([True, False, {"type": "string"}]),
        "pattern": st.sampled_from(["a", "b"]),
    },
)
VALUES = [1, 2, 5, "a", "b", "aaaa", None, {}, {"a": 1}, {"a": "x"}, {"a": 3, "b": "x"}, {"b": 1}, {"c": "x"}, {"c": 1}]


@given(st.lists(BOUNDS, min_size=1, max_size=3))
def test_the_merged_schema_takes_what_all_of_them_take(schemas):
    merged = merge_schemas(schemas)
    if merged is not None:
        for value in VALUES:
            assert fits(merged, value) == all(fits(schema, value) for schema in schemas)
