"""The turns of a good mind for the tasks of the demo, in every wording, and what must be true afterwards."""

from __future__ import annotations

from typing import Any

from tests.demo.wordings import Task, missing_facts
from tests.integration.models import Ended, act, finish

__all__ = ["as_expected", "turns_for"]

_SUBJECTS = {
    "coupons-en": ("30", "WELCOME10"),
    "coupons-en-reworded": ("60", "SORRY5"),
    "coupons-zh": ("30", "WELCOME10"),
    "average-en": ("Alice Chen",),
    "average-en-reworded": ("Tomás Rivera",),
    "average-zh": ("王小明",),
    "price-en": ("LAMP-01",),
    "price-en-reworded": ("KET-200",),
    "price-zh": ("CHA-05",),
}


def turns_for(task: Task) -> list[dict[str, Any]]:
    """Give the turns that carry out the task; only what stands in its words is known beforehand."""
    words = _SUBJECTS[task.id]
    assert all(word in task.task for word in words)
    return {"write": _coupons, "compute": _average, "recover": _price}[task.kind](*words)


def _coupons(days: str, code: str) -> list[dict[str, Any]]:
    never = (
        "buyers = {order['customerId'] for order in steps['orders']['items']}\n"
        "[c for c in steps['customers']['items'] if c['id'] not in buyers"
        f" and datetime.fromisoformat(c['registeredAt']) < now - timedelta(days={days})]"
    )
    body = {"customerId": "<<item.id>>", "code": code}
    return [
        act("listCustomers", {"limit": 50}, save_as="customers", pages="all"),
        act("listOrders", {"limit": 50}, save_as="orders", pages="all"),
        act("compute", {"expression": never}, save_as="never"),
        act("issueCoupon", {"body": body}, for_each="<<steps.never.result>>", save_as="issued"),
        act("compute", {"expression": "len([o for o in issued if o['status'] == 'ok'])"}, save_as="count"),
        finish(f"<<steps.count.result>> × {code}", "issued", "count"),
    ]


def _average(name: str) -> list[dict[str, Any]]:
    return [
        act("listCustomers", {"name": name}, save_as="found"),
        act("listOrders", {"customerId": "<<steps.found.result.customers[0].id>>"}, save_as="orders", pages="all"),
        act(
            "compute",
            {"expression": "totals = [o['total'] for o in steps['orders']['items']]\nsum(totals) / len(totals)"},
            save_as="average",
        ),
        finish(f"{name}: <<steps.average.result>>", "average"),
    ]


def _price(sku: str) -> list[dict[str, Any]]:
    return [
        act("getProduct", {"productId": sku}, "The SKU may be its id.", save_as="product"),
        act("listProducts", {"sku": sku}, "It is no id, so I look the SKU up.", save_as="found"),
        finish(f"{sku}: <<steps.found.result.products[0].price>>", "found"),
    ]


def as_expected(task: Task, ended: Ended) -> None:
    """Check the answer, the writes and the calls against what the task says."""
    result, expect = ended.result, task.expect
    assert (result.status, result.exit_code) == ("done", 0)
    assert missing_facts(result.answer, expect["answer"]) == []
    assert sum(change["outcome"] == "ok" for change in result.changes) == expect["changes"]
    seen = {(one.method, one.path.partition("?")[0], one.status) for one in ended.called}
    assert {(call["method"], call["path"], call["status"]) for call in expect["calls"]} <= seen
    coupons = [{"customerId": one["customerId"], "code": one["code"]} for one in ended.shop.state()["coupons"]]
    for coupon in expect["coupons"]:
        assert coupons.count(coupon) == 1
    assert len(ended.written) == expect["changes"]
