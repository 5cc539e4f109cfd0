"""The transport of a live run. Imports httpx: only a run that sends comes here.

Reads share connections. Everything else gets a connection of its own: an idle connection that the server is closing
makes the outcome of a write unknown, and one with left-over bytes on it would answer it with another call's answer.
"""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Iterable, Mapping
from functools import lru_cache

import httpx

from thinkagent.engine.wire.servers import origin
from thinkagent.engine.wire.surroundings import proxy_for
from thinkagent.errors import UsageError

__all__ = ["LiveTransport", "make_transport", "make_transports"]

MAX_CONNECTIONS = 32
_READS = frozenset({"GET", "HEAD", "OPTIONS", "QUERY"})


class LiveTransport(httpx.AsyncBaseTransport):
    """Sends over the network: no redirects, no cookies, HTTP/1.1, no retries."""

    def __init__(self, shared: httpx.AsyncBaseTransport, fresh: httpx.AsyncBaseTransport) -> None:
        self._shared = shared
        self._fresh = fresh

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        transport = self._shared if request.method in _READS else self._fresh
        return await transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._shared.aclose()
        await self._fresh.aclose()


class _ByOrigin(httpx.AsyncBaseTransport):
    """Sends each request by the transport of its origin; there is none for any other."""

    def __init__(self, transports: Mapping[str, LiveTransport]) -> None:
        self._transports = transports

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transports[origin(str(request.url))].handle_async_request(request)

    async def aclose(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()


def make_transports(base_urls: Iterable[str], environ: Mapping[str, str] | None = None) -> LiveTransport | _ByOrigin:
    """Make the transport for several APIs, each with its own proxy; raises as `make_transport`."""
    transports = {origin(url): make_transport(url, environ) for url in base_urls}
    return next(iter(transports.values())) if len(transports) == 1 else _ByOrigin(transports)


def make_transport(base_url: str, environ: Mapping[str, str] | None = None) -> LiveTransport:
    """Make the transport for the API at `base_url`, with the proxy that the environment names for it.

    Raises:
        UsageError: the proxy or the certificate file of the environment cannot be used.
    """
    # At DEBUG httpcore logs the headers of answers, issued cookies among them; httpx logs whole URLs at INFO.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    surroundings = os.environ if environ is None else environ
    proxy = proxy_for(base_url, surroundings)
    is_secure = base_url.lower().startswith("https:") or (proxy or "").lower().startswith("https:")
    verify = _tls_context(surroundings) if is_secure else False
    try:
        return LiveTransport(_pool(verify, proxy, MAX_CONNECTIONS), _pool(verify, proxy, 0))
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise UsageError(
            "the proxy that the environment names cannot be used",
            code="bad_proxy",
            where="HTTP_PROXY, HTTPS_PROXY, ALL_PROXY",
            hint="A socks proxy needs the package 'socksio'; or set NO_PROXY for this host",
        ) from error


def _pool(verify: ssl.SSLContext | bool, proxy: str | None, keep: int) -> httpx.AsyncHTTPTransport:
    return httpx.AsyncHTTPTransport(
        verify=verify,
        trust_env=False,
        http1=True,
        http2=False,
        retries=0,
        proxy=proxy,
        limits=httpx.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=keep, keepalive_expiry=4.0),
    )


def _tls_context(environ: Mapping[str, str]) -> ssl.SSLContext:
    return _context_of(environ.get("SSL_CERT_FILE", ""), environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=4)
def _context_of(file: str, folder: str) -> ssl.SSLContext:
    """One context per process and trust store: reading the certificates costs as much as forty requests."""
    try:
        if file:
            return ssl.create_default_context(cafile=file)
        if folder:
            return ssl.create_default_context(capath=folder)
        return httpx.create_ssl_context(trust_env=False)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            f"the certificates of SSL_CERT_{'FILE' if file else 'DIR'} cannot be read",
            code="bad_certificates",
            where=file or folder,
            hint="Name a PEM file, or unset the variable",
        ) from error
