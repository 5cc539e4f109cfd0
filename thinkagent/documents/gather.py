"""The parameters of one operation, collected and judged but not yet built.

Path item and operation are merged here, references followed, and what nobody could send is sorted out. What stands in
the way of the whole operation is said in `blocked`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from thinkagent.documents.files import Files
from thinkagent.documents.index import FoundOperation
from thinkagent.documents.nodes import Miss, Node, View
from thinkagent.documents.placeholders import placeholders
from thinkagent.documents.version import Dialect
from thinkagent.values import clip

__all__ = ["DeclaredParameter", "Gathered", "gather_parameters"]

MAX_PATH = 8000
"""RFC 9112, section 3: request lines of this length are to be supported, longer ones need not be."""
LOCATIONS = ("path", "query", "header", "cookie")
_BESIDE = frozenset(("description", "summary"))
_IGNORED_HEADERS = frozenset(("accept", "content-type", "authorization"))
"""OpenAPI 3.x, Parameter Object, `name`: such header parameters shall be ignored."""


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    name: str
    location: str
    """As the document says; also `body` and `formData` in 2.0, and any other word."""
    view: View


@dataclass(slots=True)
class Gathered:
    """The parameters of one operation; the operation's own win over the path item's."""

    declared: dict[tuple[str, str], DeclaredParameter] = field(default_factory=dict)
    """By name and location as written: what the document says, before anything is left out."""
    dangling: list[Miss] = field(default_factory=list)
    malformed: int = 0
    usable: list[DeclaredParameter] = field(default_factory=list)
    """What an operation is built from, 2.0's body and form parameters included."""
    assumed: dict[str, DeclaredParameter | None] = field(default_factory=dict)
    """Placeholders that no path parameter declares, with the parameter whose description fits, if any."""
    blocked: str = ""


def gather_parameters(found: FoundOperation, dialect: Dialect, files: Files) -> Gathered:
    """Collect the parameters of an operation; everything odd becomes a finding."""
    gathered = Gathered()
    if len(found.entry.path) > MAX_PATH:
        gathered.blocked = f"its path has {len(found.entry.path)} characters, more than any server takes"
        return gathered
    for holder in (found.item, found.operation):
        for declared in _declared_in(holder, gathered, files):
            gathered.declared[declared.name, declared.location] = declared
    merged: dict[tuple[str, str], DeclaredParameter] = {}
    for declared in gathered.declared.values():
        is_header = declared.location == "header"
        key = (declared.name.lower() if is_header else declared.name, declared.location)
        if is_header and key[0] in _IGNORED_HEADERS:
            continue
        merged.pop(key, None)
        merged[key] = declared
    for declared in merged.values():
        _judge(declared, dialect, gathered, files)
    _match_placeholders(found, gathered, files)
    return gathered


def _declared_in(holder: View, gathered: Gathered, files: Files) -> Iterator[DeclaredParameter]:
    listed = holder.get("parameters")
    if listed is None:
        return
    if not isinstance(listed.value, list):
        message = f"'parameters' is {_kind(listed)}, not a list"
        files.findings.add(listed.file, listed.pointer, message, consequence="none of them is offered")
        return
    for node in listed.items():
        view = files.view(node, only=_BESIDE)
        if view is not None and view.miss is not None:
            gathered.dangling.append(view.miss)
            files.findings.add(
                node.file, node.pointer, f"a parameter is lost: {view.miss}", consequence="it is not offered"
            )
        elif view is None or not _has_name_and_place(view):
            gathered.malformed += 1
            message = "a parameter without a text 'name' or 'in'" if view is not None else "a parameter is no object"
            files.findings.add(node.file, node.pointer, message, consequence="it is not offered")
        else:
            yield DeclaredParameter(view.text("name"), view.text("in"), view)


def _has_name_and_place(view: View) -> bool:
    return isinstance(view.raw("name"), str) and isinstance(view.raw("in"), str)


def _kind(node: Node) -> str:
    value = node.value
    if isinstance(value, dict):
        return "an object"
    return clip(repr(value), 40) if isinstance(value, str | int) or value is None else "no list"


def _judge(declared: DeclaredParameter, dialect: Dialect, gathered: Gathered, files: Files) -> None:
    known = (*LOCATIONS[:3], "body", "formData") if dialect == "2.0" else LOCATIONS
    if declared.location in known:
        gathered.usable.append(declared)
        return
    node = declared.view.node
    message = f"the parameter {clip(declared.name, 80)!r} is 'in' {clip(declared.location, 40)!r}"
    is_required = declared.view.raw("required") is True
    consequence = "the operation is left out" if is_required else "it is not offered"
    files.findings.add(node.file, node.pointer, f"{message}, which is not supported", consequence=consequence)
    if is_required:
        gathered.blocked = f"{message}, which is not supported, and is required"


def _match_placeholders(found: FoundOperation, gathered: Gathered, files: Files) -> None:
    path = found.entry.path
    declared = {item.name: item for item in gathered.usable if item.location == "path"}
    wanted = dict.fromkeys(placeholder.name for placeholder in placeholders(path, frozenset(declared)))
    missing = [name for name in wanted if name not in declared]
    stray = [item for name, item in declared.items() if name not in wanted]
    place = found.operation.node
    if missing and gathered.dangling and not gathered.blocked:
        gathered.blocked = f"nothing describes the placeholder {'{' + missing[0] + '}'!r}: {gathered.dangling[0]}"
        return
    for name in missing:
        twin = _twin(name, stray, gathered)
        gathered.assumed[name] = twin
        message = f"the path {clip(path, 120)!r} has the placeholder {name!r}, which no path parameter declares"
        consequence = "a required text parameter is assumed"
        if twin is not None:
            consequence = f"the {twin.location} parameter {clip(twin.name, 80)!r} is taken to describe it"
        files.findings.add(place.file, place.pointer, message, consequence=consequence)
    for item in stray:
        gathered.usable.remove(item)
        if f"/:{item.name}/" in f"{path}/" and not gathered.blocked:
            gathered.blocked = f"the path has ':{item.name}' where OpenAPI wants {'{' + item.name + '}'!r}"
            continue
        if item not in gathered.assumed.values():
            message = f"the path {clip(path, 120)!r} has no placeholder for the parameter {clip(item.name, 80)!r}"
            files.findings.add(item.view.node.file, item.view.node.pointer, message, consequence="it is not offered")


def _twin(name: str, stray: list[DeclaredParameter], gathered: Gathered) -> DeclaredParameter | None:
    """Find the parameter meant by a placeholder: spelt otherwise, or declared in another place."""
    folded = _folded(name)
    for item in stray:
        if _folded(item.name) == folded:
            return item
    for item in gathered.usable:
        if item.name == name and item.location in ("query", "header", "cookie"):
            return item
    return None


def _folded(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "")
