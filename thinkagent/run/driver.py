"""The only part that waits and the only writer: it starts what should be going on and appends what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from thinkagent.engine.wire.auth import Target
from thinkagent.errors import ThinkagentError
from thinkagent.events import CallFailed, CallId, Event, LimitReached, Record, Woke
from thinkagent.run.commands import Ask, Call, Command, Compute, Deadline, Interrupt, Poll, Think, Wait, Waiting
from thinkagent.run.fold import apply
from thinkagent.run.next import next_commands
from thinkagent.run.performer import Performer
from thinkagent.run.seams import Seams
from thinkagent.run.stages import Stages
from thinkagent.run.state import RunState
from thinkagent.run.world import World

__all__ = ["Driver"]

_WHOLE_RUN = {"limit time", "limit interrupted"}
"""What goes on beside a command that does not wait: the time that is left is counted from the first wait on."""
_ROUNDS_TO_NOTICE = 3
"""Rounds of the event loop from a timer that is due to a task that is done."""
_STAGE_OF_WAIT = ((Ask, "person"), (Think, "mind"), (Call, "send"), (Compute, "compute"), (Poll, "compute"))


class Driver:
    """Carries one run from a state to its end.

    A command that waits first writes what must stand before its wait, then waits in a task of its own; its outcome
    is one event, appended here, with `next` asked anew after each.
    """

    def __init__(
        self,
        world: World,
        seams: Seams,
        targets: Mapping[str, Target],
        state: RunState | None = None,
        *,
        listen: Callable[[Record], None] | None = None,
        stages: Stages | None = None,
    ) -> None:
        self.world = world
        self.seams = seams
        self.state = state or RunState()
        self.stages = stages or Stages()
        self._listen = listen
        self._performer = Performer(world, seams, targets, self.stages, self.append)
        self._running: dict[str, _Running] = {}
        self._woken = asyncio.Event()

    def append(self, event: Event, sync: bool = False) -> Record:
        """Journal an event, then fold it as it was read back, then tell who listens."""
        with self.stages("journal"):
            record = self.seams.journal.append(event, sync=sync)
        self.state = apply(self.state, record.event)
        if self._listen is not None:
            self._listen(record)
        return record

    async def run(self) -> RunState:
        """Go on until the run has ended.

        Raises:
            JournalError: an event could not be kept; nothing was done on the strength of it.
        """
        try:
            while commands := next_commands(self.state, self.world):
                await self._cancel_unwanted(commands)
                first = commands[0]
                if isinstance(first, Waiting):
                    if await self._is_due() or self._start(commands):
                        await self._take_outcome()
                else:
                    self._performer.perform(first, self.state)
        finally:
            await self._abandon()
            await self._performer.close()
        return self.state

    async def _is_due(self) -> bool:
        """Say whether something came about meanwhile: a deadline that passed while writes were built stops them.

        A read or a thought that begins too late is cancelled and does no harm.
        """
        if self.seams.gate is not None:
            return self.seams.gate.is_due(self._running)
        if self.state.batch is None or self.state.batch.effect == "read":
            return False
        for _ in range(_ROUNDS_TO_NOTICE):
            await asyncio.sleep(0)
        return any(one.task.done() for one in self._running.values())

    def _start(self, commands: tuple[Command, ...]) -> bool:
        """Begin what is not running; says whether all of it waits, so that there is nothing new to decide."""
        all_wait = True
        for command in commands:
            if isinstance(command, Waiting) and command.key not in self._running:
                waiting = self._begin(command)
                if waiting is None:
                    all_wait = False
                    continue
                task = asyncio.create_task(self._gated(command, waiting), name=command.key)
                task.add_done_callback(self._wake)
                self._running[command.key] = _Running(command, task, waiting)
        return all_wait

    def _begin(self, command: Waiting) -> Coroutine[Any, Any, Event | None] | None:
        """Write what must stand before the wait; give the wait, or None where it is over already."""
        match command:
            case Think():
                return self._performer.think(command, self.state)
            case Call():
                return self._performer.call(command.call, self.state)
            case Compute():
                return self._performer.compute(self.state)
            case Poll():
                return self._performer.poll(command, self.state)
            case Ask():
                return self._performer.ask(self.state)
            case Wait():
                return self._wait(command)
            case Deadline():
                return self._deadline(command)
            case Interrupt():
                return self._interrupted()
        return None

    async def _gated(self, command: Waiting, waiting: Coroutine[Any, Any, Event | None]) -> Event | None:
        if self.seams.gate is not None and not isinstance(command, Compute | Poll):
            await self.seams.gate.wait(command.key)
        return await waiting

    async def _take_outcome(self) -> None:
        if self.seams.gate is not None:
            await self.seams.gate.settle(list(self._running))
        commands = [one.command for one in self._running.values()]
        stage = next((name for kind, name in _STAGE_OF_WAIT if any(isinstance(c, kind) for c in commands)), "idle")
        with self.stages(stage):
            while not (done := [key for key, one in self._running.items() if one.task.done()]):
                self._woken.clear()
                await self._woken.wait()
        key = min(done)
        event = self._running.pop(key).task.result()
        if self.seams.gate is not None:
            self.seams.gate.passed(key)
        if event is not None:
            self.append(event, self._performer.must_sync(event, self.state))

    def _wake(self, task: asyncio.Task[Event | None]) -> None:
        self._woken.set()

    async def _cancel_unwanted(self, commands: tuple[Command, ...]) -> None:
        wanted = {command.key for command in commands if isinstance(command, Waiting)} or _WHOLE_RUN
        for key in [key for key in self._running if key not in wanted]:
            one = self._running.pop(key)
            event = await _stop(one)
            if isinstance(one.command, Call):
                self.append(event or self._cancelled(one.command.call), sync=True)

    def _cancelled(self, call: CallId) -> Event:
        """A call that was given up: whoever may have acted on it is not known."""
        _, effect, phase = self.state.in_flight[call]
        unknown = effect != "read" and phase == "sending"
        outcome = "unknown" if unknown else "failed" if phase == "sending" else "not_sent"
        return CallFailed(call, "cancelled", "the run was stopped before an answer came", outcome)

    async def _abandon(self) -> None:
        """Stop what still runs after an error; a write in flight is told to be in doubt where the journal takes it."""
        for key in list(self._running):
            one = self._running.pop(key)
            event = await _stop(one)
            if isinstance(one.command, Call):
                try:
                    self.append(event or self._cancelled(one.command.call), sync=True)
                except ThinkagentError:
                    continue

    async def _wait(self, command: Wait) -> Event:
        await self.seams.clock.sleep(float(command.seconds))
        return Woke(command.what, command.seconds)

    async def _deadline(self, command: Deadline) -> Event:
        await self.seams.clock.sleep(command.seconds)
        return LimitReached("time", f"the limit of {float(command.seconds):g} s is reached (--timeout)")

    async def _interrupted(self) -> Event:
        signal = await self.seams.stop()
        return LimitReached("interrupted", signal)


@dataclass(frozen=True, slots=True)
class _Running:
    """A command under way; `waiting` is what its task awaits, and may never have begun."""

    command: Waiting
    task: asyncio.Task[Event | None]
    waiting: Coroutine[Any, Any, Event | None]


async def _stop(one: _Running) -> Event | None:
    """Cancel a command; give its event where it had one already, for nothing that happened may be lost."""
    task = one.task
    if task.done() and not task.cancelled() and task.exception() is None:
        return task.result()
    task.cancel()
    try:
        return await task
    except asyncio.CancelledError:
        return None
    except Exception:
        # The run is ending for a reason of its own; what a given-up command failed with no longer matters.
        return None
    finally:
        one.waiting.close()
