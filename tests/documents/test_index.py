"""Which operations a document has."""

from __future__ import annotations

import pytest

from tests.documents.making import document, from_yaml, messages, operation

ALL = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


@pytest.mark.parametrize(
    ("version", "methods"),
    [
        ("2.0", ALL[:7]),
        ("3.0.3", ALL[:8]),
        ("3.1.0", ALL[:8]),
        ("3.2.0", ALL),
    ],
)
def test_methods_by_version(version, methods):
    made = document({"/a": {method: {"operationId": method} for method in ALL}}, version=version)
    assert [entry.method for entry in made.index] == [method.upper() for method in methods]
    assert [entry.operation_id for entry in made.index] == list(methods)
    unknown = [method for method in ALL if method not in methods]
    assert {message.split(" ")[0] for message in messages(made)} == {repr(method) for method in unknown}


def test_entry_holds_what_a_list_shows():
    made = document(
        {"/a/{b}": {"get": {"operationId": "x", "tags": ["t", 7, "u"], "summary": "s", "deprecated": True}}}
    )
    (entry,) = made.index
    assert (entry.method, entry.path, entry.operation_id) == ("GET", "/a/{b}", "x")
    assert (entry.tags, entry.summary, entry.deprecated) == (("t", "u"), "s", True)
    assert entry.pointer == "#/paths/~1a~1{b}/get"


def test_additional_operations_of_32():
    made = document({"/a": {"additionalOperations": {"COPY": {"operationId": "c"}, "x": 7}}}, version="3.2.0")
    (entry,) = made.index
    assert (entry.method, entry.pointer) == ("COPY", "#/paths/~1a/additionalOperations/COPY")
    assert operation(made).operation_id == "c"
    assert document({"/a": {"additionalOperations": {"COPY": {}}}}).index == ()


@pytest.mark.parametrize(
    "key", ["summary", "description", "servers", "parameters", "x-get", "$comment", "additionalOperations"]
)
def test_keys_beside_the_methods_are_no_methods(key):
    made = document({"/a": {key: {"operationId": "no"}, "get": {"operationId": "yes"}}})
    assert [entry.operation_id for entry in made.index] == ["yes"]


@pytest.mark.parametrize("key", ["GET", "Post", "QUERY"])
def test_method_in_another_case_is_told(key):
    made = document({"/a": {key: {}}})
    assert made.index == ()
    assert f"{key!r} of '/a' is no method of OpenAPI 3.1" in messages(made)


@pytest.mark.parametrize("value", [None, 7, [], "x", True], ids=repr)
def test_operation_that_is_no_object(value):
    made = document({"/a": {"get": value, "put": {"operationId": "ok"}}})
    assert [entry.operation_id for entry in made.index] == ["ok"]
    assert "'get' of '/a' is no object" in messages(made)


@pytest.mark.parametrize("value", [None, 7, [], "x"], ids=repr)
def test_path_item_that_is_no_object(value):
    made = document({"/a": value, "/b": {"get": {}}})
    assert [entry.path for entry in made.index] == ["/b"]
    assert "the path '/a' holds no object" in messages(made)


@pytest.mark.parametrize("paths", ["paths: 7", "paths: []", "paths:", "x: 1"])
def test_paths_that_are_none(paths):
    made = from_yaml(paths)
    assert made.index == ()
    assert "'paths' is missing or no object" in messages(made)


def test_31_needs_no_paths():
    made = document(webhooks={"w": {"post": {}, "get": {}}})
    assert made.index == ()
    assert made.counts["webhook_operations"] == 2
    assert made.findings == ()


def test_extensions_of_paths_are_no_paths():
    assert document({"x-a": {"get": {}}, "/b": {"get": {}}}).counts["paths"] == 1


def test_paths_that_differ_only_behind_a_mark_are_two():
    made = document({"/a": {"get": {}}, "/a#copy": {"get": {}}, "/a?beta=true": {"get": {}}})
    assert [operation(made, number).path for number in range(3)] == ["/a", "/a#copy", "/a?beta=true"]


def test_order_is_that_of_the_document():
    paths = {f"/{name}": {"post": {}, "get": {}} for name in "cab"}
    assert [(entry.path, entry.method) for entry in document(paths).index] == [
        (f"/{name}", method) for name in "cab" for method in ("GET", "POST")
    ]


def test_index_builds_no_schema():
    """A schema that cannot be read is not noticed before somebody asks for the operation."""
    made = document({"/a": {"get": {"parameters": [{"name": "q", "in": "query", "schema": 7}]}}})
    assert len(made.index) == 1
    assert made.findings == ()
    assert "a schema is no object" in messages(made)
