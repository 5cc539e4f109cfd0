"""The operations on coupons."""

from __future__ import annotations

import sqlite3

from thinkagent.shop.call import Answer, Call
from thinkagent.shop.customers import CUSTOMERS
from thinkagent.shop.problems import Problem, invalid
from thinkagent.shop.records import Kind, equals, of_customer
from thinkagent.shop.scalars import moment_to_text
from thinkagent.shop.store import Row, Store
from thinkagent.values import Json

__all__ = ["COUPONS", "issue_coupon"]

_PERCENT_OFF = {"WELCOME10": 10, "SORRY5": 5, "VIP20": 20}


def _show(_: Store, row: Row) -> Json:
    return {
        "id": f"cpn_{row['number']}",
        "customerId": f"cus_{row['customer']}",
        "code": row["code"],
        "percentOff": _PERCENT_OFF[row["code"]],
        "issuedAt": moment_to_text(row["issued"]),
    }


COUPONS = Kind(
    singular="coupon",
    plural="coupons",
    prefix="cpn",
    show=_show,
    filters={"customerId": of_customer(CUSTOMERS.find), "code": equals("code")},
    sorts={},
    hint=lambda _: "Ids look like 'cpn_1'; GET /coupons finds coupons by customer or code.",
)


def issue_coupon(call: Call) -> Answer:
    """Give a customer a coupon, at most one of each code."""
    customer = CUSTOMERS.find(call.store, call.body["customerId"])
    if customer is None:
        detail = f"no customer has the id {call.body['customerId']!r}; GET /customers finds customers by name or email"
        raise invalid("/customerId", detail)
    number, code = customer["number"], call.body["code"]
    try:
        coupon = call.store.insert("coupons", {"customer": number, "code": code, "issued": call.now})
    except sqlite3.IntegrityError as error:
        has = call.store.rows("SELECT number FROM coupons WHERE customer = ? AND code = ?", (number, code))[0]
        raise Problem(409, f"Customer 'cus_{number}' has a {code} coupon already, 'cpn_{has['number']}'.") from error
    return COUPONS.stored(call, coupon, 201)
