"""Parameters of 3.x: merged, matched with the path, described."""

from __future__ import annotations

import pytest

from tests.documents.making import document, from_yaml, messages, operation, parameter
from thinkagent.documents import placeholders
from thinkagent.errors import DocumentError


def places(built):
    return [(item.name, item.location) for item in built.parameters]


def test_parameters_of_the_path_belong_to_every_operation():
    made = from_yaml(
        """
paths:
  /clubs/{club}/events:
    parameters: [{$ref: '#/components/parameters/Club'}]
    get: {operationId: listEvents}
    post: {parameters: [{name: club, in: path, required: true, schema: {type: string, maxLength: 8}}]}
components: {parameters: {Club: {name: club, in: path, required: true, schema: {type: string}}}}
"""
    )
    assert parameter(operation(made, 0), "club").schema == {"type": "string"}
    assert parameter(operation(made, 1), "club").schema == {"type": "string", "maxLength": 8}
    assert made.check() == ()


@pytest.mark.parametrize("location", ["query", "header", "cookie"])
def test_the_operations_own_wins_in_its_place_only(location):
    made = document(
        {
            "/a": {
                "parameters": [
                    {"name": "q", "in": location, "description": "path"},
                    {"name": "r", "in": location, "description": "path"},
                ],
                "get": {"parameters": [{"name": "q", "in": location, "description": "own"}]},
                "put": {},
            }
        }
    )
    assert {item.name: item.description for item in operation(made, 0).parameters} == {"q": "own", "r": "path"}
    assert {item.name: item.description for item in operation(made, 1).parameters} == {"q": "path", "r": "path"}


def test_one_name_in_four_places_is_four_parameters():
    listed = [{"name": "id", "in": place, "required": True} for place in ("path", "query", "header", "cookie")]
    built = operation(document({"/a/{id}": {"get": {"parameters": listed}}}))
    assert places(built) == [("id", "path"), ("id", "query"), ("id", "header"), ("id", "cookie")]


def test_header_names_compare_without_case_and_others_with():
    made = document(
        {
            "/a": {
                "parameters": [
                    {"name": "X-Trace", "in": "header", "description": "path"},
                    {"name": "Page", "in": "query", "description": "path"},
                ],
                "get": {
                    "parameters": [
                        {"name": "x-trace", "in": "header", "description": "own"},
                        {"name": "page", "in": "query", "description": "own"},
                    ]
                },
            }
        }
    )
    found = [(item.name, item.description) for item in operation(made).parameters]
    assert sorted(found) == [("Page", "path"), ("page", "own"), ("x-trace", "own")]


@pytest.mark.parametrize("name", ["Accept", "Content-Type", "Authorization", "authorization", "ACCEPT"])
@pytest.mark.parametrize("version", ["2.0", "3.0.0", "3.1.0"])
def test_headers_that_are_no_parameters(name, version):
    listed = [{"name": name, "in": "header", "required": True, "type": "string"}, {"name": "X", "in": "header"}]
    made = document({"/a": {"get": {"parameters": listed}}}, version=version)
    assert places(operation(made)) == [("X", "header")]
    assert made.counts["parameters_header"] == 2


def test_such_a_name_elsewhere_is_a_parameter():
    made = document({"/a": {"get": {"parameters": [{"name": "Accept", "in": "query"}]}}})
    assert places(operation(made)) == [("Accept", "query")]


@pytest.mark.parametrize(
    ("listed", "count"),
    [
        pytest.param([7], 1, id="number"),
        pytest.param([None, "x", []], 3, id="null, text, list"),
        pytest.param([{}], 1, id="empty"),
        pytest.param([{"name": "q"}], 1, id="no place"),
        pytest.param([{"in": "query"}], 1, id="no name"),
        pytest.param([{"name": 7, "in": "query"}], 1, id="name is a number"),
        pytest.param([{"name": "q", "in": ["query"]}], 1, id="place is a list"),
    ],
)
def test_malformed_parameters_cost_only_themselves(listed, count):
    made = document({"/a": {"get": {"parameters": [*listed, {"name": "ok", "in": "query"}]}}})
    assert places(operation(made)) == [("ok", "query")]
    assert made.counts["malformed_parameters"] == count
    assert len(made.findings) == count


@pytest.mark.parametrize("value", [7, "x", {"name": "q", "in": "query"}, True], ids=repr)
def test_parameters_that_are_no_list(value):
    made = document({"/fine": {"get": {"operationId": "fine", "parameters": value}}})
    assert operation(made).parameters == ()
    (message,) = messages(made)
    assert message.startswith("'parameters' is ")


@pytest.mark.parametrize(
    ("item", "is_offered"),
    [
        pytest.param({"name": "q", "in": "quer"}, True, id="misspelt"),
        pytest.param({"name": "q", "in": "quer", "required": True}, False, id="misspelt and required"),
        pytest.param({"name": "q", "in": "body", "required": True}, False, id="body of 2.0"),
        pytest.param({"name": "q", "in": "querystring", "content": {}}, True, id="querystring"),
        pytest.param({"name": "q", "in": "querystring", "required": True}, False, id="querystring, required"),
    ],
)
def test_places_that_are_not_supported(item, is_offered):
    made = document({"/a": {"get": {"parameters": [item]}}, "/b": {"get": {}}}, version="3.2.0")
    assert len(made.index) == 2
    assert [skipped.path for skipped in made.skipped] == ([] if is_offered else ["/a"])
    assert f"the parameter 'q' is 'in' {item['in']!r}, which is not supported" in messages(made)
    if is_offered:
        assert operation(made).parameters == ()
    else:
        with pytest.raises(DocumentError, match="which is not supported, and is required") as caught:
            operation(made)
        assert caught.value.code == "operation_skipped"


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("#/components/parameters/Nope", "leads nowhere"),
        ("nope.yaml", "no folder"),
        ("https://127.0.0.1:1/p.yaml", "network"),
        ("#/components/parameters/Loop", "circle"),
    ],
)
def test_dangling_parameter_is_dropped_with_a_finding(reference, reason):
    made = document(
        {"/a": {"get": {"parameters": [{"$ref": reference}, {"name": "ok", "in": "query"}]}}},
        components={"parameters": {"Loop": {"$ref": "#/components/parameters/Loop"}}},
    )
    assert places(operation(made)) == [("ok", "query")]
    assert made.counts["dangling_parameters"] == 1
    assert any("a parameter is lost" in message and reason in message for message in messages(made))


def test_dangling_path_parameter_costs_the_operation():
    made = document(
        {
            "/a/{id}": {"get": {"parameters": [{"$ref": "#/nope"}]}, "put": {}},
            "/b": {"get": {"operationId": "fine"}},
        }
    )
    (skipped,) = made.skipped
    assert (skipped.method, skipped.path, skipped.pointer) == ("GET", "/a/{id}", "#/paths/~1a~1{id}/get")
    assert skipped.reason == "nothing describes the placeholder '{id}': the reference '#/nope' leads nowhere"
    assert [item.operation_id for item in made.operations()] == ["", "fine"]


@pytest.mark.parametrize(
    ("path", "listed", "found"),
    [
        pytest.param(
            "/rooms/{roomId}/{verb}",
            [{"name": "verb", "in": "path", "schema": {"enum": ["on"]}}],
            {"roomId": {"type": "string"}, "verb": {"enum": ["on"]}},
            id="forgotten",
        ),
        pytest.param("/a/{x}/{y}", [], {"x": {"type": "string"}, "y": {"type": "string"}}, id="none declared"),
        pytest.param(
            "/a/{roomId}",
            [{"name": "roomID", "in": "path", "schema": {"type": "integer"}}],
            {"roomId": {"type": "integer"}},
            id="other case",
        ),
        pytest.param(
            "/a/{room_id}",
            [{"name": "roomId", "in": "path", "schema": {"type": "integer"}}],
            {"room_id": {"type": "integer"}},
            id="other style",
        ),
        pytest.param(
            "/a/{id}",
            [{"name": "other", "in": "path", "schema": {"type": "integer"}}],
            {"id": {"type": "string"}},
            id="another name",
        ),
        pytest.param("/a/{x}/b/{x}", [], {"x": {"type": "string"}}, id="twice in the path"),
    ],
)
def test_undeclared_placeholder_is_assumed(path, listed, found):
    made = document({path: {"get": {"parameters": listed}}})
    built = operation(made)
    assert {item.name: item.schema for item in built.parameters} == found
    assert all(item.location == "path" and item.required and item.style == "simple" for item in built.parameters)
    assumed = [message for message in messages(made) if "which no path parameter declares" in message]
    declared = {item["name"] for item in listed}
    assert len(assumed) == len(set(found) - declared)


def test_placeholder_declared_in_the_query_borrows_its_description():
    made = document(
        {"/a/{id}": {"get": {"parameters": [{"name": "id", "in": "query", "schema": {"type": "integer"}}]}}}
    )
    found = {(item.name, item.location): item.schema for item in operation(made).parameters}
    assert found == {("id", "path"): {"type": "integer"}, ("id", "query"): {"type": "integer"}}


def test_parameter_declared_twice_counts_once_and_the_later_wins():
    listed = [{"name": "id", "in": "path", "schema": {"type": kind}} for kind in ("string", "integer")]
    built = operation(document({"/a/{id}": {"get": {"parameters": listed}}}))
    assert [item.schema for item in built.parameters] == [{"type": "integer"}]


def test_path_parameter_without_placeholder_is_dropped():
    made = document({"/a": {"get": {"parameters": [{"name": "id", "in": "path", "required": True}]}}})
    assert operation(made).parameters == ()
    assert "the path '/a' has no placeholder for the parameter 'id'" in messages(made)


def test_path_written_for_another_program_is_left_out():
    made = document({"/a/:id": {"get": {"parameters": [{"name": "id", "in": "path"}]}}})
    assert [item.reason for item in made.skipped] == ["the path has ':id' where OpenAPI wants '{id}'"]


def test_colon_that_is_no_placeholder():
    assert document({"/a:validate": {"get": {}}}).skipped == ()


def test_path_parameter_is_required_whatever_it_says():
    made = document({"/a/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": False}]}}})
    assert parameter(operation(made), "id").required


@pytest.mark.parametrize(
    ("path", "names", "found"),
    [
        ("/a/{b}/{c}", [], [("{b}", "b"), ("{c}", "c")]),
        ("/a/{b}{c}", [], [("{b}", "b"), ("{c}", "c")]),
        ("/a/{b*}", [], [("{b*}", "b")]),
        ("/a/{.b}", [], [("{.b}", "b")]),
        ("/a/{;b*}", [], [("{;b*}", "b")]),
        ("/a{?b}", [], [("{?b}", "b")]),
        ("/a/{b:3}", [], [("{b:3}", "b")]),
        ("/a/{b*}", ["b*"], [("{b*}", "b*")]),
        ("/a/{}", [], [("{}", "")]),
        ("/a/{*}", [], [("{*}", "*")]),
        ("/a/{b", [], []),
        ("/a", [], []),
        ("/{日本}", [], [("{日本}", "日本")]),
    ],
)
def test_placeholders(path, names, found):
    assert list(placeholders(path, frozenset(names))) == found


@pytest.mark.parametrize(
    ("location", "style", "explode"),
    [("path", "simple", False), ("query", "form", True), ("header", "simple", False), ("cookie", "form", True)],
)
def test_style_and_explode_by_default(location, style, explode):
    made = document({"/a/{q}": {"get": {"parameters": [{"name": "q", "in": location}]}}})
    found = next(item for item in operation(made).parameters if item.location == location)
    assert (found.style, found.explode, found.allow_reserved) == (style, explode, False)


GRID = {
    "path": {"simple", "label", "matrix"},
    "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
    "header": {"simple"},
    "cookie": {"form", "cookie"},
}


@pytest.mark.parametrize("style", [*sorted(set().union(*GRID.values())), "Form", "nonsense", 7, {}])
@pytest.mark.parametrize("location", GRID)
def test_style_belongs_to_its_place(location, style):
    listed = [{"name": "q", "in": location, "style": style}]
    made = document({"/a/{q}" if location == "path" else "/a": {"get": {"parameters": listed}}})
    found = parameter(operation(made), "q")
    is_known = isinstance(style, str) and style in GRID[location]
    assert found.style == (style if is_known else {"query": "form", "cookie": "form"}.get(location, "simple"))
    assert (messages(made) == []) is is_known


@pytest.mark.parametrize("explode", [True, False])
@pytest.mark.parametrize("style", ["form", "deepObject"])
def test_explode_as_stated(style, explode):
    made = document({"/a": {"get": {"parameters": [{"name": "q", "in": "query", "style": style, "explode": explode}]}}})
    assert parameter(operation(made), "q").explode is explode


def test_everything_else_of_a_parameter():
    made = document(
        {
            "/a": {
                "get": {
                    "parameters": [
                        {
                            "name": "q",
                            "in": "query",
                            "required": True,
                            "deprecated": True,
                            "allowReserved": True,
                            "description": "d",
                            "schema": {"type": "integer"},
                            "example": 1,
                            "examples": {"a": {"value": 2}, "b": {"$ref": "#/components/examples/B"}, "c": 7},
                        }
                    ]
                }
            }
        },
        components={"examples": {"B": {"value": None}}},
    )
    found = parameter(operation(made), "q")
    assert (found.required, found.deprecated, found.allow_reserved, found.description) == (True, True, True, "d")
    assert found.examples == (1, 2, None)
    assert found.pointer == "#/paths/~1a/get/parameters/0"


def test_parameter_described_by_content():
    content = {"application/json": {"schema": {"type": "object"}, "example": {"a": 1}}}
    made = document({"/a": {"get": {"parameters": [{"name": "q", "in": "query", "content": content}]}}})
    found = parameter(operation(made), "q")
    assert (found.content_type, found.schema, found.examples) == ("application/json", {"type": "object"}, ({"a": 1},))


@pytest.mark.parametrize("item", [{}, {"content": {}}, {"content": 7}, {"schema": None}])
def test_parameter_that_is_not_described_accepts_anything(item):
    made = document({"/a": {"get": {"parameters": [{"name": "q", "in": "query", **item}]}}})
    assert parameter(operation(made), "q").schema == {}
