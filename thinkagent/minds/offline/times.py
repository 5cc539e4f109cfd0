"""What a time in a task is about: when a thing began, or when something was done."""

from __future__ import annotations

from dataclasses import replace

from thinkagent.minds.offline.fields import DATE_ENDINGS, Field
from thinkagent.minds.offline.query import Condition, Equals, Missing, Related, Timed, When
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.words import PAST, split_name

__all__ = ["begins_plainly", "creation_field", "settle_times"]

_CREATED = {
    "create", "created", "add", "added", "place", "placed", "insert", "inserted", "issue", "issued", "open", "opened",
    "order", "ordered", "post", "posted", "submit", "submitted", "register", "registered", "publish", "published",
    "join", "joined",
}  # fmt: skip
_LATER = {
    "update", "updated", "modified", "changed", "shipped", "delivered", "paid", "cancelled", "canceled", "closed",
    "completed", "resolved", "returned", "refunded", "deleted", "archived", "last", "edited", "fulfilled", "ended",
    "finished", "expired", "scheduled", "expected", "estimated", "planned", "processed", "approved", "rejected",
    "confirmed", "verified", "received", "accessed", "used", "viewed", "synced", "checked", "reviewed", "tested",
    "accepted", "promised", "needed", "required", "renewed",
}  # fmt: skip
_HAPPENED = {*PAST, "seen"} - {"lost", "sold", "won"}
_LASTING = {"name", "username", "login", "nickname", "email"}


def creation_field(resource: Resource) -> Field | None:
    """Give the one date that says since when a thing exists: the only one called so, or the only date at all.

    The only date may still be another: when an invoice is due, when a project starts, when somebody was born.
    """
    dates = [one for one in resource.fields if one.kind in ("date", "moment")]
    if len(dates) == 1:
        return dates[0] if _happened(dates[0], resource) else None
    called = [one for one in dates if set(split_name(one.path[-1])) & _CREATED]
    strict = [one for one in called if split_name(one.path[-1])[0] in ("create", "created")]
    if len(strict) == 1 and len(called) == 1:
        return strict[0]
    return called[0] if len(called) == 1 else None


def _happened(field: Field, resource: Resource) -> bool:
    words = [word for word in split_name(field.path[-1]) if word not in DATE_ENDINGS and word not in resource.words]
    return all(word in _CREATED or word in _HAPPENED or (word.endswith("ed") and word not in _LATER) for word in words)


def begins_plainly(resource: Resource) -> bool:
    """Say whether a date without a verb can only mean when a thing began: no due date, year or birthday competes."""
    first = creation_field(resource)
    others = [one for one in resource.fields if one.kind in ("date", "moment") and one is not first]
    years = [one for one in resource.fields if one.kind == "number" and "year" in one.words]
    return first is not None and not years and all(split_name(one.path[-1])[0] in _LATER for one in others)


def settle_times(resource: Resource, parts: tuple[Condition | Timed, ...]) -> tuple[Condition, ...] | None:
    """Say what each bare time is about; None where that cannot be told.

    Beside a deed it is the time of the deed (`who ordered in the last week`). Beside a state it may be when the state
    began or when the thing did (`cancelled last week`), so there is no reading.
    """
    settled: list[Condition | None] = [None if isinstance(part, Timed) else part for part in parts]
    for place, part in enumerate(parts):
        if not isinstance(part, Timed):
            continue
        beside = [one for one in (place - 1, place + 1) if 0 <= one < len(parts) and isinstance(parts[one], Related)]
        if len(beside) == 1:
            related = settled[beside[0]]
            assert isinstance(related, Related)  # of the same place in parts
            child = related.relation.child
            field = creation_field(child)
            if field is None or not begins_plainly(child) or related.conditions:
                return None
            settled[beside[0]] = replace(related, conditions=(When(field, part.bounds),))
        else:
            field = creation_field(resource)
            states = [one for one in parts if isinstance(one, Missing) or (isinstance(one, Equals) and _is_state(one))]
            if field is None or not begins_plainly(resource) or states or beside or _lasts(resource):
                return None
            settled[place] = When(field, part.bounds)
    return tuple(one for one in settled if one is not None)


def _lasts(resource: Resource) -> bool:
    """Say whether such things have names of their own: there were members last month who joined long before."""
    named = resource.label_field
    return named is not None and split_name(named.path[-1])[-1] in _LASTING


def _is_state(condition: Equals) -> bool:
    value = condition.value
    return isinstance(value, bool) or condition.negated or value.lower().endswith("ed") or value.lower() in PAST
