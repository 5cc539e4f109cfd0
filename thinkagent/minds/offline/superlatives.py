"""Superlatives and what they measure: `most expensive` is the highest price, `oldest` the earliest date."""

from __future__ import annotations

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.query import Operator
from thinkagent.minds.offline.resources import Resource

__all__ = ["COMPARATIVES", "SUPERLATIVES", "superlative_field"]

SUPERLATIVES: tuple[tuple[str, str, bool], ...] = (
    ("(most expensive|priciest|dearest|costliest)", "price", True),
    ("(cheapest|least expensive)", "price", False),
    ("(largest|biggest)", "size", True),
    ("smallest", "size", False),
    ("longest", "length", True),
    ("shortest", "length", False),
    ("heaviest", "weight", True),
    ("lightest", "weight", False),
    ("(tallest|highest)", "height", True),
    ("lowest", "height", False),
    ("fastest", "speed", True),
    ("slowest", "speed", False),
    ("(best rated|highest rated|top rated)", "rating", True),
    ("(worst rated|lowest rated)", "rating", False),
    ("(newest|latest|most recent|last)", "beginning", False),
    ("(earliest|first)", "beginning", True),
    ("youngest", "youth", False),
    ("oldest", "age", True),
    ("最贵", "price", True),
    ("最便宜", "price", False),
    ("最大", "size", True),
    ("最小", "size", False),
    ("最长", "length", True),
    ("最短", "length", False),
    ("最重", "weight", True),
    ("最轻", "weight", False),
    ("最高", "height", True),
    ("最低", "height", False),
    ("最快", "speed", True),
    ("最慢", "speed", False),
    ("评分最高", "rating", True),
    ("评分最低", "rating", False),
    ("(最新|最近|最晚|最后)", "beginning", False),
    ("(最早|最旧)", "beginning", True),
    ("最年轻", "youth", False),
    ("(最老|最年长)", "age", True),
)
COMPARATIVES: tuple[tuple[str, str, Operator], ...] = (
    ("(more expensive|dearer|pricier) than", "price", ">"),
    ("(cheaper|less expensive) than", "price", "<"),
    ("(larger|bigger|greater) than", "size", ">"),
    ("smaller than", "size", "<"),
    ("longer than", "length", ">"),
    ("shorter than", "length", "<"),
    ("heavier than", "weight", ">"),
    ("lighter than", "weight", "<"),
    ("(taller|higher) than", "height", ">"),
    ("lower than", "height", "<"),
    ("faster than", "speed", ">"),
    ("slower than", "speed", "<"),
)
_MEASURES = {
    "price": ("price", "cost"),
    "size": ("size", "area", "amount", "total", "capacity", "volume", "population"),
    "length": ("length", "duration", "runtime"),
    "weight": ("weight", "mass"),
    "height": ("height", "elevation", "altitude"),
    "speed": ("speed", "velocity"),
    "rating": ("rating", "score"),
}
_BIRTH = {"birth", "born", "birthday", "birthdate"}


def superlative_field(resource: Resource, measure: str, creation: Field | None) -> Field | None:
    """Give the one field that the measure means for a resource; None where there is none, or more than one."""
    if measure == "beginning":
        return creation
    if measure in ("age", "youth"):
        return _age_field(resource, creation if measure == "age" else None)
    words = _MEASURES[measure]
    numbers = [one for one in resource.fields if one.kind == "number"]
    found = [
        one for one in numbers if any(name[0] in words and len(name) == 1 for name, cost in one.names if cost < 0.45)
    ]
    if not found and measure != "size":
        found = [one for one in numbers if one.words[-1] in words]
    return found[0] if len(found) == 1 else None


def _age_field(resource: Resource, creation: Field | None) -> Field | None:
    born = [one for one in resource.fields if one.kind in ("date", "moment") and set(one.words) & _BIRTH]
    aged = [one for one in resource.fields if one.kind == "number" and one.words == ("age",)]
    if born or aged:
        return (born or aged)[0] if len(born) + len(aged) == 1 else None
    # a person has an age, which is not how long somebody is known here
    person = any(one.words[-1:] == ("email",) or one.words == ("first", "name") for one in resource.fields)
    return None if person else creation
