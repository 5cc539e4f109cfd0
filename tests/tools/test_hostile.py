"""Hostile documents: whatever they say, a tool is built soon, its definition is short, and its example is right."""

from __future__ import annotations

import json

import pytest

from tests.tools.helpers import answer, body, operation
from tests.tools.hostile import CHAINS, FANS, PLACES, chain, fan, nest, paths_of, ref
from thinkagent.cli.main import run_command
from thinkagent.documents import load_bytes
from thinkagent.tools import as_dict, build_tools, describe, function_schema, search
from thinkagent.tools.describe import MAX_TOKENS
from thinkagent.tools.effort import Effort
from thinkagent.tools.validity import compile_schema
from thinkagent.values import plain, tokens, write_json

pytestmark = pytest.mark.timeout(20)
"""Seconds for what takes less than one; what these documents could cost has thirty digits."""

LONGEST = 3 * MAX_TOKENS
"""Tokens of a definition: the arguments and all that stands around them."""


def whole(schema, **more):
    return {"requestBody": body(schema, **more), "responses": answer(schema, **more)}


def soundly_built(schemas, **members):
    """Build the tool of a document and all that is made of it; give it."""
    paths = {"/x": {"post": operation("op", **members)}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    tools = build_tools(load_bytes(json.dumps({**document, "components": {"schemas": schemas}}).encode()))
    tool = tools["op"]
    for provider in ("openai", "anthropic"):
        write_json(function_schema(tool, provider))
    write_json(as_dict(tool))
    search(tools, "things with p3")
    assert tokens(describe(tool)) == tool.tokens <= LONGEST
    if tool.example_call:
        assert not Effort(tool.parameters).is_costly(tool.example_call)
        assert compile_schema(tool.parameters).is_valid(plain(tool.example_call))
    return tool


@pytest.mark.parametrize(
    ("place", "is_circular"), [("body", False), ("body", True), ("answer", False), ("parameter", True)]
)
@pytest.mark.parametrize("kind", FANS)
def test_schemas_that_fan_out(kind, place, is_circular):
    tool = soundly_built(fan(FANS[kind], is_circular=is_circular), **PLACES[place](ref("S0")))
    assert len(write_json([tool.example_call, tool.example_result])) < 50_000


def test_what_fans_out_by_optional_properties_still_has_a_small_example():
    tool = soundly_built(fan(FANS["properties"], is_circular=False), **whole(ref("S0")))
    assert tool.example_call == {"body": {"p0": {}, "p1": {}}}
    assert tool.example_result == {f"p{number}": {} for number in range(8)}


def test_what_cannot_be_small_has_no_example():
    tool = soundly_built(fan(FANS["required properties"], is_circular=False), **whole(ref("S0")))
    assert tool.example_call == {}
    assert tool.example_result is None


@pytest.mark.parametrize("kind", CHAINS)
def test_long_chains(kind):
    soundly_built(chain(CHAINS[kind], 1000), **whole(ref("S0")))


CYCLE = {f"P{number}": {"allOf": [ref(f"P{(number + step) % 12}") for step in range(1, 12)]} for number in range(12)}
OWN = {"properties": {"a": {"minLength": 1}, "b": {"type": "string"}}}
TREE = {"oneOf": [{"required": ["a"], "properties": {"a": ref("A")}}, {"properties": {"a": ref("A")}}]}
BACKTRACKING = r"^(?=(a+)+$)(a|a)*\1b$"

ODD = {
    "everything extends everything": lambda: (
        whole(ref("P0")),
        CYCLE | {"P3": {"allOf": [*CYCLE["P3"]["allOf"], OWN]}},
    ),
    "one property a thousand times": lambda: (
        whole({"allOf": [{"properties": {"a": {"pattern": f"{number}"}}} for number in range(1000)]}),
        {},
    ),
    "a thousand branches": lambda: (whole({"anyOf": [{"required": [f"r{number}"]} for number in range(1000)]}), {}),
    "a thousand parents with heirs": lambda: (
        whole(ref("P0")),
        {
            f"P{number}": {
                "properties": {"n": ref(f"P{(number + 1) % 1000}")},
                "discriminator": {"propertyName": "kind"},
            }
            for number in range(1000)
        }
        | {f"C{number}": {"allOf": [ref(f"P{number}"), OWN]} for number in range(1000)},
    ),
    "huge enumerations": lambda: (whole({"enum": [f"v{number}" for number in range(100_000)]}), {}),
    "huge enumerations, both at once": lambda: (
        whole({"allOf": [{"enum": [{"n": n} for n in order]} for order in (range(5000), range(5000, 0, -1))]}),
        {},
    ),
    "very long texts": lambda: (
        {
            "description": "x`*_<[(&" * 200_000,
            "tags": ["t" * 500_000],
            **whole({"type": "object", "description": "<!--" * 500_000, "properties": {"n" * 500_000: {}}}),
        },
        {},
    ),
    "very long values": lambda: (
        whole({"properties": {"a": {"default": "d" * 500_000, "enum": ["e" * 500_000]}}}, example={"a": "e" * 500_000}),
        {},
    ),
    "ten thousand required parameters": lambda: (
        {
            "parameters": [
                {"name": f"thing{number}Id", "in": "query", "required": True, "schema": {"type": "string"}}
                for number in range(10_000)
            ]
        },
        {},
    ),
    "ten thousand parameters of one schema": lambda: (
        {
            "parameters": [
                {"name": f"p {number}", "in": "header", "schema": {"type": "array", "items": ref("A")}}
                for number in range(10_000)
            ]
        },
        {"A": {"properties": {f"x{number}": {"type": "string"} for number in range(300)}}},
    ),
    "ten thousand required properties": lambda: (
        whole(
            {
                "type": "object",
                "required": [f"p{number}" for number in range(10_000)],
                "properties": {f"p{number}": {"type": "string"} for number in range(10_000)},
            }
        ),
        {},
    ),
    "patterns that backtrack": lambda: (
        whole(
            {
                "type": "object",
                "required": ["a", "b"],
                "properties": {
                    "a": {"type": "string", "pattern": BACKTRACKING, "default": "a" * 5000},
                    "b": {"type": "string", "pattern": "^(a+)+$", "examples": ["a" * 5000 + "b"]},
                },
            }
        ),
        {},
    ),
    "patterns that are huge": lambda: (
        whole({"properties": {"a": {"pattern": "(a{9999})" * 20_000}, "b": {"pattern": "(" * 50_000}}}),
        {},
    ),
    "patterns that are none": lambda: (
        whole({"properties": {f"p{number}": {"pattern": "("} for number in range(3000)}}),
        {},
    ),
    "deep properties": lambda: (whole(nest(lambda inner: {"properties": {"p": inner}}, 235, {})), {}),
    "deep items": lambda: (whole(nest(lambda inner: {"items": inner}, 470, {})), {}),
    "deep allOf": lambda: (whole(nest(lambda inner: {"allOf": [inner, OWN]}, 235, {})), {}),
    "deep definitions of deep definitions": lambda: (
        whole(ref("S0")),
        chain(lambda to: nest(lambda inner: {"required": ["p"], "properties": {"p": inner}}, 28, to), 24),
    ),
    "deep examples": lambda: (whole({}, example=nest(lambda inner: [inner], 470, "x")), {}),
    "a deep example of a schema that checks twice": lambda: (
        whole(ref("A"), example=nest(lambda inner: {"a": inner}, 470, {})),
        {"A": TREE},
    ),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_documents(kind):
    members, schemas = ODD[kind]()
    soundly_built(schemas, **members)


COMMANDS = {
    "all": ["tools"],
    "one": ["tools", "--tool", "createThing"],
    "search": ["tools", "--search", "create a thing"],
    "openai": ["tools", "--format", "openai", "--json"],
    "anthropic": ["tools", "--format", "anthropic", "--json"],
    "run": ["run", "How many things are there?", "--dry-run", "--base-url", "http://127.0.0.1:9"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", FANS)
def test_every_command_ends_soon(kind, command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    paths = paths_of(ref("S0"))
    members = {"components": {"schemas": fan(FANS[kind], is_circular=True)}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths, **members}
    (tmp_path / "things.json").write_text(write_json(document), "utf-8")
    assert run_command([*COMMANDS[command], "--spec", "things.json"]) in (0, 1)
    assert "Traceback" not in capsys.readouterr().err
