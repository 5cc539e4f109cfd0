"""Tools as the function schemas that model services take, and as plain JSON."""

from __future__ import annotations

from typing import Any, Literal

from thinkagent.tools.describe import describe
from thinkagent.tools.model import Tool
from thinkagent.values import clip

__all__ = ["Provider", "as_dict", "function_schema"]

Provider = Literal["openai", "anthropic"]

MAX_DESCRIPTION = 1024
"""Characters that every service takes."""


def function_schema(tool: Tool, provider: Provider) -> dict[str, Any]:
    """Give a tool as one entry of a `tools` list: of OpenAI's chat completions, or of Anthropic's messages.

    OpenAI's `strict` is never set: it forbids optional arguments, and what a mind sends is checked here anyway.
    """
    description = clip(f"{tool.method} {tool.path}: {tool.when_to_use}", MAX_DESCRIPTION)
    parameters = dict(tool.parameters)
    if provider == "anthropic":
        return {"name": tool.name, "description": description, "input_schema": parameters}
    return {"type": "function", "function": {"name": tool.name, "description": description, "parameters": parameters}}


def as_dict(tool: Tool) -> dict[str, Any]:
    """Give the whole of a tool as plain JSON."""
    return {
        "name": tool.name,
        "method": tool.method,
        "path": tool.path,
        "operation_id": tool.operation.operation_id,
        "pointer": tool.operation.pointer,
        "tags": list(tool.operation.tags),
        "summary": tool.summary,
        "when_to_use": tool.when_to_use,
        "effect": tool.effect,
        "idempotent": tool.idempotent,
        "deprecated": tool.deprecated,
        "needs": {argument: list(names) for argument, names in tool.needs.items()},
        "feeds": list(tool.feeds),
        "arguments": [
            {"name": item.name, "in": item.location, "wire_name": item.wire_name, "required": item.required}
            for item in tool.arguments
        ],
        "parameters": dict(tool.parameters),
        "result_status": tool.result_status,
        "result": dict(tool.result) if isinstance(tool.result, dict) else tool.result,
        "example_call": dict(tool.example_call),
        "example_result": tool.example_result,
        "errors": [{"status": error.status, "meaning": error.meaning, "advice": error.advice} for error in tool.errors],
        "security": [list(names) for names in tool.operation.security],
        "tokens": tool.tokens,
        "definition": describe(tool),
    }
