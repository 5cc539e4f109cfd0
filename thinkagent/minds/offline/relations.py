"""How resources belong to each other: fields that hold another's identifier, paths, and filters."""

from __future__ import annotations

from dataclasses import replace

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.lexicon.concepts import concept_distance
from thinkagent.minds.offline.resources import ID_ENDINGS, Relation, Resource
from thinkagent.minds.offline.words import singular, split_name

__all__ = ["relations_of"]


def relations_of(child: Resource, resources: tuple[Resource, ...]) -> list[Relation]:
    """Give the relations of a resource to those of its document that it belongs to."""
    resources = tuple(one for one in resources if one.document == child.document)
    relations: list[Relation] = []
    for one in child.fields:
        target = _target(one, child, resources)
        if target is not None:
            parent, by_name = target
            if not any(
                known.field is not None and known.field.path[:-1] == one.path[:-1] != () and known.parent is parent
                for known in relations
            ):
                relations.append(Relation(child, parent, one, by_name, None, _filter_like(child, one)))
    for listing in child.listings:
        for _, key in listing.parents:
            above = next((one for one in resources if one.key == key), None)
            if above is None or above is child:
                continue
            same = [known for known in relations if known.parent is above]
            if len(same) == 1:
                relations[relations.index(same[0])] = replace(same[0], nested=listing)
            elif not same:
                relations.append(Relation(child, above, None, False, listing, None))
    relations += _filter_relations(child, resources, relations)
    return relations


def _target(one: Field, child: Resource, resources: tuple[Resource, ...]) -> tuple[Resource, bool] | None:
    if one.kind not in ("text", "number", "any") or one.choices:
        return None
    words = one.words
    if len(words) > 1 and words[-1] in ID_ENDINGS:
        return _named(words[:-1], child, resources, one, False)
    for parent in resources:
        begins = len(words) > len(parent.words) and words[: len(parent.words)] == parent.words
        own = parent.id_field if begins and parent.listings and parent is not child else None
        if own is not None and words == (*parent.words, *own.words):
            return parent, False
    if (
        len(one.path) > 1
        or one.kind == "any"
        or one.schema.get("format") not in (None, "uuid", "int64", "int32", "uri")
    ):
        return None
    found = [
        resource for resource in resources if resource is not child and resource.words == words and resource.listings
    ]
    return (found[0], True) if len(found) == 1 else None


def _named(
    stem: tuple[str, ...], child: Resource, resources: tuple[Resource, ...], one: Field, by_name: bool
) -> tuple[Resource, bool] | None:
    others = [resource for resource in resources if resource.listings or resource.get]
    exact = [resource for resource in others if resource.words == stem]
    if stem == ("parent",):
        exact = [child]
    flat = [resource for resource in exact if "{}" not in resource.key] or exact
    if len(flat) == 1:
        return (flat[0], by_name) if flat[0] is not child or stem == ("parent",) else None
    if exact:
        return None
    described = set(split_name(one.description))
    told = [r for r in others if r is not child and len(r.words) == 1 and r.words[0] in described]
    if len(told) == 1:
        return told[0], by_name
    near = [r for r in others if r is not child and concept_distance(" ".join(stem), r.label) is not None]
    return (near[0], by_name) if len(near) == 1 else None


def _filter_like(child: Resource, one: Field) -> str | None:
    listing = child.listing
    if listing is None:
        return None
    wanted = {one.words, *(words for words, _ in one.names)}
    for argument in listing.tool.arguments:
        words = tuple(singular(word) for word in split_name(argument.wire_name))
        if argument.location == "query" and words in wanted:
            return argument.name
    return None


def _filter_relations(child: Resource, resources: tuple[Resource, ...], known: list[Relation]) -> list[Relation]:
    """Relations that only a query parameter tells of: `GET /badges?memberId=`."""
    listing = child.listing
    found: list[Relation] = []
    for argument in listing.tool.arguments if listing is not None else ():
        words = tuple(singular(word) for word in split_name(argument.wire_name))
        if argument.location != "query" or len(words) < 2 or words[-1] != "id":
            continue
        parents = [one for one in resources if one.words == words[:-1] and one is not child]
        if len(parents) == 1 and not any(one.parent is parents[0] for one in known):
            found.append(Relation(child, parents[0], None, False, None, argument.name))
    return found
