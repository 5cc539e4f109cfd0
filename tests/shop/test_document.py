"""The document tells the truth: what it names exists, and what the shop answers is what it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import httpx
import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from thinkagent.shop import DOCUMENT_PATH, Shop, document
from thinkagent.shop.api import HANDLERS
from thinkagent.shop.check import complaints
from thinkagent.shop.document import operations, standalone
from thinkagent.values import read_json, resolve_pointer, write_json

JSON_HEADERS = {"Content-Type": "application/json"}


def resolved(part: Any) -> Any:
    return resolved(resolve_pointer(document(), part["$ref"][1:])) if "$ref" in part else part


def documented() -> dict[str, Any]:
    """The Operation Objects by operationId."""
    return {
        operation["operationId"]: operation
        for item in document()["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    }


def test_is_valid_openapi() -> None:
    plain = yaml.safe_load(DOCUMENT_PATH.read_text(encoding="utf-8"))
    assert [error.message for error in OpenAPIV31SpecValidator(plain).iter_errors()] == []


def test_every_documented_operation_is_implemented_and_no_other() -> None:
    assert sorted(HANDLERS) == sorted(operation.operation_id for operation in operations())
    assert len(HANDLERS) == 17


def test_every_operation_has_its_words() -> None:
    for name, operation in documented().items():
        assert operation["summary"], name
        assert operation["description"], name
        assert operation["tags"][0] in {tag["name"] for tag in document()["tags"]}


def test_links_name_operations_and_their_parameters() -> None:
    known = {operation.operation_id: operation for operation in operations()}
    for link in document()["components"]["links"].values():
        target = known[link["operationId"]]
        assert set(link["parameters"]) <= {*target.parameters, *target.pattern.groupindex}


def test_numbers_are_exact_and_dates_are_text() -> None:
    product = document()["paths"]["/products"]["post"]["requestBody"]["content"]["application/json"]["example"]
    assert write_json(product["price"]) == "12.90"
    assert isinstance(document()["components"]["schemas"]["Money"]["multipleOf"], Decimal)


def examples() -> Iterator[Any]:
    """Every example of the document with its schema."""
    for name, operation in documented().items():
        for parameter in map(resolved, operation.get("parameters", [])):
            if "example" in parameter:
                yield pytest.param(parameter["schema"], parameter["example"], id=f"{name}-{parameter['name']}")
        contents = [resolved(response) for response in operation["responses"].values()]
        for content in [*contents, operation.get("requestBody", {})]:
            for media in content.get("content", {}).values():
                if "example" in media:
                    yield pytest.param(media["schema"], media["example"], id=f"{name}-{content.get('description', '')}")
    for name, schema in document()["components"]["schemas"].items():
        for field, part in schema.get("properties", {}).items():
            for example in part.get("examples", []):
                yield pytest.param(part, example, id=f"{name}-{field}")


@pytest.mark.parametrize(("schema", "example"), list(examples()))
def test_examples_fit_their_schemas(schema: Any, example: Any) -> None:
    assert complaints(standalone(schema), example) == []


def test_served_document_is_the_checked_in_one_with_its_own_server(shop: Shop) -> None:
    answer = httpx.get(f"{shop.url}/openapi.json", trust_env=False)
    served = read_json(answer.content)
    assert served.pop("servers") == [{"url": shop.url}]
    assert served == {key: value for key, value in document().items() if key != "servers"}


def test_document_lies_beside_the_code_or_in_the_checkout() -> None:
    assert DOCUMENT_PATH.name == "shop.yaml"
    assert DOCUMENT_PATH.read_text(encoding="utf-8").startswith("openapi: 3.1")


def call(operation: str, method: str, path: str, status: int, **more: Any) -> Any:
    return pytest.param(operation, method, path, status, more, id=f"{operation}-{status}")


def body(text: str) -> dict[str, Any]:
    return {"content": text.encode(), "headers": JSON_HEADERS}


NEW_CUSTOMER = '{"name": "Ada Byron", "email": "ada@example.com"}'
NEW_PRODUCT = '{"sku": "VASE-1", "name": "Vase", "price": 19.90}'
LARGE = '"' + "x" * 70_000 + '"'

CALLS = [
    call("getHealth", "GET", "/health", 200),
    call("listCustomers", "GET", "/customers", 200),
    call("listCustomers", "GET", "/customers?limit=51", 422),
    call("createCustomer", "POST", "/customers", 201, **body(NEW_CUSTOMER)),
    call("createCustomer", "POST", "/customers", 400, **body("{")),
    call("createCustomer", "POST", "/customers", 409, **body('{"name": "A", "email": "ALICE.chen@example.com"}')),
    call("createCustomer", "POST", "/customers", 413, **body(LARGE)),
    call("createCustomer", "POST", "/customers", 415, content=b"{}", headers={"Content-Type": "text/plain"}),
    call("createCustomer", "POST", "/customers", 422, **body('{"name": "Ada"}')),
    call("getCustomer", "GET", "/customers/cus_7", 200),
    call("getCustomer", "GET", "/customers/cus_999", 404),
    call("updateCustomer", "PATCH", "/customers/cus_7", 200, **body('{"city": null}')),
    call("updateCustomer", "PATCH", "/customers/cus_7", 400, content=b""),
    call("updateCustomer", "PATCH", "/customers/cus_999", 404, **body('{"city": "Rome"}')),
    call("updateCustomer", "PATCH", "/customers/cus_7", 409, **body('{"email": "grace.okafor@example.com"}')),
    call("updateCustomer", "PATCH", "/customers/cus_7", 413, **body(LARGE)),
    call("updateCustomer", "PATCH", "/customers/cus_7", 415, content=b"{}"),
    call("updateCustomer", "PATCH", "/customers/cus_7", 422, **body("{}")),
    call("deleteCustomer", "DELETE", "/customers/cus_3", 204),
    call("deleteCustomer", "DELETE", "/customers/Alice", 404),
    call("deleteCustomer", "DELETE", "/customers/cus_7", 409),
    call("listProducts", "GET", "/products", 200),
    call("listProducts", "GET", "/products?sort=colour", 422),
    call("createProduct", "POST", "/products", 201, **body(NEW_PRODUCT)),
    call("createProduct", "POST", "/products", 400, **body('{"sku": "A-1", "sku": "A-2"}')),
    call("createProduct", "POST", "/products", 409, **body('{"sku": "LAMP-01", "name": "Lamp", "price": 1}')),
    call("createProduct", "POST", "/products", 413, **body(LARGE)),
    call("createProduct", "POST", "/products", 415, content=b"{}"),
    call("createProduct", "POST", "/products", 422, **body('{"sku": "A-1", "name": "A", "price": 1.005}')),
    call("getProduct", "GET", "/products/prd_1", 200),
    call("getProduct", "GET", "/products/LAMP-01", 404),
    call("updateProduct", "PATCH", "/products/prd_1", 200, **body('{"price": 41.5}')),
    call("updateProduct", "PATCH", "/products/prd_1", 400, **body("NaN")),
    call("updateProduct", "PATCH", "/products/prd_99", 404, **body('{"stock": 1}')),
    call("updateProduct", "PATCH", "/products/prd_1", 409, **body('{"sku": "MUG-07"}')),
    call("updateProduct", "PATCH", "/products/prd_1", 413, **body(LARGE)),
    call("updateProduct", "PATCH", "/products/prd_1", 415, content=b"{}"),
    call("updateProduct", "PATCH", "/products/prd_1", 422, **body('{"stock": -1}')),
    call("listOrders", "GET", "/orders?customerId=cus_7", 200),
    call("listOrders", "GET", "/orders?customerId=cus_999", 422),
    call(
        "createOrder",
        "POST",
        "/orders",
        201,
        **body('{"customerId": "cus_3", "items": [{"productId": "prd_1", "quantity": 2}]}'),
    ),
    call("createOrder", "POST", "/orders", 400, **body("[")),
    call(
        "createOrder",
        "POST",
        "/orders",
        409,
        **body('{"customerId": "cus_3", "items": [{"productId": "prd_10", "quantity": 1}]}'),
    ),
    call("createOrder", "POST", "/orders", 413, **body(LARGE)),
    call("createOrder", "POST", "/orders", 415, content=b"{}"),
    call("createOrder", "POST", "/orders", 422, **body('{"customerId": "cus_3", "items": []}')),
    call("getOrder", "GET", "/orders/ord_1", 200),
    call("getOrder", "GET", "/orders/1", 404),
    call("cancelOrder", "POST", "/orders/ord_168/cancel", 200),
    call("cancelOrder", "POST", "/orders/ord_999/cancel", 404),
    call("cancelOrder", "POST", "/orders/ord_1/cancel", 409),
    call("listCoupons", "GET", "/coupons", 200),
    call("listCoupons", "GET", "/coupons?code=HALF", 422),
    call("issueCoupon", "POST", "/coupons", 201, **body('{"customerId": "cus_3", "code": "WELCOME10"}')),
    call("issueCoupon", "POST", "/coupons", 400, **body("")),
    call("issueCoupon", "POST", "/coupons", 409, **body('{"customerId": "cus_5", "code": "WELCOME10"}')),
    call("issueCoupon", "POST", "/coupons", 413, **body(LARGE)),
    call("issueCoupon", "POST", "/coupons", 415, content=b"{}"),
    call("issueCoupon", "POST", "/coupons", 422, **body('{"customerId": "cus_3", "code": "HALF"}')),
    call("getCoupon", "GET", "/coupons/cpn_1", 200),
    call("getCoupon", "GET", "/coupons/cpn_99", 404),
]


def check_answer(operation_id: str, answer: httpx.Response) -> None:
    """The answer is one that the document names, in its media type, schema and headers."""
    response = resolved(documented()[operation_id]["responses"][str(answer.status_code)])
    for name, header in response.get("headers", {}).items():
        assert complaints(standalone(resolved(header)["schema"]), answer.headers[name]) == []
    if "content" not in response:
        assert answer.content == b""
        return
    media = response["content"][answer.headers["Content-Type"]]
    value = read_json(answer.content)
    assert complaints(standalone(media["schema"]), value) == []
    if answer.status_code >= 400:
        assert value["status"] == answer.status_code
    else:
        known = resolved(media["schema"])["properties"]
        assert set(value) <= set(known), "a field that the document does not name"


@pytest.mark.parametrize(("operation", "method", "path", "status", "more"), CALLS)
def test_answers_are_as_documented(
    client: httpx.Client, operation: str, method: str, path: str, status: int, more: dict[str, Any]
) -> None:
    answer = client.request(method, path, **more)
    assert answer.status_code == status
    check_answer(operation, answer)


@pytest.mark.parametrize("operation", [o for o in operations() if not o.is_public], ids=lambda o: o.operation_id)
def test_every_operation_but_health_needs_the_token(shop: Shop, operation: Any) -> None:
    path = re.sub(r"\{\w+\}", "cus_1", operation.path)
    before = shop.state()
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic YTpi"}):
        answer = httpx.request(operation.method, shop.url + path, headers=headers, trust_env=False)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        check_answer(operation.operation_id, answer)
    assert shop.state() == before


def test_the_calls_above_reach_every_documented_answer() -> None:
    named = {(name, status) for name, operation in documented().items() for status in operation["responses"]}
    reached = {(param.values[0], str(param.values[3])) for param in CALLS}
    assert named - reached == {(name, status) for name, status in named if status in ("401", "default")}
