"""The bytes of a document from an http or https address."""

from __future__ import annotations

import ipaddress
import re
import threading
import time
from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit, urlunsplit

from thinkagent.documents.sources import MAX_BYTES
from thinkagent.errors import DocumentError

__all__ = ["fetch", "is_loopback", "public_url"]

_MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


def fetch(url: str, *, deadline_s: float = 30.0, max_bytes: int = MAX_BYTES) -> bytes:
    """Fetch a document with GET; `deadline_s` bounds everything from name resolution to the last byte.

    Redirects are followed within the origin only, and a proxy of the environment is never used for a loopback
    address.

    Raises:
        DocumentError: no answer in time, another status than 200, a redirect elsewhere, or more than `max_bytes`.
    """
    outcome: list[bytes | BaseException] = []

    def work() -> None:
        try:
            outcome.append(_download(url, time.monotonic() + deadline_s, max_bytes))
        except BaseException as error:  # handed to the caller's thread, whatever it is
            outcome.append(error)

    # httpx bounds each read, not the sum of them: a thread that is abandoned does. A daemon never delays the exit.
    thread = threading.Thread(target=work, name="thinkagent-fetch", daemon=True)
    thread.start()
    thread.join(deadline_s)
    if not outcome:
        raise _failed(url, f"did not answer within {deadline_s:g} s")
    result = outcome[0]
    if isinstance(result, BaseException):
        raise result
    return result


def _download(url: str, deadline: float, max_bytes: int) -> bytes:
    import httpx

    shown = public_url(url)
    try:
        with httpx.Client(trust_env=not is_loopback(url), follow_redirects=False) as client:
            for _ in range(_MAX_REDIRECTS + 1):
                left = max(0.1, deadline - time.monotonic())
                with client.stream("GET", url, headers=_HEADERS, timeout=left) as response:
                    if response.status_code in _REDIRECTS and "location" in response.headers:
                        url = _redirected(url, response.headers["location"])
                        continue
                    if response.status_code != 200:
                        raise _failed(shown, f"answered {response.status_code} {response.reason_phrase}".rstrip())
                    return _read(response.iter_bytes(), shown, deadline, max_bytes)
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as error:
        raise _failed(shown, _reason(error).replace(url, public_url(url))) from error
    raise _failed(shown, f"was redirected more than {_MAX_REDIRECTS} times")


_HEADERS = {"accept": "application/vnd.oai.openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5"}


def _read(chunks: Iterable[bytes], shown: str, deadline: float, max_bytes: int) -> bytes:
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > max_bytes:
            raise _failed(shown, f"is larger than {max_bytes} bytes")
        if time.monotonic() > deadline:
            raise _failed(shown, "did not end in time")
    return bytes(data)


def _redirected(url: str, location: str) -> str:
    target = urljoin(url, location)
    if _origin(target) != _origin(url):
        raise _failed(url, f"redirects to another origin, {public_url(target)!r}", "Give that address if you trust it")
    return target


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, port


def _reason(error: Exception) -> str:
    name = type(error).__name__
    if name == "ConnectError":
        return f"cannot be reached: {_plain(str(error))}"
    if "Timeout" in name:
        return "did not answer in time"
    return f"cannot be read: {error or name}"


def _plain(reason: str) -> str:
    """Take the marks of the socket and TLS libraries off a reason: `[Errno 111] Connection refused`."""
    text = re.sub(r"^\[[^]]*\] *| *\(_ssl\.c:\d+\)$", "", reason)
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _failed(url: str, reason: str, hint: str = "Check the address, or give a file") -> DocumentError:
    shown = public_url(url)
    return DocumentError(f"the document at {shown!r} {reason}", code="document_unreachable", where=shown, hint=hint)


def is_loopback(url: str) -> bool:
    """Whether an address names this very machine by `localhost` or a loopback number."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def public_url(url: str) -> str:
    """Write an address without user, password, query and fragment, which may hold secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0].partition("#")[0]
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
