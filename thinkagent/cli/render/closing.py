"""The end of a run: why it is not done, what changed, what it took."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from thinkagent import events as ev
from thinkagent.cli.render.say import count, duration, one_line, usage_text
from thinkagent.policy.changes import changed_sentence
from thinkagent.values import visible, write_json

__all__ = ["answer_text", "changed_line", "figures", "note_lines", "signal_text", "status_lines"]

_WORD_OF_THE_MIND = ("failed", "impossible")
_FLAG = re.compile(r"\((--[a-z-]+)\)$")
_NEXT = {
    "model_error": "Check the model and its address (--model, --api-base), or leave --model out to use none",
    "api_error": "Check that the API is up, and its address (--base-url)",
    "loop": "Say the task in other words, or name another --model",
}
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
    # Of what was not sent nothing can be proven, and nobody expects it.
    if ended.status == "dry_run" and ended.reason and (answer is None or answer.status != "unproven"):
        yield f"note: {one_line(ended.reason, 600)}", "warn"
    if ended.status in ("done", "dry_run"):
        return
    told = "" if answer is None else one_line(answer_text(answer.answer), 2000)
    reason = one_line(ended.reason, 2000)
    if ended.status in _WORD_OF_THE_MIND:
        yield f"{ended.status}: {told or reason or _WITHOUT_REASON[ended.status]}", "warn"
        return
    if told and not (reason and reason in told):
        yield f"the mind says: {told}", ""
    yield f"error: {_with_status(_message(ended.status, reason), ended.status)}", "bad"


def _message(status: str, reason: str) -> str:
    message = reason or _WITHOUT_REASON.get(status, status)
    if status == "unproven":
        return f"the answer says more than the log proves: {message}"
    if status == "interrupted":
        return f"stopped by {signal_text(reason)}" if reason else message
    return message


def signal_text(name: str) -> str:
    """Write a signal as people know it."""
    return "Ctrl-C" if name == "SIGINT" else name


def _with_status(message: str, status: str) -> str:
    """Put the status behind the first sentence, where the shape of an error has its place, and say what to do next."""
    first, _, hint = message.rstrip(".").partition(". ")
    flag = _FLAG.search(first)
    if status == "limit" and flag is not None:
        hint = hint or f"A larger {flag[1]} lets it go on"
    hint = hint or _NEXT.get(status, "")
    first = f"{first[:-1]}, {status})" if first.endswith(")") else f"{first} ({status})"
    return f"{first}. {hint}" if hint else first


def note_lines(answer: ev.Answered | None) -> Iterator[tuple[str, str]]:
    """Give what a reader of the answer should know, as (line, style)."""
    for note in () if answer is None else answer.proof.get("notes", ()):
        yield f"note: {one_line(note)}", "warn"


def figures(ended: ev.RunEnded, mind: str, log: str | None) -> list[str]:
    """Say what the run took, and where its log is."""
    usage = ended.usage
    told = [count(int(usage.get("turns", 0)), "turn"), count(int(usage.get("calls", 0)), "call")]
    if ended.wall_us:
        told.append(duration(ended.wall_us))
    told.append(usage_text(usage, mind))
    return told if log is None else [*told, f"log {log}"]


def changed_line(ended: ev.RunEnded, *, dry_run: bool) -> tuple[str, str]:
    """Say what the run changed, or would have, as (line, style)."""
    if dry_run and not ended.changes and ended.reason and ended.usage.get("calls"):
        return "Dry run: nothing was sent. The examples did not lead to a write; real answers might.", ""
    doubtful = any(change.get("outcome") == "unknown" for change in ended.changes)
    return one_line(changed_sentence(ended.changes, dry_run=dry_run), 1000), "warn" if doubtful else ""
