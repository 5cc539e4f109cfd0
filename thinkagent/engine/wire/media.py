"""Media types (RFC 9110, section 8.3): which are JSON, which are text, which charset."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["charset_of", "essence", "header", "is_form", "is_json", "is_json_lines", "is_text", "is_wildcard"]

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s;"']+)""", re.IGNORECASE)

_JSON = ("application/json", "text/json", "text/x-json", "application/x-json")
_LINES = (
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonl",
    "application/jsonlines",
    "application/x-jsonlines",
    "application/json-lines",
    "application/json-seq",
    "application/stream+json",
)
_TEXT = (
    "application/xml",
    "application/yaml",
    "application/x-yaml",
    "application/javascript",
    "application/ecmascript",
    "application/x-www-form-urlencoded",
    "application/graphql",
    "application/toml",
    "application/sql",
    "image/svg+xml",
)


def essence(content_type: str) -> str:
    """Give the media type alone, in lower case, without parameters."""
    return content_type.partition(";")[0].strip().lower()


def is_json(content_type: str) -> bool:
    """Say whether it is JSON: the type itself, its old names, and every `+json`."""
    kind = essence(content_type)
    return kind in _JSON or (kind.endswith("+json") and kind not in _LINES)


def is_json_lines(content_type: str) -> bool:
    """Say whether it is one JSON value a line."""
    return essence(content_type) in _LINES


def is_form(content_type: str) -> bool:
    return essence(content_type) == "application/x-www-form-urlencoded"


def is_wildcard(content_type: str) -> bool:
    """Say whether it names no concrete type: nothing, `*/*`, `application/*`."""
    return "*" in essence(content_type) or "/" not in content_type


def is_text(content_type: str) -> bool:
    """Say whether a body of this type is to be read as text."""
    kind = essence(content_type)
    return kind.startswith("text/") or kind in _TEXT or kind.endswith(("+xml", "+yaml")) or is_json_lines(kind)


def charset_of(content_type: str) -> str:
    """Give the charset parameter, or nothing."""
    found = _CHARSET.search(content_type)
    return found[1] if found else ""


def header(headers: Iterable[tuple[str, object]], name: str) -> object | None:
    """Give the first header of that name, whatever its case; None where there is none."""
    folded = name.lower()
    return next((value for key, value in headers if key.lower() == folded), None)
