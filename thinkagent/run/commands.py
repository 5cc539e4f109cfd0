"""What a run can want done. Commands that wait have a key by which the driver knows them while they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thinkagent.events import CallId, ThinkId

__all__ = [
    "Ask",
    "Call",
    "Command",
    "Compute",
    "Deadline",
    "Decide",
    "End",
    "Finish",
    "Interrupt",
    "Limit",
    "Look",
    "Observe",
    "Parse",
    "Poll",
    "Save",
    "Think",
    "Wait",
    "Waiting",
]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A command that waits for something outside; `key` is unique while it runs and the same in a replay."""

    @property
    def key(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Think(Waiting):
    think: ThinkId

    @property
    def key(self) -> str:
        return f"think {self.think}"


@dataclass(frozen=True, slots=True)
class Call(Waiting):
    call: CallId

    @property
    def key(self) -> str:
        return f"call {self.call}"


@dataclass(frozen=True, slots=True)
class Wait(Waiting):
    what: str
    seconds: Any

    @property
    def key(self) -> str:
        return f"woke {self.what}"


@dataclass(frozen=True, slots=True)
class Ask(Waiting):
    turn: int

    @property
    def key(self) -> str:
        return f"person t{self.turn}"


@dataclass(frozen=True, slots=True)
class Compute(Waiting):
    turn: int

    @property
    def key(self) -> str:
        return f"result t{self.turn}"


@dataclass(frozen=True, slots=True)
class Poll(Waiting):
    """Try `until` on the answer of a round."""

    turn: int
    round: int

    @property
    def key(self) -> str:
        return f"poll t{self.turn}.i{self.round}"


@dataclass(frozen=True, slots=True)
class Deadline(Waiting):
    seconds: float

    @property
    def key(self) -> str:
        return "limit time"


@dataclass(frozen=True, slots=True)
class Interrupt(Waiting):
    """Wait for Ctrl-C or SIGTERM."""

    @property
    def key(self) -> str:
        return "limit interrupted"


@dataclass(frozen=True, slots=True)
class Parse:
    think: ThinkId


@dataclass(frozen=True, slots=True)
class Decide:
    turn: int


@dataclass(frozen=True, slots=True)
class Look:
    turn: int


@dataclass(frozen=True, slots=True)
class Save:
    turn: int


@dataclass(frozen=True, slots=True)
class Observe:
    turn: int


@dataclass(frozen=True, slots=True)
class Finish:
    turn: int


@dataclass(frozen=True, slots=True)
class Limit:
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class End:
    status: str
    reason: str = ""


Command = Waiting | Parse | Decide | Look | Save | Observe | Finish | Limit | End
