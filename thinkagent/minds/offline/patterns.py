"""Patterns of sentences, written as one line each.

    how many {things} [are there|exist]

`[x]` may be left out, `(x|y)` is a choice, `{term}` or `{term:name}` is whatever the term of that name reads here,
remembered as `name`, and its place as `name@`. All else stands for itself. A term is a function that gives each way to
read the tokens from a place on; every way is tried, so nothing hangs on the order of the patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from thinkagent.minds.offline.words import Token, tokenize

__all__ = ["Found", "Reader", "literal_words"]


class Found(NamedTuple):
    """One way to read some tokens: what it means, where it ends, what it costs."""

    value: Any
    end: int
    cost: float


Env = Mapping[str, Any]
Term = Callable[[int, Env], Iterator[Found]]


@dataclass(frozen=True)
class _Text:
    words: tuple[str, ...]


@dataclass(frozen=True)
class _Choice:
    branches: tuple[tuple[_Node, ...], ...]


@dataclass(frozen=True)
class _Term:
    name: str
    bind: str


_Node = _Text | _Choice | _Term


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> tuple[_Node, ...]:
    nodes, rest = _sequence(pattern)
    assert not rest, f"unbalanced pattern: {pattern}"
    return nodes


def _sequence(text: str) -> tuple[tuple[_Node, ...], str]:
    nodes: list[_Node] = []
    plain = ""

    def flush() -> None:
        nonlocal plain
        words = tuple(token.lower for token in tokenize(plain))
        if words:
            nodes.append(_Text(words))
        plain = ""

    while text and text[0] not in ")]|":
        char, text = text[0], text[1:]
        if char == "{":
            flush()
            inside, text = text.split("}", 1)
            name, _, bind = inside.partition(":")
            nodes.append(_Term(name, bind or name))
        elif char in "([":
            flush()
            branches: list[tuple[_Node, ...]] = [()] if char == "[" else []
            while True:
                branch, text = _sequence(text)
                branches.append(branch)
                closing, text = text[0], text[1:]
                if closing != "|":
                    break
            nodes.append(_Choice(tuple(branches)))
        else:
            plain += char
    flush()
    return tuple(nodes), text


def literal_words(patterns: Sequence[str]) -> set[tuple[str, ...]]:
    """Give all that stands for itself in some patterns, as tuples of tokens."""
    found: set[tuple[str, ...]] = set()

    def walk(nodes: tuple[_Node, ...]) -> None:
        for node in nodes:
            if isinstance(node, _Text):
                found.add(node.words)
            elif isinstance(node, _Choice):
                for branch in node.branches:
                    walk(branch)

    for pattern in patterns:
        walk(compile_pattern(pattern))
    return found


class Reader:
    """Reads patterns over the tokens of one task."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.terms: dict[str, Term] = {}
        self.furthest = 0

    def read(self, pattern: str, at: int, env: Env | None = None) -> Iterator[Found]:
        """Give every way to read the pattern from a place; the value is what its terms have bound."""
        for bound, end, cost in self._match(compile_pattern(pattern), 0, at, env or {}, 0.0):
            yield Found(bound, end, cost)

    def read_any(self, patterns: Sequence[str], at: int, env: Env | None = None) -> Iterator[Found]:
        for pattern in patterns:
            yield from self.read(pattern, at, env)

    def _match(
        self, nodes: tuple[_Node, ...], step: int, at: int, env: Env, cost: float
    ) -> Iterator[tuple[Env, int, float]]:
        if step == len(nodes):
            yield env, at, cost
            return
        node = nodes[step]
        if isinstance(node, _Text):
            end = at + len(node.words)
            if self._stands(node.words, at):
                self.furthest = max(self.furthest, end)
                yield from self._match(nodes, step + 1, end, env, cost)
        elif isinstance(node, _Choice):
            seen: set[int] = set()
            for branch in node.branches:
                for inner, end, paid in self._match(branch, 0, at, env, cost):
                    if inner is env and end in seen:
                        continue  # the same words by another branch
                    seen.add(end)
                    yield from self._match(nodes, step + 1, end, inner, paid)
        else:
            for found in self.terms[node.name](at, env):
                self.furthest = max(self.furthest, found.end)
                bound = {**env, node.bind: found.value, f"{node.bind}@": (at, found.end)}
                yield from self._match(nodes, step + 1, found.end, bound, cost + found.cost)

    def _stands(self, words: tuple[str, ...], at: int) -> bool:
        if at + len(words) > len(self.tokens):
            return False
        return all(
            token.lower == word and token.kind != "quoted"
            for token, word in zip(self.tokens[at : at + len(words)], words, strict=True)
        )
