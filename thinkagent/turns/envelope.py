"""From a JSON object to a turn: the keys of the envelope, their accepted other names, and what each must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from thinkagent.errors import list_names
from thinkagent.turns.model import Action, Turn
from thinkagent.turns.problem import Unusable
from thinkagent.turns.reading import ReadObject, read_lenient
from thinkagent.turns.scan import extent
from thinkagent.values import Json, JsonError, read_json, same, write_json

__all__ = ["is_envelope", "read_arguments", "turn_from"]

_TOOL_KEYS = ("tool", "tool_name")
_ARGUMENT_KEYS = ("arguments", "args")
_BESIDE_KEYS = ("save_as", "for_each", "pages")
_ACTION_KEYS = (*_TOOL_KEYS, *_ARGUMENT_KEYS, *_BESIDE_KEYS)
_TURN_KEYS = ("thought", "plan", "plan_reason", "doing", "action")
_ENDINGS = ("finish", "answer", "final_answer")
_BULLET = re.compile(r"^\s*(?:\d+[.):、]|[-*•])\s+")
_MAX_PLAN = 40


def is_envelope(value: Json) -> bool:
    """Say whether an object can be meant as a turn or an action: what else stands in a reply is an example."""
    return isinstance(value, dict) and any(key in value for key in ("thought", "action", *_TOOL_KEYS))


def turn_from(value: Mapping[str, Any], *, thought: str = "", notes: tuple[str, ...] = ()) -> Turn:
    """Build the turn that an object describes; `thought` is used where it has none of its own.

    Raises:
        Unusable: no_thought, no_action, two_actions, bad_arguments, bad_step_name or bad_plan.
    """
    noted = list(notes)
    given = {key: item for key, item in value.items() if item is not None}
    action = _action(given, noted)
    own = given.get("thought")
    if isinstance(own, str) and own.strip():
        thought = own
    if not thought.strip():
        found = "" if own is None or own == "" else f": 'thought' is {_kind(own)}, not a text"
        raise Unusable("no_thought", f"the turn has no thought{found}", quote=write_json(value), tool=action.tool)
    reason = given.get("plan_reason")
    return Turn(
        thought=thought.strip(),
        action=action,
        plan=_plan(given.get("plan"), noted),
        plan_reason=reason.strip() or None if isinstance(reason, str) else None,
        doing=_doing(given.get("doing"), noted),
        notes=tuple(noted),
    )


def _action(given: Mapping[str, Any], notes: list[str]) -> Action:
    inner = given.get("action")
    beside = {key: given[key] for key in _ACTION_KEYS if key in given}
    endings = [key for key in _ENDINGS if key in given]
    if inner is None:
        if not any(key in beside for key in _TOOL_KEYS):
            raise _no_action(given)
        stray = [key for key in given if key not in _TURN_KEYS and key not in _ACTION_KEYS]
        return _build({**beside, **{key: given[key] for key in stray}}, notes)
    if any(key in beside for key in _TOOL_KEYS):
        raise Unusable("two_actions", "a tool stands in 'action' and another beside it", quote=write_json(given))
    if endings:
        message = f"an action and an ending ({list_names(endings)}) stand in one turn"
        raise Unusable("two_actions", message, quote=write_json(given))
    ignored = [key for key in given if key not in _TURN_KEYS and key not in beside]
    if ignored:
        notes.append(f"{list_names(ignored)} stood beside the action and says nothing to the program")
    action = _object_in(inner, notes, given)
    for key in beside:
        if key in action:
            raise Unusable("bad_arguments", f"{key!r} stands in 'action' and beside it", quote=write_json(given))
        notes.append(f"{key} stood beside the action")
    return _build({**action, **beside}, notes)


def _object_in(inner: Json, notes: list[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Take `action` as an object, as a list of one, or as a text that holds one."""
    if isinstance(inner, str) and inner.lstrip().startswith("{"):
        inner = read_lenient(inner, "'action'").value
        notes.append("action was a text that holds JSON")
    if isinstance(inner, list):
        if len(inner) > 1:
            raise Unusable("two_actions", f"'action' is a list of {len(inner)}", quote=write_json(inner))
        if inner:
            notes.append("action was a list of one")
            inner = inner[0]
    if not isinstance(inner, dict):
        message = f"'action' must be an object with 'tool' and 'arguments', it is {_kind(inner)}"
        raise Unusable("no_action", message, quote=write_json(given))
    return {key: item for key, item in inner.items() if item is not None}


def _no_action(given: Mapping[str, Any]) -> Unusable:
    known = [key for key in given if key not in ("thought", "plan", "plan_reason", "doing")]
    found = f": it has {list_names(known)}, but neither 'action' nor 'tool'" if known else ""
    return Unusable("no_action", f"the turn has no action{found}", quote=write_json(given))


def _build(action: Mapping[str, Any], notes: list[str]) -> Action:
    tool = _tool(action)
    unknown = [key for key in action if key not in _ACTION_KEYS]
    if unknown:
        message = f"{list_names(unknown)} stands beside 'tool'; what a tool is given belongs in 'arguments'"
        raise Unusable("bad_arguments", message, quote=write_json(action), tool=tool)
    return Action(
        tool=tool,
        arguments=_arguments(action, tool, notes),
        save_as=_save_as(action.get("save_as"), tool),
        for_each=_for_each(action.get("for_each"), tool),
        pages=_pages(action.get("pages"), tool, notes),
    )


def _tool(action: Mapping[str, Any]) -> str:
    names = [action[key] for key in _TOOL_KEYS if key in action]
    if not names:
        message = f"the action names no tool: it has {list_names(action)}, but no 'tool'"
        raise Unusable("no_action", message, quote=write_json(action))
    if len(names) == 2 and names[0] != names[1]:
        raise Unusable("two_actions", "'tool' and 'tool_name' name two tools", quote=write_json(action))
    name = names[0]
    if not isinstance(name, str) or not name.strip():
        raise Unusable("no_action", f"'tool' must be the name of a tool, it is {_kind(name)}", quote=write_json(action))
    return name.strip()


def _arguments(action: Mapping[str, Any], tool: str, notes: list[str]) -> dict[str, Any]:
    given = [action[key] for key in _ARGUMENT_KEYS if key in action]
    if len(given) == 2 and not same(given[0], given[1]):
        message = "'arguments' and 'args' are both given and differ"
        raise Unusable("bad_arguments", message, quote=write_json(action), tool=tool)
    return read_arguments(given[0], tool, notes) if given else {}


def read_arguments(value: Json, tool: str, notes: list[str]) -> dict[str, Any]:
    """Take arguments as an object or, once, as a text that holds one; what cannot be read never becomes `{}`."""
    if isinstance(value, str):
        if value.strip() in ("", "null"):
            return {}
        text, (value, mended) = value, _read_text(value, tool)
        notes += ["arguments was a text that holds JSON", *mended]
        if not isinstance(value, dict):
            message = f"'arguments' must be an object, it is a text that holds {_kind(value)}"
            raise Unusable("bad_arguments", message, quote=text, tool=tool)
    if not isinstance(value, dict):
        message = f"'arguments' must be an object, it is {_kind(value)}"
        raise Unusable("bad_arguments", message, quote=write_json(value), tool=tool)
    return value


def _read_text(text: str, tool: str) -> ReadObject:
    try:
        return read_lenient(text, "the text in 'arguments'")
    except Unusable as error:
        if error.kind == "bad_json" and _is_incomplete(text):
            message = "the reply ends in the middle of its JSON: 'arguments' is not complete"
            raise Unusable("cut", message, quote=text[-120:], tool=tool) from error
        raise Unusable("bad_arguments", error.message, quote=error.quote, tool=tool) from error


def _is_incomplete(text: str) -> bool:
    start = len(text) - len(text.lstrip())
    return text[start : start + 1] in ("{", "[") and extent(text, start).state == "cut"


def _save_as(value: Json, tool: str) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise Unusable("bad_step_name", f"'save_as' must be a name, it is {_kind(value)}", tool=tool)
    return value.strip() or None


def _for_each(value: Json, tool: str) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        message = f"'for_each' must be a reference to a list, it is {_kind(value)}"
        raise Unusable("bad_arguments", message, quote=write_json(value), tool=tool)
    return value.strip() or None


def _pages(value: Json, tool: str, notes: list[str]) -> int | str | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().casefold() == "all":
        return "all"
    number = _whole(value)
    if number is None or number < 1:
        message = f"""'pages' must be a number from 1 or "all", it is {write_json(value)[:40]}"""
        raise Unusable("bad_arguments", message, tool=tool)
    if isinstance(value, str):
        notes.append("pages was a text that holds a number")
    return number


def _plan(value: Json, notes: list[str]) -> tuple[str, ...] | None:
    if isinstance(value, str):
        if value.strip():
            notes.append("plan was one text; each line is an item")
        value = value.splitlines()
    if value is None or value == []:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Unusable(
            "bad_plan", f"'plan' must be a list of short texts, it is {_kind(value)}", quote=write_json(value)
        )
    items = tuple(_BULLET.sub("", item).strip() for item in value if item.strip())
    if len(items) > _MAX_PLAN:
        raise Unusable("bad_plan", f"the plan has {len(items)} items; at most {_MAX_PLAN} are taken")
    return items or None


def _doing(value: Json, notes: list[str]) -> int | None:
    number = _whole(value)
    if number is None:
        if value is not None:
            notes.append(f"doing was {_kind(value)}, not the number of an item; left out")
        return None
    if number < 1:
        notes.append(f"doing was {number}; taken as 1")
        return 1
    return number


def _whole(value: Json) -> int | None:
    """Give a whole number, also one that a text holds; None for all else."""
    if isinstance(value, str):
        try:
            value = read_json(value)
        except JsonError:
            return None
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value() and abs(value) < 10**9:
        return int(value)
    return value if isinstance(value, int) else None


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return f"an object with {list_names(value, 4)}" if value else "an empty object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "a text" if isinstance(value, str) else "a number"
