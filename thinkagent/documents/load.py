"""From a path, an address, stdin, bytes, a dict or a log to a `Document`."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from thinkagent.documents.document import Document
from thinkagent.documents.fetch import fetch as fetch_url
from thinkagent.documents.fetch import public_url
from thinkagent.documents.files import Files, note_oddities
from thinkagent.documents.overlay import apply_overlay
from thinkagent.documents.parse import parse
from thinkagent.documents.sources import NoReader, PackedReader, Reader, read_entry
from thinkagent.documents.version import find_version
from thinkagent.documents.walk import walk_references
from thinkagent.errors import DocumentError
from thinkagent.values import digest, write_json

__all__ = ["Opened", "from_dict", "load", "load_bytes", "load_opened", "open_source", "unpack"]

# Possessive, so that the quote cannot be given back and `"#…"` be taken for something else than a local reference.
_OUTWARD = re.compile(rb"""\$(?:ref|dynamicRef)["']?+\s*+:\s*+["']?+(?![#{\[])""")


def load(
    source: str,
    *,
    overlays: Sequence[str] = (),
    fetch: Callable[[str], bytes] | None = None,
    stdin: BinaryIO | None = None,
) -> Document:
    """Load an OpenAPI document.

    `source` is a path, an http(s) address, or `-` for stdin. `fetch` reads addresses in the place of the built-in
    one. Files that a reference names are read when they lie at or below the folder above the document's own; for a
    fetched document the same holds for addresses of its origin. `overlays` are paths or addresses of OpenAPI Overlays,
    applied in order before anything else is looked at; lines are then those of the result, written as JSON.

    Raises:
        DocumentError: it cannot be read, is neither JSON nor YAML, or no OpenAPI document of a known version; an
            overlay is none, or does not fit.
    """
    return load_opened(open_source(source, overlays=overlays, fetch=fetch, stdin=stdin))


class Opened(NamedTuple):
    """A document whose bytes are read and not yet understood."""

    data: bytes
    entry: str
    """Its name for the reader."""
    reader: Reader
    """Of the files beside it."""
    source: str
    """As a user knows it."""
    base_uri: str | None
    overlays: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes, in the order in which they apply."""

    @property
    def made_from(self) -> tuple[str, ...]:
        """Name everything that decides what the document is, but the other files that it reads."""
        overlays = (text for name, data in self.overlays for text in (name, digest(data)))
        return (digest(self.data), self.entry, self.source, self.base_uri or "", *overlays)


def open_source(
    source: str,
    *,
    overlays: Sequence[str] = (),
    fetch: Callable[[str], bytes] | None = None,
    stdin: BinaryIO | None = None,
) -> Opened:
    """Read the bytes of a document and its overlays; arguments and errors as for `load`."""
    data, entry, reader = read_entry(source, fetch or fetch_url, stdin)
    shown = "stdin" if source == "-" else _shown(source)
    read = tuple(_read_overlay(overlay, fetch or fetch_url) for overlay in overlays)
    return Opened(data, entry, reader, shown, _base_of(source), read)


def load_opened(opened: Opened) -> Document:
    """Understand a document that was read; errors as for `load`."""
    data, idle = _overlaid(opened) if opened.overlays else (opened.data, [])
    return _make(data, opened.entry, opened.reader, opened.source, opened.base_uri, idle)


def load_bytes(data: bytes, source: str = "<memory>") -> Document:
    """Load a document that is at hand as bytes; `source` names it, and is its base where it is an http(s) address.

    References to other files lead nowhere.

    Raises:
        DocumentError: as for `load`.
    """
    reader = NoReader("the document has no folder to read other files from")
    return _make(data, "", reader, _shown(source), _base_of(source))


def from_dict(value: Mapping[str, Any], source: str = "<memory>") -> Document:
    """Load a document that is at hand as a dict; it is copied, and keys become text.

    Raises:
        DocumentError: it holds what JSON cannot say, or as for `load`.
    """
    try:
        text = write_json(_plain(value))
    except (TypeError, ValueError, RecursionError) as error:
        message = "it holds itself" if isinstance(error, RecursionError) else str(error)
        raise DocumentError(
            f"{source!r} cannot be written as JSON: {message}", code="document_syntax", where=source
        ) from error
    return load_bytes(text.encode("utf-8", "surrogatepass"), source)


def unpack(packed: Mapping[str, Any]) -> Document:
    """Make the document again that `Document.pack` was asked of; nothing is read.

    Raises:
        DocumentError: the value is no packed document.
    """
    try:
        files = {name: _unpack_bytes(file) for name, file in packed["files"].items()}
        entry, missing = packed["entry"], packed["missing"]
        return _make(files[entry], entry, PackedReader(files, missing), packed["source"], packed["base_uri"])
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise DocumentError(f"this is no packed document: {error!r}", code="document_packed") from error


def _read_overlay(overlay: str, fetch: Callable[[str], bytes]) -> tuple[str, bytes]:
    if overlay == "-":
        raise DocumentError("an overlay is not read from stdin", code="no_such_document", hint="Give its path")
    return _shown(overlay), read_entry(overlay, fetch)[0]


def _overlaid(opened: Opened) -> tuple[bytes, list[str]]:
    """Apply the overlays: the document as it is then, as JSON, and what of them had no effect."""
    value = parse(opened.data, opened.source).value
    idle: list[str] = []
    for name, data in opened.overlays:
        value, missed = apply_overlay(value, parse(data, name).value, name)
        idle += missed
    return write_json(value, indent=1).encode("utf-8", "surrogatepass"), idle


def _make(
    data: bytes, entry: str, reader: Reader, source: str, base_uri: str | None, idle: Sequence[str] = ()
) -> Document:
    parsed = parse(data, source)
    version = find_version(parsed.value, source)
    files = Files(entry, data, parsed, reader)
    note_oddities(files.read[entry], files.findings)
    for message in idle:
        files.findings.add(entry, "", message, consequence="that part of the overlay has no effect")
    if version.dialect in ("3.1", "3.2"):
        files.start_ids()
    if b"\0" in data or _OUTWARD.search(data):
        walk_references(files)
    files.seal()
    return Document(files, version, source, base_uri)


def _shown(source: str) -> str:
    return public_url(source) if source.startswith(("http://", "https://")) else source


def _base_of(source: str) -> str | None:
    return public_url(source) if source.startswith(("http://", "https://")) else None


def _unpack_bytes(file: Mapping[str, str]) -> bytes:
    return file["text"].encode("utf-8") if "text" in file else base64.b64decode(file["base64"], validate=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else _key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _key(key: object) -> str:
    """Write a key as its JSON twin would stand: YAML readers make `200` a number and `null` None."""
    return str(key) if isinstance(key, int) and not isinstance(key, bool) else write_json(key)
