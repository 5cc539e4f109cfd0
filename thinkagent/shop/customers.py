"""The operations on customers."""

from __future__ import annotations

import sqlite3

from thinkagent.shop.call import Answer, Call
from thinkagent.shop.problems import Problem
from thinkagent.shop.records import Kind, after, before, contains, equals_key
from thinkagent.shop.scalars import moment_to_text, search_key
from thinkagent.shop.store import Row, Store, customer_columns
from thinkagent.values import Json

__all__ = ["CUSTOMERS", "create_customer", "delete_customer", "update_customer"]


def _show(_: Store, row: Row) -> Json:
    return {
        "id": f"cus_{row['number']}",
        "name": row["name"],
        "email": row["email"],
        "city": row["city"],
        "registeredAt": moment_to_text(row["registered"]),
    }


CUSTOMERS = Kind(
    singular="customer",
    plural="customers",
    prefix="cus",
    show=_show,
    filters={
        "name": equals_key("name_key"),
        "nameContains": contains("name_key"),
        "email": equals_key("email_key"),
        "registeredBefore": before("registered", "registeredBefore"),
        "registeredAfter": after("registered", "registeredAfter"),
    },
    sorts={"name": "name_key", "registeredAt": "registered"},
    hint=lambda _: "Ids look like 'cus_2'; GET /customers finds customers by name or email.",
)


def create_customer(call: Call) -> Answer:
    """Register a customer now."""
    try:
        number = call.store.insert("customers", {**customer_columns(call.body), "registered": call.now})
    except sqlite3.IntegrityError as error:
        raise _email_taken(call) from error
    return CUSTOMERS.stored(call, number, 201)


def update_customer(call: Call) -> Answer:
    """Change the fields that the body gives."""
    number = CUSTOMERS.get(call)["number"]
    try:
        call.store.update("customers", number, customer_columns(call.body))
    except sqlite3.IntegrityError as error:
        raise _email_taken(call) from error
    return CUSTOMERS.stored(call, number)


def delete_customer(call: Call) -> Answer:
    """Delete a customer without orders; the coupons go too."""
    customer = CUSTOMERS.get(call)
    try:
        call.store.delete("customers", customer["number"])
    except sqlite3.IntegrityError as error:
        raise Problem(409, f"Customer 'cus_{customer['number']}' has orders and stays.") from error
    return Answer(204)


def _email_taken(call: Call) -> Problem:
    email = call.body["email"]
    owner = call.store.rows("SELECT number FROM customers WHERE email_key = ?", (search_key(email),))[0]
    return Problem(409, f"Customer 'cus_{owner['number']}' has the email address {email!r} already.")
