"""Cut a value to what a mind can read: at its structure, never in the middle of a value, with true counts.

    [{"id": 1}, {"id": 2}, {"…": "37 more items"}]
    {"name": "a", "rows": […], "…": "12 more keys"}
    "It was a dark and … (5120 characters)"

The rest stays in the run; references and computations reach all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from thinkagent.values import Json, Secret, SecretText, write_json, write_plain

__all__ = ["MARK", "VIEW_TOKENS", "View", "bounded_view"]

VIEW_TOKENS = 800
"""What one observation may take."""
MARK = "…"
"""The key, or the beginning of the text, that tells what was left out."""
MIN_ROOM = 40
"""Bytes below which a cut value is not worth showing: its mark alone takes as many."""


class View(NamedTuple):
    """What is shown of a value."""

    value: Json
    cut: bool
    """Something was left out."""


def bounded_view(value: Json, budget_tokens: int = VIEW_TOKENS) -> View:
    """Show a value within `budget_tokens` (UTF-8 bytes of compact JSON / 4), at least about ten.

    Of a list the first elements are shown, of an object as many keys as find room, small values whole and large ones
    cut to equal shares. Work and memory depend on the budget, not on the value. Secrets become their names.
    """
    room = max(budget_tokens * 4, MIN_ROOM)
    if _least_size(value, room) > room:
        return View(_cut(value, room), True)
    written = write_plain(value)
    if written is not None and len(written.encode("utf-8", "surrogatepass")) <= room:
        return View(value, False)
    return View(_shown(value), False) if _size(value, room) <= room else View(_cut(value, room), True)


def _least_size(value: Json, limit: int) -> int:
    """Count the characters of a value's JSON at least; anything above `limit` where there are more."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        total = 1
        for key, item in value.items():
            total += len(key) + 3 + _least_size(item, limit - total)
            if total > limit:
                break
        return total
    if isinstance(value, list | tuple):
        total = 1
        for item in value:
            total += 1 + _least_size(item, limit - total)
            if total > limit:
                break
        return total
    return 1


def _shown(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(item) for item in value]
    return str(value) if isinstance(value, Secret | SecretText) else value


def _size(value: Json, limit: int) -> int:
    """Count the bytes of a value's JSON; anything above `limit` where there are more."""
    if isinstance(value, str):
        return len(value) + 2 if len(value) > limit else _scalar_size(value)
    if isinstance(value, dict):
        total = 1 if value else 2
        for key, item in value.items():
            total += _size(key, limit - total) + 2
            if total > limit:
                break
            total += _size(item, limit - total)
            if total > limit:
                break
        return total
    if isinstance(value, list | tuple):
        total = 1 if value else 2
        for item in value:
            total += _size(item, limit - total) + 1
            if total > limit:
                break
        return total
    return _scalar_size(value)


def _scalar_size(value: Json) -> int:
    return len(write_json(value).encode("utf-8", "surrogatepass"))


def _fit(value: Json, room: int) -> Json:
    return _shown(value) if _size(value, room) <= room else _cut(value, room)


def _cut(value: Json, room: int) -> Json:
    if isinstance(value, dict):
        return _cut_object(value, room)
    if isinstance(value, list | tuple):
        return _cut_list(value, room)
    if isinstance(value, str | Secret | SecretText):
        return _cut_text(str(value), room)
    return f"{MARK} (a number of {len(write_json(value))} characters)"


def _cut_text(text: str, room: int) -> str:
    mark = f"{MARK} ({len(text)} characters)"
    room -= _scalar_size(mark)
    kept = text[: max(room, 0)]
    while kept and (size := _scalar_size(kept) - 2) > room:
        kept = kept[: min(len(kept) - 1, len(kept) * room // size)]
    return kept + mark


def _cut_list(items: Sequence[Json], room: int) -> list[Json]:
    room -= 3 + _scalar_size({MARK: _more(len(items), "more item")})
    shown: list[Json] = []
    for item in items:
        size = _size(item, room)
        if size < room:
            shown.append(_shown(item))
            room -= size + 1
            continue
        share = room if len(items) == 1 else room // 2
        if share < MIN_ROOM:
            break
        shown.append(_cut(item, share))
        room -= _size(shown[-1], share) + 1
    if len(shown) < len(items):
        shown.append({MARK: _more(len(items) - len(shown), "item" if not shown else "more item")})
    return shown


def _cut_object(value: dict[str, Json], room: int) -> dict[str, Json]:
    room -= 3 + _scalar_size({MARK: _more(len(value), "more key")})
    chosen: dict[str, int] = {}
    for key, item in islice(value.items(), room // 4 if room > 0 else 0):
        least = _size(key, room) + 2 + min(_size(item, MIN_ROOM), MIN_ROOM)
        if least <= room:
            chosen[key] = min(_size(item, MIN_ROOM), MIN_ROOM)
            room -= least
    wanted = {key: _size(value[key], chosen[key] + room) - least for key, least in chosen.items()}
    for place, key in enumerate(sorted(chosen, key=wanted.__getitem__)):
        share = min(wanted[key], room // (len(chosen) - place))
        chosen[key] += share
        room -= share
    shown = {key: _fit(value[key], size) for key, size in chosen.items()}
    if len(shown) < len(value):
        shown[MARK] = _more(len(value) - len(shown), "key" if not shown else "more key")
    return shown


def _more(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
