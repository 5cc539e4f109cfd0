"""Hostile documents: read, refused or offered in part, but always soon and in little memory."""

from __future__ import annotations

import json

import pytest

from tests.documents.making import body_schema, document, from_yaml, messages, operation
from thinkagent.documents import load_bytes
from thinkagent.documents.gather import MAX_PATH
from thinkagent.documents.yaml_core import MAX_ALIASED
from thinkagent.errors import DocumentError

pytestmark = pytest.mark.timeout(20)
"""Seconds for what takes less than one."""


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.mark.parametrize("bracket", ["[", '{"a":', "- ", "? "])
def test_a_hundred_thousand_brackets_are_refused(bracket):
    with pytest.raises(DocumentError, match="nested deeper than 500 levels"):
        load_bytes((bracket * 100_000).encode())


def aliased(levels, width=10):
    lines = ["x-parts:", "  - &s0 {type: string}"]
    for level in range(1, levels + 1):
        members = ", ".join(f"p{number}: *s{level - 1}" for number in range(width))
        lines.append(f"  - &s{level} {{properties: {{{members}}}}}")
    body = f"{{content: {{application/json: {{schema: *s{levels}}}}}}}"
    return "\n".join([*lines, f"paths: {{/x: {{post: {{requestBody: {body}}}}}}}"])


def test_aliases_are_copied_out_as_far_as_that_is_little():
    assert operation(from_yaml(aliased(3))).request_body is not None


@pytest.mark.parametrize("levels", [5, 6, 30, 2000])
def test_aliases_that_stand_for_too_much_are_refused(levels):
    with pytest.raises(DocumentError, match=f"more than {MAX_ALIASED} values"):
        from_yaml(aliased(levels))


@pytest.mark.parametrize(
    "beside", [pytest.param({}, id="alone"), pytest.param({"description": "d"}, id="with-a-description")]
)
def test_a_long_chain_of_references_is_followed_once(beside):
    schemas = {f"S{number}": {**ref(f"S{number + 1}"), **beside} for number in range(3000)}
    listed = body_schema({"type": "array", "items": ref("S0")}, **schemas, S3000={"type": "string"})
    assert "$defs" in listed


@pytest.mark.parametrize("last", [ref("S0"), ref("S7"), ref("Nowhere")], ids=["circle", "loop", "nowhere"])
def test_a_long_chain_that_leads_nowhere_accepts_anything(last):
    schemas = {f"S{number}": ref(f"S{number + 1}") for number in range(3000)} | {"S3000": last}
    listed = body_schema({"type": "array", "items": ref("S0")}, **schemas)
    assert listed == {"type": "array", "items": {}}


def test_references_to_references_to_a_parameter_come_to_an_end():
    parameters = {f"P{number}": {"$ref": f"#/components/parameters/P{number + 1}"} for number in range(3000)}
    found = [{"$ref": f"#/components/parameters/P{number}"} for number in range(3000)]
    made = document({"/x": {"get": {"parameters": found}}}, components={"parameters": parameters})
    assert operation(made).parameters == ()
    assert any("a parameter is lost: the reference" in message for message in messages(made))


def test_a_path_that_no_server_takes_is_no_operation():
    names = [f"p{number}" for number in range(10_000)]
    path = "".join(f"/{{{name}}}" for name in names)
    declared = [{"name": name, "in": "path", "required": True, "schema": {}} for name in names]
    made = document({path: {"get": {"parameters": declared}}, "/" + "a" * (MAX_PATH - 1): {"get": {}}})
    (skipped,) = made.skipped
    assert skipped.reason == f"its path has {len(path)} characters, more than any server takes"


def test_a_thousand_parents_find_their_heirs():
    parents = {f"P{number}": {"discriminator": {"propertyName": "kind"}} for number in range(1000)}
    heirs = {f"C{number}": {"allOf": [ref(f"P{number % 1000}")]} for number in range(2000)}
    made = document(components={"schemas": {**parents, **heirs}})
    assert [list(made.variants(name)) for name in parents] == [[f"C{n}", f"C{n + 1000}"] for n in range(1000)]


def test_ten_thousand_of_everything():
    names = [f"p{number}" for number in range(10_000)]
    schema = {
        "required": names,
        "properties": {name: {"required": True} for name in names},
        "type": ["string"] * 10_000,
    }
    parameters = [{"name": name, "in": "query", "schema": {"enum": names[:100]}} for name in names]
    text = {"post": {"parameters": parameters, "requestBody": {"content": {"application/json": {"schema": schema}}}}}
    made = load_bytes(json.dumps({"openapi": "3.0.0", "info": {}, "paths": {"/x": text}}).encode())
    built = operation(made)
    assert len(built.parameters) == 10_000
    assert built.request_body is not None
    found = built.request_body.content[0].schema
    assert isinstance(found, dict)
    assert found["required"] == names
