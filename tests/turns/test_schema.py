"""The envelope as two constants, and the arguments of the built-in tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given

from tests.turns.test_parse import printed, turns
from thinkagent.turns.model import BUILT_IN
from thinkagent.turns.schema import BUILT_IN_SCHEMAS, OPEN_SCHEMA, STRICT_SCHEMA, check_built_in, coerce_built_in
from thinkagent.values import plain, read_json


def objects_in(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    kind = schema.get("type")
    if kind == "object" or (isinstance(kind, list) and "object" in kind):
        yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from objects_in(inner)


class TestStrict:
    def test_every_object_is_closed_and_every_key_required(self):
        found = list(objects_in(STRICT_SCHEMA))
        assert len(found) == 2
        for schema in found:
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])

    def test_the_root_has_no_alternative(self):
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & STRICT_SCHEMA.keys()
        assert STRICT_SCHEMA["type"] == "object"

    def test_arguments_are_a_text(self):
        assert STRICT_SCHEMA["properties"]["action"]["properties"]["arguments"]["type"] == "string"

    def test_optional_keys_are_nullable(self):
        action = STRICT_SCHEMA["properties"]["action"]["properties"]
        optional = [STRICT_SCHEMA["properties"][key] for key in ("plan", "plan_reason", "doing")]
        optional += [action[key] for key in ("save_as", "for_each", "pages")]
        assert all("null" in schema["type"] for schema in optional)


@pytest.mark.parametrize("schema", [STRICT_SCHEMA, OPEN_SCHEMA], ids=["strict", "open"])
def test_the_thought_comes_first(schema):
    assert list(schema["properties"]) == ["thought", "plan", "plan_reason", "doing", "action"]
    action = ["tool", "arguments", "save_as", "for_each", "pages"]
    assert list(schema["properties"]["action"]["properties"]) == action


@pytest.mark.parametrize("schema", [STRICT_SCHEMA, OPEN_SCHEMA, *BUILT_IN_SCHEMAS.values()])
def test_each_is_a_schema(schema):
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@given(turn=turns)
def test_a_printed_turn_fits_the_open_schema(turn):
    assert jsonschema_rs.is_valid(dict(OPEN_SCHEMA), plain(read_json(printed(turn, strict=False))))


def test_each_built_in_tool_has_a_schema():
    assert tuple(BUILT_IN_SCHEMAS) == BUILT_IN


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("compute", {"expression": "1 + 1"}, id="compute"),
        pytest.param("search_tools", {"query": "books"}, id="search-query"),
        pytest.param("search_tools", {"names": ["getBook"]}, id="search-names"),
        pytest.param("inspect", {"step": "a"}, id="inspect"),
        pytest.param("inspect", {"step": "a", "path": "result[0]", "offset": 0, "limit": 5}, id="inspect-all"),
        pytest.param("inspect", {"step": "a", "offset": "<<steps.n.result>>"}, id="reference-for-a-number"),
        pytest.param("wait", {"seconds": read_json("1.5")}, id="wait"),
        pytest.param("wait", {"seconds": read_json("1e1")}, id="wait-spelled"),
        pytest.param("wait", {"repeat": {"until": "done", "every_s": 2, "at_most": 5}}, id="wait-repeat"),
        pytest.param("ask", {"question": "Which?", "options": ["a", "b"]}, id="ask"),
        pytest.param("finish", {"status": "done", "answer": "x", "evidence": ["a"]}, id="finish"),
        pytest.param("finish", {"status": "impossible", "answer": {"any": [1, None]}}, id="finish-json"),
        pytest.param("finish", {"status": "failed", "answer": None}, id="finish-null"),
    ],
)
def test_arguments_that_fit(tool, arguments):
    assert check_built_in(tool, arguments) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        pytest.param("compute", {}, '"expression" is a required property', id="required"),
        pytest.param("compute", {"expression": ""}, "/expression:", id="blank"),
        pytest.param("compute", {"expr": "1"}, "'expr' was unexpected", id="unknown"),
        pytest.param("search_tools", {}, "one of its arguments is needed", id="none-of-two"),
        pytest.param("inspect", {"step": "a", "limit": 0}, "/limit: 0 is less than", id="minimum"),
        pytest.param("inspect", {"step": "a", "limit": "ten"}, '/limit: "ten" is not of type "integer"', id="type"),
        pytest.param("wait", {}, "one of its arguments is needed", id="wait-none"),
        pytest.param("wait", {"seconds": 1, "repeat": {"until": "x"}}, "exactly one", id="wait-both"),
        pytest.param("wait", {"repeat": {"every_s": 1}}, '/repeat: "until" is a required', id="inner"),
        pytest.param("ask", {"question": "a", "options": ["a", 1]}, "/options/1:", id="item"),
        pytest.param("finish", {"status": "ok", "answer": "x"}, '"done", "failed" or "impossible"', id="enum"),
        pytest.param("finish", {"status": "done", "answer": "x", "evidence": "a"}, "/evidence:", id="no-list"),
    ],
)
def test_arguments_that_do_not_fit(tool, arguments, said):
    faults = check_built_in(tool, arguments)
    assert any(said in fault for fault in faults), faults


def test_a_fault_stays_short_and_visible():
    faults = check_built_in("inspect", {"step": "a", "limit": "\x1b[2J" + "long " * 1000})
    assert len(faults[0]) < 280
    assert "\x1b" not in faults[0]
    assert 'not of type "integer"' in faults[0]


@pytest.mark.parametrize(
    ("tool", "given_arguments", "taken"),
    [
        pytest.param("inspect", {"step": "a", "limit": "5"}, {"step": "a", "limit": 5}, id="integer"),
        pytest.param("wait", {"seconds": "1.50"}, {"seconds": read_json("1.50")}, id="number"),
        pytest.param("search_tools", {"names": '["a"]'}, {"names": ["a"]}, id="array"),
        pytest.param("wait", {"repeat": '{"until": "x"}'}, {"repeat": {"until": "x"}}, id="object"),
        pytest.param("inspect", {"step": "5", "path": None}, {"step": "5"}, id="text-stays-null-goes"),
        pytest.param("finish", {"status": "done", "answer": "5"}, {"status": "done", "answer": "5"}, id="any-stays"),
        pytest.param("finish", {"status": "done", "answer": None}, {"status": "done", "answer": None}, id="any-null"),
        pytest.param("inspect", {"step": "a", "limit": "true"}, {"step": "a", "limit": "true"}, id="no-boolean"),
        pytest.param("inspect", {"step": "a", "limit": "[1]"}, {"step": "a", "limit": "[1]"}, id="other-type"),
        pytest.param("wait", {"seconds": "[1]"}, {"seconds": "[1]"}, id="list-is-no-number"),
        pytest.param("wait", {"seconds": "<<steps.a.result>>"}, {"seconds": "<<steps.a.result>>"}, id="reference"),
        pytest.param(
            "finish",
            {"status": "done", "answer": "", "evidence": "a"},
            {"status": "done", "answer": "", "evidence": "a"},
            id="bare-word",
        ),
    ],
)
def test_text_that_is_a_value_of_the_declared_type_is_taken_once(tool, given_arguments, taken):
    arguments, notes = coerce_built_in(tool, given_arguments)
    assert arguments == taken
    changed = [key for key, value in arguments.items() if value is not given_arguments[key]]
    assert len(notes) == len(changed)
