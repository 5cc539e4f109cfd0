"""Small APIs on loopback, each with a document of its own, to be used together."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

__all__ = ["RowsApi", "rows_document"]

ROW = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}


def rows_document(title: str, kind: str, url: str | None, scheme: str = "key", **more: Any) -> dict[str, Any]:
    """A document with a list of one kind (listRows) and a way to make one more (makeRow); both ask for `scheme`."""
    listed = {
        "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": ROW}}}}
    }
    body = {"required": True, "content": {"application/json": {"schema": {**ROW, "required": ["name"]}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        **({"servers": [{"url": url}]} if url else {}),
        "security": [{scheme: []}],
        "paths": {
            f"/{kind}": {
                "get": {"operationId": "listRows", "summary": f"List {kind}", "responses": listed},
                "post": {"operationId": "makeRow", "requestBody": body, "responses": {"201": {"description": "made"}}},
            },
            **more,
        },
        "components": {"securitySchemes": {scheme: {"type": "http", "scheme": "bearer"}}},
    }


class RowsApi:
    """Answers every GET with the same rows and every POST with 201, while the `with` block lasts.

    `rows` are what it answers; `seen` holds what arrived: method, path, and the Authorization and X-Trace headers.
    """

    def __init__(self, *names: str) -> None:
        self.seen: list[tuple[str, str, str | None, str | None]] = []
        self.rows = [{"id": str(number), "name": name} for number, name in enumerate(names, 1)]
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(200, api.rows)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self._answer(201, {"id": "9"})

            def _answer(self, status: int, value: Any) -> None:
                api.seen.append((self.command, self.path, self.headers["Authorization"], self.headers["X-Trace"]))
                content = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> RowsApi:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def write(self, path: Path, title: str, kind: str, **more: Any) -> None:
        """Write its document to a file."""
        path.write_text(json.dumps(rows_document(title, kind, self.url, **more)), "utf-8")
