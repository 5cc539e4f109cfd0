"""A loaded OpenAPI document: an index at once, everything else on demand."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from thinkagent.documents.bundle import Schemas
from thinkagent.documents.components import schema_holder, security_holder
from thinkagent.documents.content import Blocked
from thinkagent.documents.counts import Count, count, count_references
from thinkagent.documents.decode import decode
from thinkagent.documents.files import Files
from thinkagent.documents.gather import Gathered
from thinkagent.documents.index import FoundOperation, OperationEntry, find_operations
from thinkagent.documents.lines import find_lines
from thinkagent.documents.model import Finding, Operation, Schema, SecurityScheme, Server, Skipped
from thinkagent.documents.nodes import Miss, View
from thinkagent.documents.operations import Builder
from thinkagent.documents.security import read_security_schemes
from thinkagent.documents.servers import read_servers, read_servers_v2
from thinkagent.documents.version import Version
from thinkagent.documents.walk import References, walk_references
from thinkagent.errors import DocumentError, list_names, nearest
from thinkagent.values import clip, digest

__all__ = ["Document"]


class Document:
    """An OpenAPI document of any version, in the words of 3.1.

    `load`, `load_bytes` and `from_dict` make one. The index and the document's own fields are there at once;
    operations are built when asked for and kept. What is broken costs only what depends on it.
    """

    source: str
    """As a user knows it: the path, the address without user and query, `-` for stdin."""
    version: str
    """As written: `3.0.3`, `2.0`."""
    title: str
    api_version: str
    """`info.version`."""
    description: str
    base_uri: str | None
    """What relative server addresses are relative to: where the document was fetched from; None for files."""
    index: tuple[OperationEntry, ...]
    """Every operation in document order, also those that are `skipped`."""

    def __init__(self, files: Files, version: Version, source: str, base_uri: str | None) -> None:
        self.source = source
        self.version = version.text
        self.base_uri = base_uri
        self._files = files
        self._version = version
        self._root = View((files.root,))
        info = self._root.raw("info")
        info = info if isinstance(info, dict) else {}
        self.title = _text(info.get("title"))
        self.api_version = _text(info.get("version"))
        self.description = info["description"] if isinstance(info.get("description"), str) else ""
        if version.is_newer:
            message = f"version {version.text!r} is newer than what is known; it is read as {version.dialect}"
            files.findings.add(files.entry, "/openapi", message)
        self._found = find_operations(self._root, version.dialect, files)
        self.index = tuple(found.entry for found in self._found)
        self._by_place = {(found.entry.method, found.entry.path): found for found in self._found}
        self._gathered: dict[tuple[str, str], Gathered] = {}
        self._built: dict[tuple[str, str], Operation] = {}
        self._lines: dict[tuple[str, str], int | None] = {}

    def __repr__(self) -> str:
        return f"<Document {self.title!r} {self.version}, {len(self.index)} operations, from {self.source!r}>"

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the entry document's bytes; of names and digests where there are several files."""
        files = self._files.read
        if len(files) == 1:
            return digest(files[self._files.entry].data)
        lines = [f"{self._files.show(name)} {digest(file.data)}" for name, file in files.items()]
        return digest("\n".join(sorted(lines)))

    @property
    def neighbours(self) -> Mapping[str, str | None]:
        """Name the other files that it refers to, each with its digest; None for what could not be read."""
        read = {name: digest(file.data) for name, file in self._files.read.items() if name != self._files.entry}
        return {**dict.fromkeys(self._files.missing), **read}

    @cached_property
    def servers(self) -> tuple[Server, ...]:
        """The document's servers; `/` where it names none but was fetched; empty where no address is known."""
        if self._version.dialect == "2.0":
            found = read_servers_v2(self._root, None, self.base_uri, self._files)
        else:
            found = read_servers(self._root.get("servers"), self._files) or ()
        return found or ((Server("/"),) if self.base_uri is not None else ())

    @cached_property
    def security_schemes(self) -> Mapping[str, SecurityScheme]:
        """The security schemes by name."""
        return read_security_schemes(security_holder(self._root, self._version.dialect, self._files), self._files)

    @cached_property
    def skipped(self) -> tuple[Skipped, ...]:
        """The operations that cannot be offered, with the reason; for all others `operation` succeeds."""
        found: list[Skipped] = []
        for item in self._found:
            entry = item.entry
            reason = self._builder.blocked(item, self._gather(item))
            if reason:
                found.append(Skipped(entry.method, entry.path, entry.pointer, reason))
        return tuple(found)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the document, as far as it has been looked at.

        Covers reading, the index, parameters, bodies and security schemes, references that lead nowhere, and the
        schemas of every operation built so far; `check` looks at everything. Lines are given for texts up to 4 MB.
        """
        return self._with_lines(self._look())

    def check(self) -> tuple[Finding, ...]:
        """Build every operation and give all findings."""
        skipped = {(item.method, item.path) for item in self.skipped}
        for entry in self.index:
            if (entry.method, entry.path) not in skipped:
                self.operation(entry)
        return self.findings

    def with_lines(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Give findings about places of this document with their lines, in reading order."""
        files = {self._files.show(name): name for name in self._files.read}
        items = []
        for finding in findings:
            file, _, pointer = finding.pointer.partition("#")
            items.append((files.get(file, self._files.entry), pointer, finding))
        return self._with_lines(items)

    def validate(self, limit_s: float) -> str:
        """Add the findings of openapi-spec-validator; say why some may be lacking, or nothing.

        It runs in a process of its own, for `limit_s` seconds at most, and is given the files that were read.
        """
        from thinkagent.documents.validator import complaints

        files = {name: file.parsed.value for name, file in self._files.read.items()}
        found, lacking = complaints(self._version.dialect, self._files.entry, files, limit_s)
        for pointer, message in found:
            self._files.findings.add(
                self._files.entry,
                pointer,
                f"{message} (openapi-spec-validator)",
                consequence="the document does not follow the specification there",
            )
        return lacking

    @cached_property
    def counts(self) -> Mapping[str, Count]:
        """How many of everything there is: operations, parameters by location, bodies, schemas, references …"""
        operations = ((found, self._gather(found)) for found in self._found)
        return {
            **count(self._root, self._version, self._files, operations),
            **count_references(self._references, self._root, self._version, self._files),
        }

    def operation(self, entry: OperationEntry) -> Operation:
        """Build an operation, or give it again.

        Raises:
            DocumentError: the operation cannot be offered (see `skipped`), or is not one of this document.
        """
        place = (entry.method, entry.path)
        if place not in self._built:
            self._built[place] = self._make(entry, self._builder.build)
        return self._built[place]

    def _make(self, entry: OperationEntry, build: Callable[[FoundOperation, Gathered], Operation]) -> Operation:
        found = self._by_place.get((entry.method, entry.path))
        if found is None:
            raise self._no_such_operation(entry)
        gathered = self._gather(found)
        reason = self._builder.blocked(found, gathered)
        if not reason:
            try:
                return build(found, gathered)
            except Blocked as blocked:
                reason = str(blocked)
        raise DocumentError(
            f"{entry.method} {clip(entry.path, 200)} cannot be offered: {reason}",
            code="operation_skipped",
            where=f"{self.source} {entry.pointer}",
            hint="Correct the document there",
        )

    def sketch(self, entry: OperationEntry) -> Operation:
        """Give an operation without its schemas and responses, enough to list it; nothing of it is kept.

        Raises:
            DocumentError: as for `operation`.
        """
        return self._built.get((entry.method, entry.path)) or self._make(entry, self._builder.sketch)

    def operations(self) -> Iterator[Operation]:
        """Build every operation that is not skipped, in document order."""
        skipped = {(item.method, item.path) for item in self.skipped}
        for entry in self.index:
            if (entry.method, entry.path) not in skipped:
                yield self.operation(entry)

    def schema(self, name: str) -> Schema | None:
        """Give a component schema (2.0: a definition), bundled; None where there is none of that name."""
        return self._schemas.component(name)

    def name_of(self, schema: Schema) -> str:
        """Give the key of the component schema that a schema of an operation is, by identity; empty for any other."""
        return self._schemas.name_of(schema)

    def variants(self, name: str) -> Mapping[str, Schema]:
        """Give what a component schema with a discriminator may stand for, by the discriminator's value."""
        return self._schemas.variants(name)

    def pack(self) -> dict[str, Any]:
        """Give everything that `unpack` needs to make this very document again, as plain JSON."""
        files = {name: _pack_bytes(file.data) for name, file in self._files.read.items()}
        return {
            "source": self.source,
            "base_uri": self.base_uri,
            "entry": self._files.entry,
            "files": files,
            "missing": dict(self._files.missing),
        }

    @cached_property
    def _schemas(self) -> Schemas:
        dialect = self._version.dialect
        return Schemas(self._files, dialect, schema_holder(self._root, dialect, self._files))

    @cached_property
    def _builder(self) -> Builder:
        return Builder(
            self._root,
            self._version.dialect,
            self._files,
            self._schemas,
            self.servers,
            self.security_schemes,
            self.base_uri,
        )

    def _gather(self, found: FoundOperation) -> Gathered:
        place = (found.entry.method, found.entry.path)
        known = self._gathered.get(place)
        if known is None:
            known = self._gathered[place] = self._builder.gather(found)
        return known

    @cached_property
    def _references(self) -> References:
        return walk_references(self._files)

    @cached_property
    def _misses(self) -> tuple[Miss, ...]:
        """The references of the whole document that lead to nothing."""
        found = (*self._references.dangling, *self._references.remote)
        return tuple(miss for miss in found if isinstance(self._files.find(miss.reference, miss.at), Miss))

    def _look(self) -> list[tuple[str, str, Finding]]:
        """Give all findings so far with their places; what was said of a place is not said again."""
        _ = self._builder  # reads servers and security schemes, which may have findings of their own
        for item in self.skipped:
            message = f"{item.method} {clip(item.path, 200)} is left out: {item.reason}"
            self._files.findings.add(self._files.entry, item.pointer[1:], message, severity="error")
        found = list(self._files.findings.items())
        told = {(file, pointer) for file, pointer, _ in found}
        for miss in self._misses:
            if (miss.at.file, miss.at.pointer) not in told:
                found.append((miss.at.file, miss.at.pointer, Finding(self._files.place(miss.at), str(miss))))
        return found

    def _with_lines(self, items: list[tuple[str, str, Finding]]) -> tuple[Finding, ...]:
        wanted: dict[str, set[str]] = {}
        for file, pointer, _ in items:
            if (file, pointer) not in self._lines:
                wanted.setdefault(file, set()).add(pointer)
        for file, pointers in wanted.items():
            lines = find_lines(decode(self._files.read[file].data).text, pointers)
            self._lines.update({(file, pointer): lines.get(pointer) for pointer in pointers})
        found = [replace(item, line=self._lines[file, pointer]) for file, pointer, item in items]
        return tuple(sorted(found, key=_reading_order))

    def _no_such_operation(self, entry: OperationEntry) -> DocumentError:
        known = [f"{item.method} {item.path}" for item in self.index]
        wanted = f"{entry.method} {entry.path}"
        near = nearest(wanted, known)
        return DocumentError(
            f"{self.source!r} has no operation {clip(wanted, 200)!r}",
            code="no_such_operation",
            where=self.source,
            hint=f"Did you mean {list_names(near)}?" if near else "",
        )


def _reading_order(finding: Finding) -> tuple[str, int, str, str]:
    """Order findings as they stand in the files, whatever was looked at first."""
    file = finding.pointer.partition("#")[0]
    return file, finding.line or 0, finding.pointer, finding.message


def _text(value: object) -> str:
    """Give a scalar of `info` as text: `version: 1.10` is often written as a number."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    return str(value)


def _pack_bytes(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
