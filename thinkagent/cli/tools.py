"""`thinkagent tools`: what documents offer, as a mind reads it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import WholeNumber, cache_option, json_option, open_cache, option, spec_options
from thinkagent.errors import UsageError

if TYPE_CHECKING:
    from thinkagent.tools import Hit, Tool, ToolLine, Toolset

__all__ = ["command"]

_ONE_OF = "Pass one of them"
_SKIPPED_CELLS = (("pointer", 120), ("reason", 200), ("path", 80))


@click.command(name="tools")
@spec_options
@option("--tool", metavar="NAME", help="The full definition of one tool, exactly as a mind reads it.")
@option("--search", metavar="TEXT", help="The tools that fit these words best, with the reason.")
@option("-k", "limit", type=WholeNumber(min=1), default=10, show_default=True, help="How many --search gives.")
@option(
    "--format", "provider", type=click.Choice(["openai", "anthropic"]), help="Function schemas for a model service."
)
@json_option
@cache_option
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
    no_cache: bool,
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
    if not chosen:
        from thinkagent.cli.listing import list_tools

        listing = list_tools(
            specs, overlays=overlays, include=include, exclude=exclude, reads=reads, cache=open_cache(no_cache)
        )
        _listed(listing, specs, as_json)
        return
    from thinkagent.documents import load_all
    from thinkagent.tools import build_tools

    toolset = build_tools(
        load_all(specs, overlays=overlays), include=include, exclude=exclude, reads=reads, cache=open_cache(no_cache)
    )
    if provider is not None:
        _functions(toolset, tool, provider)
    elif tool is not None:
        _one(toolset, tool, as_json)
    elif search is not None:
        _found(toolset, search, limit, as_json)


def _listed(listing: dict[str, Any], specs: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        from thinkagent.cli.output import print_json

        print_json(listing)
    else:
        _table(listing, specs)


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
    from thinkagent.cli.listing import line_row

    rows = _aligned([line_row(hit.line) for hit in hits])
    hang = _hang(rows, ink.width)
    for (row, _), hit in zip(rows, hits, strict=True):
        ink.line(f"{row}   ({one_line(hit.because, 200)})", hang=hang)
    if not hits:
        ink.line(f"No tool fits these words.{_dictionary_hint(query)}")


def _dictionary_hint(query: str) -> str:
    from thinkagent.tools.chinese import can_translate, has_chinese

    if not has_chinese(query) or can_translate():
        return ""
    return " With a dictionary, Chinese words find an English document too: pip install 'thinkagent[chinese]'"


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


def _aligned(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Give a row for each line, and the column where its summary begins."""
    from thinkagent.cli.render.say import one_line

    cells = [(line["effect"], line["name"], line["method"], one_line(line["path"], 80)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    texts = []
    for line, row in zip(lines, cells, strict=True):
        begin = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        note = " (deprecated)" if line["deprecated"] else ""
        texts.append((f"{begin}  {one_line(line['summary'], 120)}{note}".rstrip(), len(begin) + 2))
    return texts


def _hang(rows: list[tuple[str, int]], width: int) -> int:
    """Where a row that is wrapped goes on: under its summary, where that leaves it a third of the terminal."""
    column = rows[0][1] if rows else 0
    return column if column * 3 <= width * 2 else 8


def _table(listing: dict[str, Any], specs: tuple[str, ...]) -> None:
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.ink import Styled
    from thinkagent.cli.render.say import count, one_line

    ink = stdout_ink()
    rows = _aligned(listing["tools"])
    hang = _hang(rows, ink.width)
    documents = listing.get("documents") or [{**listing["document"], "name": ""}]
    for spec_document in documents:
        name = spec_document["name"]
        if name:
            title, source = one_line(spec_document["title"], 120), one_line(spec_document["source"], 200)
            ink.line(Styled(f"{name}: {title} ({source})", "bold"))
        for (row, _), line in zip(rows, listing["tools"], strict=True):
            if line.get("document", "") == name:
                ink.line(row, hang=hang)
        for skipped in _of(listing["skipped"], name):
            place, reason, path = (one_line(skipped[key], limit) for key, limit in _SKIPPED_CELLS)
            ink.line(f"skipped  {skipped['method']} {path}: {reason} ({place})")
    parts = [f"{count(len(specs), 'document')}"] if len(specs) > 1 else []
    parts.append(f"{count(listing['operations'], 'operation')}, {count(len(rows), 'tool')}")
    if listing["skipped"]:
        parts.append(f"{len(listing['skipped'])} skipped")
    if listing["excluded"]:
        parts.append(f"{listing['excluded']} left out")
    for spec_document, spec in zip(documents, specs, strict=True):
        findings = len(_of(listing["findings"], spec_document["name"]))
        if findings:
            parts.append(f"{count(findings, 'finding')} (thinkagent spec check {shlex.quote(one_line(spec, 200))})")
    ink.line(" · ".join(parts))


def _of(rows: list[dict[str, Any]], document: str) -> list[dict[str, Any]]:
    """Give the rows that are of one document; rows of the only one do not name it."""
    return [row for row in rows if row.get("document", "") == document]
