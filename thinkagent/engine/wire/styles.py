"""Parameters as they go on the wire: OpenAPI 3.1 "Style Values", which follow RFC 6570.

Everything returned is percent-encoded as its place asks; a secret stands by name and is encoded when the request is
opened. Null, alone or as a member, is not sent; neither is an empty list or object outside the path. Lists and
objects hold scalars only: the standard defines no deeper nesting, and what it does not define is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from urllib.parse import quote

from thinkagent.documents.model import Parameter
from thinkagent.engine.wire.holes import Text
from thinkagent.errors import ArgumentError
from thinkagent.values import Json, Secret, SecretText, clip, join_text, text_parts, visible, write_json

__all__ = [
    "encode_query",
    "refuse",
    "scalar_text",
    "serialize_cookie",
    "serialize_header",
    "serialize_path",
    "serialize_query",
]

_RESERVED = ":/?@!$'()*,;"
"""What `allowReserved` leaves as it is: the reserved characters that cannot end a query value or begin another."""
_COOKIE_SAFE = "!#$&'()*+-./:<=>?@[]^_`{|}~"
"""cookie-octet of RFC 6265 without the percent sign, beside letters and digits."""

_DELIMITERS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}

Encode = Callable[[Text], Text]


def serialize_path(parameter: Parameter, value: Json) -> Text:
    """Write a path parameter as part of one segment: styles simple, label and matrix.

    Raises:
        ArgumentError: the value is null, empty, `.` or `..` (no encoding protects a dot segment), or too deep.
    """
    if parameter.content_type:
        return encode_query(_as_json(parameter, value))
    shape = _shape(parameter, value)
    if shape is None or shape in ("", [], {}):
        raise refuse(parameter, "it is empty", "a value: a path has no gaps")
    style = parameter.style or "simple"
    if style == "matrix":
        return _matrix(parameter, shape)
    prefix, delimiter = (".", "." if parameter.explode else ",") if style == "label" else ("", ",")
    text = join_text([prefix, _joined(shape, encode_query, delimiter, "=" if parameter.explode else delimiter)])
    if text in ("", ".", ".."):
        raise refuse(parameter, f"{text!r} would change the path", "a value that is one segment of a path")
    return text


def serialize_query(parameter: Parameter, value: Json) -> list[tuple[str, Text]]:
    """Write a query parameter as encoded name/value pairs, in the order in which they are sent.

    Raises:
        ArgumentError: the value is nested deeper than its style defines, or its style has no meaning for it.
    """
    name = quote(parameter.name, safe="")
    if parameter.content_type:
        return [(name, encode_query(_as_json(parameter, value)))]
    encode = _encode_reserved if parameter.allow_reserved else encode_query
    shape = _shape(parameter, value)
    if parameter.style == "deepObject":
        return _deep_object(parameter, name, shape, encode)
    return _form(name, shape, encode, _DELIMITERS.get(parameter.style, ","), parameter.explode)


def serialize_header(parameter: Parameter, value: Json) -> Text | None:
    """Write a header parameter: style simple, as it is, since fields are not percent-encoded; None is not sent.

    Raises:
        ArgumentError: the text cannot stand in a header, or a member of a list or object holds a comma.
    """
    if parameter.content_type:
        return _header_text(parameter, _as_json(parameter, value))
    shape = _shape(parameter, value)
    if shape is None or shape in ([], {}):
        return None
    if isinstance(shape, list | dict):
        members = shape if isinstance(shape, list) else [*shape, *shape.values()]
        if any("," in part for member in members for part in text_parts(member) if isinstance(part, str)):
            raise refuse(parameter, "a member holds a comma, which separates members", "members without commas")
    text = _joined(shape, lambda item: item, ",", "=" if parameter.explode else ",")
    return _header_text(parameter, text)


def serialize_cookie(parameter: Parameter, value: Json) -> list[tuple[str, Text]]:
    """Write a cookie parameter: style form, with what RFC 6265 forbids percent-encoded."""
    name = _quote(parameter.name, _COOKIE_SAFE.replace("=", ""))
    if parameter.content_type:
        return [(name, _encode_cookie(_as_json(parameter, value)))]
    return _form(name, _shape(parameter, value), _encode_cookie, ",", parameter.explode)


def scalar_text(value: Json) -> Text | None:
    """Spell a scalar as JSON does, texts without quotes; None for null, lists and objects."""
    if isinstance(value, str | Secret | SecretText):
        return value
    if isinstance(value, bool | int | Decimal):
        return write_json(value)
    return None


def encode_query(text: Text) -> Text:
    """Percent-encode everything but the unreserved characters of RFC 3986."""
    return join_text([part if isinstance(part, Secret) else _quote(part, "") for part in text_parts(text)])


def refuse(parameter: Parameter, problem: str, wanted: str) -> ArgumentError:
    """Say that a value cannot be sent in its place."""
    name = visible(parameter.name, newlines=False)
    return ArgumentError(
        f"{parameter.location} parameter {name!r} cannot be sent: {problem}",
        code="bad_arguments",
        where=name,
        hint=f"Give {wanted}",
    )


def _shape(parameter: Parameter, value: Json) -> Text | list[Text] | dict[str, Text] | None:
    """Spell the value's scalars; null members fall out."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {key: _member(parameter, key, item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_member(parameter, str(index), item) for index, item in enumerate(value) if item is not None]
    text = scalar_text(value)
    if text is None:
        raise refuse(parameter, f"it is a {type(value).__name__}", "a JSON value")
    return _whole(parameter, text)


def _member(parameter: Parameter, key: str, item: Json) -> Text:
    text = scalar_text(item)
    if text is None:
        kind = "object" if isinstance(item, Mapping) else "list"
        place = clip(visible(key, newlines=False), 40)
        style = parameter.style or ("form" if parameter.location in ("query", "cookie") else "simple")
        raise refuse(parameter, f"{place!r} in it is a {kind}, and style {style!r} has one level only", "scalars in it")
    return _whole(parameter, text)


def _whole(parameter: Parameter, text: Text) -> Text:
    """Refuse half a surrogate pair, which no encoding of the web can carry."""
    for part in text_parts(text):
        if isinstance(part, str) and not part.isascii() and any("\ud800" <= char <= "\udfff" for char in part):
            raise refuse(parameter, "it holds half of a surrogate pair", "text that is valid Unicode")
    return text


def _as_json(parameter: Parameter, value: Json) -> str:
    if _holds_secret(value):
        raise refuse(parameter, "a secret cannot stand inside a parameter that is written as JSON", "no secret here")
    return write_json(value)


def _holds_secret(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_secret, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_secret, value))
    return isinstance(value, Secret | SecretText)


def _quote(text: str, safe: str) -> str:
    return quote(text, safe=safe, errors="replace")


def _encode_reserved(text: Text) -> Text:
    return join_text([part if isinstance(part, Secret) else _quote(part, _RESERVED) for part in text_parts(text)])


def _encode_cookie(text: Text) -> Text:
    return join_text([part if isinstance(part, Secret) else _quote(part, _COOKIE_SAFE) for part in text_parts(text)])


def _joined(shape: Text | list[Text] | dict[str, Text], encode: Encode, delimiter: str, equals: str) -> Text:
    if isinstance(shape, list):
        return join_text(_between([encode(item) for item in shape], delimiter))
    if isinstance(shape, dict):
        pairs = [join_text([encode(key), equals, encode(item)]) for key, item in shape.items()]
        return join_text(_between(pairs, delimiter))
    return encode(shape)


def _between(texts: list[Text], delimiter: str) -> list[Text]:
    parts: list[Text] = []
    for text in texts:
        if parts:
            parts.append(delimiter)
        parts.append(text)
    return parts


def _matrix(parameter: Parameter, shape: Text | list[Text] | dict[str, Text]) -> Text:
    name = _quote(parameter.name, "")
    if parameter.explode and isinstance(shape, list):
        return join_text([part for item in shape for part in (f";{name}=", encode_query(item))])
    if parameter.explode and isinstance(shape, dict):
        return join_text(
            [part for key, item in shape.items() for part in (";", encode_query(key), "=", encode_query(item))]
        )
    return join_text([f";{name}=", _joined(shape, encode_query, ",", ",")])


def _form(
    name: str, shape: Text | list[Text] | dict[str, Text] | None, encode: Encode, delimiter: str, explode: bool
) -> list[tuple[str, Text]]:
    if shape is None or shape in ([], {}):
        return []
    if explode and isinstance(shape, list):
        return [(name, encode(item)) for item in shape]
    if explode and isinstance(shape, dict):
        return [(str(encode(key)), encode(item)) for key, item in shape.items()]
    return [(name, _joined(shape, encode, delimiter, delimiter))]


def _deep_object(
    parameter: Parameter, name: str, shape: Text | list[Text] | dict[str, Text] | None, encode: Encode
) -> list[tuple[str, Text]]:
    if shape is None:
        return []
    if not isinstance(shape, dict):
        raise refuse(parameter, "style 'deepObject' is for objects", "an object")
    return [(f"{name}%5B{_quote(key, '')}%5D", encode(item)) for key, item in shape.items()]


def _header_text(parameter: Parameter, text: Text) -> Text:
    for part in text_parts(text):
        if isinstance(part, str) and any(not " " <= char <= "~" and char != "\t" for char in part):
            raise refuse(parameter, "a header holds visible ASCII characters and blanks only", "plain ASCII text")
    whole = str(text)
    if whole != whole.strip():
        raise refuse(parameter, "a header neither begins nor ends with a blank", "the text without them")
    return text
