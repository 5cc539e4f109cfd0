"""Server Objects, and what stands for them in 2.0: `schemes`, `host` and `basePath`."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from thinkagent.documents.fetch import is_loopback
from thinkagent.documents.files import Files
from thinkagent.documents.model import Server, ServerVariable
from thinkagent.documents.nodes import Node, View
from thinkagent.values import clip

__all__ = ["read_servers", "read_servers_v2"]

_WEB_SCHEMES = ("http", "https")


def read_servers(node: Node | None, files: Files) -> tuple[Server, ...] | None:
    """Read a `servers` list; None where there is none or it is empty, so that the next level counts."""
    if node is None:
        return None
    if not isinstance(node.value, list):
        files.findings.add(node.file, node.pointer, "'servers' is no list", consequence="it is ignored")
        return None
    servers = [server for item in node.items() if (server := _server(item, files)) is not None]
    return tuple(servers) or None


def _server(node: Node, files: Files) -> Server | None:
    view = files.view(node)
    url = view.text("url").strip() if view is not None else ""
    if view is None or not url:
        files.findings.add(node.file, node.pointer, "a server without 'url'", consequence="it is ignored")
        return None
    variables = _variables(view.get("variables"), files)
    for name in dict.fromkeys(re.findall(r"\{([^{}]*)\}", url)):
        if name not in variables:
            message = f"the server {clip(url, 80)!r} has the variable {name!r}, which is not declared"
            files.findings.add(node.file, node.pointer, message, consequence="a base address must be given to use it")
        elif variables[name].default is None:
            message = f"the server variable {name!r} has no default"
            files.findings.add(node.file, node.pointer, message, consequence="a base address must be given to use it")
    return Server(url, view.text("description"), variables)


def _variables(node: Node | None, files: Files) -> dict[str, ServerVariable]:
    found: dict[str, ServerVariable] = {}
    for name, member in node.members() if node is not None else ():
        view = files.view(member)
        if view is None:
            files.findings.add(member.file, member.pointer, f"the server variable {name!r} is no object")
            continue
        enum = view.raw("enum")
        choices = tuple(text for item in enum if (text := _text(item)) is not None) if isinstance(enum, list) else ()
        found[name] = ServerVariable(_text(view.raw("default")), choices, view.text("description"))
    return found


def _text(value: object) -> str | None:
    """Give a scalar as text: many write `default: 8080` where the standard wants `'8080'`."""
    if value is None or isinstance(value, dict | list):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def read_servers_v2(document: View, operation: View | None, base_uri: str | None, files: Files) -> tuple[Server, ...]:
    """Build the servers of a 2.0 document, or of one of its operations that has `schemes` of its own.

    Without `host` the address is relative; without `schemes` it is the scheme of the document's own address, else
    https, for a loopback host http.
    """
    host, base_path = document.text("host").strip(), document.text("basePath").strip()
    if not host:
        return (Server(base_path),) if base_path.strip("/") else ()
    path = "" if base_path in ("", "/") else "/" + base_path.strip("/")
    stated = _schemes(operation) or _schemes(document)
    usable = [scheme for scheme in stated if scheme in _WEB_SCHEMES]
    if not usable:
        usable = [_assumed_scheme(host, base_uri)]
        node = document.node
        message = f"'schemes' names neither http nor https for the host {clip(host, 80)!r}"
        files.findings.add(node.file, node.pointer, message, severity="note", consequence=f"{usable[0]} is assumed")
    return tuple(Server(f"{scheme}://{host}{path}") for scheme in usable)


def _schemes(view: View | None) -> list[str]:
    value = view.raw("schemes") if view is not None else None
    return (
        list(dict.fromkeys(item.lower() for item in value if isinstance(item, str))) if isinstance(value, list) else []
    )


def _assumed_scheme(host: str, base_uri: str | None) -> str:
    scheme = urlsplit(base_uri).scheme if base_uri else ""
    if scheme in _WEB_SCHEMES:
        return scheme
    return "http" if is_loopback(f"http://{host}") else "https"
