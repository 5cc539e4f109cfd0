"""Compute: a Python expression over the results of steps, in a sandbox.

The expression runs in a worker process of pydantic-monty: no files, no network, no modules of the host, no
environment; its time, memory and depth are limited. Data goes in as JSON text and comes back as exact JSON: numbers
keep their digits, `/` and float literals are decimal with 60 digits, the clock is the run's and the randomness is
seeded, so the same expression over the same data gives the same text. A secret in the data is the text
`«secret NAME»` in here and comes back as that text: nothing in a computation can open it. What is printed goes
nowhere.
"""

from __future__ import annotations

import asyncio
import threading
from datetime import datetime
from typing import TYPE_CHECKING

from thinkagent.engine.compute_errors import ComputeError
from thinkagent.engine.compute_program import build_program
from thinkagent.engine.compute_source import prepare
from thinkagent.engine.compute_worker import ComputeLimits, Job
from thinkagent.engine.scope import Scope
from thinkagent.values import Json

if TYPE_CHECKING:
    from pydantic_monty import Monty

__all__ = ["ComputeError", "ComputeLimits", "Sandbox", "compute", "reads_nothing", "steps_used"]

_READ = frozenset({"steps", "inputs", "today", "now", "date", "datetime", "time"})
GRACE_S = 1.0
"""How long the worker has, after its time is up, to say so before it is killed."""


class Sandbox:
    """The workers that computations run in; each computation has a fresh one.

    Workers are processes, started with the first computation. `close` ends them; a closed sandbox may be used again.
    """

    def __init__(self, *, limits: ComputeLimits = ComputeLimits(), processes: int = 2) -> None:
        self.limits = limits
        self.processes = processes
        self._pool: Monty | None = None
        self._lock = threading.Lock()

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the workers."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.__exit__, None, None, None)

    async def compute(self, expression: str, scope: Scope, *, now: datetime, zone: str = "UTC") -> Json:
        """Give the value of an expression; a cancelled computation's worker is killed.

        Raises:
            ComputeError: it gave none, with what to write instead.
            ReferenceMiss: a step or input that it names has no value.
        """
        job = Job(build_program(prepare(expression), scope), self.limits, now, zone)
        # Threads, because the library's own asynchronous pool aborts the process at its end now and then.
        running = asyncio.get_running_loop().run_in_executor(None, self._run, job)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            job.cancel()
            # Nobody will ask what became of it.
            running.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    def _run(self, job: Job) -> Json:
        return job.run(self._started())

    def _started(self) -> Monty:
        from pydantic_monty import Monty

        with self._lock:
            if self._pool is None:
                pool = Monty(
                    max_processes=self.processes,
                    checkout_timeout=self.processes * (self.limits.time_s + GRACE_S) + 10,
                    max_checkouts_per_worker=1,
                    feed_duration_limit_grace=GRACE_S,
                )
                try:
                    pool.__enter__()
                except (OSError, RuntimeError) as error:
                    raise ComputeError(
                        f"the sandbox does not start: {error}",
                        code="compute_unavailable",
                        hint="Install it again: pip install pydantic-monty",
                    ) from error
                self._pool = pool
            return self._pool


async def compute(
    expression: str,
    scope: Scope,
    *,
    now: datetime,
    zone: str = "UTC",
    limits: ComputeLimits = ComputeLimits(),
) -> Json:
    """Give the value of an expression, in a sandbox of its own (see `Sandbox.compute`)."""
    async with Sandbox(limits=limits, processes=1) as sandbox:
        return await sandbox.compute(expression, scope, now=now, zone=zone)


def reads_nothing(expression: str) -> bool:
    """Say whether an expression that uses no step is made of its own literals alone: no input, no clock.

    Raises:
        ComputeError: it is no Python.
    """
    prepared = prepare(expression)
    return not prepared.paths and not (prepared.names - prepared.bound) & _READ


def steps_used(expression: str, scope: Scope) -> tuple[str, ...]:
    """Name the steps that an expression reads, in the scope's order.

    Raises:
        ComputeError: it is no Python.
    """
    prepared = prepare(expression)
    if "steps" in prepared.names - prepared.bound:
        return tuple(scope.steps)
    named = prepared.names | {path.name for path in prepared.paths.values() if path.root == "steps"}
    return tuple(name for name in scope.steps if name in named)
