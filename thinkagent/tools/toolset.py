"""The tools of one document or several: listed at once, each built when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from thinkagent.documents import Document, OperationEntry
from thinkagent.documents.cache import Cache
from thinkagent.documents.model import Finding, Operation, Skipped
from thinkagent.errors import DocumentError, UsageError, list_names, nearest
from thinkagent.tools.across import GraphOfSeveral
from thinkagent.tools.build import Shapers, build_tool
from thinkagent.tools.effect import effect_of
from thinkagent.tools.graph import Graph, GraphInput
from thinkagent.tools.model import Effect, Tool
from thinkagent.tools.names import DocumentKey, OperationKey, document_names, tell_apart, tool_names
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
    document: str = ""
    """Which of several documents it is of, by name; empty where there is only one."""


def build_tools(
    documents: Document | Sequence[Document],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reads: Sequence[str] = (),
    names: Sequence[str] = (),
    cache: Cache | None = None,
) -> Toolset:
    """Offer the operations of a document, or of several, as tools.

    Args:
        documents: loaded documents, in the order in which their tools are to stand; nothing of them is copied.
        include: patterns of what is offered, everything where there are none: a tag, a path glob (`/users/*`), a
            method, an operationId or tool name (globs too).
        exclude: patterns of what is not, also among the included.
        reads: operations, by operationId or tool name, that the user declares to change nothing.
        names: names of the documents, as an earlier toolset of theirs gave them; made from titles and files otherwise.
        cache: where what leads to what, and the words to search by, are kept between runs.

    Raises:
        UsageError: a pattern or name that fits no operation, nothing is left, no document or one given twice.
    """
    return Toolset(documents, include=include, exclude=exclude, reads=reads, names=names, cache=cache)


class Toolset:
    """The tools of documents by name, in the order of the documents and within them.

    Every operation of a document is one of the tools, or stands in `skipped` with the reason, or was left out by the
    user (`excluded`). A tool's name is that which it has in its own document, unless several claim it.
    """

    def __init__(
        self,
        documents: Document | Sequence[Document],
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        reads: Sequence[str] = (),
        names: Sequence[str] = (),
        cache: Cache | None = None,
    ) -> None:
        self.cache = cache
        self.documents: Mapping[str, Document] = _by_name(documents, names)
        """The documents by name, in the given order; the only one has no name."""
        self._named: dict[str, OperationEntry] = {}
        self._homes: dict[str, str] = {}
        self._own_names: dict[str, str] = {}
        self._name_operations()
        selection = Selection(self._named, self._homes)
        chosen = selection.choose(include, exclude)
        self._reads = selection.names_of(reads, option="--read")
        self._shapers = {name: Shapers(document) for name, document in self.documents.items()}
        self._owned = {name: owned_parameters(one.security_schemes) for name, one in self.documents.items()}
        self.excluded = tuple(name for name in self._named if name not in chosen)
        """Names of the operations that the user left out."""
        self._sketches: dict[str, Operation] = {}
        """The tools' operations without their schemas, which are most of the work."""
        self._skipped: dict[str, Skipped] = {}
        self._survey(chosen)
        self._tools: dict[str, Tool] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}

    def _name_operations(self) -> None:
        own = {
            name: tool_names(OperationKey(entry.method, entry.path, entry.operation_id) for entry in document.index)
            for name, document in self.documents.items()
        }
        apart = tell_apart(own)
        for home, document in self.documents.items():
            for entry in document.index:
                name = apart[home][entry.method, entry.path]
                self._named[name] = entry
                self._homes[name] = home
                self._own_names[name] = own[home][entry.method, entry.path]

    def _survey(self, chosen: Collection[str]) -> None:
        """Sort the chosen operations into tools and skipped ones."""
        known = {(home, item.method, item.path): item for home, one in self.documents.items() for item in one.skipped}
        for name, entry in self._named.items():
            if name not in chosen:
                continue
            skipped = known.get((self._homes[name], entry.method, entry.path)) or self._try(name, entry)
            if skipped is not None:
                self._skipped[name] = skipped

    def _try(self, name: str, entry: OperationEntry) -> Skipped | None:
        try:
            operation = self.documents[self._homes[name]].sketch(entry)
        except DocumentError as error:
            return Skipped(entry.method, entry.path, entry.pointer, error.message)
        reason = unsupported(operation, self._owned[self._homes[name]])
        if reason:
            return Skipped(entry.method, entry.path, entry.pointer, reason)
        self._sketches[name] = operation
        return None

    def __repr__(self) -> str:
        titles = ", ".join(repr(document.title) for document in self.documents.values())
        return f"<Toolset of {titles}: {len(self)} tools, {len(self._skipped)} skipped>"

    def __len__(self) -> int:
        return len(self._sketches)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sketches)

    def __contains__(self, name: object) -> bool:
        return name in self._sketches

    def __getitem__(self, name: str) -> Tool:
        """Give a tool by its name; an unknown one is a `UsageError` that names the nearest."""
        tool = self.get(name)
        if tool is None:
            raise self._unknown(name)
        return tool

    @property
    def document(self) -> Document:
        """The document, where there is only one; a `UsageError` where there are several."""
        if len(self.documents) > 1:
            raise UsageError(
                f"these are tools of {len(self.documents)} documents",
                code="several_documents",
                hint=f"Take one of `documents`: {list_names(self.documents)}",
            )
        return next(iter(self.documents.values()))

    def document_of(self, name: str) -> str:
        """Name the document that an operation is of, whether it is a tool or not; `KeyError` where there is none."""
        return self._homes[name]

    def own_name(self, name: str) -> str:
        """Give the name that a tool has among those of its own document; `KeyError` where there is none."""
        return self._own_names[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in the order of the documents and within them."""
        return tuple(self._sketches)

    @property
    def operations(self) -> int:
        """How many operations the documents have: tools, skipped and excluded ones."""
        return len(self._named)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The operations that are no tools although nobody excluded them, with the reason."""
        return tuple(self._skipped.values())

    def skipped_of(self, document: str) -> tuple[Skipped, ...]:
        """Those of `skipped` that are of one document."""
        return tuple(item for name, item in self._skipped.items() if self._homes[name] == document)

    @cached_property
    def lines(self) -> tuple[ToolLine, ...]:
        """A line for each tool, in the order of their names."""
        return tuple(self._line(name, operation) for name, operation in self._sketches.items())

    def line(self, name: str) -> ToolLine:
        """Give the line of one tool; `KeyError` where there is none."""
        return self._lines_by_name[name]

    @cached_property
    def _lines_by_name(self) -> dict[str, ToolLine]:
        return {line.name: line for line in self.lines}

    def _line(self, name: str, operation: Operation) -> ToolLine:
        effect, _ = effect_of(operation.method, operation.extensions, declared_read=name in self._reads)
        summary = summary_of(operation)
        return ToolLine(
            name,
            operation.method,
            operation.path,
            effect,
            summary,
            operation.deprecated,
            operation.tags,
            self._homes[name],
        )

    def operation(self, name: str) -> Operation:
        """Give the operation behind a tool; `KeyError` where there is none."""
        if name not in self._sketches:
            raise KeyError(name)
        return self.documents[self._homes[name]].operation(self._named[name])

    def get(self, name: str) -> Tool | None:
        """Build a tool, or give it again; None where there is none of that name."""
        if name not in self._sketches:
            return None
        if name not in self._tools:
            self._tools[name], self._findings[name] = build_tool(
                self.operation(name),
                name,
                owned=self._owned[self._homes[name]],
                shapers=self._shapers[self._homes[name]],
                declared_read=name in self._reads,
                needs=self.graph.needs(name),
                feeds=self.graph.feeds(name),
                document=self._homes[name],
            )
        return self._tools[name]

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools, built, in the order of their names."""
        return tuple(self[name] for name in self._sketches)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the documents, and about the tools built so far."""
        return tuple(finding for document in self.documents for finding in self.findings_of(document))

    def findings_of(self, document: str) -> tuple[Finding, ...]:
        """Those of `findings` that are about one document."""
        whole = self.documents[document]
        known = {item.pointer for item in whole.skipped}
        unsupported = [
            Finding(item.pointer, f"{item.method} {clip(item.path, 200)} is left out: {item.reason}", "error")
            for item in self.skipped_of(document)
            if item.pointer not in known
        ]
        own = [item for name, found in self._findings.items() if self._homes[name] == document for item in found]
        return (*whole.findings, *whole.with_lines(dict.fromkeys([*unsupported, *own])))

    @cached_property
    def graph(self) -> Graph | GraphOfSeveral:
        """Which tool's result holds what another one needs."""
        if len(self.documents) > 1:
            return GraphOfSeveral({home: list(self._inputs(home)) for home in self.documents}, self.documents)
        rows = self.recall("graph")
        if rows is not None:
            return Graph.from_rows(self._sketches, rows)
        graph = Graph(self._inputs(*self.documents))
        self.remember(graph.rows, "graph")
        return graph

    def _inputs(self, document: str) -> Iterator[GraphInput]:
        for name in self._sketches:
            if self._homes[name] == document:
                operation = self.operation(name)
                yield GraphInput(name, operation, offered_parameters(operation, self._owned[document]))

    def recall(self, purpose: str) -> Any:
        """Give what an earlier run derived from the same tools for a purpose; None where nothing is kept."""
        return self.cache.get(purpose, *self._made_from) if self.cache is not None else None

    def remember(self, value: Any, purpose: str) -> None:
        """Keep for later runs what was derived from these tools alone, as plain JSON."""
        if self.cache is not None:
            self.cache.put(value, purpose, *self._made_from)

    @cached_property
    def _made_from(self) -> tuple[str, ...]:
        return (*(document.digest for document in self.documents.values()), digest("\n".join(self._sketches)))

    def _unknown(self, name: str) -> UsageError:
        if name in self.excluded:
            return UsageError(f"the operation {name!r} is left out of this run by the user", code="excluded_operation")
        if name in self._skipped:
            item = self._skipped[name]
            return UsageError(
                f"the operation {name!r} is not offered: {item.reason}", code="skipped_operation", where=item.pointer
            )
        near = nearest(name, self._sketches)
        return UsageError(
            f"no operation is called {name!r}; there are {list_names(near or self._sketches, 5)}",
            code="unknown_operation",
            hint=f"Did you mean {near[0]!r}?" if near else "",
        )


def _by_name(documents: Document | Sequence[Document], names: Sequence[str]) -> dict[str, Document]:
    given = [documents] if isinstance(documents, Document) else list(documents)
    if not given:
        raise UsageError("no document is given", code="no_document", where="--spec", hint="Pass one, --spec PATH")
    # The same bytes from two addresses may be two services; from files they would be the same tools once more.
    marks: dict[tuple[str | None, str], Document] = {}
    for document in given if len(given) > 1 else ():
        same = marks.setdefault((document.base_uri, document.digest), document)
        if same is not document or given.count(document) > 1:
            is_same = same.source == document.source
            what = "is given twice" if is_same else f"and {document.source!r} are the same document"
            raise UsageError(f"{same.source!r} {what}", code="document_twice", where="--spec", hint="Give it once")
    keys = [DocumentKey(one.title, one.source, f"{one.base_uri or ''} {one.digest}") for one in given]
    return dict(zip(names or document_names(keys), given, strict=True))
