"""What a mind is: a page in, a reply out; one attempt, typed outcomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

from thinkagent.turns.model import Page

__all__ = ["Delta", "FailureKind", "Mind", "MindFailure", "Reply", "Usage"]

FailureKind = Literal[
    "auth",  # 401, 403: the key is missing or refused
    "not_found",  # no such model
    "unsupported",  # a setting was refused; the mind has dropped it, the next attempt will differ
    "rate_limited",  # 429
    "context_length",  # the prompt was too long
    "bad_request",  # any other 4xx
    "unavailable",  # 5xx, connection refused or reset
    "timeout",  # no answer, or no content, within the deadline
    "malformed",  # not a completion: HTML, broken JSON, no choices, an empty stream, a stream that was cut
]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one attempt; None is unknown and never 0."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came from the model, as received."""

    text: str | None
    """None where the model sent no content."""
    reasoning: str | None = None
    """Hidden thinking, kept apart from the thought: a field of the answer or a `<think>` block."""
    tool_call: tuple[str, str] | None = None
    """A native tool call: name and the arguments' text. With `text` it is the thought before it."""
    extra_tool_calls: int = 0
    """How many more native tool calls came with the first."""
    finish_reason: str | None = None
    refusal: str | None = None
    model: str = ""
    usage: Usage = Usage()
    cost_usd: Decimal | None = None
    first_token_us: int | None = None
    total_us: int | None = None


class MindFailure(Exception):
    """An attempt that gave no reply. `retry_after_s` is what the server asked for; `retryable` is ours to say."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        retryable: bool = False,
        retry_after_s: float | None = None,
        status: int | None = None,
        usage: Usage = Usage(),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.status = status
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply while it streams: `text` of the content, or `reasoning`."""

    text: str = ""
    reasoning: str = ""


class Mind(Protocol):
    """Understands a page and answers with one turn as text (the JSON of turns.protocol).

    Raises:
        MindFailure: no reply came; never anything else.
    """

    @property
    def name(self) -> str:
        """For people and the log: `offline`, `openai/gpt-5`, `scripted`."""
        ...

    async def reply(self, page: Page, on_delta: Callable[[Delta], None] | None = None) -> Reply: ...
