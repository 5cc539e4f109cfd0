"""Runs that between them show all that a terminal is told: a small library, in memory, and what a model says to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

from thinkagent.run.world import Permission
from thinkagent.values import read_json, write_json

__all__ = ["DOCUMENT", "SCENES", "Scene", "answer"]

TITLES = ("Night Trains", "The Salt Road", "夜航西飞与其他旅行故事", "A Field Guide to Fog")
BOOKS = [{"id": f"b{number}", "title": title, "pages": 100 + 40 * number} for number, title in enumerate(TITLES, 1)]
LOANS = [{"id": f"l{number}", "bookId": "b1", "reader": reader} for number, reader in enumerate("ADFMOT", 1)]


def _operation(name: str, summary: str, result: Any, *, body: tuple[str, ...] = (), **places: str) -> dict[str, Any]:
    parameters = [
        {"name": parameter, "in": place, "required": place == "path", "schema": {"type": "string"}}
        for parameter, place in places.items()
    ]
    answers = {"200": {"description": "ok", "content": {"application/json": {"schema": result}}}}
    operation = {"operationId": name, "summary": summary, "parameters": parameters, "responses": answers}
    if body:
        fields = {"type": "object", "required": list(body), "properties": {one: {"type": "string"} for one in body}}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": fields}}}
    return operation


_ROW = {"type": "object", "properties": {"id": {"type": "string"}}}
_ROWS = {"type": "array", "items": _ROW}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Library", "version": "1"},
    "servers": [{"url": "http://library.test/v1"}],
    "paths": {
        "/books": {"get": _operation("listBooks", "List books", _ROWS, title="query")},
        "/books/{id}": {"get": _operation("getBook", "One book", _ROW, id="path")},
        "/loans": {
            "get": _operation("listLoans", "List loans", _ROWS, bookId="query"),
            "post": _operation("lendBook", "Lend a book", _ROW, body=("bookId", "reader")),
        },
        "/loans/{id}": {"delete": _operation("endLoan", "End a loan", _ROW, id="path")},
        "/reminders": {"post": _operation("remind", "Remind a reader", _ROW, body=("loanId", "text"))},
    },
}


def answer(request: httpx.Request) -> httpx.Response:
    """Answer as the library does."""
    path = request.url.path.removeprefix("/v1")
    if path == "/books":
        title = request.url.params.get("title", "")
        return _reply(200, [book for book in BOOKS if title in book["title"]])
    if path.startswith("/books/"):
        found = [book for book in BOOKS if book["id"] == path.removeprefix("/books/")]
        missing = {"title": "Not found", "detail": "no book has this id; look it up by its title"}
        return _reply(200, found[0]) if found else _reply(404, missing)
    if path == "/reminders" and read_json(request.content)["loanId"] == "l3":
        return _reply(409, {"title": "Conflict", "detail": "this reader was reminded today"})
    return _reply(200, LOANS if request.method == "GET" else {"id": "n1"})


def _reply(status: int, value: Any) -> httpx.Response:
    return httpx.Response(status, content=write_json(value).encode(), headers={"content-type": "application/json"})


@dataclass(frozen=True)
class Scene:
    """A task, what the mind says to it, what a person types, and how it must end."""

    task: str
    replies: list[Any]
    typed: tuple[str, ...] = ()
    status: str = "done"
    permission: Permission = field(default_factory=Permission)


def _turn(thought: str, tool: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    plan = {name: more.pop(name) for name in ("plan", "doing") if name in more}
    return {"thought": thought, **plan, "action": {"tool": tool, "arguments": arguments or {}, **more}}


def _finish(
    thought: str, answer: str, *evidence: str, status: str = "done", doing: int | None = None
) -> dict[str, Any]:
    arguments = {"status": status, "answer": answer, "evidence": list(evidence)}
    return _turn(thought, "finish", arguments, **({} if doing is None else {"doing": doing}))


_LONG = "https://covers.example/" + "c0ffee" * 30
_FIND = _turn("The title is known, so I look the book up.", "listBooks", {"title": "Night Trains"}, save_as="book")
_END = _turn("The loan l2 is to end.", "endLoan", {"id": "l2"}, plan=["end the loan"], save_as="ended")

SCENES: dict[str, Scene] = {
    "read": Scene(
        "How many pages has Night Trains?",
        [
            {**_FIND, "plan": ["find Night Trains", "tell its pages"], "doing": 1},
            _finish("There is one such book.", "It has <<steps.book.result[0].pages>> pages.", "book", doing=2),
        ],
    ),
    "write-permitted": Scene(
        "Lend Night Trains to Ada",
        [
            _FIND,
            _turn(
                "Ada wants it; lending is a write.",
                "lendBook",
                {"body": {"bookId": "<<steps.book.result[0].id>>", "reader": "Ada"}},
                save_as="loan",
            ),
            _finish("It is lent.", "Lent: loan <<steps.loan.result.id>>.", "loan"),
        ],
        typed=("what?", "d", "y"),
    ),
    "write-refused": Scene(
        "End the loan l2",
        [_END, _finish("I may not.", "The loan was not ended, because that was not permitted.", status="failed")],
        typed=("n",),
        status="refused",
    ),
    "recovered": Scene(
        "How many pages has Night Trains?",
        [
            _turn("I ask for it by name.", "getBook", {"id": "Night Trains"}, save_as="book"),
            {**_FIND, "thought": "That is no id; the error says to look it up by its title."},
            _finish("Found.", "It has <<steps.book.result[0].pages>> pages.", "book"),
        ],
    ),
    "unproven": Scene(
        "How many pages has Night Trains?",
        [_FIND, _finish("I know that book.", "Night Trains has 140 pages and was printed 4711 times.", "book")],
        status="unproven",
    ),
    "for-each": Scene(
        "Remind everybody who has Night Trains",
        [
            _turn("Who has it?", "listLoans", {"bookId": "b1"}, save_as="loans", pages="all"),
            _turn(
                "Each of them is to be reminded.",
                "remind",
                {"body": {"loanId": "<<item.id>>", "text": "Dear <<item.reader>>, please bring it back."}},
                for_each="<<steps.loans.items>>",
                save_as="reminded",
            ),
            _turn("One did not work.", "compute", {"expression": "sum(o['status'] == 'ok' for o in reminded)"}),
            _finish("I say so.", "One reader was not reminded.", "reminded", status="failed"),
        ],
        typed=("y",),
        status="failed",
    ),
    "chinese": Scene(
        "标题里有“夜”的书一共有多少页？",
        [
            _turn(
                "先找出标题里有“夜”字的书。列表可以按标题筛选，所以我直接按“夜”来查，不必把所有的书都取回来再逐一比较。",
                "listBooks",
                {"title": "夜"},
                plan=["找出标题里有“夜”的书", "把它们的页数加起来", "回答"],
                save_as="books",
            ),
            _turn(
                "只有一本，但求和交给程序来做。",
                "compute",
                {"expression": "sum(b['pages'] for b in books)"},
                save_as="total",
                doing=2,
            ),
            _finish("结果有了。", "标题里有“夜”的书一共有 <<steps.total.result>> 页。", "total", doing=3),
        ],
    ),
    "long-values": Scene(
        f"Lend b2 to the reader of {_LONG}",
        [
            "Let me think about it first.",
            _turn(
                "The reader has no name but an address, and that is long. " + "I take it as it is. " * 9,
                "lendBook",
                {"body": {"bookId": "b2", "reader": _LONG}},
                save_as="loan",
            ),
            _turn("Is there such a title?", "listBooks", {"title": "\u202e\n\x1b[2J" + _LONG}, save_as="none"),
            _turn("A number of many digits.", "compute", {"expression": "2 ** 200 + 1"}, save_as="digits"),
            _finish(
                "Done.",
                "Lent b2 to:\n  - " + _LONG + "\n  - digits: <<steps.digits.result>>\n\nThat is all.",
                "loan",
                "digits",
            ),
        ],
        permission=Permission(allow_writes=True),
    ),
}
