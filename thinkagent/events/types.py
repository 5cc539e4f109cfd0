"""The events of a run, each defined once: what it holds, and which of its fields differ between equal runs.

A field marked volatile (times, ports, versions, ids of the run) is never read by the fold and is left out when two
runs are compared. Values may hold `Secret` and `SecretText`; in the log they stand by name (values.secrets).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

from thinkagent.events.ids import CallId, ThinkId
from thinkagent.values import Secret, SecretText

__all__ = [
    "EVENT_TYPES",
    "SCHEMA_VERSION",
    "Answered",
    "CallAnswered",
    "CallFailed",
    "CallIntended",
    "CallSending",
    "Decided",
    "DocumentUsed",
    "Event",
    "InputsGiven",
    "LimitReached",
    "Observed",
    "PersonReplied",
    "PolicySet",
    "PollChecked",
    "PromptShown",
    "QuestionAsked",
    "Record",
    "RepairAsked",
    "ReplyFailed",
    "ReplyReceived",
    "ResultSaved",
    "RunEnded",
    "RunForked",
    "RunResumed",
    "RunStarted",
    "Text",
    "ToolsBuilt",
    "TurnTaken",
    "UnknownEvent",
    "Woke",
    "volatile",
]

SCHEMA_VERSION = "thinkagent.log/1"

Text = str | Secret | SecretText


def volatile(default: Any = None) -> Any:
    """Declare a field that may differ between equal runs."""
    return field(default=default, metadata={"volatile": True})


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events; `type` is the word in the log."""

    type: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    type = "run.started"
    schema: str
    """`SCHEMA_VERSION` of the program that wrote it."""
    task: str
    settings: Mapping[str, Any]
    """What the user asked for beyond the task, no secret and no path of the machine."""
    limits: Mapping[str, Any]
    now: str
    """The run's fixed now (ISO 8601 with offset)."""
    timezone: str
    mind: str
    world: Mapping[str, str] = field(default_factory=dict)
    """Digests of what the run stands on."""
    dry_run: bool = False
    run_id: str = volatile("")
    versions: Mapping[str, str] = volatile()


@dataclass(frozen=True, slots=True)
class DocumentUsed(Event):
    type = "document"
    title: str
    version: str
    digest: str
    content: Mapping[str, Any]
    """Everything that rebuilds the document: `Document.pack()`."""
    source: str = volatile("")
    base_url: Text = volatile("")
    name: str = ""
    """By which the run tells it from its other documents; empty where it is the only one."""


@dataclass(frozen=True, slots=True)
class InputsGiven(Event):
    type = "inputs"
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolsBuilt(Event):
    type = "tools"
    operations: int
    tools: int
    skipped: int
    digest: str
    include: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PolicySet(Event):
    type = "policy"
    allow_writes: bool
    yes: bool
    person: bool
    schemes: list[str] = field(default_factory=list)
    """Security schemes for which a credential was given; `DOCUMENT:SCHEME` where there are several documents."""
    headers: list[str] = field(default_factory=list)
    """Names of headers that the user added; `DOCUMENT:NAME` where there are several documents."""
    secrets: list[str] = field(default_factory=list)
    """Names of the secrets known at the start."""
    shared: Mapping[str, str] = field(default_factory=dict)
    """Secrets with one value: the name of one to the name under which it is held."""


@dataclass(frozen=True, slots=True)
class PromptShown(Event):
    type = "prompt"
    think: ThinkId
    blocks: list[list[Any]]
    """In order: [role, text] of a block that is new, [first, count] for that many blocks of the prompt before.

    A text may be a list of texts and of {"turn", "part"}: the JSON of an observation or of its shape stands there.
    `prompt_texts` gives the whole texts.
    """
    tokens: int
    build_us: int = volatile(0)


@dataclass(frozen=True, slots=True)
class ReplyReceived(Event):
    type = "reply"
    think: ThinkId
    text: Text | None
    reasoning: Text | None = None
    tool_call: list[Any] | None = None
    """[name, arguments as text] of a native tool call."""
    extra_tool_calls: int = 0
    finish_reason: str | None = None
    refusal: Text | None = None
    model: str = ""
    usage: Mapping[str, int | None] = field(default_factory=dict)
    cost_usd: Decimal | None = None
    first_token_us: int | None = volatile()
    total_us: int | None = volatile()


@dataclass(frozen=True, slots=True)
class ReplyFailed(Event):
    type = "reply.failed"
    think: ThinkId
    kind: str
    message: Text
    status: int | None = None
    retry: Mapping[str, Any] | None = None
    """{"wait_s": n} where another attempt may follow; {"budget_tokens": n} too where the page gets smaller first."""
    retryable: bool = False
    usage: Mapping[str, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnTaken(Event):
    type = "turn"
    turn: int
    thought: Text
    action: Mapping[str, Any]
    """{tool, arguments, save_as, for_each, pages} as parsed, references unresolved."""
    plan: list[str] | None = None
    plan_reason: str | None = None
    doing: int | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RepairAsked(Event):
    type = "repair"
    turn: int
    repair: int
    """1 for the first repair of the turn."""
    kind: str
    message: Text


@dataclass(frozen=True, slots=True)
class Decided(Event):
    type = "decision"
    turn: int
    verdict: str
    """allow, ask, deny, or invalid where the batch could not be built."""
    rule: str
    reason: Text
    effect: str
    tool: str = ""
    """The operation that would be called."""
    digests: list[str] = field(default_factory=list)
    """The digest of every item's request in event form."""
    observation: Mapping[str, Any] | None = None
    """Of an invalid batch: what the mind is told."""
    own: list[str] = field(default_factory=list)
    """Places of a write's arguments whose values the mind made up: nothing that it was given holds them."""


@dataclass(frozen=True, slots=True)
class QuestionAsked(Event):
    type = "question"
    turn: int
    kind: str
    """permission, or mind where the mind asks."""
    text: Text
    options: list[str] = field(default_factory=list)
    samples: list[Any] = field(default_factory=list)
    """At most three of the requests in question."""
    count: int = 0


@dataclass(frozen=True, slots=True)
class PersonReplied(Event):
    type = "person"
    turn: int
    answer: Text | None
    """None: nobody is there."""
    waited_us: int = volatile(0)


@dataclass(frozen=True, slots=True)
class CallIntended(Event):
    type = "call.intended"
    call: CallId
    tool: str
    effect: str
    label: str
    """`GET /customers/{id}`: method and path template."""
    request: Mapping[str, Any]
    digest: str = ""
    """Of the request; empty where it is the one that was decided on."""
    key: Text | None = None


@dataclass(frozen=True, slots=True)
class CallSending(Event):
    type = "call.sending"
    call: CallId


@dataclass(frozen=True, slots=True)
class CallAnswered(Event):
    type = "call.answered"
    call: CallId
    status: int
    headers: list[list[Any]]
    body: Text | None
    """As received; None where there was none. Lone surrogates stand for bytes that are no text (PEP 383). Binary bodies
    are in base64 (`encoding`), or, around secrets, UTF-8 with such surrogates (`bytes`)."""
    encoding: str = "text"
    truncated: bool = False
    secrets: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    more: bool | None = None
    """Whether the service has more pages after this one; None: it does not say."""
    next_page: Mapping[str, Any] | None = None
    """The request of the next page in event form, where it is known and may be sent."""
    retry: Mapping[str, Any] | None = None
    times_us: Mapping[str, int] = volatile()


@dataclass(frozen=True, slots=True)
class CallFailed(Event):
    type = "call.failed"
    call: CallId
    kind: str
    message: Text
    outcome: str
    """not_sent (proven), unknown (the server may have acted), failed (a read)."""
    retry: Mapping[str, Any] | None = None
    times_us: Mapping[str, int] = volatile()


@dataclass(frozen=True, slots=True)
class Woke(Event):
    type = "woke"
    what: str
    """Which wait is over: `call t4.i0.p0.a1`, `think t2.r0.a1`, `wait t5`, `poll t5.i1`."""
    waited_s: Decimal | int


@dataclass(frozen=True, slots=True)
class PollChecked(Event):
    type = "poll"
    turn: int
    round: int
    met: bool
    """Whether `until` held for the answer of this round."""
    problem: str = ""
    """Why it could not be told; the polling ends then."""


@dataclass(frozen=True, slots=True)
class LimitReached(Event):
    type = "limit"
    kind: str
    """turns, calls, writes, time, loop, interrupted."""
    detail: str


@dataclass(frozen=True, slots=True)
class RunResumed(Event):
    type = "run.resumed"
    lost: list[str] = field(default_factory=list)
    """Names of secrets that are no longer known."""
    versions: Mapping[str, str] = volatile()


@dataclass(frozen=True, slots=True)
class RunForked(Event):
    type = "run.forked"
    parent_seq: int
    lost: list[str] = field(default_factory=list)
    parent: str = volatile("")


@dataclass(frozen=True, slots=True)
class ResultSaved(Event):
    type = "result"
    turn: int
    name: str
    tool: str
    calls: list[CallId] = field(default_factory=list)
    """The calls whose answers make the value, in order of item and page."""
    for_each: bool = False
    uses: list[str] = field(default_factory=list)
    """Of a computed value: the steps that its expression names."""
    value: Any = None
    """Only of compute, search_tools, inspect and ask."""
    problem: Mapping[str, Any] | None = None
    """Of a compute or look that failed: the error, in its four fields; no step is saved then."""


@dataclass(frozen=True, slots=True)
class Observed(Event):
    type = "observation"
    turn: int
    observation: Mapping[str, Any]
    compute_us: int = volatile(0)


@dataclass(frozen=True, slots=True)
class Answered(Event):
    type = "answer"
    turn: int
    status: str
    answer: Any
    evidence: list[str] = field(default_factory=list)
    changes: list[Any] = field(default_factory=list)
    proof: Mapping[str, Any] = field(default_factory=dict)
    """What the log proves of the answer: {"proven": bool, "doubts": [...]}"""


@dataclass(frozen=True, slots=True)
class RunEnded(Event):
    type = "run.ended"
    status: str
    exit_code: int
    reason: Text = ""
    changes: list[Any] = field(default_factory=list)
    usage: Mapping[str, Any] = field(default_factory=dict)
    stages_us: Mapping[str, int] = volatile()
    wall_us: int = volatile(0)


@dataclass(frozen=True, slots=True)
class UnknownEvent(Event):
    """An event of a later version; kept, never acted on."""

    name: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """An event in its place in the log."""

    seq: int
    at: str
    """UTC, ISO 8601 with microseconds."""
    event: Event
    prev: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a later version."""


EVENT_TYPES: Mapping[str, type[Event]] = {
    kind.type: kind
    for kind in (
        RunStarted,
        DocumentUsed,
        InputsGiven,
        ToolsBuilt,
        PolicySet,
        PromptShown,
        ReplyReceived,
        ReplyFailed,
        TurnTaken,
        RepairAsked,
        Decided,
        QuestionAsked,
        PersonReplied,
        CallIntended,
        CallSending,
        CallAnswered,
        CallFailed,
        Woke,
        PollChecked,
        LimitReached,
        RunResumed,
        RunForked,
        ResultSaved,
        Observed,
        Answered,
        RunEnded,
    )
}
"""Every event type by its word in the log, in the order of a run."""
