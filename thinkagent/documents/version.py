"""Which version of OpenAPI a value is, or what it is instead."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, NamedTuple

from thinkagent.errors import DocumentError, list_names
from thinkagent.values import clip

__all__ = ["Version", "find_version"]

Dialect = Literal["2.0", "3.0", "3.1", "3.2"]

_OTHERS = (
    ("asyncapi", "an AsyncAPI document"),
    ("arazzo", "an Arazzo document"),
    ("overlay", "an OpenAPI Overlay"),
    ("openrpc", "an OpenRPC document"),
    ("swaggerVersion", "a Swagger 1 document"),
    ("discoveryVersion", "a Google API discovery document"),
    ("_postman_id", "a Postman collection"),
    ("$schema", "a JSON Schema"),
    ("apiVersion", "a Kubernetes manifest"),
    ("jsonrpc", "a JSON-RPC message"),
)


class Version(NamedTuple):
    text: str
    """As written: `3.0.3`, `2.0`."""
    dialect: Dialect
    """The version whose rules apply."""
    is_newer: bool = False
    """Whether the document is newer than every version that is known here."""


def find_version(value: object, source: str) -> Version:
    """Tell the version of a document.

    Raises:
        DocumentError: it is no OpenAPI document (the message says what it looks like), or of a version before 2.0
            or after 3.
    """
    if not isinstance(value, dict):
        raise _not_openapi(f"it holds {_kind(value)}", source)
    stated = value.get("openapi", value.get("swagger"))
    if isinstance(stated, bool) or not isinstance(stated, str | int | Decimal):
        raise _not_openapi(_describe(value), source)
    text = str(stated).strip()
    match = re.match(r"(\d+)(?:\.(\d+))?(?:\.|$|-|\+)", text)
    if match is None:
        raise _unsupported(text, source)
    major, minor = int(match[1]), int(match[2] or 0)
    if major == 2:
        return Version(text, "2.0", minor > 0)
    if major == 3:
        dialects: tuple[Dialect, ...] = ("3.0", "3.1", "3.2")
        return Version(text, dialects[min(minor, 2)], minor > 2)
    raise _unsupported(text, source)


def _describe(value: dict[str, object]) -> str:
    for key, what in _OTHERS:
        if key in value:
            return f"it looks like {what} (it has {key!r})"
    info = value.get("info")
    if isinstance(info, dict) and ("_postman_id" in info or "getpostman" in str(info.get("schema"))):
        return "it looks like a Postman collection"
    if "type" in value and "properties" in value:
        return "it looks like a JSON Schema (it has 'type' and 'properties')"
    if "openapi" in value or "swagger" in value:
        return "its version is no text"
    return f"it has neither 'openapi' nor 'swagger' but {list_names(clip(key, 40) for key in value)}"


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f"the text {clip(value, 40)!r}"
    return f"the value {value!s}"


def _not_openapi(found: str, source: str) -> DocumentError:
    return DocumentError(
        f"{source!r} is not an OpenAPI document: {found}",
        code="document_not_openapi",
        where=source,
        hint="Give an OpenAPI 3.0, 3.1 or 3.2 or Swagger 2.0 document",
    )


def _unsupported(text: str, source: str) -> DocumentError:
    return DocumentError(
        f"{source!r} is of version {clip(text, 40)!r}; 2.0, 3.0, 3.1 and 3.2 are read",
        code="document_version",
        where=source,
        hint="Convert it to OpenAPI 3.1 first",
    )
