"""The data that the shop holds when no other is given: the same facts whenever it is started."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from thinkagent.values import Json

__all__ = ["seed"]

_CUSTOMERS = (
    ("Grace Okafor", "Lagos"),
    ("Liam Novak", "Prague"),
    ("Sofia Rossi", "Turin"),
    ("Wei Zhang", "Singapore"),
    ("Noah Fischer", "Berlin"),
    ("Priya Nair", "Kochi"),
    ("Alice Chen", "Vancouver"),
    ("Mateo García", "Seville"),
    ("Hannah Berg", "Oslo"),
    ("Omar Haddad", "Amman"),
    ("Chloé Laurent", "Lyon"),
    ("Tomasz Zieliński", "Gdańsk"),
    ("Ingrid Solberg", "Bergen"),
    ("Daniel Mwangi", "Nairobi"),
    ("Yuki Tanaka", "Osaka"),
    ("Emma Lindqvist", "Malmö"),
    ("Lucas Pereira", "Porto"),
    ("Fatima Zahra", "Rabat"),
    ("Jonas Weber", "Berlin"),
    ("Maya Patel", "Leicester"),
    ("Anton Petrov", "Sofia"),
    ("Zoë Müller", "Zurich"),
    ("David Chen", "Toronto"),
    ("Amara Diallo", "Dakar"),
    ("Oscar Nilsson", "Gothenburg"),
    ("Leila Ahmadi", "Hamburg"),
    ("Pavel Dvořák", "Brno"),
    ("Ruth Adeyemi", "Ibadan"),
    ("Marco Bianchi", "Genoa"),
    ("Alice Moreau", "Nantes"),
    ("Kofi Mensah", "Accra"),
    ("Elena Popescu", "Cluj"),
    ("Samuel Ortiz", "Bogotá"),
    ("Nora Haugen", "Trondheim"),
    ("Ivan Horvat", "Zagreb"),
    ("Wei Zhang", "Sydney"),
    ("Clara Jensen", "Aarhus"),
    ("Hugo Martin", "Lille"),
    ("Aisha Khan", "Lahore"),
    ("Felix Braun", "Vienna"),
    ("Beatriz Costa", "Lisbon"),
    ("Erik Johansson", "Uppsala"),
    ("Nadia Benali", "Tunis"),
    ("Peter Kowalski", "Kraków"),
    ("Julia Schmidt", "Berlin"),
    ("Victor Santos", "Recife"),
    ("Mei Tanaka", "Kyoto"),
    ("Simon Dubois", "Ghent"),
    ("Laura Virtanen", "Turku"),
    ("Ahmed Saleh", "Cairo"),
    ("Isabel Torres", "Valencia"),
    ("Nikolai Orlov", "Riga"),
    ("Sarah Cohen", "Haifa"),
    ("Diego Morales", "Lima"),
    ("Linh Tran", "Hanoi"),
    ("Katarina Babić", "Split"),
    ("George Papadakis", "Heraklion"),
    ("Amelia Wright", "Leeds"),
    ("Rafael Mendes", "Braga"),
    ("Freya Sørensen", "Odense"),
)

_PRODUCTS = (
    ("LAMP-01", "Desk Lamp", "39.90", 25),
    ("MUG-07", "Tea Mug", "12.90", 140),
    ("NOTE-03", "Notebook", "6.45", 300),
    ("PEN-12", "Fountain Pen", "28.50", 60),
    ("BAG-05", "Canvas Bag", "24.00", 85),
    ("CHAIR-02", "Office Chair", "189.00", 8),
    ("RUG-08", "Wool Rug", "119.00", 5),
    ("CLK-04", "Wall Clock", "45.75", 32),
    ("POT-09", "Plant Pot", "17.25", 74),
    ("CUP-06", "Coffee Cup", "9.80", 0),
    ("BRD-11", "Cutting Board", "32.60", 41),
    ("BLK-10", "Wool Blanket", "79.95", 19),
)

_NEVER_ORDERED = {3, 12, 28, 47, 49, 56, 60}
_DAYS_OF_THE_LATEST = (36, 33, 27, 24, 21, 19, 17, 15, 12, 9, 7, 5, 3, 1)

_ALICE = 7
_ALICE_CANCELLED = {4, 17, 29}
# (product, quantity) of each order; the 34 totals add up to 2090.15, on average 61.475.
_ALICE_ORDERS = (
    *((3, 2), (4, 3), (10, 1), (1, 1), (12, 3), (4, 2), (10, 1), (5, 3), (3, 2), (12, 3), (8, 2), (3, 2)),
    *((2, 1), (3, 1), (11, 1), (8, 3), (11, 2), (1, 1), (11, 1), (3, 1), (1, 2), (10, 3), (5, 2), (8, 2)),
    *((10, 3), (4, 3), (9, 1), (7, 2), (11, 3), (10, 3), (10, 3), (2, 2), (3, 1), (11, 2)),
)

_COUPONS = ((5, "WELCOME10"), (7, "VIP20"), (12, "SORRY5"), (20, "VIP20"), (33, "WELCOME10"), (49, "SORRY5"))


def seed(now: datetime) -> Json:
    """Give the default data, as `load_data` would from a file; every date is a fixed time before `now`.

    60 customers, 12 products, 168 orders and 6 coupons. Nobody registered between 28 and 32 days ago, so what "30
    days ago" means to the hour does not matter.
    """
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        "customers": [_customer(number, midnight) for number in range(1, len(_CUSTOMERS) + 1)],
        "products": [
            {"id": f"prd_{number}", "sku": sku, "name": name, "price": Decimal(price), "stock": stock}
            for number, (sku, name, price, stock) in enumerate(_PRODUCTS, 1)
        ],
        "orders": _orders(midnight),
        "coupons": [
            {
                "id": f"cpn_{number}",
                "customerId": f"cus_{customer}",
                "code": code,
                "issuedAt": _time(midnight, _days_since_registration(customer) - 1, 7 * 60 + number),
            }
            for number, (customer, code) in enumerate(_COUPONS, 1)
        ],
    }


def _time(midnight: datetime, days: int, minutes: int) -> str:
    moment = midnight - timedelta(days=days) + timedelta(minutes=minutes)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _days_since_registration(customer: int) -> int:
    if customer <= 46:
        return 428 - 8 * customer
    return _DAYS_OF_THE_LATEST[customer - 47]


def _customer(number: int, midnight: datetime) -> Json:
    name, city = _CUSTOMERS[number - 1]
    earlier = sum(known == name for known, _ in _CUSTOMERS[: number - 1])
    ascii_name = unicodedata.normalize("NFKD", name.replace("ø", "o")).encode("ascii", "ignore").decode()
    mailbox = ascii_name.lower().replace(" ", ".") + (str(earlier + 1) if earlier else "")
    return {
        "id": f"cus_{number}",
        "name": name,
        "email": f"{mailbox}@example.com",
        "city": city,
        "registeredAt": _time(midnight, _days_since_registration(number), 8 * 60 + number * 37 % 600),
    }


@dataclass(frozen=True, slots=True)
class _Placed:
    days: int
    """How many days before today."""
    minutes: int
    customer: int
    index: int
    """Which of the customer's orders, the earliest is 0."""
    basket: tuple[tuple[int, int], ...]


def _orders(midnight: datetime) -> list[Json]:
    placed = [
        _Placed(_days_of_order(customer, index, len(baskets)), 19 * 60 + customer * 3 + index, customer, index, basket)
        for customer in range(1, len(_CUSTOMERS) + 1)
        if customer not in _NEVER_ORDERED
        for baskets in [_baskets(customer)]
        for index, basket in enumerate(baskets)
    ]
    placed.sort(key=lambda order: (-order.days, order.minutes, order.customer))
    return [_order(number, order, midnight) for number, order in enumerate(placed, 1)]


def _order(number: int, order: _Placed, midnight: datetime) -> Json:
    return {
        "id": f"ord_{number}",
        "customerId": f"cus_{order.customer}",
        "status": _status(order),
        "items": [
            {"productId": f"prd_{product}", "quantity": quantity, "unitPrice": Decimal(_PRODUCTS[product - 1][2])}
            for product, quantity in order.basket
        ],
        "createdAt": _time(midnight, order.days, order.minutes),
    }


def _days_of_order(customer: int, index: int, count: int) -> int:
    """Spread a customer's orders evenly over the time since the registration, yesterday at the latest."""
    return max(1, _days_since_registration(customer) * (count - index) // (count + 1))


def _baskets(customer: int) -> list[tuple[tuple[int, int], ...]]:
    """Give the (product number, quantity) pairs of each order of a customer, the earliest first."""
    if customer == _ALICE:
        return [(pair,) for pair in _ALICE_ORDERS]
    return [_basket(customer, order) for order in range(1 + customer * 7 % 4 if customer % 13 else 2)]


def _basket(customer: int, order: int) -> tuple[tuple[int, int], ...]:
    first = (customer * 5 + order * 3) % len(_PRODUCTS) + 1
    second = (customer + order * 7) % len(_PRODUCTS) + 1
    main = (first, 1 + (customer + order) % 3)
    return (main, (second, 1)) if second != first and (customer + order) % 3 == 0 else (main,)


def _status(order: _Placed) -> str:
    if order.customer == _ALICE:
        is_cancelled = order.index in _ALICE_CANCELLED
    else:
        is_cancelled = (order.customer * 3 + order.index) % 11 == 5
    if is_cancelled:
        return "cancelled"
    if order.days <= 3:
        return "pending"
    return "paid" if order.days <= 14 else "shipped"
