# ruff: noqa: E501 (tables are read in rows)
"""Where an answer could be wrong there is none: each row was answered or written wrongly once, or nearly."""

from __future__ import annotations

import pytest

from tests.minds.offline.data import LIBRARY_ROWS, PARK_ROWS, TICKET_ROWS
from tests.minds.offline.documents import DATE, LIBRARY, PARKS, TICKETS, listing, text, thing, tools_of, whole
from tests.minds.offline.doubtful import BANK, BANK_ROWS, OFFICE, OFFICE_ROWS

WORLDS = {"office": (OFFICE, OFFICE_ROWS), "bank": (BANK, BANK_ROWS), "library": (LIBRARY, LIBRARY_ROWS),
          "parks": (PARKS, PARK_ROWS), "tickets": (TICKETS, TICKET_ROWS)}  # fmt: skip


@pytest.fixture
def ask(do):
    def ask(world, task):
        tools, rows = WORLDS[world]
        return do("library", task, tools=tools, rows=rows)

    return ask


RIGHT = [
    ("office", "What is Ana Li's salary?", "The salary of Ana Li is 5000."),
    ("office", "How many employees were hired last month?", "1 employee was hired last month."),
    ("office", "How many employees left last month?", "0 employees left last month."),
    ("office", "Who is the youngest employee?", "It is Bo Li (birthDate: 1990-05-05)."),
    ("office", "Show room 7", "room Blue"),
    ("office", "How many bookings start today?", "2 bookings start today."),
    ("office", "What is the total cost of all bookings?", "is 30 (2 counted, in EUR, 1 of them with the state 'cancelled')."),
    ("office", "Which bookings end after 2026-11-30?", "No bookings end after 2026-11-30."),
    ("office", "容量不超过4的房间有几个？", "容量不超过4的房间有2个。"),
    ("office", "上周发布了多少篇文章？", "上周发布的文章有1篇。"),
    ("office", "Which task has the lowest priority?", "It is Sales (priority: 1)."),
    ("parks", "What is the total count of sightings?", "is 4 (2 counted)."),
    ("bank", "How many accounts are not active?", "2 accounts are not active."),
    ("bank", "How many accounts were created in October 2026?", "0 accounts were created in October 2026."),
    ("bank", "What is the total balance of all accounts?", "is -800.00 (3 counted)."),
    ("bank", "Which account has the lowest balance?", "It is Suspended (balance: -1000)."),
    ("bank", "What is the total of all payments?", "is 60 (3 counted, in EUR, 1 of them with the state 'refunded')."),
    ("bank", "How many purchase orders are there?", "There are 2 purchase orders."),
    ("bank", "How many failed payments does Zed have?", "Zed has 1 failed payment."),
    ("bank", "Which invoice has the highest total?", "It is i2 (total: 200)."),
]  # fmt: skip


@pytest.mark.parametrize(("world", "task", "said"), [pytest.param(*row, id=row[1]) for row in RIGHT])
def test_what_is_sure_is_answered(ask, world, task, said):
    run = ask(world, task)
    assert run.status == "done", run.answer
    assert said in run.answer


DOUBTFUL = [
    # a name that is another's identifier
    ("office", "What is the capacity of Room 5?", "Room 2 (5); Room 5 (2)"),
    ("office", "Show room 2", "Room 2 (5); Room 5 (2)"),
    ("office", "How many bookings does room 5 have?", "Room 2 (5); Room 5 (2)"),
    ("office", "5号房间的容量是多少？", "Room 2 (5); Room 5 (2)"),
    # the newest is not the youngest
    ("office", "Who is the newest employee?", ""),
    ("office", "Which is the newest room?", ""),
    ("library", "Who is the oldest member?", ""),
    ("library", "最老的会员是谁？", ""),
    # values that are not there, and units that differ
    ("bank", "How many accounts are not verified?", "Not every account says 'verified'"),
    ("bank", "How many unverified accounts are there?", "Not every account says 'verified'"),
    ("bank", "Which shipments are heavier than 100?", "different units"),
    ("bank", "Which shipment is the heaviest?", "different units"),
    ("office", "Which employee has the highest salary?", "different units"),
    ("office", "去年没有发布的文章有几篇？", ""),
    # two of a kind
    ("bank", "How many accounts are in Lyon?", ""),
    ("bank", "Delete all accounts in Lyon", ""),
    ("bank", "What is the city of Acme?", ""),
    ("office", "How many tasks are done?", "done=True"),
    ("office", "Mark all tasks as done", "task.state"),
    ("office", "Delete all done tasks", "state=done"),
    ("bank", "How many purchases are there?", ""),
    ("bank", "How many shipments does Acme have?", ""),
    ("bank", "What is the total due of all invoices?", ""),
    # times that are no beginning
    ("bank", "How many shipments were there last month?", ""),
    ("office", "How many bookings are there today?", ""),
    ("office", "今天有多少个预订？", ""),
    # orders that are none, and values that no field takes
    ("tickets", "Close tickets", ""),
    ("tickets", "Archive projects", ""),
    ("office", "Delete task 1?", "a question is no order"),
    ("office", "删除任务1？", "提问不是"),
    ("office", "Do not delete task 1", ""),
    ("office", "Delete task 1 and 2", ""),
    ("office", "Delete all tasks except Sales", "except"),
    ("office", "Set the due date of Sales to 2026-13-01", "'dueDate' takes YYYY-MM-DD"),
    ("office", "Set the due date of Sales to tomorrow", "'dueDate' takes YYYY-MM-DD"),
    ("office", "Set Ana Li's salary to 5k", "'salary' takes number"),
    ("office", "Delete the employee Li", "Ana Li; Bo Li"),
]  # fmt: skip


@pytest.mark.parametrize(("world", "task", "said"), [pytest.param(*row, id=row[1]) for row in DOUBTFUL])
def test_what_is_in_doubt_is_not_answered(ask, world, task, said):
    run = ask(world, task)
    assert run.status in ("impossible", "failed")
    assert run.writes == []
    assert said in run.answer


@pytest.mark.parametrize(
    ("task", "write"),
    [
        ("Could you delete task 1?", ("DELETE", "/tasks/1", None)),
        ("能不能删除任务1？", ("DELETE", "/tasks/1", None)),
        ("把Sales的截止日期设为2026年12月24日", ("PATCH", "/tasks/1", {"dueDate": "2026-12-24"})),
        ("Set the due date of Sales to 2026-12-24", ("PATCH", "/tasks/1", {"dueDate": "2026-12-24"})),
        ("Delete all tasks without a due date", ("DELETE", "/tasks/3", None)),
        ("Mark Ana Li as inactive", ("PATCH", "/employees/1", {"active": False})),
    ],
)
def test_what_is_sure_is_written(ask, task, write):
    run = ask("office", task)
    assert run.status == "done"
    assert run.writes == [write]


def lamps(*parameters):
    operation = listing("lamps", thing("id", id=text(), brokenOn=DATE, soldOn=DATE), None)
    operation["parameters"] = [{"name": name, "in": "query", "schema": schema} for name, schema in parameters]
    return tools_of({"/lamps": {"get": operation}})


@pytest.mark.parametrize(
    ("parameters", "rows", "status"),
    [
        pytest.param([("limit", whole())], 20, "failed", id="a-usual-limit"),
        pytest.param([("limit", whole())], 21, "done", id="no-usual-limit"),
        pytest.param([("limit", whole(default=7))], 7, "failed", id="the-default"),
        pytest.param([("limit", whole(default=7))], 20, "done", id="above-the-default"),
        pytest.param([("max_results", whole(maximum=4))], 4, "failed", id="the-maximum"),
        pytest.param([("limit", whole(default=7)), ("offset", whole())], 7, "done", id="with-pages"),
        pytest.param([("colour", text())], 20, "done", id="no-limit"),
    ],
)
def test_a_list_as_long_as_its_limit(do, parameters, rows, status):
    """Where only a limit can be set and the list is just as long, nobody says that this is all."""
    found = [{"id": str(number)} for number in range(rows)]
    run = do("library", "How many lamps are there?", tools=lamps(*parameters), rows={"/lamps": found})
    assert run.status == status


@pytest.mark.parametrize(
    ("values", "status", "said"),
    [
        (["2026-01-01", None, ""], "done", "1 lamp was sold before 2026-06-01."),
        (["2026-01-01", "unknown"], "failed", "did not work"),
        (["2026-01-01", "2026-05-31", "2026-06-01"], "done", "2 lamps were sold before 2026-06-01."),
    ],
)
def test_a_date_that_is_none(do, values, status, said):
    """An empty text is no early date, and what is no date at all compares with nothing."""
    rows = [{"id": str(number), "soldOn": value} for number, value in enumerate(values)]
    run = do("library", "How many lamps were sold before 2026-06-01?", tools=lamps(), rows={"/lamps": rows})
    assert run.status == status
    assert said in run.answer
