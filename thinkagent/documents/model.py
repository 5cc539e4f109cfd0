"""What a loaded OpenAPI document is, whatever its version: operations, servers, security, findings.

Everything here speaks the words of OpenAPI 3.1 and JSON Schema 2020-12; older versions are translated on the way
in. A schema given by a document is *bundled*: every `$ref` in it is `#/$defs/NAME` and resolves inside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Finding",
    "Link",
    "Location",
    "MediaType",
    "Operation",
    "Parameter",
    "RequestBody",
    "Response",
    "Schema",
    "SecurityScheme",
    "Server",
    "ServerVariable",
    "Severity",
    "Skipped",
]

Schema = Mapping[str, Any] | bool
Location = Literal["path", "query", "header", "cookie"]
Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the document that a user should know."""

    pointer: str
    """JSON Pointer into the document, with a leading `#`; for another file `parts/a.yaml#/x`."""
    message: str
    severity: Severity = "warning"
    line: int | None = None
    consequence: str = ""
    """What it means for a tool: `the operation is left out`, `the schema accepts anything`."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An operation that cannot be offered, and why."""

    method: str
    path: str
    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class ServerVariable:
    default: str | None
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """A server as the document names it; `url` may be relative or hold `{variables}`."""

    url: str
    description: str = ""
    variables: Mapping[str, ServerVariable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """A way to log in (OpenAPI Security Scheme Object)."""

    name: str
    type: str
    """apiKey, http, oauth2, openIdConnect or mutualTLS; 2.0's `basic` is http."""
    scheme: str = ""
    """For http, in lower case: basic, bearer, digest …"""
    location: str = ""
    """For apiKey: header, query or cookie."""
    parameter: str = ""
    """For apiKey: the name of the header, query parameter or cookie."""
    description: str = ""
    flows: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    location: Location
    required: bool
    schema: Schema
    description: str = ""
    style: str = ""
    explode: bool = False
    allow_reserved: bool = False
    content_type: str = ""
    """The media type where the parameter is described by `content`; empty otherwise."""
    examples: tuple[Any, ...] = ()
    deprecated: bool = False
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class MediaType:
    media_type: str
    schema: Schema | None
    examples: tuple[Any, ...] = ()
    encoding: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestBody:
    required: bool
    content: tuple[MediaType, ...]
    description: str = ""
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An OpenAPI Link Object: `target` is an operationId or the pointer of an operation."""

    name: str
    target: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    status: str
    """`200`, `4XX` or `default`."""
    description: str = ""
    content: tuple[MediaType, ...] = ()
    headers: Mapping[str, Schema] = field(default_factory=dict)
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, everything resolved. Built on demand from the document's index."""

    method: str
    """In upper case."""
    path: str
    """The key of `paths` as written."""
    operation_id: str
    """Empty where the document has none."""
    pointer: str
    summary: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    parameters: tuple[Parameter, ...] = ()
    request_body: RequestBody | None = None
    responses: tuple[Response, ...] = ()
    security: tuple[tuple[str, ...], ...] = ()
    """Alternatives (OR) of scheme names to use together (AND); `((),)` or `()` means no login is needed."""
    servers: tuple[Server, ...] = ()
    """The operation's own, else the path item's, else the document's servers."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
