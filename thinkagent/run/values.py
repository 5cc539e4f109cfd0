"""What saved steps hold, decoded once on demand from their events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from thinkagent.engine.scope import MISSING, Scope, StepState, StepValue
from thinkagent.engine.shape import find_items
from thinkagent.engine.wire.answer import Decoded, decode
from thinkagent.engine.wire.holes import Holes
from thinkagent.run.state import Answer, Item, RunState, Step
from thinkagent.values import join_text, parse_pointer

__all__ = ["decoded", "evidence_of", "item_value", "merged_pages", "scope_of", "step_value"]


def decoded(answer: Answer) -> Decoded:
    """Read an answer's body; the same answer is read once."""
    found = answer.decoded
    if found is None:
        headers = [(str(name), value) for name, value in answer.headers]
        found = answer.decoded = decode(headers, answer.body, encoding=answer.encoding)
    return found


def merged_pages(item: Item) -> tuple[Any, list[Any] | None]:
    """Give an item's value and its list: of several pages the first one, its list continued by the others'."""
    if not item.pages:
        return MISSING, None
    first = decoded(item.pages[0]).value
    found = find_items(first) if first is not MISSING else None
    if found is None:
        return first, None
    pointer, rows = found
    if len(item.pages) == 1:
        return first, rows
    everything = list(rows)
    for page in item.pages[1:]:
        value = decoded(page).value
        below = find_items(value) if value is not MISSING else None
        everything += below[1] if below is not None else []
    return _replaced(first, parse_pointer(pointer), everything), everything


def _replaced(value: Any, path: list[str], new: Any) -> Any:
    if not path:
        return new
    if isinstance(value, Mapping):
        return {key: _replaced(item, path[1:], new) if key == path[0] else item for key, item in value.items()}
    return [_replaced(item, path[1:], new) if str(n) == path[0] else item for n, item in enumerate(value)]


def is_complete(item: Item) -> bool:
    """Say whether an item's list was read to its end, as far as the service tells."""
    return not item.pages or item.pages[-1].more is not True


def item_value(item: Item) -> dict[str, Any]:
    """Give one outcome of a `for_each`: status, http, and result or error."""
    out: dict[str, Any] = {"status": item.outcome, "http": item.pages[-1].status if item.pages else None}
    value, _ = merged_pages(item)
    if item.outcome == "ok":
        out["result"] = None if value is MISSING else value
    else:
        out["error"] = item.message if not item.pages else None if value is MISSING else value
    return out


def step_value(step: Step) -> StepValue:
    """Give a step as references and computations see it; made once."""
    found = step.cache
    if found is None:
        found = step.cache = _made(step)
    return found


def evidence_of(step: Step) -> Any:
    """Give all that a step holds, as what claims and values may rest on."""
    made = step_value(step)
    if step.for_each:
        return {"outcomes": made.outcomes, "counts": list(Counter(item.outcome for item in step.items).values())}
    return {"status": made.status, "headers": made.headers, "is": made.result}


def _made(step: Step) -> StepValue:
    if step.computed:
        found = find_items(step.value)
        return StepValue(result=step.value, items=found[1] if found else None)
    if step.for_each:
        outcomes = [{"item": number, **item_value(item)} for number, item in enumerate(step.items)]
        good = sum(1 for item in step.items if item.outcome == "ok")
        return StepValue(outcomes=outcomes, reason=f"{good} of {len(step.items)} ok")
    item = step.items[0]
    state: StepState = step.status if step.status != "ok" else "ok"  # type: ignore[assignment]
    value, rows = merged_pages(item)
    last = item.pages[-1] if item.pages else None
    reason = str(last.status) if last is not None else str(item.message)
    return StepValue(
        result=value,
        status=None if last is None else last.status,
        headers=_fields(item.pages[0].headers) if item.pages else {},
        items=rows,
        state=state,
        reason=reason,
        complete=is_complete(item),
    )


def _fields(headers: list[list[Any]]) -> dict[str, Any]:
    """Give header fields by name; repeated ones in one line (RFC 9110, section 5.3), cookies as name to value."""
    fields: dict[str, Any] = {}
    for name, value in headers:
        name = str(name)
        if name.lower() == "set-cookie":
            holes = Holes(value)
            cookie, _, content = holes.fill(value).partition(";")[0].partition("=")
            fields.setdefault(name, {})[cookie.strip()] = holes.restore(content.strip().strip('"'))
        else:
            fields[name] = value if name not in fields else join_text([fields[name], ", ", value])
    return fields


def scope_of(state: RunState) -> Scope:
    """Give all that can be referred to now."""
    return Scope(steps=_Lazy(state.steps), inputs=state.inputs)


class _Lazy(Mapping[str, StepValue]):
    """Steps by name, each made when it is asked for."""

    def __init__(self, steps: Mapping[str, Step]) -> None:
        self._steps = steps

    def __getitem__(self, name: str) -> StepValue:
        return step_value(self._steps[name])

    def __iter__(self) -> Any:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)
