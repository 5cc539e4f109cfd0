"""What a turn costs beside the call that it makes: CPU without mind and network, and bytes of log.

The measure is one call of `httpx.MockTransport` through a client, with `json.loads` and `json.dumps` of the same
body. One is made in each turn, in the place where the mind would think, so that both find the machine as it is.
Times are CPU times of the process, in microseconds; medians throughout.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from thinkagent import events as ev
from thinkagent.journal import FileJournal, read_log
from thinkagent.minds.base import Delta, Reply
from thinkagent.run.agent import Agent
from thinkagent.run.fold import fold
from thinkagent.run.next import next_commands
from thinkagent.run.result import RunResult
from thinkagent.run.world import Limits
from thinkagent.turns.model import Page
from thinkagent.values import write_json

__all__ = ["BARS", "Batch", "Turns", "measure_append", "measure_batch", "measure_fold", "measure_turns"]

BARS = {"ratio": 8.0, "log_bytes": 8_000.0, "growth": 1.2}
"""A turn's CPU against one bare call's; bytes of log a turn; turns 90 to 100 against turns 1 to 10."""
TURNS = 100
ITEMS = 500
BODY_BYTES = 2_000
EVENTS = 10_000
CREDENTIAL = "the-key-0f3a9c77d1"
ISSUED = "tok-5b1c0d9a66e24f"


def _text(name: str) -> dict[str, Any]:
    return {"type": "string", "description": f"The {name}"}


_PART = {
    "type": "object",
    "required": ["sku", "count"],
    "properties": {"sku": _text("part's number"), "count": {"type": "integer"}, "price": {"type": "number"}},
}
_RECORD = {
    "type": "object",
    "required": ["id", "next", "parts"],
    "properties": {
        "id": {"type": "integer"},
        "next": {"type": "integer", "description": "The id of the record after this one"},
        "name": _text("name"),
        "weight": {"type": "number"},
        "made": {"type": "string", "format": "date-time"},
        "parts": {"type": "array", "items": _PART},
        "note": _text("note"),
    },
}


def _operation(name: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {
        "operationId": name,
        "summary": f"The operation {name}",
        "responses": {"200": {"description": "ok", "content": content}},
        **more,
    }


def _parameter(name: str, schema: dict[str, Any], where: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "schema": schema, **more}


DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Records", "version": "1"},
    "servers": [{"url": "http://records.test/v1"}],
    "security": [{"key": []}],
    "components": {
        "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        "schemas": {"Record": _RECORD},
    },
    "paths": {
        "/token": {
            "get": _operation("issueToken", {"type": "object", "properties": {"access_token": {"type": "string"}}})
        },
        "/ids": {"get": _operation("listIds", {"type": "array", "items": {"type": "integer"}})},
        "/records/{id}": {
            "get": _operation(
                "getRecord",
                {"$ref": "#/components/schemas/Record"},
                parameters=[
                    _parameter("id", {"type": "integer", "minimum": 0}, "path", required=True),
                    _parameter("unit", {"type": "string", "enum": ["kg", "lb"]}),
                    _parameter("depth", {"type": "integer", "minimum": 1, "maximum": 9}),
                ],
            )
        },
    },
}


def body(number: int) -> bytes:
    """Give the answer for one record: a JSON object of 2 kB."""
    value = {
        "id": number,
        "next": number + 1,
        "name": f"Record {number}",
        "weight": 12.75 + number,
        "made": "2026-11-30T12:00:00Z",
        "parts": [{"sku": f"P-{number}-{part:03}", "count": part, "price": 1.5 * part} for part in range(24)],
        "note": "",
    }
    bare = len(json.dumps(value, separators=(",", ":")))
    value["note"] = ("as found on the shelf, " * 100)[: BODY_BYTES - bare]
    return json.dumps(value, separators=(",", ":")).encode()


class Service:
    """Answers from memory; what it sends is made beforehand, so that a call costs what its client costs."""

    def __init__(self) -> None:
        self.answers = {f"/v1/records/{number}": body(number) for number in range(max(TURNS, ITEMS) + 1)}
        self.answers["/v1/token"] = json.dumps({"access_token": ISSUED}).encode()
        self.answers["/v1/ids"] = json.dumps(list(range(ITEMS))).encode()

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        headers = {"content-type": "application/json"}
        return httpx.Response(200, content=self.answers[request.url.path], headers=headers)


@dataclass(frozen=True, slots=True)
class Turns:
    """One run of a hundred turns."""

    bare_us: float
    turn_us: float
    log_bytes: float
    growth: float
    stages: dict[str, float]
    """Wall time of a turn by stage, in microseconds."""
    events: dict[str, tuple[int, int]]
    """By type: how many there were, and bytes of log in sum."""

    @property
    def ratio(self) -> float:
        return self.turn_us / self.bare_us


@dataclass(frozen=True, slots=True)
class Batch:
    """One `for_each` of five hundred reads."""

    item_us: float
    item_bytes: float


def measure_turns(folder: Path) -> Turns:
    """Run a hundred turns, each a read that refers to the result before, with a bare call in each."""
    ends: list[int] = []

    def listen(record: ev.Record) -> None:
        if isinstance(record.event, ev.Observed):
            ends.append(time.process_time_ns())

    mind = Mind(_reading_turns())
    result = asyncio.run(_agent(mind, folder).run("Read the records one after the other", listen=listen))
    assert result.status == "done", result.reason
    # The first turn logs in; its end is where the clock of the turns begins.
    spent = [
        (end - start - thought) / 1000 for start, end, thought in zip(ends, ends[1:], mind.spent_ns[1:], strict=False)
    ]
    assert len(spent) == TURNS
    sizes = _log_bytes(result)
    stages = _ended(result).stages_us
    return Turns(
        bare_us=statistics.median(mind.bare_us[1:]),
        turn_us=statistics.median(spent),
        log_bytes=sum(size for turn, size in sizes.by_turn.items() if 1 < turn <= TURNS + 1) / TURNS,
        growth=statistics.median(spent[89:100]) / statistics.median(spent[:10]),
        stages={name: us / len(ends) for name, us in stages.items() if name not in ("load", "mind")},
        events={kind: (sizes.count[kind], sizes.by_type[kind]) for kind in sizes.by_type},
    )


def measure_batch(folder: Path) -> Batch:
    """Run one `for_each` over five hundred items."""
    marks: list[int] = []

    def listen(record: ev.Record) -> None:
        if isinstance(record.event, ev.Observed):
            marks.append(time.process_time_ns())

    script = [
        _turn("listIds", {}, first=True, save_as="ids"),
        _turn("getRecord", {"id": "<<item>>", "unit": "kg"}, for_each="<<steps.ids.items>>", save_as="records"),
        _finish("ids"),
    ]
    mind = Mind(script)
    result = asyncio.run(_agent(mind, folder).run("Read every record", listen=listen))
    assert result.status == "done", result.reason
    sizes = _log_bytes(result)
    return Batch(
        (marks[1] - marks[0] - mind.spent_ns[1]) / 1000 / ITEMS,
        sizes.by_turn[2] / ITEMS - BODY_BYTES,
    )


def measure_fold(log: Path) -> tuple[float, float]:
    """Fold ten thousand events, and ask what is next; microseconds of each."""
    records = list(read_log(log).records)
    body_of_run = [record for record in records if not isinstance(record.event, ev.RunEnded | ev.Answered)]
    many = (body_of_run * (EVENTS // len(body_of_run) + 1))[:EVENTS]
    spent = min(_cpu_us(lambda: fold(many)) for _ in range(3))
    state = fold(body_of_run)
    world = _agent(Mind([]), None).prepare("Read the records").world
    asked = min(_cpu_us(lambda: [next_commands(state, world) for _ in range(1000)]) for _ in range(3)) / 1000
    return spent, asked


def measure_append(folder: Path, log: Path) -> float:
    """Append the events of a log to a new file; microseconds of one."""
    events = [record.event for record in read_log(log).records]
    journal = FileJournal(folder / "appended.jsonl")
    try:
        return _cpu_us(lambda: [journal.append(event) for event in events]) / len(events)
    finally:
        journal.close()


class Mind:
    """Gives its replies in order; before each it makes one bare call and times it, beside all that it spends itself."""

    name = "scripted"

    def __init__(self, replies: list[Reply]) -> None:
        self.bare_us: list[float] = []
        self.spent_ns: list[int] = []
        self._replies = iter(replies)
        self._client = httpx.AsyncClient(transport=httpx.MockTransport(Service()), trust_env=False)

    async def reply(self, page: Page | None, on_delta: Callable[[Delta], None] | None = None) -> Reply:
        start = time.process_time_ns()
        number = page.turn if page is not None else 1
        response = await self._client.get(f"http://records.test/v1/records/{number}", params={"unit": "kg"})
        json.dumps(json.loads(response.content))
        self.bare_us.append((time.process_time_ns() - start) / 1000)
        reply = next(self._replies)
        self.spent_ns.append(time.process_time_ns() - start)
        return reply

    async def aclose(self) -> None:
        await self._client.aclose()


def measure_row(count: int = 200) -> float:
    """Make bare calls in a row, with nothing between them that could take their place in the processor's caches."""

    async def calls() -> list[float]:
        mind = Mind([Reply("")] * count)
        for _ in range(count):
            await mind.reply(None)
        await mind.aclose()
        return mind.bare_us

    return statistics.median(asyncio.run(calls()))


def _agent(mind: Mind, folder: Path | None) -> Agent:
    return Agent(
        DOCUMENT,
        mind=mind,
        transport=httpx.MockTransport(Service()),
        environ={"KEY": CREDENTIAL, "TZ": "UTC"},
        auth={"key": "env:KEY"},
        limits=Limits(turns=TURNS + 10, calls=TURNS + ITEMS + 10),
        log_dir=folder,
    )


def _reading_turns() -> list[Reply]:
    """Log in, then a hundred reads, each of the record that the one before names."""
    script = [_turn("issueToken", {}, first=True, save_as="login")]
    for number in range(TURNS):
        wanted: Any = f"<<steps.r{number - 1}.result.next>>" if number else 0
        script.append(_turn("getRecord", {"id": wanted, "unit": "kg", "depth": 2}, save_as=f"r{number}"))
    return [*script, _finish(f"r{TURNS - 1}")]


def _turn(tool: str, arguments: dict[str, Any], *, first: bool = False, **action: Any) -> Reply:
    """Give a reply as a model sends it; it is written beforehand, for it is the mind's work."""
    thought = "The record before names the next one, so I ask for that by its id and look at what it says."
    value = {
        "thought": thought,
        **({"plan": ["log in", "read the records one after the other", "answer"]} if first else {}),
        "doing": 2,
        "action": {"tool": tool, "arguments": arguments, **action},
    }
    return Reply(write_json(value), finish_reason="stop")


def _finish(step: str) -> Reply:
    return _turn("finish", {"status": "done", "answer": "The records are read.", "evidence": [step]})


@dataclass(slots=True)
class _Sizes:
    by_turn: Counter[int]
    by_type: Counter[str]
    count: Counter[str]


def _log_bytes(result: RunResult) -> _Sizes:
    """Count the bytes of a log by turn and by type, those of the blobs it names with them."""
    assert result.log is not None
    sizes = _Sizes(Counter(), Counter(), Counter())
    turn = 1
    with result.log.open("rb") as lines:
        for line, record in zip(lines, result.records, strict=True):
            size = len(line) + sum((result.log.parent / "blobs" / name).stat().st_size for name in _blobs(line))
            sizes.by_turn[turn] += size
            sizes.by_type[record.event.type] += size
            sizes.count[record.event.type] += 1
            turn += isinstance(record.event, ev.Observed)
    return sizes


def _blobs(line: bytes) -> Iterator[str]:
    for value in json.loads(line).values():
        if isinstance(value, dict) and "$blob" in value:
            yield value["$blob"].removeprefix("sha256:")


def _ended(result: RunResult) -> ev.RunEnded:
    event = result.records[-1].event
    assert isinstance(event, ev.RunEnded)
    return event


def _cpu_us(work: Callable[[], object]) -> float:
    start = time.process_time_ns()
    work()
    return (time.process_time_ns() - start) / 1000


def _print_table(rows: Sequence[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        print(f"  {name:<{width}}  {text}")


def main() -> int:
    """Measure, print, and give 1 where a bar is missed."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        runs = [measure_turns(folder / f"turns{number}") for number in range(3)]
        turns = sorted(runs, key=lambda run: run.ratio)[1]
        growth = statistics.median(run.growth for run in runs)
        batch = measure_batch(folder / "batch")
        log = next((folder / "turns0").glob("*.jsonl"))
        folded_us, next_us = measure_fold(log)
        append_us = measure_append(folder, log)
        row_us = measure_row()
    found = {"ratio": turns.ratio, "log_bytes": turns.log_bytes, "growth": growth}
    print(
        f"A turn, {BODY_BYTES / 1000:g} kB of answer, schema checks and redaction included (3 runs of {TURNS} turns):"
    )
    _print_table(
        [
            ("one bare call and json", f"{turns.bare_us:8.0f} us CPU ({row_us:.0f} where nothing is between them)"),
            ("one turn", f"{turns.turn_us:8.0f} us CPU"),
            ("a turn against a bare call", f"{turns.ratio:8.2f} (at most {BARS['ratio']:g})"),
            ("turns 90-100 against 1-10", f"{growth:8.2f} (at most {BARS['growth']:g})"),
            ("log of a turn", f"{turns.log_bytes:8.0f} bytes (at most {BARS['log_bytes']:g})"),
        ]
    )
    print("Where its time goes (wall):")
    _print_table([(name, f"{us:8.0f} us") for name, us in sorted(turns.stages.items(), key=lambda row: -row[1])])
    print("What its log holds:")
    _print_table([(kind, f"{size / TURNS:8.0f} bytes in {n}") for kind, (n, size) in sorted(turns.events.items())])
    print("Besides:")
    _print_table(
        [
            (
                f"one item of a for_each of {ITEMS}",
                f"{batch.item_us:8.0f} us CPU ({batch.item_us / turns.bare_us:.2f})",
            ),
            ("its log, the answer left out", f"{batch.item_bytes:8.0f} bytes"),
            (f"fold of {EVENTS} events", f"{folded_us / 1000:8.1f} ms CPU"),
            ("what is next", f"{next_us:8.1f} us CPU"),
            ("one append", f"{append_us:8.0f} us CPU"),
        ]
    )
    return 1 if any(found[name] > bar for name, bar in BARS.items()) else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
