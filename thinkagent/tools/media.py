"""Which of the offered media types a tool uses, for what it sends and for what it gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinkagent.documents.model import MediaType, RequestBody, Response, Schema

__all__ = ["BodyChoice", "ResultChoice", "choose_body", "choose_result", "is_json"]


@dataclass(frozen=True, slots=True)
class BodyChoice:
    """The media type that the body is sent as, or why none can be."""

    media_type: str
    """As it goes on the wire: a wildcard is already `application/json`; empty where `reason` says why."""
    media: MediaType | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultChoice:
    """The answer that a tool's result is taken from."""

    status: str
    schema: Schema | None
    media: MediaType | None = None


def essence(media_type: str) -> str:
    """Give type and subtype alone, in lower case (RFC 9110, section 8.3.1, without parameters)."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Say whether the type is JSON: application/json, text/json, any `+json`."""
    name = essence(media_type)
    return name in ("application/json", "text/json") or name.endswith("+json")


def _rank(media: MediaType) -> int | None:
    """Order what can be sent, best first; None for what cannot."""
    name = essence(media.media_type)
    if name == "application/json":
        return 0
    if is_json(name):
        return 1
    if name in ("*/*", "application/*", "*"):
        return 2
    if name == "application/x-www-form-urlencoded":
        return 3
    if name in ("text/plain", "text/*"):
        return 4
    return None


def choose_body(body: RequestBody) -> BodyChoice:
    """Choose the media type to send: JSON where it is offered, else a form, else plain text."""
    ranked = [(rank, position) for position, media in enumerate(body.content) if (rank := _rank(media)) is not None]
    if not ranked:
        return BodyChoice("", None, _refusal(body.content))
    media = body.content[min(ranked)[1]]
    name = essence(media.media_type)
    if name in ("*/*", "application/*", "*"):
        return BodyChoice("application/json", media)
    return BodyChoice("text/plain" if name == "text/*" else media.media_type.strip(), media)


def _refusal(content: Sequence[MediaType]) -> str:
    if not content:
        return "the request body names no media type"
    names = ", ".join(repr(essence(media.media_type)) for media in content)
    return f"body of type {names} is not supported yet"


def choose_result(responses: Sequence[Response]) -> ResultChoice:
    """Choose the main successful answer: the lowest 2xx that has JSON, else the lowest 2xx, else `default`."""
    good = sorted(
        (response for response in responses if response.status.upper().startswith("2")),
        key=lambda response: response.status.upper().replace("X", "~"),
    )
    if not good:
        good = [response for response in responses if response.status.lower() == "default"]
    for response in good:
        for media in response.content:
            if is_json(media.media_type) or essence(media.media_type) in ("*/*", "application/*", "*"):
                return ResultChoice(response.status, media.schema, media)
    for response in good:
        for media in response.content:
            if essence(media.media_type).startswith("text/"):
                return ResultChoice(response.status, {"type": "string"}, media)
    return ResultChoice(good[0].status if good else "", None)
