"""`$ref`: pointers, files, circles, and what is never read."""

from __future__ import annotations

import os
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import body_schema, document, from_yaml, messages, operation, parameter
from thinkagent.documents import load, unpack
from thinkagent.documents.nodes import join
from thinkagent.values import join_pointer, read_json, write_json

HEAD = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\n"


def write(folder, **files):
    """Write files below a folder; `__` in a name stands for a slash, `_` before the end for the dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml").replace("_json", ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("key", "written"),
    [
        pytest.param("a/b", "a~1b", id="slash"),
        pytest.param("a~b", "a~0b", id="tilde"),
        pytest.param("~1", "~01", id="tilde one"),
        pytest.param("{id}", "%7Bid%7D", id="braces escaped"),
        pytest.param("{id}", "{id}", id="braces raw"),
        pytest.param("a b", "a%20b", id="blank"),
        pytest.param("a b", "a b", id="blank raw"),
        pytest.param("a/b", "a%2Fb".replace("%2F", "~1"), id="slash by tilde"),
        pytest.param("予報", quote("予報"), id="japanese escaped"),
        pytest.param("予報", "予報", id="japanese raw"),
        pytest.param("100%", "100%25", id="percent"),
        pytest.param("a%20b", "a%20b", id="percent meant literally"),
        pytest.param("", "", id="empty"),
    ],
)
def test_pointer_escapes(key, written):
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": f"#/x-stock/{written}"}]}}},
        **{"x-stock": {key: {"name": "q", "in": "query", "schema": {"type": "integer"}}}},
    )
    assert parameter(operation(made), "q").schema == {"type": "integer"}


@given(st.text(max_size=8))
def test_every_key_can_be_referred_to(key):
    """A pointer written by RFC 6901 and percent-encoded leads to its key, whatever the key is."""
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": "#" + quote(join_pointer(("x-s", key)), errors="replace")}]}}},
        **{"x-s": {key: {"name": "q", "in": "query"}}},
    )
    assert [item.name for item in operation(made).parameters] == ["q"]


def test_plus_is_no_blank():
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": "#/x-s/a+b"}]}}}, **{"x-s": {"a b": {"name": "q", "in": "query"}}}
    )
    assert "a parameter is lost: the reference '#/x-s/a+b' leads nowhere" in messages(made)


@pytest.mark.parametrize(("index", "name"), [("0", "a"), ("1", "b")])
def test_list_index(index, name):
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": f"#/x-s/{index}"}]}}},
        **{"x-s": [{"name": "a", "in": "query"}, {"name": "b", "in": "query"}]},
    )
    assert [item.name for item in operation(made).parameters] == [name]


@pytest.mark.parametrize("index", ["2", "-1", "01", "-", "x", "9" * 30, "١"])
def test_no_such_index(index):
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": f"#/x-s/{index}"}]}}}, **{"x-s": [{"name": "a", "in": "query"}] * 2}
    )
    assert operation(made).parameters == ()
    assert "leads nowhere" in messages(made)[0]


def test_chain_of_references():
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": "#/x-s/a"}]}}},
        **{"x-s": {"a": {"$ref": "#/x-s/b"}, "b": {"$ref": "#/x-s/c"}, "c": {"name": "q", "in": "query"}}},
    )
    assert [item.name for item in operation(made).parameters] == ["q"]


@pytest.mark.parametrize("reference", ["#/x-s/a", "#/x-s/b", "#/paths/~1a/get/parameters/0"])
def test_circle_of_references_is_a_finding(reference):
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": reference}]}}},
        **{"x-s": {"a": {"$ref": "#/x-s/b"}, "b": {"$ref": "#/x-s/a"}}},
    )
    assert operation(made).parameters == ()
    assert any("goes in a circle" in message for message in messages(made))


def test_description_beside_a_reference_survives():
    made = from_yaml(
        """
paths:
  /a:
    get:
      parameters: [{$ref: '#/components/parameters/P', description: here, required: true}]
      responses: {200: {$ref: '#/components/responses/R', description: beside}}
components:
  parameters: {P: {name: q, in: query, description: there, schema: {$ref: '#/components/schemas/S'}}}
  responses: {R: {description: behind}}
  schemas: {S: {type: string, description: of the schema}}
"""
    )
    built = operation(made)
    found = parameter(built, "q")
    assert (found.description, found.required) == ("here", False)
    assert found.schema == {"type": "string", "description": "of the schema"}
    assert built.responses[0].description == "beside"


def test_path_item_and_operation_behind_references():
    made = from_yaml(
        """
paths:
  /a: {$ref: '#/x-items/A', summary: mine}
  /b: {get: {$ref: '#/x-ops/list', tags: [own]}}
x-items: {A: {summary: theirs, parameters: [{name: q, in: query}], get: {operationId: a}}}
x-ops: {list: {operationId: list, tags: [their], description: d}}
"""
    )
    first, second = operation(made, 0), operation(made, 1)
    assert [(item.name) for item in first.parameters] == ["q"]
    assert (first.operation_id, first.summary, first.pointer) == ("a", "mine", "#/paths/~1a/get")
    assert (second.operation_id, second.tags, second.description) == ("list", ("own",), "d")


def test_escaped_path_in_another_file(tmp_path):
    write(
        tmp_path,
        api_yaml=HEAD + "paths: {'/trees/{tid}': {$ref: './parts/trees.yaml#/paths/~1trees~1%7Btid%7D'}}",
        parts__trees_yaml="paths: {'/trees/{tid}': {get: {operationId: tree, parameters: "
        "[{$ref: 'params.yaml#/Tid'}]}}}",
        parts__params_yaml="Tid: {name: tid, in: path, required: true, schema: {$ref: '../schemas/id.json'}}",
        schemas__id_json='{"type": "integer", "minimum": 1}',
    )
    made = load(str(tmp_path / "api.yaml"))
    built = operation(made)
    assert parameter(built, "tid").schema == {"type": "integer", "minimum": 1}
    assert parameter(built, "tid").pointer == "parts/params.yaml#/Tid"
    assert built.pointer == "#/paths/~1trees~1{tid}/get"
    assert made.check() == ()
    assert made.counts["files"] == 4


def test_each_file_is_the_base_of_its_own_references(tmp_path):
    """Two files of one name in two folders, each with its own neighbour."""
    write(
        tmp_path,
        api_yaml=HEAD + "paths: {/a: {$ref: a/item.yaml}, /b: {$ref: b/item.yaml}}",
        a__item_yaml="get: {parameters: [{$ref: p.yaml}]}",
        b__item_yaml="get: {parameters: [{$ref: ./p.yaml}]}",
        a__p_yaml="{name: of_a, in: query}",
        b__p_yaml="{name: of_b, in: query}",
    )
    made = load(str(tmp_path / "api.yaml"))
    assert [operation(made, number).parameters[0].name for number in (0, 1)] == ["of_a", "of_b"]


def test_circle_of_files(tmp_path):
    write(
        tmp_path,
        api_yaml=HEAD
        + "paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: node.yaml}}}}}}}",
        node_yaml="type: object\nproperties: {next: {$ref: 'other.yaml#/Other'}, root: {$ref: 'api.yaml#/x-s'}}",
        other_yaml="Other: {type: object, properties: {back: {$ref: node.yaml}}}",
    )
    (tmp_path / "api.yaml").write_text((tmp_path / "api.yaml").read_text() + "\nx-s: {type: string}\n")
    made = load(str(tmp_path / "api.yaml"))
    schema = operation(made).request_body.content[0].schema
    assert schema["properties"] == {"next": {"$ref": "#/$defs/Other"}, "root": {"$ref": "#/$defs/x-s"}}
    assert schema["$defs"]["Other"]["properties"] == {"back": {"$ref": "#/$defs/node"}}
    assert set(schema["$defs"]) == {"Other", "node", "x-s"}


def test_two_schemas_of_one_name_in_two_files(tmp_path):
    write(
        tmp_path,
        api_yaml=HEAD
        + "paths: {/a: {get: {responses: {200: {content: {application/json: {schema: {type: object, properties: "
        "{x: {$ref: 'a.yaml#/S'}, y: {$ref: 'b.yaml#/S'}, z: {$ref: '#/components/schemas/S'}}}}}}}}}}\n"
        "components: {schemas: {S: {type: integer}}}",
        a_yaml="S: {type: string}",
        b_yaml="S: {type: boolean}",
    )
    schema = operation(load(str(tmp_path / "api.yaml"))).responses[0].content[0].schema
    types = {
        name: schema["$defs"][value["$ref"].removeprefix("#/$defs/")]["type"]
        for name, value in schema["properties"].items()
    }
    assert types == {"x": "string", "y": "boolean", "z": "integer"}
    assert schema["properties"]["z"] == {"$ref": "#/$defs/S"}


@pytest.mark.parametrize("name", ["menu_{id}.yaml", "$select.yaml", "a b.yaml", "ä.yaml", "x+y.yaml"])
@pytest.mark.parametrize("write_name", [str, quote], ids=["raw", "escaped"])
def test_file_names(tmp_path, name, write_name):
    (tmp_path / name).write_text("get: {operationId: found}", encoding="utf-8")
    (tmp_path / "api.yaml").write_text(f"{HEAD}paths: {{/a: {{$ref: '{write_name(name)}'}}}}", encoding="utf-8")
    assert [entry.operation_id for entry in load(str(tmp_path / "api.yaml")).index] == ["found"]


def test_one_folder_up_is_read_and_told(tmp_path):
    write(
        tmp_path, spec__api_yaml=HEAD + "paths: {/a: {$ref: ../common/a.yaml}}", common__a_yaml="get: {operationId: a}"
    )
    made = load(str(tmp_path / "spec" / "api.yaml"))
    assert [entry.operation_id for entry in made.index] == ["a"]
    (finding,) = made.findings
    assert (finding.severity, finding.pointer) == ("note", "#/paths/~1a")
    assert "'../common/a.yaml' lies outside" in finding.message


def test_back_through_the_entry_folder_is_the_same_file(tmp_path):
    write(
        tmp_path,
        spec__api_yaml=HEAD + "paths: {/a: {$ref: ../common/a.yaml}}\nx-s: {type: string}",
        common__a_yaml="get: {parameters: [{name: q, in: query, schema: {$ref: '../spec/api.yaml#/x-s'}}]}",
    )
    made = load(str(tmp_path / "spec" / "api.yaml"))
    assert parameter(operation(made), "q").schema == {"type": "string"}
    assert made.counts["files"] == 2


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        pytest.param("../../secret.yaml", "more than one folder above", id="two folders up"),
        pytest.param("x/../../../secret.yaml", "more than one folder above", id="two folders up by detour"),
        pytest.param("{absolute}", "absolute path", id="absolute"),
        pytest.param("file://{absolute}", "kind that is not read", id="file address"),
        pytest.param("http://127.0.0.1:1/secret.yaml", "network", id="http"),
        pytest.param("https://127.0.0.1:1/secret.yaml#/x", "network", id="https"),
        pytest.param("//127.0.0.1:1/secret.yaml", "network", id="no scheme"),
        pytest.param("HTTP://127.0.0.1:1/secret.yaml", "not read", id="capitals"),
        pytest.param("ftp://127.0.0.1/secret.yaml", "not read", id="ftp"),
        pytest.param("C:\\secret.yaml", "not read", id="drive"),
        pytest.param(".hidden/secret.yaml", "hidden", id="hidden folder"),
        pytest.param(".env", "hidden", id="hidden file"),
        pytest.param("link.yaml", "a link that leads out", id="link"),
        pytest.param("http://[broken", "no valid address|network", id="broken address"),
        pytest.param("nope.yaml", "there is no such file", id="missing"),
        pytest.param("broken.yaml", "not valid YAML", id="broken"),
        pytest.param("folder", "no regular file", id="folder"),
        pytest.param("a%00b.yaml", "cannot be read", id="NUL"),
    ],
)
def test_never_read(tmp_path, reference, reason):
    secret = "get: {operationId: secret}"
    home = tmp_path / "x" / "spec"
    write(tmp_path, secret_yaml=secret, x__spec__broken_yaml="a: [")
    for name in (".hidden", "folder"):
        (home / name).mkdir()
    (home / ".hidden" / "secret.yaml").write_text(secret)
    (home / ".env").write_text(secret)
    os.symlink(tmp_path / "secret.yaml", home / "link.yaml")
    written = reference.replace("{absolute}", str(tmp_path / "secret.yaml"))
    (home / "api.yaml").write_text(f"{HEAD}paths: {{/a: {{$ref: {write_json(written)}}}}}")

    made = load(str(home / "api.yaml"), fetch=lambda url: pytest.fail(f"{url} was fetched"))

    assert made.index == ()
    (finding,) = made.findings
    assert finding.pointer == "#/paths/~1a"
    assert finding.severity == "error"
    assert reason.split("|")[0] in finding.message or reason.split("|")[-1] in finding.message


def test_missing_file_names_the_reference_and_its_place(tmp_path):
    write(
        tmp_path,
        api_yaml=HEAD + "paths:\n  /a: {$ref: parts/a.yaml}\n",
        parts__a_yaml="get:\n  parameters:\n    - {$ref: nope.yaml#/P}\n",
    )
    (finding,) = load(str(tmp_path / "api.yaml")).findings
    assert (finding.pointer, finding.line) == ("parts/a.yaml#/get/parameters/0", 3)
    assert "'nope.yaml#/P' leads to the file 'parts/nope.yaml': there is no such file" in finding.message


def test_stdin_and_bytes_have_no_folder():
    made = from_yaml("paths: {/a: {$ref: a.yaml}}")
    assert "no folder to read other files from" in made.findings[0].message


def test_files_beside_a_fetched_document():
    pages = {
        "https://host/v1/spec/api.yaml": HEAD + "paths: {/a: {$ref: ../parts/a.yaml}, /b: {$ref: //other/b.yaml}}",
        "https://host/v1/parts/a.yaml": "get: {operationId: a}",
    }
    asked = []

    def fetch(url):
        asked.append(url)
        return pages[url].encode()

    made = load("https://host/v1/spec/api.yaml", fetch=fetch)
    assert [entry.operation_id for entry in made.index] == ["a"]
    assert asked == list(pages)


def test_packed_document_needs_no_files(tmp_path):
    write(
        tmp_path,
        spec__api_yaml=HEAD + "paths: {/a: {$ref: ../common/a.yaml}, /b: {$ref: nope.yaml}}",
        common__a_yaml="get: {parameters: [{name: q, in: query, schema: {$ref: 's.json'}}]}",
        common__s_json='{"type": "number", "maximum": 1.10}',
    )
    made = load(str(tmp_path / "spec" / "api.yaml"))
    again = unpack(read_json(write_json(made.pack())))
    assert again.index == made.index
    assert again.digest == made.digest
    assert again.counts == made.counts
    assert again.source == made.source
    assert again.check() == made.check()
    assert operation(again) == operation(made)


def test_digest_covers_every_file(tmp_path):
    write(tmp_path, api_yaml=HEAD + "paths: {/a: {$ref: a.yaml}}", a_yaml="get: {operationId: a}")
    first = load(str(tmp_path / "api.yaml")).digest
    (tmp_path / "a.yaml").write_text("get: {operationId: b}")
    assert load(str(tmp_path / "api.yaml")).digest != first


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"$ref": "#name"}, {"type": "string"}, id="anchor"),
        pytest.param({"$ref": "#dynamic"}, {"type": "boolean"}, id="dynamic anchor"),
        pytest.param({"$dynamicRef": "#dynamic"}, {"type": "boolean"}, id="dynamic reference"),
        pytest.param({"$ref": "https://example.com/s/one.json"}, {"type": "integer"}, id="id"),
        pytest.param({"$ref": "https://example.com/s/two.json"}, {"type": "null"}, id="id relative to the id around"),
        pytest.param({"$ref": "https://example.com/s/one.json#/$defs/in"}, {"type": "null"}, id="pointer below an id"),
        pytest.param({"$ref": "https://example.com/self#/components/schemas/A"}, {"type": "string"}, id="$self"),
    ],
)
def test_ids_and_anchors(schema, expected):
    made = document(
        {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}},
        components={
            "schemas": {
                "A": {"$anchor": "name", "type": "string"},
                "B": {"$dynamicAnchor": "dynamic", "type": "boolean"},
                "C": {
                    "$id": "https://example.com/s/one.json",
                    "type": "integer",
                    "$defs": {"in": {"$id": "two.json", "type": "null"}},
                },
            }
        },
        **{"$self": "https://example.com/self"},
    )
    assert operation(made).responses[0].content[0].schema == expected
    assert made.check() == ()


def test_pointer_below_an_id_is_tried_from_the_document_too():
    made = body_schema(
        {"$ref": "#/components/schemas/A"},
        A={"$id": "https://example.com/a", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
        B={"type": "string"},
    )
    assert made["$defs"] == {"B": {"type": "string"}}


def test_id_is_nothing_before_31():
    schema = body_schema(
        {"$ref": "#/components/schemas/A"},
        version="3.0.3",
        A={"$id": "x/", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
        B={"type": "string"},
    )
    assert schema["$defs"] == {"B": {"type": "string"}}


@pytest.mark.parametrize(
    ("base", "reference", "joined"),
    [
        ("spec/a.yaml", "", "spec/a.yaml"),
        ("spec/a.yaml", "b.yaml", "spec/b.yaml"),
        ("spec/a.yaml", "./b.yaml", "spec/b.yaml"),
        ("spec/a.yaml", "../b.yaml", "b.yaml"),
        ("spec/a.yaml", "../../b.yaml", "../b.yaml"),
        ("spec/a.yaml", "x\\b.yaml", "spec/x/b.yaml"),
        ("spec/a.yaml", "b.yaml?v=1", "spec/b.yaml"),
        ("spec/a.yaml", "nested/", "spec/nested/"),
        ("spec/nested/", "b.yaml", "spec/nested/b.yaml"),
        ("spec/a.yaml", "/etc/passwd", "/etc/passwd"),
        ("https://h/a/b", "c", "https://h/a/c"),
        ("a.yaml", "https://h/x", "https://h/x"),
    ],
)
def test_join(base, reference, joined):
    assert join(base, reference) == joined
