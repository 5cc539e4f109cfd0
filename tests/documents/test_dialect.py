"""Schemas of every version become JSON Schema 2020-12."""

from __future__ import annotations

from decimal import Decimal

import jsonschema_rs
import pytest

from tests.documents.making import assert_bundled, body_schema, document, messages
from thinkagent.values import plain, read_json, write_json

VERSIONS = ["3.0.3", "3.1.0", "3.2.0"]
NULLABLE = [
    pytest.param({"type": "string"}, ["a"], [1], id="type"),
    pytest.param({"type": "string", "enum": ["S", "L"]}, ["S"], ["M"], id="enum"),
    pytest.param({"enum": ["S", 1]}, ["S", 1], ["M"], id="enum without type"),
    pytest.param({"type": "string", "enum": ["S", None]}, ["S"], ["M"], id="enum that has null"),
    pytest.param({"const": "S"}, ["S"], ["M"], id="const"),
    pytest.param({"type": "array", "items": {"type": "integer"}}, [[], [1]], [["a"]], id="array"),
    pytest.param({"$ref": "#/components/schemas/Name"}, ["a"], [1], id="$ref"),
    pytest.param({"allOf": [{"$ref": "#/components/schemas/Name"}]}, ["a"], [1], id="allOf of a $ref"),
    pytest.param({"type": "string", "allOf": [{"$ref": "#/components/schemas/Name"}]}, ["a"], [1], id="type and allOf"),
    pytest.param({"oneOf": [{"type": "string"}, {"type": "array"}]}, ["a", []], [1], id="oneOf"),
    pytest.param({"anyOf": [{"type": "string"}, {"type": "array"}]}, ["a", []], [1], id="anyOf"),
    pytest.param({"not": {"type": "null"}, "type": "string"}, ["a"], [1], id="not"),
    pytest.param({"type": ["string", "integer"]}, ["a", 1], [[]], id="type list"),
    pytest.param({"type": "object", "required": ["a"]}, [{"a": 1}], [{}], id="object"),
]


def accepts(schema, value):
    return jsonschema_rs.validator_for(plain(schema)).is_valid(plain(value))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("schema", "good", "bad"), NULLABLE)
def test_nullable_accepts_null_and_nothing_else(schema, good, bad, version):
    name = {"type": "string"}
    plain_schema = body_schema(schema, version=version, Name=name)
    nullable = body_schema({**schema, "nullable": True}, version=version, Name=name)
    assert_bundled(nullable)
    assert accepts(nullable, None)
    assert all(accepts(nullable, value) for value in good)
    assert not any(accepts(nullable, value) for value in bad)
    assert all(accepts(plain_schema, value) for value in good)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"type": "string", "nullable": True}, {"type": ["string", "null"]}, id="type"),
        pytest.param({"type": "string", "nullable": False}, {"type": "string"}, id="false"),
        pytest.param({"type": "string", "nullable": "true"}, {"type": ["string", "null"]}, id="text"),
        pytest.param({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}, id="vendor word of 2.0"),
        pytest.param({"type": ["string", "null"], "nullable": True}, {"type": ["string", "null"]}, id="both"),
        pytest.param(
            {"type": "string", "nullable": True, "enum": ["S"]},
            {"type": ["string", "null"], "enum": ["S", None]},
            id="enum",
        ),
        pytest.param({"nullable": True}, {}, id="anything is null already"),
        pytest.param(
            {"type": "array", "items": {"type": "number", "nullable": True}, "nullable": True},
            {"type": ["array", "null"], "items": {"type": ["number", "null"]}},
            id="items",
        ),
        pytest.param(
            {"nullable": True, "description": "d", "oneOf": [{"type": "string"}]},
            {"description": "d", "anyOf": [{"oneOf": [{"type": "string"}]}, {"type": "null"}]},
            id="notes stay outside",
        ),
    ],
)
def test_nullable(schema, expected):
    assert body_schema(schema, version="3.0.3") == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}, id="exclusive minimum"),
        pytest.param({"maximum": 9, "exclusiveMaximum": True}, {"exclusiveMaximum": 9}, id="exclusive maximum"),
        pytest.param({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}, id="not exclusive"),
        pytest.param({"exclusiveMinimum": True}, {}, id="exclusive of nothing"),
        pytest.param({"exclusiveMinimum": 1, "minimum": 0}, {"exclusiveMinimum": 1, "minimum": 0}, id="numbers"),
        pytest.param({"example": 1}, {"examples": [1]}, id="example"),
        pytest.param({"example": None}, {"examples": [None]}, id="example null"),
        pytest.param({"examples": [1], "example": 2}, {"examples": [1, 2]}, id="both"),
        pytest.param({"examples": {"a": {"value": 1}, "b": 2}}, {"examples": [1, 2]}, id="examples as a map"),
        pytest.param({"type": "int"}, {"type": "integer"}, id="int"),
        pytest.param({"type": "Integer"}, {"type": "integer"}, id="capital"),
        pytest.param({"type": "float"}, {"type": "number"}, id="float"),
        pytest.param({"type": "date"}, {"type": "string", "format": "date"}, id="date"),
        pytest.param({"type": "file"}, {"type": "string", "format": "binary"}, id="file"),
        pytest.param({"type": "any"}, {}, id="any"),
        pytest.param({"type": "point"}, {}, id="unknown"),
        pytest.param({"type": ["string", "point"]}, {}, id="list with an unknown type accepts more"),
        pytest.param({"type": ["string", None]}, {"type": ["string", "null"]}, id="null that is no text"),
        pytest.param({"type": ["string"]}, {"type": "string"}, id="list of one"),
        pytest.param({"type": 7}, {}, id="type is a number"),
        pytest.param({"type": []}, {}, id="no type"),
        pytest.param({"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}, id="items as a list"),
        pytest.param(
            {"items": [{}], "additionalItems": False}, {"prefixItems": [{}], "items": False}, id="additionalItems"
        ),
        pytest.param({"items": []}, {}, id="no items"),
        pytest.param({"items": "x"}, {"items": {}}, id="items is a text"),
        pytest.param({"required": True}, {}, id="required is a boolean"),
        pytest.param({"required": []}, {}, id="nothing required"),
        pytest.param({"required": ["a", "a", "b"]}, {"required": ["a", "b"]}, id="required twice"),
        pytest.param(
            {"properties": {"a": {"type": "string", "required": True}}},
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            id="required on the property",
        ),
        pytest.param(
            {"properties": {"a": {"required": True}}, "required": ["b"]},
            {"properties": {"a": {}}, "required": ["a", "b"]},
            id="required in both ways",
        ),
        pytest.param({"enum": []}, {}, id="empty enum"),
        pytest.param({"enum": "a"}, {}, id="enum is a text"),
        pytest.param({"allOf": []}, {}, id="empty allOf"),
        pytest.param({"allOf": {"type": "string"}}, {"allOf": [{"type": "string"}]}, id="allOf is an object"),
        pytest.param({"maxLength": Decimal("3.0")}, {"maxLength": 3}, id="count as a decimal"),
        pytest.param({"maxLength": -1}, {}, id="negative count"),
        pytest.param({"maxLength": "3"}, {}, id="count is a text"),
        pytest.param({"minimum": "3"}, {}, id="bound is a text"),
        pytest.param({"minimum": True}, {}, id="bound is a boolean"),
        pytest.param({"multipleOf": 0}, {}, id="multiple of nothing"),
        pytest.param({"pattern": 7, "title": 7, "description": {"$ref": "a.md"}}, {}, id="texts that are none"),
        pytest.param({"format": None}, {}, id="null in the place of a text"),
        pytest.param({"properties": 7}, {}, id="properties is a number"),
        pytest.param({"properties": {"a": "text", "b": None}}, {"properties": {"a": {}, "b": {}}}, id="no schemas"),
        pytest.param({"additionalProperties": True}, {"additionalProperties": True}, id="boolean schema"),
        pytest.param({"not": False, "if": True}, {"not": False, "if": True}, id="boolean schemas"),
        pytest.param({"allOf": [True, False]}, {"allOf": [True, False]}, id="boolean schemas in a list"),
        pytest.param({"$schema": "x", "$comment": "c", "externalDocs": {}, "xml": {}, "foo": 1}, {}, id="no keywords"),
        pytest.param({"x-small": [1]}, {"x-small": [1]}, id="small extension"),
        pytest.param({"x-large": list(range(40))}, {}, id="large extension"),
        pytest.param({"x-refers": {"a": {"$ref": "#/x"}}}, {}, id="extension with a reference"),
        pytest.param(
            {"dependencies": {"a": ["b"], "c": {"type": "object"}}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"type": "object"}}},
            id="dependencies",
        ),
        pytest.param(
            {"readOnly": True, "writeOnly": True, "deprecated": True, "default": None},
            {"readOnly": True, "writeOnly": True, "deprecated": True, "default": None},
            id="notes",
        ),
        pytest.param({"discriminator": "kind"}, {"discriminator": {"propertyName": "kind"}}, id="discriminator of 2.0"),
        pytest.param({"$ref": 7, "type": "string"}, {"type": "string"}, id="$ref is a number"),
        pytest.param(
            {"properties": {"$ref": {"type": "string"}}},
            {"properties": {"$ref": {"type": "string"}}},
            id="property called $ref",
        ),
        pytest.param({"const": {"$ref": "#/x"}}, {"const": {"$ref": "#/x"}}, id="$ref in a constant is data"),
    ],
)
def test_translation(schema, expected):
    for version in VERSIONS:
        assert body_schema(schema, version=version) == expected


@pytest.mark.parametrize("schema", [7, "x", [], [{}]], ids=repr)
def test_what_is_no_schema_accepts_anything(schema):
    assert body_schema(schema) == {}
    made = document({"/x": {"post": {"requestBody": {"content": {"a/b": {"schema": schema}}}}}})
    assert "a schema is no object" in messages(made)


@pytest.mark.parametrize("schema", [True, False])
def test_boolean_schema(schema):
    assert body_schema(schema) is schema


def test_every_oddity_is_told_with_its_place():
    made = document(
        {
            "/x": {
                "post": {"requestBody": {"content": {"a/b": {"schema": {"properties": {"p": {"type": "point"}}}}}}},
            }
        }
    )
    (finding,) = made.check()
    assert finding.message == "'type' is 'point', which JSON Schema does not have"
    assert finding.pointer == "#/paths/~1x/post/requestBody/content/a~1b/schema/properties/p"


def test_numbers_keep_their_spelling():
    schema = read_json('{"multipleOf": 0.010, "maximum": 1e2, "minimum": 9007199254740993, "default": 1.10}')
    assert write_json(body_schema(schema)) == (
        '{"multipleOf":0.010,"maximum":1e2,"minimum":9007199254740993,"default":1.10}'
    )


def test_properties_behind_a_reference_are_those_of_the_schema():
    schema = body_schema(
        {"type": "object", "properties": {"$ref": "#/components/schemas/A"}},
        A={"properties": {"a": {"type": "string"}}},
    )
    assert_bundled(schema)
    assert schema["allOf"] == [{"$ref": "#/$defs/A"}]


@pytest.mark.parametrize(
    ("version", "kept"),
    [
        ("3.0.3", {"description", "readOnly", "default"}),
        ("3.1.0", {"description", "readOnly", "default", "maxLength"}),
    ],
)
def test_what_counts_beside_a_reference(version, kept):
    beside = {"$ref": "#/components/schemas/A", "description": "d", "readOnly": True, "default": "x", "maxLength": 3}
    schema = body_schema({"properties": {"a": beside}}, version=version, A={"type": "string"})
    assert set(schema["properties"]["a"]) == {"$ref", *kept}


@pytest.mark.parametrize("key", ["readOnly", "writeOnly"])
@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda inner: {"properties": {"a": inner}}, id="property"),
        pytest.param(lambda inner: {"items": {"properties": {"a": inner}}}, id="items"),
        pytest.param(lambda inner: {"allOf": [{"properties": {"a": inner}}]}, id="allOf"),
        pytest.param(lambda inner: {"additionalProperties": inner}, id="additionalProperties"),
    ],
)
def test_direction_survives_at_every_depth(key, wrap):
    schema = wrap({"type": "integer", key: True})
    assert body_schema(schema) == schema
    assert body_schema({"$ref": "#/components/schemas/A"}, A=schema) == schema
