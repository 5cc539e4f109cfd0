"""The page that the mind is shown, made from the state and the world alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thinkagent.engine.observation import bounded_view
from thinkagent.engine.shape import shape
from thinkagent.run.state import RunState, Step
from thinkagent.run.values import step_value
from thinkagent.run.world import World
from thinkagent.tools import search
from thinkagent.tools.model import Tool
from thinkagent.turns.model import DocumentCard, Page, StepCard
from thinkagent.turns.page import choose_lines

__all__ = ["PageBuilder"]

_INPUT_TOKENS = 300


class PageBuilder:
    """Makes the pages of one run; what does not change from turn to turn is made once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cards: dict[tuple[str, int], StepCard] = {}
        toolset = world.toolset

        def rank(query: str, count: int) -> list[Tool]:
            hits = search(toolset, query, count)
            return [tool for hit in hits if (tool := toolset.get(hit.line.name)) is not None]

        self._choice = choose_lines(toolset, world.task, rank)
        document = toolset.document
        self._document = DocumentCard(
            title=document.title,
            version=document.api_version,
            description=document.description,
            server=world.server,
            operations=len(toolset.names),
        )

    def page(self, state: RunState) -> Page:
        """Build the page of the present turn."""
        world = self._world
        return Page(
            turn=state.turn,
            task=world.task,
            document=self._document,
            now=world.now.isoformat(),
            timezone=world.timezone,
            permission="Nothing is sent: this is a dry run, answered from the document's examples."
            if world.dry_run
            else world.permission.sentence,
            inputs={name: bounded_view(value, _INPUT_TOKENS)[0] for name, value in state.inputs.items()},
            lines=self._choice.lines,
            groups=self._choice.groups,
            likely=self._choice.likely,
            fetched=tuple(self._fetched(state)),
            plan=state.plan,
            steps=tuple(self._card(step) for step in state.steps.values()),
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

    def _card(self, step: Step) -> StepCard:
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
                shape=shape(result),
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
