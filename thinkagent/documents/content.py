"""Media types, bodies and responses of OpenAPI 3.x."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from thinkagent.documents.bundle import Schemas
from thinkagent.documents.files import Files
from thinkagent.documents.model import Link, MediaType, RequestBody, Response, Schema
from thinkagent.documents.nodes import Node, View
from thinkagent.values import Json, clip

__all__ = ["BESIDE", "Blocked", "read_content", "read_examples", "read_headers", "read_links", "read_request_body"]

BESIDE = frozenset(("description", "summary"))
"""What counts beside the `$ref` of a Reference Object."""

_ENCODING = ("contentType", "style", "explode", "allowReserved")


class Blocked(Exception):
    """The operation cannot be offered; the text says why."""


def read_request_body(node: Node | None, files: Files, schemas: Schemas) -> RequestBody | None:
    """Read the body of an operation.

    Raises:
        Blocked: the body cannot be known, and so nobody can say what to send.
    """
    checked = check_request_body(node, files)
    if checked is None:
        return None
    content = read_content(checked.get("content"), files, schemas)
    return RequestBody(checked.raw("required") is True, content, checked.text("description"), files.place(checked.node))


def check_request_body(node: Node | None, files: Files) -> View | None:
    """Give the body's object where it has content; None where there is nothing to send; raises `Blocked`."""
    if node is None or node.value is None:
        return None
    view = files.view(node, only=BESIDE)
    if view is None or view.miss is not None:
        reason = str(view.miss) if view is not None and view.miss is not None else "'requestBody' is no object"
        raise Blocked(f"its body is not known: {reason}")
    content = view.raw("content")
    if isinstance(content, dict) and content:
        return view
    if view.raw("required") is True:
        raise Blocked("it requires a body, but the body has no media type in 'content'")
    files.findings.add(
        view.node.file, view.node.pointer, "the body has no media type in 'content'", consequence="no body is offered"
    )
    return None


def read_content(node: Node | None, files: Files, schemas: Schemas) -> tuple[MediaType, ...]:
    """Read a map of media types; what is no media type is left out with a finding."""
    found: list[MediaType] = []
    for name, member in node.members() if node is not None else ():
        view = files.view(member)
        if view is None or view.miss is not None:
            message = f"the media type {clip(name, 80)!r} cannot be used: {view.miss if view else 'it is no object'}"
            files.findings.add(member.file, member.pointer, message, consequence="its schema is not known")
            found.append(MediaType(name, None))
            continue
        found.append(
            MediaType(
                name, _schema_of(view, schemas), read_examples(view, files), _encoding(view.get("encoding"), files)
            )
        )
    return tuple(found)


def _schema_of(view: View, schemas: Schemas) -> Schema | None:
    schema, item = view.get("schema"), view.get("itemSchema")
    if schema is not None:
        return schemas.bundle(schema)
    if item is None:
        return None
    # OpenAPI 3.2, Media Type Object: a sequence is described as the array of its items.
    items = schemas.bundle(item)
    if isinstance(items, Mapping) and "$defs" in items:
        inner = {key: value for key, value in items.items() if key != "$defs"}
        return {"type": "array", "items": inner, "$defs": items["$defs"]}
    return {"type": "array", "items": items}


def _encoding(node: Node | None, files: Files) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, member in node.members() if node is not None else ():
        view = files.view(member)
        if view is not None:
            found[name] = {key: view.raw(key) for key in _ENCODING if isinstance(view.raw(key), str | bool)}
    return found


def read_examples(view: View, files: Files) -> tuple[Json, ...]:
    """Collect `example` and the values of `examples`, whose entries may be references."""
    found: list[Json] = []
    if view.get("example") is not None:
        found.append(view.raw("example"))
    examples = view.get("examples")
    if examples is None:
        return tuple(found)
    if isinstance(examples.value, list):
        return (*found, *examples.value)
    for _, member in examples.members():
        example = files.view(member)
        if example is not None and example.miss is None:
            for key in ("value", "dataValue"):
                if example.get(key) is not None:
                    found.append(example.raw(key))
                    break
    return tuple(found)


def read_headers(node: Node | None, files: Files, schemas: Schemas) -> dict[str, Schema]:
    """Read response headers as schemas; a description of the header becomes the schema's where it has none."""
    found: dict[str, Schema] = {}
    for name, member in node.members() if node is not None else ():
        view = files.view(member, only=BESIDE)
        if view is None or view.miss is not None:
            found[name] = {}
            continue
        schema = _header_schema(view, schemas)
        description = view.text("description")
        if description and isinstance(schema, Mapping) and "description" not in schema:
            schema = {**schema, "description": description}
        found[name] = schema
    return found


def _header_schema(view: View, schemas: Schemas) -> Schema:
    schema = view.get("schema")
    if schema is not None:
        return schemas.bundle(schema)
    content = view.get("content")
    for _, member in content.members() if content is not None else ():
        if isinstance(member.value, dict) and "schema" in member.value:
            return schemas.bundle(member.child("schema"))
    return {}


def read_links(node: Node | None, files: Files) -> tuple[Link, ...]:
    """Read the links of a response; those without a target are left out."""
    return tuple(_links(node, files)) if node is not None else ()


def _links(node: Node, files: Files) -> Iterator[Link]:
    for name, member in node.members():
        view = files.view(member, only=BESIDE)
        target = (view.text("operationId") or view.text("operationRef")) if view is not None else ""
        if view is None or not target:
            reason = view.miss if view is not None and view.miss is not None else "it names no operation"
            files.findings.add(member.file, member.pointer, f"the link {clip(name, 80)!r} leads nowhere: {reason}")
            continue
        parameters = view.raw("parameters")
        yield Link(name, target, parameters if isinstance(parameters, dict) else {})


def read_responses(node: Node | None, files: Files, schemas: Schemas) -> tuple[Response, ...]:
    """Read the responses of an operation."""
    return tuple(
        Response(
            status,
            view.text("description") or view.text("summary"),
            read_content(view.get("content"), files, schemas),
            read_headers(view.get("headers"), files, schemas),
            read_links(view.get("links"), files),
        )
        for status, view in response_views(node, files)
    )


def response_views(node: Node | None, files: Files) -> Iterator[tuple[str, View]]:
    """Give (status, object) of each response; `4xx` counts as `4XX`, a reference to nothing says nothing."""
    if node is None:
        return
    if not isinstance(node.value, dict):
        files.findings.add(node.file, node.pointer, "'responses' is no object", consequence="no answer is described")
        return
    for key, member in node.members():
        status = key if key == "default" else key.upper()
        if key.startswith("x-"):
            continue
        if not _is_status(status):
            files.findings.add(member.file, member.pointer, f"{clip(key, 40)!r} is no status code")
            continue
        view = files.view(member, only=BESIDE)
        if view is None or view.miss is not None:
            reason = view.miss if view is not None and view.miss is not None else "it is no object"
            message = f"the response {key!r} is not known: {reason}"
            files.findings.add(member.file, member.pointer, message, consequence="that answer is not described")
        if view is not None:
            yield status, view


def _is_status(status: str) -> bool:
    return status == "default" or re.fullmatch(r"[1-5](?:XX|[0-9]{2})", status) is not None
