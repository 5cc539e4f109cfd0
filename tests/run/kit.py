"""A small API in memory, and runs on it that between them make every kind of event."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from thinkagent.journal import MemoryJournal
from thinkagent.minds.base import MindFailure
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.agent import Agent
from thinkagent.run.driver import Driver
from thinkagent.run.result import RunResult
from thinkagent.run.seams import Nobody, Seams
from thinkagent.run.state import RunState
from thinkagent.run.world import Limits, Permission
from thinkagent.values import read_json, write_json

ROWS = 7
PAGE = 3


def operation(name: str, result: Any = None, **more: Any) -> dict[str, Any]:
    """An operation of the small API."""
    schema = result or {"type": "object"}
    content = {"application/json": {"schema": schema}}
    return {"operationId": name, "responses": {"200": {"description": "ok", "content": content}}, **more}


def query(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": kind}, **more}


ROW = {"type": "object", "properties": {"id": {"type": "integer"}, "size": {"type": "number"}}}
BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["row"],
                "properties": {"row": {"type": "integer"}, "note": {"type": "string"}},
            }
        }
    },
}

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "rows", "version": "1"},
    "servers": [{"url": "http://rows.test"}],
    "paths": {
        "/rows": {
            "get": operation(
                "listRows",
                {"type": "object", "properties": {"rows": {"type": "array", "items": ROW}, "next": {"type": "string"}}},
                parameters=[query("page", "integer"), query("size", "number")],
            ),
            "post": operation("createRow", ROW, requestBody=BODY),
        },
        "/rows/{id}": {
            "get": operation("getRow", ROW, parameters=[{**query("id", "integer"), "in": "path", "required": True}]),
            "put": operation(
                "putRow", ROW, requestBody=BODY, parameters=[{**query("id"), "in": "path", "required": True}]
            ),
            "delete": operation("dropRow", parameters=[{**query("id", "integer"), "in": "path", "required": True}]),
        },
        "/job": {"get": operation("getJob")},
        "/token": {"post": operation("issueToken")},
        "/secret": {"get": operation("useToken", parameters=[query("token"), {**query("X-Token"), "in": "header"}])},
        "/flaky": {"get": operation("flaky")},
        "/broken": {"get": operation("broken"), "post": operation("breakIt")},
    },
}

ISSUED = "tok-998877665544"


class Rows:
    """The API: seven rows, three a page; counts what arrives and remembers what was written."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []
        self.written: Counter[str] = Counter()
        self.jobs = 0
        self.flakes = 0
        self.order: Callable[[httpx.Request], Any] | None = None

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        body = (await request.aread()).decode()
        self.seen.append((request.method, str(request.url), body))
        if request.method not in ("GET", "HEAD"):
            self.written[f"{request.method} {request.url.path} {body}"] += 1
        if self.order is not None:
            await self.order(request)
        return self.answer(request, body)

    def answer(self, request: httpx.Request, body: str) -> httpx.Response:
        path = request.url.path
        if path == "/rows" and request.method == "GET":
            return self.rows(request)
        if path == "/rows":
            row = read_json(body)["row"]
            return reply(201, {"id": row}) if row < 5 else reply(409, {"detail": f"row {row} is there already"})
        if path.startswith("/rows/"):
            return self.row(request.method, path.rpartition("/")[2])
        if path == "/job":
            self.jobs += 1
            return reply(200, {"state": "done" if self.jobs >= 3 else "new", "round": self.jobs})
        if path == "/token":
            return reply(200, {"access_token": ISSUED, "token_type": "Bearer"})
        if path == "/secret":
            sent = request.url.params.get("token") or request.headers.get("x-token")
            return reply(200, {"right": sent == ISSUED, "echo": f"you sent {sent}"})
        if path == "/flaky":
            self.flakes += 1
            return reply(200, {"after": self.flakes}) if self.flakes % 3 == 0 else reply(503, {"detail": "later"})
        raise httpx.ReadError("connection reset", request=request)

    def rows(self, request: httpx.Request) -> httpx.Response:
        page = int(request.url.params.get("page", 1))
        rows = [{"id": n, "size": n} for n in range((page - 1) * PAGE, min(page * PAGE, ROWS))]
        following = f"/rows?page={page + 1}" if page * PAGE < ROWS else None
        text = write_json({"rows": rows, "next": following}).replace('"size":2', '"size":9007199254740993.10')
        return httpx.Response(200, content=text.encode(), headers={"content-type": "application/json"})

    def row(self, method: str, name: str) -> httpx.Response:
        if name in ("502", "500", "307"):
            return httpx.Response(int(name), headers={"location": "/elsewhere"}, content=b"<html>gateway</html>")
        if method == "DELETE":
            return httpx.Response(204)
        if not name.isdecimal() or int(name) >= ROWS:
            return reply(404, {"title": "no such row", "detail": f"there is no row {name}; list them"})
        return reply(200, {"id": int(name), "size": 1})


def reply(status: int, value: Any) -> httpx.Response:
    return httpx.Response(status, content=write_json(value).encode(), headers={"content-type": "application/json"})


class Instant:
    """A clock whose waits are over at once; the run's time limit never comes."""

    async def sleep(self, seconds: float) -> None:
        if seconds >= 600:
            await asyncio.Event().wait()
        await asyncio.sleep(0)


class Answers:
    """A person who gives these answers."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []

    async def ask(self, question: Any) -> str | None:
        self.asked.append(question)
        return self.answers.pop(0)


def turn(tool: str, arguments: Any = None, thought: str = "I go on.", **action: Any) -> dict[str, Any]:
    return {
        "thought": thought,
        "plan": ["one", "two"],
        "action": {"tool": tool, "arguments": arguments or {}, **action},
    }


def done(answer: Any = "That is it.", *evidence: str, status: str = "done") -> dict[str, Any]:
    return turn("finish", {"status": status, "answer": answer, "evidence": list(evidence)})


@dataclass
class Scenario:
    """A scripted run and how it must end."""

    script: list[Any]
    status: str = "done"
    permission: Permission = Permission(allow_writes=True)
    limits: Limits = Limits()
    human: Any = None
    settings: dict[str, Any] = field(default_factory=dict)

    def agent(self, rows: Rows, **more: Any) -> Agent:
        fields: dict[str, Any] = {
            "mind": ScriptedMind(list(self.script)),
            "transport": httpx.MockTransport(rows),
            "clock": Instant(),
            "human": None if self.human is None else Answers(*self.human),
            "environ": {"KEY": "the-users-own-key-1", "TZ": "UTC"},
            "permission": self.permission,
            "limits": self.limits,
            "log_dir": None,
            "now": "2026-11-30T12:00:00+00:00",
        }
        return Agent(DOCUMENT, **{**fields, **self.settings, **more})

    def run(self, rows: Rows | None = None, **more: Any) -> RunResult:
        return asyncio.run(self.agent(rows or Rows(), **more).run("Do something with the rows"))


SCENARIOS: dict[str, Scenario] = {
    "read": Scenario([turn("getRow", {"id": 1}, save_as="row"), done("Its id is <<steps.row.result.id>>.", "row")]),
    "pages": Scenario(
        [
            turn("listRows", {}, save_as="everything", pages="all"),
            turn("compute", {"expression": "sum(r['size'] for r in steps['everything']['items'])"}, save_as="total"),
            done("The sizes are <<steps.total.result>>.", "total"),
        ]
    ),
    "for-each": Scenario(
        [
            turn("listRows", {}, save_as="some"),
            turn("createRow", {"body": {"row": "<<item.id>>"}}, for_each="<<steps.some.items>>", save_as="made"),
            done("Three were made.", "made"),
        ]
    ),
    "for-each-reads": Scenario(
        [
            turn("compute", {"expression": "[6, 9, 2, 4]"}, save_as="ids"),
            turn("getRow", {"id": "<<item>>"}, for_each="<<steps.ids.result>>", save_as="rows"),
            done("Read.", "rows"),
        ]
    ),
    "recover": Scenario(
        [
            turn("getRow", {"id": 99}, save_as="row"),
            turn("listRows", {"page": 3}, save_as="last"),
            done("The last is <<steps.last.result.rows[-1].id>>.", "last"),
        ]
    ),
    "conflict": Scenario(
        [turn("createRow", {"body": {"row": 5}}), done("Not made: it is there.", status="failed")], "failed"
    ),
    "doubt": Scenario([turn("breakIt"), done("I do not know whether it happened.", status="failed")], "failed"),
    "retries": Scenario([turn("flaky", save_as="f"), done("After <<steps.f.result.after>> tries.", "f")]),
    "api-down": Scenario([turn("broken"), done("It does not answer.", status="failed")], "api_error"),
    "repairs": Scenario(
        [
            "no json at all",
            turn("getRows", {"id": 1}),
            turn("getRow", {"id": 1}, save_as="row"),
            turn("getRow", {"id": "<<steps.rwo.result.id>>"}),
            turn("getRow", {"id": "<<steps.row.result.id>>"}, save_as="again"),
            done("Same.", "again"),
        ]
    ),
    "wordy": Scenario([turn("getRow", {"id": 1}, save_as="r"), done("row " * 30_000, "r"), done("Short.", "r")]),
    "unusable": Scenario(["no", "no", "no"], "model_error"),
    "model-down": Scenario(
        [MindFailure("unavailable", "HTTP 500", retryable=True, status=500) for _ in range(3)], "model_error"
    ),
    "model-recovers": Scenario(
        [
            MindFailure("rate_limited", "HTTP 429", retryable=True, retry_after_s=2, status=429),
            MindFailure("unsupported", "no response_format", retryable=True, retry_after_s=0, status=400),
            turn("getRow", {"id": 1}, save_as="row"),
            done("Row 1.", "row"),
        ]
    ),
    "asked-yes": Scenario(
        [turn("dropRow", {"id": 1}, save_as="gone"), done("Gone.", "gone")], permission=Permission(), human=["yes"]
    ),
    "asked-no": Scenario(
        [turn("dropRow", {"id": 1}), done("I may not.", status="failed")],
        "refused",
        permission=Permission(),
        human=["no"],
    ),
    "asked-stop": Scenario([turn("dropRow", {"id": 1})], "refused", permission=Permission(), human=["stop"]),
    "nobody": Scenario(
        [turn("dropRow", {"id": 1}), done("I may not.", status="failed")], "refused", permission=Permission()
    ),
    "yes-flag": Scenario(
        [turn("dropRow", {"id": 1}, save_as="gone"), done("Gone.", "gone")], permission=Permission(yes=True)
    ),
    "question": Scenario(
        [
            turn("ask", {"question": "Which?", "options": ["a", "b"]}, save_as="which"),
            done("<<steps.which.result>> it is.", "which"),
        ],
        human=["b"],
    ),
    "nobody-to-ask": Scenario(
        [turn("ask", {"question": "Which?"}), done("Nobody said.", status="impossible")], "impossible"
    ),
    "polling": Scenario(
        [
            turn("getJob", save_as="job"),
            turn("wait", {"repeat": {"step": "job", "until": "result['state'] == 'done'", "every_s": 1}}),
            done("Finished.", "job"),
        ]
    ),
    "waiting": Scenario([turn("wait", {"seconds": 5}), turn("getRow", {"id": 1}, save_as="r"), done("ok", "r")]),
    "looking": Scenario(
        [
            turn("search_tools", {"query": "a job"}),
            turn("search_tools", {"names": ["nope"]}),
            turn("listRows", {}, save_as="everything"),
            turn("inspect", {"step": "everything", "path": "result.rows", "offset": 1, "limit": 1}, save_as="one"),
            done("Row <<steps.one.result[0].id>>.", "one"),
        ]
    ),
    "compute-fails": Scenario(
        [
            turn("getRow", {"id": 1}, save_as="row"),
            turn("compute", {"expression": "row['nope']"}),
            turn("compute", {"expression": "row['id'] / 3"}, save_as="third"),
            done("<<steps.third.result>>", "third"),
        ]
    ),
    "loop": Scenario([turn("getRow", {"id": 1}, save_as=f"r{n}") for n in range(9)], "loop"),
    "turns": Scenario([turn("getRow", {"id": n}) for n in range(3)], "limit", limits=Limits(turns=2)),
    "calls": Scenario([turn("listRows", {}, pages="all")], "limit", limits=Limits(calls=2)),
    "writes": Scenario([turn("dropRow", {"id": 1}), turn("dropRow", {"id": 2})], "limit", limits=Limits(writes=1)),
    "unproven": Scenario([turn("getRow", {"id": 1}, save_as="r"), done("There are 4711 rows.", "r")], "unproven"),
    "no-evidence": Scenario([done("All is well.")], "unproven"),
    "secrets": Scenario(
        [
            turn("issueToken", save_as="login"),
            turn("useToken", {"token": "<<steps.login.result.access_token>>"}, save_as="used"),
            turn("useToken", {"X-Token": "<<steps.login.result.access_token>>"}, save_as="header"),
            done("It was right: <<steps.used.result.right>>.", "used"),
        ],
        settings={"headers": {"X-Key": "env:KEY"}},
    ),
    "dry": Scenario(
        [
            turn("listRows", {}, save_as="everything", pages="all"),
            turn("createRow", {"body": {"row": 1}}, save_as="m"),
            done("ok", "m"),
        ],
        "dry_run",
        settings={"dry_run": True},
    ),
}


def resumed(agent: Agent, state: RunState, ready: Any) -> tuple[RunState, MemoryJournal]:
    """Go on from a folded state, as a resumption does: what was in flight is settled, then the same loop."""
    from thinkagent.events import RunResumed

    journal = MemoryJournal()

    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    async def go() -> RunState:
        seams = Seams(
            mind=ready.mind,
            journal=journal,
            vault=ready.vault,
            transport=lambda: agent._make_transport(ready),
            human=agent._human or Nobody(),
            clock=Instant(),
            stop=never,
        )
        driver = Driver(ready.world, seams, ready.targets, state)
        driver.append(RunResumed())
        return await driver.run()

    return asyncio.run(go()), journal


def logs_of(tmp_path: Path, scenario: Scenario) -> Path:
    """Run a scenario with its log in a file; give the file."""
    result = scenario.run(log_dir=tmp_path)
    assert result.log is not None
    return result.log
