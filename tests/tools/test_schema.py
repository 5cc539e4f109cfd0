"""The arguments' schema: everything offered goes to its own place, nothing else is shown."""

from __future__ import annotations

import jsonschema_rs
import pytest

from tests.tools.helpers import (
    OK,
    answer,
    body,
    body_tool,
    document,
    names_in,
    only_tool,
    operation,
    references,
    toolset,
)
from thinkagent.tools import as_dict, build_tools, describe, function_schema, search
from thinkagent.tools.validity import compile_schema, fits
from thinkagent.values import write_json

KEY = {"k": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}


def path_parameter(name="id", **schema):
    return {"name": name, "in": "path", "required": True, "schema": schema or {"type": "string"}}


def query(name, *, required=False, **schema):
    return {"name": name, "in": "query", "required": required, "schema": schema or {"type": "string"}}


def test_parameters_and_body_each_have_their_place():
    tool = only_tool(
        path="/items/{id}",
        parameters=[path_parameter(type="integer"), query("id"), {"name": "id", "in": "header", "schema": {}}],
        requestBody=body({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}),
    )
    assert list(tool.parameters["properties"]) == ["id", "query_id", "header_id", "body"]
    assert tool.parameters["required"] == ["id", "body"]
    assert tool.parameters["additionalProperties"] is False
    assert [(item.name, item.location, item.wire_name, item.required) for item in tool.arguments] == [
        ("id", "path", "id", True),
        ("query_id", "query", "id", False),
        ("header_id", "header", "id", False),
        ("body", "body", "application/json", True),
    ]
    assert tool.parameters["properties"]["body"]["required"] == ["id"]


def test_a_query_parameter_called_body_stands_beside_the_body():
    tool = only_tool(parameters=[query("body")], requestBody=body({"type": "array", "items": {"type": "string"}}))
    assert {item.name: item.wire_name for item in tool.arguments} == {"query_body": "body", "body": "application/json"}
    assert tool.parameters["properties"]["body"]["type"] == "array"


@pytest.mark.parametrize("location", ["query", "header", "cookie"])
@pytest.mark.parametrize(
    "security",
    [
        pytest.param([{"k": []}], id="of-the-operation"),
        pytest.param([], id="none-on-this-operation"),
        pytest.param([{"k": []}, {"other": []}], id="alternatives"),
    ],
)
def test_what_a_security_scheme_owns_is_never_an_argument(location, security):
    name = "x-API-key" if location == "header" else "key"
    scheme_name = "X-Api-Key" if location == "header" else "key"
    tool = only_tool(
        security=security,
        parameters=[{"name": name, "in": location, "required": True, "schema": {"type": "string"}}, query("ok")],
        components={
            "securitySchemes": {
                "k": {"type": "apiKey", "in": location, "name": scheme_name},
                "other": {"type": "http", "scheme": "bearer"},
            }
        },
    )
    assert [item.name for item in tool.arguments] == ["ok"]
    assert "required" not in tool.parameters


@pytest.mark.parametrize("name", ["Authorization", "authorization", "Proxy-Authorization", "Accept", "Content-Type"])
def test_headers_that_are_not_the_caller_s_are_no_arguments(name):
    tool = only_tool(parameters=[{"name": name, "in": "header", "required": True, "schema": {"type": "string"}}])
    assert tool.arguments == ()


SECRET = "sk-live-0123456789abcdef"
WITH_SECRET = {
    "a-default": {"schema": {"type": "string", "default": SECRET}},
    "an-example": {"schema": {"type": "string"}, "example": SECRET},
    "named-examples": {"schema": {"type": "string"}, "examples": {"mine": {"value": SECRET}}},
    "examples-of-the-schema": {"schema": {"type": "string", "examples": [SECRET]}},
    "an-enumeration": {"schema": {"enum": [SECRET]}},
    "a-constant": {"schema": {"const": SECRET}},
    "a-referenced-schema": {"schema": {"$ref": "#/components/schemas/Key"}},
    "content": {"content": {"application/json": {"schema": {"type": "string"}, "example": SECRET}}},
    "a-description": {"schema": {"type": "string"}, "description": f"Send {SECRET}."},
}


@pytest.mark.parametrize(
    ("scheme", "place"),
    [
        pytest.param({"type": "apiKey", "in": "query", "name": "key"}, ("query", "key"), id="query"),
        pytest.param({"type": "apiKey", "in": "header", "name": "X-Key"}, ("header", "x-KEY"), id="header"),
        pytest.param({"type": "apiKey", "in": "cookie", "name": "sid"}, ("cookie", "sid"), id="cookie"),
        pytest.param({"type": "apiKey", "in": "cookie", "name": "sid"}, ("header", "Cookie"), id="all-cookies"),
        pytest.param({"type": "http", "scheme": "bearer"}, ("header", "Authorization"), id="bearer"),
        pytest.param({"type": "http", "scheme": "basic"}, ("header", "proxy-authorization"), id="proxy"),
    ],
)
@pytest.mark.parametrize("said", WITH_SECRET)
@pytest.mark.parametrize("is_shared", [False, True], ids=["of-the-operation", "of-the-path"])
def test_a_credential_in_the_document_is_shown_to_nobody(scheme, place, said, is_shared):
    location, name = place
    parameter = {"in": location, "name": name, "required": True, **WITH_SECRET[said]}
    components = {
        "securitySchemes": {"k": scheme},
        "schemas": {"Key": {"type": "string", "default": SECRET}},
        "parameters": {"Key": parameter},
    }
    listed = [{"$ref": "#/components/parameters/Key"}, query("ok")]
    item = {"post": operation("op", **({} if is_shared else {"parameters": listed}))}
    tools = toolset({"/x": {**item, **({"parameters": listed} if is_shared else {})}}, components=components)
    tool = tools["op"]
    shown = [as_dict(tool), function_schema(tool, "openai"), function_schema(tool, "anthropic"), tool.signature]
    hits = [(hit.line.summary, hit.because) for hit in search(tools, f"op {name} {SECRET}")]
    assert SECRET not in write_json([*shown, describe(tool), hits])
    assert [argument.name for argument in tool.arguments] == ["ok"]


def test_the_same_name_elsewhere_is_an_argument():
    """A scheme owns a place, not a word."""
    tool = only_tool(parameters=[query("X-Api-Key")], components={"securitySchemes": KEY})
    assert [item.location for item in tool.arguments] == ["query"]


def test_path_item_parameters_are_inherited_and_overridden():
    shared = {"parameters": [{"$ref": "#/components/parameters/Club"}]}
    own = path_parameter("club", type="string", maxLength=8)
    tools = toolset(
        {"/clubs/{club}/events": {**shared, "get": operation("list"), "post": operation("add", parameters=[own])}},
        components={"parameters": {"Club": path_parameter("club")}},
    )
    assert tools["list"].parameters["properties"]["club"] == {"type": "string"}
    assert tools["add"].parameters["properties"]["club"]["maxLength"] == 8


def test_an_undeclared_placeholder_is_a_required_argument():
    tool = only_tool(path="/rooms/{roomId}/{verb}", parameters=[path_parameter("verb")])
    assert set(tool.parameters["required"]) == {"roomId", "verb"}


RECURSIVE = {
    "direct": {"A": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}}},
    "mutual": {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
    },
    "array": {
        "A": {"type": "object", "properties": {"parts": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}
    },
    "allOf": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object", "properties": {"x": {}}}]}},
    "allOf-mutual": {
        "A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"x": {}}}]},
        "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"properties": {"y": {}}}]},
    },
    "additionalProperties": {"A": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/A"}}},
    "anyOf": {"A": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/A"}}]}},
    "itself": {"A": {"$ref": "#/components/schemas/A"}},
    "ring-of-references": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
}


@pytest.mark.parametrize("place", ["parameter", "body", "response"])
@pytest.mark.parametrize("schemas", RECURSIVE.values(), ids=RECURSIVE)
def test_a_schema_that_contains_itself_makes_a_tool(schemas, place):
    ref = {"$ref": "#/components/schemas/A"}
    members = {
        "parameter": {"parameters": [{"name": "a", "in": "query", "schema": ref}]},
        "body": {"requestBody": body(ref)},
        "response": {"responses": answer(ref)},
    }[place]
    tool = only_tool(components={"schemas": schemas}, **members)
    for schema in (tool.parameters, tool.result):
        if isinstance(schema, dict):
            compile_schema(schema)
            assert {ref.removeprefix("#/$defs/") for ref in references(schema)} == set(schema.get("$defs", {}))


def test_references_resolve_inside_the_tool_s_schema_and_nothing_more_is_carried():
    tool = only_tool(
        requestBody=body({"$ref": "#/components/schemas/Parcel"}),
        components={
            "schemas": {
                "Parcel": {"type": "object", "properties": {"to": {"$ref": "#/components/schemas/Place"}}},
                "Place": {"type": "object", "properties": {"land": {"$ref": "#/components/x-shared/Land"}}},
                "Unused": {"type": "object"},
            },
            "x-shared": {"Land": {"type": "string", "description": "Two-letter country code"}},
        },
    )
    assert set(tool.parameters["$defs"]) == {"Place", "Land"}
    assert tool.parameters["$defs"]["Land"]["description"] == "Two-letter country code"


def test_a_description_beside_a_reference_survives():
    tool = body_tool(
        {"type": "object", "properties": {"to": {"$ref": "#/components/schemas/P", "description": "where to"}}},
        P={"type": "object", "description": "a place"},
    )
    assert tool.parameters["properties"]["body"]["properties"]["to"]["description"] == "where to"


READ_ONLY = {"type": "integer", "readOnly": True}


@pytest.mark.parametrize(
    ("schema", "schemas", "kept"),
    [
        pytest.param(
            {"required": ["id", "name"], "properties": {"id": READ_ONLY, "name": {}}}, {}, {"name"}, id="plain"
        ),
        pytest.param(
            {
                "properties": {
                    "lines": {
                        "type": "array",
                        "items": {"required": ["id"], "properties": {"id": READ_ONLY, "sku": {}}},
                    }
                }
            },
            {},
            {"lines", "sku"},
            id="in-items",
        ),
        pytest.param(
            {"$ref": "#/components/schemas/A"},
            {"A": {"required": ["id"], "properties": {"id": READ_ONLY, "n": {}}}},
            {"n"},
            id="behind-ref",
        ),
        pytest.param(
            {"properties": {"id": {"$ref": "#/components/schemas/Id"}, "n": {}}, "required": ["id"]},
            {"Id": READ_ONLY},
            {"n"},
            id="the-definition-is-read-only",
        ),
        pytest.param(
            {"properties": {"id": {"allOf": [{"type": "integer"}, {"readOnly": True}]}, "n": {}}, "required": ["id"]},
            {},
            {"n"},
            id="property-allOf",
        ),
        pytest.param(
            {"allOf": [{"properties": {"id": READ_ONLY}}, {"required": ["id", "n"], "properties": {"n": {}}}]},
            {},
            {"n"},
            id="allOf-required-elsewhere",
        ),
        pytest.param(
            {"allOf": [{"$ref": "#/components/schemas/A"}, {"required": ["id"]}, {"not": {}, "x": 1}]},
            {"A": {"properties": {"id": READ_ONLY, "n": {}}, "not": {"type": "string"}, "required": ["id"]}},
            {"n"},
            id="allOf-that-cannot-be-merged",
        ),
        pytest.param(
            {"anyOf": [{"required": ["id"], "properties": {"a": {}}}], "properties": {"id": READ_ONLY}},
            {},
            {"a"},
            id="required-in-a-branch",
        ),
        pytest.param(
            {"required": ["id"], "oneOf": [{"properties": {"id": READ_ONLY, "a": {}}}, {"properties": {"b": {}}}]},
            {},
            {"a", "b"},
            id="declared-in-a-branch",
        ),
        pytest.param({"additionalProperties": {"properties": {"id": READ_ONLY, "n": {}}}}, {}, {"n"}, id="in-a-map"),
        pytest.param({"properties": {"id": READ_ONLY}, "required": ["id"]}, {}, set(), id="everything-read-only"),
        pytest.param(
            {"dependentRequired": {"n": ["id"]}, "properties": {"id": READ_ONLY, "n": {}}},
            {},
            {"n"},
            id="dependentRequired",
        ),
    ],
)
def test_read_only_fields_are_neither_shown_nor_required_in_requests(schema, schemas, kept):
    shown = body_tool({"type": "object", **schema} if "$ref" not in schema else schema, **schemas).parameters
    inside = {"properties": {"body": shown["properties"]["body"]}, "$defs": shown.get("$defs", {})}
    assert names_in(inside) == {"body"} | kept
    assert "'id'" not in str(list(_requirements(inside)))


def _requirements(value):
    if isinstance(value, dict):
        yield from (value[key] for key in ("required", "dependentRequired") if key in value)
        for item in value.values():
            yield from _requirements(item)
    elif isinstance(value, list):
        for item in value:
            yield from _requirements(item)


def test_what_is_left_out_of_a_request_stays_in_the_answer_and_the_other_way_round():
    schema = {"$ref": "#/components/schemas/A"}
    secret = {"type": "string", "writeOnly": True}
    tool = only_tool(
        requestBody=body(schema),
        responses=answer(schema),
        components={
            "schemas": {
                "A": {"required": ["id", "pin"], "properties": {"id": READ_ONLY, "pin": secret}, "type": "object"}
            }
        },
    )
    assert names_in(tool.parameters["properties"]["body"]) == {"pin"}
    assert names_in(tool.result) == {"id"}
    assert tool.result["required"] == ["id"]


def test_two_uses_of_one_definition_can_hide_different_things():
    """One use of `A` adds that `n` is read-only; the other one still takes it."""
    ref = {"$ref": "#/components/schemas/A"}
    narrowed = {"allOf": [ref, {"not": {"type": "null"}, "properties": {"n": {"readOnly": True}}}]}
    tool = body_tool(
        {"type": "object", "properties": {"first": narrowed, "second": ref}},
        A={"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}, "not": {"type": "string"}},
    )
    value = {"first": {}, "second": {"n": 1}}
    assert fits(tool.parameters, {"body": value})
    assert not fits(tool.parameters, {"body": {"second": {}}})


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        pytest.param(["application/json"], "application/json", id="json"),
        pytest.param(["application/json; charset=utf-8"], "application/json; charset=utf-8", id="json-with-parameter"),
        pytest.param(["multipart/form-data", "application/json"], "application/json", id="json-before-multipart"),
        pytest.param(
            ["application/x-www-form-urlencoded", "application/json"], "application/json", id="json-before-form"
        ),
        pytest.param(["application/xml", "application/vnd.api+json"], "application/vnd.api+json", id="plus-json"),
        pytest.param(["application/merge-patch+json"], "application/merge-patch+json", id="merge-patch"),
        pytest.param(["*/*"], "application/json", id="any"),
        pytest.param(["application/*"], "application/json", id="any-application"),
        pytest.param(
            ["application/xml", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded", id="form"
        ),
        pytest.param(
            ["multipart/form-data", "application/x-www-form-urlencoded"],
            "application/x-www-form-urlencoded",
            id="form-first",
        ),
        pytest.param(["text/plain"], "text/plain", id="text"),
    ],
)
def test_the_body_s_media_type_is_chosen(content, media_type):
    tool = only_tool(
        requestBody={"required": True, "content": {name: {"schema": {"type": "object"}} for name in content}}
    )
    assert [(item.location, item.wire_name) for item in tool.arguments] == [("body", media_type)]


UNSUPPORTED = [
    "multipart/form-data",
    "application/octet-stream",
    "application/xml",
    "image/png",
    "application/x-ndjson",
]


@pytest.mark.parametrize("media_type", UNSUPPORTED)
def test_a_required_body_that_cannot_be_sent_is_no_tool_but_a_reason(media_type):
    tools = toolset({"/up": {"post": operation("up", requestBody=body({"type": "object"}, media_type))}})
    assert len(tools) == 0
    assert [(item.path, item.reason) for item in tools.skipped] == [
        ("/up", f"body of type '{media_type}' is not supported yet")
    ]


def test_several_types_that_cannot_be_sent_are_all_named():
    content = {"application/xml": {"schema": {}}, "image/png": {"schema": {}}}
    tools = toolset({"/up": {"post": operation("up", requestBody={"required": True, "content": content})}})
    assert tools.skipped[0].reason == "body of type 'application/xml', 'image/png' is not supported yet"


@pytest.mark.parametrize("media_type", UNSUPPORTED)
def test_an_optional_body_that_cannot_be_sent_leaves_the_tool_and_a_finding(media_type):
    tools = toolset({"/up": {"post": operation("up", requestBody=body({}, media_type, required=False))}})
    assert tools["up"].arguments == ()
    assert any(media_type in finding.message for finding in tools.findings)


def test_a_parameter_described_by_json_content_is_an_argument():
    parameter = {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    assert only_tool(parameters=[parameter]).parameters["properties"]["filter"] == {"type": "object"}


@pytest.mark.parametrize(("required", "tools"), [(True, 0), (False, 1)], ids=["required", "optional"])
def test_a_parameter_described_by_other_content_is_never_offered(required, tools):
    parameter = {"name": "f", "in": "query", "required": required, "content": {"application/xml": {"schema": {}}}}
    found = toolset({"/x": {"get": operation("op", parameters=[parameter])}})
    assert len(found) == tools
    assert all(not tool.arguments for tool in found.tools)
    assert bool(found.skipped) is required


def test_cookies_are_arguments():
    tool = only_tool(parameters=[{"name": "lang", "in": "cookie", "schema": {"type": "string"}}])
    assert [(item.name, item.location) for item in tool.arguments] == [("lang", "cookie")]


BROKEN = {
    "pattern": {"pattern": "("},
    "patternProperties": {"patternProperties": {"(": {}}},
    "minimum": {"minimum": "x"},
    "enum": {"enum": "x"},
    "required": {"required": "a"},
    "type": {"type": "any thing"},
    "anyOf": {"anyOf": []},
    "minLength": {"minLength": -1},
    "format": {"format": 5},
    "half-a-character": {"const": "\ud800"},
    "empty-enum": {"enum": []},
}


@pytest.mark.parametrize("place", ["parameter", "body", "deep", "response"])
@pytest.mark.parametrize("schema", BROKEN.values(), ids=BROKEN)
def test_a_keyword_that_is_no_json_schema_costs_only_itself(schema, place):
    broken = {"description": "kept", **schema}
    members = {
        "parameter": {"parameters": [{"name": "a", "in": "query", "schema": broken}]},
        "body": {"requestBody": body(broken)},
        "deep": {"requestBody": body({"type": "array", "items": {"properties": {"a": broken}}})},
        "response": {"responses": answer(broken)},
    }[place]
    tool = only_tool(**members)
    for shown in (tool.parameters, tool.result):
        if shown is not None:
            compile_schema(shown)
    assert "kept" in str(tool.parameters) + str(tool.result)


def test_what_was_dropped_is_a_finding():
    tools = toolset({"/x": {"post": operation("op", requestBody=body({"type": "string", "pattern": "("}))}})
    assert tools["op"].parameters["properties"]["body"] == {"type": "string"}
    assert any("pattern" in finding.message and "op" in finding.message for finding in tools.findings)


@pytest.mark.parametrize("schema", [True, {}], ids=["true", "empty"])
def test_a_body_of_anything_takes_anything(schema):
    tool = only_tool(requestBody=body(schema))
    assert fits(tool.parameters, {"body": [1, {"a": None}]})


def test_a_very_deep_schema_is_cut_with_a_finding():
    schema: dict = {"type": "string"}
    for _ in range(90):
        schema = {"type": "object", "properties": {"a": schema}}
    tools = build_tools(document({"/x": {"post": operation("op", requestBody=body(schema))}}))
    compile_schema(tools["op"].parameters)
    assert any("nested deeper" in finding.message for finding in tools.findings)


def test_a_long_chain_of_definitions_is_kept_whole():
    chain = {
        f"S{n}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{n + 1}"}}}
        for n in range(300)
    }
    tool = body_tool({"$ref": "#/components/schemas/S0"}, **chain, S300={"type": "string"})
    assert "S300" in tool.parameters["$defs"]


def test_the_result_is_the_lowest_successful_json_answer():
    responses = {
        "202": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}},
        "201": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}},
        "404": {"description": "", "content": {"application/json": {"schema": {"type": "string"}}}},
        "200": {"description": "", "content": {"image/png": {}}},
    }
    tool = only_tool(responses=responses)
    assert (tool.result_status, tool.result) == ("201", {"type": "array"})


def test_default_is_the_result_only_without_a_successful_answer():
    default = {"default": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}}
    assert only_tool(responses=default).result == {"type": "array"}
    assert only_tool(responses={**OK, **default}).result is None


def test_every_schema_is_valid_under_the_meta_schema():
    tool = body_tool({"type": "object", "properties": {"a": {"type": "string", "format": "date"}}})
    jsonschema_rs.meta.validate(dict(tool.parameters))
