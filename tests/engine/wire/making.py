"""Tools and requests by hand, as short as a test wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from thinkagent.documents.model import MediaType, Operation, Parameter, RequestBody, Response, SecurityScheme
from thinkagent.engine.wire.auth import Credential, Target
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.request import build_request
from thinkagent.tools.model import Argument, Tool
from thinkagent.values import Json, Secret

BASE = "http://api.test"

_STYLES = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}


def parameter(name: str, location: Any = "query", schema: Any = True, **more: Any) -> Parameter:
    style = more.pop("style", "") or _STYLES[location]
    explode = more.pop("explode", style == "form")
    required = more.pop("required", location == "path")
    return Parameter(name, location, required, schema, style=style, explode=explode, **more)


def make_tool(
    method: str = "GET",
    path: str = "/things",
    parameters: Sequence[Parameter] = (),
    *,
    body: Any = None,
    body_type: str = "application/json",
    body_required: bool = True,
    encoding: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    owned: Sequence[str] = (),
    responses: Sequence[Response] = (),
    security: tuple[tuple[str, ...], ...] = (),
    defs: Mapping[str, Any] | None = None,
    **more: Any,
) -> Tool:
    """`names` maps wire names to argument names; `owned` are parameters that the tool does not offer."""
    named = names or {}
    arguments = [
        Argument(named.get(one.name, one.name), one.location, one.name, one.required)
        for one in parameters
        if one.name not in owned
    ]
    properties: dict[str, Any] = {
        argument.name: one.schema
        for one in parameters
        for argument in arguments
        if (argument.wire_name, argument.location) == (one.name, one.location)
    }
    request_body = None
    if body is not None:
        arguments.append(Argument("body", "body", body_type, body_required))
        properties["body"] = body
        request_body = RequestBody(body_required, (MediaType(body_type, body, (), encoding or {}),))
    schema = {
        "type": "object",
        "properties": properties,
        "required": [argument.name for argument in arguments if argument.required],
        "additionalProperties": False,
        "$defs": dict(defs or {}),
    }
    effect = {"GET": "read", "HEAD": "read", "DELETE": "delete"}.get(method, "write")
    return Tool(
        name=more.pop("name", "call"),
        method=method,
        path=path,
        summary="",
        effect=effect,  # type: ignore[arg-type]
        idempotent=method != "POST",
        deprecated=False,
        parameters=schema,
        result=more.pop("result", None),
        result_status=more.pop("result_status", "200"),
        arguments=tuple(arguments),
        operation=Operation(
            method,
            path,
            "",
            "#",
            parameters=tuple(parameters),
            request_body=request_body,
            responses=tuple(responses),
            security=security,
        ),
        **more,
    )


def credential(kind: str, name: str = "key") -> Credential:
    """`bearer`, `basic`, or a location of an API key; the secret is called `auth.NAME`."""
    if kind in ("bearer", "basic"):
        scheme = SecurityScheme(name, "http", kind)
    else:
        scheme = SecurityScheme(name, "apiKey", location=kind, parameter="X-Key" if kind == "header" else "api_key")
    return Credential(scheme, Secret(f"auth.{name}"))


def opened(
    tool: Tool, arguments: Mapping[str, Json], target: Target | None = None, secrets: Mapping[str, str] | None = None
) -> httpx.Request:
    request = build_request(tool, arguments, target or Target(BASE))
    return open_request(request, lambda secret: (secrets or {})[secret.name])
