"""The default data: the same facts whenever the shop is started."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from tests.shop.conftest import NOW
from thinkagent.shop import Shop, check_data, seed


def age(moment: str, now: datetime) -> timedelta:
    return now - datetime.fromisoformat(moment)


def without_dates(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_dates(value) for key, value in data.items() if not key.endswith("At")}
    return [without_dates(value) for value in data] if isinstance(data, list) else data


@pytest.mark.parametrize(
    "now",
    [
        NOW,
        datetime(2027, 1, 1, tzinfo=UTC),
        datetime(2028, 2, 29, 23, 59, 59, tzinfo=UTC),
        datetime(2026, 7, 1, 3, tzinfo=timezone(timedelta(hours=8))),
    ],
    ids=lambda now: now.isoformat(),
)
class TestWheneverItIsStarted:
    def test_the_data_are_usable(self, now: datetime) -> None:
        check_data(seed(now))

    def test_all_but_the_dates_is_the_same(self, now: datetime) -> None:
        assert without_dates(seed(now)) == without_dates(seed(NOW))

    def test_four_old_customers_never_ordered_and_none_of_them_has_the_coupon(self, now: datetime) -> None:
        data = seed(now)
        buyers = {order["customerId"] for order in data["orders"]}
        idle = [customer for customer in data["customers"] if customer["id"] not in buyers]
        old = [customer["id"] for customer in idle if age(customer["registeredAt"], now) > timedelta(days=30)]
        assert old == ["cus_3", "cus_12", "cus_28", "cus_47"]
        assert len(idle) == 7
        welcomed = {coupon["customerId"] for coupon in data["coupons"] if coupon["code"] == "WELCOME10"}
        assert not welcomed & set(old)

    def test_nobody_registered_about_thirty_days_ago(self, now: datetime) -> None:
        for customer in seed(now)["customers"]:
            assert not timedelta(days=28) < age(customer["registeredAt"], now) < timedelta(days=32)

    def test_everything_happened_in_order_and_before_now(self, now: datetime) -> None:
        data = seed(now)
        registered = {customer["id"]: customer["registeredAt"] for customer in data["customers"]}
        for order in data["orders"]:
            assert registered[order["customerId"]] < order["createdAt"]
            assert age(order["createdAt"], now) > timedelta(0)
        for coupon in data["coupons"]:
            assert registered[coupon["customerId"]] < coupon["issuedAt"]
        assert list(registered.values()) == sorted(registered.values())
        moments = [order["createdAt"] for order in data["orders"]]
        assert moments == sorted(moments)


def test_counts_need_several_pages() -> None:
    assert {kind: len(records) for kind, records in seed(NOW).items()} == {
        "customers": 60,
        "products": 12,
        "orders": 168,
        "coupons": 6,
    }


def test_alice_chen() -> None:
    state = Shop(seed(NOW)).state()
    orders = [order for order in state["orders"] if order["customerId"] == "cus_7"]
    assert len(orders) == 34
    assert Counter(order["status"] for order in orders)["cancelled"] == 3
    assert sum(order["total"] for order in orders) == Decimal("2090.15")
    assert sum(order["total"] for order in orders) / 34 == Decimal("61.475")


def test_names_that_are_not_enough() -> None:
    names = [customer["name"] for customer in seed(NOW)["customers"]]
    assert names.count("Wei Zhang") == 2
    assert [name for name in names if name.startswith("Alice")] == ["Alice Chen", "Alice Moreau"]
    assert [name for name in names if name.endswith("Chen")] == ["Alice Chen", "David Chen"]
