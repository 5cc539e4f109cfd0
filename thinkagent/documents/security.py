"""Security Scheme Objects and security requirements; those of 2.0 in the words of 3.x."""

from __future__ import annotations

from collections.abc import Mapping

from thinkagent.documents.files import Files
from thinkagent.documents.model import SecurityScheme
from thinkagent.documents.nodes import Node, View
from thinkagent.values import clip

__all__ = ["read_requirements", "read_security_schemes"]

_FLOWS_V2 = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}
_TYPES = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")
_TEXT = frozenset(("description", "summary"))


def read_security_schemes(holder: View | None, files: Files) -> Mapping[str, SecurityScheme]:
    """Read the entries of `components.securitySchemes` or of 2.0's `securityDefinitions`."""
    found: dict[str, SecurityScheme] = {}
    for name, node in holder.members() if holder is not None else ():
        view = files.view(node, only=_TEXT)
        if view is None or view.miss is not None:
            reason = str(view.miss) if view is not None and view.miss is not None else "it is no object"
            message = f"the security scheme {clip(name, 80)!r} cannot be used: {reason}"
            files.findings.add(node.file, node.pointer, message, consequence="nothing can log in with it")
        else:
            found[name] = _scheme(name, view, files)
    return found


def _scheme(name: str, view: View, files: Files) -> SecurityScheme:
    kind, scheme = view.text("type"), view.text("scheme").lower()
    if kind == "basic":
        kind, scheme = "http", "basic"
    location, parameter = view.text("in"), view.text("name")
    problem = ""
    if kind not in _TYPES:
        problem = f"has the type {clip(kind, 40)!r}; known are {', '.join(_TYPES)}" if kind else "has no type"
    elif kind == "apiKey" and (location not in ("header", "query", "cookie") or not parameter):
        problem = "is an apiKey without a usable 'in' and 'name'"
    elif kind == "http" and not scheme:
        problem = "is of type http without 'scheme'"
    if problem:
        message = f"the security scheme {clip(name, 80)!r} {problem}"
        files.findings.add(view.node.file, view.node.pointer, message, consequence="nothing can log in with it")
    return SecurityScheme(
        name,
        kind,
        scheme if kind == "http" else "",
        location if kind == "apiKey" else "",
        parameter if kind == "apiKey" else "",
        view.text("description"),
        _flows(view) if kind == "oauth2" else {},
    )


def _flows(view: View) -> Mapping[str, object]:
    flows = view.raw("flows")
    if isinstance(flows, dict):
        return {name: flow for name, flow in flows.items() if isinstance(flow, dict)}
    flow = _FLOWS_V2.get(view.text("flow"))
    if flow is None:
        return {}
    kept = {key: view.raw(key) for key in ("authorizationUrl", "tokenUrl", "scopes") if view.raw(key) is not None}
    return {flow: kept}


def read_requirements(node: Node | None, files: Files) -> tuple[tuple[str, ...], ...] | None:
    """Read a `security` list as alternatives of scheme names; None where there is none."""
    if node is None:
        return None
    if not isinstance(node.value, list):
        files.findings.add(node.file, node.pointer, "'security' is no list", consequence="it is ignored")
        return None
    alternatives = [tuple(item.value) for item in node.items() if isinstance(item.value, dict)]
    return tuple(dict.fromkeys(alternatives))
