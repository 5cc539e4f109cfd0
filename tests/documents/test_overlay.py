"""Overlays: what each action makes of a document, and what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import thinkagent
from thinkagent.cli.main import run_command
from thinkagent.documents import load
from thinkagent.documents.overlay import apply_overlay
from thinkagent.errors import DocumentError

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Old", "version": "1"},
    "servers": [{"url": "http://old.test"}],
    "paths": {
        "/items": {
            "get": {
                "operationId": "listItems",
                "tags": ["a", "dummy", "b"],
                "parameters": [{"name": "q", "in": "query"}, {"name": "dummy", "in": "query"}],
                "responses": {"200": {"description": "ok"}},
            }
        },
        "/other": {"delete": {"operationId": "dropOther", "responses": {"204": {"description": "ok"}}}},
    },
}
GET = ("paths", "/items", "get")
Change = dict[str, Any]


def made(*actions: Change, version: str = "1.1.0") -> tuple[Any, list[str]]:
    overlay = {"overlay": version, "info": {"title": "o", "version": "1"}, "actions": list(actions)}
    return apply_overlay(copy.deepcopy(DOCUMENT), overlay, "o.yaml")


def at(value: Any, *place: str | int) -> Any:
    for part in place:
        value = value[part]
    return value


APPLIED: dict[str, tuple[list[Change], tuple[str | int, ...], Any]] = {
    "a property is replaced": (
        [{"target": "$.info", "update": {"title": "New"}}],
        ("info",),
        {"title": "New", "version": "1"},
    ),
    "a property is inserted": ([{"target": "$.info", "update": {"x-a": {"b": 1}}}], ("info", "x-a"), {"b": 1}),
    "objects merge all the way down": (
        [{"target": "$", "update": {"paths": {"/items": {"get": {"summary": "All"}}}}}],
        (*GET, "summary"),
        "All",
    ),
    "a primitive node is replaced": ([{"target": "$.info.title", "update": "New"}], ("info", "title"), "New"),
    "lists in an object are joined": (
        [{"target": "$.paths['/items'].get", "update": {"tags": ["c"]}}],
        (*GET, "tags"),
        ["a", "dummy", "b", "c"],
    ),
    "a list takes an element": (
        [{"target": "$.paths.*.get.parameters", "update": {"name": "n", "in": "query"}}],
        (*GET, "parameters", 2),
        {"name": "n", "in": "query"},
    ),
    "a list takes a list": (
        [{"target": "$.servers", "update": [{"url": "/b"}, {"url": "/c"}]}],
        ("servers", 2),
        {"url": "/c"},
    ),
    "many nodes at once": (
        [{"target": "$.paths.*.*", "update": {"x-safe": True}}],
        ("paths", "/other", "delete", "x-safe"),
        True,
    ),
    "a filter": (
        [{"target": "$.paths.*.get.parameters[?@.name=='q' && @.in=='query']", "update": {"required": True}}],
        (*GET, "parameters", 0),
        {"name": "q", "in": "query", "required": True},
    ),
    "an element is removed": (
        [{"target": "$.paths.*.get.parameters[?@.name == 'dummy']", "remove": True}],
        (*GET, "parameters"),
        [{"name": "q", "in": "query"}],
    ),
    "a primitive element is removed": (
        [{"target": "$.paths.*.get.tags[?@ == 'dummy']", "remove": True}],
        (*GET, "tags"),
        ["a", "b"],
    ),
    "all elements are removed": ([{"target": "$.paths['/items'].get.tags[*]", "remove": True}], (*GET, "tags"), []),
    "a property is removed": (
        [{"target": "$.paths['/other']", "remove": True}],
        ("paths",),
        {"/items": DOCUMENT["paths"]["/items"]},
    ),
    "remove false is no removal": (
        [{"target": "$.info", "remove": False, "update": {"title": "New"}}],
        ("info", "title"),
        "New",
    ),
    "one thing and all inside it": ([{"target": "$.paths['/items']..*", "remove": True}], ("paths", "/items"), {}),
    "actions see what those before them did": (
        [{"target": "$.info.title", "remove": True}, {"target": "$.info", "update": {"title": "Again"}}],
        ("info", "title"),
        "Again",
    ),
    "a copy": (
        [{"target": '$.paths["/other"]', "copy": '$.paths["/items"]'}],
        ("paths", "/other"),
        {**DOCUMENT["paths"]["/other"], **DOCUMENT["paths"]["/items"]},
    ),
    "a move": (
        [
            {"target": "$.paths", "update": {"/new": {}}},
            {"target": "$.paths['/new']", "copy": "$.paths['/items']"},
            {"target": "$.paths['/items']", "remove": True},
        ],
        ("paths", "/new"),
        DOCUMENT["paths"]["/items"],
    ),
    "an empty key changes nothing": (
        [{"target": "$", "update": {"servers": None, "paths": None}}],
        ("servers",),
        DOCUMENT["servers"],
    ),
}
REFUSED: dict[str, tuple[list[Change], str]] = {
    "no target": ([{"update": {}}], "no 'target'"),
    "no change": ([{"target": "$.info"}], "neither 'update', 'copy' nor 'remove: true'"),
    "no JSONPath": ([{"target": "$.paths[", "update": {}}], "is no JSONPath"),
    "an object for a text": (
        [{"target": "$.info.title", "update": {}}],
        "an object cannot be merged into a single value",
    ),
    "a text for an object": ([{"target": "$.info", "update": "x"}], "a single value cannot be merged into an object"),
    "a list for an object": ([{"target": "$", "update": {"info": []}}], "a list cannot be merged into an object at $"),
    "a text for a list": ([{"target": "$", "update": {"servers": "x"}}], "cannot be merged into a list at $"),
    "a copy of two": ([{"target": "$.info", "copy": "$.paths.*"}], "'copy' has to select one node"),
    "a copy of none": ([{"target": "$.info", "copy": "$.nothing"}], "selects 0"),
    "the document itself": ([{"target": "$", "remove": True}], "cannot be removed"),
}


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
@pytest.mark.parametrize(("actions", "place", "expected"), APPLIED.values(), ids=APPLIED)
def test_applied(actions, place, expected, version):
    value, idle = made(*actions, version=version)
    assert at(value, *place) == expected
    assert idle == []


@pytest.mark.parametrize(("actions", "says"), REFUSED.values(), ids=REFUSED)
def test_refused(actions, says):
    with pytest.raises(DocumentError) as caught:
        made({"target": "$.info", "update": {"x-first": 1}}, *actions)
    assert says in caught.value.message
    assert caught.value.where == "o.yaml#/actions/1"


@pytest.mark.parametrize(
    "overlay", [{}, [], "x", {"overlay": "2.0.0", "actions": []}, {"overlay": "1.0.0"}, DOCUMENT], ids=str
)
def test_what_is_no_overlay(overlay):
    with pytest.raises(DocumentError, match="is no OpenAPI Overlay"):
        apply_overlay({}, overlay, "o.yaml")


def test_what_is_copied_is_not_shared():
    value, _ = made(
        {"target": "$.paths['/other']", "copy": "$.paths['/items']"},
        {"target": "$.paths['/other'].get", "update": {"summary": "Only here"}},
    )
    assert "summary" not in at(value, *GET)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "api.json").write_text(json.dumps(DOCUMENT), "utf-8")
    head = "overlay: 1.0.0\ninfo: {title: o, version: '1'}\nactions:\n"
    (tmp_path / "one.yaml").write_text(head + "  - {target: '$.paths[\"/other\"]', remove: true}\n", "utf-8")
    (tmp_path / "two.yaml").write_text(
        head
        + "  - {target: $.paths.*.get, update: {operationId: listThings}}\n  - {target: $.nothing, remove: true}\n",
        "utf-8",
    )
    return tmp_path


def test_several_overlays_in_order_and_what_has_no_effect(files):
    document = load(str(files / "api.json"), overlays=[str(files / "one.yaml"), str(files / "two.yaml")])
    assert [entry.operation_id for entry in document.index] == ["listThings"]
    assert "action 2" in document.findings[0].message
    assert "selects nothing: $.nothing" in document.findings[0].message


def test_on_the_command_line_and_from_python(files, capsys):
    more = ["--overlay", str(files / "one.yaml"), "--overlay", str(files / "two.yaml")]
    for command in (["tools", "--spec", str(files / "api.json")], ["spec", "check", str(files / "api.json")]):
        assert run_command([*command, *more, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["operations"] == 1
    tools = thinkagent.load_tools(files / "api.json", overlays=(str(files / "two.yaml"),))
    assert tools.names == ("listThings", "dropOther")


def test_a_run_is_logged_with_the_changed_document(files, capsys):
    log_dir = ["--log-dir", str(files / "logs")]
    overlays = ["--overlay", str(files / "two.yaml")]
    spec = str(files / "api.json")
    assert run_command(["run", "List the things", "--spec", spec, *overlays, "--dry-run", *log_dir]) == 0
    for name in ("api.json", "two.yaml"):
        (files / name).unlink()
    assert run_command(["replay", "last", *log_dir]) == 0


@pytest.mark.parametrize("overlay", ["nowhere.yaml", "-", "api.json"])
def test_an_overlay_that_cannot_be_used_is_told_in_one_line(files, capsys, overlay):
    name = overlay if overlay == "-" else str(files / overlay)
    assert run_command(["tools", "--spec", str(files / "api.json"), "--overlay", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
