"""Lists: filters, order and pages."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from thinkagent.shop import Shop
from thinkagent.values import read_json


def get(client: httpx.Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return read_json(answer.content)


def all_pages(client: httpx.Client, path: str, kind: str) -> list[Any]:
    records: list[Any] = []
    while path is not None:
        page = get(client, path)
        records += page[kind]
        path = page["next"]
    assert len(records) == page["total"]
    return records


@pytest.mark.parametrize("limit", [1, 7, 20, 50])
@pytest.mark.parametrize("kind", ["customers", "products", "orders", "coupons"])
def test_pages_together_are_everything_once(client: httpx.Client, shop: Shop, kind: str, limit: int) -> None:
    assert all_pages(client, f"/{kind}?limit={limit}", kind) == shop.state()[kind]


def test_a_page_counts_what_it_does_not_show(client: httpx.Client) -> None:
    page = get(client, "/customers?page=2")
    assert [customer["id"] for customer in page["customers"]] == [f"cus_{number}" for number in range(21, 41)]
    assert (page["total"], page["page"], page["pages"]) == (60, 2, 3)
    assert page["next"] == "/customers?page=3&limit=20"


def test_next_keeps_the_filters(client: httpx.Client) -> None:
    page = get(client, "/customers?nameContains=%C3%B8r&limit=1&sort=-name")
    assert page["next"] is None
    page = get(client, "/orders?status=cancelled&sort=-total&limit=5")
    assert page["next"] == "/orders?status=cancelled&sort=-total&page=2&limit=5"


@pytest.mark.parametrize("path", ["/customers?page=4", "/orders?page=1000000&limit=50", "/coupons?code=VIP20&page=9"])
def test_a_page_after_the_last_is_empty(client: httpx.Client, path: str) -> None:
    page = get(client, path)
    assert page[path[1:].partition("?")[0]] == []
    assert page["next"] is None
    assert page["total"] > 0


def test_nothing_found_is_no_page(client: httpx.Client) -> None:
    assert get(client, "/customers?name=Nobody") == {"customers": [], "total": 0, "page": 1, "pages": 0, "next": None}


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        pytest.param("customers?name=alice+CHEN", ["cus_7"], id="name-any-case"),
        pytest.param("customers?name=Alice", [], id="name-is-whole"),
        pytest.param("customers?name=Alise+Chen", [], id="name-is-not-guessed"),
        pytest.param("customers?name=Wei+Zhang", ["cus_4", "cus_36"], id="name-of-two"),
        pytest.param("customers?name=Zoe%CC%88+Mu%CC%88ller", ["cus_22"], id="name-decomposed"),
        pytest.param("customers?nameContains=chen", ["cus_7", "cus_23"], id="part-of-name"),
        pytest.param("customers?nameContains=%25", [], id="no-wildcards"),
        pytest.param("customers?email=Alice.Chen@EXAMPLE.com", ["cus_7"], id="email-any-case"),
        pytest.param("customers?nameContains=chen&email=david.chen@example.com", ["cus_23"], id="filters-together"),
        pytest.param("customers?name='+OR+1=1+--", [], id="no-sql"),
        pytest.param("products?sku=lamp-01", ["prd_1"], id="sku"),
        pytest.param("products?name=desk+lamp", ["prd_1"], id="product-name"),
        pytest.param("products?nameContains=wool", ["prd_7", "prd_12"], id="part-of-product-name"),
        pytest.param("products?sort=-price&limit=2", ["prd_6", "prd_7"], id="dearest"),
        pytest.param("products?sort=stock&limit=1", ["prd_10"], id="least-stock"),
        pytest.param("coupons?customerId=cus_7", ["cpn_2"], id="coupons-of-one"),
        pytest.param("coupons?code=WELCOME10", ["cpn_1", "cpn_5"], id="coupons-of-a-code"),
        pytest.param("coupons?customerId=cus_7&code=WELCOME10", [], id="coupons-of-both"),
        pytest.param("orders?customerId=cus_3", [], id="customer-without-orders"),
    ],
)
def test_filters(client: httpx.Client, query: str, ids: list[str]) -> None:
    page = get(client, f"/{query}")
    assert [record["id"] for record in page[query.partition("?")[0]]] == ids


@pytest.mark.parametrize(
    ("kind", "sort", "field"),
    [
        ("customers", "name", "name"),
        ("customers", "registeredAt", "registeredAt"),
        ("products", "price", "price"),
        ("products", "stock", "stock"),
        ("orders", "createdAt", "createdAt"),
        ("orders", "total", "total"),
    ],
)
def test_sort_both_ways(client: httpx.Client, kind: str, sort: str, field: str) -> None:
    upwards = [record[field] for record in all_pages(client, f"/{kind}?sort={sort}", kind)]
    downwards = [record[field] for record in all_pages(client, f"/{kind}?sort=-{sort}", kind)]
    if field == "name":
        upwards, downwards = [name.casefold() for name in upwards], [name.casefold() for name in downwards]
    assert upwards == sorted(upwards)
    assert downwards == sorted(upwards, reverse=True)


def test_before_and_after_leave_the_moment_itself_out(client: httpx.Client, shop: Shop) -> None:
    moments = {customer["id"]: customer["registeredAt"] for customer in shop.state()["customers"]}
    at = moments["cus_30"]
    earlier = all_pages(client, f"/customers?registeredBefore={at}", "customers")
    later = all_pages(client, f"/customers?registeredAfter={at}", "customers")
    assert [customer["id"] for customer in earlier] == [key for key, moment in moments.items() if moment < at]
    assert [customer["id"] for customer in later] == [key for key, moment in moments.items() if moment > at]


def test_a_moment_may_have_any_offset(client: httpx.Client) -> None:
    utc = get(client, "/orders?createdAfter=2026-11-01T00:00:00Z")
    shanghai = get(client, "/orders?createdAfter=2026-11-01T08:00:00%2B08:00")
    assert utc["orders"] == shanghai["orders"]
    assert utc["total"] > 0


def test_status_filters_split_the_orders(client: httpx.Client) -> None:
    counts = {s: get(client, f"/orders?status={s}")["total"] for s in ("pending", "paid", "shipped", "cancelled")}
    assert sum(counts.values()) == 168
    assert all(counts.values())


@pytest.mark.parametrize(
    ("path", "parameter", "words"),
    [
        pytest.param("/customers?nmae=Alice", "nmae", "'name'", id="misspelt"),
        pytest.param("/orders?name=Alice", "name", "'customerId'", id="of-another-operation"),
        pytest.param("/orders?status=open", "status", '"pending"', id="enum"),
        pytest.param("/orders?customerId=Alice+Chen", "customerId", "/customers", id="a-name-is-no-id"),
        pytest.param("/coupons?customerId=ord_1", "customerId", "/customers", id="an-id-of-another-kind"),
        pytest.param("/customers?page=0", "page", "minimum", id="page-0"),
        pytest.param("/customers?page=two", "page", "integer", id="page-in-words"),
        pytest.param("/customers?page=%EF%BC%91", "page", "integer", id="page-in-other-digits"),
        pytest.param("/customers?limit=51", "limit", "maximum", id="limit-too-high"),
        pytest.param("/customers?name=", "name", "short", id="empty"),
        pytest.param("/customers?name=a&name=b", "name", "more than once", id="twice"),
        pytest.param("/customers?registeredBefore=2026-01-01", "registeredBefore", "date-time", id="no-time"),
        pytest.param(
            "/customers?registeredBefore=2026-01-01T00:00:00", "registeredBefore", "date-time", id="no-offset"
        ),
        pytest.param("/customers?registeredAfter=yesterday", "registeredAfter", "date-time", id="words"),
        pytest.param("/customers?registeredAfter=2026-06-30T23:59:60Z", "registeredAfter", "", id="leap-second"),
    ],
)
def test_a_wrong_parameter_is_named(client: httpx.Client, path: str, parameter: str, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 422
    errors = answer.json()["errors"]
    assert [error["parameter"] for error in errors] == [parameter]
    assert words in errors[0]["detail"]
    assert parameter in answer.json()["detail"]


def test_every_wrong_parameter_is_named(client: httpx.Client) -> None:
    errors = client.get("/orders?page=0&limit=999&state=x").json()["errors"]
    assert [error["parameter"] for error in errors] == ["page", "limit", "state"]
