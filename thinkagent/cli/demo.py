"""`thinkagent demo`: three real tasks on the sample API, or the API kept up to try."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import WholeNumber, clock_options, log_dir_option, option, output_options
from thinkagent.errors import UsageError

if TYPE_CHECKING:
    from thinkagent.shop import Shop

__all__ = ["TASKS", "command"]

TASKS = (
    "Find customers registered more than 30 days ago who never ordered and issue each of them a WELCOME10 coupon",
    "What is Alice Chen's average order amount?",
    "How much does LAMP-01 cost?",
)
"""One writes, one computes, one has to recover from an error."""

TOKEN_VARIABLE = "SHOP_TOKEN"
SCHEME = "bearerAuth"


@click.command(name="demo")
@option("--serve", is_flag=True, help="Keep the sample API up and print the command to try it with.")
@option("--port", type=WholeNumber(0, 65535), default=0, help="With --serve: the port; a free one by default.")
@option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --serve: other data, as shop-data.schema.json in docs/schemas/ has it.",
)
@clock_options
@log_dir_option
@output_options
def command(
    serve: bool,
    port: int,
    data: Path | None,
    now: str | None,
    timezone: str | None,
    log_dir: Path,
    quiet: bool,
    verbose: bool,
) -> None:
    """Watch three tasks being done on a sample API: a small shop on a free port of this machine.

    Nothing leaves the machine, and no model and no key are needed.

    Example: thinkagent demo --serve --port 8321
    """
    if not serve and (port or data is not None):
        raise UsageError(
            "--port and --data go with --serve", code="bad_usage", where="thinkagent demo", hint="Add --serve"
        )
    moment = _moment(now, timezone)
    if serve:
        _serve(port, data, moment)
        return
    raise click.exceptions.Exit(_three_tasks(moment, timezone, log_dir, quiet=quiet, verbose=verbose))


def _moment(now: str | None, timezone: str | None) -> datetime:
    from thinkagent.run.settings import run_now, zone_of

    return run_now(now, zone_of(timezone, os.environ)[1] if now else UTC)


def _three_tasks(moment: datetime, timezone: str | None, log_dir: Path, *, quiet: bool, verbose: bool) -> int:
    from thinkagent.cli.loop import wait_for
    from thinkagent.cli.output import stderr_ink
    from thinkagent.cli.render.ink import Styled
    from thinkagent.cli.show import Shown
    from thinkagent.run.agent import Agent
    from thinkagent.run.settings import Settings
    from thinkagent.run.world import Permission
    from thinkagent.shop import DOCUMENT_PATH, Shop, seed

    ink = stderr_ink()
    shown = Shown(ink, verbose=verbose, quiet=quiet)
    done = 0
    with Shop(seed(moment), clock=lambda: moment) as shop:
        settings = Settings(
            base_url=shop.url,
            auth={SCHEME: f"env:{TOKEN_VARIABLE}"},
            permission=Permission(allow_writes=True),
            now=moment.isoformat(),
            timezone=timezone,
            log_dir=log_dir,
        )
        agent = Agent(DOCUMENT_PATH, settings, environ={**os.environ, TOKEN_VARIABLE: shop.token})
        for number, task in enumerate(TASKS, 1):
            if not quiet:
                ink.line(Styled(f"Task {number} of {len(TASKS)}: {task}", "bold"))
            sys.stdout.flush()
            code = wait_for(shown.run(agent, task))
            if code >= 128:
                return code
            done += code == 0
            if not quiet:
                ink.blank()
    if not quiet:
        ink.line(
            f"{done} of {len(TASKS)} tasks done. Run one again from its log: thinkagent replay last{_folder(log_dir)}"
        )
    return 0 if done == len(TASKS) else 1


def _folder(log_dir: Path) -> str:
    return "" if log_dir == Path("logs") else f" --log-dir {log_dir}"


def _serve(port: int, data: Path | None, moment: datetime) -> None:
    from thinkagent.shop import Shop, load_data, seed

    content = load_data(data) if data is not None else seed(moment)
    with Shop(content, port=port, clock=lambda: moment) as shop, _until_stopped() as stopped:
        for line in _lines(shop, moment):
            print(line)
        sys.stdout.flush()
        stopped.wait()
    print("stopped", file=sys.stderr)


def _lines(shop: Shop, moment: datetime) -> list[str]:
    """The two lines to type, and where everything is."""
    return [
        f"The shop is up at {shop.url} (its document: {shop.url}/openapi.json). Ctrl-C stops it. Try:",
        "",
        f"  export {TOKEN_VARIABLE}={shop.token}",
        f'  thinkagent run "{TASKS[1]}" --spec {shop.url}/openapi.json '
        f"--auth {SCHEME}=env:{TOKEN_VARIABLE} --now {moment.isoformat()}",
        "",
    ]


@contextlib.contextmanager
def _until_stopped() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C and SIGTERM set."""
    stopped = threading.Event()
    before: dict[signal.Signals, Any] = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, lambda *_: stopped.set())
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
