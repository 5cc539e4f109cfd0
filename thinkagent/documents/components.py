"""The maps of components, wherever a version keeps them."""

from __future__ import annotations

from thinkagent.documents.files import Files
from thinkagent.documents.nodes import View
from thinkagent.documents.version import Dialect

__all__ = ["schema_holder", "security_holder"]


def schema_holder(root: View, dialect: Dialect, files: Files) -> View | None:
    """Give the component schemas; None where there are none."""
    return _holder(root, dialect, files, "definitions", "schemas")


def security_holder(root: View, dialect: Dialect, files: Files) -> View | None:
    """Give the security schemes; None where there are none."""
    return _holder(root, dialect, files, "securityDefinitions", "securitySchemes")


def _holder(root: View, dialect: Dialect, files: Files, name_v2: str, name: str) -> View | None:
    """Find a map of components, also where it or `components` as a whole stands behind a reference."""
    if dialect == "2.0":
        node = root.get(name_v2)
    else:
        components = root.get("components")
        holder = files.view(components) if components is not None else None
        node = holder.get(name) if holder is not None else None
    return files.view(node) if node is not None else None
