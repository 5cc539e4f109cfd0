"""From a page to what is sent: blocks, each a piece of text with a name, and from blocks to messages.

The first blocks (rules, document, tools, examples, task) are the same bytes in every turn of a run, so that a
provider's cache and the log hold them once. Then come one block per fetched definition, per step and per past turn, the
plan, the state, and the replies of this very turn that could not be used, with what was said about them.

What was rendered is remembered by the identity of the frozen cards: a turn costs what is new in it, as long as the
caller puts the same objects on the next page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from thinkagent.tools.model import Tool
from thinkagent.turns.block import Block, Role
from thinkagent.turns.fit import Part, fit
from thinkagent.turns.frame import escape_data, frame, json_data, own_words, shorten
from thinkagent.turns.model import DocumentCard, Exchange, ObservationCard, Page, Plan, StepCard
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
from thinkagent.turns.pieces import Piece, Series
from thinkagent.turns.remembered import Remembered
from thinkagent.turns.rules import RULES
from thinkagent.turns.scan import strip_reasoning
from thinkagent.turns.worked import worked_turns
from thinkagent.values import tokens, write_json

__all__ = ["Block", "Message", "Role", "join_blocks", "render_blocks", "render_messages"]

_FULL_TURNS = 3
_FETCHED_TOKENS = 1_500
_INPUT_TOKENS = 200
_REPLY_TOKENS = 800
_SHOWN_DOCUMENTS = 10
_LEAST_TOKENS = 1_500
"""What past turns may take even where the task alone fills the budget, as far as that is no quarter of the budget."""


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
        (page.document, page.documents, page.lines, page.groups, page.likely, describe),
        partial(_render_fixed, page, describe),
    )
    task = (page.task, page.now, page.timezone, page.permission, page.inputs, page.answer_schema)
    fixed = (*fixed, _changing.get(task, lambda: Block("user", "task", _task(page))))
    end = tuple(_end(page))
    budget = page.budget_tokens if budget_tokens is None else budget_tokens
    left = max(min(_LEAST_TOKENS, budget // 4), budget - sum(tokens(block.text) for block in (*fixed, *end)))
    return (*fixed, *_past(page, describe, left), *end)


_fixed: Remembered[tuple[Block, ...]] = Remembered(8)
_changing: Remembered[Block] = Remembered(32)


def _render_fixed(page: Page, describe: Describe) -> tuple[Block, ...]:
    return (
        Block("system", "rules", RULES),
        Block("user", "document", _document(page)),
        *_tools(page, describe),
        Block("user", "examples", _examples(page)),
    )


def _document(page: Page) -> str:
    if page.documents:
        return _documents(page.documents)
    card = page.document
    told = {
        "title": shorten(card.title, 100, 40, json_data),
        "version": shorten(card.version, 40, 20, json_data),
        "description": shorten(" ".join(card.description.split()), 500, 130, json_data),
        "server": shorten(card.server, 200, 60, json_data),
        "operations": card.operations,
    }
    return f"The API:\n{frame(json_data(told), 'document')}"


def _documents(cards: Sequence[DocumentCard]) -> str:
    """Tell of several documents in about the room that one takes twice: the more, the less of each."""
    told = [
        {
            "name": card.name,
            "title": shorten(card.title, 100, 24, json_data),
            "description": shorten(" ".join(card.description.split()), 500, 200 // len(cards), json_data),
            "server": shorten(card.server, 200, 30, json_data),
            "operations": card.operations,
        }
        for card in cards[:_SHOWN_DOCUMENTS]
    ]
    rest = len(cards) - len(told)
    more = f"\nand {rest} more." if rest else ""
    lines = "\n".join(map(json_data, told))
    return f"Several APIs, each with its own server and login:\n{frame(lines, 'document')}{more}"


def _tools(page: Page, describe: Describe) -> Iterator[Block]:
    lines = fit_lines(page.lines, LINE_TOKENS)
    text = "Its tools, name(arguments, optional?) method - what for:\n"
    written = _by_document(lines) if len(page.documents) <= _SHOWN_DOCUMENTS else map(line_of, lines)
    text += frame("\n".join(written), "document") if lines else "none"
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


def _by_document(tools: Iterable[Tool]) -> Iterator[str]:
    """Give the tools' lines, under the name of their document where there are several."""
    document = ""
    for tool in tools:
        if tool.document != document:
            document = tool.document
            yield f"{document}:"
        yield line_of(tool)


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


def _past(page: Page, describe: Describe, budget: int) -> list[Block]:
    fetched = [_fetched.get((tool, describe), partial(_fetched_piece, tool, describe)) for tool in page.fetched]
    steps, turns = _steps.pieces(page.steps), _turns.pieces(page.history)
    recent = max(0, len(page.history) - _FULL_TURNS)
    step_blocks, step_tokens = steps.row(0, len(page.steps))
    line_blocks, line_tokens = turns.row(1, recent)
    full = [piece.written(0) for piece in (*fetched, *turns.all[recent:])]
    if step_tokens + line_tokens + sum([size for _, size in full]) <= budget:
        blocks = [block for block, _ in full]
        return [*blocks[: len(fetched)], *step_blocks, *line_blocks, *blocks[len(fetched) :]]
    return _shortened(
        [Part(piece, int(index < recent)) for index, piece in enumerate(turns.all)],
        [Part(piece) for piece in steps.all],
        [Part(piece) for piece in fetched],
        budget,
    )


def _shortened(turns: list[Part], steps: list[Part], fetched: list[Part], budget: int) -> list[Block]:
    fit(turns, steps, fetched, budget)
    blocks = [part.block for part in (*fetched, *steps, *turns)]
    counts = ((what, sum(part.block is None for part in parts)) for what, parts in _named(turns, steps, fetched))
    gone = [f"{count} earlier {what}" for what, count in counts if count]
    told = f"Left out here for length: {', '.join(gone)}. References to them still work."
    return [*([Block("user", "earlier", told)] if gone else []), *(block for block in blocks if block is not None)]


def _named(turns: list[Part], steps: list[Part], fetched: list[Part]) -> tuple[tuple[str, list[Part]], ...]:
    return ("turns", turns), ("steps", steps), ("tools", fetched)


def _fetched_piece(tool: Tool, describe: Describe) -> Piece:
    return Piece(f"fetched:{tool.name}", partial(_definition, tool, describe), partial(_signature, tool))


def _step_piece(card: StepCard) -> Piece:
    return Piece(f"step:{card.name}", partial(step_in_full, card), partial(step_line, card))


def _turn_piece(card: ObservationCard) -> Piece:
    return Piece(f"turn:{card.turn}", partial(turn_in_full, card), partial(turn_line, card))


_fetched: Remembered[Piece] = Remembered(256)
_steps = Series(_step_piece)
_turns = Series(_turn_piece)


def _definition(tool: Tool, describe: Describe) -> str:
    return frame(cut_to(escape_data(describe(tool, max_tokens=_FETCHED_TOKENS).strip()), _FETCHED_TOKENS), "document")


def _signature(tool: Tool) -> str:
    return frame(line_of(tool), "document")


def _end(page: Page) -> Iterator[Block]:
    if page.plan is not None:
        yield _changing.get((page.plan,), partial(_plan, page.plan))
    yield Block("user", "state", _state(page))
    for number, exchange in enumerate(page.repairs, 1):
        yield Block("assistant", f"reply:{number}", _reply(exchange))
        yield Block("user", f"repair:{number}", exchange.message)


def _plan(plan: Plan) -> Block:
    items: Sequence[str] = [own_words(shorten(item, 200, 60, own_words)) for item in plan.items]
    lines = [f"{'>' if number == plan.doing else ' '} {number}. {item}" for number, item in enumerate(items, 1)]
    return Block("user", "plan", "\n".join(["The plan (> is now):", *lines]))


def _state(page: Page) -> str:
    left = "" if page.turns_left is None else f" {page.turns_left} turns are left."
    first = " Give the plan with it." if page.plan is None and not page.history else ""
    remark = f"\nNote: {own_words(shorten(page.remark, 600, 200, own_words))}" if page.remark else ""
    return f"This is turn {page.turn}.{left}{remark}\nAnswer with one JSON object: the thought, then one action.{first}"


def _reply(exchange: Exchange) -> str:
    text = strip_reasoning(exchange.reply).text.strip()
    return own_words(shorten(text, 4 * _REPLY_TOKENS, _REPLY_TOKENS, own_words), newlines=True) or "(no text)"
