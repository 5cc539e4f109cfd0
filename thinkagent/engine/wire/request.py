"""A request in event form: exactly what will be sent, with secrets by name.

The same arguments give the same request, text for text; its digest is what was decided on and what is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from thinkagent.documents.model import MediaType, Parameter
from thinkagent.documents.placeholders import placeholders
from thinkagent.engine.wire.auth import TRANSPORT_HEADERS, AuthParts, Target, auth_parts
from thinkagent.engine.wire.bodies import write_body
from thinkagent.engine.wire.holes import Text
from thinkagent.engine.wire.media import essence, is_json
from thinkagent.engine.wire.servers import origin
from thinkagent.engine.wire.styles import (
    encode_query,
    refuse,
    serialize_cookie,
    serialize_header,
    serialize_path,
    serialize_query,
)
from thinkagent.errors import ArgumentError
from thinkagent.tools.model import Argument, Tool
from thinkagent.values import Json, digest, from_log, join_text, text_parts, to_log, write_json

__all__ = ["WireRequest", "build_request"]

_PLACEHOLDER = re.compile(r"(\{[^{}]*\})")
_PATH_SAFE = "/:@!$&'()*+,;=~%"
_QUERY_SAFE = "/:@!$&'()*+,;=~%?"
_OWN_HEADERS = TRANSPORT_HEADERS | {"accept", "accept-encoding", "authorization", "proxy-authorization"}
"""Headers that make up the message itself or log in: no argument sets them."""

Pair = tuple[str, Text]


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One HTTP request, secrets by name."""

    method: str
    url: Text
    """Percent-encoded but for its secrets, which are encoded when the request is opened."""
    headers: tuple[tuple[str, Text], ...]
    body: Text | None = None
    content_type: str = ""
    label: str = ""
    """`GET /orders/{id}`: method and path template without its query, for people; it holds no value.

    Where there are several documents, the name of its own follows: `GET /orders/{id} of shop`.
    """
    spelled: tuple[str, ...] = ()
    """Names of secrets that stand in the URL as an answer spelled them, to be sent so."""

    def as_dict(self) -> dict[str, Any]:
        """Give the fields for an event; secrets stay values, which the event's writer turns into names."""
        fields: dict[str, Any] = {
            "method": self.method,
            "url": self.url,
            "headers": [[name, value] for name, value in self.headers],
            "label": self.label,
        }
        if self.body is not None:
            fields |= {"body": self.body, "content_type": self.content_type}
        if self.spelled:
            fields["spelled"] = list(self.spelled)
        return fields

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> WireRequest:
        """Give the request back; the inverse of `as_dict`."""
        return cls(
            fields["method"],
            fields["url"],
            tuple((name, value) for name, value in fields["headers"]),
            fields.get("body"),
            fields.get("content_type", ""),
            fields.get("label", ""),
            tuple(fields.get("spelled", ())),
        )

    def as_log(self) -> dict[str, Any]:
        """Give plain JSON: secrets as `{"$secret": NAME}`."""
        return {name: to_log(value) for name, value in self.as_dict().items()}

    @classmethod
    def from_log(cls, fields: Mapping[str, Any]) -> WireRequest:
        """Give the request back; the inverse of `as_log`."""
        return cls.from_dict({name: from_log(value) for name, value in fields.items()})

    @property
    def digest(self) -> str:
        return digest(write_json(self.as_log(), sort=True))


def build_request(tool: Tool, arguments: Mapping[str, Json], target: Target) -> WireRequest:
    """Build the request of a call from checked arguments.

    Query parts stand in this order, and all are sent: those of the server's URL, of the path, the arguments in
    document order, credentials; a credential takes the place of any part with its name. Credentials and the user's
    headers go to `Target.credential_origin` only.

    Raises:
        ArgumentError: an argument is unknown, missing in the path, or has no form on the wire.
    """
    given = _by_place(tool, arguments)
    path, _, path_query = tool.path.partition("#")[0].partition("?")
    url, base_query = _base(target.base_url)
    auth = auth_parts(tool.operation, target) if _may_log_in(target) else AuthParts()
    query = _query(tool, given, auth, (base_query, _fill(tool, path_query, given, _QUERY_SAFE)))
    url_parts: list[Text] = [url, _path(tool, path, given)]
    if query:
        url_parts += ["?", query]
    body, content_type = _body(tool, given)
    return WireRequest(
        tool.method,
        join_text(url_parts),
        _headers(tool, given, auth, content_type),
        body,
        content_type,
        f"{tool.method} {path}" + (f" of {tool.document}" if tool.document else ""),
    )


Given = dict[tuple[str, str], tuple[Argument, Json]]


def _by_place(tool: Tool, arguments: Mapping[str, Json]) -> Given:
    known = {argument.name: argument for argument in tool.arguments}
    unknown = next((name for name in arguments if name not in known), None)
    if unknown is not None:
        raise ArgumentError(f"{tool.name!r} has no argument {unknown!r}", code="bad_arguments", where=unknown)
    return {
        (argument.location, argument.wire_name): (argument, arguments[name])
        for name, argument in known.items()
        if name in arguments
    }


def _parameter(tool: Tool, argument: Argument) -> Parameter:
    for parameter in tool.operation.parameters:
        if (parameter.location, parameter.name) == (argument.location, argument.wire_name):
            return parameter
    location = "query" if argument.location == "body" else argument.location
    in_pairs = location in ("query", "cookie")
    style = "form" if in_pairs else "simple"
    return Parameter(argument.wire_name, location, argument.required, True, style=style, explode=in_pairs)


def _base(base_url: str) -> tuple[str, str]:
    """Split the base URL into what the path is joined to and its fixed query."""
    parts = urlsplit(base_url)
    path = quote(parts.path.rstrip("/"), safe=_PATH_SAFE)
    return f"{parts.scheme}://{parts.netloc}{path}", quote(parts.query, safe=_QUERY_SAFE)


def _may_log_in(target: Target) -> bool:
    return not target.credential_origin or origin(target.base_url) == target.credential_origin


def _path(tool: Tool, template: str, given: Given) -> Text:
    path = _fill(tool, template if template.startswith("/") else f"/{template}", given, _PATH_SAFE)
    for segment in str(path).split("/"):
        if segment in (".", ".."):
            raise ArgumentError(
                f"the values make the segment {segment!r} of the path {template!r}",
                code="bad_arguments",
                where=tool.name,
                hint="Give values that are one segment of a path",
            )
    return path


def _fill(tool: Tool, template: str, given: Given, safe: str) -> Text:
    declared = frozenset(one.name for one in tool.operation.parameters if one.location == "path")
    names = {one.text: one.name for one in placeholders(template, declared)}
    parts: list[Text] = []
    for piece in _PLACEHOLDER.split(template):
        if piece not in names:
            parts.append(quote(piece, safe=safe))
            continue
        found = given.get(("path", names[piece]))
        if found is None:
            raise refuse(Parameter(names[piece], "path", True, True), "it is missing", "a value for it")
        parts.append(serialize_path(_parameter(tool, found[0]), found[1]))
    return join_text(parts)


def _query(tool: Tool, given: Given, auth: AuthParts, fixed: tuple[str, Text]) -> Text:
    owned = {name for name, _ in auth.query}
    pieces: list[Text] = [
        piece for part in fixed for piece in _pieces(part) if unquote(str(piece).partition("=")[0]) not in owned
    ]
    for (location, _), (argument, value) in given.items():
        if location == "query":
            pairs = serialize_query(_parameter(tool, argument), value)
            pieces += [join_text([name, "=", text]) for name, text in pairs if unquote(name) not in owned]
    pieces += [join_text([encode_query(name), "=", secret]) for name, secret in auth.query]
    return join_text([part for piece in pieces for part in ("&", piece)][1:])


def _pieces(query: Text) -> list[Text]:
    """Split a query at `&`, blank pieces kept out."""
    pieces: list[list[Any]] = [[]]
    for part in text_parts(query):
        if not isinstance(part, str):
            pieces[-1].append(part)
            continue
        first, *others = part.split("&")
        pieces[-1].append(first)
        pieces += [[other] for other in others]
    return [text for piece in pieces if (text := join_text(piece)) != ""]


def _headers(tool: Tool, given: Given, auth: AuthParts, content_type: str) -> tuple[tuple[str, Text], ...]:
    headers: dict[str, tuple[str, Text]] = {
        "accept": ("accept", _accept(tool)),
        "accept-encoding": ("accept-encoding", "gzip, identity"),
    }
    if content_type:
        headers["content-type"] = ("content-type", content_type)
    cookies: list[Text] = []
    owned = {name.lower() for name, _ in auth.headers}
    owned_cookies = {name for name, _ in auth.cookies}
    for (location, wire_name), (argument, value) in given.items():
        parameter = _parameter(tool, argument)
        if location == "header":
            if wire_name.lower() in _OWN_HEADERS:
                raise refuse(parameter, "the program sets this header itself", "the other arguments only")
            text = serialize_header(parameter, value)
            if text is not None and wire_name.lower() not in owned:
                headers[wire_name.lower()] = (wire_name, text)
        elif location == "cookie" and wire_name not in owned_cookies:
            cookies += [join_text([name, "=", text]) for name, text in serialize_cookie(parameter, value)]
    cookies += [join_text([name, "=", secret]) for name, secret in auth.cookies]
    if cookies:
        headers["cookie"] = ("cookie", join_text([part for cookie in cookies for part in ("; ", cookie)][1:]))
    for name, secret in auth.headers:
        headers[name.lower()] = (name, secret)
    return tuple(headers.values())


def _accept(tool: Tool) -> str:
    """Name what the document offers for success and for errors, JSON first."""
    offered = [
        essence(media.media_type)
        for response in sorted(tool.operation.responses, key=lambda response: not response.status.startswith("2"))
        for media in response.content
    ]
    concrete = list(dict.fromkeys(kind for kind in offered if kind and "*" not in kind))
    json_first = [kind for kind in concrete if is_json(kind)] + [kind for kind in concrete if not is_json(kind)]
    return ", ".join([*(json_first or ["application/json"]), "*/*;q=0.1"])


def _body(tool: Tool, given: Given) -> tuple[Text | None, str]:
    for (location, media_type), (_, value) in given.items():
        if location == "body":
            return write_body(media_type, _media(tool, media_type), value)
    return None, ""


def _media(tool: Tool, media_type: str) -> MediaType | None:
    body = tool.operation.request_body
    content = body.content if body else ()
    return next((media for media in content if media.media_type == media_type), None)
