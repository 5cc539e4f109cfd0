"""Two runs side by side: the first event in which they differ, field by field."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from thinkagent.errors import ReplayMismatch
from thinkagent.events import (
    Answered,
    CallIntended,
    DocumentUsed,
    Event,
    Observed,
    PromptShown,
    Record,
    ResultSaved,
    RunForked,
    RunResumed,
    RunStarted,
    ThinkId,
    comparable,
)
from thinkagent.events.prompts import whole_prompt
from thinkagent.journal import MemoryJournal
from thinkagent.values import Secret, SecretText, clip, from_log, same, write_json

__all__ = ["ComparingJournal", "Difference", "differences", "first_difference"]

_NOT_COMPARED = (PromptShown, RunResumed, RunForked, RunStarted, DocumentUsed)
"""The prompt may change without harm (a note); the others say where and when, not what."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that is not as recorded."""

    turn: int | None
    event: str
    seq: int
    field: str
    recorded: Any
    now: Any

    def __str__(self) -> str:
        turn = f"turn {self.turn}, " if self.turn is not None else ""
        return (
            f"{turn}{self.event} (event {self.seq}): {self.field} was {_short(self.recorded)}, now {_short(self.now)}"
        )


def _short(value: Any) -> str:
    if value is _ABSENT:
        return "absent"
    return clip(write_json(value), 200)


_ABSENT: Any = object()


def differences(recorded: Record, now: Event) -> Iterator[Difference]:
    """Give the fields in which an event differs from the recorded one, volatile ones left out."""
    before, after = comparable(recorded.event), comparable(now)
    turn = _turn(recorded.event)
    name = str(before.get("type"))
    if before.get("type") != after.get("type"):
        yield Difference(turn, name, recorded.seq, "type", before.get("type"), after.get("type"))
        return
    hidden_later = isinstance(recorded.event, Observed | ResultSaved | Answered)
    for path, left, right in _walk(before, after, ""):
        if hidden_later and _is_hidden(left, right):
            continue
        yield Difference(turn, name, recorded.seq, path, left, right)


def _is_hidden(recorded: Any, now: Any) -> bool:
    """Say whether a text is the recorded one but for its secrets.

    A value that an answer gave under an innocent name, and another later as a credential, is hidden in what is
    shown of the first from then on; in a replay it is not known as the same.
    """
    if not isinstance(now, str):
        return False
    value = from_log(recorded)
    pieces = _SHOWN_SECRET.split(str(value)) if isinstance(value, str | Secret | SecretText) else []
    return len(pieces) > 1 and re.fullmatch(".+".join(map(re.escape, pieces)), now, re.DOTALL) is not None


_SHOWN_SECRET = re.compile(re.escape(str(Secret("x"))).replace("x", "[^«»]*"))


def _walk(left: Any, right: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            below = f"{path}.{key}" if path else str(key)
            yield from _walk(left.get(key, _ABSENT), right.get(key, _ABSENT), below)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from _walk(one, other, f"{path}[{number}]")
    elif left is _ABSENT or right is _ABSENT or not same(left, right):
        yield path, left, right


def _turn(event: Event) -> int | None:
    for name in ("turn", "call", "think"):
        found = getattr(event, name, None)
        if found is not None:
            return int(found if name == "turn" else found.turn)
    return None


def first_difference(left: Iterable[Record], right: Iterable[Record]) -> Difference | None:
    """Compare two logs event by event; prompts and volatile fields are left out."""
    ours, theirs = _compared(left), _compared(right)
    for one, other in zip(ours, theirs, strict=False):
        found = next(differences(one, other.event), None)
        if found is not None:
            return found
    if len(ours) != len(theirs):
        longer = max(ours, theirs, key=len)[min(len(ours), len(theirs))]
        missing = longer.event.type
        was, now = (missing, _ABSENT) if len(ours) > len(theirs) else (_ABSENT, missing)
        return Difference(_turn(longer.event), missing, longer.seq, "event", was, now)
    return None


def _compared(records: Iterable[Record]) -> list[Record]:
    return [record for record in records if _is_compared(record)]


def _is_compared(record: Record) -> bool:
    return not isinstance(record.event, _NOT_COMPARED)


def _whole_prompts(records: Iterable[Record]) -> Iterator[tuple[ThinkId, list[Any]]]:
    """Give every prompt with all its parts: which of them an event repeats says nothing of the prompt."""
    prompt: list[Any] = []
    for record in records:
        if isinstance(record.event, PromptShown):
            prompt = whole_prompt(prompt, record.event.blocks)
            yield record.event.think, prompt


class ComparingJournal(MemoryJournal):
    """A journal in memory that stops the run at the first event which is not as recorded."""

    def __init__(self, recorded: Sequence[Record]) -> None:
        super().__init__()
        self._expected = deque(r for r in recorded if isinstance(r.event, PromptShown) or _is_compared(r))
        self._calls = [record for record in recorded if isinstance(record.event, CallIntended)]
        self._prompts = dict(_whole_prompts(recorded))
        self._prompt: list[Any] = []
        self.notes: list[str] = []

    def append(self, event: Event, *, sync: bool = False) -> Record:
        record = super().append(event, sync=sync)
        if isinstance(event, PromptShown):
            if isinstance(self.upcoming, PromptShown):
                self._expected.popleft()
            known = self._prompts.get(event.think)
            self._prompt = whole_prompt(self._prompt, event.blocks)
            if known is not None and known != self._prompt:
                changed = sum(part not in known for part in self._prompt)
                self.notes.append(f"the prompt of turn {event.think.turn} differs in {changed} blocks")
        elif _is_compared(record):
            self._compare(record)
        return record

    @property
    def upcoming(self) -> Event | None:
        """What the log has next."""
        return self._expected[0].event if self._expected else None

    def _compare(self, record: Record) -> None:
        while isinstance(self.upcoming, PromptShown):
            self._expected.popleft()
        if not self._expected:
            raise ReplayMismatch(
                f"the log ends, the run goes on with {record.event.type!r}",
                code="log_ends",
                where=f"after event {record.seq}",
            )
        expected = self._expected.popleft()
        found = list(differences(expected, record.event))
        if not found:
            return
        what = "; ".join(str(difference) for difference in found[:3])
        more = f" and {len(found) - 3} more fields" if len(found) > 3 else ""
        raise ReplayMismatch(f"differs at {what}{more}", code="replay_differs", where=self._nearest(record.event))

    def _nearest(self, event: Event) -> str:
        """Name the recorded request most like one that is not in the log."""
        if not isinstance(event, CallIntended) or not self._calls:
            return ""
        text = write_json(comparable(event)["request"])

        def likeness(record: Record) -> float:
            other = write_json(comparable(record.event)["request"])
            return SequenceMatcher(None, text[:2000], other[:2000], autojunk=False).quick_ratio()

        best = max(self._calls, key=likeness)
        nearest = best.event
        assert isinstance(nearest, CallIntended)
        return f"nearest recorded request: {nearest.label}, turn {nearest.call.turn}, event {best.seq}"
