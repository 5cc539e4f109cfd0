"""What of a document is put on the page, and how much of it fits.

Counts are tokens as `values.tokens` counts them: UTF-8 bytes divided by four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from thinkagent.tools.model import Tool
from thinkagent.turns.check import ToolSource
from thinkagent.turns.frame import escape_data, shorten
from thinkagent.values import clip, tokens

__all__ = [
    "MAX_LIKELY",
    "TOOL_TOKENS",
    "Choice",
    "Describe",
    "choose_lines",
    "cut_to",
    "default_describe",
    "fit_definitions",
    "fit_groups",
    "fit_lines",
    "group_of",
]

TOOL_TOKENS = 1_800
"""What all that is said of tools may take on the page: lines, groups and the likely few."""
LINE_TOKENS = 800
GROUP_TOKENS = 150
MAX_LIKELY = 8
DEFINITION_TOKENS = 300
"""What one of the likely tools may take; search_tools gives definitions in full."""
_FRAME_TOKENS = 16
_LINE_LENGTH = 240
_RANKED = 40


class Describe(Protocol):
    """Writes the full definition of a tool; `tools.describe` is one."""

    def __call__(self, tool: Tool, /, *, max_tokens: int) -> str: ...


class Line(Protocol):
    """What is known of a tool before it is built; `tools.ToolLine` is one."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def document(self) -> str: ...


class Listing(ToolSource, Protocol):
    """The tools of a run, each built only when it is asked for; `tools.Toolset` is one."""

    @property
    def lines(self) -> Sequence[Line]: ...


class Choice(NamedTuple):
    """The three fields of a `Page` that speak of the document's tools."""

    lines: tuple[Tool, ...]
    groups: Mapping[str, int]
    likely: tuple[Tool, ...]


def choose_lines(
    tools: Listing,
    task: str,
    rank: Callable[[str, int], Sequence[Tool]],
    *,
    budget_tokens: int = TOOL_TOKENS,
    describe: Describe | None = None,
) -> Choice:
    """Choose what a page shows of the tools: every signature if they fit, else the groups and the likely ones.

    `rank` gives the tools most like a text, best first. Of a document that cannot fit, only these are built.
    """
    share = min(LINE_TOKENS, budget_tokens * 4 // 9)
    ranked = list(rank(task, _RANKED))
    known = _all_if_they_fit(tools, share)
    if known is not None:
        lines, groups = known, {}
    else:
        lines, groups = _in_order(fit_lines(ranked, share), tools.names), _groups(tools.lines)
    spent = _lines_tokens(lines) + (GROUP_TOKENS if groups else 0)
    likely = fit_definitions(ranked[:MAX_LIKELY], budget_tokens - spent, describe or default_describe())
    return Choice(lines, groups, tuple(tool for tool, _ in likely))


def _all_if_they_fit(tools: Listing, budget: int) -> tuple[Tool, ...] | None:
    # Without its arguments a signature is shorter than with them: no tool is built where even that cannot fit.
    if sum(tokens(clip(f"{line.name}() - {line.summary}", _LINE_LENGTH)) for line in tools.lines) > budget:
        return None
    built = [tool for name in tools.names if (tool := tools.get(name)) is not None]
    lines = fit_lines(built, budget)
    return lines if len(lines) == len(built) else None


def _in_order(chosen: Collection[Tool], names: Collection[str]) -> tuple[Tool, ...]:
    place = {name: index for index, name in enumerate(names)}
    return tuple(sorted(chosen, key=lambda tool: place.get(tool.name, len(place))))


def _groups(lines: Sequence[Line]) -> dict[str, int]:
    groups = ((line.document, group_of(line.tags, line.path)) for line in lines)
    return dict(Counter(f"{document}: {group}" if document else group for document, group in groups))


def group_of(tags: Sequence[str], path: str) -> str:
    """Name the group of an operation: its first tag, else the first part of its path that is no parameter."""
    if tags:
        return tags[0]
    return next((part for part in path.split("/") if part and not part.startswith("{")), "other")


def line_of(tool: Tool) -> str:
    """Write a tool's signature as it stands on the page: one line, safe inside a frame."""
    return clip(escape_data(" ".join(tool.signature.split())), _LINE_LENGTH)


def _lines_tokens(lines: Sequence[Tool]) -> int:
    return sum(tokens(line_of(tool) + "\n") for tool in lines)


def fit_lines(tools: Sequence[Tool], budget_tokens: int = LINE_TOKENS) -> tuple[Tool, ...]:
    """Give the first tools whose lines fit."""
    left = budget_tokens
    for index, tool in enumerate(tools):
        left -= tokens(line_of(tool) + "\n")
        if left < 0:
            return tuple(tools[:index])
    return tuple(tools)


def fit_groups(groups: Mapping[str, int], budget_tokens: int = GROUP_TOKENS) -> str:
    """Write the groups, largest first as far as they fit, on one line that is safe inside a frame."""
    by_size = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
    shown: list[str] = []
    left = budget_tokens - 12
    for name, count in by_size:
        text = f"{clip(escape_data(' '.join(name.split())), 60)} ({count})"
        left -= tokens(text + ", ")
        if left < 0:
            break
        shown.append(text)
    rest = len(by_size) - len(shown)
    return ", ".join([*shown, *([f"and {rest} more groups"] if rest else [])])


def fit_definitions(tools: Sequence[Tool], budget_tokens: int, describe: Describe) -> list[tuple[Tool, str]]:
    """Give the definitions that fit, safe inside a frame; the first is cut at a line if it alone is too long."""
    found: list[tuple[Tool, str]] = []
    left = budget_tokens
    for tool in tools[:MAX_LIKELY]:
        text = escape_data(describe(tool, max_tokens=DEFINITION_TOKENS).strip())
        size = tokens(text) + _FRAME_TOKENS
        if size > left and not found and left > 4 * _FRAME_TOKENS:
            text = cut_to(text, left - _FRAME_TOKENS)
            size = tokens(text) + _FRAME_TOKENS
        if size <= left:
            left -= size
            found.append((tool, text))
    return found


def cut_to(text: str, budget_tokens: int) -> str:
    """Cut a text between two lines so that it fits, and say how many lines are left out."""
    if tokens(text) <= budget_tokens:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    left = budget_tokens - 10
    for line in lines:
        left -= tokens(line + "\n")
        if left < 0:
            break
        kept.append(line)
    if not kept:
        kept = [shorten(lines[0], 4 * budget_tokens, budget_tokens - 10, str)]
    return "\n".join([*kept, f"… ({len(lines) - len(kept)} more lines)"])


def default_describe() -> Describe:
    """Give the writer of full definitions of the tools room."""
    from thinkagent.tools.describe import describe

    return describe
