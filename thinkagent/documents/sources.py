"""Where the files of a document come from, and which of them may be read at all.

Files are named relative to the folder *above* the entry document's (`spec/openapi.yaml`, `common/error.yaml`), so
that a reference may climb one folder and no further. A reader gives the bytes of a name, or says why not.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import quote, unquote, urljoin, urlsplit

from thinkagent.errors import DocumentError, list_names, nearest

__all__ = ["MAX_BYTES", "FolderReader", "NoReader", "PackedReader", "Reader", "Unreadable", "UrlReader", "read_entry"]

MAX_BYTES = 100_000_000
"""Larger files are refused."""

Fetch = Callable[[str], bytes]


class Unreadable(Exception):
    """A file that a document names is not read; the text says why."""


class Reader(Protocol):
    def __call__(self, name: str) -> bytes:
        """Give the bytes of a file; raises `Unreadable`."""
        ...


class NoReader:
    """Reads nothing: the document stands in no folder."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __call__(self, name: str) -> bytes:
        raise Unreadable(self.reason)


class FolderReader:
    """Reads regular files at or below a folder, links followed, hidden ones left alone.

    `home` is the folder of the entry document below it, which may itself be hidden.
    """

    def __init__(self, root: Path, home: str) -> None:
        self.root = root
        self.home = home
        self.real_root = Path(os.path.realpath(root))

    def __call__(self, name: str) -> bytes:
        if any(part.startswith(".") for part in name.removeprefix(f"{self.home}/").split("/")):
            raise Unreadable("it is a hidden file or lies in a hidden folder")
        try:
            real = Path(os.path.realpath(self.root / name))
            if not real.is_relative_to(self.real_root):
                raise Unreadable("it is a link that leads out of the document's folder")
            return _read_regular(real)
        except FileNotFoundError:
            raise Unreadable("there is no such file") from None
        except OSError as error:
            raise Unreadable(f"it cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise Unreadable(f"it cannot be read: {error}") from error


class UrlReader:
    """Reads what lies beside a document that was itself fetched: the same origin, one folder up at most."""

    def __init__(self, root: str, fetch: Fetch) -> None:
        self.root = root
        self.fetch = fetch

    def __call__(self, name: str) -> bytes:
        try:
            return self.fetch(urljoin(self.root, quote(name, safe="/!$&'()*+,;=@")))
        except DocumentError as error:
            raise Unreadable(error.message) from error


class PackedReader:
    """Gives what a log kept; what could not be read then is missing now, for the reason of then."""

    def __init__(self, files: Mapping[str, bytes], missing: Mapping[str, str]) -> None:
        self.files = files
        self.missing = missing

    def __call__(self, name: str) -> bytes:
        if name in self.files:
            return self.files[name]
        raise Unreadable(self.missing.get(name, "it was not kept"))


def _read_regular(path: Path) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is no regular file")
    if status.st_size > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES} bytes")
    return path.read_bytes()


def read_entry(source: str, fetch: Fetch, stdin: BinaryIO | None = None) -> tuple[bytes, str, Reader]:
    """Read the entry document; gives its bytes, its name for the reader, and the reader of its neighbours.

    Raises:
        DocumentError: it cannot be read.
    """
    if not source.strip():
        raise DocumentError(
            "the document's name is empty",
            code="no_such_document",
            hint="Give a path, an http(s) address or - for stdin",
        )
    if source == "-":
        data = _read_stdin(stdin)
        if len(data) > MAX_BYTES:
            raise _unreadable("the document on stdin", f"it is larger than {MAX_BYTES} bytes", "stdin")
        return data, "", NoReader("the document came from stdin, so it has no folder to read other files from")
    scheme = source.partition("://")[0].lower() if "://" in source else ""
    if scheme in ("http", "https"):
        return _read_url(source, fetch)
    if scheme:
        raise DocumentError(
            f"documents are not read from {scheme + '://'!r} addresses",
            code="document_unreachable",
            where=source,
            hint="Give a path, an http(s) address or - for stdin",
        )
    return _read_file(source)


def _read_stdin(stdin: BinaryIO | None) -> bytes:
    source = stdin or getattr(sys.stdin, "buffer", None)
    try:
        if source is None:
            raise ValueError("it is closed")
        return bytes(source.read(MAX_BYTES + 1))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise _unreadable("the document on stdin", reason, "stdin", "Give a path or an http(s) address") from error


def _read_url(source: str, fetch: Fetch) -> tuple[bytes, str, Reader]:
    try:
        folder = urljoin(source, ".")
    except ValueError as error:
        raise DocumentError(
            f"{source!r} is no address: {str(error).lower()}",
            code="document_unreachable",
            where=source,
            hint="Write it like http://host:port/openapi.json",
        ) from error
    root = urljoin(folder, "..") if urlsplit(folder).path not in ("", "/") else folder
    name = unquote(urlsplit(source).path[len(urlsplit(root).path) :]) or "document"
    return fetch(source), name, UrlReader(root, fetch)


def _read_file(source: str) -> tuple[bytes, str, Reader]:
    path = Path(os.path.abspath(source))
    try:
        if path.is_dir():
            raise _unreadable(repr(source), "it is a folder", source, _documents_in(path))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        near = nearest(path.name, _names_in(path.parent))
        hint = f"Did you mean {list_names(near)}?" if near else "Check the path"
        raise DocumentError(f"there is no file {source!r}", code="no_such_document", where=source, hint=hint) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _unreadable(repr(source), reason, source) from error
    if len(data) > MAX_BYTES:
        raise _unreadable(repr(source), f"it is larger than {MAX_BYTES} bytes", source)
    folder = path.parent
    name = f"{folder.name}/{path.name}" if folder.name else path.name
    return data, name, FolderReader(folder.parent, folder.name)


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _documents_in(folder: Path) -> str:
    names = [name for name in _names_in(folder) if name.endswith((".json", ".yaml", ".yml"))]
    return f"Name the file: it holds {list_names(names)}" if names else "Name the file"


def _unreadable(what: str, reason: str, where: str, hint: str = "Give a readable file") -> DocumentError:
    return DocumentError(f"{what} cannot be read: {reason}", code="document_unreadable", where=where, hint=hint)
