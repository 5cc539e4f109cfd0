"""What is known of a run at one moment: nothing but what its events say."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from thinkagent.events import CallId, LimitReached, ThinkId, TurnTaken
from thinkagent.turns.model import Exchange, ObservationCard, Plan
from thinkagent.values import digest, write_json

if TYPE_CHECKING:
    from thinkagent.engine.scope import StepValue
    from thinkagent.engine.wire.answer import Decoded

__all__ = ["Answer", "Batch", "Item", "Phase", "Repeat", "RunState", "Step", "Totals"]

Phase = Literal[
    "start",  # nothing yet
    "think",  # a reply is wanted
    "parse",  # a reply is there, not understood yet
    "decide",  # calls are to be built and judged
    "person",  # somebody is asked
    "call",  # calls are going on
    "compute",
    "look",  # search_tools, inspect
    "wait",
    "save",  # the outcome is there, the step is to be named
    "observe",
    "finish",
    "ending",  # how it ends is known
    "ended",
]


@dataclass(slots=True)
class Answer:
    """An answer of the API, as its event holds it."""

    call: CallId
    status: int
    headers: list[list[Any]]
    body: Any
    encoding: str
    truncated: bool
    notes: list[str]
    more: bool | None
    next_page: Mapping[str, Any] | None
    decoded: Decoded | None = field(default=None, compare=False)
    """Its value, read once on demand."""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


@dataclass(slots=True)
class Item:
    """One element of a batch: its pages so far and how it stands."""

    index: int
    pages: list[Answer] = field(default_factory=list)
    outcome: str = ""
    """"" while it goes on, then ok, http_error, network_error, unknown."""
    message: Any = ""
    kind: str = ""
    request: Mapping[str, Any] | None = None
    """The first page's request in event form."""


@dataclass(slots=True)
class Batch:
    """The calls of one turn. Queues, never scans: what waits, what runs, what is done."""

    turn: int
    tool: str
    effect: str
    size: int
    ready: deque[CallId]
    pages: int | None = 1
    """How many pages are wanted; None for all."""
    live: dict[CallId, str] = field(default_factory=dict)
    """Calls begun and not ended: intended or sending."""
    waiting: dict[CallId, Any] = field(default_factory=dict)
    """The next attempt of a call, and the seconds to wait before it."""
    items: dict[int, Item] = field(default_factory=dict)
    done: int = 0
    polling: bool = False
    met: bool | None = None
    """Of a repeat: whether `until` holds after the last round; None while a round is not checked."""
    problem: str = ""

    @property
    def finished(self) -> bool:
        return self.done == self.size


@dataclass(slots=True)
class Step:
    """A saved result and where its value comes from."""

    name: str
    tool: str
    turn: int
    status: str
    """ok, or why it holds no good result: http_error, unknown, network_error."""
    items: list[Item] = field(default_factory=list)
    for_each: bool = False
    computed: bool = False
    value: Any = None
    uses: tuple[str, ...] = ()
    """Steps that a computed value rests on."""
    expression: str = ""
    """Of a computed value."""
    effect: str = "read"
    digest: str = ""
    """Of a single read: the digest of its request."""
    cache: StepValue | None = field(default=None, compare=False)
    """Its value as references see it, made once on demand from the events."""


@dataclass(slots=True)
class Totals:
    """What has been used up."""

    turns: int = 0
    calls: int = 0
    writes: int = 0
    replies: int = 0
    failed_replies: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    unknown_usage: int = 0
    """Replies of whose tokens the model did not tell all."""
    cost_usd: Any = None
    unknown_cost: int = 0


@dataclass(slots=True)
class Repeat:
    """How often the same thing was done with the same outcome, nothing written in between."""

    outcome: str
    count: int = 1


@dataclass(slots=True)
class RunState:
    """The fold of a run's events. `fold.apply` is the only one that changes it."""

    phase: Phase = "start"
    started: Any = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    turn: int = 1
    repairs: list[Exchange] = field(default_factory=list)
    think: ThinkId = ThinkId(1)
    prompted: bool = False
    """The prompt of `think` has been shown."""
    think_wait: Any = None
    """Seconds before `think` may start; None when at once."""
    reply: Any = None
    failures: list[Any] = field(default_factory=list)
    """Failed attempts at the present reply."""
    plan: Plan | None = None
    taken: TurnTaken | None = None
    decided: Any = None
    question: Any = None
    person: Any = None
    batch: Batch | None = None
    saved: Any = None
    """The result event of the present turn."""
    steps: dict[str, Step] = field(default_factory=dict)
    history: list[ObservationCard] = field(default_factory=list)
    prompt: list[list[Any]] = field(default_factory=list)
    """The last prompt's blocks, as `events.prompts` has them."""
    budget_tokens: int | None = None
    """What a page may take, once the model has said that one was too long."""
    fetched: list[str] = field(default_factory=list)
    repeats: dict[str, Repeat] = field(default_factory=dict)
    loop: int = 0
    """How often the last turn's action came with an equal outcome."""
    limit: LimitReached | None = None
    refused: list[str] = field(default_factory=list)
    """Reasons of denied decisions."""
    writes: list[tuple[int, str, Item]] = field(default_factory=list)
    own: dict[int, list[str]] = field(default_factory=dict)
    """By turn: the places of a write's values that the mind made up."""
    """(turn, tool, item) of every item of a write that was sent, in order."""
    answer: Any = None
    end: Any = None
    totals: Totals = field(default_factory=Totals)
    in_flight: dict[CallId, tuple[int, str, str]] = field(default_factory=dict)
    """Call to (item, effect, phase) of calls without an outcome."""
    labels: dict[int, str] = field(default_factory=dict)
    """Turn to `METHOD /path` of its calls."""
    called: dict[int, str] = field(default_factory=dict)
    """Turn to the tool of its calls."""

    @property
    def action(self) -> Mapping[str, Any]:
        return {} if self.taken is None else self.taken.action

    def action_key(self) -> str:
        """Name the present action by what it does, whatever the result is called."""
        action = {key: value for key, value in self.action.items() if key != "save_as"}
        return digest(write_json(action, sort=True))
