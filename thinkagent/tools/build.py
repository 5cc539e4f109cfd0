"""One operation made a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from thinkagent.documents.model import Finding, Operation
from thinkagent.tools.describe import describe
from thinkagent.tools.effect import effect_of, is_idempotent
from thinkagent.tools.errors import error_meanings
from thinkagent.tools.examples import example_call, example_result
from thinkagent.tools.media import choose_result
from thinkagent.tools.model import Tool
from thinkagent.tools.schema import Owned, read_inputs, read_result
from thinkagent.tools.shape import Shaper
from thinkagent.tools.variants import Components
from thinkagent.tools.wording import summary_of, when_to_use
from thinkagent.values import tokens

__all__ = ["Shapers", "build_tool"]


class Shapers:
    """The rewriting of one document's schemas, in both directions, shared by its tools.

    `components` is the document, for variants that no reference leads to.
    """

    def __init__(self, components: Components | None = None) -> None:
        self.request = Shaper("request", components)
        self.response = Shaper("response", components)


def build_tool(
    operation: Operation,
    name: str,
    *,
    owned: Owned = frozenset(),
    shapers: Shapers | None = None,
    declared_read: bool = False,
    needs: Mapping[str, tuple[str, ...]] | None = None,
    feeds: tuple[str, ...] = (),
    document: str = "",
) -> tuple[Tool, tuple[Finding, ...]]:
    """Make the tool of an operation that can be offered (`schema.unsupported` says nothing against it).

    `owned` are the parameters of security schemes. What had to be left out of the schemas comes back as findings;
    of what several tools share only with the first of them.
    """
    shapers = shapers or Shapers()
    inputs = read_inputs(operation, owned, shapers.request)
    choice = choose_result(operation.responses)
    result = read_result(choice, shapers.response)
    effect, effect_problem = effect_of(operation.method, operation.extensions, declared_read=declared_read)
    tool = Tool(
        name=name,
        method=operation.method,
        path=operation.path,
        summary=summary_of(operation),
        effect=effect,
        idempotent=is_idempotent(operation.method, effect),
        deprecated=operation.deprecated,
        parameters=inputs.parameters,
        result=result.schema,
        result_status=choice.status,
        arguments=inputs.arguments,
        operation=operation,
        when_to_use=when_to_use(operation),
        needs=dict(needs or {}),
        feeds=feeds,
        errors=error_meanings(operation),
        document=document,
    )
    tool = replace(
        tool, example_call=example_call(tool, inputs.validator), example_result=example_result(tool, result.validator)
    )
    tool = replace(tool, tokens=tokens(describe(tool)))
    problems = [effect_problem] if effect_problem else []
    problems += [*inputs.problems, *(f"in the answer {problem}" for problem in result.problems)]
    return tool, tuple(Finding(operation.pointer, f"{name}: {problem}") for problem in problems)
