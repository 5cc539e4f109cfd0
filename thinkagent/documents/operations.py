"""One operation, everything resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from thinkagent.documents.bundle import Schemas
from thinkagent.documents.content import Blocked, check_request_body, read_request_body, read_responses
from thinkagent.documents.dialect import is_small
from thinkagent.documents.files import Files
from thinkagent.documents.gather import LOCATIONS, Gathered, gather_parameters
from thinkagent.documents.index import FoundOperation
from thinkagent.documents.model import Operation, Parameter, RequestBody, Response, Schema, SecurityScheme, Server
from thinkagent.documents.nodes import Node, View
from thinkagent.documents.parameters import assume_parameters, read_parameter
from thinkagent.documents.security import read_requirements
from thinkagent.documents.servers import read_servers, read_servers_v2
from thinkagent.documents.swagger2 import read_parameter_v2, read_request_body_v2, read_responses_v2
from thinkagent.documents.version import Dialect
from thinkagent.values import clip

__all__ = ["Builder"]


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds the operations of one document."""

    root: View
    dialect: Dialect
    files: Files
    schemas: Schemas
    servers: tuple[Server, ...]
    """The document's own."""
    security_schemes: Mapping[str, SecurityScheme]
    base_uri: str | None

    def gather(self, found: FoundOperation) -> Gathered:
        """Collect the parameters of an operation."""
        return gather_parameters(found, self.dialect, self.files)

    def blocked(self, found: FoundOperation, gathered: Gathered) -> str:
        """Say why an operation cannot be offered; empty where it can. Builds nothing."""
        if found.operation.miss is not None:
            return f"the operation is not known: {found.operation.miss}"
        if gathered.blocked:
            return gathered.blocked
        if self.dialect != "2.0":
            try:
                check_request_body(found.operation.get("requestBody"), self.files)
            except Blocked as blocked:
                return str(blocked)
        return ""

    def sketch(self, found: FoundOperation, gathered: Gathered) -> Operation:
        """Build an operation that is not blocked without its schemas and responses, which is most of the work."""
        return replace(self, schemas=_NO_SCHEMAS)._build(found, gathered, ())

    def build(self, found: FoundOperation, gathered: Gathered) -> Operation:
        """Build an operation that is not blocked."""
        return self._build(found, gathered, self._responses(found.operation))

    def _build(self, found: FoundOperation, gathered: Gathered, responses: tuple[Response, ...]) -> Operation:
        entry, operation, item = found.entry, found.operation, found.item
        return Operation(
            entry.method,
            entry.path,
            entry.operation_id,
            entry.pointer,
            entry.summary,
            operation.text("description") or item.text("description"),
            entry.tags,
            entry.deprecated,
            self._parameters(found, gathered),
            self._request_body(found, gathered),
            responses,
            self._security(found),
            self._servers(operation, item),
            _extensions(operation),
        )

    def _parameters(self, found: FoundOperation, gathered: Gathered) -> tuple[Parameter, ...]:
        read = read_parameter_v2 if self.dialect == "2.0" else read_parameter
        built = [read(item, self.files, self.schemas) for item in gathered.usable if item.location in LOCATIONS]
        twins = [twin for twin in gathered.assumed.values() if twin is not None and twin not in gathered.usable]
        described = [read(twin, self.files, self.schemas) for twin in twins]
        return (*assume_parameters(gathered, [*built, *described], self.files.place(found.operation.node)), *built)

    def _request_body(self, found: FoundOperation, gathered: Gathered) -> RequestBody | None:
        if self.dialect == "2.0":
            return read_request_body_v2(gathered.usable, found.operation, self.root, self.files, self.schemas)
        return read_request_body(found.operation.get("requestBody"), self.files, self.schemas)

    def _responses(self, operation: View) -> tuple[Response, ...]:
        if self.dialect == "2.0":
            return read_responses_v2(operation, self.root, self.files, self.schemas)
        return read_responses(operation.get("responses"), self.files, self.schemas)

    def _security(self, found: FoundOperation) -> tuple[tuple[str, ...], ...]:
        own = read_requirements(found.operation.get("security"), self.files)
        alternatives = own if own is not None else read_requirements(self.root.get("security"), self.files) or ()
        for name in dict.fromkeys(name for names in alternatives for name in names):
            if name not in self.security_schemes:
                node = found.operation.node
                message = f"the security requirement {clip(name, 80)!r} names no security scheme of the document"
                self.files.findings.add(node.file, node.pointer, message, consequence="nothing can log in with it")
        return alternatives

    def _servers(self, operation: View, item: View) -> tuple[Server, ...]:
        if self.dialect == "2.0":
            if isinstance(operation.raw("schemes"), list):
                return read_servers_v2(self.root, operation, self.base_uri, self.files)
            return self.servers
        return (
            read_servers(operation.get("servers"), self.files)
            or read_servers(item.get("servers"), self.files)
            or self.servers
        )


class _NoSchemas(Schemas):
    """Knows no schema: whatever stands there accepts anything."""

    def __init__(self) -> None:
        pass

    def bundle(self, node: Node) -> Schema:
        return {}


_NO_SCHEMAS = _NoSchemas()


def _extensions(operation: View) -> Mapping[str, Any]:
    kept: dict[str, Any] = {}
    for key in operation.names():
        if key.startswith("x-"):
            value = operation.raw(key)
            if key.startswith("x-thinkagent-") or is_small(value):
                kept[key] = value
    return kept
