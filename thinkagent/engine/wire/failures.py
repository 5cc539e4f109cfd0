"""A request that got no usable answer, and what is known of whether it left.

Messages name the operation and the origin. They hold no path value, no query and no text of the library below, which
prints whole URLs and header values.
"""

from __future__ import annotations

from typing import Literal

from thinkagent.errors import TransportError

__all__ = ["FailureKind", "SendFailure"]

FailureKind = Literal[
    "connect",  # refused, no such host, TLS: no connection came about
    "connect_timeout",
    "busy",  # no free connection in time
    "proxy",  # the proxy did not open the tunnel
    "invalid_request",  # it could not be written as HTTP
    "timeout",  # the deadline passed after the connection stood, or where that is not known
    "disconnected",  # the connection broke before the answer's status
    "cut",  # the status came, the body did not come whole
    "protocol",  # what came is not HTTP
]


class SendFailure(TransportError):
    """No usable answer came. `never_sent` is true only where it is proven; otherwise a write may have happened."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        never_sent: bool = False,
        status: int | None = None,
        times_us: dict[str, int] | None = None,
    ) -> None:
        super().__init__(message, code=f"send_{kind}", hint=_HINTS.get(kind, ""))
        self.kind: FailureKind = kind
        self.never_sent = never_sent
        self.status = status
        """The status, where it came before the connection broke: the server's word on what it did."""
        self.times_us = times_us or {}


_HINTS: dict[str, str] = {
    "connect": "Look whether the server runs and the address is right",
    "connect_timeout": "Look whether the server runs and the address is right",
    "proxy": "Look at HTTP_PROXY, HTTPS_PROXY and NO_PROXY",
}
