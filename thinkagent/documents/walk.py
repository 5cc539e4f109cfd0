"""Every reference of a document, followed once: what dangles, and which other files there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from thinkagent.documents.files import Files
from thinkagent.documents.nodes import LITERAL, NAMED, Miss, Node

__all__ = ["References", "cyclic_schemas", "walk_references"]


@dataclass(slots=True)
class References:
    """What the references of a document lead to; each occurrence counts once."""

    total: int = 0
    remote: list[Miss] = field(default_factory=list)
    dangling: list[Miss] = field(default_factory=list)
    largest_enum: int = 0
    longest_description: int = 0


def walk_references(files: Files) -> References:
    """Follow every `$ref` that the entry document reaches; reads the files that are named, unless they are sealed.

    References are taken by the letter. Examples, defaults, enumerations and `x-` extensions are data and are not
    searched.
    """
    found = References()
    keywords = ("$ref", "$dynamicRef") if files.reads_ids else ("$ref",)
    todo: list[tuple[Node, str]] = [(files.root, "")]
    seen: set[int] = set()
    while todo:
        node, key = todo.pop()
        if id(node.value) in seen:
            continue
        seen.add(id(node.value))
        if isinstance(node.value, list):
            todo.extend((child, "") for child in node.items() if isinstance(child.value, dict | list))
        elif isinstance(node.value, dict):
            is_named = key in NAMED
            if not is_named:
                _measure(node.value, found)
            todo.extend((target, "") for target in _targets(node, keywords, files, found))
            todo.extend(_children(node, is_named))
    return found


def _measure(value: dict[str, object], found: References) -> None:
    enum, description = value.get("enum"), value.get("description")
    if isinstance(enum, list):
        found.largest_enum = max(found.largest_enum, len(enum))
    if isinstance(description, str):
        found.longest_description = max(found.longest_description, len(description))


def _targets(node: Node, keywords: tuple[str, ...], files: Files, found: References) -> Iterator[Node]:
    for keyword in keywords:
        reference = node.value.get(keyword)
        if isinstance(reference, str):
            found.total += 1
            target = files.find(reference, node, by_the_letter=True)
            if isinstance(target, Node):
                yield target
            elif target.is_remote:
                found.remote.append(target)
            else:
                found.dangling.append(target)


def _children(node: Node, is_named: bool) -> Iterator[tuple[Node, str]]:
    for key, value in node.value.items():
        if not isinstance(value, dict | list):
            continue
        if not is_named and (key in LITERAL or key.startswith("x-") or (key == "examples" and isinstance(value, list))):
            continue
        yield node.child(key), "" if is_named else key


def cyclic_schemas(schemas: dict[str, Node], files: Files) -> int:
    """Count the component schemas that lie on a cycle of references among themselves."""
    homes = {(node.file, node.pointer): name for name, node in schemas.items()}
    graph = {name: _neighbours(node, homes, files) for name, node in schemas.items()}
    return sum(len(group) for group in _components(graph) if len(group) > 1 or group[0] in graph[group[0]])


def _neighbours(node: Node, homes: dict[tuple[str, str], str], files: Files) -> list[str]:
    found: dict[str, None] = {}
    todo, seen = [node], set[int]()
    while todo:
        current = todo.pop()
        value = current.value
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            reference = value.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/"):
                name = _home(files.find(reference, current), homes)
                if name is not None:
                    found[name] = None
        for key, child in _pairs(value):
            is_data = isinstance(key, str) and (key.startswith("x-") or key in ("example", "mapping"))
            if isinstance(child, dict | list) and not is_data:
                todo.append(current.child(key))
    return list(found)


def _pairs(value: object) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _home(target: Node | Miss, homes: dict[tuple[str, str], str]) -> str | None:
    """Name the component schema in which a reference's target lies."""
    if isinstance(target, Miss):
        return None
    pointer = target.pointer
    while pointer:
        if (target.file, pointer) in homes:
            return homes[target.file, pointer]
        pointer = pointer.rpartition("/")[0]
    return None


def _components(graph: dict[str, list[str]]) -> Iterator[list[str]]:
    """Give the strongly connected components (Tarjan, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for start in graph:
        if start in order:
            continue
        work = [(start, iter(graph[start]))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            name, rest = work[-1]
            step = next(rest, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    cut = path.index(name)
                    group, path = path[cut:], path[:cut]
                    on_path.difference_update(group)
                    yield group
            elif step not in order:
                order[step] = low[step] = len(order)
                path.append(step)
                on_path.add(step)
                work.append((step, iter(graph[step])))
            elif step in on_path:
                low[name] = min(low[name], order[step])
