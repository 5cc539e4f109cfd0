"""The shop's OpenAPI document: what the shop serves, and what it checks every request against."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from thinkagent.values import resolve_pointer

__all__ = ["DOCUMENT_PATH", "Operation", "document", "operations", "standalone"]

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def _document_path() -> Path:
    installed = Path(__file__).with_name("shop.yaml")
    return installed if installed.exists() else Path(__file__).parents[2] / "specs" / "shop.yaml"


DOCUMENT_PATH = _document_path()
"""Beside this file when installed, in the checkout's specs/ otherwise."""


class _Loader(yaml.CSafeLoader):
    """YAML whose decimals are exact and whose dates stay text."""


_Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: Decimal(node.value))
_Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)


@cache
def document() -> Mapping[str, Any]:
    """Read the document as it is checked in; its only server is a placeholder."""
    loaded: Mapping[str, Any] = yaml.load(DOCUMENT_PATH.read_text(encoding="utf-8"), _Loader)
    return loaded


@dataclass(frozen=True, slots=True)
class Operation:
    """What the shop needs of an operation to find and check its requests."""

    operation_id: str
    method: str
    path: str
    pattern: re.Pattern[str]
    """Matches a request's path, each placeholder a named group of one undecoded segment."""
    is_public: bool
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Query parameters by name, each a schema with its `$ref` resolved."""
    body: Mapping[str, Any] | None = None
    """The schema of the JSON body; None where the operation takes none."""


@cache
def operations() -> tuple[Operation, ...]:
    """Give every operation of the document, in its order."""
    return tuple(
        _operation(path, method, item, item[method])
        for path, item in document()["paths"].items()
        for method in _METHODS
        if method in item
    )


def _operation(path: str, method: str, item: Mapping[str, Any], operation: Mapping[str, Any]) -> Operation:
    parameters = [_resolved(parameter) for parameter in (*item.get("parameters", ()), *operation.get("parameters", ()))]
    content = operation.get("requestBody", {}).get("content", {})
    return Operation(
        operation_id=operation["operationId"],
        method=method.upper(),
        path=path,
        pattern=re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path))),
        is_public=operation.get("security") == [],
        parameters={p["name"]: _resolved(p["schema"]) for p in parameters if p["in"] == "query"},
        body=content["application/json"]["schema"] if content else None,
    )


def _resolved(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a `$ref` of this document that has no siblings."""
    if "$ref" in value:
        target: Mapping[str, Any] = resolve_pointer(document(), value["$ref"].removeprefix("#"))
        return _resolved(target)
    return value


def standalone(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a schema of the document together with the schemas that its `$ref` may name."""
    return {**schema, "components": {"schemas": document()["components"]["schemas"]}}
