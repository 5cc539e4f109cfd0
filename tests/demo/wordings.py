"""The tasks that the demo is held to: their wordings, their data, and what a right answer says.

`tasks.json` holds tasks that must be done, `refusals.json` tasks that must be refused. Both are data, so that a
planner can be tried with them without knowing them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from thinkagent.shop import load_data, seed
from thinkagent.values import Json, read_json

__all__ = ["Refusal", "Task", "data_of", "missing_facts", "refusals", "tasks"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Task:
    """A task that must be done."""

    id: str
    kind: str
    """write, compute or recover."""
    language: str
    task: str
    data: str | None
    """A file beside this one; None for the shop's default data."""
    now: datetime
    allow_writes: bool
    expect: dict[str, Any]
    """`answer`: facts, each a list of spellings of which one must stand in the answer (see `missing_facts`);
    `changes`: how many writes succeed; `coupons`: those that must be issued, and no other;
    `calls`: requests (method, path without query, status) that must be in the shop's log."""

    @property
    def data_path(self) -> Path | None:
        return _FOLDER / self.data if self.data else None


@dataclass(frozen=True)
class Refusal:
    """A task that must be refused without a write and without an answer."""

    id: str
    kind: str
    """unknown_noun, half_understood, impossible, ambiguous_name, misspelt_name or two_intents."""
    language: str
    task: str
    data: str | None
    now: datetime
    allow_writes: bool
    why: str
    evidence: dict[str, list[str]]
    """What makes it undoable, for `test_refusals.py` to prove."""

    @property
    def data_path(self) -> Path | None:
        return _FOLDER / self.data if self.data else None


def tasks() -> list[Task]:
    """Give the tasks that must be done."""
    entries = read_json((_FOLDER / "tasks.json").read_bytes())["tasks"]
    return [Task(**{**entry, "now": datetime.fromisoformat(entry["now"])}) for entry in entries]


def refusals() -> list[Refusal]:
    """Give the tasks that must be refused."""
    content = read_json((_FOLDER / "refusals.json").read_bytes())
    nows = {name: datetime.fromisoformat(now) for name, now in content["now"].items()}
    return [Refusal(**entry, now=nows[entry["data"] or "default"]) for entry in content["refusals"]]


def data_of(entry: Task | Refusal) -> Json:
    """Give the data that the shop serves for this task."""
    return load_data(entry.data_path) if entry.data_path else seed(entry.now)


def missing_facts(answer: str, facts: list[list[str]]) -> list[list[str]]:
    """Give the facts of which no spelling stands in the answer.

    A number must stand alone: `4` is not in `cus_47`, `4.5` or `2026-11-04`. Commas between thousands do not count, and
    a spelling that ends in `…` may go on with digits.
    """
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", answer.casefold())
    return [fact for fact in facts if not any(_stands_in(spelling.casefold(), text) for spelling in fact)]


def _stands_in(spelling: str, text: str) -> bool:
    goes_on = r"\d*" if spelling.endswith("…") else ""
    pattern = re.escape(spelling.removesuffix("…")) + goes_on
    if not spelling.isascii() and not goes_on:
        return spelling in text
    return re.search(rf"(?<![a-z0-9_.\-]){pattern}(?![a-z0-9_]|\.\d|-\d)", text) is not None
