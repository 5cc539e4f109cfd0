# ruff: noqa: E501 (tables are read in rows)
"""Rows for the documents of `documents.py`."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

Rows = list[dict[str, Any]]


def _book(
    number: int, title: str, author: str, year: int, pages: int, price: str, available: bool, genre: str
) -> dict[str, Any]:
    return {
        "id": f"B-{number}",
        "title": title,
        "authorId": author,
        "year": year,
        "pages": pages,
        "price": Decimal(price),
        "available": available,
        "genre": genre,
    }


LIBRARY_ROWS: dict[str, Rows] = {
    "/books": [
        _book(1, "Night Trains", "a1", 1999, 320, "12.50", True, "novel"),
        _book(2, "Salt", "a1", 2003, 210, "9.90", False, "novel"),
        _book(3, "Small Songs", "a2", 2011, 88, "7.25", True, "poetry"),
        _book(4, "On Maps", "a3", 2015, 455, "21.00", True, "essay"),
        _book(5, "The Quiet Harbour", "a1", 2020, 455, "15.35", False, "novel"),
        _book(6, "Ash and Elm", "a1", 2021, 150, "11.00", True, "poetry"),
    ],
    "/authors": [
        {"id": "a1", "name": "Ada Quill", "country": "Ireland", "born": "1961-04-02"},
        {"id": "a2", "name": "Tomás Vega", "country": "Chile", "born": "1975-09-30"},
        {"id": "a3", "name": "Mei Lin", "country": "Ireland", "born": "1988-01-11"},
        {"id": "a4", "name": "王小明", "country": "China", "born": "1990-07-07"},
    ],
    "/members": [
        {"id": "m1", "name": "Grace Hopper", "email": "grace@example.org", "joinedAt": "2026-01-05T09:00:00Z", "level": "gold"},
        {"id": "m2", "name": "Otto Klein", "email": "otto@example.org", "joinedAt": "2026-11-20T09:00:00Z", "level": "basic"},
        {"id": "m3", "name": "李雷", "email": "lilei@example.org", "joinedAt": "2026-03-05T09:00:00Z", "level": "basic"},
        {"id": "m4", "name": "Nia Obi", "email": "nia@example.org", "joinedAt": "2026-09-05T09:00:00Z", "level": "gold"},
        {"id": "m5", "name": "Otto Brandt", "email": "brandt@example.org", "joinedAt": "2025-02-05T09:00:00Z", "level": "basic"},
    ],
    "/loans": [
        {"id": "l1", "bookId": "B-1", "memberId": "m1", "borrowedOn": "2026-11-25", "returned": False},
        {"id": "l2", "bookId": "B-3", "memberId": "m1", "borrowedOn": "2026-02-01", "returned": True},
        {"id": "l3", "bookId": "B-3", "memberId": "m5", "borrowedOn": "2025-12-24", "returned": True},
    ],
    "/vouchers": [],
}  # fmt: skip

TICKET_ROWS: dict[str, Rows] = {
    "/api/v2/tickets": [
        {"id": 1, "subject": "Login fails", "status": "open", "priority": "urgent", "assigneeId": 11, "projectId": 7, "createdAt": "2026-11-28T10:00:00Z", "updatedAt": "2026-11-29T10:00:00Z", "estimate": Decimal("2.5")},
        {"id": 2, "subject": "Slow search", "status": "in_progress", "priority": "high", "assigneeId": 11, "projectId": 8, "createdAt": "2026-11-01T10:00:00Z", "updatedAt": "2026-11-29T10:00:00Z", "estimate": 8},
        {"id": 3, "subject": "Typo", "status": "closed", "priority": "low", "assigneeId": 12, "projectId": 7, "createdAt": "2026-10-01T10:00:00Z", "updatedAt": "2026-11-29T10:00:00Z"},
        {"id": 4, "subject": "Crash on start", "status": "open", "priority": "urgent", "assigneeId": None, "projectId": 7, "createdAt": "2026-06-01T10:00:00Z", "updatedAt": "2026-11-29T10:00:00Z", "estimate": 3},
    ],
    "/api/v2/agents": [
        {"id": 11, "name": "Bob Stone", "email": "bob@example.org", "active": True},
        {"id": 12, "name": "Ann Lee", "email": "ann@example.org", "active": False},
        {"id": 13, "name": "Zoe Fox", "active": True},
    ],
    "/api/v2/projects": [
        {"id": 7, "key": "WEB", "name": "Website", "archived": False, "budget": 1200, "startDate": "2026-01-01"},
        {"id": 8, "key": "APP", "name": "Mobile app", "archived": True, "budget": Decimal("800.50"), "startDate": "2025-01-01"},
        {"id": 9, "key": "OLD", "name": "Legacy", "archived": True, "budget": 100, "startDate": "2020-01-01"},
    ],
    "/api/v2/tickets/1/comments": [{"id": 1, "body": "Same here", "authorId": 12}, {"id": 2, "body": "Fixed", "authorId": 11}],
    "/api/v2/tickets/2/comments": [],
}  # fmt: skip

WAREHOUSE_ROWS: dict[str, Rows] = {
    "/parts": [
        {"sku": "BRK-77", "name": "Brake disc", "weightKg": Decimal("4.2"), "stock": 12, "unitPrice": Decimal("39.90"), "currency": "EUR", "discontinued": False, "supplier": "ACM", "addedOn": "2025-05-01"},
        {"sku": "FLT-01", "name": "Oil filter", "weightKg": Decimal("0.4"), "stock": 250, "unitPrice": Decimal("6.05"), "currency": "EUR", "discontinued": False, "supplier": "NRD", "addedOn": "2026-11-02"},
        {"sku": "BLT-09", "name": "Bolt", "weightKg": Decimal("0.02"), "stock": 9000, "unitPrice": Decimal("0.11"), "currency": "EUR", "discontinued": True, "supplier": "ACM", "addedOn": "2024-05-01"},
    ],
    "/suppliers": [
        {"code": "ACM", "name": "Acme Metal", "city": "Lyon", "country": "France"},
        {"code": "NRD", "name": "Nordfil", "city": "Bergen", "country": "Norway"},
        {"code": "XYZ", "name": "Xylo", "city": "Lyon", "country": "France"},
    ],
    "/shipments": [
        {"id": 1, "partSku": "FLT-01", "quantity": 20, "sentAt": "2026-11-29T08:00:00+02:00", "destination": "Oslo", "state": "sent"},
        {"id": 2, "partSku": "BRK-77", "quantity": 2, "sentAt": "2026-11-01T08:00:00Z", "destination": "Rome", "state": "lost"},
    ],
}  # fmt: skip

PARK_ROWS: dict[str, Rows] = {
    "/v1/parks": [
        {"id": "p1", "name": "Elm Park", "region": "North", "area": Decimal("12.5"), "established": "1901-05-01", "openToPublic": True},
        {"id": "p2", "name": "Grand Fen", "region": "South", "area": 880, "established": "1971-05-01", "openToPublic": True},
        {"id": "p3", "name": "Hollow Hill", "region": "North", "area": 44, "established": "2015-05-01", "openToPublic": False},
    ],
    "/v1/trails": [
        {"id": "t1", "name": "Ridge Walk", "parkId": "p2", "length": Decimal("7.4"), "difficulty": "hard"},
        {"id": "t2", "name": "Lake Loop", "parkId": "p2", "length": Decimal("3.1"), "difficulty": "easy"},
        {"id": "t3", "name": "Mill Path", "parkId": "p1", "length": Decimal("2.2"), "difficulty": "easy"},
        {"id": "t4", "name": "Crow Climb", "parkId": "p2", "length": Decimal("9.1"), "difficulty": "hard"},
    ],
    "/v1/sightings": [
        {"id": "s1", "species": "Grey heron", "parkId": "p2", "count": 3, "seenOn": "2026-11-29"},
        {"id": "s2", "species": "Otter", "parkId": "p2", "count": 1, "seenOn": "2026-01-29"},
    ],
}  # fmt: skip

STORE_ROWS: dict[str, Rows] = {
    "/buckets": [{"id": "main", "last_modified": 5}, {"id": "logs", "last_modified": 6}],
    "/buckets/main/collections": [{"id": "users", "last_modified": 1}],
    "/buckets/logs/collections": [],
}
