"""The operations on orders."""

from __future__ import annotations

from thinkagent.shop.call import Answer, Call
from thinkagent.shop.customers import CUSTOMERS
from thinkagent.shop.problems import Problem, invalid, invalid_fields
from thinkagent.shop.products import PRODUCTS
from thinkagent.shop.records import Kind, after, before, equals, of_customer
from thinkagent.shop.scalars import moment_to_text, money
from thinkagent.shop.store import Row, Store
from thinkagent.values import Json

__all__ = ["ORDERS", "cancel_order", "create_order"]


def _show(store: Store, row: Row) -> Json:
    items = store.rows('SELECT * FROM items WHERE "order" = ? ORDER BY position', (row["number"],))
    return {
        "id": f"ord_{row['number']}",
        "customerId": f"cus_{row['customer']}",
        "status": row["status"],
        "items": [
            {
                "productId": f"prd_{item['product']}",
                "quantity": item["quantity"],
                "unitPrice": money(item["unit_price"]),
            }
            for item in items
        ],
        "total": money(row["total"]),
        "createdAt": moment_to_text(row["created"]),
    }


ORDERS = Kind(
    singular="order",
    plural="orders",
    prefix="ord",
    show=_show,
    filters={
        "customerId": of_customer(CUSTOMERS.find),
        "status": equals("status"),
        "createdBefore": before("created", "createdBefore"),
        "createdAfter": after("created", "createdAfter"),
    },
    sorts={"createdAt": "created", "total": "total"},
    hint=lambda _: "Ids look like 'ord_21'; GET /orders finds orders by customer, state or time.",
)


def create_order(call: Call) -> Answer:
    """Place an order at today's prices and take its items out of stock."""
    customer = CUSTOMERS.find(call.store, call.body["customerId"])
    if customer is None:
        raise invalid("/customerId", f"no customer has the id {call.body['customerId']!r}")
    products = [PRODUCTS.find(call.store, item["productId"]) for item in call.body["items"]]
    unknown = [
        (f"/items/{index}/productId", f"no product has the id {item['productId']!r}")
        for index, (item, product) in enumerate(zip(call.body["items"], products, strict=True))
        if product is None
    ]
    if unknown:
        raise invalid_fields(unknown)
    lines = []
    for item, product in zip(call.body["items"], products, strict=True):
        assert product is not None, "unknown products are refused above"
        quantity = int(item["quantity"])
        _take(call.store, product["number"], quantity)
        lines.append((product["number"], quantity, product["price"]))
    order = {"customer": customer["number"], "status": "pending", "created": call.now}
    return ORDERS.stored(call, call.store.add_order(order, lines), 201)


def _take(store: Store, product: int, quantity: int) -> None:
    # Read again for each item: an order may name one product twice.
    stock = store.rows("SELECT stock FROM products WHERE number = ?", (product,))[0]["stock"]
    if quantity > stock:
        raise Problem(409, f"Product 'prd_{product}' has {stock} in stock, not {quantity}; nothing was ordered.")
    store.update("products", product, {"stock": stock - quantity})


def cancel_order(call: Call) -> Answer:
    """Cancel an order that has not been shipped and put its items back in stock."""
    order = ORDERS.get(call)
    number, status = order["number"], order["status"]
    if status not in ("pending", "paid"):
        raise Problem(409, f"Order 'ord_{number}' is {status}; only a pending or paid order can be cancelled.")
    for item in call.store.rows('SELECT product, quantity FROM items WHERE "order" = ?', (number,)):
        stock = call.store.rows("SELECT stock FROM products WHERE number = ?", (item["product"],))[0]["stock"]
        call.store.update("products", item["product"], {"stock": stock + item["quantity"]})
    call.store.update("orders", number, {"status": "cancelled"})
    return ORDERS.stored(call, number)
