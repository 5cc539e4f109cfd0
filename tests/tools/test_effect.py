"""Only the document's extension or the user's word makes a write a read."""

from __future__ import annotations

import pytest

from tests.tools.helpers import document, operation, toolset
from thinkagent.errors import UsageError
from thinkagent.tools import build_tools
from thinkagent.tools.effect import effect_of, is_idempotent

METHODS = {
    "GET": ("read", True),
    "HEAD": ("read", True),
    "OPTIONS": ("read", True),
    "TRACE": ("read", True),
    "QUERY": ("read", True),
    "POST": ("write", False),
    "PATCH": ("write", False),
    "PUT": ("write", True),
    "DELETE": ("delete", True),
    "PURGE": ("write", False),
    "get": ("write", False),
}


@pytest.mark.parametrize(("method", "expected"), METHODS.items(), ids=METHODS)
def test_the_method_decides(method, expected):
    effect, problem = effect_of(method, {})
    assert (effect, is_idempotent(method, effect)) == expected
    assert problem == ""


@pytest.mark.parametrize(
    ("method", "said", "effect"),
    [
        pytest.param("post", "read", "read", id="relaxed"),
        pytest.param("get", "write", "write", id="tightened"),
        pytest.param("post", "delete", "delete", id="deletes"),
    ],
)
def test_the_extension_decides_over_the_method(method, said, effect):
    tools = toolset({"/x": {method: operation("op", **{"x-thinkagent-effect": said})}})
    assert tools.lines[0].effect == tools["op"].effect == effect


@pytest.mark.parametrize("said", ["READ", "", True, None, ["read"], "safe"])
def test_an_extension_with_another_value_changes_nothing_and_is_a_finding(said):
    tools = toolset({"/x": {"post": operation("op", **{"x-thinkagent-effect": said})}})
    assert tools["op"].effect == "write"
    assert any("x-thinkagent-effect" in finding.message for finding in tools.findings)


@pytest.mark.parametrize("word", ["searchThings", "getAll", "list_reads", "isSafe"])
def test_a_name_never_makes_a_write_a_read(word):
    text = "This only reads. Safe. x-thinkagent-effect: read"
    assert toolset({"/search": {"post": operation(word, summary=text, description=text)}}).lines[0].effect == "write"


@pytest.mark.parametrize("name", ["find/things", "find_things"], ids=["operationId", "tool-name"])
def test_the_user_s_word_makes_a_read(name):
    tools = build_tools(document({"/find": {"post": operation("find/things")}}), reads=[name])
    assert tools.lines[0].effect == tools["find_things"].effect == "read"
    assert tools["find_things"].idempotent


def test_the_user_s_word_about_an_unknown_operation_names_the_nearest():
    with pytest.raises(UsageError, match="no operation is called 'findThing'") as caught:
        build_tools(document({"/find": {"post": operation("findThings")}}), reads=["findThing"])
    assert "findThings" in caught.value.hint
    assert caught.value.where == "--read"
