"""One computation in one worker process: hand in, limit, kill, read back, explain."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from thinkagent.engine.compute_errors import ComputeError, explain
from thinkagent.engine.compute_program import Program
from thinkagent.values import Json

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyRuntimeError, MontySession, OSPolicy, ResourceLimits

__all__ = ["ComputeLimits", "Job", "exact_json"]


@dataclass(frozen=True, slots=True)
class ComputeLimits:
    """What one computation may take."""

    time_s: float = 5.0
    memory_bytes: int = 256 * 1024 * 1024
    depth: int = 400
    """Function calls inside each other."""


class Job:
    """One computation in one worker."""

    def __init__(self, program: Program, limits: ComputeLimits, now: datetime, zone: str) -> None:
        self.program = program
        self.limits = limits
        self.now = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
        self.zone = zone
        self._worker: int | None = None
        self._cancelled = False
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Kill the worker, or let it not begin."""
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._worker, getattr(signal, "SIGKILL", signal.SIGTERM))

    def run(self, pool: Monty) -> Json:
        """Give the result; raises `ComputeError`."""
        from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError

        try:
            return exact_json(self._feed(pool), self.program.stand_ins)
        except MontyRuntimeError as error:
            raise self._explained(error) from error
        except MontyCrashedError as error:
            if error.timed_out:
                raise self._too_long() from error
            raise ComputeError(
                "the computation broke its sandbox", code="compute_crashed", hint="Write it in another way"
            ) from error
        except TimeoutError as error:
            raise ComputeError("no sandbox became free", code="compute_unavailable", hint="Try again") from error
        except RuntimeError as error:
            raise ComputeError(f"the sandbox does not answer: {error}", code="compute_unavailable") from error
        except (MontyError, ValueError) as error:
            raise ComputeError(f"the expression failed: {error}") from error

    def _feed(self, pool: Monty) -> object:
        with self._checkout(pool) as session:
            with self._lock:
                if self._cancelled:
                    raise ComputeError("the computation was cancelled", code="compute_cancelled")
                self._worker = session.worker_pid
            try:
                return session.feed_run(
                    self.program.code, inputs=dict(self.program.texts), print_callback=lambda stream, text: None
                )
            finally:
                with self._lock:
                    self._worker = None

    def _checkout(self, pool: Monty) -> MontySession:
        limits: ResourceLimits = {
            "max_feed_duration_secs": self.limits.time_s,
            "max_memory": self.limits.memory_bytes,
            "max_recursion_depth": self.limits.depth,
        }
        policy: OSPolicy = {"datetime": self.now, "sleep": "zero", "random_start": {"seed": 0}}
        try:
            return pool.checkout(limits=limits, os_policy={**policy, "timezone": self.zone})
        except ValueError:
            # No zone of the database: the offset of the run's now is what is known.
            return pool.checkout(limits=limits, os_policy=policy)

    def _explained(self, error: MontyRuntimeError) -> ComputeError:
        kind, _, message = error.display("type-msg").partition(": ")
        if kind == "TimeoutError" and message.startswith("feed time limit"):
            return self._too_long()
        return explain(
            kind.rpartition(".")[2],
            message,
            where=self._where(error),
            names=self.program.variables,
            inputs=self.program.inputs,
        )

    def _too_long(self) -> ComputeError:
        return ComputeError(
            f"the computation took longer than {self.limits.time_s:g} s",
            code="compute_time",
            hint="Go through the data once: build an object by key instead of searching a list for each element",
        )

    def _where(self, error: MontyRuntimeError) -> str:
        if self.program.lines[-1] == 1:
            return ""
        places = [frame.line - self.program.first_line for frame in error.traceback()]
        inside = [self.program.lines[place] for place in places if 0 <= place < len(self.program.lines)]
        return f"line {inside[-1]}" if inside else ""


def exact_json(value: object, stand_ins: int) -> Json:
    """Check and clean what came out of the sandbox; whatever it did inside, only JSON passes.

    Decimals without a fraction become integers, as they would be read back from a log.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _restore(value, stand_ins)
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if _is_spelled_whole(value) else value
    if isinstance(value, list):
        return [exact_json(item, stand_ins) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {_restore(key, stand_ins): exact_json(item, stand_ins) for key, item in value.items()}
    raise ComputeError(
        "the result is no JSON", code="compute_result", hint="Make it a list, an object, a text or a number"
    )


def _is_spelled_whole(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < 0 or (value == 0 and value.is_signed()):
        return False
    return value.adjusted() < (4000 if exponent == 0 else 60)


def _restore(text: str, stand_ins: int) -> str:
    if not stand_ins or text.isascii():
        return text
    return "".join(
        chr(ord(char) - stand_ins + 0xD800) if stand_ins <= ord(char) < stand_ins + 0x800 else char for char in text
    )
