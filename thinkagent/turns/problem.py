"""Why a reply could not be used: the kinds, each of which a mind can put right in its own way."""

from __future__ import annotations

from typing import Literal

from thinkagent.errors import ModelError, ThinkagentError
from thinkagent.values import clip, visible

__all__ = ["ProblemKind", "Unusable", "quoted"]

ProblemKind = Literal[
    "empty",  # no text and no tool call
    "refusal",  # the model or a filter declined
    "cut",  # ended for length, or in the middle of its JSON
    "no_json",  # text without a JSON object
    "bad_json",  # something that was meant as the turn but is no JSON
    "no_thought",
    "no_action",
    "two_actions",  # more than one action, or an action and an ending
    "unknown_tool",
    "excluded_tool",  # it exists, but the user left it out of this run
    "bad_arguments",
    "reference_miss",
    "bad_step_name",
    "bad_plan",
]

_QUOTE_LENGTH = 200


class Unusable(ModelError):
    """A reply, or the turn in it, that is not carried out. `kind` is also the error's code.

    `quote` is the part of the reply that is wrong, short and safe to show; `tool` the tool that it names, if any.
    """

    def __init__(self, kind: ProblemKind, message: str, *, quote: str = "", hint: str = "", tool: str = "") -> None:
        super().__init__(message, code=kind, hint=hint)
        self.kind: ProblemKind = kind
        self.quote = quoted(quote)
        self.tool = tool

    @classmethod
    def of(cls, kind: ProblemKind, error: ThinkagentError, *, quote: str = "", tool: str = "") -> Unusable:
        """Turn an error of a lower room (arguments, a reference) into one that the mind is asked to put right."""
        problem = cls(kind, error.message, quote=quote, hint=error.hint, tool=tool)
        problem.where = error.where
        return problem


def quoted(text: str) -> str:
    """Make a piece of a reply short and safe to quote on one line."""
    return clip(visible(text.strip(), newlines=False), _QUOTE_LENGTH)
