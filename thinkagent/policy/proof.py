"""Is the answer proven by the log? Code checks it; the mind's word is a claim, never a fact.

What is checked: a run that is done rests on evidence, and every step of it gave a good result; no reference of the
answer comes from a failed step; every number, date, time, identifier and quoted text that the answer states by itself
occurs in the task, in the inputs or in what the API and the computations gave, rounded or written in another way; what
it says was done is not all refused or never sent. Steps that rest on a list of which more pages exist, and batches of
which a part failed, are told beside the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

from thinkagent.policy.claims import NumberClaim, read_claims
from thinkagent.policy.deeds import undone
from thinkagent.policy.seen import Seen

__all__ = ["Claim", "Fact", "Proof", "prove"]

_ORDINARY = Decimal(1)
"""A number that a sentence uses without claiming it ("one of", "no 1")."""
_MOST_DIGITS = 15
"""A larger number is not claimed as rounded."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A step as evidence: how it stands, what it rests on, and its value (called only when it is needed)."""

    name: str
    tool: str
    ok: bool
    state: str
    complete: bool
    value: Callable[[], Any]
    uses: Sequence[str] = ()
    formula: str = ""
    """The expression of a computation that reads nothing: what it gives is as true as what stands in it."""
    failed: str = ""
    """Of a batch that went well only in part: what did not."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The mind's ending: its status, what it said (`template` still has its references), and its evidence."""

    status: str
    template: Any
    answer: Any
    evidence: Sequence[str]
    referenced: Sequence[str]
    """Names of the steps that the answer's references name."""


@dataclass(frozen=True, slots=True)
class Proof:
    proven: bool
    doubts: tuple[str, ...] = ()
    """Why it is not proven."""
    notes: tuple[str, ...] = ()
    """What a reader should know, though it is proven."""

    def as_dict(self) -> dict[str, Any]:
        return {"proven": self.proven, "doubts": list(self.doubts), "notes": list(self.notes)}


def prove(
    claim: Claim,
    facts: Mapping[str, Fact],
    *,
    task: str,
    inputs: Any,
    denied: Iterable[str] = (),
    doubtful: int = 0,
    writes: Collection[str] = (),
) -> Proof:
    """Check the mind's ending against what is in the log.

    `denied` are the reasons of refused writes, `doubtful` counts writes whose outcome is unknown, `writes` are those
    that succeeded, as `DELETE /orders/{id} dropOrder`. An ending as failed or impossible claims no success and is taken
    as the honest word that it is.
    """
    if claim.status != "done":
        return Proof(True)
    names = list(dict.fromkeys([*claim.evidence, *claim.referenced]))
    doubts = [f"a write was refused: {reason}" for reason in denied]
    if doubtful:
        doubts.append(f"{doubtful} writes have an unknown outcome")
    if not names:
        doubts.append("the answer names no step as its evidence")
    for name in names:
        fact = facts.get(name)
        if fact is None:
            doubts.append(f"there is no step {name!r}")
        elif not fact.ok:
            doubts.append(f"step {name!r} ended as {fact.state}")
    if not doubts:
        said = "\n".join(_own_texts(claim.template))
        if doubt := undone(said, task, writes):
            doubts.append(doubt)
        doubts += _unknown_claims(said, facts, task, inputs)
    partly = [f"step {name!r}: {facts[name].failed}" for name in names if name in facts and facts[name].failed]
    return Proof(not doubts, tuple(doubts), (*_incomplete(names, facts), *partly))


def _incomplete(names: Iterable[str], facts: Mapping[str, Fact]) -> Iterable[str]:
    queue, seen = list(names), set()
    while queue:
        name = queue.pop(0)
        fact = facts.get(name)
        if fact is None or name in seen:
            continue
        seen.add(name)
        if not fact.complete:
            yield f"step {name!r} holds only the first pages of a longer list"
        queue += fact.uses


def _unknown_claims(text: str, facts: Mapping[str, Fact], task: str, inputs: Any) -> Iterator[str]:
    """Tell what the mind wrote by itself and nothing in the log holds."""
    said = read_claims(text)
    given = (task, inputs, *facts, *(fact.tool for fact in facts.values()))
    seen = _seen(given, (fact for fact in facts.values() if not fact.formula))
    if formulas := [fact for fact in facts.values() if fact.formula]:
        # Numbers that the mind only wrote down in a computation are no result.
        true = [fact for fact in formulas if all(_known(one, seen) for one in read_claims(fact.formula).numbers)]
        seen = _seen(given, (fact for fact in facts.values() if not fact.formula or fact in true))
    yield from (f"the number {number.text} is in no result" for number in said.numbers if not _known(number, seen))
    yield from (f"the date {date.text} is in no result" for date in said.dates if not seen.has_date(date))
    yield from (f"the time {time.text} is in no result" for time in said.times if not seen.has_time(time))
    yield from (f"the name {name!r} is in no result" for name in said.names if not seen.has_word(name))
    yield from (f"the text {quote!r} is in no result" for quote in said.quotes if not seen.has_text(quote))


def _seen(given: Iterable[Any], facts: Iterable[Fact]) -> Seen:
    seen = Seen()
    for value in given:
        seen.add(value)
    for fact in facts:
        value = fact.value()
        seen.add(value if fact.ok else value.get("status") if isinstance(value, Mapping) else None)
    return seen


def _known(number: NumberClaim, seen: Seen) -> bool:
    value = number.amount
    if value == _ORDINARY or value in seen.numbers:
        return True
    if number.is_place:
        return 0 < value <= seen.longest
    if number.is_word and seen.has_word(number.text):
        return True
    if number.scale > 1 and not number.places and not number.is_about:
        return False
    if number.places or number.is_about or number.is_percent:
        return any(_means(exact, number) for exact in seen.numbers)
    return False


def _means(exact: Decimal, number: NumberClaim) -> bool:
    """Say whether a number of a result, rounded as the claim is, is the one claimed."""
    if not exact.is_finite() or exact.adjusted() > _MOST_DIGITS:
        return False
    step = Decimal(1).scaleb(-number.places)
    wanted = [exact / number.scale]
    if number.is_percent:
        wanted.append(exact * 100)
    return any(_rounds_to(one, number.value, step, exactly=not number.places and not number.is_about) for one in wanted)


def _rounds_to(exact: Decimal, rounded: Decimal, step: Decimal, *, exactly: bool) -> bool:
    if exactly:
        return exact == rounded
    return any(exact.quantize(step, rounding) == rounded for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP))


_REFERENCE = re.compile(r"<<[^<>]*>>")


def _own_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield _REFERENCE.sub(" ; ", value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _own_texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _own_texts(item)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield str(value)
