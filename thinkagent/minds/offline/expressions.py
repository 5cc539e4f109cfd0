"""Python for `compute`: conditions on one element of a list, written as somebody would write them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.query import Compare, Equals, Missing, When
from thinkagent.minds.offline.resources import Resource
from thinkagent.values import write_json

__all__ = ["access", "condition_on", "constant", "label_of", "numeric", "path_of", "ready", "unit_of"]


def constant(value: object) -> str:
    """Write a value as Python."""
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, Decimal):
        return str(int(value)) if value == int(value) and value.as_tuple().exponent == 0 else f'Decimal("{value}")'
    return repr(value) if isinstance(value, int) else write_json(value)


def path_of(row: str, path: Sequence[str]) -> str:
    """Write where a value lies; a missing key is an error."""
    return row + "".join(f"[{write_json(name)}]" for name in path)


def access(row: str, field: Field) -> str:
    """Write how a field is read: None where the schema does not promise it and it is missing."""
    if field.required:
        return path_of(row, field.path)
    found = row
    for name in field.path[:-1]:
        found = f"({found}.get({write_json(name)}) or {{}})"
    return f"{found}.get({write_json(field.path[-1])})"


def ready(row: str, field: Field) -> str:
    """Write the guard that a field has a value; empty where the schema promises one."""
    if field.required:
        return ""
    if field.kind in ("date", "moment"):
        return f'{access(row, field)} not in (None, "") and '
    return f"{access(row, field)} is not None and "


def unit_of(row: str, field: Field) -> str:
    """Write how the unit is read that stands beside a field."""
    found, unit = row, field.unit or ()
    for name in unit[:-1]:
        found = f"({found}.get({write_json(name)}) or {{}})"
    return f"{found}.get({write_json(unit[-1])})"


def numeric(row: str, field: Field) -> str:
    """Write how a field is read as a number."""
    text = field.schema.get("type") == "string" or (
        isinstance(field.schema.get("type"), list) and "string" in list(field.schema["type"])  # type: ignore[call-overload]
    )
    return f"Decimal({access(row, field)})" if text else access(row, field)


def moment(row: str, field: Field) -> str:
    """Write how a field is read as something that compares in time; what is no date is an error then."""
    return f"{'date' if field.kind == 'date' else 'datetime'}.fromisoformat({access(row, field)})"


def condition_on(row: str, condition: Equals | Compare | When | Missing) -> str:
    """Write a condition that needs nothing but the element itself."""
    if isinstance(condition, Equals):
        return _equals(row, condition)
    if isinstance(condition, Compare):
        field = condition.field
        return f"{ready(row, field)}{numeric(row, field)} {condition.operator} {constant(condition.value)}"
    if isinstance(condition, Missing):
        return f"not {access(row, condition.field)}"
    bounds = [
        f"{moment(row, condition.field)} {bound.operator} {_edge(condition.field, bound.at)}"
        for bound in condition.bounds
    ]
    return ready(row, condition.field) + " and ".join(bounds)


def _edge(field: Field, at: datetime) -> str:
    if field.kind == "date":
        return f"date.fromisoformat({write_json(at.date().isoformat())})"
    return f"datetime.fromisoformat({write_json(at.isoformat())})"


def _equals(row: str, condition: Equals) -> str:
    if isinstance(condition.value, bool):
        return f"{access(row, condition.fields[0])} == {condition.value}"
    if condition.known:
        operator = "!=" if condition.negated else "=="
        return f"{access(row, condition.fields[0])} {operator} {write_json(condition.value)}"
    wanted = write_json(condition.value.lower())
    tests = [f"str({access(row, field)}).lower() == {wanted}" for field in condition.fields]
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"


def label_of(row: str, resource: Resource) -> str:
    """Write how an element is called in an answer: its name, else its identifier."""
    parts = resource.name_parts
    if parts:
        return ' + " " + '.join(f"str({access(row, one)})" for one in parts)
    named = resource.label_field
    own = resource.id_field
    if named is None:
        return f'str({row}.get("name") or {row}.get("title") or {row}.get("id"))'
    if named.required or own is None or own is named:
        return f"str({access(row, named)})"
    return f"str({access(row, named)} or {access(row, own)})"
