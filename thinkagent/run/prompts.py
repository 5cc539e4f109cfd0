"""A page as its event holds it: secrets by name, and nothing told twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thinkagent.events.prompts import prompt_changes, prompt_parts, runs
from thinkagent.journal import Vault
from thinkagent.run.state import RunState
from thinkagent.turns import Block
from thinkagent.turns.frame import json_data
from thinkagent.turns.model import Action, ObservationCard
from thinkagent.turns.observed import observation_text
from thinkagent.values import tokens, write_json

__all__ = ["PromptWriter"]

_LATE = 4
"""A turn's text changes for the last time so many turns later: it becomes a line."""


class PromptWriter:
    """Writes the prompts of one run; a block that stays from one prompt to the next is written once.

    Pages come without the secrets that became known late (`discretion`): their blocks are new ones then.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._blocks: list[Block] = []
        self._names: list[int] = []
        """The identities of the blocks, which are kept for them to stay taken."""
        self._parts: list[list[Any]] = []
        self._tokens: list[int] = []

    def write(self, blocks: Sequence[Block], state: RunState) -> tuple[list[list[Any]], int]:
        """Give what the event says of the blocks, beside the prompt before, and their tokens in sum."""
        is_first = not self._names
        names = list(map(id, blocks))
        shared = _Shared(state.history)
        told: list[list[Any]] = []
        parts: list[list[Any]] = []
        sizes: list[int] = []
        for index, count, found in runs(self._names, names):
            if found is None:
                part, size = self._written(blocks[index], shared)
                told.append(part)
                parts.append(part)
                sizes.append(size)
            else:
                told.append([found, count])
                parts += self._parts[found : found + count]
                sizes += self._tokens[found : found + count]
        self._blocks, self._names, self._parts, self._tokens = list(blocks), names, parts, sizes
        return (prompt_changes(state.prompt, parts) if is_first else told), sum(sizes)

    def _written(self, block: Block, shared: _Shared) -> tuple[list[Any], int]:
        text = self._vault.redact(block.text)
        return [block.role, shared.parts(block.name, text)], tokens(text)


class _Shared:
    """What the events of the last turns share with the texts that tell of them."""

    def __init__(self, history: Sequence[ObservationCard]) -> None:
        self._cards = {card.turn: card for card in history[-_LATE:]}
        self._last = history[-1].turn if history else 0
        self._texts: dict[int, dict[str, str]] = {}

    def parts(self, name: str, text: str) -> Any:
        kind, _, number = name.partition(":")
        if kind not in ("turn", "step"):
            return text
        turn = int(number) if kind == "turn" else self._last
        card = self._cards.get(turn)
        if card is None:
            return text
        if turn not in self._texts:
            self._texts[turn] = self._written(card)
        return prompt_parts(text, turn, self._texts[turn])

    def _written(self, card: ObservationCard) -> dict[str, str]:
        texts = {"action": _action(card.action), "thought": card.thought}
        if card.turn == self._last:
            texts["observation"] = observation_text(card.observation)
            if "shape" in card.observation:
                texts["shape"] = json_data(card.observation["shape"])
        return texts


def _action(action: Action) -> str:
    beside = {name: value for name in ("save_as", "for_each", "pages") if (value := getattr(action, name)) is not None}
    return write_json({"tool": action.tool, "arguments": action.arguments, **beside})
