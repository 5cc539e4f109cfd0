"""From a page to what is sent: blocks, each a piece of text with a name, and from blocks to messages.

The first blocks (rules, document, tools, examples, task) are the same bytes in every turn of a run, so that a
provider's cache and the log hold them once. Then come one block per fetched definition, per step and per past turn, the
plan, the state, and the replies of this very turn that could not be used, with what was said about them.

What was rendered is remembered by the identity of the frozen cards: a turn costs what is new in it, as long as the
caller puts the same objects on the next page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from thinkagent.tools.model import Tool
from thinkagent.turns.fit import Part, fit
from thinkagent.turns.frame import escape_data, frame, json_data, own_words, shorten
from thinkagent.turns.model import Exchange, ObservationCard, Page, Plan
from thinkagent.turns.observed import step_in_full, step_line, turn_in_full, turn_line
from thinkagent.turns.page import (
    LINE_TOKENS,
    TOOL_TOKENS,
    Describe,
    cut_to,
    default_describe,
    fit_definitions,
    fit_groups,
    fit_lines,
    line_of,
)
from thinkagent.turns.remembered import Remembered
from thinkagent.turns.rules import RULES
from thinkagent.turns.scan import strip_reasoning
from thinkagent.turns.worked import worked_turns
from thinkagent.values import tokens, write_json

__all__ = ["Block", "Message", "Role", "join_blocks", "render_blocks", "render_messages"]

Role = Literal["system", "user", "assistant"]

_FULL_TURNS = 3
_FETCHED_TOKENS = 1_500
_INPUT_TOKENS = 200
_REPLY_TOKENS = 800
_LEAST_TOKENS = 1_500
"""What past turns may take even where the task alone fills the budget."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the prompt; the log keeps each text once, by its digest."""

    role: Role
    name: str
    """`rules`, `document`, `tools`, `tool:NAME`, `examples`, `task`, `fetched:NAME`, `step:NAME`, `turn:N`, `earlier`,
    `plan`, `state`, `reply:N`, `repair:N`."""
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str


def render_messages(page: Page) -> tuple[Message, ...]:
    """Write the page as the messages of a chat: one system message, one user message, then the repairs in turn."""
    return join_blocks(render_blocks(page))


def join_blocks(blocks: Iterable[Block]) -> tuple[Message, ...]:
    """Join blocks of one role that follow each other, with a blank line between them."""
    joined: list[tuple[Role, list[str]]] = []
    for block in blocks:
        if not joined or joined[-1][0] != block.role:
            joined.append((block.role, []))
        joined[-1][1].append(block.text)
    return tuple(Message(role, "\n\n".join(texts)) for role, texts in joined)


def render_blocks(
    page: Page, *, budget_tokens: int | None = None, describe: Describe | None = None
) -> tuple[Block, ...]:
    """Write the page as blocks, at most about `budget_tokens` (else the page's own budget) in sum.

    The fixed beginning is under 4,000 tokens and the task; it is never shortened, the rest is as the budget wants.
    """
    describe = describe or default_describe()
    fixed = _fixed.get(
        (page.document, page.lines, page.groups, page.likely, describe), partial(_render_fixed, page, describe)
    )
    fixed = (*fixed, Block("user", "task", _task(page)))
    end = tuple(_end(page))
    budget = page.budget_tokens if budget_tokens is None else budget_tokens
    left = max(_LEAST_TOKENS, budget - sum(tokens(block.text) for block in (*fixed, *end)))
    return (*fixed, *_past(page, describe, left), *end)


_fixed: Remembered[tuple[Block, ...]] = Remembered(8)
_written: Remembered[str] = Remembered(4_096)


def _render_fixed(page: Page, describe: Describe) -> tuple[Block, ...]:
    return (
        Block("system", "rules", RULES),
        Block("user", "document", _document(page)),
        *_tools(page, describe),
        Block("user", "examples", _examples(page)),
    )


def _document(page: Page) -> str:
    card = page.document
    told = {
        "title": shorten(card.title, 100, 40, json_data),
        "version": shorten(card.version, 40, 20, json_data),
        "description": shorten(" ".join(card.description.split()), 500, 130, json_data),
        "server": shorten(card.server, 200, 60, json_data),
        "operations": card.operations,
    }
    return f"The API:\n{frame(json_data(told), 'document')}"


def _tools(page: Page, describe: Describe) -> Iterator[Block]:
    lines = fit_lines(page.lines, LINE_TOKENS)
    text = "Its tools, name(arguments, optional?) method - what for:\n"
    text += frame("\n".join(map(line_of, lines)), "document") if lines else "none"
    left_out = len(page.lines) - len(lines)
    if page.groups:
        text += f"\nThese are a few of {sum(page.groups.values())}; search_tools finds the others. All by group:\n"
        text += frame(fit_groups(page.groups), "document")
    elif left_out:
        text += f"\nand {left_out} more; search_tools finds them."
    yield Block("user", "tools", text)
    definitions = fit_definitions(page.likely, TOOL_TOKENS - tokens(text), describe)
    for tool, definition in definitions:
        yield Block("user", f"tool:{tool.name}", frame(definition, "document"))


def _examples(page: Page) -> str:
    turns = worked_turns((*page.likely, *page.lines))
    return f"Two turns as an example of the form, not of this task:\n{turns}"


def _task(page: Page) -> str:
    lines = [
        f"The task: {own_words(page.task, newlines=True)}",
        f"Now it is {own_words(page.now)} ({own_words(page.timezone)}). {own_words(page.permission)}",
    ]
    if page.inputs:
        told = {name: _input(view) for name, view in page.inputs.items()}
        lines.append(f"Inputs, used as <<inputs.NAME>>:\n{frame(json_data(told), 'input')}")
    if page.answer_schema is not None:
        lines.append(f"The answer of finish must be JSON that fits this schema: {write_json(page.answer_schema)}")
    return "\n".join(lines)


def _input(view: object) -> object:
    size = tokens(json_data(view))
    return view if size <= _INPUT_TOKENS else f"({size} tokens, left out here; references and compute see it all)"


def _past(page: Page, describe: Describe, budget: int) -> Iterator[Block]:
    fetched = [
        Part(f"fetched:{tool.name}", (_once(_definition, tool, describe), partial(_signature, tool)))
        for tool in page.fetched
    ]
    steps = [Part(f"step:{card.name}", (_once(step_in_full, card), _once(step_line, card))) for card in page.steps]
    turns = [_turn_part(card, len(page.history) - index) for index, card in enumerate(page.history)]
    fit(turns, steps, fetched, budget)
    parts = [*fetched, *steps, *turns]
    gone = [f"{count} {what}" for what, count in _left_out(turns=turns, steps=steps, tools=fetched) if count]
    if gone:
        yield Block("user", "earlier", f"Left out here for length: {', '.join(gone)}. References to them still work.")
    yield from (Block("user", part.name, part.text) for part in parts if part.text)


def _left_out(**parts: list[Part]) -> Iterator[tuple[str, int]]:
    for what, some in parts.items():
        yield f"earlier {what}", sum(part.level >= len(part.forms) for part in some)


def _once(write: Callable[..., str], *parts: object) -> Callable[[], str]:
    """Defer the writing of a card, and do it once for the same objects."""
    return lambda: _written.get((write, *parts), partial(write, *parts))


def _turn_part(card: ObservationCard, age: int) -> Part:
    forms = (_once(turn_in_full, card), _once(turn_line, card))
    return Part(f"turn:{card.turn}", forms, level=0 if age <= _FULL_TURNS else 1)


def _definition(tool: Tool, describe: Describe) -> str:
    return frame(cut_to(escape_data(describe(tool, max_tokens=_FETCHED_TOKENS).strip()), _FETCHED_TOKENS), "document")


def _signature(tool: Tool) -> str:
    return frame(line_of(tool), "document")


def _end(page: Page) -> Iterator[Block]:
    if page.plan is not None:
        yield Block("user", "plan", _plan(page.plan))
    yield Block("user", "state", _state(page))
    for number, exchange in enumerate(page.repairs, 1):
        yield Block("assistant", f"reply:{number}", _reply(exchange))
        yield Block("user", f"repair:{number}", exchange.message)


def _plan(plan: Plan) -> str:
    items: Sequence[str] = [own_words(shorten(item, 200, 60, own_words)) for item in plan.items]
    lines = [f"{'>' if number == plan.doing else ' '} {number}. {item}" for number, item in enumerate(items, 1)]
    return "\n".join(["The plan (> is now):", *lines])


def _state(page: Page) -> str:
    left = "" if page.turns_left is None else f" {page.turns_left} turns are left."
    first = " Give the plan with it." if page.plan is None and not page.history else ""
    remark = f"\nNote: {own_words(shorten(page.remark, 600, 200, own_words))}" if page.remark else ""
    return f"This is turn {page.turn}.{left}{remark}\nAnswer with one JSON object: the thought, then one action.{first}"


def _reply(exchange: Exchange) -> str:
    text = strip_reasoning(exchange.reply).text.strip()
    return own_words(shorten(text, 4 * _REPLY_TOKENS, _REPLY_TOKENS, own_words), newlines=True) or "(no text)"
