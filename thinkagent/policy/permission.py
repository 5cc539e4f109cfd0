"""May this leave? Decided by code before the first byte, for a whole batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thinkagent.tools.model import Effect

__all__ = ["Request", "Verdict", "judge"]


@dataclass(frozen=True, slots=True)
class Request:
    """What wants to leave: `count` calls of one operation."""

    tool: str
    effect: Effect
    count: int
    writes_so_far: int


@dataclass(frozen=True, slots=True)
class Verdict:
    verdict: Literal["allow", "ask", "deny"]
    rule: str
    """Which rule decided: read, dry-run, allow-writes, yes, ask, nobody, max-writes."""
    reason: str


def judge(request: Request, *, allow_writes: bool, yes: bool, person: bool, dry_run: bool, max_writes: int) -> Verdict:
    """Judge a batch. A limit denies whatever else allows; deny beats ask, ask beats allow.

    Reads go. Writes and deletes go with `allow_writes`, or after a yes: the person's, or `yes` in advance. Where
    nobody can be asked they are denied with the flag that would allow them.
    """
    if request.effect == "read":
        return Verdict("allow", "read", "reads may be sent")
    if request.writes_so_far + request.count > max_writes:
        return Verdict(
            "deny",
            "max-writes",
            f"{request.tool} would make {request.writes_so_far + request.count} writes, "
            f"{max_writes} are allowed (--max-writes)",
        )
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
