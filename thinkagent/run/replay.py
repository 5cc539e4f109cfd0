"""The run again, from its log alone: the same loop and engine, the recorded mind, the recorded API."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from thinkagent import events as ev
from thinkagent.documents import unpack
from thinkagent.errors import JournalError, ReplayMismatch
from thinkagent.journal import Log, Vault
from thinkagent.run.compare import ComparingJournal
from thinkagent.run.driver import Driver
from thinkagent.run.recorded import (
    RecordedClock,
    RecordedGate,
    RecordedHuman,
    RecordedMind,
    recorded_stop,
    recorded_transport,
)
from thinkagent.run.seams import Seams
from thinkagent.run.target import recorded_targets, server_name
from thinkagent.run.world import Limits, Permission, World
from thinkagent.tools import build_tools
from thinkagent.values import digest

__all__ = ["Replayed", "replay"]

_OPENING = (ev.RunStarted, ev.DocumentUsed, ev.InputsGiven, ev.ToolsBuilt, ev.PolicySet)


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a replay went."""

    log: Log
    turns: int
    calls: int
    same: bool
    difference: str = ""
    where: str = ""
    notes: tuple[str, ...] = ()
    """What is not as recorded and does no harm: prompts, a torn end."""
    records: tuple[ev.Record, ...] = ()
    """The events of the replay."""


async def replay(log: Log, listen: Callable[[ev.Record], None] | None = None) -> Replayed:
    """Run a log again, with no network and no key, and compare event by event.

    Raises:
        JournalError: the log lacks what a run stands on (its document).
    """
    records = [record for record in log.records if not isinstance(record.event, ev.RunResumed | ev.RunForked)]
    opening = _opening(records)
    salt = digest(log.run_id)[7:15]
    vault = Vault(stand_in=lambda name: f"stand-in.{salt}.{name}")
    for name in opening["policy"].secrets:
        vault.expect(name)
    for record in records:
        for name in getattr(record.event, "secrets", ()) if isinstance(record.event, ev.CallAnswered) else ():
            vault.expect(name)
    journal = ComparingJournal(records)
    world = _world(opening)
    seams = Seams(
        mind=RecordedMind(records, opening["run.started"].mind, vault.open),
        journal=journal,
        vault=vault,
        transport=lambda: recorded_transport(records, vault),
        human=RecordedHuman(records, vault.open),
        clock=RecordedClock(),
        stop=recorded_stop(records),
        gate=RecordedGate(records, lambda: journal.upcoming),
    )
    policy = opening["policy"]
    bases = {document.name: vault.open(document.base_url) for document in opening["documents"]}
    targets = recorded_targets(world.toolset, bases, policy, vault)
    driver = Driver(world, seams, targets, listen=listen)
    difference = where = ""
    try:
        for record in records:
            if isinstance(record.event, _OPENING):
                driver.append(record.event)
        state = await driver.run()
    except ReplayMismatch as error:
        state = driver.state
        if error.code != "log_ends" or _ended(records):
            difference, where = error.message, error.where
    notes = list(journal.notes)
    if log.torn:
        notes.append(f"the end of the log was left out: {log.torn}")
    if log.altered:
        notes.append(f"the log was changed by hand at event {log.altered[0]}")
    if not _ended(records):
        notes.append("the recorded run did not end; it was replayed as far as it goes")
    totals = state.totals
    return Replayed(
        log, totals.turns, totals.calls, not difference, difference, where, tuple(notes), tuple(journal.records)
    )


def _ended(records: list[ev.Record]) -> bool:
    return any(isinstance(record.event, ev.RunEnded) for record in records)


def _opening(records: list[ev.Record]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for record in records:
        if isinstance(record.event, _OPENING):
            found.setdefault(record.event.type, record.event)
    found["documents"] = [record.event for record in records if isinstance(record.event, ev.DocumentUsed)]
    lacking = [name for name in ("run.started", "document", "tools", "policy") if name not in found]
    if lacking:
        raise JournalError(
            f"the log holds no {lacking[0]!r}: the run ended before it began",
            code="nothing_to_replay",
            hint="`thinkagent log` shows what is in it",
        )
    return found


def _world(opening: dict[str, Any]) -> World:
    started, tools, policy = (opening[name] for name in ("run.started", "tools", "policy"))
    used: list[ev.DocumentUsed] = opening["documents"]
    toolset = build_tools(
        [unpack(document.content) for document in used],
        include=tools.include,
        exclude=tools.exclude,
        reads=tools.reads,
        names=[document.name for document in used],
    )
    return World(
        task=started.task,
        toolset=toolset,
        now=datetime.fromisoformat(started.now),
        timezone=started.timezone,
        servers={document.name: server_name(str(document.base_url)) for document in used},
        limits=Limits(**{name: value for name, value in started.limits.items() if name in Limits.__slots__}),
        permission=Permission(policy.allow_writes, policy.yes, policy.person),
        dry_run=started.dry_run,
        answer_schema=started.settings.get("answer_schema"),
        excluded=frozenset(toolset.excluded),
        settings=started.settings,
    )


def replay_now(log: Log) -> Replayed:
    """`replay` for callers outside a running loop."""
    return asyncio.run(replay(log))
