# ruff: noqa: E501 (tables are read in rows)
"""A small API in memory, and the shortest loop that lets the offline mind work on it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from thinkagent.engine.compute import Sandbox
from thinkagent.engine.observation import Answer, for_answer, for_batch, for_compute, for_error
from thinkagent.engine.references import resolve
from thinkagent.engine.scope import MISSING, Scope, StepValue, valid_step_name
from thinkagent.errors import PermissionRefused, ThinkagentError
from thinkagent.minds.offline import OfflineMind
from thinkagent.minds.offline.words import singular
from thinkagent.tools import Tool
from thinkagent.turns.model import DocumentCard, ObservationCard, Page, Plan, StepCard, Turn
from thinkagent.turns.parse import parse_reply
from thinkagent.values import read_json, write_json

NOW = "2026-11-30T12:00:00+00:00"
IDS = ("id", "sku", "code", "key", "slug")


class Rows(list[dict[str, Any]]):
    """Some rows; `told` is how many the service says there are, `hidden` what its list leaves out of each."""

    hidden: tuple[str, ...] = ()


@dataclass
class Run:
    """What a task came to."""

    status: str
    answer: Any
    turns: list[Turn]
    writes: list[tuple[str, str, Any]]
    """Method, concrete path and body of each write."""
    reads: list[str]
    """Concrete paths with their query, in order."""
    evidence: list[str] = field(default_factory=list)

    @property
    def tools(self) -> list[str]:
        return [turn.action.tool for turn in self.turns]


@dataclass
class Api:
    """Rows by path (`/books`), or a whole answer where it is an object; what lies below one thing is found by its own path, or by the field that points up."""

    rows: Mapping[str, Rows]
    writes: list[tuple[str, str, Any]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    allow_writes: bool = True
    broken: Mapping[str, int] = field(default_factory=dict)
    """Concrete paths that answer with an error."""

    def call(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[int, Any]:
        path = tool.path
        for name in re.findall(r"{([^{}]+)}", path):
            path = path.replace("{" + name + "}", str(arguments[name]))
        query = {one.wire_name: arguments[one.name] for one in tool.arguments
                 if one.location == "query" and one.name in arguments}  # fmt: skip
        if path in self.broken:
            return self.broken[path], {"detail": "out of order"}
        if tool.method == "GET":
            self.reads.append(path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else ""))
            if isinstance(self.rows.get(path), dict):
                return 200, self.rows[path]
            return self._one(tool, path) if tool.path.endswith("}") else (200, _wrapped(tool, self._many(path, query)))
        if not self.allow_writes:
            raise PermissionRefused(f"{tool.name} is a write and nobody can be asked", hint="Pass --allow-writes")
        self.writes.append((tool.method, path, arguments.get("body")))
        if tool.path.endswith("}") and tool.method != "PUT" and self._one(tool, path)[0] == 404:
            return 404, {"detail": "no such thing"}
        return {"POST": 201, "DELETE": 204}.get(tool.method, 200), arguments.get("body")

    def _many(self, path: str, query: Mapping[str, Any]) -> Rows:
        rows = self.rows.get(path)
        if rows is None:
            above, _, last = path.strip("/").rpartition("/")
            parent, _, key = above.rpartition("/")
            pointer = _folded(singular(parent.rpartition("/")[2]) + "id")
            found = next((r for p, r in self.rows.items() if p.endswith("/" + last)), [])
            rows = [row for row in found if any(_folded(k) == pointer and str(v) == key for k, v in row.items())]
        for name, value in query.items():
            if name not in ("page", "limit"):
                rows = [row for row in rows if _holds(row, name, value)]
        return rows

    def _one(self, tool: Tool, path: str) -> tuple[int, Any]:
        above, _, key = path.rpartition("/")
        for row in self._many(above, {}):
            if any(str(row[name]) == key for name in IDS[:1] if name in row) or (
                "id" not in row and any(str(row.get(name)) == key for name in IDS)
            ):
                inner = tool.result if isinstance(tool.result, Mapping) else {}
                return 200, {"data": row} if "data" in inner.get("properties", {}) else row
        return 404, {"detail": "no such thing; search by another field"}


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _holds(row: Mapping[str, Any], name: str, value: Any) -> bool:
    """Filter as lax services do: the value is somewhere inside the field."""
    return any(_folded(k) == _folded(name) and str(value).lower() in str(v).lower() for k, v in row.items())


def _wrapped(tool: Tool, rows: Rows) -> Any:
    hidden = getattr(rows, "hidden", ())
    if hidden:
        rows = Rows({key: value for key, value in row.items() if key not in hidden} for row in rows)
    whole = tool.result if isinstance(tool.result, Mapping) else {}
    if whole.get("type") == "array":
        return rows
    key = next(name for name, inner in whole["properties"].items() if inner.get("type") == "array")
    return {key: rows, "total": getattr(rows, "told", len(rows)), "next": None}


class Loop:
    """Runs one task to its end."""

    def __init__(self, task: str, tools: Sequence[Tool], api: Api, *, now: str = NOW, **page: Any) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.api = api
        self.steps: dict[str, StepValue] = {}
        self.turns: list[Turn] = []
        self.page = Page(
            turn=1, task=task, document=DocumentCard("Test", "1", "", "http://127.0.0.1", len(tools)), now=now,
            timezone="UTC", permission="Writes are permitted.", inputs={}, lines=tuple(tools), groups={}, likely=(),
        )  # fmt: skip
        self.page = replace(self.page, **page)

    async def run(self, sandbox: Sandbox) -> Run:
        mind = OfflineMind()
        for _ in range(20):
            reply = await mind.reply(self.page)
            turn = parse_reply(reply.text)
            self.turns.append(turn)
            assert turn.thought
            if turn.action.tool == "finish":
                return self._ended(turn)
            observation = await self._perform(turn, sandbox)
            self._turn_over(turn, observation)
        raise AssertionError("20 turns and no end")

    def _ended(self, turn: Turn) -> Run:
        arguments = turn.action.arguments
        answer = resolve(arguments["answer"], Scope(steps=self.steps)).value
        evidence = list(arguments.get("evidence", []))
        assert set(evidence) <= set(self.steps)
        return Run(arguments["status"], answer, self.turns, self.api.writes, self.api.reads, evidence)

    async def _perform(self, turn: Turn, sandbox: Sandbox) -> dict[str, Any]:
        action = turn.action
        name = action.save_as or ""
        assert valid_step_name(name)
        assert name not in self.steps
        try:
            if action.tool == "compute":
                value = await sandbox.compute(
                    action.arguments["expression"], Scope(steps=self.steps), now=datetime.fromisoformat(NOW)
                )
                self.steps[name] = StepValue(result=value)
                return for_compute(value, step=name)
            if action.for_each is not None:
                return self._batch(turn, name)
            tool = self.tools[action.tool]
            arguments = resolve(dict(action.arguments), Scope(steps=self.steps)).value
            status, value = self.api.call(tool, arguments)
        except ThinkagentError as error:
            self.steps[name] = StepValue(state="invalid", reason=error.message)
            return for_error(error)
        value = read_json(write_json(value)) if value is not None else MISSING
        ok = 200 <= status < 300
        self.steps[name] = StepValue(result=value if ok else MISSING, status=status, state="ok" if ok else "http_error")
        return for_answer(Answer(status=status, value=value, step=name))

    def _batch(self, turn: Turn, name: str) -> dict[str, Any]:
        action = turn.action
        items = resolve(action.for_each, Scope(steps=self.steps)).value
        outcomes = []
        for number, item in enumerate(items):
            scope = Scope(steps=self.steps, item=item)
            status, value = self.api.call(
                self.tools[action.tool], resolve(deepcopy(dict(action.arguments)), scope).value
            )
            outcome = {"item": number, "status": "ok" if status < 300 else "http_error", "http": status}
            outcomes.append({**outcome, "result" if status < 300 else "error": value})
        self.steps[name] = StepValue(outcomes=outcomes)
        return for_batch(outcomes, step=name)

    def _turn_over(self, turn: Turn, observation: dict[str, Any]) -> None:
        number = self.page.turn
        name = turn.action.save_as or ""
        shown = read_json(write_json(observation))
        card = StepCard(name, turn.action.tool, number, observation["status"], observation["summary"], {},
                        complete=turn.action.pages == "all" or turn.action.tool == "compute" or number == 0)  # fmt: skip
        plan = Plan(turn.plan, turn.doing or 1) if turn.plan is not None else self.page.plan
        self.page = replace(
            self.page, turn=number + 1, plan=plan, steps=(*self.page.steps, card),
            history=(*self.page.history, ObservationCard(number, turn.thought, turn.action, shown)),
        )  # fmt: skip


def work(sandbox: Sandbox, task: str, tools: Sequence[Tool], rows: Mapping[str, Rows], **settings: Any) -> Run:
    """Let the offline mind do a task over the rows; nothing of them is changed."""
    api = Api(deepcopy(dict(rows)), allow_writes=settings.pop("allow_writes", True), broken=settings.pop("broken", {}))
    return asyncio.run(Loop(task, tools, api, **settings).run(sandbox))
