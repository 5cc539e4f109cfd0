"""Values with the place where they stand, and objects seen through their references."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

from thinkagent.values import clip

__all__ = ["ADDRESS", "LITERAL", "NAMED", "Miss", "Node", "View", "join"]

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""The beginning of an absolute address."""

LITERAL = frozenset(
    ("example", "default", "enum", "const", "value", "dataValue", "mapping", "required", "x-example", "externalValue")
)
"""Keywords whose values are data: a `$ref` in there is none."""

NAMED = frozenset(
    [
        "properties",
        "patternProperties",
        "dependentSchemas",
        "$defs",
        "definitions",
        "schemas",
        "responses",
        "parameters",
        "headers",
        "callbacks",
        "links",
        "examples",
        "requestBodies",
        "securitySchemes",
        "pathItems",
        "paths",
        "webhooks",
        "encoding",
        "content",
        "mediaTypes",
        "securityDefinitions",
        "additionalOperations",
    ]
)
"""Keywords whose children are named by the author: a child called `default` is no keyword there."""


class Node(NamedTuple):
    """A value inside a file."""

    value: Any
    file: str
    pointer: str
    base: str
    """What relative references are relative to: the file's name, or what `$id`s around made of it."""

    def child(self, key: str | int) -> Node:
        """Step to a member or item that is there."""
        value = self.value[key]
        token = key.replace("~", "~0").replace("/", "~1") if isinstance(key, str) else key
        base = self.base
        if isinstance(value, dict) and isinstance(value.get("$id"), str):
            base = join(base, value["$id"]).partition("#")[0]
        return Node(value, self.file, f"{self.pointer}/{token}", base)

    def members(self) -> Iterator[tuple[str, Node]]:
        """Give the members of an object, none for anything else."""
        if isinstance(self.value, dict):
            for key in self.value:
                yield key, self.child(key)

    def items(self) -> Iterator[Node]:
        """Give the items of a list, none for anything else."""
        if isinstance(self.value, list):
            for index in range(len(self.value)):
                yield self.child(index)


@dataclass(frozen=True, slots=True)
class Miss:
    """A reference that leads to nothing that can be used."""

    reference: str
    reason: str
    """Completes a sentence: `leads nowhere`, `leads to the network, and nothing is fetched`."""
    at: Node
    is_remote: bool = False
    """Whether it leads out of the document's folder or to the network, where nothing is known."""

    def __str__(self) -> str:
        return f"the reference {clip(self.reference, 200)!r} {self.reason}"


class View:
    """An object with its reference followed; `miss` says where the chain of references broke."""

    __slots__ = ("layers", "miss")

    def __init__(self, layers: tuple[Node, ...], miss: Miss | None = None) -> None:
        self.layers = layers
        self.miss = miss

    @property
    def node(self) -> Node:
        """Where the object itself stands, behind all references."""
        return self.layers[-1]

    def get(self, key: str) -> Node | None:
        for layer in self.layers:
            if key in layer.value:
                return layer.child(key)
        return None

    def raw(self, key: str) -> Any:
        """Give a member's value; None where there is none."""
        for layer in self.layers:
            if key in layer.value:
                return layer.value[key]
        return None

    def text(self, key: str) -> str:
        """Give a member that is text; empty for anything else."""
        value = self.raw(key)
        return value if isinstance(value, str) else ""

    def names(self) -> list[str]:
        """Name the members, those of the object itself first."""
        names: dict[str, None] = {}
        for layer in reversed(self.layers):
            names.update(dict.fromkeys(layer.value))
        if len(self.layers) > 1:
            names.pop("$ref", None)
        return list(names)

    def members(self) -> Iterator[tuple[str, Node]]:
        for key in self.names():
            node = self.get(key)
            if node is not None:
                yield key, node


def join(base: str, reference: str) -> str:
    """Resolve the part of a reference before `#`; file names stay relative, addresses absolute."""
    if not reference or ADDRESS.match(reference) or reference.startswith("//"):
        return reference or base
    if ADDRESS.match(base):
        return urljoin(base, reference)
    path = unquote(reference.partition("?")[0]).replace("\\", "/")
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(base), path))
    return joined + "/" if path.endswith("/") else joined
