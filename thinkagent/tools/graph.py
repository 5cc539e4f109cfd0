"""Which tool's result holds what another tool needs, read from the document's structure alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from thinkagent.documents.model import Operation, Parameter, Schema
from thinkagent.tools.fields import THE_RESOURCE, Facts, Field, body_properties, result_fields
from thinkagent.tools.media import choose_body, choose_result
from thinkagent.tools.names import argument_names
from thinkagent.tools.pool import Pool
from thinkagent.tools.words import Words, name_words

__all__ = ["Edge", "Graph", "GraphInput"]

MAX_PRODUCERS = 4
MAX_CONSUMERS = 20
MAX_SOURCES = 16
"""How many of the tools that give one thing are considered for each that needs it."""

_IDENTIFYING = frozenset(
    {"id", "uuid", "guid", "key", "code", "slug", "sku", "number", "ref", "login", "username", "handle", "uid", "sha"}
    | {"arn", "isbn", "hash"}
)
_NAMING = frozenset({"name", "title", "email", "tag", "path"})
_NOT_OF_A_RESOURCE = frozenset(
    {
        "page",
        "cursor",
        "api",
        "idempotency",
        "client",
        "request",
        "next",
        "access",
        "secret",
        "offset",
        "limit",
        "correlation",
    }
)


class GraphInput(NamedTuple):
    """What the graph is told of a tool."""

    name: str
    operation: Operation
    parameters: Sequence[Parameter]
    """Those that are arguments."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A value of `producer`'s result can be `argument` of `consumer`."""

    producer: str
    consumer: str
    argument: str
    """As the mind writes it: `customerId`, `body.customerId`."""
    reason: str
    confidence: float
    """From 0 to 1; 1 where the document says it itself. An order of trust, no probability."""


class _Want(NamedTuple):
    """An argument that another tool may give."""

    argument: str
    place: str
    wire_name: str
    keys: tuple[Words, ...]
    kinds: frozenset[str]
    collection: str
    """For a path parameter: the path before it; else empty."""


class _Source(NamedTuple):
    producer: str
    rank: int
    field: str
    kinds: frozenset[str]


class Graph:
    """The edges between the tools of one document."""

    def __init__(self, tools: Iterable[GraphInput]) -> None:
        inputs = list(tools)
        wants = {tool.name: list(_wants(tool)) for tool in inputs}
        own_keys = {name: {key for want in found for key in want.keys} for name, found in wants.items()}
        sources: dict[Words, list[_Source]] = {}
        listings: dict[str, list[_Source]] = {}
        identities: dict[int, tuple[Schema, list[Field]]] = {}
        for tool in inputs:
            _collect(tool, sources, listings, identities)
        sources = {key: _best(found, key, own_keys) for key, found in sources.items()}
        links = _links(inputs)
        self._needs: dict[str, dict[str, list[Edge]]] = {}
        self._feeds: dict[str, dict[str, None]] = {tool.name: {} for tool in inputs}
        for consumer in sorted(wants):
            for want in wants[consumer]:
                for edge in _edges(consumer, want, sources, listings, links, own_keys):
                    self._add(edge)

    @classmethod
    def from_rows(cls, names: Iterable[str], rows: Iterable[Sequence[Any]]) -> Graph:
        """Make the graph of these tools again whose `rows` these are."""
        graph = cls(())
        graph._feeds = {name: {} for name in names}
        for row in rows:
            graph._add(Edge(*row))
        return graph

    @property
    def rows(self) -> list[list[Any]]:
        """Its edges as plain JSON, in the order of consumers and arguments."""
        return [
            [edge.producer, edge.consumer, edge.argument, edge.reason, edge.confidence]
            for name in self._needs
            for edge in self.edges(name)
        ]

    def _add(self, edge: Edge) -> None:
        self._needs.setdefault(edge.consumer, {}).setdefault(edge.argument, []).append(edge)
        self._feeds[edge.producer][edge.consumer] = None

    def needs(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Give, for each argument of a tool that others can provide, their names, likeliest first."""
        found = self._needs.get(name, {})
        return {argument: tuple(edge.producer for edge in edges) for argument, edges in found.items()}

    def feeds(self, name: str) -> tuple[str, ...]:
        """Name the tools that take a value of this one's result."""
        return tuple(self._feeds.get(name, ()))[:MAX_CONSUMERS]

    def edges(self, name: str) -> Iterator[Edge]:
        """Give the edges that lead to a tool, each with its reason."""
        for edges in self._needs.get(name, {}).values():
            yield from edges


def _wants(tool: GraphInput) -> Iterator[_Want]:
    operation = tool.operation
    resource = _resource(operation.path)
    names = argument_names(tool.parameters, has_body=operation.request_body is not None)
    for parameter in tool.parameters:
        pool = Pool()
        schema = pool.add(parameter.schema)
        facts = Facts(pool)
        if not facts.is_free(schema):
            continue
        kinds = facts.kinds(schema)
        argument = names[parameter.location, parameter.name]
        if parameter.location == "path":
            before, _, _ = operation.path.partition("{" + parameter.name + "}")
            yield _Want(argument, "path", parameter.name, _path_keys(parameter.name, before), kinds, before.rstrip("/"))
        else:
            keys = _keys(parameter.name, resource)
            if keys:
                yield _Want(argument, parameter.location, parameter.name, keys, kinds, "")
    body = operation.request_body
    media = choose_body(body).media if body is not None else None
    pool = Pool()
    facts = Facts(pool)
    for name, value in body_properties(media.schema, pool).items() if media is not None else ():
        keys = _keys(name, resource)
        if keys and facts.is_free(value):
            yield _Want(f"body.{name}", "body", name, keys, facts.kinds(value), "")


def _resource(path: str) -> Words:
    """Name what a path is about: its last fixed segment."""
    for segment in reversed(path.split("/")):
        if segment and "{" not in segment:
            return name_words(segment.partition(":")[0])
    return ()


def _path_keys(name: str, before: str) -> tuple[Words, ...]:
    """Give the keys of a path parameter: by its own name, and as the identity of the segment before it."""
    words = name_words(name)
    resource = _resource(before)
    keys: list[Words] = []
    is_identity = bool(words) and words[-1] in _IDENTIFYING | _NAMING
    if len(words) > 1 and is_identity:
        keys.append(words)
    elif not is_identity and words:
        keys += [(*words, ending) for ending in ("id", "key", "slug", "name", "number", "code", "login", "username")]
    if resource and is_identity:
        keys.append((*resource, words[-1]))
        keys.append((*resource[-1:], words[-1]))
    elif resource and words and resource[-1] == words[-1]:
        keys += [(*resource, ending) for ending in ("id", "key", "name")]
    return tuple(dict.fromkeys(keys))


def _keys(name: str, resource: Words) -> tuple[Words, ...]:
    """Give the keys of an argument outside the path: only names that plainly identify another thing count."""
    words = name_words(name)
    if not words or words[-1] not in _IDENTIFYING or _NOT_OF_A_RESOURCE & set(words):
        return ()
    return (words,) if len(words) > 1 else ((*resource, *words),) if words[0] in ("sku", "isbn") else ()


def _collect(
    tool: GraphInput,
    sources: dict[Words, list[_Source]],
    listings: dict[str, list[_Source]],
    known: dict[int, tuple[Schema, list[Field]]],
) -> None:
    """Note what a tool's result identifies.

    `known` holds the schemas seen before, by identity, with their identifying fields.
    """
    operation = tool.operation
    if operation.method not in ("GET", "POST", "QUERY", "PUT"):
        return
    choice = choose_result(operation.responses)
    identities: list[Field] = []
    if choice.status.lower() != "default" and choice.schema is not None:
        if id(choice.schema) not in known:
            fields = [field for field in result_fields(choice.schema) if _is_identity(field)]
            known[id(choice.schema)] = choice.schema, fields
        identities = known[id(choice.schema)][1]
    resource = _resource(operation.path)
    ends_in_item = operation.path.rstrip("/").endswith("}")
    rank = {"GET": 2 if ends_in_item else 1, "QUERY": 1, "POST": 3, "PUT": 4}[operation.method]
    seen: set[Words] = set()
    for field in identities:
        for key in _produced(field, resource):
            if key not in seen:
                seen.add(key)
                sources.setdefault(key, []).append(_Source(tool.name, rank, field.name, field.kinds))
    if operation.method == "GET" and not ends_in_item and (identities or choice.schema is None):
        listings.setdefault(operation.path.rstrip("/"), []).append(_Source(tool.name, 0, "", frozenset()))


def _best(sources: list[_Source], key: Words, own_keys: Mapping[str, set[Words]]) -> list[_Source]:
    """Keep the likeliest sources of a key: first those that do not need it themselves."""
    if len(sources) <= MAX_SOURCES:
        return sources

    def order(source: _Source) -> tuple[bool, int, int, str]:
        return key in own_keys[source.producer], source.rank, len(source.producer), source.producer

    return sorted(sources, key=order)[:MAX_SOURCES]


def _is_identity(field: Field) -> bool:
    words = name_words(field.name)
    return bool(words) and words[-1] in _IDENTIFYING | _NAMING and field.is_free


def _produced(field: Field, resource: Words) -> Iterator[Words]:
    words = name_words(field.name)
    if len(words) > 1:
        yield words
        return
    for named in field.owners:
        owner = resource if named is THE_RESOURCE else named
        if owner:
            yield (*owner, *words)
            yield (*owner[-1:], *words)


def _links(tools: Sequence[GraphInput]) -> dict[tuple[str, str], list[tuple[str, bool]]]:
    """Read the Link Objects: (consumer, parameter in the document) to the tools that link to it, and if by a GET."""
    by_target = {tool.operation.operation_id: tool.name for tool in tools if tool.operation.operation_id}
    by_target.update({tool.operation.pointer: tool.name for tool in tools})
    found: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for tool in tools:
        for response in tool.operation.responses:
            for link in response.links:
                consumer = by_target.get(link.target)
                for parameter, expression in link.parameters.items() if consumer is not None else ():
                    if isinstance(expression, str) and "$response" in expression:
                        place, dot, rest = parameter.partition(".")
                        name = rest if dot and place in ("path", "query", "header", "cookie") else parameter
                        found.setdefault((consumer or "", name), []).append((tool.name, tool.operation.method == "GET"))
    return found


def _edges(
    consumer: str,
    want: _Want,
    sources: Mapping[Words, Sequence[_Source]],
    listings: Mapping[str, Sequence[_Source]],
    links: Mapping[tuple[str, str], Sequence[tuple[str, bool]]],
    own_keys: Mapping[str, set[Words]],
) -> list[Edge]:
    ranked: dict[str, tuple[int, str, float]] = {}

    def offer(producer: str, rank: int, reason: str, confidence: float) -> None:
        if producer != consumer and (producer not in ranked or ranked[producer][0] > rank):
            ranked[producer] = (rank, reason, confidence)

    def circular(producer: str) -> bool:
        """Whether the producer would itself need the value first."""
        return bool(own_keys[producer] & set(want.keys))

    for producer, is_read in links.get((consumer, want.wire_name), ()):
        rank = -2 if is_read and not circular(producer) else 3
        offer(producer, rank, "the document links its answer to this argument", 1.0)
    for source in listings.get(want.collection, ()) if want.collection else ():
        offer(source.producer, -1, f"it lists {want.collection}", 0.9)
    for position, key in enumerate(want.keys):
        for source in sources.get(key, ()):
            if _agree(source.kinds, want.kinds):
                is_circular = circular(source.producer)
                rank = source.rank + position + (10 if is_circular else 0)
                # Sooner believed: a list, the first of the keys, and what can be called without knowing the value.
                confidence = (0.9 - 0.1 * source.rank) * 0.9**position * (0.5 if is_circular else 1)
                offer(source.producer, rank, f"its result holds {source.field!r}", round(confidence, 2))
    best = sorted(ranked.items(), key=lambda item: (item[1][0], len(item[0]), item[0]))[:MAX_PRODUCERS]
    return [Edge(producer, consumer, want.argument, reason, confidence) for producer, (_, reason, confidence) in best]


def _agree(left: frozenset[str], right: frozenset[str]) -> bool:
    """Say whether a value of one type can stand for the other; a list gives and takes its items."""
    plain_left, plain_right = left - {"array", "object"}, right - {"array", "object"}
    if not plain_left or not plain_right:
        return True
    numbers = {"number", "integer"}
    return bool(plain_left & plain_right) or bool(plain_left & numbers and plain_right & numbers)
