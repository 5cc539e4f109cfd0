"""The face for Python: documents and settings once, then as many tasks as wanted."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinkagent import events as ev
from thinkagent.documents import Document, from_dict, load_all
from thinkagent.documents.cache import Cache
from thinkagent.engine.wire.auth import Target
from thinkagent.errors import UsageError
from thinkagent.journal import FileJournal, Journal, MemoryJournal, Vault, new_run_id, secret_fields
from thinkagent.minds.base import Delta, Mind
from thinkagent.run.driver import Driver
from thinkagent.run.opening import opening_events
from thinkagent.run.result import RunResult, result_of
from thinkagent.run.seams import Clock, Human, Nobody, Seams, SystemClock
from thinkagent.run.settings import Settings, run_now, zone_of
from thinkagent.run.signals import signals
from thinkagent.run.stages import Stages
from thinkagent.run.target import live_targets, server_name
from thinkagent.run.world import World
from thinkagent.tools import Toolset, build_tools

if TYPE_CHECKING:
    import httpx

__all__ = ["Agent", "Prepared", "load_tools", "run"]

Spec = str | Path | Mapping[str, Any] | Document
"""A document: its path or address, its parsed form, or what was loaded of it."""


def load_tools(
    spec: Spec | Sequence[Spec],
    *,
    overlays: tuple[str, ...] = (),
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    reads: tuple[str, ...] = (),
    cache: bool = True,
) -> Toolset:
    """Load OpenAPI documents (each a path, URL, `-`, or the parsed form), one or several, and make their tools.

    With `cache`, the words to search by and what leads to what are kept for later in this user's cache folder.

    Raises:
        DocumentError: one cannot be used. UsageError: a pattern or operation is not in them, or one is given twice.
    """
    return build_tools(
        _documents(spec, overlays), include=include, exclude=exclude, reads=reads, cache=Cache() if cache else None
    )


def _documents(spec: Spec | Sequence[Spec], overlays: Sequence[str]) -> list[Document]:
    specs = [spec] if isinstance(spec, str | Path | Mapping | Document) else list(spec)
    sources = [str(one) for one in specs if isinstance(one, str | Path)]
    if overlays and len(sources) < len(specs):
        raise UsageError(
            "overlays are applied to a document that is read from a path or an address", code="bad_setting"
        )
    loaded = iter(load_all(sources, overlays=overlays))
    return [
        next(loaded) if isinstance(one, str | Path) else one if isinstance(one, Document) else from_dict(one)
        for one in specs
    ]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that is ready to go: everything is checked, nothing is sent, no log is there yet."""

    world: World
    targets: Mapping[str, Target]
    """By the document's name."""
    vault: Vault
    mind: Mind
    opening: tuple[ev.Event, ...]
    run_id: str
    stages: Stages


class Agent:
    """Carries out tasks on one API, or on several at once.

    >>> agent = Agent("shop.yaml", base_url="http://127.0.0.1:8321")  # doctest: +SKIP
    >>> result = await agent.run("How many products are there?")  # doctest: +SKIP
    """

    def __init__(
        self,
        spec: Spec | Sequence[Spec],
        settings: Settings | None = None,
        *,
        mind: Mind | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        human: Human | None = None,
        clock: Clock | None = None,
        environ: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> None:
        """Load the document, or the documents, and check the settings; `fields` are those of `Settings`.

        `mind`, `transport`, `human` and `clock` take the place of the real ones (see `thinkagent.testing`).

        Raises:
            DocumentError: the document cannot be used. UsageError: a setting is wrong.
        """
        self._stages = Stages()
        try:
            self.settings = replace(settings or Settings(), **fields)
        except TypeError as error:
            raise UsageError(f"no such setting: {error}", code="bad_setting") from error
        self._mind = mind
        self._transport = transport
        self._human = human
        self._clock = clock or SystemClock()
        self._environ = os.environ if environ is None else environ
        with self._stages("load"):
            self.tools = build_tools(
                _documents(spec, self.settings.overlays),
                include=tuple(self.settings.include),
                exclude=tuple(self.settings.exclude),
                reads=tuple(self.settings.reads),
                cache=Cache() if self.settings.cache else None,
            )

    def prepare(self, task: str) -> Prepared:
        """Check everything that a run of this task needs; nothing is sent or written.

        Raises:
            UsageError: the task is empty, or a setting, credential or the model is wrong.
        """
        if not task.strip():
            raise UsageError("the task is empty", code="empty_task", hint='Say what is to be done: thinkagent run "…"')
        settings = self.settings
        with self._stages("load"):
            vault = Vault()
            mind = self._mind or self._selected_mind()
            for key in getattr(mind, "secrets", ()):
                vault.add("model.key", key)
            targets = live_targets(self.tools, settings, self._environ, vault)
            vault.learn("inputs", secret_fields(dict(settings.inputs)))
            zone_name, zone = zone_of(settings.timezone, self._environ)
            permission = replace(settings.permission, person=self._human is not None)
            hidden = vault.hide(task)
            world = World(
                task=str(hidden),
                toolset=self.tools,
                now=run_now(settings.now, zone),
                timezone=zone_name,
                servers={name: vault.redact(server_name(target.base_url)) for name, target in targets.items()},
                limits=settings.limits,
                permission=permission,
                dry_run=settings.dry_run,
                answer_schema=settings.answer_schema,
                excluded=frozenset(self.tools.excluded),
            )
            run_id = new_run_id()
            opening = tuple(opening_events(world, settings, targets, vault, mind.name, run_id))
        return Prepared(world, targets, vault, mind, opening, run_id, self._stages)

    def _selected_mind(self) -> Mind:
        from thinkagent.minds.select import select_mind

        settings = self.settings
        return select_mind(
            settings.model,
            api_base=settings.api_base,
            via=settings.via,
            options=settings.model_options,
            environ=self._environ,
            offline=_offline,
        )

    async def run(
        self,
        task: str,
        *,
        listen: Callable[[ev.Record], None] | None = None,
        on_delta: Callable[[Delta], None] | None = None,
        on_ready: Callable[[Prepared], None] | None = None,
        stop: Callable[[], Awaitable[str]] | None = None,
    ) -> RunResult:
        """Carry out one task.

        `listen` gets every event as it is journaled, `on_delta` the pieces of a reply that streams, `on_ready` what
        was prepared, before the first event. Ctrl-C and SIGTERM end the run with its journal closed where the loop
        runs in the main thread; `stop` takes their place: it waits for the wish to stop and gives a word for it.

        Raises:
            UsageError, DocumentError: before anything is sent. JournalError: the log cannot be written.
        """
        ready = self.prepare(task)
        if on_ready is not None:
            on_ready(ready)
        journal: Journal = MemoryJournal()
        if self.settings.log_dir is not None:
            journal = FileJournal(self.settings.log_dir / f"{ready.run_id}.jsonl")
        records: list[ev.Record] = []

        def heard(record: ev.Record) -> None:
            records.append(record)
            if listen is not None:
                listen(record)

        with signals() if stop is None else contextlib.nullcontext(stop) as stopping:
            seams = Seams(
                mind=ready.mind,
                journal=journal,
                vault=ready.vault,
                transport=lambda: self._make_transport(ready),
                human=self._human or Nobody(),
                clock=self._clock,
                stop=stopping,
                on_delta=on_delta,
            )
            driver = Driver(ready.world, seams, ready.targets, listen=heard, stages=ready.stages)
            try:
                for event in ready.opening:
                    driver.append(event)
                state = await driver.run()
            finally:
                journal.close()
        return result_of(state, journal.path, records)

    def _make_transport(self, ready: Prepared) -> httpx.AsyncBaseTransport:
        if self.settings.dry_run:
            from thinkagent.run.dry import dry_transport

            return dry_transport(self.tools)
        if self._transport is not None:
            return self._transport
        from thinkagent.engine.wire.transport import make_transports

        return make_transports([target.base_url for target in ready.targets.values()], self._environ)


def _offline() -> Mind:
    from thinkagent.minds.offline import OfflineMind

    return OfflineMind()


def run(task: str, *, spec: Spec | Sequence[Spec], **settings: Any) -> RunResult:
    """Carry out one task on an API, or on several, and wait for its end, also where a loop runs already (notebooks).

    `settings` are those of `Settings` and of `Agent`.

    >>> run("How many products are there?", spec="shop.yaml", base_url="http://127.0.0.1:8321")  # doctest: +SKIP

    Raises:
        UsageError, DocumentError: before anything is sent. JournalError: the log cannot be written.
    """
    agent = Agent(spec, **settings)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(agent.run(task))
    return _in_thread(agent, task)


def _in_thread(agent: Agent, task: str) -> RunResult:
    """Run in a thread of its own; Ctrl-C here ends the run there, with its journal closed."""
    outcome: list[RunResult | BaseException] = []
    interrupted: list[Callable[[], object]] = []

    async def work() -> RunResult:
        loop = asyncio.get_running_loop()
        stopped: asyncio.Future[str] = loop.create_future()
        interrupted.append(lambda: loop.call_soon_threadsafe(_interrupt, stopped))
        return await agent.run(task, stop=lambda: asyncio.shield(stopped))

    def in_loop() -> None:
        try:
            outcome.append(asyncio.run(work()))
        except BaseException as error:  # handed to the caller's thread, whatever it is
            outcome.append(error)

    thread = threading.Thread(target=in_loop, name="thinkagent")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        for interrupt in interrupted:
            interrupt()
        thread.join()
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _interrupt(stopped: asyncio.Future[str]) -> None:
    if not stopped.done():
        stopped.set_result("SIGINT")
