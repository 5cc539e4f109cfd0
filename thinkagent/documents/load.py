"""From a path, an address, stdin, bytes, a dict or a log to a `Document`."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

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
from thinkagent.values import write_json

__all__ = ["from_dict", "load", "load_bytes", "unpack"]

# Possessive, so that the quote cannot be given back and `"#…"` be taken for something else than a local reference.
_OUTWARD = re.compile(rb"""\$(?:ref|dynamicRef)["']?+\s*+:\s*+["']?+(?!#)""")


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
    data, entry, reader = read_entry(source, fetch or fetch_url, stdin)
    shown = "stdin" if source == "-" else _shown(source)
    idle: list[str] = []
    if overlays:
        data, idle = _overlaid(data, shown, overlays, fetch or fetch_url)
    return _make(data, entry, reader, shown, _base_of(source), idle)


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


def _overlaid(
    data: bytes, source: str, overlays: Sequence[str], fetch: Callable[[str], bytes]
) -> tuple[bytes, list[str]]:
    value = parse(data, source).value
    idle: list[str] = []
    for overlay in overlays:
        if overlay == "-":
            raise DocumentError("an overlay is not read from stdin", code="no_such_document", hint="Give its path")
        found, name = read_entry(overlay, fetch)[0], _shown(overlay)
        value, missed = apply_overlay(value, parse(found, name).value, name)
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
