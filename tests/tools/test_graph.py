"""Which tool gives what another one needs."""

from __future__ import annotations

import pytest

from tests.tools.helpers import answer, body, document, operation, toolset
from thinkagent.tools import build_tools

CUSTOMER = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
SCHEMAS = {"Customer": CUSTOMER, "Order": {"type": "object", "properties": {"id": {"type": "string"}}}}


def path(name, kind="string"):
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def listing(name, **members):
    return operation("list" + name, responses=answer({"type": "array", "items": ref(name)}), **members)


SHOP = {
    "/customers": {"get": listing("Customer")},
    "/customers/{customerId}": {
        "get": operation("getCustomer", parameters=[path("customerId")], responses=answer(ref("Customer")))
    },
    "/customers/{customerId}/orders": {"get": listing("Order", parameters=[path("customerId")])},
    "/orders/{id}": {"get": operation("getOrder", parameters=[path("id")], responses=answer(ref("Order")))},
    "/coupons": {
        "post": operation(
            "issueCoupon",
            requestBody=body({"properties": {"customerId": {"type": "string"}, "code": {"enum": ["A", "B"]}}}),
        )
    },
}


def needs(tool, argument, paths=SHOP):
    found = toolset(paths, components={"schemas": SCHEMAS})
    return list(found[tool].needs.get(argument, ()))


def test_the_list_comes_before_what_needs_the_value_itself():
    assert needs("getCustomer", "customerId")[0] == "listCustomer"
    assert needs("listOrder", "customerId")[0] == "listCustomer"


def test_id_is_the_id_of_what_the_path_is_about():
    assert needs("getOrder", "id") == ["listOrder"]


def test_a_field_of_the_body_is_given_by_its_name():
    assert needs("issueCoupon", "body.customerId")[0] == "listCustomer"


def test_a_value_from_a_fixed_list_needs_nobody():
    assert needs("issueCoupon", "body.code") == []


def test_feeds_is_the_way_back():
    found = toolset(SHOP, components={"schemas": SCHEMAS})
    assert set(found["listCustomer"].feeds) == {"getCustomer", "issueCoupon", "listOrder"}


def test_every_edge_has_its_reason():
    found = toolset(SHOP, components={"schemas": SCHEMAS})
    reasons = {edge.producer: edge.reason for edge in found.graph.edges("getCustomer")}
    assert reasons["listCustomer"] == "it lists /customers"


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda item: {"type": "array", "items": item}, id="list"),
        pytest.param(lambda item: {"properties": {"data": {"type": "array", "items": item}}}, id="data"),
        pytest.param(lambda item: {"properties": {"customers": {"type": "array", "items": item}}}, id="named"),
        pytest.param(
            lambda item: {"allOf": [{"properties": {"total": {}}}, {"properties": {"items": {"items": item}}}]},
            id="allOf",
        ),
    ],
)
@pytest.mark.parametrize("argument", ["customerId", "customer_id", "CustomerID", "customer-id"])
def test_wrappers_and_spellings(wrap, argument):
    paths = {
        "/people": {"get": operation("find", responses=answer(wrap(ref("Customer"))))},
        "/mail": {"post": operation("send", requestBody=body({"properties": {argument: {"type": "string"}}}))},
    }
    assert needs("send", f"body.{argument}", paths) == ["find"]


def test_types_must_agree():
    paths = {
        "/customers": {"get": listing("Customer")},
        "/mail": {"post": operation("send", requestBody=body({"properties": {"customerId": {"type": "integer"}}}))},
    }
    assert needs("send", "body.customerId", paths) == []


def test_a_link_of_the_document_counts_most():
    linked = operation("makeThing")
    linked["responses"] = {
        "200": {
            "description": "",
            "links": {"next": {"operationId": "getOdd", "parameters": {"odd": "$response.body#/q"}}},
        }
    }
    paths = {
        "/make": {"get": linked},
        "/odd/{odd}": {"get": operation("getOdd", parameters=[path("odd")])},
    }
    found = toolset(paths)
    assert list(found["getOdd"].needs["odd"]) == ["makeThing"]
    assert next(found.graph.edges("getOdd")).reason.startswith("the document links")


@pytest.mark.parametrize("name", ["page_token", "apiKey", "clientId", "nextCursor", "limit", "name", "id"])
def test_words_of_the_protocol_need_nobody(name):
    parameter = {"name": name, "in": "query", "schema": {"type": "string"}}
    paths = {
        "/things": {"get": operation("list", responses=answer({"properties": {name: {"type": "string"}}}))},
        "/x": {"get": operation("op", parameters=[parameter])},
    }
    assert needs("op", name, paths) == []


def test_the_graph_does_not_depend_on_order():
    forwards = document(SHOP, components={"schemas": SCHEMAS})
    backwards = document(dict(reversed(SHOP.items())), components={"schemas": SCHEMAS})
    first, last = build_tools(forwards), build_tools(backwards)
    assert {name: first.graph.needs(name) for name in first} == {name: last.graph.needs(name) for name in last}
    assert {name: first.graph.feeds(name) for name in first} == {name: last.graph.feeds(name) for name in last}


def test_a_tool_is_no_provider_of_its_own_argument():
    assert "getCustomer" not in needs("getCustomer", "customerId")
