"""The text of one file to its value: JSON where it is JSON, YAML otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkagent.documents.decode import decode
from thinkagent.documents.yaml_core import read_yaml
from thinkagent.errors import DocumentError
from thinkagent.values import Json, JsonError, read_json, visible

__all__ = ["Parsed", "parse"]

MAX_DEPTH = 500
"""Documents that nest deeper are refused: nobody writes such, and much that walks them recurses."""


@dataclass(slots=True)
class Parsed:
    value: Json
    encoding: str
    """As in `Decoded.encoding`."""
    syntax: str
    """`json` or `yaml`."""
    repeated: list[str] = field(default_factory=list)
    """Keys that came again in the same mapping."""
    circular: list[str] = field(default_factory=list)
    more_documents: bool = False


def parse(data: bytes, source: str) -> Parsed:
    """Read the bytes of a file; `source` names it in errors.

    Raises:
        DocumentError: empty, no text, HTML or XML, or neither JSON nor YAML (with line and column).
    """
    try:
        text, encoding = decode(data)
    except ValueError as error:
        raise DocumentError(
            f"{source!r} is no text: it is neither UTF-8, UTF-16 nor Windows-1252",
            code="document_not_text",
            where=source,
            hint="Give an OpenAPI document as JSON or YAML",
        ) from error
    start = text.lstrip()[:9].lower()
    if not start:
        raise DocumentError(
            f"{source!r} is empty", code="document_empty", where=source, hint="Give an OpenAPI document as JSON or YAML"
        )
    if start.startswith("<"):
        what = "an HTML page" if start.startswith(("<!doctype", "<html")) else "XML or HTML"
        raise DocumentError(
            f"{source!r} is {what}, not JSON or YAML",
            code="document_not_openapi",
            where=source,
            hint="Give the address of the OpenAPI document itself, often /openapi.json or /swagger.json",
        )
    return _parse_text(text, encoding, source)


def _parse_text(text: str, encoding: str, source: str) -> Parsed:
    looks_like_json = text.lstrip()[:1] in ("{", "[")
    json_error: JsonError | None = None
    if looks_like_json:
        repeated: list[str] = []
        try:
            value = read_json(text, on_duplicate=repeated.append, max_depth=MAX_DEPTH)
            return Parsed(value, encoding, "json", repeated)
        except JsonError as error:
            json_error = error
        except ArithmeticError as error:
            json_error = JsonError(f"a number is out of range ({type(error).__name__})")
    try:
        found = read_yaml(text, max_depth=MAX_DEPTH)
    except JsonError as error:
        raise _syntax_error(json_error or error, "JSON" if json_error else "YAML", source) from error
    return Parsed(found.value, encoding, "yaml", found.repeated, found.circular, found.more_documents)


def _syntax_error(error: JsonError, syntax: str, source: str) -> DocumentError:
    place = f"{source}, line {error.line}, column {error.column}" if error.line else source
    at = f" at line {error.line}, column {error.column}" if error.line else ""
    return DocumentError(
        f"{source!r} is not valid {syntax}{at}: {visible(str(error), newlines=False)}",
        code="document_syntax",
        where=place,
        hint=f"Correct the {syntax} there" if error.line else "",
    )
