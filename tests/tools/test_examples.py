"""Examples: the document's own where valid, else made; the same each time; valid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.helpers import answer, body, only_tool
from thinkagent.tools import example_call, example_result, example_value
from thinkagent.tools.patterns import example_of_pattern
from thinkagent.tools.validity import fits
from thinkagent.values import read_json, write_json

TREE = """{"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "required": ["k"],
    "properties": {"k": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}}}"""


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param('{"const": {"a": 1.10}}', '{"a":1.10}', id="const-as-spelled"),
        pytest.param('{"enum": [null, "L"]}', '"L"', id="enum-but-null"),
        pytest.param('{"type": "string", "examples": [5, "five"]}', '"five"', id="example-of-the-type"),
        pytest.param('{"type": "integer", "default": 20}', "20", id="default"),
        pytest.param('{"type": "string", "maxLength": 2, "examples": ["long"]}', '"st"', id="invalid-example"),
        pytest.param('{"type": ["null", "boolean"]}', "true", id="nullable"),
        pytest.param('{"type": "null"}', "null", id="null"),
        pytest.param('{"type": "integer", "minimum": 5, "multipleOf": 3}', "6", id="multiple"),
        pytest.param(
            '{"type": "integer", "minimum": -7, "maximum": -2, "multipleOf": 5}', "-5", id="negative-multiple"
        ),
        pytest.param('{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}', "0.5", id="between"),
        pytest.param('{"type": "number", "multipleOf": 0.01, "minimum": 1.005}', "1.01", id="cents"),
        pytest.param('{"type": "integer", "exclusiveMaximum": 0}', "-1", id="below-zero"),
        pytest.param('{"minimum": 3}', "3", id="number-without-type"),
        pytest.param('{"type": "string", "minLength": 8}', '"stringxx"', id="longer"),
        pytest.param('{"type": "string", "format": "date"}', '"2025-01-31"', id="date"),
        pytest.param('{"type": "string", "pattern": "^[A-Z]{3}-\\\\d{4}$"}', '"AAA-0000"', id="pattern"),
        pytest.param(
            '{"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": true}',
            "[1,2,3]",
            id="unique",
        ),
        pytest.param('{"type": "array", "maxItems": 0}', "[]", id="no-items"),
        pytest.param('{"type": "array", "prefixItems": [{"const": 1}, {"const": "a"}]}', '[1,"a"]', id="tuple"),
        pytest.param(
            '{"type": "object", "minProperties": 2, "additionalProperties": {"type": "boolean"}}',
            '{"key1":true,"key2":true}',
            id="map",
        ),
        pytest.param(
            '{"type":"object","required":["b"],"additionalProperties":{"type":"integer"}}',
            '{"b":1}',
            id="required-but-undeclared",
        ),
        pytest.param('{"anyOf": [{"type": "null"}, {"type": "integer"}]}', "1", id="anyOf-but-null"),
        pytest.param(
            '{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","required":["b"]}]}',
            '{"a":"string"}',
            id="oneOf",
        ),
        pytest.param('{"oneOf":[{"type":"integer"},{"type":"number"}]}', "1.5", id="oneOf-numbers"),
        pytest.param('{"oneOf":[{"minimum":0},{"maximum":10}]}', "-1", id="oneOf-bounds"),
        pytest.param('{"oneOf":[{"type":"string"},{}]}', "1", id="oneOf-anything"),
        pytest.param('{"oneOf":[{"type":"string","maxLength":8},{"minLength":3}]}', '"s"', id="oneOf-lengths"),
        pytest.param('{"oneOf":[{"type":"array"},{"type":"array","minItems":1}]}', "[]", id="oneOf-lists"),
        pytest.param(
            '{"oneOf":[{"type":"object"},{"type":"object","additionalProperties":false}]}',
            '{"key1":"string"}',
            id="oneOf-open-and-closed",
        ),
        pytest.param(
            '{"type":"object","required":["a","b"],"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"number"}]},'
            '"b":{"oneOf":[{},{"type":"object"},{"type":"boolean"}]}}}',
            '{"a":1.5,"b":"string"}',
            id="oneOf-each-in-its-own-way",
        ),
        pytest.param(
            '{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"type":"object"},'
            '"B":{"type":"object","additionalProperties":{"type":"integer"}}}}',
            '{"key1":"string"}',
            id="oneOf-of-definitions",
        ),
        pytest.param(
            '{"type":"object","properties":{"t":{"type":"string"}},"required":["t"],"oneOf":[{"properties":{"t":{"const":"x"}}}]}',
            '{"t":"x"}',
            id="oneOf-beside-properties",
        ),
        pytest.param(
            '{"allOf":[{"required":["a"],"properties":{"a":{"minimum":4}}},{"properties":{"a":{"type":"integer"}}}]}',
            '{"a":4}',
            id="allOf",
        ),
        pytest.param(TREE, '{"k":[{"k":[]}]}', id="inside-itself"),
        pytest.param("true", '"string"', id="anything"),
    ],
)
def test_an_example_is_valid_and_always_the_same(schema, value):
    schema = read_json(schema)
    assert write_json(example_value(schema)) == value
    assert fits(schema, example_value(schema))


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param("false", id="nothing-fits"),
        pytest.param('{"oneOf": [{"type": "string"}, {"type": "string", "format": "date"}]}', id="always-both"),
        pytest.param(
            '{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/A"}}}}}',
            id="endless",
        ),
        pytest.param('{"minimum": 1e999999999}', id="beyond-all-numbers"),
        pytest.param('{"type": "array", "minItems": 100000000}', id="endless-list"),
        pytest.param('{"type": "string", "minLength": 900000000}', id="endless-text"),
        pytest.param('{"type": "string", "pattern": "(?<=x)y"}', id="pattern-not-understood"),
        pytest.param('{"type": "integer", "multipleOf": 1e-400}', id="tiny-step"),
        pytest.param('{"type": "string", "examples": 1e400000000}', id="enormous-example"),
    ],
)
def test_what_no_example_can_be_made_for_ends_soon_and_quietly(schema):
    example_value(read_json(schema))


def test_a_direction_leaves_out_the_other_side_s_fields():
    schema = {
        "type": "object",
        "required": ["id", "pin"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "pin": {"type": "string", "writeOnly": True}},
    }
    assert example_value(schema, direction="request") == {"pin": "string"}
    assert example_value(schema, direction="response") == {"id": 1}


def test_preferred_values_are_taken_where_they_fit():
    schema = {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}}
    assert example_value(schema, prefer={"id": "c7", "n": "no number"}) == {"id": "c7", "n": 1}


BODY = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string", "maxLength": 5}},
}


@pytest.mark.parametrize(
    ("media", "call"),
    [
        pytest.param({"example": {"id": 7, "name": "Ann"}}, {"name": "Ann"}, id="the-document's-without-read-only"),
        pytest.param({"examples": {"a": {"value": {"name": "Bo"}}}}, {"name": "Bo"}, id="named-examples"),
        pytest.param(
            {"examples": {"bad": {"value": {"name": "too long"}}, "good": {"value": {"name": "Cy"}}}},
            {"name": "Cy"},
            id="the-first-valid-one",
        ),
        pytest.param({"example": {"name": 5}}, {"name": "strin"}, id="made-where-none-is-valid"),
        pytest.param({"example": {"$ref": "#/x"}}, {"name": "strin"}, id="an-unresolved-reference-is-no-example"),
    ],
)
def test_the_call_s_body_is_the_document_s_example(media, call):
    tool = only_tool(requestBody=body(BODY, **media))
    assert tool.example_call == {"body": call}
    assert example_call(tool) == tool.example_call


def test_the_call_holds_what_is_required_and_uses_parameter_examples():
    tool = only_tool(
        path="/a/{id}",
        parameters=[
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "example": "cus_7"},
            {"name": "more", "in": "query", "schema": {"type": "string"}},
        ],
    )
    assert tool.example_call == {"id": "cus_7"}


def test_a_call_for_which_nothing_valid_is_found_is_empty():
    assert only_tool(requestBody=body({"not": {}})).example_call == {}


@pytest.mark.parametrize(
    ("schema", "media", "value"),
    [
        pytest.param({"type": "integer"}, {"example": 5}, 5, id="the-document's"),
        pytest.param({"type": "integer"}, {"example": "five"}, 1, id="made"),
        pytest.param({"not": {}}, {"example": "five"}, "five", id="the-document's-where-nothing-is-valid"),
        pytest.param({"not": {}}, {}, None, id="none-where-nothing-is-valid"),
        pytest.param({"oneOf": [{"type": "string"}, {}]}, {"example": "five"}, "five", id="the-document's-for-both"),
        pytest.param({"oneOf": [{"type": "string"}, {}]}, {}, 1, id="made-for-one-alone"),
        pytest.param(
            {"properties": {"p": {"writeOnly": True}, "q": {}}}, {"example": {"p": 1, "q": 2}}, {"q": 2}, id="pruned"
        ),
        pytest.param({}, {"example": None}, None, id="null"),
    ],
)
def test_the_example_result(schema, media, value):
    tool = only_tool(responses=answer(schema, **media))
    assert tool.example_result == value
    assert example_result(tool) == value


def test_there_is_no_example_of_an_answer_that_the_document_does_not_describe():
    assert only_tool().example_result is None


PIECES = st.sampled_from(
    ["a", "[0-9]", "[^a-z]", "\\d", "\\w", "\\s", ".", "(?:x|yz)", "(foo)", "\\.", "[A-F0-9]", "\\x41"]
)
COUNTS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,3}", "{2,}", "+?"])


@settings(deadline=None)
@given(st.lists(st.tuples(PIECES, COUNTS), max_size=6), st.integers(0, 12), st.integers(0, 5))
def test_simple_patterns_are_matched(parts, least, variant):
    pattern = "^" + "".join(piece + count for piece, count in parts) + "$"
    text = example_of_pattern(pattern, least, variant)
    assert text is not None
    assert fits({"type": "string", "pattern": pattern}, text), (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"), [("^(?<n>q)x$", "qx"), ("(?=a)a", None), ("(?<!a)b", None), ("(a)\\1", None), ("\\p{L}", None)]
)
def test_groups_with_names_are_read_and_look_around_is_not_guessed(pattern, text):
    assert example_of_pattern(pattern) == text


@given(st.text(alphabet="ab01()[]{}|*+?^$\\.,-x<>=!:d", max_size=30))
def test_no_pattern_breaks_the_generator(pattern):
    example_of_pattern(pattern)
