"""Bodies, media types, responses, links of 3.x."""

from __future__ import annotations

import pytest

from tests.documents.making import assert_bundled, document, from_yaml, messages, operation
from thinkagent.documents.model import Link
from thinkagent.errors import DocumentError

JSON = "application/json"


def with_body(body, version="3.1.0", **components):
    return document({"/a": {"post": {"requestBody": body}}, "/b": {"get": {}}}, version=version, components=components)


def test_body():
    made = with_body(
        {
            "required": True,
            "description": "d",
            "content": {
                JSON: {
                    "schema": {"type": "object"},
                    "example": {"a": 1},
                    "examples": {
                        "x": {"value": {"a": 2}},
                        "y": {"$ref": "#/components/examples/Y"},
                        "z": {"summary": ""},
                    },
                },
                "text/plain": {},
                "multipart/form-data": {
                    "schema": {"type": "object"},
                    "encoding": {"f": {"contentType": "image/png", "explode": False, "headers": {}}, "g": 7},
                },
            },
        },
        examples={"Y": {"value": {"a": 3}}},
    )
    body = operation(made).request_body
    assert (body.required, body.description, body.pointer) == (True, "d", "#/paths/~1a/post/requestBody")
    first, second, third = body.content
    assert (first.media_type, first.schema, first.examples) == (
        JSON,
        {"type": "object"},
        ({"a": 1}, {"a": 2}, {"a": 3}),
    )
    assert (second.media_type, second.schema) == ("text/plain", None)
    assert third.encoding == {"f": {"contentType": "image/png", "explode": False}}


def test_body_by_reference():
    made = with_body(
        {"$ref": "#/components/requestBodies/B", "description": "beside"},
        requestBodies={"B": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/S"}}}}},
        schemas={"S": {"items": {"$ref": "#/components/schemas/S"}}},
    )
    body = operation(made).request_body
    assert (body.required, body.description) == (True, "beside")
    assert_bundled(body.content[0].schema)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param({"$ref": "#/components/requestBodies/Nope"}, "leads nowhere", id="dangling"),
        pytest.param({"$ref": "#/components/requestBodies/Loop"}, "goes in a circle", id="circle"),
        pytest.param({"$ref": "#/info/title"}, "does not lead to an object", id="text"),
        pytest.param({"$ref": "body.yaml"}, "no folder", id="file"),
        pytest.param(7, "no object", id="number"),
        pytest.param({"required": True}, "no media type", id="required without content"),
        pytest.param({"required": True, "content": {}}, "no media type", id="required with empty content"),
        pytest.param({"required": True, "content": 7}, "no media type", id="required with odd content"),
    ],
)
def test_body_that_nobody_knows_costs_its_operation_only(body, reason):
    made = with_body(body, requestBodies={"Loop": {"$ref": "#/components/requestBodies/Loop"}})
    assert len(made.index) == 2
    (skipped,) = made.skipped
    assert (skipped.method, skipped.path) == ("POST", "/a")
    assert reason in skipped.reason
    assert [item.path for item in made.operations()] == ["/b"]
    with pytest.raises(DocumentError, match=r"POST /a cannot be offered") as caught:
        operation(made)
    assert (caught.value.code, caught.value.exit_code) == ("operation_skipped", 2)
    assert "#/paths/~1a/post" in caught.value.where
    assert any(finding.severity == "error" for finding in made.findings)


@pytest.mark.parametrize("body", [{}, {"content": {}}, {"content": 7}, None], ids=repr)
def test_body_that_may_be_left_out_is(body):
    made = with_body(body)
    assert made.skipped == ()
    assert operation(made).request_body is None


def test_media_type_that_is_none():
    made = with_body({"content": {JSON: 7, "a/b": {"$ref": "#/nope"}, "c/d": {"schema": True}}})
    content = operation(made).request_body.content
    assert [(media.media_type, media.schema) for media in content] == [(JSON, None), ("a/b", None), ("c/d", True)]
    assert len([message for message in messages(made) if "cannot be used" in message]) == 2


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"type": "string"}, {"type": "array", "items": {"type": "string"}}),
        (
            {"$ref": "#/components/schemas/S"},
            {
                "type": "array",
                "items": {"properties": {"s": {"$ref": "#/$defs/S"}}},
                "$defs": {"S": {"properties": {"s": {"$ref": "#/$defs/S"}}}},
            },
        ),
    ],
)
def test_sequence_of_32(item, expected):
    made = with_body(
        {"content": {"application/jsonl": {"itemSchema": item}}},
        version="3.2.0",
        schemas={"S": {"properties": {"s": {"$ref": "#/components/schemas/S"}}}},
    )
    assert operation(made).request_body.content[0].schema == expected


def test_responses():
    made = from_yaml(
        """
paths:
  /a:
    get:
      responses:
        200:
          description: fine
          content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}
          headers:
            X-Next: {description: more, schema: {type: string}}
            X-Left: {$ref: '#/components/headers/Left'}
            X-Json: {content: {application/json: {schema: {type: object}}}}
            X-Lost: {$ref: '#/nope'}
          links:
            get: {operationId: getOne, parameters: {id: '$response.body#/id'}}
            ref: {$ref: '#/components/links/L'}
            none: {description: nothing}
        '4xx': {description: yours}
        default: {$ref: '#/components/responses/R'}
        '500': {$ref: '#/nope'}
        '2000': {description: odd}
        x-note: {}
        teapot: {}
        '418': 7
components:
  schemas: {S: {type: object}}
  headers: {Left: {schema: {type: integer}}}
  links: {L: {operationRef: '#/paths/~1a/get'}}
  responses: {R: {description: other}}
"""
    )
    built = operation(made)
    assert [(item.status, item.description) for item in built.responses] == [
        ("200", "fine"),
        ("4XX", "yours"),
        ("default", "other"),
        ("500", ""),
    ]
    first = built.responses[0]
    assert first.content[0].schema == {"type": "object"}
    assert first.headers == {
        "X-Next": {"type": "string", "description": "more"},
        "X-Left": {"type": "integer"},
        "X-Json": {"type": "object"},
        "X-Lost": {},
    }
    assert first.links == (Link("get", "getOne", {"id": "$response.body#/id"}), Link("ref", "#/paths/~1a/get"))
    found = messages(made)
    for text in ("the link 'none'", "the response '500'", "'2000' is no status code", "'teapot' is no status", "'418'"):
        assert any(text in message for message in found)


@pytest.mark.parametrize("value", [7, [], "x"], ids=repr)
def test_responses_that_are_none(value):
    made = document({"/a": {"get": {"responses": value}}})
    assert operation(made).responses == ()
    assert messages(made) == ["'responses' is no object"]


def test_operation_without_responses():
    assert operation(document({"/a": {"get": {}}})).responses == ()


def test_extensions_of_an_operation():
    made = document(
        {
            "/a": {
                "get": {"x-small": 1, "x-large": "x" * 1000, "x-thinkagent-note": "y" * 1000, "x-ref": {"$ref": "#/a"}}
            }
        }
    )
    assert operation(made).extensions == {"x-small": 1, "x-thinkagent-note": "y" * 1000}


def test_description_of_the_path_where_the_operation_has_none():
    made = document(
        {"/a": {"summary": "s", "description": "d", "get": {}, "put": {"summary": "t", "description": "e"}}}
    )
    first, second = made.operations()
    assert (first.summary, first.description) == ("s", "d")
    assert (second.summary, second.description) == ("t", "e")
