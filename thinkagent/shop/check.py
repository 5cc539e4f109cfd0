"""What is wrong with a value, said field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from thinkagent.values import Json, clip, join_pointer, plain

__all__ = ["Complaint", "complaints"]


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong: where, by JSON Pointer into the value, and what."""

    pointer: str
    detail: str


def complaints(schema: Mapping[str, Any], value: Json) -> list[Complaint]:
    """Check a value against a JSON Schema 2020-12 that stands alone; formats count.

    A field that is missing or unknown is pointed at itself, not at the object around it.
    """
    validator = jsonschema_rs.Draft202012Validator(dict(schema), validate_formats=True)
    return [complaint for error in validator.iter_errors(plain(value)) for complaint in _from_error(error)]


def _from_error(error: jsonschema_rs.ValidationError) -> list[Complaint]:
    place = [*error.instance_path]
    match error.kind.as_dict():
        case {"property": str(name)}:
            return [Complaint(join_pointer([*place, name]), "is missing")]
        case {"unexpected": [*names]}:
            return [Complaint(join_pointer([*place, str(name)]), "is not a known field") for name in names]
    return [Complaint(join_pointer(place), clip(error.message, 200))]
