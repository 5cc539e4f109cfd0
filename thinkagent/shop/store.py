"""The shop's records, in an SQLite database in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from thinkagent.shop.scalars import cents, id_number, moment_from_text, search_key
from thinkagent.values import Json

__all__ = ["Row", "Store", "customer_columns", "product_columns"]

Row = Mapping[str, Any]

_TABLES = """
CREATE TABLE customers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL, name_key TEXT NOT NULL,
    email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE,
    city TEXT,
    registered INTEGER NOT NULL
);
CREATE TABLE products (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    sku TEXT NOT NULL, sku_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, name_key TEXT NOT NULL,
    price INTEGER NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0)
);
CREATE TABLE orders (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    customer INTEGER NOT NULL REFERENCES customers,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    created INTEGER NOT NULL
);
CREATE TABLE items (
    "order" INTEGER NOT NULL REFERENCES orders,
    position INTEGER NOT NULL,
    product INTEGER NOT NULL REFERENCES products,
    quantity INTEGER NOT NULL,
    unit_price INTEGER NOT NULL,
    PRIMARY KEY ("order", position)
);
CREATE TABLE coupons (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    customer INTEGER NOT NULL REFERENCES customers ON DELETE CASCADE,
    code TEXT NOT NULL,
    issued INTEGER NOT NULL,
    UNIQUE (customer, code)
);
CREATE INDEX orders_by_customer ON orders (customer);
"""


class Store:
    """A database that one thread at a time may use; money in cents, moments in microseconds since 1970.

    A number is never given twice, not even after its record is deleted. As a context manager it is one transaction.
    """

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._connection.executescript(_TABLES)
        self._connection.execute("PRAGMA foreign_keys = ON")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._connection.commit()
        else:
            self._connection.rollback()

    def __del__(self) -> None:
        self._connection.close()

    def rows(self, sql: str, values: Iterable[object] = ()) -> list[Row]:
        """Give all rows of a query, by column name."""
        return [dict(row) for row in self._connection.execute(sql, tuple(values))]

    def row(self, sql: str, values: Iterable[object] = ()) -> Row | None:
        """Give the first row of a query."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def insert(self, table: str, values: Mapping[str, object]) -> int:
        """Add a row and give its number; raises `sqlite3.IntegrityError` where it breaks a constraint."""
        columns = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" for _ in values)
        cursor = self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))
        return cursor.lastrowid or 0

    def update(self, table: str, number: int, values: Mapping[str, object]) -> None:
        """Change columns of one row; raises `sqlite3.IntegrityError` where that breaks a constraint."""
        columns = ", ".join(f"{name} = ?" for name in values)
        self._connection.execute(f"UPDATE {table} SET {columns} WHERE number = ?", (*values.values(), number))

    def delete(self, table: str, number: int) -> None:
        """Delete one row; raises `sqlite3.IntegrityError` where others need it."""
        self._connection.execute(f"DELETE FROM {table} WHERE number = ?", (number,))

    def load(self, data: Json) -> None:
        """Fill the empty database with data that `check_data` has passed."""
        with self:
            for customer in data["customers"]:
                self.insert("customers", {"number": _number(customer["id"]), **customer_columns(customer)})
            for product in data.get("products", []):
                self.insert("products", {"number": _number(product["id"]), "stock": 0, **product_columns(product)})
            prices = {row["number"]: row["price"] for row in self.rows("SELECT number, price FROM products")}
            for order in data.get("orders", []):
                self._load_order(order, prices)
            for coupon in data.get("coupons", []):
                self._load_coupon(coupon)

    def _load_order(self, order: Json, prices: Mapping[int, int]) -> None:
        items = []
        for item in order.get("items", []):
            product = _number(item["productId"])
            price = cents(item["unitPrice"]) if "unitPrice" in item else prices[product]
            items.append((product, int(item["quantity"]), price))
        self.add_order(
            {
                "number": _number(order["id"]),
                "customer": _number(order["customerId"]),
                "status": order.get("status", "paid"),
                "created": moment_from_text(order["createdAt"]),
            },
            items,
            total=cents(order["total"]) if "total" in order else None,
        )

    def _load_coupon(self, coupon: Json) -> None:
        customer = _number(coupon["customerId"])
        registered = self.rows("SELECT registered FROM customers WHERE number = ?", (customer,))[0]["registered"]
        issued = moment_from_text(coupon["issuedAt"]) if "issuedAt" in coupon else registered
        row = {"number": _number(coupon["id"]), "customer": customer, "code": coupon["code"], "issued": issued}
        self.insert("coupons", row)

    def add_order(
        self, order: Mapping[str, object], items: Iterable[tuple[int, int, int]], *, total: int | None = None
    ) -> int:
        """Add an order with its items (product, quantity, unit price in cents) and give its number.

        The total is the sum of the items unless it is given.
        """
        lines = list(items)
        if total is None:
            total = sum(quantity * price for _, quantity, price in lines)
        number = self.insert("orders", {**order, "total": total})
        for position, (product, quantity, price) in enumerate(lines):
            row = {"order": number, "position": position, "product": product}
            self.insert("items", {**row, "quantity": quantity, "unit_price": price})
        return number


def customer_columns(fields: Json) -> dict[str, object]:
    """Turn the fields of a customer that are there into columns."""
    columns: dict[str, object] = {name: fields[name] for name in ("name", "email", "city") if name in fields}
    columns |= {f"{name}_key": search_key(fields[name]) for name in ("name", "email") if name in fields}
    if "registeredAt" in fields:
        columns["registered"] = moment_from_text(fields["registeredAt"])
    return columns


def product_columns(fields: Json) -> dict[str, object]:
    """Turn the fields of a product that are there into columns."""
    columns: dict[str, object] = {name: fields[name] for name in ("sku", "name") if name in fields}
    columns |= {f"{name}_key": search_key(fields[name]) for name in ("sku", "name") if name in fields}
    if "price" in fields:
        columns["price"] = cents(fields["price"])
    if "stock" in fields:
        columns["stock"] = int(fields["stock"])
    return columns


def _number(identifier: str) -> int:
    prefix, _, _ = identifier.partition("_")
    number = id_number(prefix, identifier)
    assert number is not None, "check_data has seen every id"
    return number
