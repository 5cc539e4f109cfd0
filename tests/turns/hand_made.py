"""Tools and pages made by hand for the tests of this room: a small library's API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from thinkagent.documents.model import Operation
from thinkagent.tools.model import Argument, Tool
from thinkagent.turns.model import Action, DocumentCard, ObservationCard, Page, Plan, StepCard

BOOK = {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}


def make_tool(
    name: str,
    method: str = "GET",
    path: str = "",
    *,
    summary: str = "",
    arguments: Sequence[str] = (),
    required: Sequence[str] = (),
    example: Mapping[str, Any] | None = None,
    result: Any = None,
    tags: tuple[str, ...] = (),
) -> Tool:
    """Make a tool whose arguments are all texts in the query."""
    path = path or f"/{name}"
    names = [*required, *arguments]
    effect = {"GET": "read", "DELETE": "delete"}.get(method, "write")
    return Tool(
        name=name,
        method=method,
        path=path,
        summary=summary or f"Do {name}",
        effect=effect,  # type: ignore[arg-type]
        idempotent=method != "POST",
        deprecated=False,
        parameters={
            "type": "object",
            "properties": {argument: {"type": "string"} for argument in names},
            "required": list(required),
            "additionalProperties": False,
        },
        result=result,
        result_status="200",
        arguments=tuple(Argument(argument, "query", argument, argument in required) for argument in names),
        operation=Operation(method, path, name, f"#/paths/{name}", summary, tags=tags),
        example_call=example if example is not None else dict.fromkeys(required, "x"),
    )


LIST_BOOKS = make_tool(
    "listBooks",
    path="/books",
    summary="List books; filter by title",
    arguments=["title", "page"],
    example={"title": "Night Trains"},
    result={"type": "object", "properties": {"books": {"type": "array", "items": BOOK}}},
    tags=("books",),
)
GET_BOOK = make_tool(
    "getBook",
    path="/books/{id}",
    summary="One book",
    required=["id"],
    example={"id": "b7"},
    result=BOOK,
    tags=("books",),
)
LEND_BOOK = make_tool(
    "lendBook", "POST", "/loans", summary="Lend a book to a reader", required=["book", "reader"], tags=("loans",)
)
TOOLS = (LIST_BOOKS, GET_BOOK, LEND_BOOK)


def describe(tool: Tool, *, max_tokens: int = 1_200) -> str:
    """Write a definition as short as can be; the real one is tested where it is made."""
    rows = [f"  {argument.name}  string{', required' if argument.required else ''}" for argument in tool.arguments]
    return "\n".join([f"{tool.name}   {tool.effect} · {tool.method} {tool.path}", tool.summary, *rows])


class Line(NamedTuple):
    name: str
    path: str
    summary: str
    tags: tuple[str, ...]
    document: str = ""


class Shelf:
    """Tools by name, as the check and the choice want them."""

    def __init__(self, tools: Sequence[Tool] = TOOLS) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.built = 0
        self.lines = [Line(tool.name, tool.path, tool.summary, tool.operation.tags) for tool in tools]

    @property
    def names(self) -> list[str]:
        return list(self.tools)

    def get(self, name: str) -> Tool | None:
        self.built += 1
        return self.tools.get(name)


FIRST_PAGE = Page(
    turn=1,
    task="How many books are called Night Trains?",
    document=DocumentCard("Library", "2.1.0", "A small library with books and loans.", "http://127.0.0.1:9000", 3),
    now="2026-03-01T12:00:00+01:00",
    timezone="Europe/Berlin",
    permission="Reads may be sent; writes are refused.",
    inputs={},
    lines=TOOLS,
    groups={},
    likely=(LIST_BOOKS, GET_BOOK),
    turns_left=30,
)


def observed(turn: int, result: Any = None, *, tool: str = "listBooks", **more: Any) -> ObservationCard:
    """Make a past turn with an observation of this result."""
    seen = {"status": "ok", "summary": f"200; answer {turn}", "http": {"status": 200}, "result": result, **more}
    return ObservationCard(turn, f"Thought {turn}.", Action(tool, {"title": f"t{turn}"}, save_as=f"s{turn}"), seen)


def step(turn: int, shape: Any = None, **more: Any) -> StepCard:
    """Make the step that was saved in this turn."""
    card = StepCard(
        f"s{turn}", "listBooks", turn, "ok", f"200; answer {turn}", shape or {"type": "array", "count": turn}
    )
    return replace(card, **more)


def page_after(turns: int, **more: Any) -> Page:
    """Give the page of the turn after so many turns."""
    past = {
        "turn": turns + 1,
        "history": tuple(observed(number, {"books": [{"id": f"b{number}"}]}) for number in range(1, turns + 1)),
        "steps": tuple(step(number) for number in range(1, turns + 1)),
        "plan": Plan(("find the books", "count them"), 1) if turns else None,
        "turns_left": 30 - turns,
    }
    return replace(FIRST_PAGE, **{**past, **more})
