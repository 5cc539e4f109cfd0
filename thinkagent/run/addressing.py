"""Which of several documents a setting is for: its server, its credential, its header.

With one document there is nothing to name. With several, a setting of one names it; only a security scheme that no
other document has speaks for itself. So no credential goes to an origin that it was not given for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeVar

from thinkagent.documents import Document
from thinkagent.errors import UsageError, list_names, nearest

__all__ = ["SECRET_KINDS", "address_headers", "address_schemes", "address_values", "secret_name", "written"]

SECRET_KINDS = ("auth", "header", "base_url")
"""What the user gives for a document and nobody else may have."""

Value = TypeVar("Value", str, int)
Documents = Mapping[str, Document]
Place = tuple[str, str]
"""A document's name, empty where it is the only one, and a name in it."""


def written(document: str, name: str) -> str:
    """Write a name of a document as flags and logs have it: `orders:bearerAuth`, `bearerAuth` of the only one."""
    return f"{document}:{name}" if document else name


def secret_name(kind: str, document: str, name: str) -> str:
    """Name a secret of a document: `auth.orders.bearerAuth`, `auth.bearerAuth` of the only one."""
    return ".".join(part for part in (kind, document, name) if part)


def address_values(
    given: Value | Mapping[str, Value] | None, documents: Documents, option: str, form: str
) -> dict[str, Value]:
    """Give what is set for each document: `given` is one value or values by document.

    Raises:
        UsageError: no such document, or several and the value names none.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        given = {"": given}
    found: dict[str, Value] = {}
    for name, value in given.items():
        document = _document(name, documents, option, f"DOCUMENT={form}", f"{option} {{}}={form}")
        if document in found:
            _twice(document, option)
        found[document] = value
    return found


def address_schemes(given: Mapping[str, str], documents: Documents) -> dict[Place, str]:
    """Give the source of each credential by document and security scheme.

    Raises:
        UsageError: no document has the scheme, or several have it and none is named.
    """
    found: dict[Place, str] = {}
    for name, source in given.items():
        place = _scheme(name, documents)
        if place in found:
            _twice(name, "--auth")
        found[place] = source
    return found


def _scheme(given: str, documents: Documents) -> Place:
    home, colon, scheme = given.partition(":")
    named = _known(home, documents) if colon and len(documents) > 1 else None
    if named is not None:
        if scheme not in documents[named].security_schemes:
            raise _no_scheme(scheme, {named: documents[named]})
        return named, scheme
    homes = [name for name, document in documents.items() if given in document.security_schemes]
    if len(homes) > 1:
        raise UsageError(
            f"the documents {list_names(homes)} all have a scheme {given!r}",
            code="ambiguous_scheme",
            where="--auth",
            hint=f"Name the document: --auth {written(homes[0], given)}=env:VAR",
        )
    if not homes:
        if colon and len(documents) > 1:
            _no_document(home, documents, "--auth")
        raise _no_scheme(given, documents)
    return homes[0], given


def address_headers(given: Mapping[str, str], documents: Documents) -> dict[Place, str]:
    """Give the source of each header's value by document and header.

    Raises:
        UsageError: no such document, or several and the header names none.
    """
    found: dict[Place, str] = {}
    for name, source in given.items():
        # No header's name has a colon.
        home, colon, header = name.partition(":") if len(documents) > 1 else ("", "", name)
        document = _document(
            home if colon else "", documents, "--header", "DOCUMENT:NAME=env:VAR", f"--header {{}}:{name}=env:VAR"
        )
        place = (document, header if colon else name)
        if any(other == document and one.lower() == place[1].lower() for other, one in found):
            _twice(name, "--header")
        found[place] = source
    return found


def _document(name: str, documents: Documents, option: str, form: str, example: str) -> str:
    if not name and len(documents) > 1:
        first = next(iter(documents))
        raise UsageError(
            f"{option} is for one document, and there are {len(documents)}: {list_names(documents)}",
            code="no_such_document",
            where=option,
            hint=f"Name it, as in {example.format(first)}",
        )
    found = _known(name, documents)
    if found is None:
        _no_document(name, documents, option)
    return found


def _known(name: str, documents: Documents) -> str | None:
    folded = name.casefold()
    return folded if folded in documents else None


def _no_document(name: str, documents: Documents, option: str) -> NoReturn:
    if len(documents) == 1:
        raise UsageError(
            f"{name!r} is no document: there is only one, and it needs no name",
            code="no_such_document",
            where=option,
            hint="Leave the name out",
        )
    known = ", ".join(f"{one!r} ({document.source})" for one, document in list(documents.items())[:8])
    close = nearest(name, documents)
    raise UsageError(
        f"no document is called {name!r}; there are {known}",
        code="no_such_document",
        where=option,
        hint=f"Did you mean {close[0]!r}?" if close else "Pass one of these names",
    )


def _twice(name: str, option: str) -> NoReturn:
    raise UsageError(f"{name!r} is given twice", code="bad_option", where=option, hint="Give it once")


def _no_scheme(name: str, documents: Documents) -> UsageError:
    known = [(home, scheme) for home, document in documents.items() for scheme in document.security_schemes.values()]
    told = [
        f"{written(home, scheme.name)!r} ({' '.join(filter(None, (scheme.type, scheme.scheme, scheme.parameter)))})"
        for home, scheme in known
    ]
    close = nearest(name, [scheme.name for _, scheme in known], 1)
    meant = [written(home, scheme.name) for home, scheme in known if scheme.name in close]
    hint = "Pass one of them, --auth SCHEME=env:VAR" if known else "Use --header NAME=env:VAR"
    where = "the document; it has" if len(documents) == 1 else "any of the documents; they have"
    return UsageError(
        f"scheme {name!r} is not in {where} {', '.join(told[:8]) or 'none'}",
        code="no_such_scheme",
        where="--auth",
        hint=f"Did you mean {list_names(meant[:1])}?" if meant else hint,
    )
