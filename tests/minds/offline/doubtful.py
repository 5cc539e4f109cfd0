# ruff: noqa: E501 (tables are read in rows)
"""Two documents and rows in which much can be mistaken: near names, missing values, units, times, things in pairs."""

# fmt: off
from __future__ import annotations

from typing import Any

from tests.minds.offline.documents import (
    DATE,
    FLAG,
    MOMENT,
    listing,
    number,
    one_of,
    path,
    single,
    text,
    thing,
    tools_of,
    whole,
)

EMP = thing("id firstName lastName", id=whole(), firstName=text(), lastName=text(), department=text(), managerId=whole(), salary=number(), currency=text(), hiredOn=DATE, leftOn=DATE, birthDate=DATE, active=FLAG, weeklyHours=number())
TASK = thing("id title", id=whole(), title=text(), dueDate=DATE, assigneeId=whole(), ownerId=whole(), done=FLAG, priority=whole(), points=number(), state=one_of("todo", "doing", "done", "not_started"))
ROOM = thing("id name", id=whole(), name=text(), capacity=whole(), floor=whole(), area_m2=number(), temperature_f=number())
BOOKING = thing("id roomId startsAt", id=whole(), roomId=whole(), bookedBy=whole(), startsAt=MOMENT, endsAt=MOMENT, createdAt=MOMENT, cancelled=FLAG, cost=number(), currency=text())
POST = thing("id title", id=whole(), title=text(), author=text(), publishedAt=MOMENT, deletedAt=MOMENT, views=whole(), likes=whole(), tags={"type": "array", "items":text()}, draft=FLAG)
OFFICE = tools_of({
    "/employees": {"get":listing("listEmployees", EMP, "employees")}, "/employees/{id}": {"parameters": [path("id", whole())], "get":single("getEmployee", EMP), "delete":single("deleteEmployee"), "patch":single("patchEmployee", EMP, thing("", salary=number(), active=FLAG, department=text()))},
    "/tasks": {"get":listing("listTasks", TASK, "tasks"), "post":single("createTask", TASK, thing("title", title=text(), dueDate=DATE, assigneeId=whole(), points=number()), "201")}, "/tasks/{id}": {"parameters": [path("id", whole())], "get":single("getTask", TASK), "delete":single("deleteTask"), "patch":single("patchTask", TASK, thing("", done=FLAG, dueDate=DATE, title=text(), points=number(), state=one_of("todo", "doing", "done", "not_started")))},
    "/rooms": {"get":listing("listRooms", ROOM, "rooms")}, "/rooms/{id}": {"parameters": [path("id", whole())], "get":single("getRoom", ROOM)},
    "/bookings": {"get":listing("listBookings", BOOKING, "bookings", "roomId")},
    "/posts": {"get":listing("listPosts", POST, "posts")}, "/posts/{id}": {"parameters": [path("id", whole())], "get":single("getPost", POST)},
})
OFFICE_ROWS: dict[str, Any] = {
"/employees": [
 {"id": 1, "firstName": "Ana", "lastName": "Li", "department": "Sales", "managerId": None, "salary": 5000, "currency": "EUR", "hiredOn": "2020-01-01", "leftOn": None, "birthDate": "1980-05-05", "active": True, "weeklyHours": 40},
 {"id": 2, "firstName": "Bo", "lastName": "Li", "department": "Sales", "managerId": 1, "salary": 4000, "currency": "USD", "hiredOn": "2026-10-10", "leftOn": None, "birthDate": "1990-05-05", "active": True, "weeklyHours": 20},
 {"id": 3, "firstName": "Cy", "lastName": "Ray", "department": "Operations", "managerId": 1, "salary": None, "currency": "EUR", "hiredOn": None, "leftOn": "2026-11-01", "birthDate": "1970-05-05", "active": False, "weeklyHours": None},
],
"/tasks": [
 {"id": 1, "title": "Sales", "dueDate": "2026-11-29", "assigneeId": 2, "ownerId": 1, "done": False, "priority": 1, "points": 3, "state": "todo"},
 {"id": 2, "title": "Write report", "dueDate": "2026-12-05", "assigneeId": 1, "ownerId": 2, "done": True, "priority": 3, "points": 5, "state": "done"},
 {"id": 3, "title": "Done", "dueDate": None, "assigneeId": None, "ownerId": 1, "done": False, "priority": 2, "points": None, "state": "not_started"},
],
"/rooms": [{"id": 5, "name": "Room 2", "capacity": 10, "floor": 1, "area_m2": 20, "temperature_f": 70}, {"id": 2, "name": "Room 5", "capacity": 4, "floor": 2, "area_m2": 12, "temperature_f": 65}, {"id": 7, "name": "Blue", "capacity": 4, "floor": 2, "area_m2": 12, "temperature_f": 65}],
"/bookings": [
 {"id": 1, "roomId": 5, "bookedBy": 1, "startsAt": "2026-11-29T23:30:00-05:00", "endsAt": "2026-11-30T01:00:00-05:00", "createdAt": "2026-11-01T00:00:00Z", "cancelled": False, "cost": 10, "currency": "EUR"},
 {"id": 2, "roomId": 2, "bookedBy": 2, "startsAt": "2026-11-30T08:00:00Z", "endsAt": "2026-11-30T09:00:00Z", "createdAt": "2026-11-30T00:00:00Z", "cancelled": True, "cost": 20, "currency": "EUR"},
],
"/posts": [{"id": 1, "title": "Hello", "author": "Ana Li", "publishedAt": "2026-11-29T10:00:00Z", "deletedAt": None, "views": 10, "likes": 3, "tags": ["a", "b"], "draft": False},
 {"id": 2, "title": "World", "author": "Bo Li", "publishedAt": None, "deletedAt": None, "views": 100, "likes": 1, "tags": ["b"], "draft": True},
 {"id": 3, "title": "Tags", "author": "Ana Li", "publishedAt": "2025-11-29T10:00:00Z", "deletedAt": "2026-01-01T00:00:00Z", "views": 0, "likes": 0, "tags": [], "draft": False}],
}

ADDR = {"type": "object", "properties": {"city":text(), "country":text(), "zip":text()}}
ACC = thing("id name", id=text(), name=text(), status=one_of("active", "inactive", "suspended"), type=one_of("personal", "business"), address=ADDR, billingAddress=ADDR, balance=text(format="decimal"), creditLimit=number(), createdAt=MOMENT, closedAt=MOMENT, verified=FLAG)
PAY = thing("id accountId amount", id=text(), accountId=text(), amount=number(), fee=number(), refundedAmount=number(), currency=text(), status=one_of("pending", "succeeded", "failed", "refunded"), createdAt=MOMENT, method=one_of("card", "cash", "bank"))
SHIP = thing("id", id=text(), senderAccountId=text(), recipientAccountId=text(), weight=thing("", value=number(), unit=text()), shippedAt=MOMENT, deliveredAt=MOMENT, items={"type": "array", "items":thing("sku quantity", sku=text(), quantity=whole())}, itemCount=whole(), paymentId=text())
INV = thing("id number", id=text(), number=text(), total=number(), totalDue=number(), tax=number(), paid=FLAG, dueDate=DATE, issuedOn=DATE, accountId=text())
ITEM = thing("id", id=text(), invoiceId=text(), name=text(), quantity=whole(), price=number())
BANK = tools_of({
    "/accounts": {"get":listing("listAccounts", ACC, "data")}, "/accounts/{id}": {"parameters": [path("id")], "get":single("getAccount", ACC), "delete":single("deleteAccount")},
    "/payments": {"get":listing("listPayments", PAY, "data", "accountId")},
    "/shipments": {"get":listing("listShipments", SHIP, "data")},
    "/invoices": {"get":listing("listInvoices", INV, "data")},
    "/invoice-items": {"get":listing("listInvoiceItems", ITEM, "data")},
    "/orders": {"get":listing("listOrders", thing("id name", id=text(), name=text(), total=number()), "data")},
    "/purchase-orders": {"get":listing("listPurchaseOrders", thing("id name", id=text(), name=text(), total=number()), "data")},
})
BANK_ROWS: dict[str, Any] = {"/accounts": [
 {"id": "a1", "name": "Acme", "status": "active", "type": "business", "address": {"city": "Paris", "country": "France", "zip": "75001"}, "billingAddress": {"city": "Lyon", "country": "France", "zip": "69001"}, "balance": "100.50", "creditLimit": 1000, "createdAt": "2026-11-01T00:00:00Z", "closedAt": None, "verified": True},
 {"id": "a2", "name": "Zed", "status": "inactive", "type": "personal", "address": {"city": "Lyon", "country": "France", "zip": "69002"}, "billingAddress": None, "balance": "99.5", "creditLimit": None, "createdAt": "2025-11-01T00:00:00Z", "closedAt": "2026-01-01T00:00:00Z", "verified": False},
 {"id": "a3", "name": "Suspended", "status": "suspended", "type": "personal", "address": None, "billingAddress": None, "balance": "-1000", "creditLimit": 5, "createdAt": "2026-10-31T23:30:00-05:00", "closedAt": None, "verified": None}],
"/payments": [
 {"id": "p1", "accountId": "a1", "amount": 10, "fee": 1, "refundedAmount": 0, "currency": "EUR", "status": "succeeded", "createdAt": "2026-11-30T00:00:00Z", "method": "card"},
 {"id": "p2", "accountId": "a1", "amount": 20, "fee": 2, "refundedAmount": 20, "currency": "EUR", "status": "refunded", "createdAt": "2026-11-29T00:00:00Z", "method": "cash"},
 {"id": "p3", "accountId": "a2", "amount": 30, "fee": 3, "refundedAmount": 0, "currency": "EUR", "status": "failed", "createdAt": "2026-10-29T00:00:00Z", "method": "card"}],
"/shipments": [{"id": "s1", "senderAccountId": "a1", "recipientAccountId": "a2", "weight": {"value": 2, "unit": "kg"}, "shippedAt": "2026-11-29T00:00:00Z", "deliveredAt": None, "items": [{"sku": "x", "quantity": 2}], "itemCount": 2, "paymentId": "p1"},
 {"id": "s2", "senderAccountId": "a2", "recipientAccountId": "a1", "weight": {"value": 500, "unit": "g"}, "shippedAt": "2026-10-29T00:00:00Z", "deliveredAt": "2026-11-01T00:00:00Z", "items": [], "itemCount": 0, "paymentId": None}],
"/invoices": [{"id": "i1", "number": "2026-001", "total": 100, "totalDue": 50, "tax": 20, "paid": False, "dueDate": "2026-11-15", "issuedOn": "2026-10-15", "accountId": "a1"}, {"id": "i2", "number": "2026-002", "total": 200, "totalDue": 0, "tax": 40, "paid": True, "dueDate": "2026-12-15", "issuedOn": "2026-11-15", "accountId": "a1"}],
"/invoice-items": [{"id": "1", "invoiceId": "i1", "name": "Pen", "quantity": 3, "price": 2}, {"id": "2", "invoiceId": "i1", "name": "Ink", "quantity": 1, "price": 5}],
"/orders": [{"id": "1", "name": "o", "total": 1}], "/purchase-orders": [{"id": "1", "name": "p", "total": 1}, {"id": "2", "name": "q", "total": 2}],
}
