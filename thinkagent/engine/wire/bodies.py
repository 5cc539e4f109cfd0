"""Request bodies: JSON with exact numbers, forms, plain text."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote_plus

from thinkagent.documents.model import MediaType, Parameter
from thinkagent.engine.wire.holes import Holes, Text
from thinkagent.engine.wire.media import charset_of, essence, is_form, is_json, is_wildcard
from thinkagent.engine.wire.styles import refuse, scalar_text, serialize_query
from thinkagent.errors import ArgumentError
from thinkagent.values import Json, Secret, SecretText, join_text, text_parts, write_json

__all__ = ["form_encode", "write_body", "write_json_text"]


def write_body(content_type: str, media: MediaType | None, value: Json) -> tuple[Text, str]:
    """Write a body as its media type asks; gives the text in event form and the Content-Type to send.

    The declared type is the one sent; a wildcard (`*/*`) is sent as JSON. In a form, lists repeat their name and
    objects are JSON, unless the document's `encoding` names a style.

    Raises:
        ArgumentError: the value does not fit the type, or the type is not supported.
    """
    if is_wildcard(content_type):
        return write_json_text(value), "application/json"
    if is_json(content_type):
        return write_json_text(value), content_type
    if is_form(content_type):
        return _form(media, value), content_type
    if essence(content_type).startswith("text/"):
        return _plain(content_type, value)
    raise ArgumentError(
        f"a body of type {content_type!r} cannot be sent",
        code="unsupported_body",
        where="body",
        hint="Use another call",
    )


def write_json_text(value: Json) -> Text:
    """Write JSON with secrets left open: each stands inside its quotes and is escaped when the request is opened."""
    text = write_json(value)
    if not _holds_secret(value):
        return text
    holes = Holes(text)
    return holes.restore(write_json(holes.fill_value(value)))


def form_encode(text: Text) -> Text:
    """Encode as HTML forms do: a blank is `+`."""
    return join_text([part if isinstance(part, Secret) else quote_plus(part, safe="*") for part in text_parts(text)])


def _holds_secret(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_secret, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_secret, value))
    return isinstance(value, Secret | SecretText)


def _plain(content_type: str, value: Json) -> tuple[Text, str]:
    text = scalar_text(value)
    if text is None:
        kind = "null" if value is None else "an object" if isinstance(value, Mapping) else "a list"
        raise ArgumentError(
            f"the body is {content_type!r} and cannot be {kind}", code="bad_arguments", where="body", hint="Give a text"
        )
    if not str(text).isascii() and not charset_of(content_type):
        content_type = f"{content_type}; charset=utf-8"
    return text, content_type


def _form(media: MediaType | None, value: Json) -> Text:
    if not isinstance(value, Mapping):
        raise ArgumentError(
            "the body is a form and must be an object", code="bad_arguments", where="body", hint="Give its fields"
        )
    encoding = media.encoding if media else {}
    pairs: list[Text] = []
    for name, item in value.items():
        for key, text in _field(name, item, encoding.get(name)):
            pairs += ["&", key, "=", text] if pairs else [key, "=", text]
    return join_text(pairs)


def _field(name: str, value: Json, encoding: object) -> list[tuple[str, Text]]:
    facts: Mapping[str, object] = encoding if isinstance(encoding, Mapping) else {}
    if any(word in facts for word in ("style", "explode", "allowReserved")):
        style = str(facts.get("style") or "form")
        parameter = Parameter(
            name,
            "query",
            False,
            True,
            style=style,
            explode=bool(facts.get("explode", style == "form")),
            allow_reserved=bool(facts.get("allowReserved", False)),
        )
        return serialize_query(parameter, value)
    key = str(form_encode(name))
    items = value if isinstance(value, list | tuple) else [value]
    return [(key, _form_text(name, item)) for item in items if item is not None]


def _form_text(name: str, item: Json) -> Text:
    text = scalar_text(item)
    if text is not None:
        return form_encode(text)
    if _holds_secret(item):
        field = Parameter(name, "query", False, True)
        raise refuse(field, "a secret cannot stand inside a form field that is written as JSON", "no secret here")
    return form_encode(write_json(item))
