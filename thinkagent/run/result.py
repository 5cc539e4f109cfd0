"""What a run gives back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thinkagent import events as ev
from thinkagent.run.outcomes import EXIT_CODES
from thinkagent.run.state import RunState
from thinkagent.values import Secret, SecretText

__all__ = ["RunResult", "StepResult", "result_of"]


@dataclass(frozen=True, slots=True)
class StepResult:
    """One saved step."""

    name: str
    tool: str
    status: str
    http_status: int | None


@dataclass(frozen=True, slots=True)
class RunResult:
    """The end of a run: what was answered, what was done, what it cost, and where the log is."""

    status: str
    """done, failed, impossible, unproven, refused, dry_run, limit, loop, model_error, api_error, interrupted."""
    exit_code: int
    answer: Any
    """A text, or JSON where a schema was given; None where the run did not come to one."""
    reason: str = ""
    """Why the status is not done."""
    steps: tuple[StepResult, ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()
    """Every write that was sent: turn, item, tool, call, outcome (ok, refused, unknown, not_sent), status."""
    notes: tuple[str, ...] = ()
    """What a reader of the answer should know, such as a list that was read only in part."""
    usage: Mapping[str, Any] | None = None
    """Turns, calls, writes, tokens and cost; None where a figure is not known."""
    log: Path | None = None
    records: tuple[ev.Record, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON of `run --json`."""
        return {
            "status": self.status,
            "exit_code": self.exit_code,
            "answer": self.answer,
            "reason": self.reason,
            "steps": [
                {"name": step.name, "tool": step.tool, "status": step.status, "http_status": step.http_status}
                for step in self.steps
            ],
            "changes": [dict(change) for change in self.changes],
            "notes": list(self.notes),
            "usage": dict(self.usage or {}),
            "log": None if self.log is None else str(self.log),
        }


def result_of(state: RunState, log: Path | None, records: Iterable[ev.Record]) -> RunResult:
    """Read the result off a folded run."""
    end = state.end
    told = state.answer is not None and end is not None and end.status in ("done", "failed", "impossible", "unproven")
    told = told or (state.answer is not None and end is not None and end.status in ("refused", "api_error"))
    return RunResult(
        status=end.status if end is not None else "interrupted",
        exit_code=end.exit_code if end is not None else EXIT_CODES["interrupted"],
        answer=_without_secrets(state.answer.answer) if told else None,
        reason=str(end.reason) if end is not None else "the run has not ended",
        steps=tuple(
            StepResult(
                step.name,
                step.tool,
                step.status,
                step.items[-1].pages[-1].status if step.items and step.items[-1].pages else None,
            )
            for step in state.steps.values()
        ),
        changes=tuple(end.changes if end is not None else ()),
        notes=tuple(state.answer.proof.get("notes", ())) if state.answer is not None else (),
        usage=end.usage if end is not None else {},
        log=log,
        records=tuple(records),
    )


def _without_secrets(value: Any) -> Any:
    """Put the name of a secret in its place; numbers keep their spelling."""
    if isinstance(value, Secret | SecretText):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _without_secrets(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_secrets(item) for item in value]
    return value
