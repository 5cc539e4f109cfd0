"""Where a write's values come from."""

from __future__ import annotations

import pytest

from thinkagent import load_tools
from thinkagent.policy.origin import trace
from thinkagent.values import read_json

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "example": "Ada Lovelace"},
        "mail": {"type": "string", "examples": ["ada@example.com"]},
        "plan": {"type": "string", "enum": ["free", "gold"]},
        "country": {"type": "string", "example": "DE"},
        "lang": {"type": "string", "default": "en-GB"},
        "age": {"type": "integer", "example": 36},
        "born": {"type": "string", "format": "date", "example": "1815-12-10"},
        "tags": {"type": "array", "items": {"type": "string", "example": "first-program"}},
        "address": {"type": "object", "properties": {"street": {"type": "string", "example": "12 Main Street"}}},
        "example": {"type": "string"},
        "note": {"type": "string"},
        "agreed": {"type": "boolean", "example": True},
    },
}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "people", "version": "1"},
    "servers": [{"url": "http://people.test"}],
    "paths": {
        "/people/{id}": {
            "put": {
                "operationId": "putPerson",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "example": "p-1815"}
                ],
                "requestBody": {"content": {"application/json": {"schema": SCHEMA}}},
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": SCHEMA, "example": {"name": "Grace Hopper"}}},
                    }
                },
            }
        }
    },
}
TOOL = load_tools(DOCUMENT).get("putPerson")
TASK = "Set person 7's name to Bo Diaz, born 24 December 1990, in the demo bucket, aged thirty-one, for 12 EUR"
RESULTS = [{"is": {"people": [{"id": "p-77", "mail": "bo@diaz.test", "score": read_json("12.50")}]}}]

GIVEN = {
    "the task": {"name": "Bo Diaz"},
    "another case": {"name": "bo diaz"},
    "words of the task": {"name": "demo-bucket"},
    "a number of the task": {"age": 12},
    "a number in words": {"age": 31},
    "a number as a text": {"name": "7"},
    "an input": {"mail": "in@put.test"},
    "a result": {"mail": "bo@diaz.test", "age": read_json("12.5")},
    "a date in another form": {"born": "1990-12-24"},
    "one that the schema names": {"plan": "gold", "lang": "en-GB"},
    "a reference": {"name": "<<steps.x.result.name>>"},
    "a reference within words of the task": {"name": "person <<steps.x.result.id>>"},
    "yes, no, nothing, none and one": {"agreed": True, "note": None, "name": "", "age": 1, "tags": []},
}
EXAMPLES = {
    "an example": ({"name": "Ada Lovelace"}, ["body.name"]),
    "one of several": ({"mail": "ada@example.com"}, ["body.mail"]),
    "a number": ({"age": 36}, ["body.age"]),
    "a date": ({"born": "1815-12-10"}, ["body.born"]),
    "in a list": ({"tags": ["demo", "first-program"]}, ["body.tags[1]"]),
    "further down": ({"address": {"street": "12 Main Street"}}, ["body.address.street"]),
    "the result's example": ({"name": "Grace Hopper"}, ["body.name"]),
    "the type's name": ({"note": "string"}, ["body.note"]),
    "a placeholder": ({"note": "<your name>", "name": "YOUR_NAME"}, ["body.note", "body.name"]),
    "several": ({"name": "Ada Lovelace", "age": 36, "mail": "bo@diaz.test"}, ["body.name", "body.age"]),
}
OWN = {
    "a text": ({"note": "A friendly word of welcome"}, ["body.note"]),
    "a number": ({"age": 55}, ["body.age"]),
    "a code, though it is the example": ({"country": "DE"}, ["body.country"]),
    "a date": ({"born": "1990-12-25"}, ["body.born"]),
    "beside a reference": ({"note": "Dear <<steps.x.result.name>>"}, ["body.note"]),
    "a key called example": ({"example": "Zoe"}, ["body.example"]),
}


def origin(body, place="7", task=TASK):
    return trace({"id": place, "body": body}, TOOL, (task, {"mail": "in@put.test"}), lambda: RESULTS)


@pytest.mark.parametrize("body", GIVEN.values(), ids=GIVEN)
def test_given(body):
    found = origin(body)
    assert (found.examples, found.own) == ({}, {})


@pytest.mark.parametrize(("body", "places"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_is_no_value(body, places):
    found = origin(body)
    assert (list(found.examples), found.own) == (places, {})


@pytest.mark.parametrize(("body", "places"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_that_the_task_wants_is_a_value(body, places):
    wanted = " and ".join(
        ["Ada Lovelace, ada@example.com, 36, 1815-12-10, first-program, 12 Main Street", "Grace Hopper"]
    )
    found = origin(body, task=f"{TASK}: {wanted}; note 'string', '<your name>' and YOUR_NAME")
    assert (found.examples, found.own) == ({}, {})


@pytest.mark.parametrize(("body", "places"), OWN.values(), ids=OWN)
def test_made_up(body, places):
    found = origin(body)
    assert (found.examples, list(found.own)) == ({}, places)


def test_a_place_in_the_path_is_a_value_too():
    assert list(origin({}, place="p-1815").examples) == ["id"]
    assert list(origin({}, place="p-99").own) == ["id"]


def test_results_are_read_only_where_they_matter():
    def never():
        raise AssertionError

    assert trace({"id": "7", "body": {"name": "Bo Diaz"}}, TOOL, (TASK,), never).own == {}
