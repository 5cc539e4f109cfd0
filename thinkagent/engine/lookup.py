"""Follow a path to its value; where it leads nowhere, say which part failed and what is there instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NoReturn

from thinkagent.engine.paths import Path, is_index
from thinkagent.engine.scope import MISSING, Scope, StepValue
from thinkagent.errors import ArgumentError, list_names, nearest
from thinkagent.values import Json, Secret, SecretText, clip, visible

__all__ = ["ReferenceMiss", "describe", "list_keys", "look_up"]

KEYS_SHOWN = 8
KEY_LENGTH = 60


class ReferenceMiss(ArgumentError):
    """A reference leads nowhere; `reference` is it as written."""

    def __init__(self, reference: str, message: str, *, code: str = "reference_miss", hint: str = "") -> None:
        shown = visible(clip(reference, 200), newlines=False)
        super().__init__(f"{shown}: {message}", code=code, hint=hint)
        self.reference = reference


def look_up(path: Path, scope: Scope, written: str = "") -> Json:
    """Give the value that a path leads to.

    `written` is the reference as the mind wrote it, for the message.

    Raises:
        ReferenceMiss: there is no such value. A null on the way is a miss as well, a null at the end a value.
    """
    written = written or path.reference
    if path.root == "steps":
        value, here = _step_part(path, scope, written), f"steps.{path.name}.{path.part}"
    elif path.root == "inputs":
        if path.name not in scope.inputs:
            raise _unknown_name("input", path.name, scope.inputs, written)
        value, here = scope.inputs[path.name], f"inputs.{path.name}"
    else:
        if scope.item is MISSING:
            raise ReferenceMiss(
                written, "there is no item here", code="no_item", hint="item exists only in a call with for_each"
            )
        value, here = scope.item, "item"
    folded = path.root == "steps" and path.part == "headers"
    for place, key in enumerate(path.keys):
        value = _header(value, key, here, written) if folded and place == 0 else _child(value, key, here, written)
        here += str(Path("item", keys=(key,)))[4:]
    return value


def _unknown_name(kind: str, name: str, names: Collection[str], written: str) -> ReferenceMiss:
    near = nearest(name, names)
    ordered = [*near, *(other for other in names if other not in near)]
    hint = f"Did you mean {near[0]!r}?" if near else ""
    shown = f"there are {list_names(ordered)}" if ordered else f"there are no {kind}s yet"
    return ReferenceMiss(written, f"no {kind} is called {_quoted(name)}; {shown}", code=f"no_such_{kind}", hint=hint)


def _step_part(path: Path, scope: Scope, written: str) -> Json:
    if path.name not in scope.steps:
        raise _unknown_name("step", path.name, scope.steps, written)
    step = scope.steps[path.name]
    if path.part == "status" and step.status is not None:
        return step.status
    if path.part == "headers" and step.status is not None:
        return dict(step.headers)
    if path.part == "outcomes" and step.outcomes is not None:
        return step.outcomes
    if step.state != "ok":
        reason = f": {visible(clip(step.reason, 200), newlines=False)}" if step.reason else ""
        raise ReferenceMiss(
            written,
            f"step {path.name!r} failed ({step.state}){reason}; it has no {path.part}",
            code="step_failed",
            hint="Do the step again in a way that succeeds, or go on without it",
        )
    if path.part == "items" and step.items is not None:
        return step.items
    if path.part == "result" and step.outcomes is None and step.result is not MISSING:
        return step.result
    raise _absent_part(path, step, written)


def _absent_part(path: Path, step: StepValue, written: str) -> ReferenceMiss:
    name = path.name
    if path.part == "outcomes":
        return ReferenceMiss(
            written,
            f"step {name!r} was one call, so it has no outcomes",
            code="no_such_part",
            hint=f"Use steps.{name}.result",
        )
    if path.part == "result" and step.outcomes is not None:
        return ReferenceMiss(
            written,
            f"step {name!r} was one call for each item, so it has outcomes instead of a result",
            code="no_such_part",
            hint=f"Use steps.{name}.outcomes, one of {len(step.outcomes)}: steps.{name}.outcomes[0].result",
        )
    if path.part == "items" and step.result is not MISSING:
        return ReferenceMiss(
            written,
            f"no list was found in the result of step {name!r}, which is {describe(step.result)}",
            code="no_such_part",
            hint=f"Use steps.{name}.result",
        )
    if path.part in ("status", "headers"):
        return ReferenceMiss(
            written, f"step {name!r} was no call over HTTP, so it has no {path.part}", code="no_such_part"
        )
    status = f"{step.status}, " if step.status is not None else ""
    return ReferenceMiss(written, f"step {name!r} has no body ({status}nothing came with it)", code="no_body")


def _header(headers: Mapping[str, Json], key: str | int, here: str, written: str) -> Json:
    for name, value in headers.items():
        if isinstance(key, str) and name.casefold() == key.casefold():
            return value
    return _miss_key(dict(headers), str(key), here, written)


def _child(value: Json, key: str | int, here: str, written: str) -> Json:
    if isinstance(value, dict):
        if isinstance(key, str) and key in value:
            return value[key]
        return _miss_key(value, key, here, written)
    if isinstance(value, list | tuple):
        place = int(key) if isinstance(key, int) or is_index(key) else None
        if place is None:
            return _miss_list(value, key, here, written)
        if -len(value) <= place < len(value):
            return value[place]
        last = f", [0] to [{len(value) - 1}]" if len(value) > 1 else ""
        held = f"{len(value) or 'no'} element{'' if len(value) == 1 else 's'}{last}"
        raise ReferenceMiss(written, f"{here} has no element [{place}]; it has {held}", code="out_of_range")
    if value is None:
        raise ReferenceMiss(written, f"{here} is null, so it has no {_quoted(key)}", code="null_on_the_way")
    raise ReferenceMiss(written, f"{here} is {describe(value)}, so it has no {_quoted(key)}", code="not_a_container")


def _miss_key(value: Mapping[str, Json], key: str | int, here: str, written: str) -> NoReturn:
    if isinstance(key, int):
        message = f"{here} is an object, not a list; it has {list_keys(value)}"
        hint = f'For the key write ["{key}"]' if str(key) in value else ""
    else:
        message = f"{here} has no key {_quoted(key)}; it has {list_keys(value, key)}"
        near = nearest(key, value)
        hint = f"Did you mean {_quoted(near[0])}?" if near else ""
    raise ReferenceMiss(written, message, code="no_such_key", hint=hint)


def _miss_list(value: list[Json] | tuple[Json, ...], key: str | int, here: str, written: str) -> NoReturn:
    first = value[0] if value else None
    if isinstance(first, dict) and key in first:
        hint = f"Name the element: {here}[0]{str(Path('item', keys=(key,)))[4:]}"
    elif key in ("length", "count", "size", "len"):
        hint = f"The count is {len(value)}; compute gives it with len(...)"
    else:
        hint = f"Name the element: {here}[0]" if value else ""
    raise ReferenceMiss(
        written, f"{here} is {describe(value)}, so it has no key {_quoted(key)}", code="is_list", hint=hint
    )


def list_keys(value: Collection[str], wanted: str = "") -> str:
    """Write an object's keys for a message, those like `wanted` first, at most 8 of them."""
    near = nearest(wanted, value) if wanted and len(value) <= 1000 else []
    if not value:
        return "no keys"
    ordered = [*near, *(key for key in value if key not in near)]
    return list_names([visible(clip(key, KEY_LENGTH), newlines=False) for key in ordered], KEYS_SHOWN)


def describe(value: Json) -> str:
    """Say what a value is, in words: `a list of 34`, `the text 'abc'`, `null`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "the boolean " + ("true" if value else "false")
    if isinstance(value, dict):
        return f"an object with {list_keys(value)}"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, Secret | SecretText):
        return "a secret text"
    if isinstance(value, str):
        return f"the text {visible(clip(value, KEY_LENGTH), newlines=False)!r}"
    return f"the number {clip(str(value), KEY_LENGTH)}"


def _quoted(key: str | int) -> str:
    return repr(visible(clip(key, KEY_LENGTH), newlines=False)) if isinstance(key, str) else f"[{key}]"
