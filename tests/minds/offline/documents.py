# ruff: noqa: E501 (tables are read in rows)
"""Small OpenAPI documents of several domains, written as short as they can be."""

from __future__ import annotations

from typing import Any

from thinkagent.documents import from_dict
from thinkagent.tools import Tool, build_tools

Schema = dict[str, Any]


def text(**more: Any) -> Schema:
    return {"type": "string", **more}


def number(**more: Any) -> Schema:
    return {"type": "number", **more}


def whole(**more: Any) -> Schema:
    return {"type": "integer", **more}


def one_of(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


DATE = text(format="date")
MOMENT = text(format="date-time")
FLAG = {"type": "boolean"}


def thing(required: str, **fields: Schema) -> Schema:
    return {"type": "object", "required": required.split(), "properties": fields}


def answer(schema: Schema | None, status: str = "200") -> dict[str, Any]:
    content = {"content": {"application/json": {"schema": schema}}} if schema is not None else {}
    return {status: {"description": "ok", **content}}


def listing(operation: str, schema: Schema, key: str | None, *filters: str, summary: str = "") -> dict[str, Any]:
    items = {"type": "array", "items": schema}
    body = items if key is None else {"type": "object", "properties": {key: items, "total": whole(), "next": text()}}
    names = (*filters, "page", "limit")
    return {
        "operationId": operation,
        "summary": summary or operation,
        "parameters": [{"name": name, "in": "query", "schema": text() if name not in ("page", "limit") else whole()} for name in names],
        "responses": answer(body),
    }  # fmt: skip


def single(
    operation: str, schema: Schema | None = None, body: Schema | None = None, status: str = "200"
) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": operation, "summary": operation, "responses": answer(schema, status)}
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return found


def path(name: str, schema: Schema | None = None) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema or text()}


def tools_of(paths: dict[str, Any], title: str = "Test") -> tuple[Tool, ...]:
    document = {"openapi": "3.1.0", "info": {"title": title, "version": "1"}, "servers": [{"url": "http://127.0.0.1:9"}],
                "paths": paths}  # fmt: skip
    return build_tools(from_dict(document)).tools


BOOK = thing(
    "id title authorId",
    id=text(),
    title=text(),
    authorId=text(),
    year=whole(),
    pages=whole(),
    price=number(),
    available=FLAG,
    genre=one_of("novel", "poetry", "essay"),
)
AUTHOR = thing("id name", id=text(), name=text(), country=text(), born=DATE)
MEMBER = thing(
    "id name email joinedAt", id=text(), name=text(), email=text(), joinedAt=MOMENT, level=one_of("basic", "gold")
)
LOAN = thing("id bookId memberId borrowedOn", id=text(), bookId=text(), memberId=text(), borrowedOn=DATE, returned=FLAG)
VOUCHER = thing("id memberId code", id=text(), memberId=text(), code=one_of("READ5", "READ10"))

LIBRARY = tools_of({
    "/books": {"get": listing("listBooks", BOOK, "books", "title", "authorId"), "post": single("createBook", BOOK, thing("title authorId", title=text(), authorId=text(), year=whole(), pages=whole()), "201")},
    "/books/{id}": {"parameters": [path("id")], "get": single("getBook", BOOK), "delete": single("deleteBook"),
                    "patch": single("updateBook", BOOK, thing("", title=text(), available=FLAG, price=number()))},
    "/authors": {"get": listing("listAuthors", AUTHOR, "authors", "name")},
    "/authors/{id}": {"parameters": [path("id")], "get": single("getAuthor", AUTHOR)},
    "/members": {"get": listing("listMembers", MEMBER, "members", "name", "email")},
    "/members/{id}": {"parameters": [path("id")], "get": single("getMember", MEMBER), "delete": single("deleteMember")},
    "/loans": {"get": listing("listLoans", LOAN, "loans", "memberId")},
    "/vouchers": {"get": listing("listVouchers", VOUCHER, "vouchers", "memberId"),
                  "post": single("issueVoucher", VOUCHER, thing("memberId code", memberId=text(), code=one_of("READ5", "READ10")), "201")},
})  # fmt: skip

TICKET = thing(
    "id subject status",
    id=whole(),
    subject=text(),
    status=one_of("open", "in_progress", "closed"),
    priority=one_of("low", "high", "urgent"),
    assigneeId=whole(description="id of the agent"),
    projectId=whole(),
    createdAt=MOMENT,
    updatedAt=MOMENT,
    estimate=number(),
)
AGENT = thing("id name", id=whole(), name=text(), email=text(), active=FLAG)
PROJECT = thing(
    "id key name archived", id=whole(), key=text(), name=text(), archived=FLAG, budget=number(), startDate=DATE
)
COMMENT = thing("id body", id=whole(), body=text(), ticketId=whole(), authorId=whole())

TICKETS = tools_of({
    "/api/v2/tickets": {"get": listing("tickets_list", TICKET, "results", "status", "project_id")},
    "/api/v2/tickets/{ticket_id}": {"parameters": [path("ticket_id", whole())], "get": single("tickets_read", TICKET), "patch": single("tickets_update", TICKET, thing("", status=one_of("open", "in_progress", "closed"), priority=one_of("low", "high", "urgent"), subject=text()))},
    "/api/v2/tickets/{ticket_id}/close": {"parameters": [path("ticket_id", whole())], "post": single("tickets_close", TICKET)},
    "/api/v2/tickets/{ticket_id}/comments": {"parameters": [path("ticket_id", whole())], "get": listing("comments_list", COMMENT, "results"), "post": single("comments_create", COMMENT, thing("body", body=text()), "201")},
    "/api/v2/agents": {"get": listing("agents_list", AGENT, "results")},
    "/api/v2/agents/{agent_id}": {"parameters": [path("agent_id", whole())], "get": single("agents_read", AGENT)},
    "/api/v2/projects": {"get": listing("projects_list", PROJECT, "results"), "post": single("projects_create", PROJECT, thing("name key", name=text(), key=text(), budget=number()), "201")},
    "/api/v2/projects/{project_id}": {"parameters": [path("project_id", whole())], "get": single("projects_read", PROJECT), "delete": single("projects_destroy")},
})  # fmt: skip

PART = thing(
    "sku name",
    sku=text(),
    name=text(),
    weightKg=number(),
    stock=whole(),
    unitPrice=number(),
    currency=text(),
    discontinued=FLAG,
    supplier=text(),
    addedOn=DATE,
)
SUPPLIER = thing("code name", code=text(), name=text(), city=text(), country=text())
SHIPMENT = thing(
    "id partSku quantity sentAt",
    id=whole(),
    partSku=text(),
    quantity=whole(),
    sentAt=MOMENT,
    destination=text(),
    state=one_of("packed", "sent", "lost"),
)

WAREHOUSE = tools_of({
    "/parts": {"get": listing("getParts", PART, None, "name")},
    "/parts/{sku}": {"parameters": [path("sku")], "get": single("getPart", PART), "put": single("putPart", PART, PART), "delete": single("deletePart")},
    "/suppliers": {"get": listing("getSuppliers", SUPPLIER, None)},
    "/suppliers/{code}": {"parameters": [path("code")], "get": single("getSupplier", SUPPLIER)},
    "/shipments": {"get": listing("getShipments", SHIPMENT, None), "post": single("postShipment", SHIPMENT, thing("partSku quantity", partSku=text(), quantity=whole(), destination=text()), "201")},
})  # fmt: skip

PARK = thing("id name", id=text(), name=text(), region=text(), area=number(), established=DATE, openToPublic=FLAG)
TRAIL = thing(
    "id name parkId",
    id=text(),
    name=text(),
    parkId=text(),
    length=number(),
    difficulty=one_of("easy", "moderate", "hard"),
)
SIGHTING = thing("id species", id=text(), species=text(), parkId=text(), count=whole(), seenOn=DATE)

PARKS = tools_of({
    "/v1/parks": {"get": listing("parks.list", {"type": "object", "properties": {"data": PARK}} if False else PARK, "data")},
    "/v1/parks/{id}": {"parameters": [path("id")], "get": single("parks.get", {"type": "object", "properties": {"data": PARK}})},
    "/v1/parks/{id}/trails": {"parameters": [path("id")], "get": listing("parks.trails", TRAIL, "data")},
    "/v1/trails": {"get": listing("trails.list", TRAIL, "data")},
    "/v1/trails/{id}": {"parameters": [path("id")], "get": single("trails.get", {"type": "object", "properties": {"data": TRAIL}})},
    "/v1/sightings": {"get": listing("sightings.list", SIGHTING, "data")},
})  # fmt: skip

OBJECT = {"type": "object", "properties": {"data": {"type": "object", "additionalProperties": True}}}

STORE = tools_of({
    "/buckets": {"get": listing("get_buckets", {"type": "object", "additionalProperties": True}, "data"), "post": single("create_bucket", OBJECT, OBJECT, "201")},
    "/buckets/{id}": {"parameters": [path("id")], "get": single("get_bucket", OBJECT), "put": single("update_bucket", OBJECT, OBJECT, "201"), "delete": single("delete_bucket")},
    "/buckets/{bucket_id}/collections": {"parameters": [path("bucket_id")], "get": listing("get_collections", {"type": "object", "additionalProperties": True}, "data"), "post": single("create_collection", OBJECT, OBJECT, "201")},
    "/buckets/{bucket_id}/collections/{id}": {"parameters": [path("bucket_id"), path("id")], "get": single("get_collection", OBJECT), "put": single("update_collection", OBJECT, OBJECT, "201"), "delete": single("delete_collection")},
})  # fmt: skip
