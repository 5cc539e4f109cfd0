"""Where a run's requests go and what they carry: the base address, credentials, the user's headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from thinkagent.documents import Document
from thinkagent.engine.wire.auth import Credential, Target, check_header_name, credential_value
from thinkagent.engine.wire.servers import base_url, origin
from thinkagent.engine.wire.surroundings import proxy_for
from thinkagent.errors import UsageError, list_names, nearest
from thinkagent.journal import Vault, is_key_in_address
from thinkagent.run.settings import Settings, read_source
from thinkagent.tools import Toolset
from thinkagent.values import Secret, SecretText, join_text

__all__ = ["live_target", "recorded_target", "server_name", "whole_base"]


def live_target(toolset: Toolset, settings: Settings, environ: Mapping[str, str], vault: Vault) -> Target:
    """Make the target of a live run; credentials go into the vault.

    Raises:
        UsageError: no server, no such scheme, a credential that cannot be read, or a proxy that cannot be used.
    """
    document = toolset.document
    base = base_url(
        document.servers,
        None,
        override=settings.base_url or ("http://dry-run.invalid" if _needs_none(document, settings) else None),
        server_index=settings.server,
        source=document.base_uri or document.source,
    )
    credentials = {}
    for name, source in settings.auth.items():
        scheme = document.security_schemes.get(name)
        if scheme is None:
            raise _no_scheme(document, name)
        given = read_source(source, environ, f"--auth {name}")
        value = credential_value(scheme, given)
        secret = vault.add(f"auth.{name}", value)
        for number, part in enumerate(_parts(given, value), 1):
            vault.add(f"auth.{name}.{number}", part)
        credentials[name] = Credential(scheme, secret)
    headers = []
    for name, source in settings.headers.items():
        value = _header_value(check_header_name(name), read_source(source, environ, f"--header {name}"))
        headers.append((name, vault.add(f"header.{name}", value)))
        for number, part in enumerate(_words(vault.open(headers[-1][1])), 1):
            vault.add(f"header.{name}.{number}", part)
    if not settings.dry_run:
        _keep_password(proxy_for(base, environ), vault)
    return _target(toolset, base, credentials, headers, vault)


def _header_value(name: str, given: str) -> str:
    value = given.strip()
    if not value or any(not " " <= char <= "~" for char in value):
        found = "characters that no header may hold" if value else "nothing but blanks"
        raise UsageError(
            f"the value for header {name!r} holds {found}",
            code="bad_header",
            where=f"--header {name}",
            hint="Give printable ASCII on one line",
        )
    return value


def _keep_password(proxy: str | None, vault: Vault) -> None:
    password = urlsplit(proxy or "").password
    if password:
        vault.add("proxy.password", unquote(password))


def _needs_none(document: Document, settings: Settings) -> bool:
    return settings.dry_run and settings.server is None and not document.servers


def _target(
    toolset: Toolset,
    base: str,
    credentials: Mapping[str, Credential],
    headers: Iterable[tuple[str, Secret]],
    vault: Vault,
) -> Target:
    address, keys = _without_keys(base)
    return Target(
        address,
        credentials,
        tuple(headers),
        credential_origin=origin(base),
        always=_asks_for_nothing(toolset),
        query=tuple((name, vault.add(f"base_url.{name}", value)) for name, value in keys),
    )


def _without_keys(base: str) -> tuple[str, list[tuple[str, str]]]:
    """Take the parameters out of an address's query that carry a credential."""
    parts = urlsplit(base)
    keys = [(name, value) for name, value in parse_qsl(parts.query) if value and is_key_in_address(name)]
    names = {name for name, _ in keys}
    kept = [piece for piece in parts.query.split("&") if unquote(piece.partition("=")[0]) not in names]
    return urlunsplit(parts._replace(query="&".join(kept))), keys


def whole_base(target: Target) -> str | Secret | SecretText:
    """Give the base URL as it was given, with its keys by name."""
    pieces = [part for name, secret in target.query for part in ("&", quote(name), "=", secret)]
    if pieces and "?" not in target.base_url:
        pieces[0] = "?"
    return join_text([target.base_url, *pieces])


def _asks_for_nothing(toolset: Toolset) -> bool:
    """Say whether no operation asks for any security scheme: then every credential given goes with every request."""
    return not any(any(toolset.operation(name).security) for name in toolset.names)


def recorded_target(
    toolset: Toolset, base: str, schemes: Iterable[str], headers: Iterable[str], vault: Vault
) -> Target:
    """Make the target of a replay: the names of the secrets are all that it needs; `vault` gives stand-ins."""
    known = toolset.document.security_schemes
    credentials = {name: Credential(known[name], Secret(f"auth.{name}")) for name in schemes if name in known}
    return _target(toolset, base, credentials, [(name, Secret(f"header.{name}")) for name in headers], vault)


def server_name(base: str) -> str:
    """Give the base address as people and minds may see it: without user, password and query."""
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _parts(given: str, value: str) -> list[str]:
    """What else must be hidden with a credential: the password of a pair, and the pair as it was given."""
    if given == value:
        return []
    parts = [given.strip(), given.partition(":")[2].strip()]
    return [part for part in dict.fromkeys(parts) if part and part != value]


def _words(value: str) -> list[str]:
    return [word for word in value.split() if len(word) >= 8 and word != value]


def _no_scheme(document: Document, name: str) -> UsageError:
    known = [
        f"{scheme.name!r} ({' '.join(filter(None, (scheme.type, scheme.scheme, scheme.parameter)))})"
        for scheme in document.security_schemes.values()
    ]
    close = nearest(name, document.security_schemes)
    hint = f"Did you mean {list_names(close[:1])}?" if close else ""
    return UsageError(
        f"scheme {name!r} is not in the document; it has {', '.join(known[:8]) or 'none'}",
        code="no_such_scheme",
        where="--auth",
        hint=hint or ("Pass one of them, --auth SCHEME=env:VAR" if known else "Use --header NAME=env:VAR"),
    )
