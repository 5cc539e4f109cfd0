"""Sending, over a fake transport for what an answer may say and over a lying loopback server for what it may do."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.engine.wire.making import make_tool
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.failures import SendFailure
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.request import build_request
from thinkagent.engine.wire.send import RawAnswer, send
from thinkagent.engine.wire.transport import make_transport
from thinkagent.errors import TransportError

MEGABYTE = 1024 * 1024


class LyingServer:
    """Accepts connections and hands each to `behave`; counts connections and keeps what was read."""

    def __init__(self, behave: Callable[[socket.socket], None]) -> None:
        self._behave = behave
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.connections = 0
        self.requests: list[bytes] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            try:
                self._behave(connection)
            except OSError:
                connection.close()

    def read(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = connection.recv(65536)
            if not chunk:
                break
            data += chunk
        self.requests.append(data)
        return data

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._thread.join(5)
        assert not self._thread.is_alive()


@contextmanager
def lying(*pieces: bytes, close: str = "close", answers: int = 1) -> Iterator[LyingServer]:
    """A server that reads a request and sends `pieces`; then closes, resets, or keeps the connection open."""

    def behave(connection: socket.socket) -> None:
        for _ in range(answers):
            if not server.read(connection):
                break
            for piece in pieces:
                connection.sendall(piece)
        if close == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        if close != "keep":
            connection.close()

    server = LyingServer(behave)
    try:
        yield server
    finally:
        server.stop()


def call(url: str, method: str = "POST", *, transport: httpx.AsyncBaseTransport | None = None, **limits) -> RawAnswer:
    tool = make_tool(method, "/things?key=SECRET1", body=True, body_required=False)
    request = open_request(build_request(tool, {}, Target(url)), lambda secret: "")

    answers = []

    async def run() -> None:
        used = transport or make_transport(url, {})
        try:
            answers.append(await send(request, used, **{"total_s": 5, **limits}))
        finally:
            await used.aclose()

    asyncio.run(run())
    return answers[0]


def failure(url: str, method: str = "POST", **more) -> SendFailure:
    with pytest.raises(SendFailure) as told:
        call(url, method, **more)
    assert "SECRET" not in str(told.value)
    return told.value


def answering(status: int = 200, headers=(), content: bytes = b"") -> httpx.MockTransport:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers=list(headers), stream=httpx.ByteStream(content))

    return httpx.MockTransport(handler)


def ok(body: bytes, *headers: str, length: int | None = None) -> bytes:
    lines = ["HTTP/1.1 200 OK", *headers, f"Content-Length: {len(body) if length is None else length}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


class TestAnswers:
    def test_what_comes_back(self):
        answer = call("http://a.test", transport=answering(201, [("X-A", "1"), ("x-a", "2")], b"body"))
        assert (answer.status, answer.body, answer.truncated, answer.notes) == (201, b"body", False, ())
        assert [pair for pair in answer.headers if pair[0] == "x-a"] == [("x-a", "1"), ("x-a", "2")]
        assert 0 <= answer.times_us["first_byte"] <= answer.times_us["total"]

    @pytest.mark.parametrize("status", [204, 301, 302, 303, 307, 308, 304, 401, 404, 422, 429, 500, 502, 503])
    def test_any_status_is_an_answer(self, status):
        assert call("http://a.test", transport=answering(status, [("location", "http://b.test/")])).status == status

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_no_redirect_is_followed(self, method, status):
        head = f"HTTP/1.1 {status} Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n".encode()
        with lying(head) as server:
            answer = call(server.url, method)
        assert dict(answer.headers)["location"] == "/other"
        assert server.connections == 1

    def test_no_cookie_is_kept(self):
        async def twice() -> None:
            transport = make_transport(server.url, {})
            for _ in range(2):
                request = open_request(build_request(make_tool(), {}, Target(server.url)), lambda secret: "")
                await send(request, transport, total_s=5)
            await transport.aclose()

        with lying(ok(b"1", "Set-Cookie: s=1"), answers=2) as server:
            asyncio.run(twice())
        assert len(server.requests) == 2
        assert b"ookie" not in server.requests[1]

    def test_head_and_empty_answers(self):
        assert call("http://a.test", "HEAD", transport=answering(200, [("content-encoding", "gzip")])).body == b""
        assert call("http://a.test", transport=answering(204, [("content-encoding", "br")])).notes == ()

    @pytest.mark.parametrize(
        ("raw", "text"),
        [(b"caf\xe9", "café"), ("café".encode(), "café"), (b"a", "a")],
        ids=["latin-1", "utf-8", "ascii"],
    )
    def test_a_header_reads_the_same_whatever_stands_beside_it(self, raw, text):
        for beside in (b"\xe9", "é".encode(), b"plain"):
            transport = httpx.MockTransport(
                lambda request, beside=beside: httpx.Response(200, headers=[(b"A", raw), (b"B", beside)])
            )
            assert dict(call("http://a.test", transport=transport).headers)["a"] == text


class TestEncodings:
    @pytest.mark.parametrize(
        ("encoding", "packed"),
        [
            ("gzip", gzip.compress(b"hello" * 50000)),
            ("GZIP", gzip.compress(b"hello" * 50000)),
            ("x-gzip", gzip.compress(b"hello" * 25000) + gzip.compress(b"hello" * 25000)),
            ("deflate", zlib.compress(b"hello" * 50000)),
            ("deflate", zlib.compress(b"hello" * 50000)[2:-4]),
            ("identity", b"hello" * 50000),
        ],
        ids=["gzip", "upper-case", "two-members", "zlib", "raw-deflate", "identity"],
    )
    @pytest.mark.parametrize("size", [1, 7, 100_000])
    def test_inflated(self, encoding, packed, size):
        class Slowly(httpx.AsyncByteStream):
            async def __aiter__(self):
                for start in range(0, len(packed), size):
                    yield packed[start : start + size]

        if size == 1 and len(packed) > 10_000:
            size = 1000
        transport = httpx.MockTransport(
            lambda request: httpx.Response(200, headers={"content-encoding": encoding}, stream=Slowly())
        )
        assert call("http://a.test", transport=transport).body == b"hello" * 50000

    @pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, br", "compress", "x" * 200])
    def test_what_was_not_asked_for_is_left_out_and_said(self, encoding):
        answer = call("http://a.test", transport=answering(200, [("content-encoding", encoding)], b"\x0b\x02\x80"))
        assert answer.body == b""
        assert "not asked for" in answer.notes[0]
        assert len(answer.notes[0]) < 160

    @pytest.mark.parametrize(
        "packed",
        [gzip.compress(b"hello" * 5000)[:-20], gzip.compress(b"hello")[:1], b"\x1f\x8b\x08 no gzip", b"<html>"],
        ids=["cut", "one-byte", "damaged", "html"],
    )
    def test_a_cut_or_damaged_body_is_no_answer(self, packed):
        broken = failure("http://a.test", transport=answering(201, [("content-encoding", "gzip")], packed))
        assert (broken.kind, broken.status, broken.never_sent) == ("cut", 201, False)

    def test_an_empty_gzip_body(self):
        assert call("http://a.test", transport=answering(200, [("content-encoding", "gzip")])).body == b""


class TestCaps:
    def test_plain(self):
        answer = call("http://a.test", transport=answering(200, (), b"x" * 1001), cap_bytes=1000)
        assert (answer.body, answer.truncated) == (b"x" * 1000, True)
        answer = call("http://a.test", transport=answering(200, (), b"x" * 1000), cap_bytes=1000)
        assert (answer.body, answer.truncated) == (b"x" * 1000, False)

    def test_inflated(self):
        packed = gzip.compress(b"x" * 1001)
        answer = call("http://a.test", transport=answering(200, [("content-encoding", "gzip")], packed), cap_bytes=1000)
        assert (answer.body, answer.truncated) == (b"x" * 1000, True)

    @pytest.mark.parametrize("level", [1, 9])
    def test_a_bomb_costs_no_more_than_the_cap(self, level):
        packed = gzip.compress(b"\0" * (128 * MEGABYTE), compresslevel=level)
        with lying(ok(packed, "Content-Encoding: gzip")) as server:
            tracemalloc.start()
            try:
                answer = call(server.url, "GET", cap_bytes=4 * MEGABYTE)
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
        assert (len(answer.body), answer.truncated) == (4 * MEGABYTE, True)
        assert peak < 16 * MEGABYTE

    def test_a_body_without_end_is_left(self):
        def behave(connection: socket.socket) -> None:
            server.read(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)

        server = LyingServer(behave)
        try:
            answer = call(server.url, "GET", cap_bytes=MEGABYTE)
        finally:
            server.stop()
        assert (len(answer.body), answer.truncated) == (MEGABYTE, True)


class TestDeadline:
    """The time limit holds for the whole call, however it is spent."""

    @pytest.mark.parametrize(
        "start",
        [b"", b"HTTP/1.1 2", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"],
        ids=["before-the-status", "in-the-status", "in-the-body"],
    )
    def test_dripping(self, start):
        stop = threading.Event()

        def behave(connection: socket.socket) -> None:
            server.read(connection)
            connection.sendall(start)
            while not stop.wait(0.05):
                connection.sendall(b"0")

        server = LyingServer(behave)
        try:
            late = failure(server.url, total_s=0.4)
        finally:
            stop.set()
            server.stop()
        assert (late.kind, late.never_sent) == ("timeout", False)
        assert late.status == (200 if start.endswith(b"\r\n\r\n") else None)
        assert 350_000 <= late.times_us["total"] < 1_400_000

    def test_silence(self):
        with lying(close="keep") as server:
            late = failure(server.url, total_s=0.3)
        assert (late.kind, late.never_sent, server.connections) == ("timeout", False, 1)
        assert str(late) == f"POST /things to {server.url}: no whole answer within 0.3 s"

    def test_cancelling_leaves_no_connection(self):
        read, closed = threading.Event(), threading.Event()

        def behave(connection: socket.socket) -> None:
            server.read(connection)
            read.set()
            if connection.recv(1) == b"":
                closed.set()

        async def run() -> None:
            request = open_request(build_request(make_tool("POST"), {}, Target(server.url)), lambda secret: "")
            transport = make_transport(server.url, {})
            task = asyncio.create_task(send(request, transport, total_s=5))
            assert await asyncio.to_thread(read.wait, 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await transport.aclose()

        server = LyingServer(behave)
        try:
            asyncio.run(run())
            assert closed.wait(5)
        finally:
            server.stop()


class TestFailures:
    """Only what proves it says that a request was never sent."""

    def test_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        refused = failure(url)
        assert (refused.kind, refused.never_sent) == ("connect", True)
        assert str(refused).startswith(f"POST /things to {url}: no connection: refused")
        assert isinstance(refused, TransportError)
        assert refused.exit_code == 3

    @pytest.mark.parametrize("close", ["close", "reset"])
    @pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
    def test_read_and_not_answered(self, method, close):
        with lying(close=close) as server:
            lost = failure(server.url, method)
        assert (lost.kind, lost.never_sent, lost.status) == ("disconnected", False, None)
        assert server.connections == 1

    @pytest.mark.parametrize(
        "pieces",
        [
            (ok(b"half", length=100),),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n",),
        ],
        ids=["length-too-long", "chunks-cut", "chunks-broken"],
    )
    def test_cut_in_the_body(self, pieces):
        with lying(*pieces) as server:
            lost = failure(server.url)
        assert (lost.kind, lost.never_sent, lost.status) == ("cut", False, 200)
        assert server.connections == 1

    @pytest.mark.parametrize("piece", [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 xyz\r\n\r\n", b"\0\0\0\0\r\n\r\n"])
    def test_no_http(self, piece):
        with lying(piece) as server:
            odd = failure(server.url)
        assert (odd.kind, odd.never_sent) == ("protocol", False)

    def test_a_header_block_without_end(self):
        with lying(b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"a" * 300_000 + b"\r\n") as server:
            assert failure(server.url).never_sent is False

    @pytest.mark.parametrize(
        ("error", "kind", "never_sent"),
        [
            (httpx.ConnectError("x SECRET"), "connect", True),
            (httpx.ConnectTimeout("x SECRET"), "connect_timeout", True),
            (httpx.PoolTimeout("x SECRET"), "busy", True),
            (httpx.ProxyError("x SECRET"), "proxy", True),
            (httpx.InvalidURL("x SECRET"), "invalid_request", True),
            (httpx.UnsupportedProtocol("x SECRET"), "invalid_request", True),
            (httpx.LocalProtocolError("x SECRET"), "invalid_request", True),
            (httpx.ReadTimeout("x SECRET"), "timeout", False),
            (httpx.WriteTimeout("x SECRET"), "timeout", False),
            (httpx.ReadError("x SECRET"), "disconnected", False),
            (httpx.WriteError("x SECRET"), "disconnected", False),
            (httpx.CloseError("x SECRET"), "disconnected", False),
            (httpx.RemoteProtocolError("Server disconnected SECRET"), "disconnected", False),
            (httpx.RemoteProtocolError("illegal status line SECRET"), "protocol", False),
            (httpx.DecodingError("x SECRET"), "disconnected", False),
            (httpx.StreamClosed(), "disconnected", False),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
    )
    def test_what_each_exception_proves(self, error, kind, never_sent):
        def handler(request: httpx.Request) -> httpx.Response:
            raise error

        lost = failure("http://a.test", transport=httpx.MockTransport(handler))
        assert (lost.kind, lost.never_sent) == (kind, never_sent)
        assert "http://a.test" in str(lost)
        assert lost.__cause__ is None

    def test_other_errors_pass(self):
        def handler(request: httpx.Request) -> httpx.Response:
            raise LookupError("a seam's own")

        with pytest.raises(LookupError):
            call("http://a.test", transport=httpx.MockTransport(handler))

    @pytest.mark.parametrize("name", ["X A", "é"])
    def test_a_header_that_http_does_not_know_is_never_sent(self, name):
        async def run() -> None:
            request = httpx.Request("POST", server.url, headers=[(name.encode("latin-1"), b"1")])
            await send(request, make_transport(server.url, {}), total_s=5)

        with lying(ok(b"")) as server, pytest.raises(SendFailure) as told:
            asyncio.run(run())
        assert (told.value.kind, told.value.never_sent) == ("invalid_request", True)
        assert b"".join(server.requests) == b""


class TestConnections:
    def _send(self, server: LyingServer, method: str, times: int) -> list[bytes]:
        async def run() -> list[bytes]:
            transport = make_transport(server.url, {})
            bodies = []
            for _ in range(times):
                request = open_request(build_request(make_tool(method), {}, Target(server.url)), lambda secret: "")
                bodies.append((await send(request, transport, total_s=5)).body)
            await transport.aclose()
            return bodies

        return asyncio.run(run())

    @pytest.mark.parametrize(
        ("method", "connections"), [("GET", 1), ("POST", 3), ("PUT", 3), ("PATCH", 3), ("DELETE", 3)]
    )
    def test_every_write_has_its_own(self, method, connections):
        with lying(ok(b"1"), answers=3 if method == "GET" else 1) as server:
            assert self._send(server, method, 3) == [b"1"] * 3
        assert server.connections == connections

    def test_left_over_bytes_never_answer_the_next_write(self):
        stale = ok(b"EVIL")
        with lying(ok(b"1") + stale, close="keep") as server:
            assert self._send(server, "POST", 2) == [b"1", b"1"]
