"""What a run changed, written by code from the log whatever the mind claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Change", "change_rows", "changed_sentence"]


@dataclass(frozen=True, slots=True)
class Change:
    """One write that was sent, or would have been in a dry run."""

    turn: int
    item: int
    tool: str
    effect: str
    label: str
    outcome: str
    """ok, refused (the API said no), unknown, not_sent."""
    status: int | None = None


def change_rows(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as they stand in the log and in `run --json`."""
    return [
        {
            "turn": change.turn,
            "item": change.item,
            "tool": change.tool,
            "effect": change.effect,
            "call": change.label,
            "outcome": change.outcome,
            "status": change.status,
        }
        for change in changes
    ]


def changed_sentence(rows: Sequence[Mapping[str, Any]], *, dry_run: bool = False) -> str:
    """Say in one line what changed: `Changed: 3 × POST /coupons, 1 refused (409).` or `Nothing was changed.`"""
    if dry_run:
        if not rows:
            return "Dry run: nothing was sent, and no write would have been."
        return f"Dry run: nothing was sent. Would change: {_by_call(rows)}."
    done = [row for row in rows if row["outcome"] == "ok"]
    parts = [_by_call(done)] if done else []
    refused = [row for row in rows if row["outcome"] == "refused"]
    if refused:
        statuses = ", ".join(dict.fromkeys(str(row["status"]) for row in refused))
        parts.append(f"{len(refused)} refused by the API ({statuses})")
    doubt = [row for row in rows if row["outcome"] == "unknown"]
    if doubt:
        parts.append(f"{len(doubt)} in doubt ({_doubts(doubt)}, look before you repeat it)")
    unsent = [row for row in rows if row["outcome"] == "not_sent"]
    if unsent:
        parts.append(f"{len(unsent)} not sent")
    if not done and not doubt:
        return "Nothing was changed" + (f" ({', '.join(parts)})." if parts else ".")
    return f"Changed: {', '.join(parts)}."


def _doubts(rows: Sequence[Mapping[str, Any]]) -> str:
    by_status: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_status.setdefault(row["status"], []).append(row)
    told = (
        (_by_call(some), "no answer came" if status is None else f"answered {status}")
        for status, some in by_status.items()
    )
    return ", ".join(f"{calls}: {answer}" for calls, answer in told)


def _by_call(rows: Sequence[Mapping[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["call"]] = counts.get(row["call"], 0) + 1
    return ", ".join(f"{count} × {call}" for call, count in counts.items())
