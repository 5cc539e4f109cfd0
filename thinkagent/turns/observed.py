"""How saved results and past turns stand on the page: in full, or in a line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from thinkagent.turns.frame import frame, json_data, own_words, shorten
from thinkagent.turns.model import BUILT_IN, Action, ObservationCard, StepCard
from thinkagent.turns.remembered import Remembered
from thinkagent.values import clip, tokens, write_json

__all__ = [
    "OBSERVATION_TOKENS",
    "STEP_TOKENS",
    "observation_text",
    "step_in_full",
    "step_line",
    "turn_in_full",
    "turn_line",
]

OBSERVATION_TOKENS = 1_600
STEP_TOKENS = 300
_ACTION_TOKENS = 400
_STATUSES = {"ok", "http_error", "unknown", "network_error", "invalid", "refused", "skipped"}


def observation_text(observation: Mapping[str, Any]) -> str:
    """Write an observation as it stands on a page that has room for it; the last ones are remembered."""
    return _texts.get((observation,), partial(json_data, observation))


_texts: Remembered[str] = Remembered(8)


def turn_in_full(card: ObservationCard) -> str:
    """Write a past turn with its thought, its action and what was observed, at most about 2,300 tokens."""
    thought = own_words(shorten(card.thought, 800, 250, own_words))
    observed = frame(_bounded(card.observation, OBSERVATION_TOKENS), _source(card.action.tool))
    action = own_words(_action_text(card.action, _ACTION_TOKENS))
    return f"Turn {card.turn}\nthought: {thought}\naction: {action}\nobservation:\n{observed}"


def turn_line(card: ObservationCard) -> str:
    """Write a past turn in one line and a frame of one line, at most about 120 tokens."""
    summary = json_data(shorten(str(card.observation.get("summary", "")), 160, 60, json_data))
    action = own_words(_action_text(card.action, 40))
    status = _status(card.observation.get("status"))
    return f'Turn {card.turn}: {action} -> {status} <data from="{_source(card.action.tool)}">{summary}</data>'


def step_in_full(card: StepCard) -> str:
    """Write a saved result with its shape, at most `STEP_TOKENS` tokens; in a line where its shape is too large."""
    told = json_data({"summary": shorten(card.summary, 200, 80, json_data), "shape": card.shape})
    text = f"{_step_head(card)}\n{frame(told, _source(card.tool))}"
    return text if tokens(text) <= STEP_TOKENS else step_line(card)


def step_line(card: StepCard) -> str:
    """Write a saved result in one line."""
    kind, count = _kind_of(card.shape)
    return f"{_step_head(card)}{f', {kind}' if kind else ''}{f' of {count}' if count is not None else ''}"


def _step_head(card: StepCard) -> str:
    part = "" if card.complete else ", only a part was read"
    return f"Step {card.name}: {clip(own_words(card.tool), 64)}, turn {card.turn}, {_status(card.status)}{part}"


def _kind_of(shape: object) -> tuple[str, int | None]:
    if not isinstance(shape, Mapping):
        return "", None
    kind, count = shape.get("type"), shape.get("count")
    known = kind if kind in ("object", "array", "string", "integer", "number", "boolean", "null") else ""
    return str(known), count if isinstance(count, int) and not isinstance(count, bool) else None


def _status(status: object) -> str:
    return status if isinstance(status, str) and status in _STATUSES else "invalid"


def _source(tool: str) -> str:
    if tool == "ask":
        return "person"
    return "program" if tool in BUILT_IN else "api"


def _action_text(action: Action, budget: int) -> str:
    """Write an action as the mind did; arguments that are too long are left out and counted."""
    beside = {key: getattr(action, key) for key in ("save_as", "for_each", "pages") if getattr(action, key) is not None}
    tool = clip(action.tool, 64)
    text = write_json({"tool": tool, "arguments": action.arguments, **beside})
    if tokens(text) <= budget:
        return text
    size = tokens(write_json(action.arguments))
    short = {"tool": tool, "arguments": f"({size} tokens, left out here)", **beside}
    return shorten(write_json(short), budget * 2, budget, own_words)


def _bounded(observation: Mapping[str, Any], budget: int) -> str:
    """Write an observation so that it fits: whole parts are left out and counted, no value is ever cut.

    The shape goes first, for the step has it too.
    """
    whole = observation_text(observation)
    if tokens(whole) <= budget:
        return whole
    shown = dict(observation)
    for part in ("shape", "result", "http", "next_actions"):
        written = json_data(shown)
        if tokens(written) <= budget:
            return written
        if part in shown:
            size = tokens(json_data(shown[part]))
            shown[part] = (
                f"({size} tokens, left out here; inspect shows it in parts, references and compute see it all)"
            )
    written = json_data(shown)
    if tokens(written) <= budget:
        return written
    kept = {key: shown[key] for key in ("status", "summary", "recovery_hint") if isinstance(shown.get(key), str)}
    return json_data({key: shorten(text, budget, budget // 4, json_data) for key, text in kept.items()})
