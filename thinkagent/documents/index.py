"""The operations of a document, found without building anything of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from thinkagent.documents.files import Files
from thinkagent.documents.nodes import Node, View
from thinkagent.documents.version import Dialect
from thinkagent.values import clip, join_pointer

__all__ = ["FoundOperation", "OperationEntry", "find_operations", "find_webhooks", "method_keys", "operations_of"]

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_FIELDS = frozenset(("parameters", "summary", "description", "servers", "$ref", "additionalOperations"))


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """What is known of an operation before it is built."""

    method: str
    """In upper case."""
    path: str
    """The key of `paths` as written."""
    operation_id: str
    """Empty where the document has none."""
    pointer: str
    """Into the entry document, with a leading `#`, also where the operation stands behind a reference."""
    tags: tuple[str, ...] = ()
    summary: str = ""
    deprecated: bool = False


class FoundOperation(NamedTuple):
    entry: OperationEntry
    operation: View
    item: View
    """The path item."""
    is_reference: bool
    """Whether the operation is itself a `$ref`."""


def method_keys(dialect: Dialect) -> tuple[str, ...]:
    """Give the keys of a path item that are operations."""
    if dialect == "2.0":
        return _METHODS
    return (*_METHODS, "trace", "query") if dialect == "3.2" else (*_METHODS, "trace")


def find_operations(root: View, dialect: Dialect, files: Files) -> list[FoundOperation]:
    """Walk `paths`; what cannot be an operation becomes a finding."""
    paths = root.get("paths")
    view = files.view(paths) if paths is not None else None
    if view is None:
        if dialect in ("2.0", "3.0") or paths is not None:
            files.findings.add(root.node.file, "/paths", "'paths' is missing or no object", consequence="no operations")
        return []
    if view.miss is not None:
        files.findings.add(files.entry, "/paths", str(view.miss), severity="error", consequence="operations are lost")
    found: list[FoundOperation] = []
    for path, node in view.members():
        if not path.startswith("x-"):
            item = _path_item(path, node, files)
            if item is not None:
                found.extend(_entries(path, item, dialect, files))
    return found


def find_webhooks(root: View, dialect: Dialect, files: Files) -> int:
    """Count the operations below `webhooks`; they are the API's calls to others and nothing to offer."""
    count = 0
    webhooks = root.get("webhooks")
    for _, node in webhooks.members() if webhooks is not None else ():
        item = files.view(node)
        count += sum(1 for _ in operations_of(item, dialect, files)) if item is not None else 0
    return count


def operations_of(item: View, dialect: Dialect, files: Files) -> Iterator[tuple[str, str, View, bool]]:
    """Give (key, pointer inside the path item, operation, is a reference) of each operation of a path item."""
    nodes = [(key, f"/{key}", item.get(key)) for key in method_keys(dialect)]
    additional = item.get("additionalOperations") if dialect == "3.2" else None
    for name, member in additional.members() if additional is not None else ():
        nodes.append((name, join_pointer(("additionalOperations", name)), member))
    for key, pointer, node in nodes:
        if node is not None and isinstance(node.value, dict):
            view = files.view(node)
            if view is not None:
                yield key, pointer, view, isinstance(node.value.get("$ref"), str)


def _path_item(path: str, node: Node, files: Files) -> View | None:
    item = files.view(node)
    if item is None:
        files.findings.add(node.file, node.pointer, f"the path {clip(path, 120)!r} holds no object")
        return None
    if item.miss is not None:
        message = f"the path {clip(path, 120)!r} cannot be used: {item.miss}"
        files.findings.add(
            node.file, node.pointer, message, severity="error", consequence="its operations are not known"
        )
    if not path.startswith("/"):
        files.findings.add(node.file, node.pointer, f"the path {clip(path, 120)!r} does not begin with '/'")
    return item


def _entries(path: str, item: View, dialect: Dialect, files: Files) -> Iterator[FoundOperation]:
    _note_unusual_keys(path, item, dialect, files)
    for key, pointer, operation, is_reference in operations_of(item, dialect, files):
        tags = operation.raw("tags")
        entry = OperationEntry(
            key.upper(),
            path,
            operation.text("operationId"),
            f"#{join_pointer(('paths', path))}{pointer}",
            tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
            operation.text("summary") or item.text("summary"),
            operation.raw("deprecated") is True,
        )
        yield FoundOperation(entry, operation, item, is_reference)


def _note_unusual_keys(path: str, item: View, dialect: Dialect, files: Files) -> None:
    methods = method_keys(dialect)
    for key in item.names():
        value = item.raw(key)
        if key in methods:
            if not isinstance(value, dict):
                message = f"{key!r} of {clip(path, 120)!r} is no object"
                files.findings.add(item.node.file, item.node.pointer, message, consequence="it is no operation")
        elif is_unusual_method(key, methods):
            message = f"{key!r} of {clip(path, 120)!r} is no method of OpenAPI {dialect}"
            files.findings.add(item.node.file, item.node.pointer, message, consequence="it is no operation")


def is_unusual_method(key: str, methods: tuple[str, ...]) -> bool:
    """Whether a key of a path item would be a method in another case or version."""
    return key not in methods and key not in _FIELDS and key.lower() in (*_METHODS, "trace", "query")
