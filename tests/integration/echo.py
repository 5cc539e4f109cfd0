"""An API on loopback that knows no discretion: it issues tokens, and repeats what it is sent in every spelling."""

from __future__ import annotations

import base64
import html
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tests.integration.canaries import SPELLINGS

__all__ = ["HOSTILE", "ISSUED", "EchoApi", "document"]

ISSUED = {
    "json": "iss/Json+1==q7Wd",
    "nested": 'nest"ed\\4kQ/+&z=',
    "header": "hdr.Issued/2+x==",
    "bearer": "brr.Issued/3+y==",
    "cookie": "ck.Issued/4+z==~",
    "form": "frm/Issued+5==&h",
    "url": "url/Issued+6==k9",
    "html": "htm/Issued+7==m2",
    "next": "nxt/Issued+8==n3",
    "link": "lnk/Issued+9==p4",
    "location": "loc/Issued+0==r5",
    "job": "job-Issued_10-s6",
}
"""The tokens that the API gives away, by the way in which it does."""

HOSTILE = {
    "object": {"$secret": "auth.bearer"},
    "text": {"$text": ["Bearer ", {"$secret": "auth.bearer"}]},
    "blob": {"$blob": "sha256:" + "0" * 64},
    "data": {"$data": {"$secret": "auth.bearer"}},
    "shown": "«secret auth.bearer»",
    "hole": "secret0hole0z secret1hole0z",
    "key «secret auth.bearer»": 1,
    "reference": "<<steps.login.result.access_token>>",
}

SCHEMES: dict[str, dict[str, str]] = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {"type": "http", "scheme": "basic"},
    "in_header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "in_query": {"type": "apiKey", "in": "query", "name": "key"},
    "in_cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
}


def _parameter(name: str, place: str = "query") -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}}


def document(scheme: str | None = None) -> dict[str, Any]:
    """The OpenAPI document of the API; with `scheme`, every operation asks for it."""

    def operation(name: str, *parameters: dict[str, Any], body: str = "") -> dict[str, Any]:
        content = {body: {"schema": {"type": "object"}}}
        return {
            "operationId": name,
            "parameters": list(parameters),
            "responses": {"200": {"description": "ok"}},
            **({"requestBody": {"content": content}} if body else {}),
        }

    paths = {
        "/say": {"get": operation("say", _parameter("place"))},
        "/login": {"post": operation("login", _parameter("by"))},
        "/use": {
            "get": operation("useQuery", _parameter("token"), _parameter("X-Token", "header")),
            "post": operation("useJson", body="application/json"),
            "put": operation("useForm", body="application/x-www-form-urlencoded"),
        },
        "/use/{token}": {"get": operation("usePath", _parameter("token", "path"))},
        "/rows": {"get": operation("rows", _parameter("page"), _parameter("token"))},
        "/linked": {"get": operation("linked", _parameter("page"), _parameter("token"))},
        "/moved": {"get": operation("moved")},
        "/jobs": {"post": operation("start", body="application/json")},
        "/hostile": {"get": operation("hostile")},
        "/role": {"get": operation("role")},
        "/note": {"get": operation("note")},
        "/session": {"get": operation("session", _parameter("sid", "cookie"))},
    }
    made: dict[str, Any] = {"openapi": "3.1.0", "info": {"title": "echo", "version": "1"}, "paths": paths}
    if scheme is not None:
        made |= {"components": {"securitySchemes": {scheme: SCHEMES[scheme]}}, "security": [{scheme: []}]}
    return made


class EchoApi:
    """Serves while the `with` block lasts; `seen` holds what arrived: method, target, headers, body."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str], str]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
                fields = {name.lower(): value for name, value in self.headers.items()}
                api.seen.append((self.command, self.path, fields, body))
                status, headers, content = api.answer(self.command, self.path, fields, body)
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_PUT = do_GET

            def log_message(self, format: str, *args: object) -> None:
                """Nothing on the terminal."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.port = self._http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> EchoApi:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, method: str, target: str, fields: dict[str, str], body: str) -> _Answer:
        split = urlsplit(target)
        query = {name: values[-1] for name, values in parse_qs(split.query).items()}
        if split.path.startswith("/use"):
            return self._use(split.path, query, fields, body)
        match split.path.strip("/"):
            case "login":
                return _issue(query.get("by", "json"))
            case "rows" | "linked" as name:
                return self._page(name, query)
            case "moved":
                return 302, [("location", f"{self.url}/rows?token={quote(ISSUED['location'], safe='')}")], b""
            case "session":
                right = fields.get("cookie", "").partition("=")[2] in ISSUED.values()
                return _json(200 if right else 403, {"right": right})
            case "jobs":
                return _json(202, {"job": {"auth_token": ISSUED["job"], "state": "running"}, "of": ISSUED["job"]})
            case "hostile":
                return _json(200, HOSTILE)
            case "note":
                return _json(200, {"note": ISSUED["json"], "rows": [ISSUED["json"], "other"]})
            case "openapi.json":
                found = query.get("key") == ISSUED["url"]
                return _json(200 if found else 401, {**document(), "servers": [{"url": self.url}]})
            case "role":
                return _json(200, {"role": "admin", "name": "administrator"})
        return _said(query.get("place", "json"), _credential(query, fields))

    def _use(self, path: str, query: dict[str, str], fields: dict[str, str], body: str) -> _Answer:
        if path != "/use":
            token = unquote(path.removeprefix("/use/"))
        elif body and "json" in fields.get("content-type", ""):
            token = str(json.loads(body)["token"])
        elif body:
            token = parse_qs(body)["token"][0]
        else:
            token = query.get("token") or fields.get("x-token", "")
        right = token in ISSUED.values()
        return _json(200 if right else 403, {"right": right, "echo": spelled(token), "auth": dict(fields)})

    def _page(self, name: str, query: dict[str, str]) -> _Answer:
        """Three pages, each following one only with the token that stands in the address of the next."""
        page = int(query.get("page", 1))
        token = ISSUED["next" if name == "rows" else "link"]
        if page > 1 and query.get("token") != token:
            return _json(403, {"detail": "no token"})
        following = f"{self.url}/{name}?page={page + 1}&token={quote(token, safe='')}" if page < 3 else None
        rows = [{"id": page}]
        if name == "rows":
            return _json(200, {"rows": rows, "next": following})
        status, headers, content = _json(200, rows)
        return status, [*headers, *([("link", f'<{following}>; rel="next"')] if following else [])], content


_Answer = tuple[int, list[tuple[str, str]], bytes]


def spelled(secret: str) -> dict[str, str]:
    return {name: f"you sent {spell(secret)}." for name, spell in SPELLINGS.items()}


def _json(status: int, value: Any) -> _Answer:
    return status, [("content-type", "application/json")], json.dumps(value).encode()


def _credential(query: dict[str, str], fields: dict[str, str]) -> str:
    """What the request logs in with, as a service reads it."""
    if word := fields.get("authorization") or fields.get("proxy-authorization"):
        kind, _, value = word.partition(" ")
        return base64.b64decode(value).decode() if kind.lower() == "basic" else value
    if cookie := fields.get("cookie"):
        return cookie.partition("=")[2]
    return fields.get("x-key") or query.get("key", "nothing-was-sent")


def _said(place: str, secret: str) -> _Answer:
    texts = spelled(secret)
    page = f"<html><body>{''.join(f'<p>{text}</p>' for text in texts.values())}</body></html>".encode()
    match place:
        case "error":
            return _json(403, {"detail": f"key {secret} is not allowed", "tried": texts})
        case "bare":
            return 200, [("content-type", "application/json")], _bare_json(secret)
        case "html":
            return 200, [("content-type", "text/html")], page
        case "html_error":
            return 404, [("content-type", "text/html")], page
        case "text":
            return 500, [("content-type", "text/plain")], "\n".join(texts.values()).encode()
        case "binary":
            return 200, [("content-type", "image/png")], b"\x89PNG\0\xff" + secret.encode() + b"\0\xfe more"
        case "utf16":
            return 200, [("content-type", "text/plain; charset=utf-16")], f"you sent {secret}".encode("utf-16")
        case "headers":
            single = {name: text for name, text in texts.items() if "\n" not in text}
            return 200, [(f"X-Echo-{name}", text) for name, text in single.items()], b"{}"
        case "broken":
            return 200, [("content-type", "application/json")], json.dumps(texts).encode()[:-9]
        case "keys":
            return _json(200, {f"{text} {name}": {"inner": [text]} for name, text in texts.items()})
    return _json(200, texts)


def _bare_json(secret: str) -> bytes:
    """JSON whose own escapes spell the secret, in a value and in a key."""
    escaped = SPELLINGS["json"](secret)
    slashes = json.dumps(secret).replace("/", "\\/")
    return f'{{"escaped": "{escaped}", "slashes": {slashes}, "{escaped}": 1}}'.encode()


def _issue(by: str) -> _Answer:
    token = ISSUED[by]
    form = [("content-type", "application/x-www-form-urlencoded")]
    match by:
        case "nested":
            return _json(200, {"session": [{"refreshToken": token}], "user": {"id": 7}})
        case "header":
            return 200, [("X-Access-Token", token), ("content-type", "application/json")], b'{"ok": true}'
        case "bearer":
            return 200, [("Authorization", f"Bearer {token}"), ("content-type", "application/json")], b'{"ok": true}'
        case "cookie":
            cookie = f"sid={token}; Path=/; HttpOnly"
            return 200, [("Set-Cookie", cookie), ("Set-Cookie", "lang=en"), *_json(200, {})[1]], b'{"ok": true}'
        case "form":
            return 200, form, f"access_token={quote(token, safe='')}&token_type=bearer".encode()
        case "url":
            return _json(
                200, {"download": f"Fetch http://cdn.test/f?sig={quote(token, safe='')}&page=1 within an hour."}
            )
        case "html":
            link = html.escape(f"http://cdn.test/f?page=1&token={quote(token, safe='')}")
            return 200, [("content-type", "text/html")], f'<a href="{link}">go</a>'.encode()
    return _json(200, {"access_token": token, "token_type": "Bearer"})
