"""How long the first prompt is, whatever the document: a table of documents by their number of operations.

    python benchmarks/page.py FILE … [--task TEXT]

Tokens are as everywhere here: UTF-8 bytes divided by four, rounded up. A file that is no document that can be loaded
is left out and named. `made` is a made document with as many operations as the number behind it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

from thinkagent.documents import Document, from_dict, load
from thinkagent.errors import ThinkagentError
from thinkagent.run.agent import Agent
from thinkagent.run.pages import PageBuilder
from thinkagent.run.state import RunState
from thinkagent.turns.render import render_blocks
from thinkagent.values import tokens

__all__ = ["Size", "made", "measure"]

TASK = "Find the newest entry, say who made it, and delete it"
BARS = {"prompt": 4_000, "tools": 1_800}


class Size(NamedTuple):
    title: str
    operations: int
    tools: int
    """Tokens of all that is said of tools."""
    prompt: int
    """Tokens of the whole first prompt."""
    seconds: float
    """From a loaded document to the prompt."""


def made(operations: int) -> Document:
    """Make a document of so many operations, each with words of its own."""
    paths = {}
    for number in range(operations):
        fields = {f"field{at}": {"type": "string", "description": f"what {number} holds at {at}"} for at in range(8)}
        body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
        paths[f"/group{number % 97}/entries{number}/{{id}}"] = {
            "put": {
                "operationId": f"replaceEntry{number}",
                "summary": f"Replace the newest entry of collection {number}",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "requestBody": body,
                "responses": {"200": {"description": "ok", **body}},
            }
        }
    return from_dict({"openapi": "3.1.0", "info": {"title": f"made {operations}", "version": "1"}, "paths": paths})


def measure(document: Document, task: str = TASK) -> Size:
    """Render the first prompt of a run on a document, and count."""
    start = time.perf_counter()
    agent = Agent(document, base_url="http://127.0.0.1:9", log_dir=None, cache=False)
    world = agent.prepare(task).world
    blocks = render_blocks(PageBuilder(world).page(RunState()))
    took = time.perf_counter() - start
    of_tools = [block for block in blocks if block.name == "tools" or block.name.startswith("tool:")]
    return Size(
        document.title,
        len(agent.tools),
        sum(tokens(block.text) for block in of_tools),
        sum(tokens(block.text) for block in blocks),
        took,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How long the first prompt is.")
    parser.add_argument("documents", nargs="*", type=Path)
    parser.add_argument("--task", default=TASK)
    args = parser.parse_args()
    sizes = [measure(made(number), args.task) for number in (1, 10, 100, 1_000, 20_000)]
    for path in args.documents:
        try:
            sizes.append(measure(load(str(path)), args.task))
        except ThinkagentError as error:
            print(f"{path.name} is left out: {error.message}")
    print(f"{'operations':>10} {'tools':>6} {'prompt':>6} {'seconds':>7}  document")
    for size in sorted(sizes, key=lambda size: size.operations):
        print(f"{size.operations:>10} {size.tools:>6} {size.prompt:>6} {size.seconds:>7.2f}  {size.title[:60]}")
    over = [size for size in sizes if size.prompt > BARS["prompt"] or size.tools > BARS["tools"]]
    print(f"{len(sizes)} documents, {len(over)} beyond {BARS['prompt']} tokens or {BARS['tools']} for tools")
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
