"""How many of everything a document holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from thinkagent.documents.components import schema_holder, security_holder
from thinkagent.documents.content import BESIDE
from thinkagent.documents.files import Files
from thinkagent.documents.gather import Gathered
from thinkagent.documents.index import FoundOperation, find_webhooks, is_unusual_method, method_keys, operations_of
from thinkagent.documents.nodes import View
from thinkagent.documents.version import Version
from thinkagent.documents.walk import References, cyclic_schemas
from thinkagent.values import digest

__all__ = ["Count", "count", "count_references"]

_LOCATIONS = ("path", "query", "header", "cookie")
_NONE = dict.fromkeys(
    [
        "operations",
        "operation_ids",
        "operations_without_id",
        "repeated_operation_ids",
        "deprecated_operations",
        "parameters",
        "parameters_path",
        "parameters_query",
        "parameters_header",
        "parameters_cookie",
        "parameters_other",
        "body_parameters",
        "form_parameters",
        "malformed_parameters",
        "dangling_parameters",
        "request_bodies",
        "dangling_request_bodies",
        "secured_operations",
        "callback_operations",
        "operation_refs",
        "dangling_operations",
    ],
    0,
)

Count = int | str | None
Gathering = Iterable[tuple[FoundOperation, Gathered]]


def count(root: View, version: Version, files: Files, operations: Gathering) -> dict[str, Count]:
    """Count operations, parameters, bodies, schemes and the rest; nothing is built."""
    counts: dict[str, Count] = {**_NONE, **_document_counts(root, version, files)}
    totals: Counter[str] = Counter()
    ids: list[str] = []
    for found, gathered in operations:
        totals.update(_operation_counts(found, gathered, root, version, files))
        if found.entry.operation_id:
            ids.append(found.entry.operation_id)
    counts.update(totals)
    counts["operation_ids"] = len(set(ids))
    counts["repeated_operation_ids"] = len(ids) - len(set(ids))
    return counts


def _operation_counts(
    found: FoundOperation, gathered: Gathered, root: View, version: Version, files: Files
) -> Mapping[str, int]:
    is_v2 = version.dialect == "2.0"
    totals: Counter[str] = Counter(
        operations=1,
        operations_without_id=not found.entry.operation_id,
        deprecated_operations=found.entry.deprecated,
        malformed_parameters=gathered.malformed,
        dangling_parameters=len(gathered.dangling),
        operation_refs=found.is_reference,
        dangling_operations=found.operation.miss is not None,
    )
    for _, location in gathered.declared:
        if is_v2 and location in ("body", "formData"):
            totals["body_parameters" if location == "body" else "form_parameters"] += 1
        else:
            totals["parameters"] += 1
            totals[f"parameters_{location if location in _LOCATIONS else 'other'}"] += 1
    if is_v2:
        totals["request_bodies"] += any(location in ("body", "formData") for _, location in gathered.declared)
    else:
        totals.update(_body_counts(found.operation, files))
        totals["callback_operations"] += _callbacks(found.operation, version, files)
    holder = found.operation if found.operation.get("security") is not None else root
    totals["secured_operations"] += _is_secured(holder.raw("security"))
    return totals


def _body_counts(operation: View, files: Files) -> Mapping[str, int]:
    node = operation.get("requestBody")
    if node is None or node.value is None:
        return {}
    view = files.view(node, only=BESIDE)
    return {"request_bodies" if view is not None and view.miss is None else "dangling_request_bodies": 1}


def _is_secured(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) and item for item in value)


def _callbacks(operation: View, version: Version, files: Files) -> int:
    total = 0
    callbacks = operation.get("callbacks")
    for _, node in callbacks.members() if callbacks is not None else ():
        view = files.view(node, only=frozenset())
        for expression, member in view.members() if view is not None and view.miss is None else ():
            item = files.view(member) if not expression.startswith("x-") else None
            total += sum(1 for _ in operations_of(item, version.dialect, files)) if item is not None else 0
    return total


def _document_counts(root: View, version: Version, files: Files) -> dict[str, Count]:
    info = root.raw("info")
    title = info.get("title") if isinstance(info, dict) else None
    main = files.read[files.entry]
    counts: dict[str, Count] = {
        "bytes": len(main.data),
        "sha256": digest(main.data).removeprefix("sha256:"),
        "encoding": main.parsed.encoding,
        "parsed_as": main.parsed.syntax,
        "repeated_keys": len(main.parsed.repeated),
        "version": version.text,
        "title": title if isinstance(title, str) else None,
        "security_schemes": len(_members(security_holder(root, version.dialect, files))),
        "schemas": len(_members(schema_holder(root, version.dialect, files))),
        "servers": _servers(root, version),
        "webhook_operations": find_webhooks(root, version.dialect, files),
        "files": len(files.read),
    }
    counts.update(_path_counts(root, version, files))
    return counts


def _members(view: View | None) -> list[str]:
    return view.names() if view is not None else []


def _servers(root: View, version: Version) -> int:
    if version.dialect == "2.0":
        schemes = root.raw("schemes")
        return max(1, len(schemes) if isinstance(schemes, list) else 0) if root.raw("host") else 0
    servers = root.raw("servers")
    return len(servers) if isinstance(servers, list) else 0


def _path_counts(root: View, version: Version, files: Files) -> dict[str, int]:
    counts = dict.fromkeys(("paths", "path_item_refs", "dangling_path_items", "unusual_method_keys"), 0)
    node = root.get("paths")
    view = files.view(node) if node is not None else None
    methods = method_keys(version.dialect)
    for path, member in view.members() if view is not None else ():
        if path.startswith("x-"):
            continue
        counts["paths"] += 1
        item = files.view(member)
        if item is not None:
            counts["path_item_refs"] += isinstance(member.value.get("$ref"), str)
            counts["dangling_path_items"] += item.miss is not None
            counts["unusual_method_keys"] += sum(is_unusual_method(key, methods) for key in item.names())
    return counts


def count_references(found: References, root: View, version: Version, files: Files) -> dict[str, int]:
    """Count the references that a walk found, and what they lead to."""
    holder = schema_holder(root, version.dialect, files)
    return {
        "refs": found.total,
        "remote_refs": len(found.remote),
        "dangling_refs": len(found.dangling),
        "dangling_targets": len({miss.reference for miss in found.dangling}),
        "cyclic_schemas": cyclic_schemas(dict(holder.members()) if holder is not None else {}, files),
        "largest_enum": found.largest_enum,
        "longest_description": found.longest_description,
    }
