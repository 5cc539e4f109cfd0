"""Keys of model servers: named by the variable that holds them, never written on a command line."""

from __future__ import annotations

from collections.abc import Mapping

from thinkagent.errors import UsageError

__all__ = ["check_key", "key_from"]


def check_key(key: str, where: str) -> str:
    """Give the key as it can stand in a header; blanks and newlines round it go.

    Raises:
        UsageError: it is empty or holds what no header can; the text never repeats it.
    """
    key = key.strip()
    if key and key.isascii() and key.isprintable():
        return key
    found = "is empty" if not key else "holds a character that no HTTP header can carry"
    raise UsageError(
        f"the key in {where!r} {found}", code="bad_key", where=where, hint="Set it again, without newlines"
    )


def key_from(option: object, environ: Mapping[str, str]) -> str:
    """Look up the key that `env:VARIABLE` names.

    Raises:
        UsageError: it is written out instead of named, or the variable is not set.
    """
    where = "--model-option api_key"
    kind, _, variable = option.partition(":") if isinstance(option, str) else ("", "", "")
    if kind != "env" or not variable:
        raise UsageError(
            "a key is given by the variable that holds it, because command lines can be read by others",
            code="secret_in_argument",
            where=where,
            hint="Pass --model-option api_key=env:VARIABLE",
        )
    if not environ.get(variable, "").strip():
        raise UsageError(
            f"the variable {variable!r} is not set", code="missing_key", where=where, hint=f"Set {variable} to the key"
        )
    return check_key(environ[variable], variable)
