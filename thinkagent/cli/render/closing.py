"""The end of a run: why it is not done, what changed, what it took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thinkagent import events as ev
from thinkagent.cli.render.say import count, duration, one_line, usage_text
from thinkagent.policy.changes import changed_sentence
from thinkagent.values import visible, write_json

__all__ = ["answer_text", "closing_lines", "status_lines"]

_WORD_OF_THE_MIND = ("failed", "impossible")
_WITHOUT_REASON = {
    "refused": "a write was refused",
    "limit": "a limit was reached",
    "loop": "the same action gave the same outcome again and again",
    "unproven": "the answer names nothing in the log that proves it",
    "model_error": "the model gave no usable reply",
    "api_error": "the API did not answer",
    "journal_error": "the log could not be written",
    "waiting": "a person has to answer",
    "interrupted": "stopped",
    "failed": "the task was not done",
    "impossible": "the task cannot be done",
}


def answer_text(answer: Any) -> str:
    """Write an answer for a terminal or a shell variable: a text as it is, anything else as JSON."""
    return visible(answer) if isinstance(answer, str) else write_json(answer)


def status_lines(ended: ev.RunEnded, answer: ev.Answered | None) -> Iterator[tuple[str, str]]:
    """Say why there is no answer, as (line, style); nothing where the run is done.

    What the mind says of its own failure is a word of its own; everything else has the shape of an error.
    """
    if ended.status in ("done", "dry_run"):
        return
    told = "" if answer is None else one_line(answer_text(answer.answer), 2000)
    reason = one_line(ended.reason, 2000)
    if ended.status in _WORD_OF_THE_MIND:
        yield f"{ended.status}: {told or reason or _WITHOUT_REASON[ended.status]}", "warn"
        return
    if told:
        yield f"the mind says: {told}", ""
    message = reason or _WITHOUT_REASON.get(ended.status, ended.status)
    if ended.status == "unproven":
        message = f"the answer says more than the log proves: {message}"
    elif ended.status == "interrupted":
        message = f"stopped{f' by {reason}' if reason else ''}"
    yield f"error: {_with_status(message, ended.status)}", "bad"


def _with_status(message: str, status: str) -> str:
    """Put the status behind the first sentence, where the shape of an error has its place."""
    first, stop, rest = message.partition(". ")
    return f"{first} ({status}){stop}{rest}"


def closing_lines(
    ended: ev.RunEnded, answer: ev.Answered | None, mind: str, *, dry_run: bool, log: str | None
) -> Iterator[tuple[str, str]]:
    """Say what the run did and took, as (line, style)."""
    for note in () if answer is None else answer.proof.get("notes", ()):
        yield f"note: {one_line(note)}", "warn"
    usage = ended.usage
    doubtful = any(change.get("outcome") == "unknown" for change in ended.changes)
    changed = one_line(changed_sentence(ended.changes, dry_run=dry_run), 1000)
    figures = [count(int(usage.get("turns", 0)), "turn"), count(int(usage.get("calls", 0)), "call")]
    if ended.wall_us:
        figures.append(duration(ended.wall_us))
    figures.append(usage_text(usage, mind))
    if log is not None:
        figures.append(f"log {log}")
    yield changed, "warn" if doubtful else ""
    yield " · ".join(figures), "dim"
