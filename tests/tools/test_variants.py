"""Inherited and variant fields: every one is in view, and says which variant it belongs to."""

from __future__ import annotations

import pytest

from tests.tools.helpers import body, body_tool, document, names_in, operation
from thinkagent.tools import build_tools, describe
from thinkagent.tools.validity import fits

REF = "#/components/schemas/"


def ref(name):
    return {"$ref": REF + name}


VEHICLE = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"type": "string"}, "owner": {"type": "string"}},
    "discriminator": {"propertyName": "kind", "mapping": {"truck": REF + "Truck", "car": "Car"}},
}
TRUCK = {
    "allOf": [ref("Vehicle"), {"type": "object", "required": ["tons"], "properties": {"tons": {"type": "integer"}}}]
}
CAR = {"allOf": [ref("Vehicle"), {"type": "object", "properties": {"doors": {"type": "integer"}}}]}
FAMILY = {"Vehicle": VEHICLE, "Truck": TRUCK, "Car": CAR}
WITHOUT_MAPPING = {**FAMILY, "Vehicle": {**VEHICLE, "discriminator": {"propertyName": "kind"}}}


def test_a_child_has_its_parent_s_fields_in_one_schema():
    tool = body_tool(ref("Truck"), **FAMILY)
    shown = tool.parameters["properties"]["body"]
    assert set(shown["properties"]) == {"kind", "owner", "tons"}
    assert shown["required"] == ["kind", "tons"]
    assert "allOf" not in shown


def test_a_grandchild_has_all_fields():
    tool = body_tool(
        ref("C"),
        A={"properties": {"a": {}}, "required": ["a"]},
        B={"allOf": [ref("A"), {"properties": {"b": {}}}]},
        C={"allOf": [ref("B"), {"properties": {"c": {}}}]},
    )
    assert set(tool.parameters["properties"]["body"]["properties"]) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("schema", "wrap"),
    [
        pytest.param(ref("Vehicle"), lambda value: value, id="whole-body"),
        pytest.param({"type": "array", "items": ref("Vehicle")}, lambda value: [value], id="items"),
        pytest.param(
            {"type": "object", "properties": {"v": ref("Vehicle")}}, lambda value: {"v": value}, id="property"
        ),
        pytest.param(
            {"type": "object", "properties": {"v": {"allOf": [ref("Vehicle")], "description": "d"}}},
            lambda value: {"v": value},
            id="wrapped-in-allOf",
        ),
    ],
)
def test_a_parent_with_a_mapping_is_the_choice_of_its_variants(schema, wrap):
    parameters = body_tool(schema, **FAMILY).parameters
    assert names_in(parameters) >= {"kind", "owner", "tons", "doors"}
    assert fits(parameters, {"body": wrap({"kind": "truck", "tons": 3})})
    assert fits(parameters, {"body": wrap({"kind": "car", "doors": 3})})
    assert not fits(parameters, {"body": wrap({"kind": "truck"})}), "a truck needs tons"
    assert not fits(parameters, {"body": wrap({"kind": "boat"})})


@pytest.mark.parametrize(
    ("schema", "wrap"),
    [
        pytest.param(ref("Vehicle"), lambda value: value, id="whole-body"),
        pytest.param({**ref("Vehicle"), "description": "d"}, lambda value: value, id="whole-body-described"),
        pytest.param(ref("Alias"), lambda value: value, id="whole-body-by-another-name"),
        pytest.param({"type": "array", "items": ref("Vehicle")}, lambda value: [value], id="items"),
    ],
)
def test_a_parent_without_a_mapping_finds_the_schemas_that_extend_it(schema, wrap):
    parameters = body_tool(schema, **WITHOUT_MAPPING, Alias=ref("Vehicle")).parameters
    assert names_in(parameters) >= {"tons", "doors"}
    assert fits(parameters, {"body": wrap({"kind": "Truck", "tons": 3})})
    assert fits(parameters, {"body": wrap({"kind": "Vehicle"})})
    assert not fits(parameters, {"body": wrap({"kind": "Truck"})})


def test_a_variant_without_fields_of_its_own_is_no_endless_choice():
    family = {**FAMILY, "Car": {"allOf": [ref("Vehicle")]}}
    parameters = body_tool({"type": "array", "items": ref("Vehicle")}, **family).parameters
    assert fits(parameters, {"body": [{"kind": "car", "owner": "x"}]})
    assert not fits(parameters, {"body": [{"kind": "car", "owner": 1}]})


def test_a_variant_that_cannot_be_merged_extends_the_parent_s_own_fields():
    truck = {
        "allOf": [
            ref("Vehicle"),
            {"not": {"required": ["doors"]}},
            {"not": {"required": ["sails"]}, "properties": {"tons": {}}},
        ]
    }
    parameters = body_tool({"type": "array", "items": ref("Vehicle")}, **{**FAMILY, "Truck": truck}).parameters
    assert fits(parameters, {"body": [{"kind": "truck", "tons": 1}]})
    assert not fits(parameters, {"body": [{"kind": "truck", "doors": 1}]})
    assert not fits(parameters, {"body": [{"kind": "truck", "owner": 1}]})


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
@pytest.mark.parametrize("place", ["top", "inside"])
def test_listed_variants_are_kept_and_marked_with_their_discriminating_value(keyword, place):
    choice = {
        keyword: [ref("Cat"), ref("Dog")],
        "discriminator": {"propertyName": "pet", "mapping": {"c": REF + "Cat", "k": "Cat", "d": "Dog"}},
    }
    schema = choice if place == "top" else {"type": "object", "properties": {"one": choice}}
    pets = {
        "Cat": {"type": "object", "properties": {"pet": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"type": "object", "properties": {"pet": {"type": "string"}, "bark": {"type": "string"}}},
    }
    parameters = body_tool(schema, **pets).parameters

    def offered(value):
        return fits(parameters, {"body": value if place == "top" else {"one": value}})

    assert names_in(parameters) >= {"lives", "bark"}
    assert offered({"pet": "k", "lives": 9})
    assert offered({"pet": "d", "lives": "many"})
    assert not offered({"pet": "c", "lives": "many"})


def test_listed_variants_without_a_mapping_stay_as_they_are():
    schema = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "pet"}}
    pets = {"Cat": {"required": ["lives"], "type": "object"}, "Dog": {"required": ["bark"], "type": "object"}}
    parameters = body_tool(schema, **pets).parameters
    assert fits(parameters, {"body": {"pet": "anything", "lives": 9}})


NAMED = {"kind": {"type": "string"}}


@pytest.mark.parametrize(
    ("cat", "mapping", "kinds"),
    [
        pytest.param({"properties": NAMED}, {}, ["Cat"], id="its-name"),
        pytest.param({"properties": NAMED}, {"kitty": "Cat"}, ["kitty"], id="the-mapping-s-word"),
        pytest.param({"properties": NAMED}, {"hound": "Dog"}, ["Cat"], id="its-name-beside-a-mapping"),
        pytest.param({"properties": {"kind": {"enum": ["c", "k"]}}}, {}, ["c", "k"], id="its-own-word"),
        pytest.param({"properties": {"kind": ref("Kind")}}, {}, ["c"], id="its-own-word-behind-a-reference"),
        pytest.param({"allOf": [ref("Base"), {"type": "object"}]}, {}, ["Cat"], id="declared-by-its-parent"),
    ],
)
def test_a_listed_variant_is_chosen_by(cat, mapping, kinds):
    discriminator = {"propertyName": "kind", **({"mapping": mapping} if mapping else {})}
    pets = {
        "Cat": {"required": ["kind"], **cat},
        "Dog": {"required": ["kind"], "properties": NAMED},
        "Base": {"properties": NAMED},
        "Kind": {"const": "c"},
    }
    tool = body_tool({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": discriminator}, **pets)
    assert [kind for kind in ("c", "k", "Cat", "kitty") if fits(tool.parameters, {"body": {"kind": kind}})] == kinds
    assert tool.example_call == {"body": {"kind": kinds[0]}}


def test_a_variant_whose_name_had_to_be_changed_is_not_chosen_by_it():
    pets = {"A Cat": {"required": ["kind"], "properties": NAMED}}
    schema = {"oneOf": [ref("A Cat")], "discriminator": {"propertyName": "kind"}}
    assert fits(body_tool(schema, **pets).parameters, {"body": {"kind": "A Cat"}})


def test_keywords_beside_anyOf_stay():
    schema = {
        "type": "object",
        "properties": {"a": {}},
        "required": ["a"],
        "anyOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}],
    }
    parameters = body_tool(schema).parameters
    assert names_in(parameters) == {"body", "a", "b", "c"}
    assert not fits(parameters, {"body": {"b": 1}})


def test_variants_work_for_documents_of_version_2():
    vehicle = {**VEHICLE, "discriminator": "kind"}
    definitions = {
        "Vehicle": vehicle,
        "Truck": {"allOf": [{"$ref": "#/definitions/Vehicle"}, {"properties": {"tons": {"type": "integer"}}}]},
    }
    from thinkagent.documents import from_dict

    parameter = {
        "in": "body",
        "name": "b",
        "required": True,
        "schema": {"type": "array", "items": {"$ref": "#/definitions/Vehicle"}},
    }
    tools = build_tools(
        from_dict(
            {
                "swagger": "2.0",
                "info": {"title": "t", "version": "1"},
                "paths": {
                    "/x": {
                        "post": {
                            "operationId": "op",
                            "parameters": [parameter],
                            "responses": {"200": {"description": ""}},
                        }
                    }
                },
                "definitions": definitions,
            }
        )
    )
    assert "tons" in names_in(tools["op"].parameters)


def test_the_description_names_each_variant_before_its_fields():
    text = describe(body_tool({"type": "object", "properties": {"v": ref("Vehicle")}}, **FAMILY))
    assert "body.v(Truck).tons" in text
    assert "body.v(Car).doors" in text
    assert "always truck" in text


def test_schemas_do_not_depend_on_which_tool_is_built_first():
    paths = {f"/{n}": {"post": operation(f"op{n}", requestBody=body(ref(n)))} for n in FAMILY}
    made = document(paths, components={"schemas": FAMILY})
    forwards, backwards = build_tools(made), build_tools(made)
    first = {name: forwards[name].parameters for name in forwards.names}
    last = {name: backwards[name].parameters for name in reversed(backwards.names)}
    assert first == last
