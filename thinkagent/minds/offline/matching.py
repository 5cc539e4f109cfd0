"""Which elements of a list are called exactly as the task says, as Python for `compute`."""

from __future__ import annotations

from collections.abc import Sequence

from thinkagent.minds.offline.expressions import access, label_of
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.query import Entity
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.words import split_name
from thinkagent.values import write_json

__all__ = ["candidates", "matching"]


def candidates(entity: Entity, resource: Resource) -> list[Field]:
    """Give the fields that may hold what the task calls a thing."""
    if entity.by is not None:
        return [entity.by]
    fields = [*resource.naming, *resource.coding]
    return [*fields, *([resource.id_field] if resource.id_field is not None else [])]


def matching(entity: Entity, fields: Sequence[Field], resource: Resource, rows: str, near: bool) -> str:
    """Write what finds the elements of `rows` that are called so: how many, which, and, with `near`, what is alike."""
    text = entity.literal.text
    values = ", ".join(access("r", one) for one in fields)
    first = next((one for one in fields if split_name(one.path[-1])[:1] in (("first",), ("given",))), None)
    last = next((one for one in fields if split_name(one.path[-1])[:1] in (("last",), ("family",))), None)
    if first is not None and last is not None:
        values += f', str({access("r", first)}) + " " + str({access("r", last)})'
    held = f"[str(v).lower() for v in [{values}] if v is not None]"
    fits = f"wanted in {held}"
    if entity.called:
        fits = f"{{wanted, {write_json(entity.called.lower())}}} & set({held})"
    label = label_of("r", resource)
    own = resource.id_field
    full = label if own is None or own is resource.label_field else f'{label} + " (" + str({access("r", own)}) + ")"'
    lines = [
        f"wanted = {write_json(text.lower())}",
        f"hits = [r for r in {rows} if {fits}]",
    ]
    result = [
        '"count": len(hits)',
        f'"label": [{label} for r in hits][0] if hits else None',
        f'"labels": "; ".join([{full} for r in hits][:10])',
        '"item": hits[0] if len(hits) == 1 else None',
    ]
    if near:
        names = f"sorted({{{label} for r in {rows}}})"
        if text.isascii():
            alike = "set(wanted.split()) & set(n.lower().split()) or n.lower()[:3] == wanted[:3]"
        else:
            alike = "[c for c in wanted if c in n.lower()]"
        lines.append(f"near = [n for n in {names} if not hits and ({alike})]")
        result.append('"near": ", ".join(near[:5])')
    return "\n".join([*lines, "{" + ", ".join(result) + "}"])
