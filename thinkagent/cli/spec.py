"""`thinkagent spec`: what is wrong with an OpenAPI document, and what leads to what in documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import cache_option, json_option, open_cache, option, overlay_option

if TYPE_CHECKING:
    from thinkagent.documents.model import Finding
    from thinkagent.tools import Toolset
    from thinkagent.tools.graph import Edge

__all__ = ["command"]

SEVERITIES = ("error", "warning", "note")
FLAWED = 1


@click.group(name="spec")
def command() -> None:
    """Look at an OpenAPI document itself.

    Example: thinkagent spec check shop.yaml
    """


@command.command(name="check")
@click.argument("spec", metavar="PATH|URL|-")
@overlay_option
@option("--strict", is_flag=True, help="Exit with 1 where there is an error or a warning.")
@option(
    "--validator-s",
    type=click.FloatRange(min=0),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="How long openapi-spec-validator may take; 0 leaves it out.",
)
@json_option
def check(spec: str, overlays: tuple[str, ...], strict: bool, validator_s: float, as_json: bool) -> None:
    """List what is wrong or odd about a document: where, how bad, and what it means for a tool.

    Everything is built as a run would need it. An error costs an operation; a warning may make a tool say too little
    or too much; a note is for the reader. The findings of openapi-spec-validator are among the warnings.

    Example: thinkagent spec check shop.yaml --strict
    """
    from thinkagent.documents import load
    from thinkagent.tools import build_tools

    document = load(spec, overlays=overlays)
    toolset = build_tools(document)
    _ = toolset.tools  # builds every one, which finds what there is to find
    lacking = document.validate(validator_s) if validator_s else ""
    findings = tuple(sorted(toolset.findings, key=lambda finding: SEVERITIES.index(finding.severity)))
    if as_json:
        from thinkagent.cli.listing import document_row, finding_rows, skipped_rows
        from thinkagent.cli.output import print_json

        print_json(
            {
                "document": document_row(document),
                "operations": toolset.operations,
                "tools": len(toolset),
                "skipped": skipped_rows(toolset.skipped),
                "findings": finding_rows(findings),
                "lacking": lacking,
            }
        )
    else:
        _print(toolset, findings, lacking, spec)
    if strict and any(finding.severity != "note" for finding in findings):
        raise click.exceptions.Exit(FLAWED)


@command.command(name="graph")
@click.argument("specs", metavar="PATH|URL|-...", nargs=-1, required=True)
@overlay_option
@option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "mermaid"]),
    default="text",
    show_default=True,
    help="Lines for people, one JSON document, or a Mermaid flowchart.",
)
@cache_option
def graph(specs: tuple[str, ...], overlays: tuple[str, ...], form: str, no_cache: bool) -> None:
    """Show which operation's result holds what another one needs, with the reason and how sure it is.

    Read from the documents alone: links, paths, names and types. 1.0 is said by the document itself. From one document
    to another something leads only where both describe the same host.

    Example: thinkagent spec graph shop.yaml --format mermaid
    """
    from thinkagent.documents import load_all
    from thinkagent.tools import build_tools

    toolset = build_tools(load_all(specs, overlays=overlays), cache=open_cache(no_cache))
    edges = [edge for name in toolset.names for edge in toolset.graph.edges(name)]
    if form == "json":
        from thinkagent.cli.output import print_json

        print_json(_graph_as_dict(toolset, edges))
    elif form == "mermaid":
        from thinkagent.cli.output import print_text

        print_text("\n".join(_mermaid(edges)))
    else:
        _print_edges(edges)


def _graph_as_dict(toolset: Toolset, edges: Sequence[Edge]) -> dict[str, Any]:
    from dataclasses import asdict

    if len(toolset.documents) == 1:
        return {"source": toolset.document.source, "edges": [asdict(edge) for edge in edges]}
    return {
        "documents": [{"name": name, "source": document.source} for name, document in toolset.documents.items()],
        "edges": [
            {
                **asdict(edge),
                "producer_document": toolset.document_of(edge.producer),
                "consumer_document": toolset.document_of(edge.consumer),
            }
            for edge in edges
        ],
    }


def _mermaid(edges: Sequence[Edge]) -> Iterator[str]:
    """Write a flowchart; ids are numbers, because a tool may be called like one of Mermaid's words."""
    from thinkagent.cli.render.say import one_line

    ids: dict[str, str] = {}
    yield "flowchart LR"
    for edge in edges:
        for name in (edge.producer, edge.consumer):
            if name not in ids:
                ids[name] = f"t{len(ids)}"
                yield f'  {ids[name]}["{name}"]'
        label = one_line(edge.argument, 200).replace("#", "#35;").replace('"', "#quot;")
        yield f'  {ids[edge.producer]} -->|"{label}"| {ids[edge.consumer]}'


def _print_edges(edges: Sequence[Edge]) -> None:
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.ink import Styled
    from thinkagent.cli.render.say import one_line

    ink = stdout_ink()
    consumer = argument = ""
    for edge in edges:
        if edge.consumer != consumer:
            ink.line(Styled(edge.consumer, "bold"))
            argument = ""
        if edge.argument != argument:
            ink.line(one_line(edge.argument, 200), indent=2)
        consumer, argument = edge.consumer, edge.argument
        ink.line(f"{edge.confidence:.2f}  {edge.producer}  ({one_line(edge.reason, 200)})", indent=4, hang=10)
    if not edges:
        ink.line("No operation's result is known to hold what another one needs.")


def _print(toolset: Toolset, findings: tuple[Finding, ...], lacking: str, spec: str) -> None:
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.ink import Styled
    from thinkagent.cli.render.say import count, one_line

    ink = stdout_ink()
    for finding in findings:
        line = f"line {finding.line}  " if finding.line else ""
        ink.line(
            Styled(f"{finding.severity:<7}", _STYLES[finding.severity]),
            f"  {line}{one_line(finding.pointer, 300)}",
            hang=9,
        )
        ink.line(one_line(finding.message, 1000), indent=9)
        if finding.consequence:
            ink.line(Styled(f"so {one_line(finding.consequence)}", "dim"), indent=9)
    if lacking:
        ink.line(Styled("note   ", _STYLES["note"]), f"  {one_line(lacking)} (--validator-s)", hang=9)
    document = toolset.document
    found = Counter[str](finding.severity for finding in findings)
    told = ", ".join(count(found[severity], severity) for severity in SEVERITIES if found[severity])
    offered = f"{count(toolset.operations, 'operation')}, {count(len(toolset), 'tool')}"
    if toolset.skipped:
        offered += f", {len(toolset.skipped)} skipped"
    kind = "Swagger" if document.version.startswith("2") else "OpenAPI"
    name = f"{one_line(document.title or spec, 200)} ({kind} {document.version})"
    ink.line(f"{name}: {offered} · {told or 'no findings'}")


_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}
"""How a severity looks."""
