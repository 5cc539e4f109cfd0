"""Small documents for tests of tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thinkagent.documents import Document, from_dict
from thinkagent.tools import Tool, Toolset, build_tools

OK = {"200": {"description": "fine"}}


def document(paths: Mapping[str, Any], *, version: str = "3.1.0", **members: Any) -> Document:
    """Make a document of these paths; `components` and the like as further members."""
    return from_dict({"openapi": version, "info": {"title": "t", "version": "1"}, "paths": paths, **members})


def operation(operation_id: str = "", **members: Any) -> dict[str, Any]:
    """Make an operation that answers 200."""
    named = {"operationId": operation_id} if operation_id else {}
    return {**named, "responses": OK, **members}


def body(schema: Any, media_type: str = "application/json", *, required: bool = True, **media: Any) -> dict[str, Any]:
    """Make a request body of one media type."""
    return {"required": required, "content": {media_type: {"schema": schema, **media}}}


def answer(schema: Any, **media: Any) -> dict[str, Any]:
    """Make responses whose 200 is JSON of this schema."""
    return {"200": {"description": "fine", "content": {"application/json": {"schema": schema, **media}}}}


def only_tool(**members: Any) -> Tool:
    """Make a document with one POST operation of these members, and give its tool."""
    kinds = {key: members.pop(key) for key in ("components", "version", "path") if key in members}
    path = kinds.pop("path", "/x")
    tools = build_tools(document({path: {"post": operation("op", **members)}}, **kinds))
    return tools["op"]


def toolset(paths: Mapping[str, Any], **members: Any) -> Toolset:
    return build_tools(document(paths, **members))


def body_tool(schema: Any, **schemas: Any) -> Tool:
    """Give a tool whose body has this schema."""
    return only_tool(requestBody=body(schema), components={"schemas": schemas})


def references(value: object) -> Iterator[str]:
    """Walk every `$ref` of a value."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def names_in(value: object) -> set[str]:
    """Collect the names of all properties declared anywhere in a schema."""
    found: set[str] = set()
    if isinstance(value, dict):
        properties = value.get("properties")
        if isinstance(properties, dict):
            found |= set(properties)
        for item in value.values():
            found |= names_in(item)
    elif isinstance(value, list):
        for item in value:
            found |= names_in(item)
    return found
