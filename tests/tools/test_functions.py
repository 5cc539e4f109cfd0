"""Function schemas of the two kinds of model services."""

from __future__ import annotations

from tests.tools.helpers import body, body_tool, only_tool
from thinkagent.tools import function_schema


def test_openai():
    tool = only_tool(summary="Add it", requestBody=body({"type": "string"}))
    assert function_schema(tool, "openai") == {
        "type": "function",
        "function": {
            "name": "op",
            "description": "POST /x: Use it to add it.",
            "parameters": {
                "type": "object",
                "properties": {"body": {"type": "string"}},
                "required": ["body"],
                "additionalProperties": False,
            },
        },
    }


def test_anthropic():
    made = function_schema(only_tool(), "anthropic")
    assert set(made) == {"name", "description", "input_schema"}
    assert made["input_schema"]["type"] == "object"


def test_definitions_come_along():
    tool = body_tool({"type": "array", "items": {"$ref": "#/components/schemas/A"}}, A={"type": "object"})
    assert function_schema(tool, "openai")["function"]["parameters"]["$defs"] == {"A": {"type": "object"}}


def test_the_description_is_bounded():
    tool = only_tool(description="word " * 10_000)
    assert len(function_schema(tool, "openai")["function"]["description"]) <= 1024
