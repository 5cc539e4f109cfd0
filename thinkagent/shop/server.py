"""The shop over HTTP on the loopback interface."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import NamedTuple

from thinkagent.errors import UsageError
from thinkagent.shop.api import Api, Request
from thinkagent.shop.call import Answer
from thinkagent.shop.data import check_data
from thinkagent.shop.document import document
from thinkagent.shop.problems import Problem
from thinkagent.shop.store import Store
from thinkagent.values import Json, write_json

__all__ = ["Seen", "Shop"]

_MAX_BODY_BYTES = 64 * 1024
_DRAIN_BYTES = 8 * 1024 * 1024
"""How much of a body that is too large is still read, so that the client sees the answer and no reset."""


class Seen(NamedTuple):
    """One line of the shop's request log."""

    method: str
    path: str
    """The request target as it came, with its query."""
    status: int


def _now() -> datetime:
    return datetime.now(UTC)


class Shop:
    """The sample API, real HTTP/1.1 on a port of 127.0.0.1; as a context manager it runs inside the block.

    Args:
        data: what it serves, as `seed` or `load_data` give it; nothing is written back.
        token: the bearer token to ask for; a random one if empty.
        port: 0 takes a free one.
        clock: the time that new records carry.

    Raises:
        UsageError: the data are not usable (at once), or the port is taken (by `start`).
    """

    def __init__(self, data: Json, token: str = "", port: int = 0, *, clock: Callable[[], datetime] = _now) -> None:
        check_data(data)
        self.token = token or secrets.token_urlsafe(24)
        self._port = port
        self._store = Store()
        self._store.load(data)
        self._api = Api(self._store, self.token, clock, url="")
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self._seen: list[Seen] = []

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end; empty until it is started."""
        return self._api.url

    @property
    def requests(self) -> tuple[Seen, ...]:
        """Every request so far, in the order in which they were answered."""
        return tuple(self._seen)

    def state(self) -> Json:
        """Give all records now, as the API shows them: customers, products, orders, coupons."""
        return self._api.state()

    def start(self) -> None:
        """Listen, and return once requests are taken."""
        try:
            self._server = _Server(self._port, self._api, self._seen)
        except OSError as error:
            raise UsageError(
                f"the shop cannot listen on 127.0.0.1:{self._port}: {(error.strerror or str(error)).lower()}",
                code="port_taken",
                hint="Pass another --port; 0 takes a free one",
            ) from error
        self._api.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="shop", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and wait for its thread; the records stay readable with `state`."""
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()
        self._server = self._thread = None

    def __enter__(self) -> Shop:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, api: Api, seen: list[Seen]) -> None:
        self.api = api
        self.seen = seen
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    def server_bind(self) -> None:
        # HTTPServer asks the resolver for this machine's name here, which can take seconds.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        thread = threading.Thread(target=self._serve, args=(request, client_address), daemon=True)
        with self._lock:
            self._connections[request] = thread
        thread.start()

    def _serve(self, request: socket.socket, client_address: object) -> None:
        try:
            self.process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._connections.pop(request, None)

    def hang_up(self) -> None:
        """End what is still connected; a kept-alive connection would wait for its client for ever."""
        with self._lock:
            open_now = list(self._connections.items())
        for connection, _ in open_now:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        for _, thread in open_now:
            thread.join(timeout=5)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that went away is no fault of the shop."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    timeout = 60
    wbufsize = -1
    disable_nagle_algorithm = True

    def __getattr__(self, name: str) -> Callable[[], None]:
        # The base class looks for `do_GET` and so on; the API itself knows which methods there are.
        if name.startswith("do_"):
            return self._handle
        raise AttributeError(name)

    def _handle(self) -> None:
        try:
            body = self._read_body()
        except Problem as problem:
            self.close_connection = True
            self._send(Answer(problem.status, problem.body(), problem.headers))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.api.answer(Request(self.command, self.path, headers, body)))

    def _read_body(self) -> bytes:
        if "transfer-encoding" in self.headers:
            raise Problem(411, "The shop needs a Content-Length and takes no Transfer-Encoding.")
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()):
            raise Problem(400, f"The Content-Length {length!r} is no number.")
        if int(length) > _MAX_BODY_BYTES:
            self.rfile.read(min(int(length), _DRAIN_BYTES))
            raise Problem(413, f"The body has {int(length)} bytes; at most {_MAX_BODY_BYTES} are taken.")
        return self.rfile.read(int(length))

    def _send(self, answer: Answer) -> None:
        self.server.seen.append(Seen(self.command or "", getattr(self, "path", ""), answer.status))
        content = b"" if answer.body is None else write_json(answer.body).encode()
        self.send_response(answer.status)
        if answer.body is not None:
            kind = "application/problem+json" if answer.status >= 400 else "application/json"
            self.send_header("Content-Type", kind)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is not even HTTP, in the shop's own words instead of HTML."""
        self.close_connection = True
        problem = Problem(int(code), f"{message or explain or 'The request is no HTTP/1.1'}.")
        self._send(Answer(problem.status, problem.body()))

    def handle_expect_100(self) -> bool:
        """Let the client send its body; the answer to "may I?" must not wait in the buffer."""
        answer = super().handle_expect_100()
        self.wfile.flush()
        return answer

    def version_string(self) -> str:
        """Name the API, not Python."""
        return f"shop/{document()['info']['version']}"

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""
