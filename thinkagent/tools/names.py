"""Names that every model service takes, and that stay the same whatever the order in the document."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from thinkagent.documents.model import Parameter

__all__ = [
    "RESERVED",
    "DocumentKey",
    "OperationKey",
    "argument_names",
    "document_names",
    "tell_apart",
    "tool_names",
]

RESERVED = ("compute", "search_tools", "inspect", "wait", "ask", "finish")
"""Names that are not the API's to use; an operation of such a name is called `api_NAME`."""

MAX_LENGTH = 64
MAX_READ = 1000
"""Characters of a name that count; the rest is told apart by the hash."""

MAX_DOCUMENT = 24
"""Characters that a title gives to a document's name, so that the name of a tool has room behind it."""

_LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ILLEGAL_RUN = re.compile(r"[^A-Za-z0-9-]*[^A-Za-z0-9_-][^A-Za-z0-9-]*")
_LOCATIONS = {"path": 0, "query": 1, "header": 2, "cookie": 3}


class OperationKey(NamedTuple):
    """What a tool's name is made from."""

    method: str
    path: str
    operation_id: str


class DocumentKey(NamedTuple):
    """What a document's name is made from."""

    title: str
    source: str
    told_apart: str
    """What no other document has; of no meaning."""


def tool_names(operations: Iterable[OperationKey]) -> dict[tuple[str, str], str]:
    """Name every operation: (method, path) to [A-Za-z0-9_-]{1,64}, unique whatever the case of letters.

    The operationId is taken as it is where it can be; otherwise it, or method and path, is cleaned. Names that would
    fall together, and names that were cut or lost letters, end in a hash of method and path; so a name depends on no
    position, and another operation can change it only by claiming the same name.
    """
    keys = sorted({(key.method, key.path): key for key in operations}.values())
    wanted = {(key.method, key.path): _wanted_name(key) for key in keys}
    claims = Counter(name.lower() for name in wanted.values())
    exact = Counter(key.operation_id.lower() for key in keys if wanted[key.method, key.path] == key.operation_id)
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    late: list[OperationKey] = []
    for key in keys:
        name = wanted[key.method, key.path]
        is_exact = name == key.operation_id and exact[name.lower()] == 1
        if claims[name.lower()] == 1 or is_exact:
            names[key.method, key.path] = name
            taken.add(name.lower())
        else:
            late.append(key)
    for key in late:
        name = _free_name(wanted[key.method, key.path], f"{key.method} {key.path}", taken)
        names[key.method, key.path] = name
        taken.add(name.lower())
    return names


def tell_apart(named: Mapping[str, Mapping[tuple[str, str], str]]) -> dict[str, dict[tuple[str, str], str]]:
    """Tell the tools of several documents apart: their names, by document and (method, path).

    A name that several documents claim gets the document's name before it in each; every other stays as it is. What is
    longer than 64 then, or taken, ends in a hash. The order of the documents does not count.
    """
    apart: dict[str, dict[tuple[str, str], str]] = {document: dict(names) for document, names in named.items()}
    if len(apart) == 1:
        return apart
    claims = Counter(name.lower() for names in named.values() for name in names.values())
    taken = {name for name, count in claims.items() if count == 1} | set(RESERVED)
    for document in sorted(apart):
        for (method, path), name in sorted(apart[document].items()):
            if claims[name.lower()] == 1:
                continue
            told = f"{document}_{name}"
            if len(told) > MAX_LENGTH or told.lower() in taken:
                told = _free_name(told, f"{document} {method} {path}", taken)
            apart[document][method, path] = told
            taken.add(told.lower())
    return apart


def document_names(documents: Sequence[DocumentKey]) -> tuple[str, ...]:
    """Name each of several documents: [a-z0-9_], at most 64, unique; the only one has no name.

    A name is the title's plain part, else that of the file's name; of several with one title each gets its file's name
    behind it, else a hash. The order of the documents does not count.
    """
    if len(documents) == 1:
        return ("",)
    files = [_plain(_stem(key.source)) or "api" for key in documents]
    names = [_plain(key.title) or file for key, file in zip(documents, files, strict=True)]
    names = _where_shared(names, [f"{name}_{file}" for name, file in zip(names, files, strict=True)])
    marked = [_with_hash(name, key.told_apart) for name, key in zip(names, documents, strict=True)]
    return tuple(_where_shared(names, marked))


def _where_shared(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [more if counts[name] > 1 else name for name, more in zip(names, longer, strict=True)]


def _plain(text: str) -> str:
    """Give a text as a name in small letters; empty where letters would be lost."""
    cleaned, lost = _clean(re.sub("['’]", "", text))
    name = "" if lost else re.sub(r"[^a-z0-9]+", "_", cleaned.lower()).strip("_")
    cut = name[:MAX_DOCUMENT]
    return name if cut == name else cut.rpartition("_")[0] or cut


def _stem(source: str) -> str:
    path = urlsplit(source).path if source.startswith(("http://", "https://")) else source
    return PurePosixPath(unquote(path)).stem


def _wanted_name(key: OperationKey) -> str:
    name = key.operation_id
    if not _LEGAL.fullmatch(name):
        told_apart = f"{key.method} {key.path}"
        cleaned, lost = _clean(name)
        if not cleaned:
            path, path_lost = _clean(key.path)
            cleaned, lost = f"{key.method.lower()}_{path or ('' if path_lost else 'root')}", path_lost
        name = _with_hash(cleaned, told_apart) if lost or len(cleaned) > MAX_LENGTH else cleaned
    return f"api_{name}" if name.lower() in RESERVED else name


def _clean(text: str) -> tuple[str, bool]:
    """Give the legal part of a text, and whether letters or digits were lost on the way."""
    text = text[:MAX_READ]
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    lost = any(char.isalnum() and not char.isascii() for char in plain)
    return _ILLEGAL_RUN.sub("_", plain).strip("_-"), lost


def _with_hash(name: str, told_apart: str, digits: int = 8) -> str:
    mark = hashlib.sha256(told_apart.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
    return f"{name[: MAX_LENGTH - digits - 1].rstrip('_-')}_{mark}"


def _free_name(name: str, told_apart: str, taken: set[str]) -> str:
    for digits in (8, 16, 32, 56):
        candidate = _with_hash(name, told_apart, digits)
        if candidate.lower() not in taken:
            return candidate
    raise AssertionError(f"two operations are {told_apart!r}")


def argument_names(parameters: Sequence[Parameter], *, has_body: bool) -> dict[tuple[str, str], str]:
    """Name every parameter for the mind: (location, name in the document) to [A-Za-z0-9_-]{1,64}, unique.

    A legal name is kept. Of several parameters of one name the one in the path keeps it, then query, header, cookie;
    the others become `query_id`, `header_id`, `cookie_id`. Beside a request body `body` is the body's.
    """
    given: set[tuple[str, str]] = {(parameter.location, parameter.name) for parameter in parameters}
    keys = sorted(given, key=lambda key: (_LOCATIONS[key[0]], key[1]))
    names: dict[tuple[str, str], str] = {}
    taken = {"body"} if has_body else set()
    late: list[tuple[str, str]] = []
    for location, wire_name in keys:
        if _LEGAL.fullmatch(wire_name) and wire_name not in taken:
            names[location, wire_name] = wire_name
            taken.add(wire_name)
        else:
            late.append((location, wire_name))
    for location, wire_name in late:
        name = _argument_name(location, wire_name, taken)
        names[location, wire_name] = name
        taken.add(name)
    return names


def _argument_name(location: str, wire_name: str, taken: set[str]) -> str:
    told_apart = f"{location} {wire_name}"
    cleaned, lost = _clean(wire_name)
    if not cleaned:
        cleaned, lost = location, True
    if lost or len(cleaned) > MAX_LENGTH - len("header_"):
        cleaned = _with_hash(cleaned, told_apart)
    for candidate in (cleaned, f"{location}_{cleaned}"[:MAX_LENGTH]):
        if candidate not in taken:
            return candidate
    return _free_name(cleaned, told_apart, {name.lower() for name in taken})
