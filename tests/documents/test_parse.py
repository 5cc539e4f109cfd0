"""What is refused, and what the refusal says."""

from __future__ import annotations

import pytest

from thinkagent.documents import from_dict, load_bytes
from thinkagent.errors import DocumentError

HEAD = 'openapi: 3.0.0\ninfo: {title: t, version: "1"}\n'


@pytest.mark.parametrize("data", [b"", b"  \n\t\r\n", "\ufeff \n".encode()], ids=["nothing", "blanks", "only a mark"])
def test_empty(data):
    with pytest.raises(DocumentError, match=r"'a\.yaml' is empty") as caught:
        load_bytes(data, "a.yaml")
    assert (caught.value.code, caught.value.exit_code, caught.value.where) == ("document_empty", 2, "a.yaml")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("data", "syntax", "line", "column"),
    [
        pytest.param('{\n  "a": 1,\n  "b" 2}', "JSON", 3, 7, id="json"),
        pytest.param('{"openapi": "3.0.0",\n "paths": {', "JSON", 2, 12, id="cut json"),
        pytest.param("[1, 2", "JSON", 1, 6, id="cut list"),
        pytest.param("openapi: 3.0.0\ninfo:\n  title: a: b\n", "YAML", 3, 11, id="yaml"),
        pytest.param("openapi: 3.0.0\n\tinfo: {}\n", "YAML", 2, 1, id="tab"),
        pytest.param("openapi: '3.0.0\n", "YAML", 2, 1, id="quote"),
    ],
)
def test_syntax_error(data, syntax, line, column):
    with pytest.raises(DocumentError, match=f"not valid {syntax} at line {line}, column {column}: ") as caught:
        load_bytes(data.encode(), "a.yaml")
    assert caught.value.code == "document_syntax"
    assert caught.value.where == f"a.yaml, line {line}, column {column}"
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("data", "found"),
    [
        pytest.param("<!DOCTYPE html>\n<html></html>", "an HTML page", id="html"),
        pytest.param("  <HTML><body>", "an HTML page", id="html in capitals"),
        pytest.param("<?xml version='1.0'?><a/>", "XML", id="xml"),
        pytest.param("[1, 2]", "a list", id="list"),
        pytest.param("just words", "the text 'just words'", id="text"),
        pytest.param("12", "the value 12", id="number"),
        pytest.param("# only a comment", "nothing", id="comment"),
        pytest.param("{}", "neither 'openapi' nor 'swagger' but none", id="empty object"),
        pytest.param("{foo: 1, bar: 2}", "but 'foo', 'bar'", id="something"),
        pytest.param("{asyncapi: 2.0.0}", "AsyncAPI", id="asyncapi"),
        pytest.param("{arazzo: 1.0.0}", "Arazzo", id="arazzo"),
        pytest.param("{overlay: 1.0.0}", "Overlay", id="overlay"),
        pytest.param("{openrpc: 1.0.0}", "OpenRPC", id="openrpc"),
        pytest.param("{swaggerVersion: '1.2', apis: []}", "Swagger 1", id="swagger 1"),
        pytest.param("{kind: x, discoveryVersion: v1}", "discovery", id="discovery"),
        pytest.param("{info: {_postman_id: x}, item: []}", "Postman", id="postman"),
        pytest.param("{type: object, properties: {}}", "JSON Schema", id="json schema"),
        pytest.param("{$schema: x, type: object}", "JSON Schema", id="json schema by name"),
        pytest.param("{apiVersion: v1, kind: Pod}", "Kubernetes", id="kubernetes"),
        pytest.param("{openapi: {a: 1}}", "version is no text", id="version is an object"),
        pytest.param("{openapi: null}", "version is no text", id="version is null"),
    ],
)
def test_not_openapi(data, found):
    with pytest.raises(DocumentError, match=found) as caught:
        load_bytes(data.encode(), "a")
    assert caught.value.code == "document_not_openapi"
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["openapi: 4.0.0", "swagger: '1.2'", "openapi: x", "openapi: ''", "openapi: 1", "openapi: v3"]
)
def test_unsupported_version(text):
    with pytest.raises(DocumentError, match=r"2\.0, 3\.0, 3\.1 and 3\.2 are read") as caught:
        load_bytes(f"{text}\npaths: {{}}".encode())
    assert caught.value.code == "document_version"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("openapi: 3.0", "3.0"),
        ("openapi: 3.0.3", "3.0.3"),
        ("openapi: '3.1'", "3.1"),
        ("openapi: 3", "3"),
        ("openapi: 3.1.0-rc0", "3.1.0-rc0"),
        ("openapi: 3.2.0", "3.2.0"),
        ("swagger: 2.0", "2.0"),
        ("swagger: '2.0'", "2.0"),
        ('{"swagger": 2.0}', "2.0"),
        ("swagger: 2", "2"),
    ],
)
def test_version_as_text(text, version):
    assert load_bytes(text.encode()).version == version


def test_newer_version_is_read_with_a_finding():
    made = load_bytes(b"{openapi: 3.7.0, info: {title: t, version: '1'}, paths: {/a: {query: {}}}}")
    assert [entry.method for entry in made.index] == ["QUERY"]
    assert "newer than what is known" in made.findings[0].message


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 5_000 + "1" + "}" * 5_000], ids=["open", "closed"])
def test_deep_json_is_refused(text):
    with pytest.raises(DocumentError) as caught:
        load_bytes(text.encode())
    assert caught.value.code == "document_syntax"


def test_number_beyond_every_decimal_is_no_crash():
    made = load_bytes(b'{"openapi": "3.0.0", "info": {"title": "t", "version": 1e99999999999999999999}}')
    assert made.api_version == "1e99999999999999999999"


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 2}', "a: 1\na: 2", '{"x": {"a": 1, "a": 2}, "y": {"a": 1, "a": 2}}'],
    ids=["j", "y", "twice"],
)
def test_repeated_key_is_a_finding(text):
    data = f'{{"openapi": "3.1.0", "x-a": {text}}}' if text.startswith("{") else f"openapi: 3.1.0\nx-b: 1\n{text}"
    (finding,) = load_bytes(data.encode()).findings
    assert finding.message.startswith("the key 'a' comes more than once")


def test_second_document_in_the_text_is_a_finding():
    made = load_bytes(f"{HEAD}paths: {{}}\n---\nb: 1\n".encode())
    assert [finding.message for finding in made.findings] == ["the YAML text holds several documents"]


def test_from_dict_takes_what_python_readers_make():
    made = from_dict({"openapi": "3.0.0", "info": {}, "paths": {"/a": {"get": {"responses": {200: {}, None: {}}}}}})
    assert [item.status for item in made.operation(made.index[0]).responses] == ["200"]


def test_from_dict_copies():
    value = {"openapi": "3.1.0", "info": {"title": "a"}, "paths": {"/a": {"get": {"tags": ["x"]}}}}
    made = from_dict(value)
    value["paths"]["/a"]["get"]["tags"].append("y")
    assert made.operation(made.index[0]).tags == ("x",)


def itself():
    value = {"openapi": "3.0.0"}
    value["x"] = value
    return value


@pytest.mark.parametrize(
    "value",
    [{"openapi": "3.0.0", "x": {1, 2}}, {"openapi": "3.0.0", "x": float("nan")}, itself()],
    ids=["set", "nan", "self"],
)
def test_from_dict_refuses_what_json_cannot_say(value):
    with pytest.raises(DocumentError, match="cannot be written as JSON"):
        from_dict(value)
