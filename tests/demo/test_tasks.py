"""The expectations in tasks.json follow from the data, computed here without the shop."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import httpx
import pytest

from tests.demo.wordings import Task, data_of, missing_facts, tasks
from thinkagent.shop import Shop

TASKS = tasks()


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(task, id=task.id) for task in TASKS if task.kind == kind]


def total(order: Any, prices: dict[str, Decimal]) -> Fraction:
    if "items" not in order:
        return Fraction(order["total"])
    return sum(
        (Fraction(item.get("unitPrice", prices[item["productId"]])) * item["quantity"] for item in order["items"]),
        Fraction(0),
    )


def never_ordered(data: Any, now: datetime, days: int, orders: list[Any]) -> list[str]:
    buyers = {order["customerId"] for order in orders}
    return [
        customer["id"]
        for customer in data["customers"]
        if customer["id"] not in buyers
        and now - datetime.fromisoformat(customer["registeredAt"]) > timedelta(days=days)
    ]


def test_there_are_three_tasks_in_three_wordings_each() -> None:
    grid = {(task.kind, task.data, task.language) for task in TASKS}
    assert grid == {
        (kind, data, language)
        for kind in ("write", "compute", "recover")
        for data, language in ((None, "en"), ("data_a.json", "en"), ("data_b.json", "zh"))
    }
    assert len({task.id for task in TASKS}) == len({task.task for task in TASKS}) == 9


def test_only_the_writing_tasks_may_write() -> None:
    assert {task.kind for task in TASKS if task.allow_writes} == {"write"}


@pytest.mark.parametrize(
    ("task", "days", "code"),
    [
        pytest.param(task, days, code, id=task.id)
        for task, days, code in zip(
            [task for task in TASKS if task.kind == "write"],
            [30, 60, 30],
            ["WELCOME10", "SORRY5", "WELCOME10"],
            strict=True,
        )
    ],
)
def test_coupons(task: Task, days: int, code: str) -> None:
    assert str(days) in task.task
    assert code in task.task
    data = data_of(task)
    customers = never_ordered(data, task.now, days, data["orders"])
    assert task.expect["coupons"] == [{"customerId": customer, "code": code} for customer in customers]
    assert task.expect["changes"] == len(customers)
    assert str(len(customers)) in task.expect["answer"][0]
    have = {coupon["customerId"] for coupon in data["coupons"] if coupon["code"] == code}
    assert not have & set(customers), "a conflict would leave the task half done"


@pytest.mark.parametrize("task", of_kind("write"))
def test_coupons_cannot_come_out_right_by_a_shortcut(task: Task) -> None:
    data = data_of(task)
    right = [coupon["customerId"] for coupon in task.expect["coupons"]]
    days = 60 if "60" in task.task else 30
    assert never_ordered(data, task.now, days, data["orders"][:20]) != right, "only the first page of orders"
    assert never_ordered(data, task.now, 0, data["orders"]) != right, "without the date"
    assert never_ordered(data, task.now, days, []) != right, "without the orders"


@pytest.mark.parametrize("task", of_kind("write"))
def test_it_does_not_matter_how_days_are_counted(task: Task) -> None:
    data = data_of(task)
    days = 60 if "60" in task.task else 30
    right = never_ordered(data, task.now, days, data["orders"])
    assert right == never_ordered(data, task.now, days - 1, data["orders"])
    assert right == never_ordered(data, task.now, days + 1, data["orders"])


@pytest.mark.parametrize(
    ("task", "name"),
    [
        pytest.param(task, name, id=task.id)
        for task, name in zip(
            [task for task in TASKS if task.kind == "compute"], ["Alice Chen", "Tomás Rivera", "王小明"], strict=True
        )
    ],
)
def test_averages(task: Task, name: str) -> None:
    assert name in task.task
    data = data_of(task)
    [customer] = [customer["id"] for customer in data["customers"] if customer["name"] == name]
    prices = {product["id"]: product["price"] for product in data["products"]}
    totals = [total(order, prices) for order in data["orders"] if order["customerId"] == customer]
    average = sum(totals, Fraction(0)) / len(totals)
    rounded = (Decimal(average.numerator) / average.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert str(rounded) in task.expect["answer"][0]
    for spelling in task.expect["answer"][0]:
        step = Fraction(1, 10 ** len(spelling.removesuffix("…").partition(".")[2]))
        assert abs(Fraction(spelling.removesuffix("…")) - average) < step
    shortcuts = {
        "one page": totals[:20] if len(totals) > 20 else totals[:-1],
        "of everyone": [total(order, prices) for order in data["orders"]],
    }
    for shortcut, some in shortcuts.items():
        wrong = sum(some, Fraction(0)) / len(some)
        assert missing_facts(f"{float(wrong):.2f}", task.expect["answer"]), shortcut


@pytest.mark.parametrize("task", of_kind("recover"))
def test_prices(task: Task) -> None:
    [product] = [product for product in data_of(task)["products"] if product["sku"] in task.task]
    assert missing_facts(f"It costs {product['price']}.", task.expect["answer"]) == []
    assert all(Decimal(spelling) == product["price"] for spelling in task.expect["answer"][0])


@pytest.mark.parametrize("task", of_kind("recover"))
def test_the_first_call_fails_and_the_second_answers(task: Task) -> None:
    with Shop(data_of(task), "t") as shop, httpx.Client(base_url=shop.url, trust_env=False) as client:
        client.headers["Authorization"] = "Bearer t"
        first, second = task.expect["calls"]
        sku = first["path"].rpartition("/")[2]
        assert client.get(first["path"]).status_code == first["status"] == 404
        found = client.get(second["path"], params={"sku": sku})
        assert found.status_code == second["status"] == 200
        assert missing_facts(found.text, task.expect["answer"]) == []


@pytest.mark.parametrize("entry", [pytest.param(task, id=task.id) for task in TASKS])
def test_the_data_can_be_served_at_that_time(entry: Task) -> None:
    data = data_of(entry)
    state = Shop(data).state()
    assert {kind: len(records) for kind, records in state.items()} == {k: len(records) for k, records in data.items()}
    moments = [c["registeredAt"] for c in data["customers"]] + [o["createdAt"] for o in data["orders"]]
    assert max(map(datetime.fromisoformat, moments)) < entry.now
    assert len(data["customers"]) > 20, "more than one page"
    assert len(data["orders"]) > 20, "more than one page"


@pytest.mark.parametrize(
    ("answer", "spelling", "found"),
    [
        ("Issued 4 coupons.", "4", True),
        ("Issued 4.", "4", True),
        ("共发放了4张优惠券", "4", True),
        ("Four customers got one", "four", True),
        ("给三位客户", "三", True),
        ("fourteen", "four", False),
        ("cus_4 got one", "4", False),
        ("It is 4.5", "4", False),
        ("14", "4", False),
        ("since 2026-11-4", "4", False),
        ("The average is €1,061.48.", "1061.48", True),
        ("61.480", "61.48", False),
        ("158.16666666666667", "158.1666…", True),
        ("158.1766", "158.1666…", False),
        ("-39.90", "39.90", False),
        ("价格是128.00元", "128.00", True),
    ],
)
def test_how_a_fact_is_looked_for(answer: str, spelling: str, found: bool) -> None:
    assert (missing_facts(answer, [[spelling]]) == []) is found
