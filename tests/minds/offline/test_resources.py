from __future__ import annotations

import pytest

from tests.minds.offline.documents import (
    LIBRARY,
    MOMENT,
    PARKS,
    STORE,
    TICKETS,
    WAREHOUSE,
    answer,
    listing,
    number,
    path,
    single,
    text,
    thing,
    tools_of,
    whole,
)  # fmt: skip
from tests.shared import SHARED, needs_shared
from thinkagent.documents import load
from thinkagent.minds.offline.reading import read_resources
from thinkagent.tools import build_tools


def resource(tools, label):
    return next(one for one in read_resources(tools) if one.label == label)


@pytest.mark.parametrize(
    ("tools", "labels"),
    [
        pytest.param(LIBRARY, ["author", "book", "loan", "member", "voucher"], id="library"),
        pytest.param(TICKETS, ["agent", "project", "ticket", "comment"], id="tickets"),
        pytest.param(WAREHOUSE, ["part", "shipment", "supplier"], id="warehouse"),
        pytest.param(PARKS, ["park", "sighting", "trail"], id="parks"),
        pytest.param(STORE, ["bucket", "collection"], id="store"),
    ],
)
def test_labels(tools, labels):
    assert [one.label for one in read_resources(tools)] == labels


@pytest.mark.parametrize(
    ("tools", "child", "relations"),
    [
        pytest.param(LIBRARY, "loan", {"book": "bookId", "member": "memberId"}, id="identifiers"),
        pytest.param(WAREHOUSE, "shipment", {"part": "partSku"}, id="own-key"),
        pytest.param(WAREHOUSE, "part", {"supplier": "supplier"}, id="plain-name"),
        pytest.param(TICKETS, "ticket", {"agent": "assigneeId", "project": "projectId"}, id="described"),
        pytest.param(STORE, "collection", {"bucket": None}, id="path-only"),
        pytest.param(PARKS, "trail", {"park": "parkId"}, id="field-and-path"),
    ],
)
def test_relations(tools, child, relations):
    found = resource(tools, child).relations
    assert {one.parent.label: one.field.label if one.field else None for one in found} == relations


def test_a_field_and_a_path_are_one_relation():
    [relation] = resource(PARKS, "trail").relations
    assert relation.nested is not None
    assert [one.tool.path for one in resource(PARKS, "trail").listings] == ["/v1/trails", "/v1/parks/{id}/trails"]


@pytest.mark.parametrize(
    ("tools", "label", "own"),
    [
        (LIBRARY, "book", "id"),
        (WAREHOUSE, "part", "sku"),
        (WAREHOUSE, "supplier", "code"),
        (TICKETS, "ticket", "id"),
        (STORE, "bucket", None),
    ],
)
def test_identifier(tools, label, own):
    found = resource(tools, label).id_field
    assert (found.label if found else None) == own


def test_wrapped_items_and_details():
    item = thing("id name", id=text(), name=text())
    whole_item = {
        "type": "object",
        "properties": {"result": thing("id name notes", id=text(), name=text(), notes=text())},
    }
    tools = tools_of({
        "/lamps": {"get": listing("lamps", item, "results")},
        "/lamps/{lampId}": {"parameters": [path("lampId")], "get": single("lamp", whole_item)},
    })  # fmt: skip
    lamp = resource(tools, "lamp")
    assert lamp.item_pointer == ("result",)
    assert [one.label for one in lamp.details] == ["notes"]
    assert lamp.id_field.label == "id"


def test_units_and_nested_values():
    schema = thing(
        "id",
        id=text(),
        price=thing("amount currency", amount=number(), currency=text()),
        weight=number(),
        currency=text(),
    )
    lamp = resource(tools_of({"/lamps": {"get": listing("lamps", schema, None)}}), "lamp")
    fields = {one.label: one for one in lamp.fields}
    assert fields["price.amount"].unit == ("price", "currency")
    assert (("price",), 0.2) in fields["price.amount"].names
    assert fields["weight"].unit is None


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        (text(format="date"), "date"),
        (MOMENT, "moment"),
        (text(examples=["2026-01-31"]), "moment"),
        (text(), "text"),
        (whole(), "number"),
        ({"type": ["number", "null"]}, "number"),
        (text(format="decimal"), "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "array", "items": text()}, "list"),
        ({"anyOf": [text(format="date-time"), {"type": "null"}]}, "moment"),
        ({}, "any"),
    ],
)
def test_kinds(schema, kind):
    lamp = resource(tools_of({"/lamps": {"get": listing("lamps", thing("", value=schema), None)}}), "lamp")
    assert lamp.fields[0].kind == kind


def test_what_is_no_list():
    """A single thing that has a list inside is none."""
    one = thing(
        "id", id=text(), tags={"type": "array", "items": text()}, parts={"type": "array", "items": thing("", a=text())}
    )
    tools = tools_of({"/me": {"get": {"operationId": "me", "responses": answer(one)}}})
    assert read_resources(tools) == ()


@needs_shared
def test_a_real_store():
    tools = build_tools(load(str(SHARED / "servers" / "docs" / "kinto.json"))).tools
    found = {one.label: one for one in read_resources(tools)}
    assert found["bucket"].put.tool.name == "update_bucket"
    assert [key for _, key in found["collection"].put.parents] == [("bucket",)]
    assert found["record"].listing.tool.name == "get_records"
