"""A document's tools: all there, or the reason why not."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.helpers import answer, body, document, operation, toolset
from thinkagent.errors import UsageError
from thinkagent.tools import build_tools

PATHS = {
    "/users": {"get": operation("listUsers", tags=["Users"]), "post": operation("users/create", tags=["Users"])},
    "/users/{id}": {"delete": operation("removeUser", tags=["admin"])},
    "/pets": {"get": operation("listPets")},
    "/pets/[odd]": {"get": operation("odd")},
}
ALL = ("listUsers", "users_create", "removeUser", "listPets", "odd")


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        pytest.param([], [], ALL, id="all"),
        pytest.param(["Users"], [], ("listUsers", "users_create"), id="tag"),
        pytest.param(["users"], [], ("listUsers", "users_create"), id="tag-in-another-case"),
        pytest.param(["/users*"], [], ("listUsers", "users_create", "removeUser"), id="path-glob"),
        pytest.param(["/users"], [], ("listUsers", "users_create"), id="path"),
        pytest.param(["/pets/[odd]"], [], ("odd",), id="brackets-are-no-glob"),
        pytest.param(["delete"], [], ("removeUser",), id="method"),
        pytest.param(["users/create"], [], ("users_create",), id="operationId"),
        pytest.param(["users_create"], [], ("users_create",), id="tool-name"),
        pytest.param(["list*"], [], ("listUsers", "listPets"), id="name-glob"),
        pytest.param(["Users", "odd"], [], ("listUsers", "users_create", "odd"), id="either"),
        pytest.param([], ["DELETE"], ("listUsers", "users_create", "listPets", "odd"), id="exclude"),
        pytest.param(["Users"], ["POST"], ("listUsers",), id="exclude-among-included"),
        pytest.param([], ["PATCH"], ALL, id="a-method-that-nobody-has"),
    ],
)
def test_selection(include, exclude, names):
    tools = build_tools(document(PATHS), include=include, exclude=exclude)
    assert tools.names == names
    assert tools.operations == len(tools) + len(tools.skipped) + len(tools.excluded) == 5


@pytest.mark.parametrize("option", ["include", "exclude"])
@pytest.mark.parametrize(
    ("pattern", "near"),
    [("listUser", "listUsers"), ("/user", "/users"), ("amdin", "admin")],
)
def test_a_pattern_that_fits_nothing_names_the_nearest(option, pattern, near):
    with pytest.raises(UsageError) as caught:
        build_tools(document(PATHS), **{option: [pattern]})
    assert caught.value.exit_code == 2
    assert repr(near) in caught.value.hint
    assert caught.value.where == f"--{option}"


@pytest.mark.parametrize(
    ("include", "exclude"), [(["PATCH"], []), ([], ["GET", "POST", "DELETE"]), (["Users"], ["Users"])]
)
def test_a_selection_that_leaves_nothing_is_refused(include, exclude):
    with pytest.raises(UsageError, match="none of the document's 5 operations is left"):
        build_tools(document(PATHS), include=include, exclude=exclude)


def test_an_excluded_operation_is_not_unknown():
    tools = build_tools(document(PATHS), exclude=["removeUser"])
    assert tools.get("removeUser") is None
    with pytest.raises(UsageError, match="left out of this run by the user"):
        tools["removeUser"]


def test_an_unknown_tool_names_the_nearest():
    with pytest.raises(UsageError, match="no operation is called 'listUser'; there are 'listUsers'") as caught:
        toolset(PATHS)["listUser"]
    assert caught.value.hint == "Did you mean 'listUsers'?"


ODD = {
    "dangling-body": {"post": operation("bad", requestBody={"$ref": "#/components/requestBodies/Nope"})},
    "dangling-path-parameter": {"get": operation("bad", parameters=[{"$ref": "#/components/parameters/Nope"}])},
    "upload": {"post": operation("bad", requestBody=body({}, "multipart/form-data"))},
}


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_one_odd_operation_costs_only_itself(odd, position):
    paths = [("/a", {"get": operation("a")}), ("/b", {"get": operation("b")})]
    paths.insert(position, ("/odd/{x}", odd))
    tools = toolset(dict(paths))
    assert tools.names == ("a", "b")
    assert [(item.path, bool(item.reason), item.pointer[:8]) for item in tools.skipped] == [
        ("/odd/{x}", True, "#/paths/")
    ]
    assert tools.operations == 3


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"parameters": 7}, id="parameters"),
        pytest.param({"responses": "none"}, id="responses"),
        pytest.param({"tags": 5, "summary": {}, "description": []}, id="texts"),
        pytest.param({"x-thing": {"$ref": "nowhere"}}, id="extension"),
        pytest.param({"security": "all"}, id="security"),
        pytest.param({"parameters": [{"name": "a", "in": "query", "style": "unheard", "schema": 5}]}, id="style"),
        pytest.param({"responses": answer({"$ref": "#/components/schemas/Nope"})}, id="dangling-answer"),
    ],
)
def test_a_fault_in_a_part_costs_only_the_part(members):
    tools = toolset({"/x": {"trace": operation("op", **members) | members}})
    assert tools.names == ("op",)
    assert tools["op"].effect == "read"


def test_listing_builds_no_tool(monkeypatch):
    monkeypatch.setattr("thinkagent.tools.toolset.build_tool", None)
    assert [line.name for line in toolset(PATHS).lines] == list(ALL)


def test_a_tool_is_built_once():
    tools = toolset(PATHS)
    assert tools["listPets"] is tools.get("listPets")
    assert tools.tools[3] is tools["listPets"]


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_tool_is_the_same_whatever_the_order_in_the_document(random):
    ref = {"$ref": "#/components/schemas/Node"}
    paths = {
        **PATHS,
        "/n": {"post": operation("n", requestBody=body(ref)), "get": operation("N", responses=answer(ref))},
        "/m": {"post": operation("", requestBody=body({"allOf": [ref, {"required": ["id"]}]}))},
    }
    node = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "string", "readOnly": True}, "next": ref, "kind": {"type": "string"}},
        "discriminator": {"propertyName": "kind"},
    }
    schemas = {"Node": node, "Leaf": {"allOf": [ref, {"properties": {"size": {"type": "integer"}}}]}}
    known = {tool.path + tool.method: tool for tool in toolset(paths, components={"schemas": schemas}).tools}
    items = list(paths.items())
    random.shuffle(items)
    shuffled = toolset(dict(items), components={"schemas": schemas})
    for name in random.sample(shuffled.names, len(shuffled)):
        tool = shuffled[name]
        assert tool == known[tool.path + tool.method]


def test_an_unrelated_operation_changes_no_name():
    names = toolset(PATHS).names
    more = toolset({"/zzz": {"get": operation("aaa")}, **PATHS, "/yyy": {"put": operation("")}}).names
    assert set(names) < set(more)


@pytest.mark.timeout(60)
def test_a_thousand_operations_are_listed_soon():
    paths = {
        f"/r{n}": {"get": operation(f"op{n}", summary="x" * 300, description="word " * 4000, tags=[f"t{n % 20}"])}
        for n in range(1000)
    }
    started = time.process_time()
    tools = toolset(paths)
    assert len(tools.lines) == 1000
    assert max(len(line.summary) for line in tools.lines) <= 120
    assert tools["op7"].tokens < 1300
    assert time.process_time() - started < 10


def test_listing_imports_no_client():
    heavy = ("httpx", "litellm", "openai", "jsonschema_rs", "pydantic_monty")
    code = f"import sys, thinkagent.tools\nprint([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
