"""From event form to the bytes that leave: the only place where a secret is put into a request.

Each secret is encoded for where it stands: percent-encoded in the URL, escaped in JSON, form-encoded in a form, as it
is in a header. httpx is imported by the first call; listing, showing and replaying logs never get here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus, urlsplit

from thinkagent.engine.wire.holes import Text
from thinkagent.engine.wire.media import is_form, is_json
from thinkagent.engine.wire.request import WireRequest
from thinkagent.errors import ArgumentError
from thinkagent.values import Secret, text_parts, write_json
from thinkagent.version import __version__

if TYPE_CHECKING:
    import httpx

__all__ = ["open_request"]

USER_AGENT = f"thinkagent/{__version__}"
"""Added here and not in event form: a log replays under another version."""

Reveal = Callable[[Secret], str]


def open_request(request: WireRequest, reveal: Reveal, *, extensions: Mapping[str, Any] | None = None) -> httpx.Request:
    """Put the secrets into a request and make it httpx's; nothing is changed besides.

    `reveal` gives a secret's value (`Vault.reveal`). The label goes along as the extension `label`.

    Raises:
        ArgumentError: a secret cannot stand where it is; its value is not repeated. Also what `reveal` raises.
        httpx.InvalidURL: the URL is none, or longer than 65,536 characters.
    """
    import httpx

    headers = [(_ascii(name, name), _header(request, name, value, reveal)) for name, value in request.headers]
    if not any(name.lower() == "user-agent" for name, _ in request.headers):
        headers.append((b"user-agent", USER_AGENT.encode("ascii")))
    return httpx.Request(
        request.method,
        _url(request, reveal),
        headers=headers,
        content=_body(request, reveal),
        extensions={"label": request.label, **(extensions or {})},
    )


def _open(text: Text, write: Callable[[Secret], str]) -> str:
    return "".join(part if isinstance(part, str) else write(part) for part in text_parts(text))


def _url(request: WireRequest, reveal: Reveal) -> str:
    def encoded(secret: Secret) -> str:
        value = reveal(secret)
        if not value:
            raise _refused(request, "the URL", "it is empty")
        return value if secret.name in request.spelled else quote(value, safe="", errors="replace")

    url = _open(request.url, encoded)
    # Parts without secrets were checked when they were built; a secret may still be a dot segment.
    if url != request.url and any(segment in (".", "..") for segment in urlsplit(url).path.split("/")):
        raise _refused(request, "the path", "it would change the path")
    return url


def _header(request: WireRequest, name: str, value: Text, reveal: Reveal) -> bytes:
    if isinstance(value, str):
        return _ascii(name, value)

    def raw(secret: Secret) -> str:
        opened = reveal(secret).strip()
        forbidden = ';,"\\ ' if name.lower() == "cookie" else ""
        if any(not " " <= char <= "~" or char in forbidden for char in opened):
            raise _refused(request, f"header {name!r}", "it holds a character that cannot stand there")
        return opened

    return _open(value, raw).encode("ascii")


def _ascii(name: str, text: str) -> bytes:
    try:
        return text.encode("ascii")
    except UnicodeEncodeError as error:
        raise ArgumentError(f"header {name!r} is not ASCII", code="bad_arguments", where=name) from error


def _body(request: WireRequest, reveal: Reveal) -> bytes | None:
    if request.body is None:
        return None

    def encoded(secret: Secret) -> str:
        value = reveal(secret)
        if is_json(request.content_type):
            return write_json(value)[1:-1]
        return quote_plus(value, safe="*", errors="replace") if is_form(request.content_type) else value

    try:
        return _open(request.body, encoded).encode("utf-8")
    except UnicodeEncodeError:
        raise ArgumentError(
            "the body holds half of a surrogate pair, which UTF-8 cannot carry", code="bad_arguments", where="body"
        ) from None


def _refused(request: WireRequest, place: str, problem: str) -> ArgumentError:
    return ArgumentError(
        f"a secret cannot stand in {place} of {request.label}: {problem}",
        code="bad_secret",
        where=request.label,
        hint="Look for a line break or blanks in the credential",
    )
