"""What a mind is told about an operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from thinkagent.documents.model import Operation, Schema

__all__ = ["Argument", "Effect", "ErrorMeaning", "Tool"]

Effect = Literal["read", "write", "delete"]


@dataclass(frozen=True, slots=True)
class Argument:
    """Where an argument of a tool goes: the reverse map from the mind's name to the document's."""

    name: str
    """As the mind writes it: [A-Za-z0-9_-], unique within the tool."""
    location: Literal["path", "query", "header", "cookie", "body"]
    wire_name: str
    """As the document writes it; for the body its media type."""
    required: bool


@dataclass(frozen=True, slots=True)
class ErrorMeaning:
    status: str
    meaning: str
    advice: str


@dataclass(frozen=True, slots=True)
class Tool:
    """An operation as a tool; `tools.build` makes it, `tools.render` writes it for a mind or a provider."""

    name: str
    """[A-Za-z0-9_-]{1,64}, unique, the same whatever the order in the document."""
    method: str
    path: str
    summary: str
    """One plain line."""
    effect: Effect
    idempotent: bool
    deprecated: bool
    parameters: Mapping[str, Any]
    """One JSON Schema 2020-12 for the arguments object: `properties`, `required`, `additionalProperties: false`,
    `$defs`; the body stands under `body`."""
    result: Schema | None
    """The schema of the main successful answer; None where the document says nothing."""
    result_status: str
    arguments: tuple[Argument, ...]
    operation: Operation
    when_to_use: str = ""
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Argument (`customerId`, `body.customerId`) to the names of tools whose result holds such a value."""
    feeds: tuple[str, ...] = ()
    """Names of tools that take a value of this one's result."""
    example_call: Mapping[str, Any] = field(default_factory=dict)
    example_result: Any = None
    errors: tuple[ErrorMeaning, ...] = ()
    tokens: int = 0
    """The size of the full definition as a mind reads it."""
    document: str = ""
    """Which of several documents it is of, by name; empty where there is only one."""

    @property
    def signature(self) -> str:
        """`name(required, optional?) METHOD - summary`, one line."""
        required = [argument.name for argument in self.arguments if argument.required]
        optional = [argument.name + "?" for argument in self.arguments if not argument.required]
        return f"{self.name}({', '.join(required + optional)}) {self.method} - {self.summary}"
