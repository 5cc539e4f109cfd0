"""Several documents at once, each with the overlays that are meant for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO
from urllib.parse import unquote, urljoin, urlsplit

from thinkagent.documents.document import Document
from thinkagent.documents.fetch import fetch as fetch_url
from thinkagent.documents.load import load
from thinkagent.documents.parse import parse
from thinkagent.documents.sources import read_entry
from thinkagent.errors import UsageError, list_names

__all__ = ["load_all"]


def load_all(
    sources: Sequence[str],
    *,
    overlays: Sequence[str] = (),
    fetch: Callable[[str], bytes] | None = None,
    stdin: BinaryIO | None = None,
) -> tuple[Document, ...]:
    """Load OpenAPI documents, in order; one that cannot be loaded is an error.

    An overlay changes the only document there is; of several, the one that its `extends` names: by its address or
    path, else by a file name that only one of them has.

    Raises:
        DocumentError: as for `load`.
        UsageError: two are to be read from stdin, or an overlay names none of several.
    """
    if sources.count("-") > 1:
        raise UsageError(
            "two documents are to be read from stdin", code="stdin_twice", where="--spec", hint="Name files for others"
        )
    if len(sources) == 1:
        return (load(sources[0], overlays=overlays, fetch=fetch, stdin=stdin),)
    meant: dict[int, list[str]] = {}
    for overlay in overlays:
        meant.setdefault(_fitting(overlay, sources, fetch or fetch_url), []).append(overlay)
    return tuple(
        load(source, overlays=meant.get(number, ()), fetch=fetch, stdin=stdin) for number, source in enumerate(sources)
    )


def _fitting(overlay: str, sources: Sequence[str], fetch: Callable[[str], bytes]) -> int:
    """Give the number of the document that an overlay extends."""
    value = parse(read_entry(overlay, fetch)[0], overlay).value if overlay != "-" else None
    extends = value.get("extends") if isinstance(value, Mapping) else None
    if not isinstance(extends, str) or not extends:
        raise UsageError(
            f"the overlay {overlay!r} has no 'extends' that says which of {len(sources)} documents it is for",
            code="overlay_of_none",
            where="--overlay",
            hint="Add 'extends' with the document's path or address to it",
        )
    address = _resolved(extends, overlay)
    found = [number for number, source in enumerate(sources) if _address(source) == address]
    if not found:
        found = [number for number, source in enumerate(sources) if _file(source) == _file(address)]
    if len(found) != 1:
        raise UsageError(
            f"the overlay {overlay!r} extends {extends!r}, which is {'several' if found else 'none'} of the documents "
            f"{list_names(sources)}",
            code="overlay_of_none",
            where="--overlay",
            hint="Correct its 'extends', or leave the overlay out",
        )
    return found[0]


def _is_web(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _resolved(extends: str, overlay: str) -> str:
    """Give the address of a document that an overlay names relative to itself."""
    if _is_web(overlay) or _is_web(extends):
        return urljoin(overlay if _is_web(overlay) else "", extends)
    path = unquote(urlsplit(extends).path) if extends.lower().startswith("file:") else unquote(extends)
    return _address(os.path.join(os.path.dirname(overlay), path))


def _address(source: str) -> str:
    return source if _is_web(source) or source == "-" else os.path.realpath(source)


def _file(address: str) -> str:
    return (urlsplit(address).path if _is_web(address) else address).rpartition("/")[2]
