"""One request, one answer, within a deadline and within caps. Imports httpx: only a run that sends comes here.

No redirect is followed, no cookie is kept, nothing is sent twice: what a 3xx, a `Set-Cookie` or a broken connection
means is for the run to decide.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import httpx

from thinkagent.engine.wire.failures import FailureKind, SendFailure
from thinkagent.engine.wire.inflate import IDENTITY, INFLATED, Inflater, coding
from thinkagent.engine.wire.media import header

__all__ = ["CAP_BYTES", "RawAnswer", "send"]

CAP_BYTES = 50 * 1024 * 1024

# Only these prove that no byte of the request left. A tunnel that the proxy refused comes before the request;
# after any other failure a server may have read the request, whatever the exception is called.
_NEVER_SENT: dict[type[Exception], FailureKind] = {
    httpx.ConnectTimeout: "connect_timeout",
    httpx.ConnectError: "connect",
    httpx.PoolTimeout: "busy",
    httpx.ProxyError: "proxy",
    httpx.InvalidURL: "invalid_request",
    httpx.UnsupportedProtocol: "invalid_request",
    httpx.LocalProtocolError: "invalid_request",
}


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer as it came, the transfer's compression undone."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, in the order received, repeated ones kept."""
    body: bytes
    truncated: bool = False
    """The body was larger than the cap; `body` is its beginning."""
    notes: tuple[str, ...] = ()
    times_us: dict[str, int] = field(default_factory=dict, compare=False)
    """Microseconds from the start: `first_byte` (the headers are here), `total`."""


async def send(
    request: httpx.Request,
    transport: httpx.AsyncBaseTransport,
    *,
    total_s: float,
    connect_s: float = 10.0,
    cap_bytes: int = CAP_BYTES,
) -> RawAnswer:
    """Send a request and read the answer.

    `total_s` bounds everything from the first look-up to the last byte, however slowly it drips. `cap_bytes` bounds
    the body both as received and as inflated; what is beyond is not read. Only gzip and deflate, once, are inflated:
    a body in another encoding is left out, with a note.

    Raises:
        SendFailure: no answer came, or not the whole of it.
    """
    attempt = _Attempt(request)
    request.extensions = {
        **request.extensions,
        "timeout": {"connect": min(connect_s, total_s), "read": total_s, "write": total_s, "pool": total_s},
    }
    try:
        async with asyncio.timeout(total_s):
            return await attempt.run(transport, cap_bytes)
    except TimeoutError:
        raise attempt.failure("timeout", f"no whole answer within {total_s:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeEncodeError) as error:
        raise attempt.failure_of(error, total_s, connect_s) from None


class _Attempt:
    def __init__(self, request: httpx.Request) -> None:
        self._request = request
        self._status: int | None = None
        self._start = time.perf_counter_ns()
        self._times: dict[str, int] = {}

    async def run(self, transport: httpx.AsyncBaseTransport, cap_bytes: int) -> RawAnswer:
        response = await transport.handle_async_request(self._request)
        self._mark("first_byte")
        self._status = response.status_code
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        try:
            headers = tuple((_text(name).lower(), _text(value)) for name, value in response.headers.raw)
            body = await self._read(stream.__aiter__(), headers, cap_bytes)
        finally:
            await stream.aclose()
        self._mark("total")
        return RawAnswer(self._status, headers, body.data, body.truncated, body.notes, self._times)

    async def _read(self, chunks: AsyncIterator[bytes], headers: tuple[tuple[str, str], ...], cap_bytes: int) -> _Body:
        encoding = coding(str(header(headers, "content-encoding") or ""))
        if encoding == IDENTITY:
            return await _read_plain(chunks, cap_bytes)
        if self._request.method == "HEAD" or self._status in (204, 304):
            return _Body(b"")
        if encoding not in INFLATED:
            return _Body(
                b"", notes=(f"the body is encoded as {encoding[:60]!r}, which was not asked for, and left out",)
            )
        body = await _read_inflated(chunks, cap_bytes)
        if body is None:
            raise self.failure("cut", f"the {encoding} body is damaged or ends too early")
        return body

    def failure(self, kind: FailureKind, what: str, *, never_sent: bool = False) -> SendFailure:
        self._mark("total")
        label = str(self._request.extensions.get("label") or self._request.method)
        message = f"{label} to {_origin(self._request)}: {what}"
        return SendFailure(kind, message, never_sent=never_sent, status=self._status, times_us=self._times)

    def failure_of(self, error: Exception, total_s: float, connect_s: float) -> SendFailure:
        kind = next((kind for known, kind in _NEVER_SENT.items() if isinstance(error, known)), None)
        if isinstance(error, UnicodeEncodeError):
            kind = "invalid_request"
        if kind is not None and self._status is None:
            what = {
                "connect": f"no connection: {_reason(error)}",
                "connect_timeout": f"no connection within {min(connect_s, total_s):g} s",
                "busy": "no free connection in time",
                "proxy": "the proxy did not open a connection",
                "invalid_request": f"the request cannot be written as HTTP ({type(error).__name__})",
            }[kind]
            return self.failure(kind, what, never_sent=True)
        if isinstance(error, httpx.TimeoutException):
            return self.failure("timeout", f"no whole answer within {total_s:g} s")
        if self._status is not None:
            return self.failure("cut", f"the connection broke in the body of the answer (status {self._status})")
        if isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in str(error):
            return self.failure("protocol", "what came back is not HTTP")
        return self.failure("disconnected", "the connection broke before an answer came")

    def _mark(self, what: str) -> None:
        self._times[what] = (time.perf_counter_ns() - self._start) // 1000


def _origin(request: httpx.Request) -> str:
    url = request.url
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}" + (f":{url.port}" if url.port else "")


def _reason(error: BaseException) -> str:
    """The plain words for why no connection came about; the library's own text may name a proxy with its password."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "the server's certificate is not trusted"
        if isinstance(cause, ssl.SSLError):
            return "TLS failed"
        if isinstance(cause, socket.gaierror):
            return "the host name could not be looked up"
        if isinstance(cause, ConnectionRefusedError):
            return "refused"
        if isinstance(cause, OSError) and cause.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
            return "unreachable"
    return "it could not be opened"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            yield from error.exceptions
        error = error.__cause__ or error.__context__


def _text(raw: bytes) -> str:
    """Decode one header name or value the same way whatever stands beside it: UTF-8 where it is that, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@dataclass(frozen=True, slots=True)
class _Body:
    data: bytes
    truncated: bool = False
    notes: tuple[str, ...] = ()


async def _read_plain(chunks: AsyncIterator[bytes], cap: int) -> _Body:
    data = bytearray()
    async for chunk in chunks:
        data += chunk[: cap + 1 - len(data)]
        if len(data) > cap:
            return _Body(bytes(data[:cap]), True)
    return _Body(bytes(data))


async def _read_inflated(chunks: AsyncIterator[bytes], cap: int) -> _Body | None:
    """Inflate in slices, so that a bomb costs no more than the cap; None where the stream is damaged or incomplete."""
    inflater = Inflater()
    data = bytearray()
    received = 0
    async for chunk in chunks:
        received += len(chunk)
        if received > cap:
            return _Body(bytes(data), True)
        try:
            for piece in inflater.inflate(chunk):
                data += piece
                if len(data) > cap:
                    return _Body(bytes(data[:cap]), True)
        except zlib.error:
            return None
    if received and not inflater.complete:
        return None
    return _Body(bytes(data))
