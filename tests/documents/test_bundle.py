"""Every reference of a schema resolves inside it, whatever refers to whatever."""

from __future__ import annotations

import time

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import assert_bundled, body_schema, document, from_yaml, messages, operation, schemas_of
from thinkagent.documents import load, load_bytes
from thinkagent.values import plain, write_json

REF = "#/components/schemas/"


def ref(name):
    return {"$ref": REF + name}


CIRCLES = {
    "array": {"A": {"type": "object", "properties": {"parts": {"type": "array", "items": ref("A")}}}},
    "property": {"A": {"type": "object", "properties": {"next": ref("A")}}},
    "mutual": {"A": {"properties": {"b": ref("B")}}, "B": {"properties": {"a": ref("A")}}},
    "three": {"A": {"items": ref("B")}, "B": {"items": ref("C")}, "C": {"items": ref("A")}},
    "allOf": {"A": {"allOf": [{"properties": {"a": ref("A")}}]}},
    "allOf of itself": {"A": {"allOf": [ref("A")], "type": "object"}},
    "anyOf of itself": {"A": {"anyOf": [ref("A"), {"type": "string"}]}},
    "allOf mutual": {"A": {"allOf": [ref("B")]}, "B": {"allOf": [ref("A")], "type": "object"}},
    "additionalProperties": {"A": {"additionalProperties": ref("A")}},
    "not": {"A": {"not": {"properties": {"a": ref("A")}}}},
    "nullable": {"A": {"type": "object", "properties": {"a": {"nullable": True, "allOf": [ref("A")]}}}},
    "prefixItems": {"A": {"items": [ref("A")]}},
    "pointer into itself": {"A": {"properties": {"b": {"properties": {"c": ref("A/properties/b")}}}}},
    "itself": {"A": ref("A")},
    "itself with a note": {"A": {**ref("A"), "description": "d"}},
    "two aliases": {"A": ref("B"), "B": ref("A")},
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("name", CIRCLES)
def test_schema_that_contains_itself(name, version):
    """In a parameter, a body, a response and a header at once; the other operation is untouched."""
    made = document(
        {
            "/a": {
                "post": {
                    "parameters": [{"name": "q", "in": "query", "schema": ref("A")}],
                    "requestBody": {"content": {"application/json": {"schema": ref("A")}}},
                    "responses": {
                        "200": {
                            "content": {"application/json": {"schema": {"type": "array", "items": ref("A")}}},
                            "headers": {"X": {"schema": ref("A")}},
                        }
                    },
                }
            },
            "/b": {"get": {}},
        },
        version=version,
        components={"schemas": CIRCLES[name]},
    )
    built = operation(made)
    assert len(list(made.operations())) == 2
    found = schemas_of(built)
    assert len(found) == 4
    for schema in found:
        assert_bundled(schema)
        assert len(write_json(schema)) < 1000
        jsonschema_rs.validator_for(plain(schema))
    if name.startswith(("itself", "two")):
        assert any("goes in a circle" in message for message in messages(made))
    else:
        assert messages(made) == []


def test_definitions_bring_their_own_definitions():
    schema = body_schema(
        {"type": "object", "properties": {"to": ref("Place")}},
        Place={"type": "object", "properties": {"land": ref("Land"), "note": {**ref("Note"), "description": "beside"}}},
        Land={"allOf": [ref("Code")]},
        Code={"type": "string", "description": "behind"},
        Note={"type": "string"},
        Unused={"type": "string"},
    )
    assert_bundled(schema)
    assert set(schema["$defs"]) == {"Place", "Land", "Code", "Note"}
    assert schema["$defs"]["Code"]["description"] == "behind"
    assert schema["$defs"]["Place"]["properties"]["note"] == {"$ref": "#/$defs/Note", "description": "beside"}


def test_reference_to_another_place():
    made = from_yaml(
        """
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}}}}
components:
  schemas:
    Parcel: {type: object, properties: {to: {$ref: '#/components/schemas/Place'}}}
    Place:
      type: object
      properties: {land: {$ref: '#/x-shared/Land'}, first: {$ref: '#/components/schemas/Parcel/properties/to'}}
x-shared: {Land: {type: string, description: Two-letter country code}}
"""
    )
    schema = operation(made).request_body.content[0].schema
    assert_bundled(schema)
    assert schema["$defs"]["Land"] == {"type": "string", "description": "Two-letter country code"}
    assert schema["$defs"]["Place"]["properties"]["first"] == {"$ref": "#/$defs/Place"}


def test_schema_itself_stands_at_the_top():
    schema = body_schema(
        {**ref("Alias"), "description": "mine"}, Alias=ref("Real"), Real={"type": "object", "title": "R"}
    )
    assert schema == {"type": "object", "title": "R", "description": "mine"}


def test_names_are_the_same_in_every_schema_of_a_document():
    """So that the definitions of several schemas can be put together."""
    made = document(
        {
            f"/{number}": {"post": {"requestBody": {"content": {"a/b": {"schema": {"items": {"$ref": target}}}}}}}
            for number, target in enumerate([REF + "S", "#/x-a/S", "#/x-b/S", REF + "S", "#/x-b/S"])
        },
        components={"schemas": {"S": {"type": "string"}}},
        **{"x-a": {"S": {"type": "integer"}}, "x-b": {"S": {"type": "boolean"}}},
    )
    together = {}
    for built in made.operations():
        for name, schema in built.request_body.content[0].schema["$defs"].items():
            assert together.setdefault(name, schema) == schema
    assert {schema["type"] for schema in together.values()} == {"string", "integer", "boolean"}
    assert together["S"] == {"type": "string"}


@pytest.mark.parametrize(
    "name", ["a.b.c", "a b", "a/b", "予報", "a~b", "{x}", "$ref", "__proto__", "1", "true", "a%20b", "A'\"\n", "-", ""]
)
def test_odd_names(name):
    reference = REF + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    made = document(
        {"/a": {"post": {"requestBody": {"content": {"a/b": {"schema": {"items": {"$ref": reference}}}}}}}},
        components={"schemas": {name: {"type": "integer"}, "a_b": {"type": "string"}}},
    )
    schema = operation(made).request_body.content[0].schema
    assert_bundled(schema)
    (definition,) = schema["$defs"].values()
    assert definition == {"type": "integer"}
    assert not jsonschema_rs.validator_for(plain(schema)).is_valid(["x"])


def test_component_that_is_a_file_keeps_its_key(tmp_path):
    (tmp_path / "schemas.yaml").write_text("Animal: {type: string}")
    (tmp_path / "api.json").write_text(
        '{"openapi": "3.0.0", "info": {}, "paths": {"/a": {"post": {"requestBody": {"content": {"a/b": {"schema": '
        '{"items": {"$ref": "#/components/schemas/Pet"}}}}}}}}, '
        '"components": {"schemas": {"Pet": {"$ref": "schemas.yaml#/Animal"}}}}'
    )
    made = load(str(tmp_path / "api.json"))
    assert operation(made).request_body.content[0].schema == {
        "items": {"$ref": "#/$defs/Pet"},
        "$defs": {"Pet": {"type": "string"}},
    }


@pytest.mark.parametrize(
    "reference",
    [REF + "Nope", "#/components/schema/A", "nope.yaml#/A", "https://127.0.0.1:1/a", "#nope", "file:///etc/passwd", ""],
)
def test_dangling_reference_accepts_anything(reference):
    made = document(
        {
            "/a": {"post": {"requestBody": {"content": {"a/b": {"schema": {"items": {"$ref": reference}}}}}}},
            "/b": {"get": {}},
        },
        components={"schemas": {"A": {}}},
    )
    schema = operation(made).request_body.content[0].schema
    assert made.skipped == ()
    if reference:
        assert schema == {"items": {}}
        (finding,) = made.check()
        assert finding.pointer.endswith("/schema/items")
        assert finding.consequence == "the schema accepts anything"
    else:
        assert_bundled(schema)


def test_finding_of_a_dangling_reference_is_there_before_anything_is_built():
    made = document({"/a": {"get": {"responses": {"200": {"content": {"a/b": {"schema": ref("Nope")}}}}}}})
    assert [finding.message for finding in made.findings] == [f"the reference '{REF}Nope' leads nowhere"]
    assert len(made.check()) == 1


def test_fragments_are_shared_and_built_once():
    schemas = {"A": {"properties": {"b": ref("B")}}, "B": {"type": "string"}}
    made = document(
        {f"/{n}": {"post": {"requestBody": {"content": {"a/b": {"schema": ref("A")}}}}} for n in range(3)},
        components={"schemas": schemas},
    )
    found = [built.request_body.content[0].schema for built in made.operations()]
    assert found[0] is found[1] is found[2]


def test_many_schemas_that_all_refer_to_each_other():
    """Inlining these without a bound would take for ever."""
    names = [f"S{n}" for n in range(60)]
    schemas = {name: {"anyOf": [ref(other) for other in names]} for name in names}
    start = time.perf_counter()
    schema = body_schema(ref("S0"), **schemas)
    assert time.perf_counter() - start < 5
    assert_bundled(schema)
    assert len(schema["$defs"]) == 60


def test_deep_schema():
    text = '{"not": ' * 400 + "{}" + "}" * 400
    made = load_bytes(
        b'{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"post": {"requestBody": {"content": {"a/b": {"schema": '
        + text.encode()
        + b"}}}}}}}"
    )
    assert write_json(operation(made).request_body.content[0].schema) == text.replace(": ", ":")


def test_shared_aliases_of_yaml_are_each_translated():
    made = from_yaml(
        "paths: {/a: {post: {requestBody: {content: {a/b: {schema: {properties: "
        "{x: &s {type: string, nullable: true}, y: *s}}}}}}}}"
    )
    properties = operation(made).request_body.content[0].schema["properties"]
    assert properties == {"x": {"type": ["string", "null"]}, "y": {"type": ["string", "null"]}}


@pytest.mark.parametrize("reference", [REF + "Truck", "Truck"], ids=["by reference", "by name"])
def test_discriminator_mapping_names_definitions(reference):
    made = document(
        {
            "/a": {
                "post": {
                    "requestBody": {
                        "content": {
                            "a/b": {
                                "schema": {
                                    "oneOf": [ref("Truck")],
                                    "discriminator": {"propertyName": "kind", "mapping": {"t": reference, "x": "Nope"}},
                                }
                            }
                        }
                    }
                }
            }
        },
        components={"schemas": {"Truck": {"type": "object"}}},
    )
    schema = operation(made).request_body.content[0].schema
    assert_bundled(schema)
    assert schema["discriminator"] == {"propertyName": "kind", "mapping": {"t": "Truck"}}


@pytest.mark.parametrize(
    ("mapping", "values"),
    [
        pytest.param(None, {"Truck", "Van"}, id="by allOf"),
        pytest.param({"truck": REF + "Truck"}, {"truck", "Van"}, id="mapping by reference"),
        pytest.param({"truck": "Truck", "v": "Van"}, {"truck", "v"}, id="mapping by name"),
    ],
)
def test_variants_of_a_parent(mapping, values):
    discriminator = {"propertyName": "kind", **({"mapping": mapping} if mapping else {})}
    made = document(
        components={
            "schemas": {
                "Vehicle": {"type": "object", "discriminator": discriminator},
                "Truck": {"allOf": [ref("Vehicle"), {"properties": {"tons": {"type": "integer"}}}]},
                "Van": {"allOf": [{"type": "object"}, ref("Vehicle")]},
                "Other": {"type": "object"},
            }
        }
    )
    variants = made.variants("Vehicle")
    assert set(variants) == values
    for schema in variants.values():
        assert_bundled(schema)
    assert made.variants("Other") == {}
    assert made.variants("Nope") == {}


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        pytest.param(ref("A"), "A", id="a-reference"),
        pytest.param({**ref("A"), "description": "d"}, "A", id="a-described-reference"),
        pytest.param(ref("Alias"), "A", id="by-another-name"),
        pytest.param({"type": "array", "items": ref("A")}, "", id="only-inside"),
        pytest.param(True, "", id="no-object"),
    ],
)
def test_a_bundle_knows_the_component_that_it_is(schema, name):
    post = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    schemas = {"A": {"type": "object", "properties": {"b": ref("B")}}, "B": {}, "Alias": ref("A")}
    made = document({"/x": {"post": post}}, components={"schemas": schemas})
    body = operation(made).request_body
    assert body is not None
    assert made.name_of(body.content[0].schema) == name


def test_component_schema_by_name():
    made = document(components={"schemas": {"A": {"items": ref("B")}, "B": {"type": "string"}}})
    assert made.schema("A") == {"items": {"$ref": "#/$defs/B"}, "$defs": {"B": {"type": "string"}}}
    assert made.schema("Nope") is None


NAMES = ["A", "B", "C", "D"]
SCHEMAS = st.recursive(
    st.sampled_from([ref(name) for name in [*NAMES, "Nope"]] + [{"type": "string"}, True, False, {}, None, 7]),
    lambda inner: (
        st.fixed_dictionaries({"properties": st.dictionaries(st.sampled_from(["a", "$ref", "b"]), inner, max_size=3)})
        | st.fixed_dictionaries({"allOf": st.lists(inner, max_size=3)})
        | st.fixed_dictionaries({"items": inner, "nullable": st.booleans()})
        | st.fixed_dictionaries({"additionalProperties": inner, "description": st.just("d")})
    ),
    max_leaves=8,
)


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, SCHEMAS)), st.sampled_from(["3.0.3", "3.1.0"]))
def test_any_tangle_is_bundled(schemas, version):
    for name in NAMES:
        schema = body_schema(ref(name), version=version, **schemas)
        assert_bundled(schema)
        assert body_schema(ref(name), version=version, **schemas) == schema
