"""What the environment says about proxies, read by us: httpx would send calls for this very machine through one."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from thinkagent.engine.wire.servers import is_loopback
from thinkagent.errors import UsageError

__all__ = ["proxy_for"]

_SCHEMES = ("http", "https", "socks5", "socks5h")


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """Give the proxy for an address: `HTTP_PROXY`, `HTTPS_PROXY`, else `ALL_PROXY`; None to go straight.

    This machine is never reached through a proxy. `NO_PROXY` takes hosts, domains (with or without a leading dot or
    `*.`), `host:port`, addresses, networks (`10.0.0.0/8`) and `*`. Lower-case names of variables win. Under CGI
    (`REQUEST_METHOD` is set) a caller could set `HTTP_PROXY`, so only `http_proxy` counts there.

    Raises:
        UsageError: the variable holds no address of a proxy; the value, which may hold a password, is not repeated.
    """
    if is_loopback(url) or _is_excepted(url, _variable("no_proxy", environ)[1]):
        return None
    scheme = urlsplit(url).scheme.lower()
    name, value = _variable(f"{scheme}_proxy", environ)
    if not value:
        name, value = _variable("all_proxy", environ)
    if not value:
        return None
    proxy = value if "://" in value else f"http://{value}"
    try:
        parts = urlsplit(proxy)
        is_usable = parts.scheme.lower() in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise UsageError(
            f"the variable {name} holds no address of a proxy",
            code="bad_proxy",
            where=name,
            hint="Give http://host:port, or unset it",
        )
    return proxy


def _variable(name: str, environ: Mapping[str, str]) -> tuple[str, str]:
    if value := environ.get(name, "").strip():
        return name, value
    upper = name.upper()
    if upper == "HTTP_PROXY" and "REQUEST_METHOD" in environ:
        return upper, ""
    return upper, environ.get(upper, "").strip()


def _is_excepted(url: str, exceptions: str) -> bool:
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".").lower()
    try:
        port = parts.port
    except ValueError:
        port = None
    return any(_matches(host, port, item.strip().lower()) for item in exceptions.split(",") if item.strip())


def _matches(host: str, port: int | None, item: str) -> bool:
    if item == "*":
        return True
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(item.strip("[]"), strict=False)
    except ValueError:
        pass
    name, _, wanted = item.rpartition(":")
    if name and wanted.isdecimal():
        if port != int(wanted):
            return False
        item = name
    item = item.removeprefix("*").removeprefix(".").strip("[]")
    return bool(item) and (host == item or host.endswith("." + item))
