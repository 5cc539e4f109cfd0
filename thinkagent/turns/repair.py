"""What a mind is told when its reply could not be used: what was wrong, what is right, one example of it."""

from __future__ import annotations

from typing import Any

from thinkagent.tools.model import Tool
from thinkagent.turns.frame import escape_data, frame, own_words, shorten
from thinkagent.turns.model import BUILT_IN
from thinkagent.turns.page import Describe, cut_to, default_describe
from thinkagent.turns.problem import ProblemKind, Unusable
from thinkagent.turns.schema import BUILT_IN_SCHEMAS
from thinkagent.turns.worked import example_turn
from thinkagent.values import tokens, write_json

__all__ = ["REPAIR_TOKENS", "repair_message"]

REPAIR_TOKENS = 900
"""No repair message is longer."""
_DEFINITION_TOKENS = 400

_ADVICE: dict[ProblemKind, str] = {
    "empty": "Write the turn as the text of your answer.",
    "refusal": "You are asked only to choose the next call. If you will not, finish with status failed and say why.",
    "cut": "Nothing was carried out. Write a shorter turn: one sentence of thought, large arguments by reference.",
    "no_json": "Write the JSON object itself, not about it.",
    "bad_json": "Write plain JSON: double quotes, no comments, no line break inside a text, nothing around it.",
    "no_thought": 'Begin with "thought": what you know, what is missing, and why this action is the next.',
    "no_action": 'After the thought comes "action": an object with "tool" and "arguments".',
    "two_actions": "Nothing was carried out. One turn has one action; what follows is decided when its observation is "
    "seen. For the same call on each element of a list there is for_each.",
    "unknown_tool": "The name does not exist; this is no question of permission. search_tools finds names.",
    "excluded_tool": "It cannot be called in this run, whatever the reason.",
    "bad_arguments": "Nothing was sent. Give the arguments as the tool's definition says.",
    "reference_miss": "Nothing was sent. Refer to what is there, or get it first.",
    "bad_step_name": "Choose another name: letters, digits and _, not beginning with a digit.",
    "bad_plan": "Give the plan as a list of short texts.",
}
_SHOWS_TOOL = {"bad_arguments", "no_thought", "no_action"}

_BUILT_IN_EXAMPLES: dict[str, dict[str, Any]] = {
    "compute": {"expression": "len(found)"},
    "search_tools": {"query": "list the things the task speaks of"},
    "inspect": {"step": "found", "path": "result", "offset": 0, "limit": 20},
    "wait": {"seconds": 5},
    "ask": {"question": "Which of the two do you mean?"},
    "finish": {"status": "done", "answer": "There are <<steps.count.result>>.", "evidence": ["count"]},
}

_HONEST_ENDING: dict[str, Any] = {
    "thought": "What the task needs cannot be had in this run, so I say so and end it.",
    "action": {
        "tool": "finish",
        "arguments": {"status": "impossible", "answer": "It cannot be done: what it needs is missing.", "evidence": []},
    },
}


def repair_message(
    problem: Unusable,
    *,
    tool: Tool | None = None,
    example: Tool | None = None,
    left: int | None = None,
    describe: Describe | None = None,
) -> str:
    """Write the message for one unusable reply.

    `tool` is the operation that the reply named, if it exists; `example` any operation of the document to make an
    example of; `left` how many more tries there are. At most `REPAIR_TOKENS` tokens.
    """
    parts = [f"Your reply could not be used: {_fault(problem)}"]
    if problem.quote:
        parts.append(f"You wrote: {own_words(problem.quote)}")
    parts.append(_ADVICE[problem.kind])
    if problem.kind in _SHOWS_TOOL and problem.tool:
        parts += _definition(problem.tool, tool, describe)
    parts.append(f"Right, for example:\n{_example(problem, tool, example)}")
    last = {0: " This is the last try.", 1: " One more try is left after this."}.get(-1 if left is None else left, "")
    parts.append(f"Answer again with one JSON object.{last}")
    return "\n".join(parts)


def _fault(problem: Unusable) -> str:
    place = f" ({problem.where})" if problem.where else ""
    hint = f". {problem.hint}" if problem.hint else ""
    return shorten(own_words(f"{problem.message}{place}{hint}"), 900, 250, str)


def _definition(name: str, tool: Tool | None, describe: Describe | None) -> list[str]:
    if name in BUILT_IN:
        return [f"The arguments of {name}: {write_json(BUILT_IN_SCHEMAS[name])}"]
    if tool is None:
        return []
    written = (describe or default_describe())(tool, max_tokens=_DEFINITION_TOKENS)
    text = cut_to(escape_data(written.strip()), _DEFINITION_TOKENS)
    return [frame(text, "document")] if tokens(text) <= _DEFINITION_TOKENS else []


def _example(problem: Unusable, tool: Tool | None, example: Tool | None) -> str:
    if problem.kind in ("refusal", "excluded_tool"):
        return write_json(_HONEST_ENDING)
    # Whose reference leads nowhere has to get the value first; another reference would lead nowhere again.
    chosen = tool or example
    if problem.tool in BUILT_IN and not (problem.kind == "reference_miss" and chosen is not None):
        return _built_in_example(problem.tool)
    return _built_in_example("compute") if chosen is None else example_turn(chosen, first=problem.kind == "bad_plan")


def _built_in_example(name: str) -> str:
    action = {"tool": name, "arguments": _BUILT_IN_EXAMPLES[name]}
    if name == "compute":
        action["save_as"] = "count"
    return write_json({"thought": f"I have what {name} needs, so this is next.", "action": action})
