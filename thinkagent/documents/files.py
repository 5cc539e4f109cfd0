"""The files of one document and the references between them.

Nothing is ever read from the network or from an absolute path for a reference's sake: such a reference is a `Miss`, as
is one that leads nowhere or in a circle.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

from thinkagent.documents.findings import Findings
from thinkagent.documents.nodes import ADDRESS, LITERAL, NAMED, Miss, Node, View, join
from thinkagent.documents.parse import Parsed, parse
from thinkagent.documents.sources import Reader, Unreadable
from thinkagent.errors import DocumentError
from thinkagent.values import clip, parse_pointer

__all__ = ["File", "Files", "note_oddities"]

_MAX_FILES = 2000
MAX_CHAIN = 100
"""References to references to an object."""


@dataclass(slots=True)
class File:
    name: str
    data: bytes
    parsed: Parsed


class Files:
    """The entry document and every file that its references name."""

    def __init__(
        self, entry: str, data: bytes, parsed: Parsed, reader: Reader, findings: Findings | None = None
    ) -> None:
        self.entry = entry
        self.read: dict[str, File] = {entry: File(entry, data, parsed)}
        self.missing: dict[str, str] = {}
        self.findings = Findings(self.show)
        self.reads_ids = False
        self.is_sealed = False
        self._reader = reader
        self._ids: dict[str, Node] = {}
        self._anchors: dict[tuple[str, str], Node] = {}
        self._found: dict[tuple[str, str, str, bool], Node] = {}

    @property
    def root(self) -> Node:
        return self._root_of(self.entry)

    def show(self, name: str) -> str:
        """Write a file's name relative to the entry document; the entry itself is the empty text."""
        if name == self.entry:
            return ""
        home = posixpath.dirname(self.entry)
        return posixpath.relpath(name, home) if home else name

    def place(self, node: Node) -> str:
        """Write where a node stands: `#/paths/…`, in another file `parts/a.yaml#/…`."""
        return f"{self.show(node.file)}#{node.pointer}"

    def start_ids(self) -> None:
        """Resolve `$id`, `$anchor` and `$self` from now on (OpenAPI 3.1 and later)."""
        self.reads_ids = True
        for file in self.read.values():
            self._index_ids(file)

    def seal(self) -> None:
        """Read no further file: what is not read by now is a miss."""
        self.is_sealed = True

    def view(self, node: Node, *, only: frozenset[str] | None = None) -> View | None:
        """Follow the `$ref` of an object; None where it is no object.

        `only` names the keys that count beside a `$ref`; without it all do.
        """
        layers: list[Node] = []
        seen: set[tuple[str, str]] = set()
        reference: object = None
        while isinstance(node.value, dict):
            target = node.value.get("$ref")
            if not isinstance(target, str):
                return View((*layers, node))
            reference = target
            beside = {
                key: value for key, value in node.value.items() if key != "$ref" and (only is None or key in only)
            }
            if beside:
                layers.append(node._replace(value=beside))
            found = self.find(target, node)
            if isinstance(found, Node) and (found.file, found.pointer) in seen:
                found = Miss(target, "goes in a circle", node)
            if len(seen) >= MAX_CHAIN:
                found = Miss(target, f"comes after {MAX_CHAIN} others that lead to it", node)
            if isinstance(found, Miss):
                return View((*layers, node._replace(value={})), found)
            seen.add((found.file, found.pointer))
            node = found
        if not isinstance(reference, str):
            return None
        return View((*layers, node._replace(value={})), Miss(reference, "does not lead to an object", node))

    def find(self, reference: str, at: Node, *, by_the_letter: bool = False) -> Node | Miss:
        """Follow one reference from where it stands.

        By the letter an `$id` moves the base of every reference below it. Many authors do not know, so that what
        leads nowhere is tried from the file itself as well, unless `by_the_letter`.
        """
        key = (reference, at.base, at.file, by_the_letter)
        known = self._found.get(key)
        if known is not None:
            return known
        found = self._look_up(reference, at, by_the_letter)
        # A miss tells where it stands, and a file that is still to be read can move what an address leads to.
        if self.is_sealed and isinstance(found, Node):
            self._found[key] = found
        return found

    def _look_up(self, reference: str, at: Node, by_the_letter: bool) -> Node | Miss:
        name, _, fragment = reference.partition("#")
        try:
            found = self._find(join(at.base, name), fragment, reference, at)
            if isinstance(found, Miss) and at.base != at.file and not by_the_letter:
                lenient = self._find(join(at.file, name), fragment, reference, at)
                return found if isinstance(lenient, Miss) else lenient
        except ValueError:
            return Miss(reference, "is no valid address", at)
        return found

    def _find(self, address: str, fragment: str, reference: str, at: Node) -> Node | Miss:
        resource = self._resource(address, reference, at)
        if isinstance(resource, Miss):
            return resource
        if fragment and not fragment.startswith("/"):
            anchored = self._anchors.get((address, unquote(fragment)))
            return anchored if anchored is not None else Miss(reference, "leads nowhere: there is no such anchor", at)
        return _step(resource, fragment) or Miss(reference, self._nowhere(resource), at)

    def _nowhere(self, resource: Node) -> str:
        return "leads nowhere" if resource.file == self.entry else f"leads nowhere in {self.show(resource.file)!r}"

    def _resource(self, address: str, reference: str, at: Node) -> Node | Miss:
        known = self._ids.get(address)
        if known is not None:
            return known
        if address in self.read:
            return self._root_of(address)
        if ADDRESS.match(address) or address.startswith("//"):
            if address.startswith(("http:", "https:", "//")):
                return Miss(reference, "leads to the network, and nothing is fetched", at, is_remote=True)
            return Miss(reference, "is an address of a kind that is not read", at)
        if address.startswith("/"):
            return Miss(reference, "is an absolute path, and only files beside the document are read", at)
        if address.startswith(".."):
            return Miss(reference, "lies more than one folder above the document and is not read", at, is_remote=True)
        return self._open(address, reference, at)

    def _open(self, name: str, reference: str, at: Node) -> Node | Miss:
        if name not in self.missing:
            try:
                if self.is_sealed:
                    raise Unreadable("it was not read when the document was loaded")
                if len(self.read) >= _MAX_FILES:
                    raise Unreadable(f"the document has more than {_MAX_FILES} files")
                self._read(name, at)
                return self._root_of(name)
            except Unreadable as error:
                self.missing[name] = str(error)
            except DocumentError as error:
                self.missing[name] = f"it cannot be used: {error.message}"
        shown = self.show(name)
        return Miss(reference, f"leads to the file {shown!r}: {self.missing[name]}", at, shown.startswith(".."))

    def _read(self, name: str, at: Node) -> None:
        data = self._reader(name)
        file = File(name, data, parse(data, self.show(name)))
        self.read[name] = file
        note_oddities(file, self.findings)
        if self.show(name).startswith(".."):
            message = f"{self.show(name)!r} lies outside the document's folder; it was read because it is named here"
            self.findings.add(at.file, at.pointer, message, severity="note")
        if self.reads_ids:
            self._index_ids(file)

    def _root_of(self, name: str) -> Node:
        return Node(self.read[name].parsed.value, name, "", name)

    def _index_ids(self, file: File) -> None:
        if not any(mark in file.data for mark in (b"$id", b"nchor", b"$self", b"\\u", b"\0")):
            return
        root = self._root_of(file.name)
        if isinstance(root.value, dict) and isinstance(root.value.get("$self"), str):
            self._ids.setdefault(join(file.name, root.value["$self"]).partition("#")[0], root)
        todo: list[tuple[Node, str]] = [(root, "")]
        while todo:
            node, key = todo.pop()
            is_named = key in NAMED
            if isinstance(node.value, dict) and not is_named:
                self._register(node)
            for name, child in node.members():
                if is_named or name not in LITERAL:
                    todo.append((child, "" if is_named else name))
            todo.extend((child, "") for child in node.items() if isinstance(child.value, dict | list))

    def _register(self, node: Node) -> None:
        if isinstance(node.value.get("$id"), str):
            self._ids.setdefault(node.base, node)
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = node.value.get(keyword)
            if isinstance(name, str):
                self._anchors.setdefault((node.base, name), node)


def _step(node: Node, fragment: str) -> Node | None:
    """Follow a JSON Pointer that stands percent-encoded in a fragment (RFC 6901, section 6)."""
    if not fragment:
        return node
    for raw in fragment[1:].split("/"):
        value = node.value
        token = parse_pointer("/" + unquote(raw))[0] if "%" in raw or "~" in raw else raw
        if isinstance(value, dict):
            if token not in value:
                token = raw
            if token not in value:
                return None
            node = node.child(token)
        elif isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,9}", token) and int(token) < len(value):
            node = node.child(int(token))
        else:
            return None
    return node


def note_oddities(file: File, findings: Findings) -> None:
    """Turn what was odd about reading a file into findings."""
    parsed = file.parsed
    for key in dict.fromkeys(parsed.repeated):
        findings.add(
            file.name, "", f"the key {clip(key, 80)!r} comes more than once in one object; the last one counts"
        )
    for anchor in dict.fromkeys(parsed.circular):
        message = f"the YAML anchor {anchor!r} holds an alias of itself"
        findings.add(file.name, "", message, consequence="an empty value stands there")
    if parsed.more_documents:
        findings.add(file.name, "", "the YAML text holds several documents", consequence="only the first is read")
    if parsed.encoding == "cp1252":
        findings.add(file.name, "", "the text is not UTF-8; it is read as Windows-1252", severity="note")
