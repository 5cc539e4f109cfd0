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
    spec: str,
    *,
    overlays: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reads: Sequence[str] = (),
    cache: Cache | None = None,
) -> dict[str, Any]:
    """Give the listing of a document by its address; with a cache it is made once for each content.

    The document is read in any case, and so is each other file that it refers to; only understanding it is saved.

    Raises:
        DocumentError: as for `load`.
        UsageError: as for `build_tools`.
    """
    from thinkagent.documents.load import load_opened, open_source

    opened = open_source(spec, overlays=overlays)
    asked = [text for texts in (include, exclude, reads) for text in (str(len(texts)), *texts)]
    made_from = (_PURPOSE, *opened.made_from, *asked)
    if cache is not None:
        kept = cache.get(*made_from)
        if isinstance(kept, dict) and _is_unchanged(kept["neighbours"], opened.reader):
            found: dict[str, Any] = kept["listing"]
            return found
    from thinkagent.tools import build_tools

    document = load_opened(opened)
    listing = listing_of(build_tools(document, include=include, exclude=exclude, reads=reads))
    if cache is not None:
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
    """Give the listing of tools that are at hand."""
    return {
        "document": document_row(toolset.document),
        "operations": toolset.operations,
        "excluded": len(toolset.excluded),
        "tools": [line_row(line) for line in toolset.lines],
        "skipped": skipped_rows(toolset.skipped),
        "findings": finding_rows(toolset.findings),
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
