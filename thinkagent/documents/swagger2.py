"""Parameters, bodies and responses of Swagger 2.0 in the words of OpenAPI 3.x."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from thinkagent.documents.bundle import Schemas
from thinkagent.documents.content import response_views
from thinkagent.documents.files import Files
from thinkagent.documents.gather import DeclaredParameter
from thinkagent.documents.model import Location, MediaType, Parameter, RequestBody, Response, Schema
from thinkagent.documents.nodes import Node, View
from thinkagent.values import Json, clip

__all__ = ["read_parameter_v2", "read_request_body_v2", "read_responses_v2"]

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_NOT_SCHEMA = frozenset(("name", "in", "required", "description", "allowEmptyValue", "collectionFormat", "$ref"))
_SEPARATORS = {"csv": "commas", "ssv": "blanks", "tsv": "tab characters", "pipes": "'|'"}
_QUERY_STYLES = {"csv": "form", "ssv": "spaceDelimited", "pipes": "pipeDelimited", "multi": "form"}


class _Array(NamedTuple):
    """How a parameter that may be an array is written."""

    style: str
    explode: bool
    is_joined_by_hand: bool = False
    """No style of 3.x writes it: the caller gives one text."""


def read_parameter_v2(declared: DeclaredParameter, files: Files, schemas: Schemas) -> Parameter:
    """Build a path, query or header parameter."""
    view = declared.view
    location = cast(Location, declared.location)
    array = _array(declared, files)
    return Parameter(
        declared.name,
        location,
        location == "path" or view.raw("required") is True,
        _schema(declared, array, schemas),
        view.text("description"),
        array.style,
        array.explode,
        examples=(view.raw("x-example"),) if view.get("x-example") is not None else (),
        deprecated=view.raw("deprecated") is True or view.raw("x-deprecated") is True,
        pointer=files.place(view.node),
    )


def _array(declared: DeclaredParameter, files: Files) -> _Array:
    """Translate `collectionFormat`; where no style of 3.x fits, the parameter becomes a text with a finding."""
    view = declared.view
    in_query = declared.location in ("query", "formData")
    default = _Array("form" if in_query else "simple", False)
    if view.raw("type") != "array":
        return default._replace(explode=in_query)
    stated = view.raw("collectionFormat") or "csv"
    node = view.node
    if stated == "multi" and in_query:
        return _Array("form", True)
    if stated == "csv":
        return default
    if in_query and stated in _QUERY_STYLES:
        return _Array(_QUERY_STYLES[stated], False)
    if stated in _SEPARATORS:
        message = f"the parameter {clip(declared.name, 80)!r} joins its values by {_SEPARATORS[stated]}"
        files.findings.add(node.file, node.pointer, message, consequence="it is one text, to be joined by the caller")
        return default._replace(is_joined_by_hand=True)
    message = f"the parameter {clip(declared.name, 80)!r} has the collectionFormat {clip(str(stated), 40)!r}"
    files.findings.add(node.file, node.pointer, message, consequence="its values are joined by commas")
    return default


def _schema(declared: DeclaredParameter, array: _Array, schemas: Schemas) -> Schema:
    if array.is_joined_by_hand:
        separator = _SEPARATORS[declared.view.raw("collectionFormat")]
        return {"type": "string", "description": f"Values joined by {separator}"}
    return schemas.bundle(_schema_node(declared.view))


def _schema_node(view: View) -> Node:
    """Give the keywords of a parameter that describe its value, as if they were a schema."""
    nested = view.get("schema")
    if nested is not None and "type" not in view.node.value:
        return nested
    return view.node._replace(value={key: item for key, item in view.node.value.items() if key not in _NOT_SCHEMA})


def read_request_body_v2(
    parameters: Iterable[DeclaredParameter], operation: View, document: View, files: Files, schemas: Schemas
) -> RequestBody | None:
    """Build the body from the `body` parameter, or from the `formData` parameters; None where there are none."""
    listed = list(parameters)
    bodies = [item for item in listed if item.location == "body"]
    fields = [item for item in listed if item.location == "formData"]
    consumes = _media_types("consumes", operation, document)
    node = operation.node
    if bodies:
        if len(bodies) > 1 or fields:
            message = "the operation has more than one body" if len(bodies) > 1 else "the operation has body and form"
            files.findings.add(node.file, node.pointer, message, consequence=f"{bodies[-1].name!r} is the body")
        return _plain_body(bodies[-1].view, consumes, files, schemas)
    if fields:
        return _form_body(fields, consumes, operation, files, schemas)
    return None


def _plain_body(view: View, consumes: tuple[str, ...], files: Files, schemas: Schemas) -> RequestBody:
    node = view.get("schema")
    schema = schemas.bundle(node) if node is not None else None
    examples = _examples_by_media(view.raw("x-examples") or view.raw("examples"))
    content = tuple(MediaType(media, schema, examples.get(media, ())) for media in consumes or (_JSON,))
    return RequestBody(view.raw("required") is True, content, view.text("description"), files.place(view.node))


def _form_body(
    fields: list[DeclaredParameter], consumes: tuple[str, ...], operation: View, files: Files, schemas: Schemas
) -> RequestBody:
    has_file = any(item.view.raw("type") == "file" for item in fields)
    forms = tuple(media for media in consumes if media.partition(";")[0].strip().lower() in (_FORM, _MULTIPART))
    if has_file:
        forms = tuple(media for media in forms if media.lower().startswith(_MULTIPART)) or (_MULTIPART,)
    properties: dict[str, Json] = {}
    definitions: dict[str, Json] = {}
    encoding: dict[str, Any] = {}
    for item in fields:
        array = _array(item, files)
        schema = _schema(item, array, schemas)
        if isinstance(schema, Mapping):
            definitions.update(schema.get("$defs", {}))
            schema = {key: value for key, value in schema.items() if key != "$defs"}
            if item.view.text("description"):
                schema["description"] = item.view.text("description")
        properties[item.name] = schema
        if item.view.raw("type") == "array" and not array.is_joined_by_hand:
            encoding[item.name] = {"style": array.style, "explode": array.explode}
    required = [item.name for item in fields if item.view.raw("required") is True]
    body: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        body["required"] = required
    if definitions:
        body["$defs"] = definitions
    content = tuple(MediaType(media, body, encoding=encoding) for media in forms or (_FORM,))
    return RequestBody(bool(required), content, pointer=f"{files.place(operation.node)}/parameters")


def _media_types(key: str, operation: View, document: View) -> tuple[str, ...]:
    for holder in (operation, document):
        value = holder.raw(key)
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list):
            return tuple(dict.fromkeys(item for item in value if isinstance(item, str)))
    return ()


def read_responses_v2(operation: View, document: View, files: Files, schemas: Schemas) -> tuple[Response, ...]:
    """Build the responses; their content is that of `produces`."""
    produces = _media_types("produces", operation, document)
    found: list[Response] = []
    for status, view in response_views(operation.get("responses"), files):
        headers = view.get("headers")
        found.append(
            Response(
                status,
                view.text("description"),
                _response_content(view, produces, schemas),
                {name: schemas.bundle(_header_node(node)) for name, node in headers.members()} if headers else {},
            )
        )
    return tuple(found)


def _header_node(node: Node) -> Node:
    value = node.value
    if not isinstance(value, dict):
        return node._replace(value={})
    return node._replace(value={key: item for key, item in value.items() if key != "collectionFormat"})


def _response_content(view: View, produces: tuple[str, ...], schemas: Schemas) -> tuple[MediaType, ...]:
    node = view.get("schema")
    examples = _examples_by_media(view.raw("examples"))
    if node is None and not examples:
        return ()
    is_file = isinstance(node.value, dict) and node.value.get("type") == "file" if node is not None else False
    schema = schemas.bundle(node) if node is not None else None
    media_types = produces or (("application/octet-stream",) if is_file else tuple(examples) or (_JSON,))
    return tuple(MediaType(media, schema, examples.get(media, ())) for media in media_types)


def _examples_by_media(value: Json) -> dict[str, tuple[Json, ...]]:
    return {media: (example,) for media, example in value.items()} if isinstance(value, dict) else {}
