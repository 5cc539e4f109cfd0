"""Rewrite what is made from the code: `python -m tests.regenerate [--check] [sample]`.

docs/cli.md from the commands' own help, docs/page.md and the golden pages from what is rendered, the golden transcripts
from scripted runs, docs/schemas/ from the event types, the outputs and the shop's data. What was rewritten is printed.
`sample` also makes logs/sample.jsonl anew. With `--check` nothing is written, what is stale is printed, and the exit
code is 1 when something is.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import output_schemas
from tests.cli import screen
from tests.turns import regenerate as turns
from thinkagent.cli.main import COMMANDS, cli
from thinkagent.events.schema import log_schema
from thinkagent.values import write_json

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 100
SUBCOMMANDS = ("spec check", "spec graph", "cache clear")
SCHEMAS = {
    "log": log_schema,
    "run": output_schemas.run_schema,
    "tools": output_schemas.tools_schema,
    "spec-check": output_schemas.spec_check_schema,
    "spec-graph": output_schemas.spec_graph_schema,
    "replay": output_schemas.replay_schema,
}


def cli_page() -> str:
    """The help of every command, as docs/cli.md has it."""
    parts = ["# Commands\n", "Made by `make docs` from the commands' own `--help`.\n"]
    for name in sorted(("", *COMMANDS, *SUBCOMMANDS), key=_place):
        parts.append(f"## thinkagent {name}".rstrip() + f"\n\n```text\n{help_of(name)}```\n")
    return "\n".join(parts)


def _place(name: str) -> tuple[int, str]:
    """A subcommand stands behind its group."""
    group = name.partition(" ")[0]
    return (["", *COMMANDS].index(group), name)


def help_of(name: str) -> str:
    """What `thinkagent NAME --help` prints on a terminal of `WIDTH` columns."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        cli.main(
            [*name.split(), "--help"],
            prog_name="thinkagent",
            standalone_mode=False,
            terminal_width=WIDTH,
            max_content_width=WIDTH,
        )
    return printed.getvalue()


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated file and what it must hold."""
    yield ROOT / "docs/cli.md", cli_page()
    yield turns.DOCS, turns.with_example(turns.DOCS.read_text("utf-8"))
    for name, make in turns.PAGES.items():
        yield turns.GOLDEN / f"{name}.txt", turns.golden_text(make())
    yield turns.GOLDEN / "rules.txt", turns.rules_text(turns.FIRST_PAGE)
    for name, schema in SCHEMAS.items():
        yield ROOT / f"docs/schemas/{name}.schema.json", write_json(schema(), indent=2) + "\n"
    shop = ROOT / "thinkagent/shop/data.schema.json"
    yield ROOT / "docs/schemas/shop-data.schema.json", shop.read_text("utf-8")


def sample() -> None:
    """Make logs/sample.jsonl: the demo's second task, packed."""
    from datetime import UTC, datetime

    from thinkagent.cli.demo import SCHEME, TASKS, TOKEN_VARIABLE
    from thinkagent.journal import pack_log
    from thinkagent.run.agent import Agent
    from thinkagent.shop import DOCUMENT_PATH, Shop, seed

    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as folder, Shop(seed(now), clock=lambda: now) as shop:
        agent = Agent(
            DOCUMENT_PATH,
            base_url=shop.url,
            auth={SCHEME: f"env:{TOKEN_VARIABLE}"},
            environ={TOKEN_VARIABLE: shop.token, "TZ": "UTC"},
            now=now.isoformat(),
            log_dir=Path(folder),
        )
        result = asyncio.run(agent.run(TASKS[1]))
        assert result.log is not None
        (ROOT / "logs/sample.jsonl").write_text(pack_log(result.log), "utf-8")


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    made = (*pages(), *screen.pages())
    stale = [(path, text) for path, text in made if not path.is_file() or path.read_text("utf-8") != text]
    for path, text in stale:
        print(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    if "sample" in arguments and not check:
        sample()
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
