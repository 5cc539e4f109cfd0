"""What a document offers, as plain rows: what `thinkagent tools` prints, remembered between runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinkagent.documents import Document
    from thinkagent.documents.cache import Cache
    from thinkagent.documents.model import Finding, Skipped
    from thinkagent.documents.sources import Reader
    from thinkagent.tools import ToolLine, Toolset

__all__ = ["document_row", "finding_rows", "line_row", "list_tools", "listing_of", "skipped_rows"]

_PURPOSE = "listing"


def list_tools(
    specs: Sequence[str],
    *,
    overlays: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reads: Sequence[str] = (),
    cache: Cache | None = None,
) -> dict[str, Any]:
    """Give the listing of documents by their addresses; with a cache that of one is made once for each content.

    The document is read in any case, and so is each other file that it refers to; only understanding it is saved.

    Raises:
        DocumentError: as for `load`.
        UsageError: as for `load_all` and `build_tools`.
    """
    if len(specs) > 1 or cache is None:
        from thinkagent.documents import load_all
        from thinkagent.tools import build_tools

        documents = load_all(specs, overlays=overlays)
        return listing_of(build_tools(documents, include=include, exclude=exclude, reads=reads))
    from thinkagent.documents.load import load_opened, open_source

    opened = open_source(specs[0], overlays=overlays)
    asked = [text for texts in (include, exclude, reads) for text in (str(len(texts)), *texts)]
    made_from = (_PURPOSE, *opened.made_from, *asked)
    kept = cache.get(*made_from)
    if isinstance(kept, dict) and _is_unchanged(kept["neighbours"], opened.reader):
        found: dict[str, Any] = kept["listing"]
        return found
    from thinkagent.tools import build_tools

    document = load_opened(opened)
    listing = listing_of(build_tools(document, include=include, exclude=exclude, reads=reads))
    cache.put({"neighbours": dict(document.neighbours), "listing": listing}, *made_from)
    return listing


def _is_unchanged(neighbours: Mapping[str, str | None], reader: Reader) -> bool:
    return all(_digest(name, reader) == known for name, known in neighbours.items())


def _digest(name: str, reader: Reader) -> str | None:
    from thinkagent.documents.sources import Unreadable
    from thinkagent.values import digest

    try:
        return digest(reader(name))
    except Unreadable:
        return None


def listing_of(toolset: Toolset) -> dict[str, Any]:
    """Give the listing of tools that are at hand; of several documents every row names its own."""
    several = len(toolset.documents) > 1
    whole: dict[str, Any] = {"documents": [_document_of(toolset, name) for name in toolset.documents]}
    if not several:
        whole = {"document": document_row(toolset.document)}

    def named(rows: list[dict[str, Any]], document: str) -> list[dict[str, Any]]:
        return [{**row, "document": document} for row in rows] if several else rows

    return {
        **whole,
        "operations": toolset.operations,
        "excluded": len(toolset.excluded),
        "tools": [line_row(line) for line in toolset.lines],
        "skipped": [row for name in toolset.documents for row in named(skipped_rows(toolset.skipped_of(name)), name)],
        "findings": [row for name in toolset.documents for row in named(finding_rows(toolset.findings_of(name)), name)],
    }


def _document_of(toolset: Toolset, name: str) -> dict[str, Any]:
    """Say of one of several documents what it is, and how many of the operations are its."""
    document = toolset.documents[name]
    return {
        "name": name,
        **document_row(document),
        "operations": len(document.index),
        "tools": sum(line.document == name for line in toolset.lines),
        "skipped": len(toolset.skipped_of(name)),
        "excluded": sum(toolset.document_of(one) == name for one in toolset.excluded),
    }


def line_row(line: ToolLine) -> dict[str, Any]:
    """Give what a listing shows of a tool."""
    return {
        "name": line.name,
        "method": line.method,
        "path": line.path,
        "effect": line.effect,
        "summary": line.summary,
        "deprecated": line.deprecated,
        "tags": list(line.tags),
        **({"document": line.document} if line.document else {}),
    }


def document_row(document: Document) -> dict[str, Any]:
    """Say what a document is and how much of everything it holds."""
    return {
        "source": document.source,
        "version": document.version,
        "title": document.title,
        "api_version": document.api_version,
        "digest": document.digest,
        "servers": [server.url for server in document.servers],
        "security_schemes": {
            name: {"type": scheme.type, "scheme": scheme.scheme, "in": scheme.location, "name": scheme.parameter}
            for name, scheme in document.security_schemes.items()
        },
        "counts": dict(document.counts),
    }


def skipped_rows(skipped: Iterable[Skipped]) -> list[dict[str, Any]]:
    """Name the operations that cannot be offered, with the reason."""
    return [{"method": one.method, "path": one.path, "pointer": one.pointer, "reason": one.reason} for one in skipped]


def finding_rows(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Tell what is wrong or odd, where, and what it means for a tool."""
    return [
        {
            "pointer": finding.pointer,
            "line": finding.line,
            "severity": finding.severity,
            "message": finding.message,
            "consequence": finding.consequence,
        }
        for finding in findings
    ]
