"""JSON Pointer (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["join_pointer", "parse_pointer", "resolve_pointer"]


def parse_pointer(pointer: str) -> list[str]:
    """Split a pointer (`/a~1b/0`) into its unescaped tokens; raises `ValueError` when it is none."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is no JSON Pointer: it does not begin with '/'")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def join_pointer(parts: Iterable[str | int]) -> str:
    """Write tokens as a pointer; the inverse of `parse_pointer`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def resolve_pointer(value: Any, pointer: str) -> Any:
    """Follow a pointer into a value; raises `LookupError` where it leads nowhere."""
    for part in parse_pointer(pointer):
        if isinstance(value, dict):
            if part not in value:
                raise LookupError(part)
            value = value[part]
        elif isinstance(value, list | tuple):
            if not part.isdecimal() or (part != "0" and part.startswith("0")) or int(part) >= len(value):
                raise LookupError(part)
            value = value[int(part)]
        else:
            raise LookupError(part)
    return value
