"""Parameter Objects of OpenAPI 3.x: schema or content, style and explode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from thinkagent.documents.bundle import Schemas
from thinkagent.documents.content import read_examples
from thinkagent.documents.files import Files
from thinkagent.documents.gather import DeclaredParameter, Gathered
from thinkagent.documents.model import Location, Parameter, Schema
from thinkagent.documents.nodes import View
from thinkagent.values import clip

__all__ = ["assume_parameters", "read_parameter"]

_STYLES = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
}
"""Styles by location, the default first (OpenAPI 3.2, Parameter Object, "Style Values")."""


def read_parameter(declared: DeclaredParameter, files: Files, schemas: Schemas) -> Parameter:
    """Build one parameter; its location is one of the four that exist."""
    view = declared.view
    location = cast(Location, declared.location)
    style = _style(declared, files)
    explode = view.raw("explode")
    schema, content_type, media = _described(view, schemas)
    return Parameter(
        declared.name,
        location,
        location == "path" or view.raw("required") is True,
        schema,
        view.text("description"),
        style,
        explode if isinstance(explode, bool) else style in ("form", "cookie"),
        view.raw("allowReserved") is True,
        content_type,
        read_examples(view, files) + (read_examples(media, files) if media is not None else ()),
        view.raw("deprecated") is True,
        files.place(view.node),
    )


def _style(declared: DeclaredParameter, files: Files) -> str:
    stated = declared.view.raw("style")
    styles = _STYLES[declared.location]
    if stated is None or stated in styles:
        return stated or styles[0]
    node = declared.view.node
    message = f"the {declared.location} parameter {clip(declared.name, 80)!r} has the style {clip(str(stated), 40)!r}"
    files.findings.add(node.file, node.pointer, message, consequence=f"{styles[0]!r} is used")
    return styles[0]


def _described(view: View, schemas: Schemas) -> tuple[Schema, str, View | None]:
    """Give the schema of a parameter, and its media type where it is described by `content`."""
    schema = view.get("schema")
    if schema is not None:
        return schemas.bundle(schema), "", None
    content = view.get("content")
    for media_type, node in content.members() if content is not None else ():
        if isinstance(node.value, dict):
            media = View((node,))
            inner = media.get("schema")
            return (schemas.bundle(inner) if inner is not None else {}), media_type, media
    return {}, "", None


def assume_parameters(gathered: Gathered, built: Iterable[Parameter], pointer: str) -> list[Parameter]:
    """Make the path parameters that the path needs and nobody declared; each is a required text or as its twin."""
    by_pointer = {(item.name, item.location): item for item in built}
    assumed: list[Parameter] = []
    for name, twin in gathered.assumed.items():
        known = by_pointer.get((twin.name, cast(Location, twin.location))) if twin is not None else None
        schema: Schema = known.schema if known is not None else {"type": "string"}
        description = known.description if known is not None else ""
        examples = known.examples if known is not None else ()
        assumed.append(
            Parameter(name, "path", True, schema, description, "simple", False, examples=examples, pointer=pointer)
        )
    return assumed
