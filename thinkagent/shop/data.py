"""The data that a user gives the shop to serve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from thinkagent.errors import UsageError
from thinkagent.shop.check import Complaint, complaints
from thinkagent.shop.scalars import moment_from_text, search_key
from thinkagent.values import Json, JsonError, join_pointer, read_json

__all__ = ["SCHEMA_PATH", "check_data", "load_data"]

SCHEMA_PATH = Path(__file__).with_name("data.schema.json")
"""The JSON Schema of the data; docs/schemas/shop-data.schema.json is the same text."""

_HINT = "docs/schemas/shop-data.schema.json describes the data"


def load_data(path: str | Path) -> Json:
    """Read the shop's data from a JSON file and check them.

    Raises:
        UsageError: no such file, no JSON, or `check_data` refuses it.
    """
    source = str(path)
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"the shop's data {source!r} cannot be read: {reason}", code="data_unreadable", hint="Name a JSON file"
        ) from error
    try:
        data = read_json(text)
    except JsonError as error:
        place = f"line {error.line}, column {error.column}" if error.line else ""
        raise UsageError(
            f"the shop's data {source!r} are no JSON: {error}", code="data_not_json", where=place, hint=_HINT
        ) from error
    check_data(data, source)
    return data


def check_data(data: Json, source: str = "data") -> None:
    """Refuse data that the shop cannot serve.

    Beyond the schema: ids, emails, SKUs and a customer's coupon codes come once, every customerId and productId names
    a record, each moment exists, and an order's `total`, where given, is the sum of its items.

    Raises:
        UsageError: with the JSON Pointer of the first fault in `where`.
    """
    found = complaints(_schema(), data) or list(_faults(data))
    if not found:
        return
    first = found[0]
    more = f" (and {len(found) - 1} more faults)" if len(found) > 1 else ""
    raise UsageError(
        f"the shop's data are not usable: {first.pointer or 'the whole'} {_verb(first.detail)}{more}",
        code="data_invalid",
        where=f"{source}#{first.pointer}",
        hint=_HINT,
    )


def _verb(detail: str) -> str:
    return detail if detail.startswith(("is ", "names ", "adds ")) else f"is wrong: {detail}"


@cache
def _schema() -> Json:
    return read_json(SCHEMA_PATH.read_bytes())


def _faults(data: Json) -> Iterator[Complaint]:
    """Find what no JSON Schema can."""
    for kind, field in (("customers", "id"), ("customers", "email"), ("products", "id"), ("products", "sku")):
        yield from _repeated(data, kind, field)
    yield from _repeated(data, "orders", "id")
    yield from _repeated(data, "coupons", "id")
    yield from _unknown_ids(data)
    yield from _impossible_moments(data)
    yield from _wrong_totals(data)
    pairs = Counter((coupon["customerId"], coupon["code"]) for coupon in data.get("coupons", []))
    for index, coupon in enumerate(data.get("coupons", [])):
        if pairs[coupon["customerId"], coupon["code"]] > 1:
            yield Complaint(f"/coupons/{index}", f"is one of several {coupon['code']} of {coupon['customerId']!r}")


def _repeated(data: Json, kind: str, field: str) -> Iterator[Complaint]:
    values = [search_key(record[field]) for record in data.get(kind, [])]
    counted = Counter(values)
    for index, value in enumerate(values):
        if counted[value] > 1:
            yield Complaint(join_pointer([kind, index, field]), f"is {value!r}, and so is another's")


def _unknown_ids(data: Json) -> Iterator[Complaint]:
    customers = {customer["id"] for customer in data["customers"]}
    products = {product["id"] for product in data.get("products", [])}
    for kind in ("orders", "coupons"):
        for index, record in enumerate(data.get(kind, [])):
            if record["customerId"] not in customers:
                detail = f"names {record['customerId']!r}, which is no customer of these data"
                yield Complaint(join_pointer([kind, index, "customerId"]), detail)
    for index, order in enumerate(data.get("orders", [])):
        for position, item in enumerate(order.get("items", [])):
            if item["productId"] not in products:
                pointer = join_pointer(["orders", index, "items", position, "productId"])
                yield Complaint(pointer, f"names {item['productId']!r}, which is no product of these data")


def _impossible_moments(data: Json) -> Iterator[Complaint]:
    for kind, field in (("customers", "registeredAt"), ("orders", "createdAt"), ("coupons", "issuedAt")):
        for index, record in enumerate(data.get(kind, [])):
            if field not in record:
                continue
            try:
                moment_from_text(record[field])
            except ValueError:
                pointer = join_pointer([kind, index, field])
                yield Complaint(pointer, f"is {record[field]!r}, which is no moment that a clock shows")


def _wrong_totals(data: Json) -> Iterator[Complaint]:
    prices = {product["id"]: product["price"] for product in data.get("products", [])}
    for index, order in enumerate(data.get("orders", [])):
        if "total" not in order or "items" not in order:
            continue
        items = order["items"]
        if not all(item["productId"] in prices for item in items):
            continue
        total = sum(item["quantity"] * item.get("unitPrice", prices[item["productId"]]) for item in items)
        if total != order["total"]:
            yield Complaint(f"/orders/{index}/total", f"is {order['total']}, but the items add up to {total}")
