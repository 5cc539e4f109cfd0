"""Values as a task writes them, fitted to the field that they are for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from thinkagent.errors import list_names
from thinkagent.minds.offline.fields import Field, types_of
from thinkagent.minds.offline.query import Literal, Reason
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.vocabulary import Vocabulary
from thinkagent.minds.offline.words import tokenize

__all__ = ["Unfit", "fit_value", "fits_id", "values_named"]

_TRUE = {"true", "yes", "on", "是", "真"}
_FALSE = {"false", "no", "off", "否", "假"}


class Unfit(ValueError):
    """The value is none that the field takes; `reason` says why."""

    def __init__(self, field: Field, text: str, takes: str) -> None:
        super().__init__(text)
        self.reason = Reason(
            "'{field}' takes {takes}, not '{text}'", (("field", field.label), ("takes", takes), ("text", text))
        )


def fit_value(field: Field, literal: Literal) -> object:
    """Turn a task's value into one that the field takes: a listed choice, a number, a boolean, a date or a text.

    Raises:
        Unfit: the field does not take it.
    """
    text = literal.text
    if field.choices:
        chosen = [choice for choice in field.choices if choice.lower() == text.lower()]
        chosen = chosen or [value for _, value in values_named(field, text) if isinstance(value, str)]
        if len(chosen) != 1:
            raise Unfit(field, text, list_names(field.choices))
        return chosen[0]
    if field.kind == "number":
        plain = text.replace(",", "")
        if not re.fullmatch(r"-?\d+(\.\d+)?", plain):
            raise Unfit(field, text, "number")
        if types_of(field.schema) == {"string"}:
            return plain
        return Decimal(plain) if "." in plain else int(plain)
    if field.kind == "boolean":
        if text.lower() not in _TRUE | _FALSE:
            raise Unfit(field, text, "true, false")
        return text.lower() in _TRUE
    if field.kind in ("date", "moment"):
        return _time_of(field, text)
    if field.kind in ("list", "object"):
        raise Unfit(field, text, str(field.schema.get("format") or field.kind))
    return text


def _time_of(field: Field, text: str) -> str:
    written = re.fullmatch(r"(\d{4})年(\d{1,2})月(\d{1,2})[日号]", text)
    plain = "-".join(part.zfill(2) for part in written.groups()) if written else text
    try:
        moment = datetime.fromisoformat(plain)
    except ValueError:
        moment = None
    if field.kind == "date" and moment is not None and len(plain) == len("YYYY-MM-DD"):
        return plain
    if field.kind == "moment" and moment is not None and "T" in plain:
        return plain
    raise Unfit(field, text, "YYYY-MM-DD" if field.kind == "date" else "date-time")


def values_named(field: Field, text: str) -> list[tuple[Field, str | bool]]:
    """Give the choices of a field that a text names, in any form or in Chinese."""
    tokens = tokenize(text)
    resource = Resource((), (), (), fields=(field,))
    found = [one for one in Vocabulary(tokens, ()).values_at(0, resource) if one.end == len(tokens)]
    return [(one.field, one.value) for one in found]


def fits_id(schema: object, literal: Literal) -> object | None:
    """Give the literal as an identifier that a path argument of this schema takes; None where it can be none."""
    if not isinstance(schema, Mapping):
        return None
    text = literal.text
    types = types_of(schema)
    if types and types <= {"integer", "number"}:
        return int(text) if re.fullmatch(r"\d{1,18}", text) else None
    if schema.get("format") == "uuid" and not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        return None
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        try:
            if re.search(pattern, text) is None:
                return None
        except re.error:
            return text
    choices = schema.get("enum")
    return text if not isinstance(choices, list) or text in choices else None
