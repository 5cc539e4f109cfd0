"""The grammar of paths: `steps.found.result.people[0].id`, `inputs.x`, `item["Exchange Rate"]`.

    path     = root accessor*
    root     = "steps" | "inputs" | "item"
    accessor = "." name | "[" blanks (text | index) blanks "]"
    name     = a letter or "_", then letters, digits, "_" and "-"
    text     = JSON's or Python's quoted text, in double or single quotes
    index    = "-"? digits

A path through steps names the step and then which part of it: `result`, `status`, `headers`, `items` or
`outcomes`. Everything after that leads into the value, as a JSON Pointer does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from thinkagent.errors import ArgumentError
from thinkagent.values import join_pointer, parse_pointer, write_json

__all__ = ["STEP_PARTS", "Path", "PathError", "Root", "parse_path", "read_path"]

Root = Literal["steps", "inputs", "item"]
ROOTS: tuple[Root, ...] = ("steps", "inputs", "item")
STEP_PARTS = ("result", "status", "headers", "items", "outcomes")

_ROOT = re.compile(r"(steps|inputs|item)(?![\w-])")
_DOT_NAME = re.compile(r"\.([^\W\d][\w-]*)")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_INDEX = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?![\w.])", re.ASCII)
_BLANKS = re.compile(r"\s*")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "a": "\a", "0": "\0"}
_HEX = {"x": 2, "u": 4, "U": 8}


class PathError(ArgumentError):
    """A text is no path; `at` is the place, counted from 0."""

    def __init__(self, message: str, *, at: int, hint: str = "") -> None:
        super().__init__(message, code="bad_reference", hint=hint)
        self.at = at


@dataclass(frozen=True, slots=True)
class Path:
    """A way into a step, an input or the item; `str` writes it so that `parse_path` reads it back.

    >>> str(Path("steps", "found", "result", ("people", 0, "first name")))
    'steps.found.result.people[0]["first name"]'
    """

    root: Root
    name: str = ""
    """The step or the input; empty for `item`."""
    part: str = ""
    """For steps: result, status, headers, items or outcomes; empty otherwise."""
    keys: tuple[str | int, ...] = ()
    """The way into the value: texts for keys, numbers for places in a list, negative ones from its end."""

    def __str__(self) -> str:
        before = {"steps": (self.name, self.part), "inputs": (self.name,), "item": ()}[self.root]
        return self.root + "".join(map(_accessor, (*before, *self.keys)))

    @property
    def reference(self) -> str:
        """The path as it stands in arguments: `<<steps.found.result>>`."""
        return f"<<{self}>>"

    def to_pointer(self) -> str:
        """Give the JSON Pointer (RFC 6901) into the value; raises `ValueError` for a place from a list's end."""
        for key in self.keys:
            if isinstance(key, int) and key < 0:
                raise ValueError(f"{self} counts from the end of a list, which no JSON Pointer can say")
        return join_pointer(self.keys)

    @classmethod
    def from_pointer(cls, root: Path, pointer: str, value: object = None) -> Path:
        """Extend `root` by a JSON Pointer.

        With the `value` that `root` leads to, places in its lists are written `[0]`; without it each token is
        written as a text, which finds the same place.

        Raises:
            ValueError: `pointer` is no JSON Pointer.
        """
        keys: list[str | int] = []
        for token in parse_pointer(pointer):
            if isinstance(value, list) and is_index(token):
                keys.append(int(token))
                value = value[int(token)] if int(token) < len(value) else None
            else:
                keys.append(token)
                value = value.get(token) if isinstance(value, dict) else None
        return cls(root.root, root.name, root.part, (*root.keys, *keys))


def is_index(token: str) -> bool:
    """Tell whether a pointer's token is a place in a list: digits without a leading zero (RFC 6901, section 4)."""
    return token.isascii() and token.isdigit() and (token == "0" or token[0] != "0") and len(token) < 19


def _accessor(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _PLAIN_NAME.fullmatch(key) else f"[{write_json(key)}]"


def parse_path(text: str) -> Path:
    """Read a path; blanks around it are allowed.

    Raises:
        PathError: it is none, or it ends before it leads to a value (`steps.found`).
    """
    start = len(text) - len(text.lstrip())
    path, end = read_path(text, start)
    if text[end:].strip():
        raise _no_accessor(text, end)
    return path


def read_path(text: str, start: int) -> tuple[Path, int]:
    """Read the path that begins at `start` and tell where it ends.

    Raises:
        PathError: no path begins there.
    """
    root = _ROOT.match(text, start)
    if root is None:
        raise PathError(
            f"{_piece(text, start)} is no path: it does not begin with steps, inputs or item",
            at=start,
            hint="Write steps.NAME.result, inputs.NAME or item",
        )
    keys: list[str | int] = []
    at = root.end()
    while at < len(text) and text[at] in ".[":
        key, at = _read_accessor(text, at)
        keys.append(key)
    return _build(cast(Root, root[1]), keys, text[start:at], at), at


def _read_accessor(text: str, at: int) -> tuple[str | int, int]:
    if text[at] == ".":
        name = _DOT_NAME.match(text, at)
        if name is None:
            raise _bad_name(text, at)
        return name[1], name.end()
    at = _blanks(text, at + 1)
    key: str | int
    if at < len(text) and text[at] in "\"'":
        key, at = _read_text(text, at)
    elif index := _INDEX.match(text, at):
        key, at = int(index[0]), index.end()
    else:
        raise PathError(
            f"{_piece(text, at)} in brackets is neither a quoted key nor a number",
            at=at,
            hint='Write ["any key"] or [0]',
        )
    at = _blanks(text, at)
    if not text.startswith("]", at):
        raise PathError(f"a bracket is not closed at {_piece(text, at)}", at=at, hint="Close it with ]")
    return key, at + 1


def _blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _read_text(text: str, at: int) -> tuple[str, int]:
    quote, start = text[at], at
    out: list[str] = []
    at += 1
    while at < len(text) and text[at] != quote:
        if text[at] == "\\":
            char, at = _read_escape(text, at)
        else:
            char, at = text[at], at + 1
        out.append(char)
    if at >= len(text):
        raise PathError(f"a quoted key is not closed: {_piece(text, start)}", at=start, hint=f"Close it with {quote}")
    # JSON writes a character beyond U+FFFF as two escapes.
    return "".join(out).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"), at + 1


def _read_escape(text: str, at: int) -> tuple[str, int]:
    mark = text[at + 1 : at + 2]
    if mark in _HEX:
        digits = text[at + 2 : at + 2 + _HEX[mark]]
        if len(digits) == _HEX[mark] and all(digit in "0123456789abcdefABCDEF" for digit in digits):
            code = int(digits, 16)
            if code <= 0x10FFFF:
                return chr(code), at + 2 + len(digits)
        raise PathError(f"{_piece(text, at)} is no escape", at=at, hint=f"Write \\{mark} and {_HEX[mark]} digits")
    return _ESCAPES.get(mark, mark), at + 2


def _build(root: Root, keys: Sequence[str | int], written: str, at: int) -> Path:
    if root == "item":
        return Path("item", keys=tuple(keys))
    if not keys or not isinstance(keys[0], str):
        needs = "steps.NAME.result" if root == "steps" else "inputs.NAME"
        raise PathError(f"{written!r} names no {root[:-1]}", at=at, hint=f"Write {needs}")
    if root == "inputs":
        return Path("inputs", keys[0], keys=tuple(keys[1:]))
    if len(keys) < 2 or keys[1] not in STEP_PARTS:
        raise _no_part(keys, written, at)
    return Path("steps", keys[0], str(keys[1]), tuple(keys[2:]))


def _no_part(keys: Sequence[str | int], written: str, at: int) -> PathError:
    whole = Path("steps", str(keys[0]), "result", tuple(keys[1:]))
    parts = "result, status, headers, items and outcomes"
    if len(keys) < 2:
        message = f"{written!r} does not say which part of the step; there are {parts}"
    else:
        message = f"{written!r}: a step has no part {keys[1]!r}; it has {parts}"
    return PathError(message, at=at, hint=f"Did you mean {whole.reference}?")


def _bad_name(text: str, at: int) -> PathError:
    number = re.compile(r"\.(\d+)").match(text, at)
    hint = (
        f'Write [{int(number[1])}] for a place in a list, ["{number[1]}"] for a key' if number else 'Write ["any key"]'
    )
    return PathError(f"no name follows the dot at {_piece(text, at)}", at=at, hint=hint)


def _no_accessor(text: str, at: int) -> PathError:
    return PathError(
        f"{_piece(text, at)} cannot follow {text[:at].strip()!r}",
        at=at,
        hint='Keys with blanks or signs are quoted: ["any key"]',
    )


def _piece(text: str, at: int) -> str:
    piece = text[at : at + 24]
    return repr(piece + "…" if len(text) > at + 24 else piece) if piece else "the end"
