"""Writes: what changes, what is refused, and that a refused write changes nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import httpx
import pytest

from thinkagent.shop import Shop
from thinkagent.values import read_json


def send(client: httpx.Client, method: str, path: str, text: str) -> httpx.Response:
    return client.request(method, path, content=text.encode(), headers={"Content-Type": "application/json"})


def record(shop: Shop, kind: str, identifier: str) -> Any:
    return next(row for row in shop.state()[kind] if row["id"] == identifier)


def test_issue_a_coupon(client: httpx.Client, shop: Shop) -> None:
    answer = send(client, "POST", "/coupons", '{"customerId": "cus_3", "code": "WELCOME10"}')
    assert answer.status_code == 201
    assert answer.headers["Location"] == "/coupons/cpn_7"
    coupon = {
        "id": "cpn_7",
        "customerId": "cus_3",
        "code": "WELCOME10",
        "percentOff": 10,
        "issuedAt": "2026-11-30T23:11:00Z",
    }
    assert answer.json() == coupon == record(shop, "coupons", "cpn_7") == client.get("/coupons/cpn_7").json()


def test_the_same_coupon_again_is_a_conflict_that_names_the_first(client: httpx.Client, shop: Shop) -> None:
    answer = send(client, "POST", "/coupons", '{"customerId": "cus_5", "code": "WELCOME10"}')
    assert answer.status_code == 409
    assert "'cus_5'" in answer.json()["detail"]
    assert "'cpn_1'" in answer.json()["detail"]
    assert len(shop.state()["coupons"]) == 6


def test_create_update_and_delete_a_customer(client: httpx.Client, shop: Shop) -> None:
    created = send(client, "POST", "/customers", '{"name": "欧阳娜", "email": "na@example.com", "city": "成都"}').json()
    assert created["id"] == "cus_61"
    assert created["registeredAt"] == "2026-11-30T23:11:00Z"
    changed = send(client, "PATCH", "/customers/cus_61", '{"city": null}').json()
    assert changed == {**created, "city": None}
    send(client, "POST", "/coupons", '{"customerId": "cus_61", "code": "VIP20"}')
    assert client.delete("/customers/cus_61").status_code == 204
    assert client.get("/customers/cus_61").status_code == 404
    assert [coupon["id"] for coupon in shop.state()["coupons"]] == [f"cpn_{n}" for n in range(1, 7)]


def test_an_id_is_never_given_twice(client: httpx.Client) -> None:
    first = send(client, "POST", "/customers", '{"name": "A", "email": "a@example.com"}').json()["id"]
    client.delete(f"/customers/{first}")
    assert send(client, "POST", "/customers", '{"name": "A", "email": "a@example.com"}').json()["id"] != first


def test_a_customer_may_keep_the_own_email(client: httpx.Client) -> None:
    assert send(client, "PATCH", "/customers/cus_7", '{"email": "Alice.Chen@example.com"}').status_code == 200


def test_money_is_exact(client: httpx.Client) -> None:
    answer = send(client, "POST", "/products", '{"sku": "GUM", "name": "Gum", "price": 0.07, "stock": 3}')
    assert '"price":0.07' in answer.text
    answer = send(client, "PATCH", "/products/prd_1", '{"price": 5e1}')
    assert '"price":50.00' in answer.text


def test_place_and_cancel_an_order(client: httpx.Client, shop: Shop) -> None:
    items = '[{"productId": "prd_6", "quantity": 2}, {"productId": "prd_3", "quantity": 1}]'
    text = f'{{"customerId": "cus_3", "items": {items}}}'
    order = read_json(send(client, "POST", "/orders", text).content)
    assert order["id"] == "ord_169"
    assert order["status"] == "pending"
    assert order["total"] == Decimal("384.45")
    assert [item["unitPrice"] for item in order["items"]] == [Decimal("189.00"), Decimal("6.45")]
    assert record(shop, "products", "prd_6")["stock"] == 6
    cancelled = read_json(client.post("/orders/ord_169/cancel").content)
    assert cancelled == {**order, "status": "cancelled"}
    assert record(shop, "products", "prd_6")["stock"] == 8
    assert client.post("/orders/ord_169/cancel").status_code == 409
    assert record(shop, "products", "prd_6")["stock"] == 8


def test_an_order_keeps_the_price_it_was_placed_at(client: httpx.Client, shop: Shop) -> None:
    before = record(shop, "orders", "ord_1")
    for product in shop.state()["products"]:
        send(client, "PATCH", f"/products/{product['id']}", '{"price": 1}')
    assert record(shop, "orders", "ord_1") == before


@pytest.mark.parametrize(
    ("method", "path", "text", "pointers"),
    [
        pytest.param("POST", "/coupons", '{"code": "VIP20"}', ["/customerId"], id="missing"),
        pytest.param("POST", "/coupons", "{}", ["/customerId", "/code"], id="all-missing"),
        pytest.param("POST", "/coupons", '{"customerId": "cus_3", "code": "HALF"}', ["/code"], id="enum"),
        pytest.param("POST", "/coupons", '{"customerId": "cus_3", "code": "vip20"}', ["/code"], id="enum-case"),
        pytest.param("POST", "/coupons", '{"customerId": "Alice Chen", "code": "VIP20"}', ["/customerId"], id="name"),
        pytest.param("POST", "/coupons", '{"customerId": 3, "code": "VIP20"}', ["/customerId"], id="type"),
        pytest.param("POST", "/coupons", '{"customerId": "cus_3", "code": "VIP20", "a/b": 1}', ["/a~1b"], id="unknown"),
        pytest.param("POST", "/coupons", "[]", [""], id="no-object"),
        pytest.param("POST", "/customers", '{"name": " ", "email": "a@example.com"}', ["/name"], id="blank"),
        pytest.param("POST", "/customers", '{"name": "A", "email": "nowhere"}', ["/email"], id="format"),
        pytest.param("PATCH", "/customers/cus_7", "{}", [""], id="nothing-to-change"),
        pytest.param(
            "PATCH", "/customers/cus_7", '{"registeredAt": "2020-01-01T00:00:00Z"}', ["/registeredAt"], id="fixed"
        ),
        pytest.param("PATCH", "/products/prd_1", '{"price": 39.999}', ["/price"], id="half-cents"),
        pytest.param("PATCH", "/products/prd_1", '{"price": 1e999999}', ["/price"], id="huge"),
        pytest.param("PATCH", "/products/prd_1", '{"stock": 1.5}', ["/stock"], id="half-a-lamp"),
        pytest.param("PATCH", "/products/prd_1", '{"stock": true}', ["/stock"], id="boolean"),
        pytest.param(
            "POST",
            "/orders",
            '{"customerId": "cus_3", "items": ['
            '{"productId": "LAMP-01", "quantity": 1}, {"productId": "prd_99", "quantity": 1}]}',
            ["/items/0/productId", "/items/1/productId"],
            id="unknown-products",
        ),
        pytest.param(
            "POST",
            "/orders",
            '{"customerId": "cus_3", "items": [{"productId": "prd_1", "quantity": 0}, {"quantity": 1}]}',
            ["/items/0/quantity", "/items/1/productId"],
            id="deep",
        ),
    ],
)
def test_a_wrong_field_is_pointed_at(
    client: httpx.Client, shop: Shop, method: str, path: str, text: str, pointers: list[str]
) -> None:
    before = shop.state()
    answer = send(client, method, path, text)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == pointers
    assert repr(pointers[0]) in answer.json()["detail"] or "as a whole" in answer.json()["detail"]
    assert shop.state() == before


@pytest.mark.parametrize(
    "items",
    [
        pytest.param('{"productId": "prd_6", "quantity": 9}', id="one"),
        pytest.param(
            '{"productId": "prd_6", "quantity": 5}, {"productId": "prd_6", "quantity": 5}', id="twice-the-same"
        ),
        pytest.param('{"productId": "prd_1", "quantity": 1}, {"productId": "prd_10", "quantity": 1}', id="the-second"),
    ],
)
def test_an_order_beyond_the_stock_changes_nothing(client: httpx.Client, shop: Shop, items: str) -> None:
    before = shop.state()
    answer = send(client, "POST", "/orders", f'{{"customerId": "cus_3", "items": [{items}]}}')
    assert answer.status_code == 409
    assert "nothing was ordered" in answer.json()["detail"]
    assert shop.state() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "needs a JSON body", id="none"),
        pytest.param(b'{"customerId": }', "line 1, column 16", id="broken"),
        pytest.param(b"\xff\xfe", "UTF-8", id="not-utf-8"),
        pytest.param(b'{"code": NaN}', "NaN", id="nan"),
        pytest.param(b'{"code": "VIP20", "code": "SORRY5"}', "more than once", id="twice"),
        pytest.param(b'{"code": "\\ud83d"}', "surrogate", id="half-a-character"),
        pytest.param(b"[" * 60 + b"]" * 60, "nested", id="deep"),
    ],
)
def test_a_body_that_is_no_json(client: httpx.Client, content: bytes, words: str) -> None:
    answer = client.post("/coupons", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_only_json_is_taken(client: httpx.Client, media_type: str) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    answer = client.post("/coupons", content=b'{"customerId": "cus_3", "code": "VIP20"}', headers=headers)
    assert answer.status_code == 415
    assert "'application/json'" in answer.json()["detail"]


def test_the_media_type_may_have_parameters_and_any_case(client: httpx.Client) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = client.post("/coupons", content=b'{"customerId": "cus_3", "code": "VIP20"}', headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/customers/Alice%20Chen", "GET /customers finds customers by name or email"),
        ("/customers/cus_07", "'cus_07'"),
        ("/customers/cus_99999999999999999999", "No customer"),
        ("/products/LAMP-01", "GET /products?sku=LAMP-01"),
        ("/products/a%2Fb%26c", "GET /products?sku=a%2Fb%26c"),
        ("/orders/7", "GET /orders"),
        ("/coupons/WELCOME10", "GET /coupons"),
    ],
)
def test_an_unknown_id_says_how_to_find_it(client: httpx.Client, path: str, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert words in answer.json()["detail"]


def test_what_the_404_of_a_sku_says_works(client: httpx.Client) -> None:
    detail = client.get("/products/LAMP-01").json()["detail"]
    address = detail.partition("GET ")[2].partition(" ")[0]
    assert [product["name"] for product in client.get(address).json()["products"]] == ["Desk Lamp"]
