"""Data that users bring: what is served of them, and what is said of faulty ones."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.shop.conftest import NOW
from thinkagent.errors import UsageError
from thinkagent.shop import Shop, check_data, load_data, seed
from thinkagent.shop.data import SCHEMA_PATH
from thinkagent.values import read_json, write_json

REPOSITORY = Path(__file__).parents[2]


def small() -> dict[str, Any]:
    return {
        "customers": [
            {"id": "cus_2", "name": "Ada", "email": "ada@example.com", "registeredAt": "2026-01-31T23:30:00-01:00"},
            {"id": "cus_9", "name": "Bo", "email": "bo@example.com", "registeredAt": "2026-02-01T00:00:00.25Z"},
        ],
        "products": [{"id": "prd_1", "sku": "TEA-1", "name": "Tea", "price": Decimal("4.5")}],
        "orders": [
            {
                "id": "ord_3",
                "customerId": "cus_2",
                "createdAt": "2026-03-01T00:00:00Z",
                "items": [{"productId": "prd_1", "quantity": 3}],
            },
            {
                "id": "ord_4",
                "customerId": "cus_2",
                "createdAt": "2026-03-02T00:00:00Z",
                "total": 12,
                "status": "shipped",
            },
        ],
        "coupons": [{"id": "cpn_5", "customerId": "cus_9", "code": "VIP20"}],
    }


def test_docs_hold_the_schema_of_the_package() -> None:
    published = REPOSITORY / "docs" / "schemas" / "shop-data.schema.json"
    assert published.read_bytes() == SCHEMA_PATH.read_bytes()


def test_the_schema_is_a_schema() -> None:
    assert jsonschema_rs.meta.is_valid(read_json(SCHEMA_PATH.read_bytes()))


def test_what_is_left_out_is_filled_in() -> None:
    state = Shop(small()).state()
    assert state["customers"][0] == {
        "id": "cus_2",
        "name": "Ada",
        "email": "ada@example.com",
        "city": None,
        "registeredAt": "2026-02-01T00:30:00Z",
    }
    assert state["customers"][1]["registeredAt"] == "2026-02-01T00:00:00.250000Z"
    assert state["products"][0]["stock"] == 0
    assert write_json(state["products"][0]["price"]) == "4.50"
    assert [(order["status"], write_json(order["total"])) for order in state["orders"]] == [
        ("paid", "13.50"),
        ("shipped", "12.00"),
    ]
    assert [len(order["items"]) for order in state["orders"]] == [1, 0]
    assert state["coupons"][0]["issuedAt"] == "2026-02-01T00:00:00.250000Z"


def test_only_customers_are_needed() -> None:
    assert Shop({"customers": []}).state() == {"customers": [], "products": [], "orders": [], "coupons": []}


def test_load_data_reads_what_write_json_wrote(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(write_json(seed(NOW)), encoding="utf-8")
    assert Shop(load_data(path)).state() == Shop(seed(NOW)).state()


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        pytest.param(lambda d: d.pop("customers"), "/customers", "is missing", id="no-customers"),
        pytest.param(lambda d: d.update(invoices=[]), "/invoices", "not a known field", id="unknown-kind"),
        pytest.param(lambda d: d["customers"][0].pop("email"), "/customers/0/email", "is missing", id="missing"),
        pytest.param(lambda d: d["customers"][0].update(nmae="x"), "/customers/0/nmae", "not a known", id="misspelt"),
        pytest.param(lambda d: d["customers"][0].update(id="7"), "/customers/0/id", "cus_", id="bad-id"),
        pytest.param(lambda d: d["customers"][0].update(email="x"), "/customers/0/email", "email", id="bad-email"),
        pytest.param(
            lambda d: d["customers"][1].update(registeredAt="2026-02-01"),
            "/customers/1/registeredAt",
            "date-time",
            id="date-without-time",
        ),
        pytest.param(
            lambda d: d["customers"][1].update(registeredAt="2026-06-30T23:59:60Z"),
            "/customers/1/registeredAt",
            "no moment",
            id="leap-second",
        ),
        pytest.param(lambda d: d["customers"][1].update(id="cus_2"), "/customers/0/id", "another's", id="id-twice"),
        pytest.param(
            lambda d: d["customers"][1].update(email="ADA@example.com"),
            "/customers/0/email",
            "another's",
            id="email-twice",
        ),
        pytest.param(
            lambda d: d["products"].append({**d["products"][0], "id": "prd_2"}), "/products/0/sku", "tea-1", id="sku"
        ),
        pytest.param(
            lambda d: d["products"][0].update(price=Decimal("1.999")), "/products/0/price", "0.01", id="cents"
        ),
        pytest.param(
            lambda d: d["orders"][0].update(customerId="cus_77"), "/orders/0/customerId", "'cus_77'", id="nobody"
        ),
        pytest.param(
            lambda d: d["orders"][0].update(customerId=7), "/orders/0/customerId", "string", id="id-of-a-wrong-type"
        ),
        pytest.param(lambda d: d["orders"][0].update(status="open"), "/orders/0/status", '"pending"', id="status"),
        pytest.param(lambda d: d["orders"][1].pop("total"), "/orders/1", "is wrong", id="neither-items-nor-total"),
        pytest.param(lambda d: d["orders"][0].update(total=9), "/orders/0/total", "add up to 13.5", id="wrong-total"),
        pytest.param(
            lambda d: d["orders"][0]["items"][0].update(productId="TEA-1"),
            "/orders/0/items/0/productId",
            "'TEA-1'",
            id="no-product",
        ),
        pytest.param(lambda d: d["coupons"][0].update(code="HALF"), "/coupons/0/code", '"WELCOME10"', id="code"),
        pytest.param(
            lambda d: d["coupons"].append({**d["coupons"][0], "id": "cpn_6"}), "/coupons/0", "VIP20", id="coupon-twice"
        ),
    ],
)
def test_a_fault_is_pointed_at(change: Change, pointer: str, words: str) -> None:
    data = small()
    change(data)
    with pytest.raises(UsageError) as caught:
        check_data(data, "shop.json")
    assert caught.value.where == f"shop.json#{pointer}"
    assert pointer in caught.value.message
    assert words in caught.value.message
    assert "shop-data.schema.json" in caught.value.hint
    assert "\n" not in str(caught.value)


def test_faulty_data_are_refused_before_anything_is_served() -> None:
    with pytest.raises(UsageError):
        Shop({"customers": [{}]})


def test_the_surplus_of_faults_is_counted() -> None:
    with pytest.raises(UsageError, match="and 3 more faults"):
        check_data({"customers": [{}]})


@pytest.mark.parametrize(
    ("content", "code", "where"),
    [
        pytest.param(None, "data_unreadable", "", id="no-such-file"),
        pytest.param(b"", "data_not_json", "line 1, column 1", id="empty"),
        pytest.param(b'{\n "customers": [}', "data_not_json", "line 2, column 16", id="broken"),
        pytest.param(b"\xff\xfe\x00", "data_not_json", "", id="binary"),
        pytest.param(b"[]", "data_invalid", "#", id="no-object"),
    ],
)
def test_files_that_are_no_data(tmp_path: Path, content: bytes | None, code: str, where: str) -> None:
    path = tmp_path / "d.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        load_data(path)
    assert caught.value.code == code
    assert caught.value.where.endswith(where)
    assert caught.value.exit_code == 2


def test_a_folder_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="directory"):
        load_data(tmp_path)
