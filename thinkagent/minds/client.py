"""The httpx client of the thin mind: no redirects, no cookies kept, no proxy on this machine, TLS only where needed."""

from __future__ import annotations

import logging

import httpx

from thinkagent.errors import UsageError
from thinkagent.minds.endpoint import Endpoint, parse_endpoint
from thinkagent.version import __version__

__all__ = ["CONNECT_S", "BadSurroundings", "build_client", "usable_endpoint"]

CONNECT_S = 15.0
"""How long a connection may take to be made."""


class BadSurroundings(Exception):
    """The environment's proxy or certificate settings cannot be used; the text names the variables, never values."""


def build_client(endpoint: Endpoint, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """Make a client for one server; it has no time limits but that for connecting.

    Raises:
        BadSurroundings: what the environment says cannot be used.
    """
    for library in ("httpx", "httpcore"):
        # At INFO they log whole URLs, keys in queries included.
        logging.getLogger(library).setLevel(logging.WARNING)
    secure = endpoint.is_secure
    try:
        return httpx.AsyncClient(
            transport=transport,
            # A TLS context costs 40 ms, so a plain address goes without.
            verify=secure,
            trust_env=not endpoint.is_loopback,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_S),
            # A kept plain connection gains nothing and may be closed by the server just when it is used again.
            limits=httpx.Limits(max_keepalive_connections=1 if secure else 0),
            headers={"Accept-Encoding": "identity", "User-Agent": f"thinkagent/{__version__}"},
        )
    except (ValueError, ImportError, OSError, TypeError, httpx.InvalidURL) as error:
        raise BadSurroundings(
            f"{type(error).__name__} while reading the proxy and certificate settings of the environment "
            "(HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE)"
        ) from error


def usable_endpoint(api_base: str) -> Endpoint:
    """Check a base as `parse_endpoint` does, and also that httpx can send to it; raises `UsageError`."""
    endpoint = parse_endpoint(api_base)
    try:
        httpx.URL(endpoint.url)
    except httpx.InvalidURL as error:
        raise UsageError(
            f"the model's base {endpoint.shown!r} is no URL that can be sent to",
            code="bad_api_base",
            where="--api-base",
            hint="Write it like 'http://127.0.0.1:11434/v1'",
        ) from error
    return endpoint
