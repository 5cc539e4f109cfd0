"""Where a run's requests go and what they carry, by document: the base address, credentials, the user's headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from thinkagent.engine.wire.auth import Credential, Target, check_header_name, credential_value
from thinkagent.engine.wire.servers import base_url, origin
from thinkagent.engine.wire.surroundings import proxy_for
from thinkagent.errors import UsageError
from thinkagent.events import PolicySet
from thinkagent.journal import Vault, is_key_in_address
from thinkagent.run.addressing import address_headers, address_schemes, address_values, secret_name, written
from thinkagent.run.settings import Settings, read_source
from thinkagent.tools import Toolset
from thinkagent.values import Secret, SecretText, join_text

__all__ = ["live_targets", "recorded_targets", "server_name", "shared_secrets", "whole_base"]


def live_targets(toolset: Toolset, settings: Settings, environ: Mapping[str, str], vault: Vault) -> dict[str, Target]:
    """Make the targets of a live run, by document; credentials go into the vault.

    Raises:
        UsageError: no server, no such scheme or document, a credential that cannot be read, or a proxy that cannot be
            used.
    """
    documents = toolset.documents
    bases = _base_urls(toolset, settings)
    credentials: dict[str, dict[str, Credential]] = {name: {} for name in documents}
    for (home, name), source in address_schemes(settings.auth, documents).items():
        scheme = documents[home].security_schemes[name]
        given = read_source(source, environ, f"--auth {written(home, name)}")
        value = credential_value(scheme, given)
        secret = vault.add(secret_name("auth", home, name), value)
        for number, part in enumerate(_parts(given, value), 1):
            vault.add(f"{secret.name}.{number}", part)
        credentials[home][name] = Credential(scheme, secret)
    headers: dict[str, list[tuple[str, Secret]]] = {name: [] for name in documents}
    for (home, name), source in address_headers(settings.headers, documents).items():
        told = written(home, name)
        value = _header_value(check_header_name(name), read_source(source, environ, f"--header {told}"))
        secret = vault.add(secret_name("header", home, name), value)
        headers[home].append((name, secret))
        for number, part in enumerate(_words(vault.open(secret)), 1):
            vault.add(f"{secret.name}.{number}", part)
    for base in bases.values() if not settings.dry_run else ():
        _keep_password(proxy_for(base, environ), vault)
    return {home: _target(toolset, home, bases[home], credentials[home], headers[home], vault) for home in documents}


def _base_urls(toolset: Toolset, settings: Settings) -> dict[str, str]:
    """Give each document's base URL: as set, else its own."""
    given = address_values(settings.base_url, toolset.documents, "--base-url", "URL")
    numbers = address_values(settings.server, toolset.documents, "--server", "N")
    if given.keys() & numbers.keys():
        raise UsageError(
            "--server and --base-url exclude each other",
            code="bad_usage",
            where="--server, --base-url",
            hint="Pass one of them",
        )
    bases = {}
    for name, document in toolset.documents.items():
        needs_none = settings.dry_run and name not in numbers and not document.servers
        override = given.get(name) or (f"http://{name or 'dry-run'}.invalid" if needs_none else None)
        source = document.base_uri or document.source
        bases[name] = base_url(
            document.servers, None, override=override, server_index=numbers.get(name), source=source, document=name
        )
    return bases


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


def _target(
    toolset: Toolset,
    document: str,
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
        always=_asks_for_nothing(toolset, document),
        query=tuple((name, vault.add(secret_name("base_url", document, name), value)) for name, value in keys),
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


def _asks_for_nothing(toolset: Toolset, document: str) -> bool:
    """Say whether no operation asks for any security scheme: then every credential given goes with every request."""
    own = (name for name in toolset.names if toolset.document_of(name) == document)
    return not any(any(toolset.operation(name).security) for name in own)


def recorded_targets(toolset: Toolset, bases: Mapping[str, str], policy: PolicySet, vault: Vault) -> dict[str, Target]:
    """Make the targets of a replay, by document: the names of the secrets are all that it needs.

    `bases` are the base URLs with stand-ins in the place of keys, as `vault` gives them.
    """

    def secret(kind: str, home: str, name: str) -> Secret:
        own = secret_name(kind, home, name)
        return Secret(policy.shared.get(own, own))

    targets = {}
    for home, document in toolset.documents.items():
        schemes, headers = _names_of(home, policy.schemes), _names_of(home, policy.headers)
        known = document.security_schemes
        credentials = {name: Credential(known[name], secret("auth", home, name)) for name in schemes if name in known}
        added = [(name, secret("header", home, name)) for name in headers]
        targets[home] = _target(toolset, home, bases[home], credentials, added, vault)
    return targets


def _names_of(document: str, names: Iterable[str]) -> list[str]:
    prefix = written(document, "")
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def shared_secrets(targets: Mapping[str, Target]) -> dict[str, str]:
    """Name the secrets that have another's value, which is held under the other's name."""
    named = [
        (secret_name(kind, home, name), secret.name)
        for home, target in targets.items()
        for kind, secrets in (
            ("auth", [(name, credential.secret) for name, credential in target.credentials.items()]),
            ("header", target.headers),
        )
        for name, secret in secrets
    ]
    return {own: held for own, held in named if own != held}


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
