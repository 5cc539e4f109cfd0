"""The mind that needs no model: it understands a task completely, or it says at which words it failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from thinkagent.minds.base import Delta, Reply, Usage
from thinkagent.minds.offline.acting import Acting
from thinkagent.minds.offline.learning import Learning
from thinkagent.minds.offline.parse import parse
from thinkagent.minds.offline.query import (
    Act,
    Aggregate,
    Change,
    Count,
    Create,
    Issue,
    ListAll,
    Lookup,
    Query,
    Refusal,
    Remove,
    Show,
)
from thinkagent.minds.offline.reading import read_resources
from thinkagent.minds.offline.refusing import told_words
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import NextTurn, Script, escaped
from thinkagent.minds.offline.searching import search_first
from thinkagent.minds.offline.texts import language_of
from thinkagent.tools.model import Tool
from thinkagent.turns.model import Page
from thinkagent.values import write_json

__all__ = ["OfflineMind"]


class OfflineMind:
    """Understands tasks about one API by its document's structure and general language alone.

    It keeps nothing between turns: what to do is worked out anew from each page. It looks up, lists, counts, adds up,
    compares and writes; what it does not understand to the last word it refuses, naming the words.
    """

    name = "offline"

    async def reply(self, page: Page, on_delta: Callable[[Delta], None] | None = None) -> Reply:
        """Answer a page with the JSON of one turn; never raises `MindFailure`."""
        text = write_json(_next_turn(page))
        if on_delta is not None:
            on_delta(Delta(text=text))
        return Reply(text=text, model="offline", usage=Usage(0, 0), finish_reason="stop")


def _next_turn(page: Page) -> dict[str, object]:
    script = Script(page, language_of(page.task))
    try:
        _play(page, script)
    except NextTurn as found:
        return found.turn
    raise AssertionError("a plan ended without an end")


def _play(page: Page, script: Script) -> None:
    say = script.language
    if page.repairs:
        answer = say("My turn could not be used: {told}", told=escaped(page.repairs[-1].message))
        script.finish("failed", answer, thought=say("I would write the same again, so I stop."))
    shown = (*page.lines, *page.likely)
    if page.groups:
        search_first(script, _resources(shown))
    resources = Learning(script, _resources((*shown, *page.fetched))).learn()
    query = _understood(page.task, resources, _now(page), told_words((*shown, *page.fetched)))
    if isinstance(query, Refusal):
        _refuse(script, query)
    else:
        _carry_out(Acting(script, resources), query)


@lru_cache(maxsize=16)
def _understood(task: str, resources: tuple[Resource, ...], now: datetime, told: frozenset[str]) -> Query | Refusal:
    """Parse once what the pages of one run ask again at every turn."""
    return parse(task, resources, now, told)


def _carry_out(plan: Acting, query: Query) -> None:
    if isinstance(query, ListAll) and query.select.order is not None:
        plan.first(query, query.select.order)
    ways: dict[type, Callable[..., None]] = {
        Lookup: plan.lookup,
        Show: plan.show,
        ListAll: plan.list_all,
        Count: plan.count,
        Aggregate: plan.aggregate,
        Create: plan.create,
        Issue: plan.issue,
        Change: plan.change,
        Act: plan.act,
        Remove: plan.remove,
    }
    ways[type(query)](query)


def _refuse(script: Script, refusal: Refusal) -> None:
    say = script.language
    script.plan = {"answer": say("understand the task")}
    if refusal.reason is not None:
        answer = say("I cannot do this: {reason}.", reason=escaped(say.reason(refusal.reason)))
        thought = say("Something that the operation needs is not there.")
    elif refusal.readings:
        readings = say.comma.join(f'"{escaped(one)}"' for one in refusal.readings)
        answer = say("This can be read in more than one way: {readings}. Say which is meant.", readings=readings)
        thought = say("Two readings fit equally, and I do not guess.")
    else:
        words = say.comma.join(f'"{escaped(one)}"' for one in refusal.words)
        answer = say("I do not know these words: {words}.", words=words)
        thought = say("I do not understand every word of the task, and half of it would be a guess.")
        if refusal.known:
            answer = say("I know the words, but not how to do this with {words}.", words=words)
            thought = say("I find no reading in which every word of the task has its place.")
        answer = say("{said} A model may understand more: name one with --model.", said=answer)
    script.finish("impossible", answer, thought=thought)


def _now(page: Page) -> datetime:
    now = datetime.fromisoformat(page.now)
    try:
        return now.astimezone(ZoneInfo(page.timezone))
    except (ZoneInfoNotFoundError, ValueError):
        return now.astimezone() if now.tzinfo is None else now


def _resources(tools: Sequence[Tool]) -> tuple[Resource, ...]:
    return _cached(tuple(sorted({tool.name: _ById(tool) for tool in tools}.values(), key=lambda one: one.tool.name)))


class _ById:
    """A tool as a key of the cache: the same object is the same tool."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.tool is self.tool

    def __hash__(self) -> int:
        return id(self.tool)


@lru_cache(maxsize=8)
def _cached(tools: tuple[_ById, ...]) -> tuple[Resource, ...]:
    return read_resources(one.tool for one in tools)
