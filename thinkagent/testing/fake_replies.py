"""What a fake model server says or does wrong, one value for each request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Completion", "Fault", "FaultKind", "ModelEntry", "ToolCall"]

FaultKind = Literal["status", "hang", "empty_stream", "cut", "body", "drip", "redirect", "bad_chunk", "reset", "pings"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A native tool call; `arguments` is text as models send it, also where it is no JSON."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion in every detail, for what a plain text cannot say.

    `content` may be text, None or a list of parts; it is sent as it is. `usage` None leaves it out. `delay_s` is
    waited before the first byte.
    """

    content: Any = None
    reasoning: str | None = None
    reasoning_field: str = "reasoning_content"
    tool_calls: Sequence[ToolCall] = ()
    function_call: ToolCall | None = None
    refusal: str | None = None
    finish_reason: str | None = "stop"
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    )
    model: str | None = None
    """The name it answers with; None repeats the one asked for."""
    choices: Sequence[Any] | None = None
    """In place of the one choice that is built from all this."""
    delay_s: float = 0.0
    as_json: bool = False
    """Answer with one JSON document although a stream was asked for."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong; made by the class methods, which say what each is."""

    kind: FaultKind
    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content: str = ""
    interval_s: float = 0.05

    @classmethod
    def http(cls, status: int, body: str | None = None, headers: Mapping[str, str] | None = None) -> Fault:
        """Answer with a status, by default with the error object that OpenAI would send."""
        text = f'{{"error": {{"message": "the fake server says {status}"}}}}' if body is None else body
        return cls("status", status, text, {"Content-Type": "application/json"} | dict(headers or {}))

    @classmethod
    def raw(cls, body: str, content_type: str = "application/json") -> Fault:
        """Answer 200 with any body, also where a stream was asked for."""
        return cls("body", body=body, headers={"Content-Type": content_type})

    @classmethod
    def html(cls) -> Fault:
        """Answer 200 with a page of HTML, as a wrong base or a proxy does."""
        return cls.raw("<!DOCTYPE html><html><title>Welcome</title></html>", "text/html; charset=utf-8")

    @classmethod
    def hang(cls) -> Fault:
        """Take the request and never answer."""
        return cls("hang")

    @classmethod
    def reset(cls) -> Fault:
        """Take the request and close the connection without a byte."""
        return cls("reset")

    @classmethod
    def redirect(cls, location: str, status: int = 307) -> Fault:
        """Point to another address."""
        return cls("redirect", status, headers={"Location": location})

    @classmethod
    def empty_stream(cls) -> Fault:
        """Send a stream of `[DONE]` alone."""
        return cls("empty_stream")

    @classmethod
    def cut(cls, content: str) -> Fault:
        """Send the beginning of an answer, then close the connection; without a stream, half a JSON body."""
        return cls("cut", content=content)

    @classmethod
    def bad_chunk(cls, content: str = "", chunk: str = '{"choices": [{"delta": ') -> Fault:
        """Send some content, then a chunk that is no JSON (or any other `chunk`)."""
        return cls("bad_chunk", content=content, body=chunk)

    @classmethod
    def drip(cls, content: str, interval_s: float = 0.05) -> Fault:
        """Send content one character at a time, for ever, so that no read ever waits long."""
        return cls("drip", content=content, interval_s=interval_s)

    @classmethod
    def pings(cls, content: str = "", interval_s: float = 0.05) -> Fault:
        """Send some content, then comments for ever: a connection that lives and says nothing."""
        return cls("pings", content=content, interval_s=interval_s)


ModelEntry = str | Mapping[str, Any] | Completion | Fault | Callable[[dict[str, Any]], Any]
"""A text, an object (sent as JSON text), a completion, a fault, or a function of the request body that gives one."""
