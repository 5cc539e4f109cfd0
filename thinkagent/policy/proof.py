"""Is the answer proven by the log? Code checks it; the mind's word is a claim, never a fact.

What is checked: a run that is done rests on evidence, and every step of it gave a good result; no reference of the
answer comes from a failed step; every number and every quoted text that the answer states by itself occurs in the
task, in the inputs or in what the API and the computations gave. Steps that rest on a list of which more pages
exist are told beside the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

__all__ = ["Claim", "Fact", "Proof", "prove"]

_NUMBER = re.compile(
    r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)", re.ASCII
)
"""ASCII, because a script written without blanks stands right beside its numbers."""
_QUOTED = re.compile(r"[\"“「『]([^\"”」』]{2,80})[\"”」』]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
_ORDINARY = frozenset(map(Decimal, range(0, 2)))
"""Numbers that a sentence uses without claiming them ("one of", "no 1")."""


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


@dataclass(slots=True)
class _Seen:
    numbers: set[Decimal] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)


def prove(
    claim: Claim, facts: Mapping[str, Fact], *, task: str, inputs: Any, denied: Iterable[str] = (), doubtful: int = 0
) -> Proof:
    """Check the mind's ending against what is in the log.

    `denied` are the reasons of refused writes, `doubtful` counts writes whose outcome is unknown. An ending as
    failed or impossible claims no success and is taken as the honest word that it is.
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
        doubts += _unknown_claims(claim, facts, task, inputs)
    return Proof(not doubts, tuple(doubts), tuple(_incomplete(names, facts)))


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


def _unknown_claims(claim: Claim, facts: Mapping[str, Fact], task: str, inputs: Any) -> list[str]:
    """Find numbers and quotes that the mind wrote by itself and that nothing in the log holds."""
    said = " ".join(_own_texts(claim.template))
    numbers = _numbers_of(_DATE.sub(" ", said)) - _ORDINARY
    quotes = [*_QUOTED.findall(said), *_DATE.findall(said)]
    if not numbers and not quotes:
        return []
    seen = _Seen()
    _collect(task, seen)
    _collect(inputs, seen)
    for fact in facts.values():
        if fact.ok:
            _collect(fact.value(), seen)
    doubts = [f"the number {number} is in no result" for number in sorted(numbers) if not _known(number, seen)]
    everything = "\n".join(seen.texts).casefold()
    doubts += [f"the text {quote!r} is in no result" for quote in quotes if quote.casefold() not in everything]
    return doubts


def _known(number: Decimal, seen: _Seen) -> bool:
    if number in seen.numbers:
        return True
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and exponent < 0:
        return any(_rounds_to(other, number) for other in seen.numbers)
    return False


def _rounds_to(exact: Decimal, rounded: Decimal) -> bool:
    try:
        return exact.quantize(rounded) == rounded
    except InvalidOperation:
        return False


_REFERENCE = re.compile(r"<<[^<>]*>>")


def _own_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield _REFERENCE.sub(" ", value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _own_texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _own_texts(item)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield str(value)


def _numbers_of(text: str) -> set[Decimal]:
    return {Decimal(match.replace(",", "")) for match in _NUMBER.findall(text)}


def _collect(value: Any, seen: _Seen) -> None:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | Decimal):
        seen.numbers.add(Decimal(value))
    elif isinstance(value, str):
        seen.texts.append(value)
        seen.numbers |= _numbers_of(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            seen.texts.append(str(key))
            _collect(item, seen)
    elif isinstance(value, list | tuple):
        seen.numbers.add(Decimal(len(value)))
        for item in value:
            _collect(item, seen)
    else:
        seen.texts.append(str(value))
