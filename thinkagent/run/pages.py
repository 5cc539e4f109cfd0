"""The page that the mind is shown, made from the state and the world alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from thinkagent.engine.observation import bounded_view
from thinkagent.engine.shape import shape
from thinkagent.run.state import RunState, Step
from thinkagent.run.values import step_value
from thinkagent.run.world import World
from thinkagent.tools import search
from thinkagent.tools.model import Tool
from thinkagent.turns.model import DocumentCard, Page, StepCard
from thinkagent.turns.page import TOOL_TOKENS, Choice, choose_lines

__all__ = ["PageBuilder"]

_INPUT_TOKENS = 300


class PageBuilder:
    """Makes the pages of one run; what does not change from turn to turn is made once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cards: dict[tuple[str, int], StepCard] = {}
        toolset = world.toolset
        self._now = world.now.isoformat()
        self._inputs: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
        self._choice = choose_lines(toolset, world.task, self._rank)
        self._smaller: dict[int, Choice] = {}
        self._documents = tuple(_cards(world))
        self._document = self._documents[0] if len(self._documents) == 1 else _whole(self._documents)

    def page(self, state: RunState) -> Page:
        """Build the page of the present turn."""
        page = self._whole(state)
        return page if state.budget_tokens is None else self.within(page, state.budget_tokens)

    def within(self, page: Page, budget_tokens: int) -> Page:
        """Give the page for a smaller budget: what is told of the tools shrinks with it, the past as rendering does."""
        choice = self._smaller.get(budget_tokens)
        if choice is None:
            share = min(TOOL_TOKENS, budget_tokens // 3)
            choice = choose_lines(self._world.toolset, self._world.task, self._rank, budget_tokens=share)
            self._smaller[budget_tokens] = choice
        return replace(page, budget_tokens=budget_tokens, **choice._asdict())

    def _rank(self, query: str, count: int) -> list[Tool]:
        toolset = self._world.toolset
        hits = search(toolset, query, count)
        return [tool for hit in hits if (tool := toolset.get(hit.line.name)) is not None]

    def _whole(self, state: RunState) -> Page:
        world = self._world
        return Page(
            turn=state.turn,
            task=world.task,
            document=self._document,
            documents=self._documents if len(self._documents) > 1 else (),
            now=self._now,
            timezone=world.timezone,
            permission="Nothing is sent: this is a dry run, answered from the document's examples."
            if world.dry_run
            else world.permission.sentence,
            inputs=self._shown_inputs(state.inputs),
            lines=self._choice.lines,
            groups=self._choice.groups,
            likely=self._choice.likely,
            fetched=tuple(self._fetched(state)),
            plan=state.plan,
            steps=tuple([self._card(step, state) for step in state.steps.values()]),
            history=tuple(state.history),
            repairs=tuple(state.repairs),
            remark=self._remark(state),
            turns_left=world.limits.turns - state.totals.turns,
            answer_schema=world.answer_schema,
        )

    def _fetched(self, state: RunState) -> Iterable[Tool]:
        for name in state.fetched:
            tool = self._world.toolset.get(name)
            if tool is not None:
                yield tool

    def _shown_inputs(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._inputs is None or self._inputs[0] is not inputs:
            self._inputs = inputs, {name: bounded_view(value, _INPUT_TOKENS)[0] for name, value in inputs.items()}
        return self._inputs[1]

    def _card(self, step: Step, state: RunState) -> StepCard:
        key = (step.name, step.turn)
        card = self._cards.get(key)
        if card is None:
            value = step_value(step)
            result: Any = value.outcomes if step.for_each else value.result
            card = self._cards[key] = StepCard(
                name=step.name,
                tool=step.tool,
                turn=step.turn,
                status=step.status,
                summary=value.reason,
                shape=_shape_observed(step, state) or shape(result),
                complete=value.complete,
            )
        return card

    def _remark(self, state: RunState) -> str | None:
        if state.loop >= self._world.limits.loop_remark:
            return (
                f"The same action gave the same outcome {state.loop} times. Do something else, or finish; "
                f"at {self._world.limits.loop_end} times the run ends."
            )
        return None


def _cards(world: World) -> Iterable[DocumentCard]:
    for name, document in world.toolset.documents.items():
        yield DocumentCard(
            title=document.title,
            version=document.api_version,
            description=document.description,
            server=world.servers.get(name, ""),
            operations=sum(line.document == name for line in world.toolset.lines),
            name=name,
        )


def _whole(cards: tuple[DocumentCard, ...]) -> DocumentCard:
    """Say of several documents together what a mind may ask of one."""
    return DocumentCard(
        title=", ".join(card.title for card in cards),
        version="",
        description="",
        server="",
        operations=sum(card.operations for card in cards),
    )


def _shape_observed(step: Step, state: RunState) -> Any:
    """Give the shape that was just observed of a step's value, where it was; it is the same value's."""
    last = state.history[-1] if state.history else None
    return last.observation.get("shape") if last is not None and last.turn == step.turn else None
