"""Small documents for tests, and what must hold for every bundled schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkagent.documents import Document, from_dict, load_bytes
from thinkagent.documents.model import Operation, Parameter, Schema

_LITERAL = ("enum", "const", "default", "examples")


def document(paths: Mapping[str, Any] | None = None, *, version: str = "3.1.0", **rest: Any) -> Document:
    """Make a document of a version, 2.0 included, with these paths and other fields."""
    key = "swagger" if version.startswith("2") else "openapi"
    return from_dict({key: version, "info": {"title": "t", "version": "1"}, "paths": paths or {}, **rest})


def from_yaml(text: str) -> Document:
    """Make a 3.0 document from the YAML of its fields below `info`."""
    return load_bytes(f"openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\n{text}".encode())


def operation(made: Document, number: int = 0) -> Operation:
    """Build one operation by its place in the index."""
    return made.operation(made.index[number])


def parameter(built: Operation, name: str) -> Parameter:
    """Give the only parameter of a name."""
    (found,) = [item for item in built.parameters if item.name == name]
    return found


def body_schema(schema: Mapping[str, Any], *, version: str = "3.1.0", **schemas: Any) -> Any:
    """Bundle a body's schema in a document with these component schemas."""
    post = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    made = document({"/x": {"post": post}}, version=version, components={"schemas": schemas})
    body = operation(made).request_body
    assert body is not None
    return body.content[0].schema


def messages(made: Document) -> list[str]:
    """Give the texts of all findings, everything built."""
    return [finding.message for finding in made.check()]


def references(schema: object) -> set[str]:
    """Collect the `$ref`s of a schema, its `$defs` left out."""
    found: set[str] = set()
    todo = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            if isinstance(item.get("$ref"), str):
                found.add(item["$ref"])
            for key, child in item.items():
                if key == "properties":
                    todo.extend(child.values())
                elif key not in (*_LITERAL, "$defs"):
                    todo.append(child)
    return found


def assert_bundled(schema: Schema | None) -> None:
    """Check that every reference resolves inside the schema and that no definition is carried for nothing."""
    if not isinstance(schema, Mapping):
        return
    definitions = schema.get("$defs", {})
    used: set[str] = set()
    todo: list[object] = [schema]
    while todo:
        for reference in references(todo.pop()):
            name = reference.removeprefix("#/$defs/")
            assert reference == f"#/$defs/{name}"
            assert name in definitions
            if name not in used:
                used.add(name)
                todo.append(definitions[name])
    assert used == set(definitions)


def schemas_of(built: Operation) -> list[Schema | None]:
    """Give every schema that an operation hands out."""
    found: list[Schema | None] = [item.schema for item in built.parameters]
    if built.request_body is not None:
        found.extend(item.schema for item in built.request_body.content)
    for response in built.responses:
        found.extend(item.schema for item in response.content)
        found.extend(response.headers.values())
    return found
