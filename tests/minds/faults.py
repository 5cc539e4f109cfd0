"""What a model server may do, and the typed outcome of each: one table for every mind over HTTP."""

from __future__ import annotations

from typing import Any, NamedTuple

from thinkagent.minds.base import Usage
from thinkagent.testing import Completion, Fault, ToolCall

TURN = '{"thought": "I count – 数.", "action": {"tool": "finish", "arguments": {}}}'
TOTAL_S, IDLE_S = 0.5, 0.3


class Case(NamedTuple):
    entry: Any
    kind: str
    retryable: bool
    says: str


FAILURES = {
    "400": Case(
        Fault.http(400, '{"error": {"message": "no such thing"}}'), "bad_request", False, "answered 400: no such thing"
    ),
    "401": Case(Fault.http(401), "auth", False, "answered 401"),
    "403": Case(Fault.http(403), "auth", False, "answered 403"),
    "404": Case(Fault.http(404), "not_found", False, "'/v1'"),
    "408": Case(Fault.http(408), "timeout", True, "answered 408"),
    "context": Case(
        Fault.http(400, '{"error": {"code": "context_length_exceeded"}}'), "context_length", False, "answered 400"
    ),
    "500": Case(Fault.http(500), "unavailable", True, "answered 500"),
    "503-html": Case(
        Fault.http(503, "<html>", {"Content-Type": "text/html"}), "unavailable", True, "answered 503: <html>"
    ),
    "html": Case(Fault.html(), "malformed", False, "a page of HTML"),
    "text": Case(Fault.raw("hello", "text/plain"), "malformed", False, "'text/plain' that is no JSON"),
    "json-list": Case(Fault.raw("[]"), "malformed", False, "a JSON list"),
    "no-choices-field": Case(Fault.raw('{"data": []}'), "malformed", False, "without 'choices'"),
    "error-in-200": Case(
        Fault.raw('{"error": {"message": "overloaded", "code": 503}}'), "unavailable", True, "503: overloaded"
    ),
    "error-in-stream": Case(
        Fault.bad_chunk("abc", '{"error": {"message": "slow down", "code": 429}}'),
        "rate_limited",
        True,
        "429: slow down",
    ),
    "reset": Case(Fault.reset(), "unavailable", True, "closed the connection"),
    "redirect": Case(
        Fault.redirect("http://u:p@127.0.0.1:9/x?key=1"), "bad_request", False, "points to 'http://127.0.0.1:9/x'"
    ),
    "hang": Case(Fault.hang(), "timeout", False, "within 0."),
    "drip": Case(Fault.drip("abc", 0.02), "timeout", False, "within 0.5 s"),
    "slow-first-byte": Case(Completion(TURN, delay_s=5), "timeout", False, "within 0."),
}
STREAM_FAILURES = {
    "empty-stream": Case(Fault.empty_stream(), "malformed", True, "without any content"),
    "null-content": Case(Completion(None), "malformed", True, "without any content"),
    "no-choices": Case(Completion(choices=[]), "malformed", True, "without any content"),
    "cut": Case(Fault.cut(TURN), "malformed", True, "cut its answer off"),
    "bad-chunk": Case(Fault.bad_chunk("abc"), "malformed", True, "no JSON"),
    "only-comments": Case(Fault.pings("", 0.02), "timeout", False, "no content within 0.3 s"),
    "then-comments": Case(Fault.pings("abc", 0.02), "timeout", False, "no content within 0.3 s"),
}
WHOLE_FAILURES = {
    "no-choices": Case(Completion(choices=[]), "malformed", True, "without any choice"),
    "empty-body": Case(Fault.empty_stream(), "malformed", True, "an empty body"),
    "cut": Case(Fault.cut(TURN), "unavailable", True, "closed the connection"),
    "bad-json": Case(Fault.bad_chunk(), "malformed", True, "no JSON"),
}

ODD_ANSWERS: dict[str, tuple[Completion, dict[str, Any]]] = {
    "filtered": (Completion(None, finish_reason="content_filter"), {"text": None, "finish_reason": "content_filter"}),
    "refusal": (Completion(None, refusal="I will not"), {"text": None, "refusal": "I will not"}),
    "length": (Completion("{", finish_reason="length"), {"text": "{", "finish_reason": "length"}),
    "length-null": (Completion(None, finish_reason="length"), {"text": None, "finish_reason": "length"}),
    "unknown-reason": (Completion("a", finish_reason="eos"), {"finish_reason": "eos"}),
    "no-reason": (Completion("a", finish_reason=None), {"text": "a", "finish_reason": None}),
    "parts": (Completion([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), {"text": "ab"}),
    "think-block": (Completion(f"<think>hm</think>{TURN}"), {"text": TURN, "reasoning": "hm"}),
    "only-closing": (Completion(f"hm</think>{TURN}"), {"text": TURN, "reasoning": "hm"}),
    "unclosed": (Completion("<think>hm"), {"text": "", "reasoning": "hm"}),
    "reasoning_content": (Completion(TURN, reasoning="hm"), {"text": TURN, "reasoning": "hm"}),
    "reasoning": (Completion(TURN, reasoning="hm", reasoning_field="reasoning"), {"text": TURN, "reasoning": "hm"}),
    "only-reasoning": (Completion(None, reasoning="hm"), {"text": None, "reasoning": "hm"}),
    "call": (Completion(tool_calls=[ToolCall("get", '{"id": 1}')]), {"text": None, "tool_call": ("get", '{"id": 1}')}),
    "two-calls": (
        Completion("I do both.", tool_calls=[ToolCall("get", "1"), ToolCall("put", "2", id="b")]),
        {"text": "I do both.", "tool_call": ("get", "1"), "extra_tool_calls": 1},
    ),
    "function_call": (Completion(function_call=ToolCall("get", "{}")), {"tool_call": ("get", "{}")}),
    "no-usage": (Completion(TURN, usage=None), {"usage": Usage()}),
    "other-model": (Completion(TURN, model="other"), {"model": "other", "cost_usd": None}),
    "json-to-a-stream": (Completion(TURN, as_json=True), {"text": TURN, "usage": Usage(11, 7)}),
}
"""Completions that are unusual and yet replies, with the fields that tell."""
