"""Credentials: which of them an operation asks for, and where they stand in a request.

They are the program's to send, never a mind's: tools do not offer them, and they go to one origin only.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkagent.documents.model import Operation, SecurityScheme
from thinkagent.engine.wire.holes import Text
from thinkagent.errors import UsageError
from thinkagent.values import Secret, clip, join_text

__all__ = [
    "TRANSPORT_HEADERS",
    "AuthParts",
    "Credential",
    "Target",
    "auth_parts",
    "check_header_name",
    "credential_value",
    "required_schemes",
]

TRANSPORT_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that make up the message itself (RFC 9112): neither an argument nor a user sets them."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential for a security scheme; the vault holds `credential_value` under the secret's name."""

    scheme: SecurityScheme
    secret: Secret


@dataclass(frozen=True, slots=True)
class Target:
    """Where requests go and what goes with each of them."""

    base_url: str
    credentials: Mapping[str, Credential] = field(default_factory=dict)
    """By the scheme's name in the document."""
    headers: tuple[tuple[str, Secret], ...] = ()
    """What the user adds to every request."""
    credential_origin: str = ""
    """The only origin that gets credentials and headers; the base URL's where empty."""
    always: bool = False
    """The document asks for no security anywhere, so that every credential given goes with every request."""
    query: tuple[tuple[str, Secret], ...] = ()
    """Keys that stood in the base URL's query; unencoded names."""


@dataclass(frozen=True, slots=True)
class AuthParts:
    """What credentials add to a request."""

    headers: tuple[tuple[str, Text], ...] = ()
    query: tuple[tuple[str, Secret], ...] = ()
    """Unencoded names."""
    cookies: tuple[tuple[str, Secret], ...] = ()


def credential_value(scheme: SecurityScheme, given: str) -> str:
    """Turn what the user gave for a scheme into what is sent and kept secret.

    Blanks around it and a repeated `Bearer ` or `Basic ` are taken off; for basic, `user:password` becomes its
    Base64 form (RFC 7617, UTF-8).

    Raises:
        UsageError: the scheme is not supported, or the value cannot stand in a header; the value is not repeated.
    """
    kind = _kind(scheme)
    value = given.strip()
    if scheme.type == "apiKey":
        return _sendable(scheme, value)
    prefix, _, rest = value.partition(" ")
    if rest and prefix.lower() == kind:
        value = rest.strip()
    if kind == "basic" and ":" in value:
        return base64.b64encode(value.encode("utf-8")).decode("ascii")
    if kind == "basic" and not _is_base64_pair(value):
        raise _unusable(scheme, "is no 'user:password'", "Give both, with a colon between them")
    return _sendable(scheme, value)


def check_header_name(name: str) -> str:
    """Give the name of a header that the user adds; raises `UsageError` where it is none or not the user's to set."""
    if not _TOKEN.fullmatch(name):
        raise UsageError(
            f"{clip(name, 60)!r} is no header name", code="bad_header", where="--header", hint="Pass NAME=env:VAR"
        )
    if name.lower() in TRANSPORT_HEADERS:
        raise UsageError(
            f"header {name!r} is set by the program itself", code="bad_header", where="--header", hint="Leave it out"
        )
    return name


def _kind(scheme: SecurityScheme) -> str:
    if scheme.type == "apiKey" and scheme.location in ("header", "query", "cookie") and scheme.parameter:
        return "apikey"
    if scheme.type in ("oauth2", "openIdConnect"):
        return "bearer"
    if scheme.type == "http" and scheme.scheme not in ("", "digest", "mutual", "negotiate", "ntlm"):
        return scheme.scheme.lower()
    word = scheme.scheme or scheme.location if scheme.type in ("http", "apiKey") else ""
    raise UsageError(
        f"scheme {scheme.name!r} is {' '.join(filter(None, (scheme.type, word)))}, which is not supported",
        code="unsupported_scheme",
        where="--auth",
        hint="Use --header NAME=env:VAR for a header of your own",
    )


def _is_base64_pair(value: str) -> bool:
    try:
        return b":" in base64.b64decode(value, validate=True)
    except ValueError:
        return False


def _sendable(scheme: SecurityScheme, value: str) -> str:
    if not value:
        raise _unusable(scheme, "is empty", "Set the variable it is read from")
    if scheme.location != "query" and any(not " " <= char <= "~" for char in value):
        raise _unusable(scheme, "holds a character that no header can carry", "Look for a line break in it")
    return value


def _unusable(scheme: SecurityScheme, problem: str, hint: str) -> UsageError:
    return UsageError(f"the credential for {scheme.name!r} {problem}", code="bad_credential", where="--auth", hint=hint)


def required_schemes(operation: Operation, target: Target) -> tuple[str, ...]:
    """Choose the schemes that a request logs in with.

    The first alternative of the operation that the given credentials cover wholly; one that needs none (`{}`) only
    where nothing else is covered. Where no alternative is covered, those credentials are sent that the
    best covered one names, and none where none fits: documents often ask for more than their servers, and
    the server's own 401 says what is missing. Nothing is sent to an operation that asks for nothing, unless
    `Target.always`.
    """
    given = target.credentials
    if target.always:
        return tuple(given)
    alternatives = [names for names in operation.security if names]
    for names in alternatives:
        if all(name in given for name in names):
            return names
    if len(alternatives) < len(operation.security):
        return ()
    partial = [tuple(name for name in names if name in given) for names in alternatives]
    return max(partial, key=len, default=())


def auth_parts(operation: Operation, target: Target) -> AuthParts:
    """Give the headers, query pairs and cookies of the user's headers and the chosen credentials."""
    headers: list[tuple[str, Text]] = []
    query: list[tuple[str, Secret]] = []
    cookies: list[tuple[str, Secret]] = []
    for name in required_schemes(operation, target):
        credential = target.credentials[name]
        scheme, secret = credential.scheme, credential.secret
        if scheme.type != "apiKey":
            word = _kind(scheme)
            headers.append(("authorization", join_text([f"{word.capitalize()} ", secret])))
        elif scheme.location == "header":
            headers.append((scheme.parameter, secret))
        elif scheme.location == "query":
            query.append((scheme.parameter, secret))
        else:
            cookies.append((scheme.parameter, secret))
    taken = {name for name, _ in query}
    query += [(name, secret) for name, secret in target.query if name not in taken]
    own = {name.lower() for name, _ in target.headers}
    kept = [(name, value) for name, value in headers if name.lower() not in own]
    return AuthParts((*kept, *target.headers), tuple(query), tuple(cookies))
