"""What a document as a whole promises."""

from __future__ import annotations

import contextlib
import dataclasses
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import document, from_yaml, operation, schemas_of
from thinkagent.documents import OperationEntry, from_dict, load_bytes, unpack
from thinkagent.documents.lines import find_lines
from thinkagent.errors import DocumentError
from thinkagent.values import read_json, write_json

ODD = {
    "dangling body": {"post": {"requestBody": {"$ref": "#/components/requestBodies/Nope"}}},
    "parameters is a number": {"get": {"parameters": 7}},
    "unknown style": {"get": {"parameters": [{"name": "q", "in": "query", "style": "odd"}]}},
    "tags is a number": {"get": {"tags": 7}},
    "summary is a list": {"get": {"summary": [], "description": {}, "operationId": 7, "deprecated": "yes"}},
    "trace": {"trace": {}},
    "responses is a text": {"get": {"responses": "x"}},
    "response is a number": {"get": {"responses": {"200": 7}}},
    "schema is a number": {"post": {"requestBody": {"content": {"a/b": {"schema": 7}}}}},
    "security is a text": {"get": {"security": "x"}},
    "servers is a number": {"get": {"servers": 7}},
    "callbacks is a number": {"get": {"callbacks": 7}},
    "extension": {"get": {"x-odd": {"a": [None, {"$ref": 7}]}}},
    "path item is a list": [],
    "path item leads nowhere": {"$ref": "#/nope"},
    "operation leads nowhere": {"get": {"$ref": "#/nope"}},
    "encoding is a number": {"post": {"requestBody": {"content": {"a/b": {"encoding": 7, "examples": 7}}}}},
    "headers is a number": {"get": {"responses": {"200": {"headers": 7, "links": 7, "content": 7}}}},
}


@pytest.mark.parametrize("place", [0, 1, 2], ids=["first", "middle", "last"])
@pytest.mark.parametrize("name", ODD)
def test_one_odd_operation_spoils_nothing(name, place):
    """Everything else loads, and nothing is lost in silence: an operation works, is skipped, or is a finding."""
    paths = [("/ok", {"get": {"operationId": "ok"}}), ("/fine", {"get": {"operationId": "fine"}})]
    paths.insert(place, ("/odd", ODD[name]))
    made = document(dict(paths))
    built = list(made.operations())
    assert {"ok", "fine"} <= {item.operation_id for item in built}
    assert len(built) + len(made.skipped) == len(made.index)
    told = made.skipped or made.check()
    assert told or name in ("trace", "summary is a list", "tags is a number", "extension") or "number" in name


@pytest.mark.parametrize(
    ("paths", "pointer", "severity"),
    [
        pytest.param({"/a": {"$ref": "#/nope"}}, "#/paths/~1a", "error", id="path item"),
        pytest.param({"/a": {"get": {"$ref": "#/nope"}}}, "#/paths/~1a/get", "error", id="operation"),
        pytest.param(
            {"/a": {"get": {"parameters": [{"$ref": "#/nope"}]}}},
            "#/paths/~1a/get/parameters/0",
            "warning",
            id="parameter",
        ),
    ],
)
def test_finding_says_where(paths, pointer, severity):
    finding = document(paths).findings[0]
    assert (finding.pointer, finding.severity) == (pointer, severity)
    assert "'#/nope' leads nowhere" in finding.message


def test_finding_has_its_line():
    made = from_yaml("paths:\n  /a:\n    get:\n      parameters:\n        - {name: ok, in: query}\n        - 7\n")
    (finding,) = made.findings
    assert (finding.pointer, finding.line) == ("#/paths/~1a/get/parameters/1", 8)


def test_operation_is_built_once():
    made = document({"/a": {"get": {}}})
    assert operation(made) is operation(made)


def test_operation_of_another_document():
    made = document({"/pets": {"get": {}}})
    with pytest.raises(DocumentError, match="has no operation 'GET /pet'") as caught:
        made.operation(OperationEntry("GET", "/pet", "", "#"))
    assert caught.value.code == "no_such_operation"
    assert caught.value.hint == "Did you mean 'GET /pets'?"


def test_entry_and_operation_agree():
    made = document({"/a": {"get": {"operationId": "x", "tags": ["t"], "summary": "s", "deprecated": True}}})
    built, entry = operation(made), made.index[0]
    shared = [field.name for field in dataclasses.fields(entry)]
    assert [getattr(built, name) for name in shared] == [getattr(entry, name) for name in shared]


@pytest.mark.parametrize(
    ("info", "title", "version", "description"),
    [
        ({"title": "T", "version": "1.0", "description": "d"}, "T", "1.0", "d"),
        ({"title": 7, "version": 1.5}, "7", "1.5", ""),
        ({"title": None, "version": True, "description": {"$ref": "a.md"}}, "", "", ""),
        ({}, "", "", ""),
        (7, "", "", ""),
    ],
)
def test_info(info, title, version, description):
    made = from_dict({"openapi": "3.1.0", "info": info, "paths": {}})
    assert (made.title, made.api_version, made.description) == (title, version, description)


def test_digest_is_that_of_the_bytes():
    assert load_bytes(b"openapi: 3.1.0").digest == load_bytes(b"openapi: 3.1.0").digest
    assert load_bytes(b"openapi: 3.1.0").digest != load_bytes(b"openapi:  3.1.0").digest


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_packed_bytes_come_back(codec):
    made = load_bytes('{"openapi": "3.1.0", "info": {"title": "é"}, "paths": {"/a": {"get": {}}}}'.encode(codec))
    again = unpack(read_json(write_json(made.pack())))
    assert (again.digest, again.title, again.index, again.source) == (made.digest, "é", made.index, made.source)


@pytest.mark.parametrize(
    "packed", [{}, {"files": 7}, {"files": {"a": {}}, "entry": "b"}, {"files": {"a": 7}}], ids=repr
)
def test_what_is_no_pack(packed):
    with pytest.raises(DocumentError, match="no packed document"):
        unpack(packed)


def test_findings_do_not_depend_on_what_was_built():
    paths = {"/a": {"get": {"parameters": 7}}, "/b/{c}": {"get": {}}}
    made, other = document(paths), document(paths)
    operation(made, 1)
    assert made.findings == other.findings


def test_hostile_names_do_no_harm():
    made = from_dict(
        {
            "openapi": "3.0.0",
            "info": {"title": "\x1b[31m\u202e{x} %s"},
            "paths": {
                "/../{../x}": {"get": {"operationId": "__proto__", "parameters": [{"name": "a\r\nb", "in": "header"}]}},
                "/{0}{}": {"get": {"operationId": "class"}},
                "/\0": {"get": {"operationId": ""}},
            },
        }
    )
    assert [entry.operation_id for entry in made.index] == ["__proto__", "class", ""]
    assert len(list(made.operations())) + len(made.skipped) == 3


def test_a_thousand_operations():
    paths = {f"/r{n}": {"get": {"operationId": f"op{n}", "summary": "x" * 300}} for n in range(1000)}
    data = write_json({"openapi": "3.0.0", "info": {}, "paths": paths}).encode()
    start = time.perf_counter()
    assert len(load_bytes(data).index) == 1000
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("text", "pointer", "line"),
    [
        ("a:\n  b:\n    - x\n    - y\n", "/a/b/1", 4),
        ("a:\n  b:\n    - x\n", "/a/b", 2),
        ('{\n"a": {\n"b": [1,\n2]}}', "/a/b/1", 4),
        ("a/b:\n  x~y: 1\n", "/a~1b/x~0y", 2),
        ("200:\n  x: 1\n", "/200/x", 2),
        ("a: &k {x: 1}\nb: *k\n", "/b", 2),
        ("? [1]\n: x\nb: 1\n", "/b", 3),
        ("a: 1\n", "", 1),
        ("a: 1\n", "/nope", None),
        ("a: [", "/a", 1),
        ("a: b: c", "/x", None),
    ],
)
def test_lines(text, pointer, line):
    assert find_lines(text, {pointer}).get(pointer) == line


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 500)
    | st.sampled_from(["#/paths", "#/x", "query", "object", "200", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "paths",
                    "/a",
                    "get",
                    "post",
                    "parameters",
                    "name",
                    "in",
                    "schema",
                    "$ref",
                    "requestBody",
                    "content",
                    "application/json",
                    "responses",
                    "200",
                    "headers",
                    "links",
                    "components",
                    "schemas",
                    "properties",
                    "items",
                    "allOf",
                    "type",
                    "nullable",
                    "servers",
                    "url",
                    "variables",
                    "security",
                    "info",
                    "title",
                    "required",
                    "enum",
                    "discriminator",
                    "mapping",
                    "examples",
                    "x-a",
                    "$id",
                    "$anchor",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(
    st.sampled_from(["2.0", "3.0.3", "3.1.0", "3.2.0"]),
    st.dictionaries(
        st.sampled_from(["paths", "components", "servers", "security", "info", "definitions", "host", "x", "webhooks"]),
        VALUES,
    ),
    st.dictionaries(st.sampled_from(["/a", "/a/{b}", "x-a", "b"]), st.fixed_dictionaries({"post": VALUES}) | VALUES),
)
def test_nothing_but_a_document_error_is_ever_raised(version, fields, paths):
    """Whatever a document holds, it loads, and every operation is built or skipped with a reason."""
    key = "swagger" if version == "2.0" else "openapi"
    made = from_dict({"paths": paths, **fields, key: version})
    for entry in made.index:
        with contextlib.suppress(DocumentError):
            schemas_of(made.operation(entry))
    assert len(list(made.operations())) + len(made.skipped) == len(made.index)
    assert made.check() is not None
    assert made.counts["operations"] == len(made.index)
    assert unpack(made.pack()).check() == made.check()
