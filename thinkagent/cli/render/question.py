"""A question to the person: what it is about, in full enough to answer it."""

from __future__ import annotations

from typing import Any

from thinkagent.cli.render.ink import Ink, Styled
from thinkagent.cli.render.say import one_line, target
from thinkagent.events import QuestionAsked

__all__ = ["INDENT", "show_question"]

INDENT = 3


def show_question(ink: Ink, question: QuestionAsked, base_url: str = "") -> None:
    """Write a question: with its options, or with the first of the requests that leave is asked for."""
    if question.kind != "permission":
        ink.line(Styled(f"? {one_line(question.text, 2000)}", "bold"), indent=INDENT, hang=INDENT + 2)
        for number, option in enumerate(question.options, 1):
            ink.line(f"{number}  {one_line(option)}", indent=INDENT + 2, hang=INDENT + 5)
        return
    ink.line(Styled(one_line(question.text), "bold"), indent=INDENT)
    for sample in question.samples:
        ink.line(_sample(sample, base_url), indent=INDENT + 2, hang=INDENT + 4)
    if question.count > len(question.samples):
        ink.line(f"… and {question.count - len(question.samples)} more", indent=INDENT + 2)


def _sample(sample: Any, base_url: str) -> str:
    if not isinstance(sample, dict):
        return one_line(sample)
    method = str(sample.get("call", "")).partition(" ")[0]
    body = sample.get("body")
    return one_line(f"{method} {target(sample, base_url)}" + (f"  {body}" if body is not None else ""))
