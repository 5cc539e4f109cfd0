"""The graph of several documents: each one's own, and what leads from one to another where that is convincing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from urllib.parse import urlsplit

from thinkagent.documents import Document
from thinkagent.tools.graph import MAX_CONSUMERS, Edge, Graph, GraphInput

__all__ = ["GraphOfSeveral"]

_SAID = 1.0
"""How sure an edge is that the document itself links; such a link stays in its document."""
_TRUST = 0.8
"""How far the same words are trusted to mean the same thing in another document."""


class GraphOfSeveral:
    """The edges between the tools of several documents, asked like a `Graph`.

    Within a document they are those that it has alone. From one document to another there are some only where both are
    descriptions of one host (`/customers` of one, `customerId` in the other), and only for an argument that nothing in
    its own document gives: `userId` at another host is another's user, and a wrong source is worse than none.
    """

    def __init__(self, tools: Mapping[str, Sequence[GraphInput]], documents: Mapping[str, Document]) -> None:
        homes = {tool.name: document for document, inputs in tools.items() for tool in inputs}
        self._own = {document: Graph(inputs) for document, inputs in tools.items()}
        self._edges: dict[str, dict[str, list[Edge]]] = {}
        self._feeds: dict[str, dict[str, None]] = {}
        for name, document in homes.items():
            edges = self._edges.setdefault(name, {})
            for edge in self._own[document].edges(name):
                edges.setdefault(edge.argument, []).append(edge)
            self._feeds[name] = dict.fromkeys(self._own[document].feeds(name))
        for neighbours in _neighbours(documents):
            self._join({document: tools[document] for document in neighbours}, homes)

    def _join(self, tools: Mapping[str, Sequence[GraphInput]], homes: Mapping[str, str]) -> None:
        whole = Graph(chain.from_iterable(tools.values()))
        for consumer in (tool.name for inputs in tools.values() for tool in inputs):
            own = frozenset(self._edges[consumer])
            for edge in whole.edges(consumer):
                home = homes[edge.producer]
                if edge.argument in own or home == homes[consumer] or edge.confidence == _SAID:
                    continue
                told = replace(edge, reason=f"{edge.reason}, in {home}", confidence=round(edge.confidence * _TRUST, 2))
                self._edges[consumer].setdefault(edge.argument, []).append(told)
                self._feeds[edge.producer][consumer] = None

    def needs(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Give, for each argument of a tool that others can provide, their names, likeliest first."""
        found = self._edges.get(name, {})
        return {argument: tuple(edge.producer for edge in edges) for argument, edges in found.items()}

    def feeds(self, name: str) -> tuple[str, ...]:
        """Name the tools that take a value of this one's result."""
        return tuple(self._feeds.get(name, ()))[:MAX_CONSUMERS]

    def edges(self, name: str) -> Iterator[Edge]:
        """Give the edges that lead to a tool, each with its reason."""
        for edges in self._edges.get(name, {}).values():
            yield from edges


def _neighbours(documents: Mapping[str, Document]) -> list[list[str]]:
    """Group the documents that describe one host: that of the server which calls go to."""
    hosts: dict[str, list[str]] = {}
    for name, document in documents.items():
        host = _host(document)
        if host:
            hosts.setdefault(host, []).append(name)
    return [names for names in hosts.values() if len(names) > 1]


def _host(document: Document) -> str:
    for address in (*(server.url for server in document.servers[:1]), document.base_uri or ""):
        try:
            host = urlsplit(address).netloc.lower()
        except ValueError:
            return ""
        if host:
            return "" if "{" in host else host
    return ""
