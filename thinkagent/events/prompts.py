"""Prompts in the log: each tells what is new in it and names what stays by its place in the prompt before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thinkagent.events.types import Observed, PromptShown, Record, TurnTaken
from thinkagent.values import write_json

__all__ = ["SHARED", "prompt_changes", "prompt_parts", "prompt_texts", "runs", "whole_prompt"]

Part = list[Any]
"""[role, text], where the text may be a list of texts and of {"turn", "part"} for what other events of a turn hold."""

SHARED = ("observation", "shape", "action", "thought")
"""What a text may share with a turn's events, each as it is written on a page: JSON, and the thought as it is."""
_WORTH_IT = 40
"""A shorter text is told again: naming it would take as much."""
_STRIDE = 32


class Run(NamedTuple):
    """Neighbours in a list, and where they stand in the list before."""

    at: int
    length: int
    found: int | None
    """None for one that is new."""


def runs(before: Sequence[Any], now: Sequence[Any]) -> Iterator[Run]:
    """Go through a list in runs that are in the one before as well, in the same order."""
    place = index = 0
    while index < len(now):
        try:
            found = before.index(now[index], place)
        except ValueError:
            yield Run(index, 1, None)
            index += 1
            continue
        count = _length(before, found, now, index)
        yield Run(index, count, found)
        index += count
        place = found + count


def _length(before: Sequence[Any], first: int, now: Sequence[Any], index: int) -> int:
    """Count how many are the same from these places on."""
    count = 1
    most = min(len(before) - first, len(now) - index)
    while count < most:
        step = min(_STRIDE, most - count)
        while step and before[first + count : first + count + step] != now[index + count : index + count + step]:
            step //= 2
        if not step:
            break
        count += step
    return count


def prompt_changes(before: Sequence[Part], now: Sequence[Part]) -> list[Part]:
    """Write a prompt beside the one before: new parts, and [first, count] for runs of parts that stay."""
    return [now[run.at] if run.found is None else [run.found, run.length] for run in runs(before, now)]


def whole_prompt(before: Sequence[Part], blocks: Iterable[Part]) -> list[Part]:
    """Give all parts of a prompt, from its event's `blocks` and the parts of the prompt before."""
    out: list[Part] = []
    for block in blocks:
        if type(block[0]) is int:
            out += before[block[0] : block[0] + block[1]]
        else:
            out.append(block)
    return out


def prompt_parts(text: str, turn: int, shared: Mapping[str, str]) -> Any:
    """Write a text of the page with what it shares with the events of a turn named and not repeated.

    `shared` holds texts by their name of `SHARED`. The text itself comes back where it holds none of them.
    """
    pieces: list[Any] = [text]
    for name in SHARED:
        known = shared.get(name, "")
        if len(known) < _WORTH_IT:
            continue
        for place, piece in enumerate(pieces):
            head, found, tail = piece.partition(known) if isinstance(piece, str) else ("", "", "")
            if found:
                pieces[place : place + 1] = [one for one in (head, {"turn": turn, "part": name}, tail) if one]
                break
    return text if len(pieces) == 1 and isinstance(pieces[0], str) else pieces


def prompt_texts(records: Iterable[Record]) -> Iterator[tuple[PromptShown, list[tuple[str, str]]]]:
    """Give every prompt of a log with its pieces, each as (role, text), just as they were shown."""
    # The page's own writing, which brings the whole room: who reads a log without its prompts does without.
    from thinkagent.turns.frame import json_data

    shared: dict[tuple[int, str], str] = {}
    parts: list[Part] = []
    for record in records:
        event = record.event
        if isinstance(event, TurnTaken):
            shared[event.turn, "action"] = write_json(event.action)
            shared[event.turn, "thought"] = str(event.thought)
        elif isinstance(event, Observed):
            shared[event.turn, "observation"] = json_data(event.observation)
            shared[event.turn, "shape"] = json_data(event.observation.get("shape"))
        elif isinstance(event, PromptShown):
            parts = whole_prompt(parts, event.blocks)
            yield event, [(str(role), _text(text, shared)) for role, text in parts]


def _text(text: Any, shared: Mapping[tuple[int, str], str]) -> str:
    if not isinstance(text, list):
        return str(text)
    return "".join(
        piece if isinstance(piece, str) else shared.get((piece["turn"], piece["part"]), "") for piece in text
    )
