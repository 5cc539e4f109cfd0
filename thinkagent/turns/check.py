"""Check a parsed turn against the run: does the tool exist, do a built-in tool's arguments fit, is the name free?

What an operation's own arguments must be is the engine's to say, once references are resolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, Protocol

from thinkagent.errors import list_names, nearest
from thinkagent.tools.model import Tool
from thinkagent.turns.model import BUILT_IN, Plan, Turn
from thinkagent.turns.problem import Unusable, quoted
from thinkagent.turns.schema import BUILT_IN_SCHEMAS, check_built_in, coerce_built_in

__all__ = ["ToolSource", "check_turn"]

_WITHOUT_RESULT = ("finish", "wait")
_MAX_FAULTS = 5


class ToolSource(Protocol):
    """The tools of the run, by name; `tools.Toolset` is one."""

    @property
    def names(self) -> Collection[str]: ...

    def get(self, name: str) -> Tool | None: ...


def check_turn(
    turn: Turn,
    tools: ToolSource,
    *,
    plan: Plan | None = None,
    excluded: Collection[str] = (),
    step_name_problem: Callable[[str], str | None] | None = None,
) -> Turn:
    """Give the turn as it can be carried out: small things put right and noted, the plan's state made true.

    `excluded` are operations that the user left out of this run; `step_name_problem` says what is wrong with a name
    for a result, None when nothing is.

    Raises:
        Unusable: unknown_tool, excluded_tool, bad_arguments or bad_step_name.
    """
    if turn.action.tool in BUILT_IN:
        turn = _check_built_in(turn)
    else:
        tool = tools.get(turn.action.tool)
        if tool is None:
            raise _unknown(turn.action.tool, tools.names, excluded)
        turn = _lift(turn, tool)
    name = turn.action.save_as
    if name is not None and step_name_problem is not None and (problem := step_name_problem(name)) is not None:
        raise Unusable("bad_step_name", problem, quote=name, tool=turn.action.tool)
    return _check_plan(turn, plan)


def _unknown(name: str, names: Iterable[str], excluded: Collection[str]) -> Unusable:
    shown = quoted(name)
    known = [*names, *BUILT_IN]
    if name in excluded:
        message = f"the operation {shown!r} was left out of this run by the user"
        hint = "Use another tool, or finish with status impossible and say what is missing"
        return Unusable("excluded_tool", message, quote=name, hint=hint, tool=name)
    close = _nearest(name, known)
    hint = f"Did you mean {list_names(close)}?" if close else "search_tools finds tools by words"
    return Unusable("unknown_tool", f"a tool {shown!r} does not exist", quote=name, hint=hint, tool=name)


def _nearest(name: str, names: list[str]) -> list[str]:
    """Give the nearest names, also when a prefix (`functions.`, `api/`) stands before the name."""
    name = name[:200]
    bare = re.split(r"[./:#\s]+", name.strip("./:# ()"))[-1]
    found = dict.fromkeys([*nearest(bare, names), *nearest(name, names)])
    return list(found)[:3]


def _check_built_in(turn: Turn) -> Turn:
    action = turn.action
    given = dict(action.arguments)
    notes: list[str] = []
    save_as = action.save_as
    if "save_as" in given:
        moved = given.pop("save_as")
        if isinstance(moved, str) and moved.strip() and save_as in (None, moved):
            save_as = moved.strip()
        notes.append("save_as stood among the arguments")
    beside = [key for key in ("for_each", "pages") if getattr(action, key) is not None]
    if beside:
        message = f"{list_names(beside)} belongs to a call of the API, {action.tool!r} takes none"
        raise Unusable("bad_arguments", message, quote=action.tool, tool=action.tool)
    if save_as is not None and action.tool in _WITHOUT_RESULT:
        save_as = None
        notes.append(f"save_as left out: {action.tool} has no result")
    arguments, taken = coerce_built_in(action.tool, given)
    faults = check_built_in(action.tool, arguments)
    if faults:
        names = list_names(BUILT_IN_SCHEMAS[action.tool]["properties"])
        message = f"the arguments of {action.tool!r} do not fit: {'; '.join(faults[:_MAX_FAULTS])}"
        raise Unusable("bad_arguments", message, quote=str(given), hint=f"It takes {names}", tool=action.tool)
    return replace(
        turn,
        action=replace(action, arguments=arguments, save_as=save_as),
        notes=(*turn.notes, *notes, *taken),
    )


def _lift(turn: Turn, tool: Tool) -> Turn:
    """Move `save_as`, `for_each` and `pages` out of the arguments of a tool that has no argument of the name."""
    own = {argument.name for argument in tool.arguments}
    arguments = dict(turn.action.arguments)
    moved: dict[str, Any] = {}
    for key, kinds in (("save_as", str), ("for_each", str), ("pages", int | str)):
        value = arguments.get(key)
        is_free = key in arguments and key not in own and getattr(turn.action, key) is None
        if is_free and isinstance(value, kinds) and not isinstance(value, bool) and _is_sound(key, value):
            moved[key] = arguments.pop(key)
    if not moved:
        return turn
    notes = tuple(f"{key} stood among the arguments" for key in moved)
    return replace(turn, action=replace(turn.action, arguments=arguments, **moved), notes=(*turn.notes, *notes))


def _is_sound(key: str, value: int | str) -> bool:
    if key == "pages":
        return value == "all" or (isinstance(value, int) and value >= 1)
    return bool(value)


def _check_plan(turn: Turn, plan: Plan | None) -> Turn:
    """Drop a plan that is the old one, and keep `doing` within the plan that counts."""
    notes: list[str] = []
    items = turn.plan
    if items is not None and plan is not None:
        if items == plan.items:
            items = None
        elif turn.plan_reason is None:
            notes.append("the plan was changed without a reason")
    count = len(items if items is not None else plan.items if plan is not None else ()) or 1
    doing = turn.doing
    if doing is not None and doing > count:
        notes.append(f"doing was {doing}; the plan has {count} item{'s' if count > 1 else ''}")
        doing = count
    reason = turn.plan_reason if items is not None else None
    return replace(turn, plan=items, plan_reason=reason, doing=doing, notes=(*turn.notes, *notes))
