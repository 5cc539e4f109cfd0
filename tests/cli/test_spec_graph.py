"""`thinkagent spec graph`: who has what another one needs, for people, programs and Mermaid."""

from __future__ import annotations

import json
import re

import pytest

from tests.output_schemas import spec_graph_schema
from tests.test_output_schemas import problems
from thinkagent.cli.main import run_command

SPEC = """openapi: 3.1.0
info: {title: Rooms, version: '1'}
paths:
  /rooms:
    get:
      operationId: listRooms
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Rooms'}}}}
  /rooms/{roomId}/beds:
    parameters: [{name: roomId, in: path, required: true, schema: {type: string}}]
    get: {operationId: end, responses: {'200': {description: ok}}}
  /bookings:
    post:
      operationId: book
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}}
      responses:
        '201':
          description: ok
          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}
          links: {See: {operationId: getBooking, parameters: {bookingId: '$response.body#/id'}}}
  /bookings/{bookingId}:
    get:
      operationId: getBooking
      parameters: [{name: bookingId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: ok}}
  /free: {get: {operationId: free, responses: {'200': {description: ok}}}}
components:
  schemas:
    Room: {type: object, properties: {id: {type: string}, name: {type: string}}}
    Rooms: {type: array, items: {$ref: '#/components/schemas/Room'}}
    Booking: {type: object, properties: {roomId: {type: string}, guest: {type: string}}}
"""
TEXT = {"type": "string"}
EDGES = {
    ("listRooms", "end", "roomId", 0.9),
    ("listRooms", "book", "body.roomId", 0.8),
    ("book", "getBooking", "bookingId", 1.0),
}


def thing(properties):
    return {"type": "object", "properties": properties}


def rows(properties):
    schema = {"type": "array", "items": thing(properties)}
    return {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}


@pytest.fixture
def graph(tmp_path, capsys):
    def run(*more: str, text: str = SPEC) -> str:
        path = tmp_path / "rooms.yaml"
        path.write_text(text, "utf-8")
        assert run_command(["spec", "graph", str(path), *more]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return str(out)

    return run


def test_the_edges(graph):
    edges = json.loads(graph("--format", "json"))["edges"]
    found = {(edge["producer"], edge["consumer"], edge["argument"], edge["confidence"]) for edge in edges}
    assert found == EDGES
    assert all(edge["reason"] for edge in edges)


def test_what_a_person_reads(graph):
    lines = graph().splitlines()
    at = lines.index("book")
    assert lines[at + 1 : at + 3] == ["  body.roomId", "    0.80  listRooms  (its result holds 'id')"]
    assert "free" not in lines


def test_a_flowchart_for_mermaid(graph):
    """A tool may be called like a word of Mermaid's (`end`), so names are labels and never ids."""
    lines = graph("--format", "mermaid").splitlines()
    assert lines[0] == "flowchart LR"
    ids = {name: node for node, name in re.findall(r'^  (t\d+)\["(\w+)"\]$', "\n".join(lines), re.M)}
    arrows = set(re.findall(r'^  (t\d+) -->\|"([^"]*)"\| (t\d+)$', "\n".join(lines), re.M))
    assert arrows == {(ids[producer], argument, ids[consumer]) for producer, consumer, argument, _ in EDGES}
    assert len(lines) == 1 + len(ids) + len(arrows)


@pytest.mark.parametrize(
    "name", ['room"Id', "room#Id", "room\\nId", "room\\eId"], ids=["quote", "hash", "line", "escape"]
)
def test_no_name_breaks_a_flowchart(graph, name):
    text = SPEC.replace("properties: {roomId:", f'properties: {{"{name}":'.replace('room"Id', 'room\\"Id'))
    lines = graph("--format", "mermaid", text=text).splitlines()
    for line in lines[1:]:
        assert re.fullmatch(r'  t\d+(\["\w+"\]| -->\|"[^"#\x00-\x1f]*(#(35|quot);[^"#\x00-\x1f]*)*"\| t\d+)', line), (
            line
        )


def test_a_document_without_edges_says_so(graph):
    text = SPEC[: SPEC.index("  /rooms:")] + SPEC[SPEC.index("  /free:") :]
    assert graph(text=text) == "No operation's result is known to hold what another one needs.\n"


class TestSeveralDocuments:
    """From one document to another something leads only where it is convincing that both speak of the same."""

    GUESTS = {"/guests": {"get": {"operationId": "list", "responses": rows({"id": TEXT, "name": TEXT})}}}
    STAYS = {
        "/stays": {
            "get": {"operationId": "list", "responses": rows({"id": TEXT})},
            "post": {
                "operationId": "book",
                "requestBody": {"content": {"application/json": {"schema": thing({"guestId": TEXT, "stayId": TEXT})}}},
                "responses": {"201": {"description": "ok"}},
            },
        }
    }

    @pytest.mark.parametrize(
        ("guests", "stays", "found"),
        [
            pytest.param("https://a.test/guests/v1", "https://A.test/stays", True, id="one-host"),
            pytest.param("https://a.test", "https://b.test", False, id="two-hosts"),
            pytest.param("http://127.0.0.1:1", "http://127.0.0.1:2", False, id="two-ports"),
            pytest.param("https://{place}.test", "https://{place}.test", False, id="a-host-that-varies"),
            pytest.param("/v1", "/v1", False, id="no-host"),
        ],
    )
    def test_edges_from_another_document(self, tmp_path, monkeypatch, capsys, guests, stays, found):
        monkeypatch.chdir(tmp_path)
        for name, server, paths in (("guests", guests, self.GUESTS), ("stays", stays, self.STAYS)):
            document = {"openapi": "3.1.0", "info": {"title": name, "version": "1"}, "paths": paths}
            (tmp_path / name).write_text(json.dumps({**document, "servers": [{"url": server}]}), "utf-8")
        assert run_command(["spec", "graph", "guests", "stays", "--format", "json"]) == 0
        value = json.loads(capsys.readouterr().out)
        assert problems(spec_graph_schema(), value) == []
        assert [one["name"] for one in value["documents"]] == ["guests", "stays"]
        edges = {(edge["producer"], edge["argument"]): edge for edge in value["edges"]}
        assert ("stays_list", "body.stayId") in edges
        assert (("guests_list", "body.guestId") in edges) is found
        if found:
            edge = edges["guests_list", "body.guestId"]
            assert (edge["producer_document"], edge["consumer_document"]) == ("guests", "stays")
            assert edge["reason"] == "its result holds 'id', in guests"
            assert edge["confidence"] < edges["stays_list", "body.stayId"]["confidence"]
