"""May this leave? Decided by code before the first byte, for a whole batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thinkagent.tools.model import Effect

__all__ = ["Request", "Verdict", "judge", "over_limit"]


@dataclass(frozen=True, slots=True)
class Request:
    """What wants to leave: `count` calls of one operation."""

    tool: str
    effect: Effect
    count: int
    writes_so_far: int
    calls_so_far: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    verdict: Literal["allow", "ask", "deny"]
    rule: str
    """Which rule decided: read, dry-run, allow-writes, yes, ask, nobody, or a limit (max-writes, max-calls)."""
    reason: str


def over_limit(request: Request, *, max_writes: int, max_calls: int) -> Verdict | None:
    """Say which limit a batch would break as a whole: nothing of it is built then, and nothing sent."""
    if request.effect != "read" and request.writes_so_far + request.count > max_writes:
        made, what, most = request.writes_so_far + request.count, "writes", max_writes
    elif request.calls_so_far + request.count > max_calls:
        made, what, most = request.calls_so_far + request.count, "calls", max_calls
    else:
        return None
    reason = f"{request.tool} would make {made} {what}; the limit is {most} (--max-{what})"
    return Verdict("deny", f"max-{what}", reason)


def judge(request: Request, *, allow_writes: bool, yes: bool, person: bool, dry_run: bool) -> Verdict:
    """Judge a batch that is within its limits; deny beats ask, ask beats allow.

    Reads go. Writes and deletes go with `allow_writes`, or after a yes: the person's, or `yes` in advance. Where
    nobody can be asked they are denied with the flag that would allow them.
    """
    if request.effect == "read":
        return Verdict("allow", "read", "reads may be sent")
    if dry_run:
        return Verdict("allow", "dry-run", "nothing is sent in a dry run")
    if allow_writes:
        return Verdict("allow", "allow-writes", "the user allowed this run's writes (--allow-writes)")
    if yes:
        return Verdict("ask", "yes", "the user answers yes to what is asked (--yes)")
    if person:
        return Verdict("ask", "ask", f"{request.tool} is a {request.effect} and needs a yes")
    return Verdict(
        "deny",
        "nobody",
        f"{request.tool} is a {request.effect} and nobody can be asked. "
        "Pass --allow-writes, or --yes to answer what would be asked",
    )
