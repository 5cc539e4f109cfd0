"""A small document to spoil."""

from __future__ import annotations

from typing import Any

from thinkagent.values import write_json

__all__ = ["SCHEMES", "THING", "things"]

THING = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
SCHEMES = {"components": {"securitySchemes": {"bearerAuth": {"type": "http", "scheme": "bearer"}}}}


def things(url: str | None = None, **more: Any) -> str:
    """A document of two operations, listThings and createThing, as JSON."""
    body = {"required": True, "content": {"application/json": {"schema": _named()}}}
    rows = {"application/json": {"schema": {"type": "array", "items": THING}}}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/things": {
                "get": {"operationId": "listThings", "responses": {"200": {"description": "ok", "content": rows}}},
                "post": {
                    "operationId": "createThing",
                    "requestBody": body,
                    "responses": {"201": {"description": "made"}},
                },
            }
        },
        **more,
    }
    if url is not None:
        document["servers"] = [{"url": url}]
    return write_json(document)


def _named() -> dict[str, Any]:
    return {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
