"""The tools of a document: listed at once, each built when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from thinkagent.documents import Document, OperationEntry
from thinkagent.documents.cache import Cache
from thinkagent.documents.model import Finding, Operation, Skipped
from thinkagent.errors import DocumentError, UsageError, list_names, nearest
from thinkagent.tools.build import Shapers, build_tool
from thinkagent.tools.effect import effect_of
from thinkagent.tools.graph import Graph, GraphInput
from thinkagent.tools.model import Effect, Tool
from thinkagent.tools.names import OperationKey, tool_names
from thinkagent.tools.schema import offered_parameters, owned_parameters, unsupported
from thinkagent.tools.select import Selection
from thinkagent.tools.wording import summary_of
from thinkagent.values import clip, digest

__all__ = ["ToolLine", "Toolset", "build_tools"]


@dataclass(frozen=True, slots=True)
class ToolLine:
    """What a listing shows of a tool; no schema is built for it."""

    name: str
    method: str
    path: str
    effect: Effect
    summary: str
    deprecated: bool = False
    tags: tuple[str, ...] = ()


def build_tools(
    document: Document,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reads: Sequence[str] = (),
    cache: Cache | None = None,
) -> Toolset:
    """Offer the operations of a document as tools.

    Args:
        document: a loaded document; nothing of it is copied.
        include: patterns of what is offered, everything where there are none: a tag, a path glob (`/users/*`), a
            method, an operationId or tool name (globs too).
        exclude: patterns of what is not, also among the included.
        reads: operations, by operationId or tool name, that the user declares to change nothing.
        cache: where what leads to what, and the words to search by, are kept between runs.

    Raises:
        UsageError: a pattern or name that fits no operation, or nothing is left.
    """
    return Toolset(document, include=include, exclude=exclude, reads=reads, cache=cache)


class Toolset:
    """A document's tools in document order, by name.

    Every operation of the document is one of its tools, or stands in `skipped` with the reason, or was left out by
    the user (`excluded`).
    """

    def __init__(
        self,
        document: Document,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        reads: Sequence[str] = (),
        cache: Cache | None = None,
    ) -> None:
        self.document = document
        self.cache = cache
        named = tool_names(OperationKey(entry.method, entry.path, entry.operation_id) for entry in document.index)
        self._named = {name: entry for entry in document.index for name in (named[entry.method, entry.path],)}
        selection = Selection(self._named)
        chosen = selection.choose(include, exclude)
        self._reads = selection.names_of(reads, option="--read")
        self._shapers = Shapers(document)
        self._owned = owned_parameters(document.security_schemes)
        self.excluded = tuple(name for name in self._named if name not in chosen)
        """Names of the operations that the user left out."""
        self._operations: dict[str, Operation] = {}
        self._skipped: list[Skipped] = []
        self._survey(chosen)
        self._tools: dict[str, Tool] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}

    def _survey(self, chosen: Collection[str]) -> None:
        """Sort the chosen operations into tools and skipped ones."""
        known = {(item.method, item.path): item for item in self.document.skipped}
        for name, entry in self._named.items():
            if name not in chosen:
                continue
            skipped = known.get((entry.method, entry.path)) or self._try(name, entry)
            if skipped is not None:
                self._skipped.append(skipped)

    def _try(self, name: str, entry: OperationEntry) -> Skipped | None:
        try:
            operation = self.document.operation(entry)
        except DocumentError as error:
            return Skipped(entry.method, entry.path, entry.pointer, error.message)
        reason = unsupported(operation, self._owned)
        if reason:
            return Skipped(entry.method, entry.path, entry.pointer, reason)
        self._operations[name] = operation
        return None

    def __repr__(self) -> str:
        return f"<Toolset of {self.document.title!r}: {len(self)} tools, {len(self._skipped)} skipped>"

    def __len__(self) -> int:
        return len(self._operations)

    def __iter__(self) -> Iterator[str]:
        return iter(self._operations)

    def __contains__(self, name: object) -> bool:
        return name in self._operations

    def __getitem__(self, name: str) -> Tool:
        """Give a tool by its name; an unknown one is a `UsageError` that names the nearest."""
        tool = self.get(name)
        if tool is None:
            raise self._unknown(name)
        return tool

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names in document order."""
        return tuple(self._operations)

    @property
    def operations(self) -> int:
        """How many operations the document has: tools, skipped and excluded ones."""
        return len(self._named)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The operations that are no tools although nobody excluded them, with the reason."""
        return tuple(self._skipped)

    @cached_property
    def lines(self) -> tuple[ToolLine, ...]:
        """A line for each tool, in document order."""
        return tuple(self._line(name, operation) for name, operation in self._operations.items())

    def line(self, name: str) -> ToolLine:
        """Give the line of one tool; `KeyError` where there is none."""
        return self._lines_by_name[name]

    @cached_property
    def _lines_by_name(self) -> dict[str, ToolLine]:
        return {line.name: line for line in self.lines}

    def _line(self, name: str, operation: Operation) -> ToolLine:
        effect, _ = effect_of(operation.method, operation.extensions, declared_read=name in self._reads)
        summary = summary_of(operation)
        return ToolLine(name, operation.method, operation.path, effect, summary, operation.deprecated, operation.tags)

    def operation(self, name: str) -> Operation:
        """Give the operation behind a tool; `KeyError` where there is none."""
        return self._operations[name]

    def get(self, name: str) -> Tool | None:
        """Build a tool, or give it again; None where there is none of that name."""
        if name not in self._operations:
            return None
        if name not in self._tools:
            self._tools[name], self._findings[name] = build_tool(
                self._operations[name],
                name,
                owned=self._owned,
                shapers=self._shapers,
                declared_read=name in self._reads,
                needs=self.graph.needs(name),
                feeds=self.graph.feeds(name),
            )
        return self._tools[name]

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools, built, in document order."""
        return tuple(self[name] for name in self._operations)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the document, and about the tools built so far."""
        known = {item.pointer for item in self.document.skipped}
        unsupported = [
            Finding(item.pointer, f"{item.method} {clip(item.path, 200)} is left out: {item.reason}", "error")
            for item in self._skipped
            if item.pointer not in known
        ]
        own = [finding for found in self._findings.values() for finding in found]
        return (*self.document.findings, *self.document.with_lines(dict.fromkeys([*unsupported, *own])))

    @cached_property
    def graph(self) -> Graph:
        """Which tool's result holds what another one needs."""
        rows = self.recall("graph")
        if rows is not None:
            return Graph.from_rows(self._operations, rows)
        graph = Graph(
            GraphInput(name, operation, offered_parameters(operation, self._owned))
            for name, operation in self._operations.items()
        )
        self.remember(graph.rows, "graph")
        return graph

    def recall(self, purpose: str) -> Any:
        """Give what an earlier run derived from the same tools for a purpose; None where nothing is kept."""
        return self.cache.get(purpose, *self._made_from) if self.cache is not None else None

    def remember(self, value: Any, purpose: str) -> None:
        """Keep for later runs what was derived from these tools alone, as plain JSON."""
        if self.cache is not None:
            self.cache.put(value, purpose, *self._made_from)

    @cached_property
    def _made_from(self) -> tuple[str, ...]:
        return self.document.digest, digest("\n".join(self._operations))

    def _unknown(self, name: str) -> UsageError:
        if name in self.excluded:
            return UsageError(f"the operation {name!r} is left out of this run by the user", code="excluded_operation")
        for item in self._skipped:
            if (item.method, item.path) == self._place(name):
                return UsageError(
                    f"the operation {name!r} is not offered: {item.reason}",
                    code="skipped_operation",
                    where=item.pointer,
                )
        near = nearest(name, self._operations)
        return UsageError(
            f"no operation is called {name!r}; there are {list_names(near or self._operations, 5)}",
            code="unknown_operation",
            hint=f"Did you mean {near[0]!r}?" if near else "",
        )

    def _place(self, name: str) -> tuple[str, str] | None:
        entry = self._named.get(name)
        return None if entry is None else (entry.method, entry.path)
