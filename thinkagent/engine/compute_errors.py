"""Say what went wrong in a computation, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from thinkagent.engine.compute_prelude import MARK
from thinkagent.engine.lookup import list_keys
from thinkagent.errors import ArgumentError, list_names, nearest
from thinkagent.values import Json, JsonError, clip, read_json, visible

__all__ = ["ComputeError", "explain"]


class ComputeError(ArgumentError):
    """An expression gave no result; it changed nothing."""

    def __init__(self, message: str, *, code: str = "compute_failed", where: str = "", hint: str = "") -> None:
        super().__init__(message, code=code, where=where, hint=hint)


_TEXT_TO_DATE = (
    "Make dates of texts first: date.fromisoformat(x[:10]), or datetime.fromisoformat(x) where it has a time"
)
_HINTS: tuple[tuple[str, str], ...] = (
    (
        r"unsupported operand.*(Decimal.*float|float.*Decimal)",
        "Make it exact first: Decimal(str(x)); numbers of steps, literals and / are decimal already",
    ),
    (r"unsupported operand.*'str'", "A text is no number: Decimal(x), or int(x)"),
    (r"(not supported between|unsupported operand).*'NoneType'", "Leave out null values first: if x is not None"),
    (
        r"not supported between instances of 'datetime\.datetime' and 'datetime\.datetime'"
        r"|offset-naive|unsupported operand.*'datetime\.datetime' and 'datetime\.datetime'",
        "One has an offset and the other has none: now has one; give the other x.replace(tzinfo=now.tzinfo)",
    ),
    (
        r"'datetime\.datetime'.*'datetime\.date'|'datetime\.date'.*'datetime\.datetime'",
        "A date and a time do not compare: take x.date(), or compare with now instead of today",
    ),
    (r"'str'.*'datetime\.|'datetime\..*'str'", _TEXT_TO_DATE),
    (r"not supported between instances", "Both must be of one kind: numbers, texts or dates"),
    (r"^StopIteration$", "Nothing was found: give a default, next((x for x in xs if …), None)"),
    (r"is not an iterator", "next needs an iterator here: next(iter(xs)), or xs[0]"),
    (r"'del' statement", "There is no del: build a new list or object without it"),
    (r"yield|generator", "There are no generator functions: build a list"),
    (r"Wildcard imports", "Name what is wanted: from math import sqrt"),
    (r"No module named 'statistics'", "Write it out: sum(xs) / len(xs), sorted(xs)[len(xs) // 2]"),
    (
        r"No module named '(zoneinfo|pytz|dateutil)'",
        "now and datetime.now() are in the run's zone; other offsets: x.astimezone(timezone(timedelta(hours=2)))",
    ),
    (
        r"No module named",
        "There are math, re, json, random, itertools, functools, collections, decimal, datetime, csv and copy",
    ),
    (r"'dict' object has no attribute '([a-zA-Z]\w*)'", 'A key is read with brackets: x["{0}"]'),
    (r"'list' object has no attribute '([a-zA-Z]\w*)'", 'Take the elements one by one: [x["{0}"] for x in xs]'),
    (
        r"type object 'datetime\.?\w*'? has no attribute",
        "datetime is the class: datetime.fromisoformat(…), timedelta(days=30)",
    ),
    (r"^(?:time data|Invalid isoformat|.*isoformat)", _TEXT_TO_DATE),
    (r"division by zero", "Divide only where there is something: sum(xs) / len(xs) if xs else None"),
    (r"(min|max)\(\) (?:arg|iterable argument) is (?:an )?empty", "The list is empty: max(xs, default=None)"),
    (r"empty sequence", "The list is empty: give a default, or ask whether there is any first"),
    (
        r"Permission denied|is not supported in this environment",
        "There are no files, no network and no environment here",
    ),
    (r"unhashable type", "Lists and objects are no keys: use a text or a tuple of theirs"),
    (r"not JSON serializable", "Return the value itself: it is written as JSON anyway"),
)


def explain(kind: str, message: str, *, where: str, names: Collection[str], inputs: Collection[str]) -> ComputeError:
    """Make the error for what the sandbox raised.

    `kind` is Python's name of the exception; `names` are the variables that there were.
    """
    if MARK in message:
        return _marked(message.partition(MARK)[2], where)
    message = visible(clip(message, 300), newlines=False)
    if kind == "NameError":
        return _unknown_name(message, where, names, inputs)
    if kind == "MemoryError":
        return ComputeError(
            "the computation took more memory than it may",
            code="compute_memory",
            where=where,
            hint="Name only the steps that are needed, and do not build long texts or lists",
        )
    if kind == "RecursionError":
        return ComputeError("the computation is nested too deep", code="compute_depth", where=where, hint="Use a loop")
    if kind == "KeyError":
        return ComputeError(f"there is no key {message!r}", code="compute_key", where=where)
    if message.startswith("Internal error"):
        return ComputeError("the sandbox cannot do this", where=where, hint="Write it in another way")
    text = f"{kind}: {message}" if message else kind
    searched = message or kind
    hint = next((_fill(hint, found) for pattern, hint in _HINTS if (found := re.search(pattern, searched))), "")
    return ComputeError(f"the expression failed: {text}", where=where, hint=hint)


def _fill(hint: str, found: re.Match[str]) -> str:
    return hint.replace("{0}", found[1]) if found.re.groups and found[1] else hint


def _unknown_name(message: str, where: str, names: Collection[str], inputs: Collection[str]) -> ComputeError:
    found = re.search(r"name '([^']*)'", message)
    name = found[1] if found else message
    if name in inputs:
        hint = f"It is an input: inputs.{name}"
    else:
        near = nearest(name, names)
        hint = f"Did you mean {near[0]!r}?" if near else ""
    return ComputeError(
        f"no variable is called {name!r}; there are {list_names(sorted(names), 20)}",
        code="compute_name",
        where=where,
        hint=hint,
    )


def _marked(facts_text: str, where: str) -> ComputeError:
    try:
        facts = read_json(facts_text)
    except JsonError:
        facts = []
    match facts:
        case ["key", str(owner), str(key), list(keys)]:
            near = nearest(key, map(str, keys))
            return ComputeError(
                f"{owner} has no key {key!r}; it has {list_keys(list(map(str, keys)), key)}",
                code="compute_key",
                where=where,
                hint=f"Did you mean {near[0]!r}?" if near else "",
            )
        case ["index", str(owner), str(place), int(length)]:
            return ComputeError(
                f"{owner} has no element [{place}]; it has {length}",
                code="compute_index",
                where=where,
                hint="It is empty" if not length else "",
            )
        case ["container", str(owner), str(key), str(kind), *rest]:
            return _no_container(owner, key, kind, rest, where)
    return _bad_result(facts, where)


def _no_container(owner: str, key: str, kind: str, facts: Sequence[Json], where: str) -> ComputeError:
    hint = ""
    if kind == "list":
        what = f"a list of {facts[0]}"
        if key in facts[1]:
            hint = f"Take its elements: [x[{key!r}] for x in {owner}]"
        elif facts[0]:
            hint = f"Take one of its elements: {owner}[0]"
    elif kind == "null":
        what, hint = "null", f"Leave it out first: if {owner} is not None"
    elif kind == "text":
        what, hint = f"the text {visible(str(facts[0]), newlines=False)!r}", "Going through an object gives its keys"
    else:
        what = f"the number {facts[0]}"
    return ComputeError(f"{owner} is {what}, so it has no {key!r}", code="compute_key", where=where, hint=hint)


def _bad_result(facts: Json, where: str) -> ComputeError:
    match facts:
        case ["not_finite", str(value)]:
            message, hint = f"the result is {value}, which is no number in JSON", "Leave such values out"
        case ["size"]:
            message, hint = "the result is too large", "Count, sum or filter, or take a part of it"
        case ["depth"]:
            message, hint = "the result is nested too deep or holds itself", "Take the part that is wanted"
        case ["result", str(what), str(hint)]:
            message = f"the result holds {what}, which JSON does not know"
            hint = hint[:1].upper() + hint[1:]
        case _:
            message, hint = "the expression failed", ""
    return ComputeError(message, code="compute_result", where=where, hint=hint)
