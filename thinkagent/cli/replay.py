"""`thinkagent replay`: a run again from its log, with no network, model or key."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import json_option, log_dir_option, option

if TYPE_CHECKING:
    from thinkagent.run.replay import Replayed

__all__ = ["command"]

SAME, DIFFERS = 0, 1


@click.command(name="replay")
@click.argument("log", metavar="LOG|last|ID")
@log_dir_option
@option("--verbose", "-v", is_flag=True, help="Show the run turn by turn as it is replayed.")
@json_option
def command(log: str, log_dir: Path, verbose: bool, as_json: bool) -> None:
    """Run a log again and compare it event by event.

    The recorded mind and the recorded API answer; nothing of the network is used. A request that differs stops it and
    is told with the nearest recorded one (exit 1); a prompt that differs is a note.

    Example: thinkagent replay last
    """
    from thinkagent.cli.output import print_json, stderr_ink, stdout_ink
    from thinkagent.cli.render.transcript import Transcript
    from thinkagent.journal import find_log, read_log
    from thinkagent.run.replay import replay

    found = read_log(find_log(log, log_dir))
    transcript = Transcript(stderr_ink(), show_task=True) if verbose else None
    replayed = asyncio.run(replay(found, None if transcript is None else transcript.show))
    if as_json:
        print_json(_as_dict(replayed))
    else:
        ink = stdout_ink()
        for line in _lines(replayed):
            ink.line(line)
    raise click.exceptions.Exit(SAME if replayed.same else DIFFERS)


def _lines(replayed: Replayed) -> list[str]:
    from thinkagent.cli.render.say import count, one_line

    name = replayed.log.run_id or (replayed.log.path.stem if replayed.log.path else "log")
    did = f"{count(replayed.turns, 'turn')}, {count(replayed.calls, 'call')}"
    lines = [f"{name} · {did} · mind recorded, API recorded · no network"]
    lines.append("same" if replayed.same else one_line(replayed.difference, 2000))
    if replayed.where:
        lines.append(one_line(replayed.where, 600))
    return [*lines, *(f"note: {one_line(note)}" for note in replayed.notes)]


def _as_dict(replayed: Replayed) -> dict[str, Any]:
    return {
        "log": str(replayed.log.path) if replayed.log.path else None,
        "run": replayed.log.run_id,
        "same": replayed.same,
        "turns": replayed.turns,
        "calls": replayed.calls,
        "difference": replayed.difference or None,
        "where": replayed.where or None,
        "notes": list(replayed.notes),
        "exit_code": SAME if replayed.same else DIFFERS,
    }
