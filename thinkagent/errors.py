"""The errors of thinkagent, all of one shape.

    ThinkagentError
    ├── UsageError        the command line or a setting is wrong               exit 2
    ├── DocumentError     the OpenAPI document cannot be used                  exit 2
    ├── ArgumentError     an operation's arguments do not fit, or a reference misses   exit 1
    ├── PermissionRefused a request may not leave                              exit 1
    ├── ReplayMismatch    a replayed run does not do what its log says         exit 1
    ├── TransportError    the API could not be reached or did not answer       exit 3
    ├── ModelError        the model could not be reached or cannot be used     exit 3
    └── JournalError      the log cannot be written or read                    exit 3

There is one class for each thing that a caller would do about it. `code` is a stable word for programs,
`message` says what failed on which thing, found against expected; `where` names the place; `hint` is the one
next thing to do. Rendering them is the edge's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

__all__ = [
    "ArgumentError",
    "DocumentError",
    "JournalError",
    "ModelError",
    "PermissionRefused",
    "ReplayMismatch",
    "ThinkagentError",
    "TransportError",
    "UsageError",
    "list_names",
    "nearest",
]


class ThinkagentError(Exception):
    """The base of every error that thinkagent raises on purpose."""

    exit_code = 1

    def __init__(self, message: str, *, code: str = "error", where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """One line: `message (where). hint`."""
        text = self.message
        if self.where:
            text += f" ({self.where})"
        if self.hint:
            text += f". {self.hint}"
        return text

    def as_dict(self) -> Mapping[str, str]:
        """The four fields, as `--json` prints them."""
        return {"code": self.code, "message": self.message, "where": self.where, "hint": self.hint}


class UsageError(ThinkagentError):
    """The command line, a setting or an input file is wrong; nothing has been sent."""

    exit_code = 2


class DocumentError(ThinkagentError):
    """The OpenAPI document cannot be read or used."""

    exit_code = 2


class ArgumentError(ThinkagentError):
    """Arguments do not fit the operation, or a reference leads nowhere; nothing has been sent."""


class PermissionRefused(ThinkagentError):
    """The request may not leave under the permissions of this run."""


class ReplayMismatch(ThinkagentError):
    """A replayed run asked for something that its log does not hold."""


class TransportError(ThinkagentError):
    """The API could not be reached, or no usable answer came."""

    exit_code = 3


class ModelError(ThinkagentError):
    """The model could not be reached, or what it offers cannot be used."""

    exit_code = 3


class JournalError(ThinkagentError):
    """The log cannot be written or read."""

    exit_code = 3


def nearest(name: str, names: Iterable[str], n: int = 3) -> list[str]:
    """Give the names most like `name`, best first, whatever their case."""
    known = list(names)
    folded: dict[str, str] = {}
    for item in known:
        folded.setdefault(item.casefold(), item)
    return [folded[match] for match in get_close_matches(name.casefold(), list(folded), n=n, cutoff=0.5)]


def list_names(names: Iterable[str], limit: int = 8) -> str:
    """Write names for a message: quoted, comma separated, the surplus counted."""
    known = list(names)
    if not known:
        return "none"
    shown = ", ".join(repr(name) for name in known[:limit])
    rest = len(known) - limit
    return shown if rest <= 0 else f"{shown} and {rest} more"
