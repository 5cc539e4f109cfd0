"""Say in one line what an answer is: how much of what came, or what the API said was wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from thinkagent.engine.lookup import describe
from thinkagent.engine.problem_body import Problem, read_problem
from thinkagent.engine.recovery import meaning_of
from thinkagent.engine.scope import MISSING, Missing
from thinkagent.engine.shape import find_items
from thinkagent.tools.model import Effect, ErrorMeaning
from thinkagent.values import Json, clip, parse_pointer, visible

__all__ = ["Answer", "one_line", "summarize"]

SUMMARY_LENGTH = 600
PLACES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """A decoded answer of the API, and what is known round it."""

    status: int
    value: Json | Missing = MISSING
    """The decoded body as references will see it; MISSING where there is none or it could not be decoded."""
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    """The body as text, where it is no JSON."""
    content_type: str = ""
    effect: Effect = "read"
    errors: Sequence[ErrorMeaning] = ()
    """What the document says of this operation's errors."""
    arguments: Sequence[str] = ()
    """The names of the arguments that were sent, as the mind wrote them."""
    step: str = ""
    """The name that the result is saved under."""
    items: list[Json] | None = None
    """The list found, after all pages that were read."""
    pages: int = 1
    more_pages: bool | None = None
    """None where it cannot be known."""
    items_total: int | None = None
    """As the API tells it."""
    noun: str = ""
    """What the items are called; made from the key of the list where it is empty."""
    findings: Sequence[str] = ()
    """What does not fit the document, or was put right while decoding."""


def summarize(answer: Answer) -> str:
    """Write the summary: `200; 50 of at least 51 orders; more pages`, `422; body.qty: must be >= 1`."""
    if 200 <= answer.status < 300:
        parts = [str(answer.status), *_told(answer)]
    else:
        parts = _told_error(answer)
    return one_line("; ".join([*parts, *_noted(answer.findings)]))


def _told_error(answer: Answer) -> list[str]:
    problem = read_problem(answer.value, answer.text)
    meaning = meaning_of(answer.status, answer.errors)
    said = problem.message or (meaning.meaning if meaning else "") or _phrase(answer.status)
    parts = [said] if said.startswith(str(answer.status)) else [str(answer.status), said]
    spoken_of = _spoken_of(problem, answer.arguments)
    if spoken_of:
        parts.append(f"it speaks of {', '.join(spoken_of)}")
    return parts


def one_line(text: str) -> str:
    """Make a text of the API fit for a summary: one line, control characters visible, cut."""
    return clip(" ".join(visible(text, newlines=False).split()), SUMMARY_LENGTH)


def _told(answer: Answer) -> list[str]:
    """Say in words what came: how many of what, or which keys."""
    value = answer.value
    if value is MISSING:
        if not answer.text:
            return ["no body"]
        return [f"{len(answer.text)} characters of {one_line(answer.content_type) or 'text'}"]
    found = find_items(value)
    items = answer.items if answer.items is not None else (found[1] if found else None)
    if items is None:
        return [describe(value), "more pages"] if answer.more_pages else [describe(value)]
    return _told_list(answer, len(items), found[0] if found else "")


def _told_list(answer: Answer, count: int, pointer: str) -> list[str]:
    noun = answer.noun or _noun(pointer)
    total = answer.items_total
    if total is not None and total > count:
        told = f"{count} of {total} {noun}"
    elif answer.more_pages:
        told = f"{count} of at least {count + 1} {noun}"
    else:
        told = f"{count} {_one(noun) if count == 1 else noun}"
    if answer.pages > 1:
        told += f" on {answer.pages} pages"
    if answer.more_pages:
        return [told, "more pages"]
    return [told, "complete"] if answer.more_pages is False and answer.pages > 1 else [told]


_GENERIC = frozenset({"items", "data", "results", "result", "value", "values", "records", "rows", "list", "content"})


def _noun(pointer: str) -> str:
    names = [name for name in parse_pointer(pointer) if name.casefold() not in _GENERIC]
    return one_line(clip(names[-1], 40)) if names else "items"


def _one(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") and noun.isascii() else noun


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "an error without a word"


def _noted(findings: Sequence[str]) -> list[str]:
    if not findings:
        return []
    more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
    return [f"note: {clip(findings[0], 160)}{more}"]


def _spoken_of(problem: Problem, arguments: Sequence[str]) -> list[str]:
    """Name what an error speaks of where its text does not: a place it gives, an argument it mentions."""
    few = problem.speaks_of if len(problem.speaks_of) <= PLACES_SHOWN else ()
    places = [place for place in few if place not in problem.message]
    words = set(re.findall(r"[\w.-]+", problem.message))
    named = [name for name in arguments if name in words and not problem.speaks_of]
    return [repr(name) for name in dict.fromkeys([*places, *named])][:PLACES_SHOWN]
