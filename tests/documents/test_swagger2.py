"""A 2.0 document works like its 3.x twin."""

from __future__ import annotations

import pytest

from tests.documents.making import assert_bundled, document, messages, operation, parameter, schemas_of
from thinkagent.documents.model import MediaType, Server

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"


def post(*parameters, **fields):
    paths = {"/a": {"post": {"parameters": list(parameters), **fields}}}
    return document(
        paths, version="2.0", definitions={"Pet": {"type": "object", "properties": {"n": {"type": "string"}}}}
    )


def test_a_whole_document():
    made = document(
        {
            "/pets": {
                "post": {
                    "operationId": "addPet",
                    "consumes": [JSON],
                    "parameters": [
                        {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}},
                        {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}},
                    ],
                    "responses": {"201": {"description": "made", "schema": {"$ref": "#/definitions/Pet"}}},
                }
            }
        },
        version="2.0",
        host="127.0.0.1:9000",
        basePath="/v1",
        definitions={"Pet": {"type": "object", "properties": {"parent": {"$ref": "#/definitions/Pet"}}}},
    )
    built = operation(made)
    assert made.servers == built.servers == (Server("http://127.0.0.1:9000/v1"),)
    assert [(item.name, item.style, item.explode) for item in built.parameters] == [("tags", "form", False)]
    assert built.request_body.required
    assert [media.media_type for media in built.request_body.content] == [JSON]
    assert [media.media_type for media in built.responses[0].content] == [JSON]
    for schema in schemas_of(built):
        assert_bundled(schema)


STYLES = {
    ("query", None): ("form", False),
    ("query", "csv"): ("form", False),
    ("query", "multi"): ("form", True),
    ("query", "ssv"): ("spaceDelimited", False),
    ("query", "pipes"): ("pipeDelimited", False),
    ("query", "tsv"): "text",
    ("query", "nonsense"): ("form", False),
    ("header", None): ("simple", False),
    ("header", "csv"): ("simple", False),
    ("header", "multi"): ("simple", False),
    ("header", "ssv"): "text",
    ("header", "pipes"): "text",
    ("header", "tsv"): "text",
    ("path", None): ("simple", False),
    ("path", "csv"): ("simple", False),
    ("path", "multi"): ("simple", False),
    ("path", "ssv"): "text",
    ("path", "pipes"): "text",
    ("path", "tsv"): "text",
}


@pytest.mark.parametrize(("location", "stated"), STYLES)
def test_collection_format(location, stated):
    item = {"name": "q", "in": location, "type": "array", "items": {"type": "integer"}}
    if stated is not None:
        item["collectionFormat"] = stated
    made = document({"/a/{q}" if location == "path" else "/a": {"get": {"parameters": [item]}}}, version="2.0")
    found = parameter(operation(made), "q")
    expected = STYLES[location, stated]
    if expected == "text":
        assert found.schema["type"] == "string"
        assert found.schema["description"].startswith("Values joined by ")
        assert "joins its values by" in messages(made)[0]
    else:
        assert (found.style, found.explode) == expected
        assert found.schema == {"type": "array", "items": {"type": "integer"}}
        is_known = stated in (None, "csv", "ssv", "pipes") or (stated, location) == ("multi", "query")
        assert (messages(made) == []) is is_known


def test_schema_of_a_parameter_stands_beside_its_name():
    item = {
        "name": "q",
        "in": "query",
        "required": True,
        "description": "d",
        "type": "integer",
        "minimum": 1,
        "exclusiveMinimum": True,
        "enum": [2, 3],
        "default": 2,
        "x-nullable": True,
        "x-example": 3,
        "allowEmptyValue": True,
    }
    found = parameter(operation(post(item)), "q")
    assert (found.required, found.description, found.examples) == (True, "d", (3,))
    assert found.schema == {
        "type": ["integer", "null"],
        "exclusiveMinimum": 1,
        "enum": [2, 3, None],
        "default": 2,
        "examples": [3],
    }


@pytest.mark.parametrize(
    ("consumes", "media_types"),
    [
        (None, [JSON]),
        ([], [JSON]),
        ([JSON, "application/xml"], [JSON, "application/xml"]),
        ("text/csv", ["text/csv"]),
        ([7, JSON, JSON], [JSON]),
    ],
)
def test_body(consumes, media_types):
    fields = {} if consumes is None else {"consumes": consumes}
    body = operation(post({"name": "b", "in": "body", "schema": {"type": "array", "items": {}}}, **fields)).request_body
    assert [media.media_type for media in body.content] == media_types
    assert {media.schema["type"] for media in body.content} == {"array"}
    assert not body.required


def test_consumes_and_produces_of_the_document():
    made = document(
        {"/a": {"post": {"parameters": [{"name": "b", "in": "body"}], "responses": {"200": {"schema": {}}}}}},
        version="2.0",
        consumes=["a/b"],
        produces=["c/d", "e/f"],
    )
    built = operation(made)
    assert [media.media_type for media in built.request_body.content] == ["a/b"]
    assert [media.media_type for media in built.responses[0].content] == ["c/d", "e/f"]


def field(name, kind="string", **more):
    return {"name": name, "in": "formData", "type": kind, **more}


@pytest.mark.parametrize(
    ("fields", "consumes", "media_types"),
    [
        pytest.param([field("a")], None, [FORM], id="nothing said"),
        pytest.param([field("a")], [JSON], [FORM], id="json cannot be"),
        pytest.param([field("a")], [MULTIPART], [MULTIPART], id="multipart"),
        pytest.param([field("a")], [FORM, MULTIPART], [FORM, MULTIPART], id="both"),
        pytest.param([field("a", "file")], None, [MULTIPART], id="file"),
        pytest.param([field("a", "file")], [FORM], [MULTIPART], id="file needs multipart"),
        pytest.param([field("a", "file")], [FORM, MULTIPART], [MULTIPART], id="file, both"),
    ],
)
def test_form(fields, consumes, media_types):
    more = {} if consumes is None else {"consumes": consumes}
    body = operation(post(*fields, **more)).request_body
    assert [media.media_type for media in body.content] == media_types


def test_form_fields():
    made = post(
        field("file", "file", required=True, description="the file"),
        field("note", maxLength=3),
        field("ids", "array", items={"type": "integer"}, collectionFormat="multi", required=True),
        field("csv", "array", items={"type": "integer"}),
        field("tabs", "array", items={"type": "integer"}, collectionFormat="tsv"),
        {"name": "q", "in": "query", "type": "string"},
    )
    built = operation(made)
    assert [item.name for item in built.parameters] == ["q"]
    (media,) = built.request_body.content
    assert media.schema == {
        "type": "object",
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "the file"},
            "note": {"type": "string", "maxLength": 3},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "csv": {"type": "array", "items": {"type": "integer"}},
            "tabs": {"type": "string", "description": "Values joined by tab characters"},
        },
        "required": ["file", "ids"],
    }
    assert media.encoding == {"ids": {"style": "form", "explode": True}, "csv": {"style": "form", "explode": False}}
    assert built.request_body.required
    assert made.counts["form_parameters"] == 5


def test_body_and_form_together():
    made = post({"name": "b", "in": "body", "schema": {"type": "string"}}, field("a"))
    assert operation(made).request_body.content == (MediaType(JSON, {"type": "string"}),)
    assert messages(made) == ["the operation has body and form"]


def test_two_bodies():
    made = post({"name": "a", "in": "body"}, {"name": "b", "in": "body", "schema": {"type": "string"}})
    assert operation(made).request_body.content[0].schema == {"type": "string"}
    assert messages(made) == ["the operation has more than one body"]


def test_no_body():
    assert operation(post({"name": "q", "in": "query", "type": "string"})).request_body is None


def test_responses():
    made = post(
        produces=["a/b"],
        responses={
            "200": {"description": "d", "schema": {"$ref": "#/definitions/Pet"}, "examples": {"a/b": {"n": "x"}}},
            "204": {"description": "none"},
            "default": {"$ref": "#/responses/Nope"},
            "206": {
                "description": "h",
                "headers": {"X": {"type": "array", "items": {"type": "integer"}, "collectionFormat": "csv"}},
            },
        },
    )
    first, second, third, fourth = operation(made).responses
    assert (first.content[0].media_type, first.content[0].examples) == ("a/b", ({"n": "x"},))
    assert first.content[0].schema["type"] == "object"
    assert (second.status, second.content) == ("204", ())
    assert (third.status, third.description) == ("default", "")
    assert fourth.headers == {"X": {"type": "array", "items": {"type": "integer"}}}


def test_file_answer():
    (response,) = operation(post(responses={"200": {"description": "", "schema": {"type": "file"}}})).responses
    assert response.content == (MediaType("application/octet-stream", {"type": "string", "format": "binary"}),)


def test_no_cookies_in_20():
    made = post({"name": "c", "in": "cookie", "type": "string"})
    assert operation(made).parameters == ()
    assert messages(made) == ["the parameter 'c' is 'in' 'cookie', which is not supported"]


def test_shared_parameters_of_the_document():
    made = document(
        {"/a": {"post": {"parameters": [{"$ref": "#/parameters/Q"}, {"$ref": "#/parameters/B"}]}}},
        version="2.0",
        parameters={
            "Q": {"name": "q", "in": "query", "type": "string"},
            "B": {"name": "b", "in": "body", "schema": {"type": "integer"}},
        },
    )
    built = operation(made)
    assert parameter(built, "q").schema == {"type": "string"}
    assert built.request_body.content[0].schema == {"type": "integer"}
