"""What a task asks for, once it is understood: every word of the task has its place in one of these values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal as Word

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.resources import ItemTool, Relation, Resource

__all__ = [
    "Act",
    "Aggregate",
    "Bound",
    "Change",
    "Compare",
    "Condition",
    "Count",
    "Create",
    "Entity",
    "Equals",
    "Issue",
    "ListAll",
    "Literal",
    "Lookup",
    "Missing",
    "Order",
    "Owned",
    "Phrase",
    "Query",
    "Reason",
    "Refusal",
    "Related",
    "Remove",
    "Select",
    "Show",
    "Timed",
    "When",
]

Operator = Word["<", "<=", ">", ">=", "==", "!="]


@dataclass(frozen=True)
class Literal:
    """A name, an identifier or a value as the task spells it."""

    text: str
    kind: Word["name", "quoted", "id", "number", "word", "date", "email"]

    @property
    def looks_like_id(self) -> bool:
        return self.kind in ("id", "number", "word") or (
            self.kind == "quoted" and " " not in self.text and any(char.isdigit() or char in "_-" for char in self.text)
        )


@dataclass(frozen=True)
class Entity:
    """One thing, by what the task calls it; without a resource it may be of any kind that fits."""

    resource: Resource | None
    literal: Literal
    by: Field | None = None
    """The field that holds the literal, where the task names it."""
    within: Entity | None = None
    """What it lies in: `chapter two in book atlas`."""
    called: str = field(default="", compare=False)
    """The kind with a short literal behind it, which may be a name as a whole: `room 5`."""


@dataclass(frozen=True)
class Equals:
    fields: tuple[Field, ...]
    """Several where any of them may hold the value."""
    value: str | bool
    negated: bool = False
    known: bool = True
    """False where the value is the task's own word, which the data may not hold at all."""


@dataclass(frozen=True)
class Compare:
    field: Field
    operator: Operator
    value: Decimal


@dataclass(frozen=True)
class Bound:
    operator: Word["<", "<=", ">", ">="]
    at: datetime


@dataclass(frozen=True)
class When:
    field: Field
    bounds: tuple[Bound, ...]


@dataclass(frozen=True)
class Timed:
    """A time without a verb: `in the last week`; what it is about is decided by what stands beside it."""

    bounds: tuple[Bound, ...]


@dataclass(frozen=True)
class Missing:
    field: Field


@dataclass(frozen=True)
class Related:
    """How many things of another kind belong to it."""

    relation: Relation
    operator: Operator
    number: int
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Owned:
    """It belongs to one thing; of several possible relations the data decides."""

    relations: tuple[Relation, ...]
    entity: Entity


Condition = Equals | Compare | When | Missing | Related | Owned


@dataclass(frozen=True)
class Order:
    """Only the first by a field, or by how many things belong to it."""

    by: Field | Relation
    descending: bool


@dataclass(frozen=True)
class Phrase:
    """A task's words for some things, without `all` or `the`: what stands before the noun, the noun, what follows."""

    lead: str = ""
    noun: str = ""
    tail: str = ""


@dataclass(frozen=True)
class Select:
    """Some things of one kind."""

    resource: Resource
    conditions: tuple[Condition, ...] = ()
    order: Order | None = None
    quantified: bool = field(default=True, compare=False)
    """Whether the task says that all of them are meant, or which."""
    single: bool = False
    """Whether the task speaks of exactly one."""
    text: str = field(default="", compare=False)
    """As the task says it."""
    phrase: Phrase = field(default=Phrase(), compare=False)
    asked: bool = field(default=False, compare=False)
    """Whether a verb in the phrase is the question's own: `how many members joined`."""
    owner: str = field(default="", compare=False)
    """Whose they are, where the phrase leaves that out."""
    when: str = field(default="", compare=False)
    """The time that was said of the owner's."""


@dataclass(frozen=True)
class Lookup:
    """Fields of one thing; each option is a kind of thing with the fields meant."""

    options: tuple[tuple[Resource, tuple[Field, ...]], ...]
    entity: Entity


@dataclass(frozen=True)
class Show:
    entity: Entity


@dataclass(frozen=True)
class ListAll:
    select: Select
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Count:
    select: Select


@dataclass(frozen=True)
class Aggregate:
    function: Word["average", "sum", "max", "min"]
    field: Field
    select: Select
    spent: bool = False
    """Whether it is about money that was really spent."""


@dataclass(frozen=True)
class Create:
    """Make one thing."""

    resource: Resource
    name: Literal | None
    values: tuple[tuple[Field, object], ...] = ()
    parents: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class Issue:
    """Make one thing for one other, or for each of some."""

    resource: Resource
    target: Field | str
    """The field of the body, or the argument of the path, that takes the other's identifier."""
    recipient: Resource
    values: tuple[tuple[Field, object], ...]
    each: Select | None
    one: Entity | None


@dataclass(frozen=True)
class Change:
    resource: Resource
    values: tuple[tuple[Field, object], ...]
    each: Select | None
    one: Entity | None


@dataclass(frozen=True)
class Act:
    """An operation of the resource's own (`cancel`), on one thing or each of some."""

    resource: Resource
    operation: ItemTool
    each: Select | None
    one: Entity | None


@dataclass(frozen=True)
class Remove:
    resource: Resource
    each: Select | None
    one: Entity | None


Query = Lookup | Show | ListAll | Count | Aggregate | Create | Issue | Change | Act | Remove


@dataclass(frozen=True)
class Reason:
    """A sentence of ours with what goes into it, still in no language."""

    template: str
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Why the task is not taken on."""

    words: tuple[str, ...] = ()
    """The words that have no place."""
    known: bool = False
    """Whether these are words that are known here, and only fit into no sentence."""
    readings: tuple[str, ...] = ()
    """The readings that fit equally."""
    reason: Reason | None = None
