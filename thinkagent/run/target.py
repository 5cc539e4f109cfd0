"""Where a run's requests go and what they carry: the base address, credentials, the user's headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from thinkagent.documents import Document
from thinkagent.engine.wire.auth import Credential, Target, credential_value
from thinkagent.engine.wire.servers import base_url, origin
from thinkagent.errors import UsageError, list_names, nearest
from thinkagent.journal import Vault
from thinkagent.run.settings import Settings, read_source
from thinkagent.tools import Toolset
from thinkagent.values import Secret

__all__ = ["live_target", "recorded_target", "server_name"]


def live_target(toolset: Toolset, settings: Settings, environ: Mapping[str, str], vault: Vault) -> Target:
    """Make the target of a live run; credentials go into the vault.

    Raises:
        UsageError: no server, no such scheme, or a credential that cannot be read.
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
        headers.append((name, vault.add(f"header.{name}", read_source(source, environ, f"--header {name}"))))
        for number, part in enumerate(_words(vault.open(headers[-1][1])), 1):
            vault.add(f"header.{name}.{number}", part)
    return _target(toolset, base, credentials, headers)


def _needs_none(document: Document, settings: Settings) -> bool:
    return settings.dry_run and settings.server is None and not document.servers


def _target(
    toolset: Toolset, base: str, credentials: Mapping[str, Credential], headers: Iterable[tuple[str, Secret]]
) -> Target:
    return Target(
        base,
        credentials,
        tuple(headers),
        credential_origin=origin(base),
        always=_asks_for_nothing(toolset),
    )


def _asks_for_nothing(toolset: Toolset) -> bool:
    """Say whether no operation asks for any security scheme: then every credential given goes with every request."""
    return not any(any(toolset.operation(name).security) for name in toolset.names)


def recorded_target(toolset: Toolset, base: str, schemes: Iterable[str], headers: Iterable[str]) -> Target:
    """Make the target of a replay: the names of the secrets are all that it needs."""
    known = toolset.document.security_schemes
    credentials = {name: Credential(known[name], Secret(f"auth.{name}")) for name in schemes if name in known}
    return _target(toolset, base, credentials, [(name, Secret(f"header.{name}")) for name in headers])


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
        hint=hint or ("" if known else "Use --header NAME=env:VAR"),
    )
