"""What commands print of a document with `--json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinkagent.documents import Document
    from thinkagent.documents.model import Finding, Skipped

__all__ = ["document_row", "finding_rows", "skipped_rows"]


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
