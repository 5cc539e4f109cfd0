"""Rewrite what is made from the code: `python -m tests.regenerate [--check] [sample]`.

docs/cli.md from the commands' own help, docs/page.md and the golden pages from what is rendered, docs/schemas/ from
the event types and the shop's data. `sample` also makes logs/sample.jsonl anew. With `--check` nothing is written and
the exit code is 1 when something is stale.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from thinkagent.cli.main import COMMANDS
from thinkagent.events.schema import log_schema
from thinkagent.values import write_json

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 100


def cli_page() -> str:
    """The help of every command, as docs/cli.md has it."""
    parts = ["# Commands\n", "Made by `make docs` from the commands' own `--help`.\n"]
    for name in ("", *COMMANDS):
        parts.append(f"## thinkagent {name}".rstrip() + f"\n\n```text\n{help_of(name)}```\n")
    return "\n".join(parts)


def help_of(name: str) -> str:
    import click

    from thinkagent.cli.main import cli

    context = click.Context(cli, info_name="thinkagent", terminal_width=WIDTH, max_content_width=WIDTH)
    if not name:
        return cli.get_help(context) + "\n"
    command = cli.get_command(context, name)
    assert command is not None
    inner = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH, max_content_width=WIDTH)
    return command.get_help(inner) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated file and what it must hold."""
    yield ROOT / "docs/cli.md", cli_page()
    yield ROOT / "docs/schemas/log.schema.json", write_json(log_schema(), indent=2) + "\n"
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
    stale = []
    for path, text in pages():
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(path)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
    if "--check" not in arguments:
        from tests.turns import regenerate

        regenerate.main()
        if "sample" in arguments:
            sample()
    for path in stale:
        print(path.relative_to(ROOT))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
