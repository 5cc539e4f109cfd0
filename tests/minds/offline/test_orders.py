# ruff: noqa: E501 (tables are read in rows)
"""Orders that are understood: exactly these writes, and an answer that says what was confirmed."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.minds.offline.documents import listing, path, single, text, thing, tools_of, whole
from tests.minds.offline.world import Rows

ORDERS = [
    ("store", "Create a bucket named demo", [("PUT", "/buckets/demo", {})]),
    ("store", 'create a new bucket called "my demo"', [("PUT", "/buckets/my demo", {})]),
    ("store", "Create a collection named tasks in bucket main", [("PUT", "/buckets/main/collections/tasks", {})]),
    ("store", "In bucket main, create a collection named tasks", [("PUT", "/buckets/main/collections/tasks", {})]),
    ("store", "Delete bucket logs", [("DELETE", "/buckets/logs", None)]),
    ("store", "Delete collection users in bucket main", [("DELETE", "/buckets/main/collections/users", None)]),
    ("store", "创建一个名为demo的桶", [("PUT", "/buckets/demo", {})]),
    ("store", "请帮我在桶main中创建一个名为tasks的集合", [("PUT", "/buckets/main/collections/tasks", {})]),
    ("store", "删除桶logs", [("DELETE", "/buckets/logs", None)]),
    ("tickets", "Create a project named Apollo with key APO and budget 1,200.50",
     [("POST", "/api/v2/projects", {"key": "APO", "budget": Decimal("1200.50"), "name": "Apollo"})]),
    ("tickets", 'Add a comment to ticket 1 with body "Done"', [("POST", "/api/v2/tickets/1/comments", {"body": "Done"})]),
    ("tickets", "Close ticket 1", [("POST", "/api/v2/tickets/1/close", None)]),
    ("tickets", 'Please close the ticket "Slow search"', [("POST", "/api/v2/tickets/2/close", None)]),
    ("tickets", "Close all urgent tickets",
     [("POST", "/api/v2/tickets/1/close", None), ("POST", "/api/v2/tickets/4/close", None)]),
    ("tickets", "Mark ticket 2 as closed", [("PATCH", "/api/v2/tickets/2", {"status": "closed"})]),
    ("tickets", "Set the priority of ticket 2 to low", [("PATCH", "/api/v2/tickets/2", {"priority": "low"})]),
    ("tickets", "Set the status of all open tickets to closed",
     [("PATCH", "/api/v2/tickets/1", {"status": "closed"}), ("PATCH", "/api/v2/tickets/4", {"status": "closed"})]),
    ("tickets", "Delete all archived projects",
     [("DELETE", "/api/v2/projects/8", None), ("DELETE", "/api/v2/projects/9", None)]),
    ("tickets", "关闭工单1", [("POST", "/api/v2/tickets/1/close", None)]),
    ("tickets", "把工单2的优先级设为低", [("PATCH", "/api/v2/tickets/2", {"priority": "low"})]),
    ("library", "Give every gold member a READ5 voucher",
     [("POST", "/vouchers", {"code": "READ5", "memberId": "m1"}), ("POST", "/vouchers", {"code": "READ5", "memberId": "m4"})]),
    ("library", "Find members who joined more than 30 days ago and never borrowed and issue each of them a READ10 voucher",
     [("POST", "/vouchers", {"code": "READ10", "memberId": "m3"}), ("POST", "/vouchers", {"code": "READ10", "memberId": "m4"})]),
    ("library", "Issue a READ10 voucher to Grace Hopper", [("POST", "/vouchers", {"code": "READ10", "memberId": "m1"})]),
    ("library", "Give the member with the most loans a READ10 voucher",
     [("POST", "/vouchers", {"code": "READ10", "memberId": "m1"})]),
    ("library", "找出加入超过30天且从未借阅过的会员，给他们每人发放一张READ10代金券",
     [("POST", "/vouchers", {"code": "READ10", "memberId": "m3"}), ("POST", "/vouchers", {"code": "READ10", "memberId": "m4"})]),
    ("library", "给李雷发一张READ5代金券", [("POST", "/vouchers", {"code": "READ5", "memberId": "m3"})]),
    ("library", 'set the price of "Night Trains" to 13', [("PATCH", "/books/B-1", {"price": 13})]),
    ("library", 'Rename book "Salt" to "Sea Salt"', [("PATCH", "/books/B-2", {"title": "Sea Salt"})]),
    ("library", "Delete all unavailable books", [("DELETE", "/books/B-2", None), ("DELETE", "/books/B-5", None)]),
    ("library", "Delete member Otto Klein", [("DELETE", "/members/m2", None)]),
    ("library", "删除所有不可借的书", [("DELETE", "/books/B-2", None), ("DELETE", "/books/B-5", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("world", "task", "writes"), [pytest.param(*row, id=row[1]) for row in ORDERS])
def test_writes(do, world, task, writes):
    run = do(world, task)
    assert run.writes == writes
    assert run.status == "done"
    assert run.evidence


def test_a_write_that_is_refused_is_said(do):
    run = do("store", "Create a bucket named demo", allow_writes=False)
    assert run.status == "failed"
    assert run.writes == []
    assert "not permitted" in run.answer


def test_replacing_keeps_what_is_not_changed(do):
    """Where there is only PUT, the whole thing is sent with one field changed."""
    run = do("warehouse", "Set the stock of part FLT-01 to 240")
    [(method, path, body)] = run.writes
    assert (method, path) == ("PUT", "/parts/FLT-01")
    assert body["stock"] == 240
    assert body["name"] == "Oil filter"
    assert body["unitPrice"] == Decimal("6.05")


def test_nobody_fits(do):
    run = do("library", "Delete all books with more than 9000 pages")
    assert run.status == "done"
    assert run.writes == []
    assert "nothing was changed" in run.answer


def test_some_writes_fail(do):
    """What the API did not confirm is named, and the run is no success."""
    run = do("tickets", "Delete all archived projects", broken={"/api/v2/projects/9": 409})
    assert run.status == "failed"
    assert "Mobile app" in run.answer
    assert "not to 1: Legacy" in run.answer


def test_the_answer_names_whom_it_reached(do):
    run = do("library", "Give every gold member a READ5 voucher")
    assert run.answer == "Issued READ5 voucher to 2: Grace Hopper, Nia Obi."


def test_what_lies_above_is_looked_up_before_anything_is_made(do):
    run = do("store", "Create a collection named tasks in bucket nowhere")
    assert run.status == "failed"
    assert run.writes == []
    assert run.answer == 'No bucket is called "nowhere".'


LAMP = thing("id name", id=text(), name=text())
WHOLE_LAMP = thing("id name notes", id=text(), name=text(), notes=text())
NEW_LAMP = thing("name", name=text(), notes=text())
LAMPS = tools_of({
    "/lamps": {"get": listing("lamps", LAMP, None)},
    "/lamps/{id}": {"parameters": [path("id")], "get": single("lamp", WHOLE_LAMP), "put": single("putLamp", WHOLE_LAMP, NEW_LAMP)},
    "/lamps/{id}/dim": {"parameters": [path("id")], "post": single("dimLamp", None, thing("level", level=whole()))},
})  # fmt: skip
LAMP_ROWS = {
    "/lamps": Rows([{"id": "l1", "name": "Desk", "notes": "old"}, {"id": "l2", "name": "Floor", "notes": "new"}])
}
LAMP_ROWS["/lamps"].hidden = ("notes",)


def test_replacing_does_not_lose_what_the_list_leaves_out(do):
    run = do("store", 'Rename lamp "Desk" to "Table"', tools=LAMPS, rows=LAMP_ROWS)
    assert run.writes == [("PUT", "/lamps/l1", {"notes": "old", "name": "Table"})]
    assert "/lamps/l1" in run.reads


def test_many_are_not_replaced_when_the_list_leaves_something_out(do):
    run = do("store", 'Set the name of all lamps to "X"', tools=LAMPS, rows=LAMP_ROWS)
    assert run.status == "impossible"
    assert run.writes == []


def test_an_operation_that_needs_more_than_is_said(do):
    run = do("store", "Dim lamp Desk", tools=LAMPS, rows=LAMP_ROWS)
    assert run.status == "impossible"
    assert run.answer == "I cannot do this: 'dim' also needs 'level', which the task does not give."


def test_a_name_is_not_written_where_an_identifier_of_something_else_goes(do):
    loan = thing("bookId", bookId=text())
    tools = tools_of({"/loans": {"get": listing("loans", loan, None), "post": single("createLoan", loan, loan, "201")}})
    run = do("store", "Create a loan named L-1", tools=tools, rows={"/loans": []})
    assert run.status == "impossible"
    assert run.writes == []


def test_what_exists_is_not_replaced(do):
    """A PUT that creates is asked to do so only if there is none; 412 means that there is one."""
    header = {"name": "If-None-Match", "in": "header", "schema": text()}
    item = {"/buckets/{id}": {"parameters": [path("id"), header], "get": single("get_bucket"),
                              "put": single("put_bucket", None, None, "201")},
            "/buckets": {"get": listing("buckets", {"type": "object"}, "data")}}  # fmt: skip
    fresh = do("store", "Create a bucket named demo", tools=tools_of(item))
    assert fresh.turns[0].action.arguments == {"id": "demo", "If-None-Match": "*"}
    taken = do("store", "Create a bucket named main", tools=tools_of(item), broken={"/buckets/main": 412})
    assert taken.answer == 'The bucket "main" exists already; nothing was changed.'


def test_forbidden_is_not_absent(do):
    run = do("store", "Delete bucket secret", broken={"/buckets/secret": 403})
    assert run.status == "failed"
    assert run.answer.startswith('No bucket called "secret" could be read: 403')
