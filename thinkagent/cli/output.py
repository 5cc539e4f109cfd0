"""What goes to stdout and how errors look: results for programs and shells, one line for what went wrong."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

from thinkagent.errors import ThinkagentError

if TYPE_CHECKING:
    from thinkagent.cli.render.ink import Ink
    from thinkagent.journal import Vault

__all__ = [
    "error_line",
    "json_text",
    "keep_secret",
    "print_error",
    "print_json",
    "print_text",
    "stderr_ink",
    "stdout_ink",
    "without_secrets",
]

_vault: Vault | None = None
_NOT_PLAIN = re.compile(r"[^\x20-\x7e\n]")


def stdout_ink() -> Ink:
    """Give the ink of a command whose result is lines for people."""
    from thinkagent.cli.render.ink import Ink

    return Ink(sys.stdout, os.environ)


def stderr_ink() -> Ink:
    """Give the ink for everything that is no result; a closed stderr is no reason to stop."""
    from thinkagent.cli.render.ink import Ink

    return Ink(sys.stderr, os.environ, forgiving=True)


def print_text(text: str) -> None:
    """Print a result with its control characters made visible; on a terminal it is wrapped between words."""
    ink = stdout_ink()
    if ink.is_terminal:
        ink.text(text)
        return
    from thinkagent.values import visible

    sys.stdout.write(visible(text) + "\n")
    sys.stdout.flush()


def print_json(value: Any) -> None:
    """Print a result as one JSON document."""
    sys.stdout.write(json_text(value) + "\n")
    sys.stdout.flush()


def json_text(value: Any) -> str:
    """Write JSON for people and programs: the same value, with control and bidi characters as JSON escapes."""
    from thinkagent.values import write_json

    return _NOT_PLAIN.sub(_escaped, write_json(value, indent=2))


def _escaped(match: re.Match[str]) -> str:
    from thinkagent.values import visible

    char = match[0]
    if visible(char) == char:
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))


def keep_secret(vault: Vault) -> None:
    """Keep this vault's secrets out of whatever error is printed from now on."""
    global _vault
    _vault = vault


def without_secrets(text: str) -> str:
    """Give a foreign text (of an exception, a traceback) as it may be printed."""
    from thinkagent.journal import secrets_in_text

    if _vault is not None:
        text = _vault.redact(text)
    for _, secret in secrets_in_text(text):
        text = text.replace(secret, "***")
    return text


def error_line(error: ThinkagentError) -> str:
    """Write an error in its one shape: `error: message (where). hint`, on one line."""
    from thinkagent.values import visible

    return f"error: {visible(without_secrets(str(error)), newlines=False)}"


def print_error(error: ThinkagentError, *, as_json: bool) -> None:
    """Tell of an error: the line on stderr and, for `--json`, its four fields on stdout."""
    from thinkagent.cli.render.ink import Styled

    stderr_ink().line(Styled(error_line(error), "bad"), hang=2)
    if as_json:
        print_json({"error": {name: without_secrets(text) for name, text in error.as_dict().items()}})
