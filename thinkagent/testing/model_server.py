"""An OpenAI-compatible model server on loopback, with scripted replies and faults."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from thinkagent.testing.fake_replies import Completion, Fault, ModelEntry
from thinkagent.testing.fake_wire import chunks_of, completion_body
from thinkagent.values import JsonError, read_json, write_json

__all__ = ["FakeModelServer", "ModelRequest"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request that the fake server received; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class FakeModelServer:
    """Serve `/v1/chat/completions` and `/v1/models` on a free loopback port, while the `with` block lasts.

        with FakeModelServer(["first reply", Fault.http(429, headers={"Retry-After": "0"}), "second"]) as server:
            mind = OpenAIMind("fake-model", api_base=server.url)

    Each chat request takes the next entry; when they run out it answers 400 and says so, or goes on with the last one
    if `repeat_last`. A text answers a forced tool as that tool's arguments, as real servers do.

    `api_key` set: every other key is 401. `refuses` names what is answered by 400 without taking an entry: a
    top-level field (`response_format`, `seed`), a kind of response format (`json_schema`, `json_schema_strict`,
    `json_object`), or `system` for the role. `piece` is the number of characters in a stream's chunk, `line_end` its
    line ending, `split_bytes` the size of its writes.
    """

    def __init__(
        self,
        replies: Iterable[ModelEntry] = (),
        *,
        api_key: str | None = None,
        models: Sequence[str] = ("fake-model",),
        refuses: Collection[str] = (),
        repeat_last: bool = False,
        piece: int = 12,
        line_end: str = "\n",
        split_bytes: int | None = None,
    ) -> None:
        self.requests: list[ModelRequest] = []
        self.api_key = api_key
        self.models = tuple(models)
        self.refuses = frozenset(refuses)
        self.piece = piece
        self.line_end = line_end
        self.split_bytes = split_bytes
        self.closing = threading.Event()
        self._replies: Iterator[ModelEntry] = iter(replies)
        self._repeat_last = repeat_last
        self._last: ModelEntry | None = None
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base to give as `api_base`: `http://127.0.0.1:PORT/v1`."""
        if self._server is None:
            raise RuntimeError("the fake model server is not running; use it in a with block")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def chats(self) -> list[ModelRequest]:
        """The requests for completions alone."""
        return [request for request in self.requests if request.path == "/v1/chat/completions"]

    def __enter__(self) -> FakeModelServer:
        self.closing.clear()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="fake-model")
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.closing.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            self._server = self._thread = None

    def take(self, request: ModelRequest) -> ModelEntry:
        """Record a chat request and give the entry that answers it."""
        with self._lock:
            self.requests.append(request)
            if refused := self._refused(request.body):
                return refused
            entry = next(self._replies, None)
            if entry is None and self._repeat_last:
                entry = self._last
            if entry is None:
                return Fault.http(400, _error(f"the script has no more replies (request {len(self.chats)})"))
            self._last = entry
        return entry(request.body) if callable(entry) else entry

    def note(self, request: ModelRequest) -> None:
        """Record a request that takes no entry."""
        with self._lock:
            self.requests.append(request)

    def _refused(self, body: Any) -> Fault | None:
        for name in sorted(self.refuses & _traits(body)):
            if name == "system":
                return Fault.http(400, _error("The system role is not supported"))
            field = "response_format" if name.startswith("json_") else name
            words = f"'{field}' ({name}) is not supported here"
            return Fault.http(400, _error(words, param=field, code="unsupported_parameter"))
        return None


def _traits(body: Any) -> set[str]:
    """What a request asks of a server, in the words of `refuses`."""
    if not isinstance(body, dict):
        return set()
    traits = {name for name, value in body.items() if (name, value) != ("stream", False)}
    form = body.get("response_format")
    if isinstance(form, dict):
        traits.add(str(form.get("type")))
        if isinstance(schema := form.get("json_schema"), dict) and schema.get("strict"):
            traits.add("json_schema_strict")
    if any(isinstance(item, dict) and item.get("role") == "system" for item in body.get("messages") or ()):
        traits.add("system")
    return traits


def _error(message: str, **fields: str | None) -> str:
    return write_json({"error": {"message": message, "type": "invalid_request_error", **fields}})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, fake: FakeModelServer) -> None:
        self.fake = fake
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up in the middle are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def do_GET(self) -> None:
        self.server.fake.note(self._read())
        if not self._allowed():
            return
        if re.fullmatch(r"/v1/models/?", self.path):
            items = [{"id": name, "object": "model"} for name in self.server.fake.models]
            self._whole(200, write_json({"object": "list", "data": items}))
        else:
            self._whole(404, _error(f"no such address: {self.path}"))

    def do_POST(self) -> None:
        request = self._read()
        if self.path.partition("?")[0] != "/v1/chat/completions":
            self.server.fake.note(request)
            self._whole(404, _error(f"no such address: {self.path}"))
        elif not self._allowed():
            self.server.fake.note(request)
        else:
            self._answer(self.server.fake.take(request), request.body)

    def _read(self) -> ModelRequest:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = read_json(raw) if raw else None
        except JsonError:
            body = raw.decode("utf-8", "replace")
        headers = {name.lower(): value for name, value in self.headers.items()}
        return ModelRequest(self.command, self.path.partition("?")[0], headers, body)

    def _allowed(self) -> bool:
        key = self.server.fake.api_key
        if key is None or self.headers.get("Authorization") == f"Bearer {key}":
            return True
        given = self.headers.get("Authorization", "")
        # Real servers repeat the key that they refuse.
        self._whole(401, _error(f"Incorrect API key provided: {given}", code="invalid_api_key"))
        return False

    def _answer(self, entry: Any, body: Any) -> None:
        stream = isinstance(body, dict) and body.get("stream") is True
        if isinstance(entry, Fault):
            self._fail(entry, stream)
            return
        if not isinstance(entry, Completion):
            entry = Completion(entry if isinstance(entry, str) else write_json(dict(entry)))
        if entry.delay_s:
            self._pause(entry.delay_s)
        if stream and not entry.as_json:
            self._begin_stream()
            for chunk in chunks_of(entry, body, self.server.fake.piece):
                self._event(chunk)
            self._event("[DONE]")
        else:
            self._whole(200, completion_body(entry, body))

    def _fail(self, fault: Fault, stream: bool) -> None:
        match fault.kind:
            case "status" | "redirect" | "body":
                self._whole(fault.status, fault.body, fault.headers)
            case "hang":
                self._pause(None)
            case "reset":
                pass
            case _ if not stream:
                self._fail_whole(fault)
            case _:
                self._fail_stream(fault)

    def _fail_whole(self, fault: Fault) -> None:
        text = "" if fault.kind == "empty_stream" else completion_body(Completion(fault.content), {})
        if fault.kind == "cut":
            self._whole(200, text, length=len(text.encode()) + 100)
        elif fault.kind == "bad_chunk":
            self._whole(200, fault.body)
        elif fault.kind in ("drip", "pings"):
            self._head(200, {"Content-Type": "application/json"})
            while not self._pause(fault.interval_s):
                self._write(b" ")
        else:
            self._whole(200, text)

    def _fail_stream(self, fault: Fault) -> None:
        self._begin_stream()
        chunks = chunks_of(Completion(fault.content or None), {}, 1 if fault.kind == "drip" else self.server.fake.piece)
        said = [chunk for chunk in chunks if '"finish_reason":null' in chunk and fault.content]
        while fault.kind == "drip" and not self._pause(fault.interval_s):
            self._event(said[len(said) // 2])
        if fault.kind != "drip":
            for chunk in said:
                self._event(chunk)
        if fault.kind == "bad_chunk":
            self._event(fault.body)
        elif fault.kind == "empty_stream":
            self._event("[DONE]")
        while fault.kind == "pings" and not self._pause(fault.interval_s):
            self._write(b": ping\n\n")

    def _pause(self, seconds: float | None) -> bool:
        """Wait; True when the server closes meanwhile."""
        return self.server.fake.closing.wait(seconds)

    def _begin_stream(self) -> None:
        self._head(200, {"Content-Type": "text/event-stream; charset=utf-8"})

    def _event(self, data: str) -> None:
        end = self.server.fake.line_end
        self._write(f"data: {data}{end}{end}".encode())

    def _head(self, status: int, headers: Any) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def _whole(self, status: int, body: str, headers: Any = None, length: int | None = None) -> None:
        raw = body.encode("utf-8")
        sized = {"Content-Length": str(len(raw) if length is None else length)}
        self._head(status, {"Content-Type": "application/json"} | dict(headers or {}) | sized)
        self._write(raw)

    def _write(self, raw: bytes) -> None:
        step = self.server.fake.split_bytes or len(raw) or 1
        for start in range(0, len(raw), step):
            self.wfile.write(raw[start : start + step])
            self.wfile.flush()
