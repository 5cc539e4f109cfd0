"""The JSON of a fake completion: whole, or in the chunks of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thinkagent.testing.fake_replies import Completion, ToolCall
from thinkagent.values import write_json

__all__ = ["chunks_of", "completion_body"]


def completion_body(entry: Completion, request: Any) -> str:
    """Write the whole completion that answers `request`."""
    entry = _as_forced_call(entry, request)
    message: dict[str, Any] = {"role": "assistant", "content": entry.content}
    if entry.reasoning is not None:
        message[entry.reasoning_field] = entry.reasoning
    if entry.refusal is not None:
        message["refusal"] = entry.refusal
    if entry.tool_calls:
        message["tool_calls"] = [_call(call) for call in entry.tool_calls]
    if entry.function_call:
        message["function_call"] = _call(entry.function_call)["function"]
    choices = [{"index": 0, "message": message, "finish_reason": entry.finish_reason}]
    body = _frame("chat.completion", entry, request) | {"choices": choices if entry.choices is None else entry.choices}
    if entry.usage is not None:
        body["usage"] = dict(entry.usage)
    return write_json(body)


def chunks_of(entry: Completion, request: Any, piece: int) -> Iterator[str]:
    """Write the chunks of a stream that answers `request`; the usage comes last, only if it was asked for."""
    entry = _as_forced_call(entry, request)
    frame = _frame("chat.completion.chunk", entry, request)
    if entry.choices is not None:
        yield write_json(frame | {"choices": list(entry.choices)})
    else:
        for delta in _deltas(entry, piece):
            yield write_json(frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield write_json(frame | {"choices": [{"index": 0, "delta": {}, "finish_reason": entry.finish_reason}]})
    options = request.get("stream_options") if isinstance(request, dict) else None
    if entry.usage is not None and isinstance(options, dict) and options.get("include_usage"):
        yield write_json(frame | {"choices": [], "usage": dict(entry.usage)})


def _deltas(entry: Completion, piece: int) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": None if entry.content is None else ""}
    for text in _pieces(entry.reasoning or "", piece):
        yield {entry.reasoning_field: text}
    if isinstance(entry.content, str):
        for text in _pieces(entry.content, piece):
            yield {"content": text}
    elif entry.content is not None:
        yield {"content": entry.content}
    if entry.refusal is not None:
        yield {"refusal": entry.refusal}
    for index, call in enumerate(entry.tool_calls):
        yield {"tool_calls": [{"index": index, **_call(call, arguments="")}]}
        for text in _pieces(call.arguments, piece):
            yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}
    if entry.function_call:
        yield {"function_call": {"name": entry.function_call.name, "arguments": ""}}
        for text in _pieces(entry.function_call.arguments, piece):
            yield {"function_call": {"arguments": text}}


def _pieces(text: str, piece: int) -> Iterator[str]:
    for start in range(0, len(text), piece):
        yield text[start : start + piece]


def _call(call: ToolCall, arguments: str | None = None) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments if arguments is None else arguments}
    return {"id": call.id, "type": "function", "function": function}


def _frame(kind: str, entry: Completion, request: Any) -> dict[str, Any]:
    asked = request.get("model") if isinstance(request, dict) else None
    return {"id": "chatcmpl-fake", "object": kind, "created": 1700000000, "model": entry.model or asked or "fake-model"}


def _as_forced_call(entry: Completion, request: Any) -> Completion:
    """Answer a forced tool with a call of it."""
    choice = request.get("tool_choice") if isinstance(request, dict) else None
    if not isinstance(choice, dict) or not isinstance(entry.content, str) or entry.tool_calls:
        return entry
    name = choice.get("function", {}).get("name", "")
    return Completion(
        None,
        reasoning=entry.reasoning,
        reasoning_field=entry.reasoning_field,
        tool_calls=(ToolCall(name, entry.content),),
        finish_reason="tool_calls" if entry.finish_reason == "stop" else entry.finish_reason,
        usage=entry.usage,
        model=entry.model,
    )
