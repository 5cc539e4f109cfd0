"""The address of a model server: checked once, shown without what nobody should see."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from thinkagent.errors import UsageError
from thinkagent.values import clip, visible

__all__ = ["DEFAULT_BASE", "Endpoint", "is_loopback", "parse_endpoint", "show_address"]

DEFAULT_BASE = "https://api.openai.com/v1"

_OPERATION = "/chat/completions"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where chat requests go."""

    url: str
    """The whole URL of the operation; a query of the base is kept."""
    base: str
    """The base alone, its query too."""
    shown: str
    """The base for people and the log, without its query."""
    host: str
    is_loopback: bool
    is_secure: bool


def parse_endpoint(api_base: str) -> Endpoint:
    """Check a base URL and join the operation to it with one slash.

    Raises:
        UsageError: no http(s) URL with a host, or one that holds a user name or password.
    """
    text = api_base.strip()
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid or not text.isprintable() or " " in text:
        raise UsageError(
            f"the model's base {clip(visible(text.split('?')[0].rpartition('@')[2]), 100)!r} is no http or https URL",
            code="bad_api_base",
            where="--api-base",
            hint="Write it like 'http://127.0.0.1:11434/v1'",
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"the model's base at host {parts.hostname!r} holds a user name or password",
            code="secret_in_argument",
            where="--api-base",
            hint="Leave it out and name the key: --model-option api_key=env:VARIABLE",
        )
    path = parts.path.rstrip("/").removesuffix(_OPERATION)
    host = parts.hostname or ""
    return Endpoint(
        url=urlunsplit((parts.scheme, parts.netloc, path + _OPERATION, parts.query, "")),
        base=urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")),
        shown=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
        host=host,
        is_loopback=is_loopback(host),
        is_secure=parts.scheme == "https",
    )


def is_loopback(host: str) -> bool:
    """Tell whether a host can only be this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def show_address(location: str, limit: int = 100) -> str:
    """Show where a redirect points: scheme, host and path, without user, query or control characters."""
    try:
        parts = urlsplit(location.strip())
        shown = urlunsplit(_bare(parts))
    except ValueError:
        return "an address that is no URL"
    return clip(visible(shown, newlines=False), limit)


def _bare(parts: SplitResult) -> SplitResult:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
