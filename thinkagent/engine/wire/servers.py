"""Which server an operation is sent to, and what counts as the same place."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from thinkagent.documents.model import Operation, Server
from thinkagent.errors import UsageError, list_names
from thinkagent.values import clip, visible

__all__ = ["base_url", "check_base_url", "is_loopback", "origin", "same_origin"]

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SEPARATORS = re.compile(r"[/?#@\\:\s]")


def base_url(
    document_servers: Sequence[Server],
    operation: Operation | None,
    *,
    override: str | None = None,
    server_index: int | None = None,
    source: str = "",
    variables: Mapping[str, str] | None = None,
    document: str = "",
) -> str:
    """Give the base URL of an operation's requests, normalised.

    `override` (`--base-url`) wins over everything; then `server_index` (`--server N`, from 1) among the document's
    servers; then the first of the operation's own servers, which are the document's where it names none. A relative
    server stands relative to `source`, the address that the document was read from; a document that names no server
    means `/` there. Variables take `variables`, else their default. `document` is the name by which flags name the
    document, of several.

    Raises:
        UsageError: there is no server, no such number, a variable without a value or outside its enum, or the
            address is not a plain http(s) URL (a user name or password in it is refused and not repeated).
    """
    if override:
        return check_base_url(override, "--base-url")
    to_name = f"{document}=" if document else ""
    from_web = source.lower().startswith(("http://", "https://"))
    servers = tuple(document_servers)
    if server_index is not None:
        server, where = _numbered(servers, server_index)
    else:
        servers = (operation.servers if operation else ()) or servers
        if not servers and not from_web:
            raise UsageError(
                f"{_shown(source)} names no server and --base-url is not given",
                code="no_server",
                where="#/servers",
                hint=f"Pass --base-url {to_name}http://…",
            )
        server, where = (servers or (Server("/"),))[0], "#/servers/0"
    address = _filled(server, where, variables or {})
    if not urlsplit(address).scheme:
        if not from_web:
            raise UsageError(
                f"{_shown(source)} names the relative server {address!r}, and the document was not read from the web",
                code="relative_server",
                where=where,
                hint=f"Pass --base-url {to_name}http://…",
            )
        address = urljoin(source, address)
    return check_base_url(address, where)


def _shown(source: str) -> str:
    return repr(clip(visible(source, newlines=False), 120)) if source else "the document"


def _numbered(servers: Sequence[Server], number: int) -> tuple[Server, str]:
    if not 1 <= number <= len(servers):
        known = ", ".join(f"{index} {server.url!r}" for index, server in enumerate(servers[:8], 1)) or "none"
        raise UsageError(
            f"there is no server {number}; the document has {known}",
            code="no_server",
            where="--server",
            hint="Pass one of these numbers, or --base-url",
        )
    return servers[number - 1], f"#/servers/{number - 1}"


def _filled(server: Server, where: str, given: Mapping[str, str]) -> str:
    def value_of(match: re.Match[str]) -> str:
        name = match[1]
        variable = server.variables.get(name)
        value = given.get(name, variable.default if variable else None)
        if value is None:
            raise UsageError(
                f"the server {server.url!r} has a variable {name!r} without a value",
                code="no_server",
                where=where,
                hint="Pass --base-url with the whole address",
            )
        if variable and variable.enum and value not in variable.enum:
            raise UsageError(
                f"server variable {name!r} is {value!r}, not one of {list_names(variable.enum)}",
                code="bad_server",
                where=where,
            )
        # A value given from outside fills its own place and cannot reach over to another host, port or path.
        if name in given and _SEPARATORS.search(value):
            raise UsageError(
                f"server variable {name!r} is {value!r}, which would change the address around it",
                code="bad_server",
                where=where,
            )
        return value

    return _VARIABLE.sub(value_of, server.url.strip())


def check_base_url(address: str, where: str) -> str:
    """Give an http(s) address in its normal form: lower-case host, no default port, no dot segments, no fragment.

    Raises:
        UsageError: as `base_url`.
    """
    address = address.strip()
    parts = _split(address, where)
    if parts.scheme.lower() not in _DEFAULT_PORTS:
        raise _bad(address, where, "is no http or https address")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "the server's address holds a user name or password",
            code="bad_server",
            where=where,
            hint="Take it out and pass --auth SCHEME=env:VAR",
        )
    if not parts.hostname or re.search(r"[\x00-\x20\x7f\\]", address) or re.search(r"[<>\"{}|^`%]", parts.netloc):
        raise _bad(address, where, "is no valid address")
    netloc = _netloc(parts)
    path = urlsplit(urljoin("http://host/", parts.path)).path if _has_dots(parts.path) else parts.path
    return urlunsplit((parts.scheme.lower(), netloc, path, parts.query, ""))


def _has_dots(path: str) -> bool:
    return any(segment in (".", "..") for segment in path.split("/"))


def _split(address: str, where: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise _bad(address, where, "is no valid address") from error
    return parts


def _bad(address: str, where: str, problem: str) -> UsageError:
    shown = clip(visible(address.partition("?")[0].rpartition("@")[2], newlines=False), 120)
    return UsageError(
        f"{shown!r} {problem}", code="bad_server", where=where, hint="Give one like http://host:port/path"
    )


def _netloc(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    return host if port is None or port == _DEFAULT_PORTS.get(parts.scheme.lower()) else f"{host}:{port}"


def origin(url: str) -> str:
    """Give scheme, host and port (RFC 6454): `https://api.example.com:443`; the port is always written."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    host = (parts.hostname or "").lower()
    try:
        port = parts.port or _DEFAULT_PORTS.get(scheme, 0)
    except ValueError:
        port = 0
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def same_origin(left: str, right: str) -> bool:
    return origin(left) == origin(right)


def is_loopback(url: str) -> bool:
    """Say whether the host is this very machine: `localhost`, `*.localhost`, 127.0.0.0/8 or ::1."""
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or bool(mapped and mapped.is_loopback)
