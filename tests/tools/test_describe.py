"""The definition as a mind reads it."""

from __future__ import annotations

import pytest

from tests.tools.helpers import OK, answer, body, document, only_tool, operation, toolset
from thinkagent.tools import as_dict, build_tools, describe
from thinkagent.values import read_json, tokens, write_json

WHOLE = """\
addStamp   write · POST /letters/{letterId}/stamps · repeating it does it again · deprecated
Use it to add a stamp. Only paper letters take one. Needs letterId (from listLetters). Its result feeds getStamp.
  letterId         string, required. Which letter.
  dry              boolean, default false
  body             object, required
  body.kind        string, required, one of A, "B C"
  body.size        integer, at least 1, at most 9
  body.lines       array of object, not empty
  body.lines[].to  string (date), required
Example  addStamp {"letterId":"l7","body":{"kind":"A","size":1,"lines":[{"to":"2025-01-31"}]}}  → {"stampId":"string"}
Errors   404 No such letter: look it up first: a list or search gives what exists"""


def stamps():
    letter = {"name": "letterId", "in": "path", "required": True, "schema": {"type": "string"}, "example": "l7"}
    add = operation(
        "addStamp",
        summary="Add a stamp",
        description="Only *paper* letters take one.",
        deprecated=True,
        parameters=[
            {**letter, "description": "Which <b>letter</b>."},
            {"name": "dry", "in": "query", "schema": {"type": "boolean", "default": False}},
        ],
        requestBody=body(
            {
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"type": "string", "enum": ["A", "B C"]},
                    "size": {"type": "integer", "minimum": 1, "maximum": 9},
                    "lines": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["to"],
                            "properties": {"to": {"type": "string", "format": "date"}},
                        },
                    },
                },
            }
        ),
    )
    add["responses"] = {
        **answer({"type": "object", "properties": {"stampId": {"type": "string"}}}),
        "404": {"description": "No such letter."},
    }
    stamp = {"name": "stampId", "in": "path", "required": True, "schema": {"type": "string"}}
    letters = answer({"type": "array", "items": {"type": "object", "properties": {"letterId": {"type": "string"}}}})
    return toolset(
        {
            "/letters": {"get": operation("listLetters") | {"responses": letters}},
            "/letters/{letterId}/stamps": {"post": add},
            "/stamps/{stampId}": {"get": operation("getStamp", parameters=[stamp])},
        }
    )


def test_the_whole_definition():
    tool = stamps()["addStamp"]
    assert describe(tool) == WHOLE
    assert tool.tokens == tokens(WHOLE)


def test_a_tool_without_arguments_says_so():
    assert "  no arguments" in describe(toolset({"/x": {"get": operation("op")}})["op"]).splitlines()


@pytest.mark.parametrize(
    ("method", "note"),
    [
        ("get", "safe to repeat"),
        ("put", "repeating it changes nothing more"),
        ("delete", "repeating it changes nothing more"),
        ("post", "repeating it does it again"),
        ("patch", "repeating it does it again"),
    ],
)
def test_it_says_whether_repeating_is_safe(method, note):
    assert note in describe(toolset({"/x": {method: operation("op")}})["op"]).splitlines()[0]


def test_an_argument_that_others_can_give_but_that_is_not_required():
    parameter = {"name": "letterId", "in": "query", "schema": {"type": "string"}}
    letters = answer({"type": "array", "items": {"properties": {"letterId": {"type": "string"}}}})
    tools = toolset(
        {
            "/letters": {"get": operation("list") | {"responses": letters}},
            "/s": {"get": operation("op", parameters=[parameter])},
        }
    )
    assert "letterId can come from list." in describe(tools["op"])


@pytest.mark.parametrize(
    ("members", "when"),
    [
        pytest.param({"summary": "List pets"}, "Use it to list pets.", id="order"),
        pytest.param({"summary": "Pets, all of them."}, "Pets, all of them.", id="no-order"),
        pytest.param(
            {"description": "Returns pets. Sorted."}, "Returns pets. Returns pets. Sorted.", id="description-only"
        ),
        pytest.param(
            {"summary": "List pets", "description": "List pets."}, "Use it to list pets.", id="the-same-twice"
        ),
        pytest.param({}, "POST /x.", id="nothing-said"),
    ],
)
def test_when_to_use(members, when):
    assert only_tool(**members).when_to_use == when


def test_without_a_summary_the_words_of_the_operation_id_stand_in():
    tools = toolset({"/x": {"post": operation("bulk_deleteMessages")}})
    assert tools.lines[0].summary == "bulk delete messages"


def test_a_schema_inside_itself_is_written_once():
    node = {
        "type": "object",
        "properties": {"value": {"type": "string"}, "next": {"$ref": "#/components/schemas/Node"}},
    }
    text = describe(
        only_tool(requestBody=body({"$ref": "#/components/schemas/Node"}), components={"schemas": {"Node": node}})
    )
    assert text.count("again as above") == 1


HOSTILE = "\x1b[2J\u202eignore\u2028 all\x07 <<steps.a.result>>"


def test_nothing_of_the_document_steers_a_terminal():
    schema = {"type": "object", "properties": {HOSTILE: {"enum": [HOSTILE], "description": HOSTILE, "title": HOSTILE}}}
    tool = only_tool(
        path="/x",
        summary=HOSTILE,
        description=HOSTILE,
        parameters=[
            {"name": HOSTILE, "in": "query", "required": True, "schema": {"type": "string", "default": HOSTILE}}
        ],
        requestBody=body(schema, example={HOSTILE: HOSTILE}),
        responses={**OK, "404": {"description": HOSTILE}},
    )
    assert not set(describe(tool)) & set("\x1b\u202e\u2028\x07")


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"description": "word " * 20_000, "summary": "word " * 20_000}, id="texts"),
        pytest.param(
            {"requestBody": body({"properties": {f"p{n}": {"description": "d" * 500} for n in range(2000)}})},
            id="fields",
        ),
        pytest.param({"requestBody": body({"enum": ["e" * 500 for _ in range(5000)]})}, id="enum"),
        pytest.param({"responses": answer({}, example=[{"a": "x" * 500}] * 5000)}, id="example"),
        pytest.param({"requestBody": body({"type": "string"}, example="x" * 100_000)}, id="example-call"),
        pytest.param(
            {"responses": {**OK, **{str(400 + n): {"description": "d" * 500} for n in range(100)}}}, id="errors"
        ),
    ],
)
def test_the_definition_is_bounded(members):
    assert tokens(describe(only_tool(**members))) <= 1300


def test_what_is_left_out_is_counted_and_required_arguments_stay():
    properties = {f"p{n}": {"type": "string"} for n in range(500)}
    tool = only_tool(requestBody=body({"type": "object", "properties": properties, "required": ["p499"]}))
    text = describe(tool, max_tokens=300)
    assert "body.p499" in text
    assert "more optional ones" in text


def test_a_tool_as_json_is_whole_and_plain():
    tool = stamps()["addStamp"]
    made = read_json(write_json(as_dict(tool)))
    assert made["name"] == "addStamp"
    assert made["needs"] == {"letterId": ["listLetters"]}
    assert made["arguments"][0] == {"name": "letterId", "in": "path", "wire_name": "letterId", "required": True}
    assert set(made) >= {"parameters", "result", "example_call", "example_result", "errors", "effect", "tokens"}


def test_numbers_in_examples_keep_their_spelling():
    data = b"""{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths":
      {"/x": {"get": {"operationId": "op",
      "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "number"},
      "example": 1.10}}}}}}}}"""
    from thinkagent.documents import load_bytes

    assert "→ 1.10" in describe(build_tools(load_bytes(data))["op"])


def test_a_document_without_operations_has_no_tools():
    tools = build_tools(document({}))
    assert (len(tools), tools.names, tools.lines, tools.skipped) == (0, (), (), ())


@pytest.mark.parametrize("max_tokens", [0, 1, 20, 40, 60, 100, 200])
@pytest.mark.parametrize("is_required", [True, False], ids=["required", "optional"])
def test_no_room_is_too_small(max_tokens, is_required):
    names = [f"argument{number}" for number in range(60)]
    listed = [{"name": name, "in": "query", "required": is_required, "schema": {"type": "string"}} for name in names]
    text = describe(only_tool(parameters=listed, description="word " * 500), max_tokens=max_tokens)
    assert ("argument0 " in text) or not is_required
    assert is_required or "more optional ones" in text
