"""The operations on products."""

from __future__ import annotations

import sqlite3
from urllib.parse import quote

from thinkagent.shop.call import Answer, Call
from thinkagent.shop.problems import Problem
from thinkagent.shop.records import Kind, contains, equals_key
from thinkagent.shop.scalars import money, search_key
from thinkagent.shop.store import Row, Store, product_columns
from thinkagent.values import Json

__all__ = ["PRODUCTS", "create_product", "update_product"]


def _show(_: Store, row: Row) -> Json:
    return {
        "id": f"prd_{row['number']}",
        "sku": row["sku"],
        "name": row["name"],
        "price": money(row["price"]),
        "stock": row["stock"],
    }


PRODUCTS = Kind(
    singular="product",
    plural="products",
    prefix="prd",
    show=_show,
    filters={
        "sku": equals_key("sku_key"),
        "name": equals_key("name_key"),
        "nameContains": contains("name_key"),
    },
    sorts={"name": "name_key", "price": "price", "stock": "stock"},
    hint=lambda sku: f"Ids look like 'prd_5'; GET /products?sku={quote(sku, safe='')} looks for a SKU.",
)


def create_product(call: Call) -> Answer:
    """Add a product."""
    try:
        number = call.store.insert("products", {"stock": 0, **product_columns(call.body)})
    except sqlite3.IntegrityError as error:
        raise _sku_taken(call) from error
    return PRODUCTS.stored(call, number, 201)


def update_product(call: Call) -> Answer:
    """Change the fields that the body gives."""
    number = PRODUCTS.get(call)["number"]
    try:
        call.store.update("products", number, product_columns(call.body))
    except sqlite3.IntegrityError as error:
        raise _sku_taken(call) from error
    return PRODUCTS.stored(call, number)


def _sku_taken(call: Call) -> Problem:
    sku = call.body["sku"]
    owner = call.store.rows("SELECT number FROM products WHERE sku_key = ?", (search_key(sku),))[0]
    return Problem(409, f"Product 'prd_{owner['number']}' has the SKU {sku!r} already.")
