"""`thinkagent tools`: what documents offer, as a mind reads it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import WholeNumber, json_option, option, spec_options
from thinkagent.errors import UsageError

if TYPE_CHECKING:
    from thinkagent.tools import Hit, Tool, ToolLine, Toolset

__all__ = ["command"]

_ONE_OF = "Pass one of them"


@click.command(name="tools")
@spec_options
@option("--tool", metavar="NAME", help="The full definition of one tool, exactly as a mind reads it.")
@option("--search", metavar="TEXT", help="The tools that fit these words best, with the reason.")
@option("-k", "limit", type=WholeNumber(min=1), default=10, show_default=True, help="How many --search gives.")
@option(
    "--format", "provider", type=click.Choice(["openai", "anthropic"]), help="Function schemas for a model service."
)
@json_option
def command(
    specs: tuple[str, ...],
    overlays: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    reads: tuple[str, ...],
    tool: str | None,
    search: str | None,
    limit: int,
    provider: str | None,
    as_json: bool,
) -> None:
    """Show what OpenAPI documents offer.

    Of several documents the tools stand together; a name that more than one has gets its document's before it.

    Example: thinkagent tools --spec shop.yaml --search "coupon for a customer" -k 3
    """
    chosen = [name for name, value in (("--tool", tool), ("--search", search), ("--format", provider)) if value]
    if "--search" in chosen and len(chosen) > 1:
        raise UsageError(
            f"{' and '.join(chosen)} exclude each other", code="bad_usage", where="thinkagent tools", hint=_ONE_OF
        )
    from thinkagent.documents import load_all
    from thinkagent.tools import build_tools

    toolset = build_tools(load_all(specs, overlays=overlays), include=include, exclude=exclude, reads=reads)
    if provider is not None:
        _functions(toolset, tool, provider)
    elif tool is not None:
        _one(toolset, tool, as_json)
    elif search is not None:
        _found(toolset, search, limit, as_json)
    elif as_json:
        from thinkagent.cli.output import print_json

        print_json(_as_dict(toolset))
    else:
        _table(toolset, specs)


def _functions(toolset: Toolset, name: str | None, provider: Any) -> None:
    from thinkagent.cli.output import print_json
    from thinkagent.tools import function_schema

    if name is not None:
        print_json(function_schema(toolset[name], provider))
    else:
        print_json([function_schema(tool, provider) for tool in toolset.tools])


def _one(toolset: Toolset, name: str, as_json: bool) -> None:
    from thinkagent.cli.output import print_json, print_text
    from thinkagent.tools import as_dict, describe

    tool = toolset[name]
    if as_json:
        print_json({**as_dict(tool), **_home(tool)})
    else:
        print_text(describe(tool))


def _found(toolset: Toolset, query: str, limit: int, as_json: bool) -> None:
    from thinkagent.cli.output import print_json, stdout_ink
    from thinkagent.cli.render.say import one_line
    from thinkagent.tools import search

    hits = search(toolset, query, limit)
    if as_json:
        print_json({"query": query, "results": [_hit(hit) for hit in hits]})
        return
    ink = stdout_ink()
    rows = _aligned([hit.line for hit in hits])
    hang = _hang(rows, ink.width)
    for (row, _), hit in zip(rows, hits, strict=True):
        ink.line(f"{row}   ({one_line(hit.because, 200)})", hang=hang)
    if not hits:
        ink.line("No tool fits these words.")


def _hit(hit: Hit) -> dict[str, Any]:
    line = hit.line
    return {
        "name": line.name,
        "method": line.method,
        "path": line.path,
        **_home(line),
        "score": hit.score,
        "because": hit.because,
    }


def _home(row: ToolLine | Tool) -> dict[str, str]:
    """Name the document of a tool, where there are several."""
    return {"document": row.document} if row.document else {}


def _aligned(lines: Iterable[Any]) -> list[tuple[str, int]]:
    """Give a row for each line, and the column where its summary begins."""
    from thinkagent.cli.render.say import one_line

    rows = [(line.effect, line.name, line.method, one_line(line.path, 80), line) for line in lines]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    texts = []
    for row in rows:
        cells = "  ".join(row[column].ljust(widths[column]) for column in range(4))
        note = " (deprecated)" if row[4].deprecated else ""
        texts.append((f"{cells}  {one_line(row[4].summary, 120)}{note}".rstrip(), len(cells) + 2))
    return texts


def _hang(rows: list[tuple[str, int]], width: int) -> int:
    """Where a row that is wrapped goes on: under its summary, where that leaves it a third of the terminal."""
    column = rows[0][1] if rows else 0
    return column if column * 3 <= width * 2 else 8


def _table(toolset: Toolset, specs: tuple[str, ...]) -> None:
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.ink import Styled
    from thinkagent.cli.render.say import count, one_line

    ink = stdout_ink()
    rows = _aligned(toolset.lines)
    hang = _hang(rows, ink.width)
    for name, document in toolset.documents.items():
        if name:
            ink.line(Styled(f"{name}: {one_line(document.title, 120)} ({one_line(document.source, 200)})", "bold"))
        for (row, _), line in zip(rows, toolset.lines, strict=True):
            if line.document == name:
                ink.line(row, hang=hang)
        for skipped in toolset.skipped_of(name):
            path = one_line(skipped.path, 80)
            ink.line(
                f"skipped  {skipped.method} {path}: {one_line(skipped.reason, 200)} ({one_line(skipped.pointer, 120)})"
            )
    parts = [f"{count(len(specs), 'document')}"] if len(specs) > 1 else []
    parts.append(f"{count(toolset.operations, 'operation')}, {count(len(toolset.names), 'tool')}")
    if toolset.skipped:
        parts.append(f"{len(toolset.skipped)} skipped")
    if toolset.excluded:
        parts.append(f"{len(toolset.excluded)} left out")
    for document, spec in zip(toolset.documents.values(), specs, strict=True):
        findings = len(document.findings)
        if findings:
            parts.append(f"{count(findings, 'finding')} (thinkagent spec check {shlex.quote(one_line(spec, 200))})")
    ink.line(" · ".join(parts))


def _as_dict(toolset: Toolset) -> dict[str, Any]:
    from thinkagent.cli.document_rows import document_row, finding_rows, skipped_rows

    several = len(toolset.documents) > 1
    whole: dict[str, Any] = {"documents": [_document_of(toolset, name) for name in toolset.documents]}
    if not several:
        whole = {"document": document_row(toolset.document)}

    def named(rows: list[dict[str, Any]], document: str) -> list[dict[str, Any]]:
        return [{**row, "document": document} for row in rows] if several else rows

    return {
        **whole,
        "operations": toolset.operations,
        "excluded": len(toolset.excluded),
        "tools": [
            {
                "name": line.name,
                "method": line.method,
                "path": line.path,
                "effect": line.effect,
                "summary": line.summary,
                "deprecated": line.deprecated,
                "tags": list(line.tags),
                **_home(line),
            }
            for line in toolset.lines
        ],
        "skipped": [row for name in toolset.documents for row in named(skipped_rows(toolset.skipped_of(name)), name)],
        "findings": [row for name in toolset.documents for row in named(finding_rows(toolset.findings_of(name)), name)],
    }


def _document_of(toolset: Toolset, name: str) -> dict[str, Any]:
    """Say of one of several documents what it is, and how many of the operations are its."""
    from thinkagent.cli.document_rows import document_row

    document = toolset.documents[name]
    return {
        "name": name,
        **document_row(document),
        "operations": len(document.index),
        "tools": sum(line.document == name for line in toolset.lines),
        "skipped": len(toolset.skipped_of(name)),
        "excluded": sum(toolset.document_of(one) == name for one in toolset.excluded),
    }
