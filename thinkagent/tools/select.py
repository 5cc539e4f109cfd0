"""Which operations a user means by a tag, a path, a method or a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from thinkagent.documents import OperationEntry
from thinkagent.errors import UsageError, list_names, nearest

__all__ = ["Selection"]

_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "POST", "PATCH", "DELETE"})


class Selection:
    """Reads patterns against operations, given by tool name; `homes` names the document of each."""

    def __init__(self, operations: Mapping[str, OperationEntry], homes: Mapping[str, str]) -> None:
        self._operations = operations
        self._homes = homes

    def choose(self, include: Sequence[str], exclude: Sequence[str]) -> frozenset[str]:
        """Give the names of what is included and not excluded.

        Raises:
            UsageError: a pattern fits nothing, or nothing is left.
        """
        chosen = self._matching(include, "--include") if include else frozenset(self._operations)
        left = chosen - self._matching(exclude, "--exclude")
        if self._operations and not left:
            whose = "document's" if len(set(self._homes.values())) == 1 else "documents'"
            raise UsageError(
                f"none of the {whose} {len(self._operations)} operations is left",
                code="nothing_left",
                where="--include, --exclude",
                hint="Widen --include or leave out an --exclude",
            )
        return left

    def names_of(self, names: Iterable[str], *, option: str) -> frozenset[str]:
        """Give the tool names of operations that are named one by one, by operationId or tool name.

        Raises:
            UsageError: there is none of a name, or there are some in several documents.
        """
        found: set[str] = set()
        for name in names:
            meant = {tool for tool, entry in self._operations.items() if name in (tool, entry.operation_id)}
            if not meant:
                raise self._unknown(name, self._names(), "operation is called", option)
            if len({self._homes[tool] for tool in meant}) > 1:
                raise UsageError(
                    f"{name!r} is an operation of several documents",
                    code="ambiguous_operation",
                    where=option,
                    hint=f"Name one tool: {list_names(sorted(meant))}",
                )
            found |= meant
        return frozenset(found)

    def _matching(self, patterns: Iterable[str], option: str) -> frozenset[str]:
        found: set[str] = set()
        for pattern in patterns:
            matching = {name for name, entry in self._operations.items() if _fits(pattern, name, entry)}
            if not matching and pattern.upper() not in _METHODS:
                raise self._unknown(pattern, self._words(), "operation has the tag, path, method or name", option)
            found |= matching
        return frozenset(found)

    def _names(self) -> list[str]:
        ids = [entry.operation_id for entry in self._operations.values() if entry.operation_id]
        return list(dict.fromkeys([*self._operations, *ids]))

    def _words(self) -> list[str]:
        tags = [tag for entry in self._operations.values() for tag in entry.tags]
        paths = [entry.path for entry in self._operations.values()]
        return list(dict.fromkeys([*tags, *paths, *self._names()]))

    def _unknown(self, word: str, known: Sequence[str], what: str, option: str) -> UsageError:
        near = nearest(word, known)
        there = f"nearest are {list_names(near)}" if near else f"there are {list_names(known)}"
        return UsageError(
            f"no {what} {word!r}; {there}",
            code="unknown_operation",
            where=option,
            hint=f"Did you mean {near[0]!r}?" if near else "",
        )


def _fits(pattern: str, name: str, entry: OperationEntry) -> bool:
    if pattern.startswith("/"):
        return fnmatchcase(entry.path, _literal_brackets(pattern))
    if pattern.upper() == entry.method.upper():
        return True
    folded = pattern.casefold()
    if any(tag.casefold() == folded for tag in entry.tags):
        return True
    glob = _literal_brackets(pattern)
    return fnmatchcase(name, glob) or bool(entry.operation_id and fnmatchcase(entry.operation_id, glob))


def _literal_brackets(pattern: str) -> str:
    """Only `*` and `?` are special: names and paths may hold brackets."""
    return pattern.replace("[", "[[]")
