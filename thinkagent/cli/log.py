"""`thinkagent log`: a run turn by turn, the list of runs, one turn with its prompt, a log and its blobs in one file."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkagent.cli.options import WholeNumber, json_option, log_dir_option, option
from thinkagent.errors import JournalError, UsageError

if TYPE_CHECKING:
    from thinkagent.journal import Log

__all__ = ["command"]

_FOLLOW_S = 0.2


@click.command(name="log")
@click.argument("log", metavar="[LOG|last|ID|pack LOG]", nargs=-1)
@log_dir_option
@option("--turn", type=WholeNumber(min=1), metavar="N", help="Only this turn, with all that the mind was given.")
@option("--follow", "-f", is_flag=True, help="Wait for what is still to come, until the run ends.")
@option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Where `log pack` writes to.")
@option("--verbose", "-v", is_flag=True, help="Show requests, answers and what the model used.")
@json_option
def command(
    log: tuple[str, ...],
    log_dir: Path,
    turn: int | None,
    follow: bool,
    output: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Show a run turn by turn; without LOG, list the runs. `log pack LOG` makes one file of a log and its blobs.

    LOG is a path, `last`, or the beginning of a run's id. A log whose file is called `pack` is named by its path.

    Example: thinkagent log last --turn 2
    """
    if log[:1] == ("pack",):
        _pack(log[1:], log_dir, output)
    elif not log:
        _list(log_dir, as_json)
    elif len(log) > 1:
        raise UsageError(
            f"one log at a time, {len(log)} are named",
            code="bad_usage",
            where="thinkagent log",
            hint="Name one; `thinkagent log` alone lists them",
        )
    elif follow:
        _follow(log[0], log_dir, verbose)
    else:
        _show(log[0], log_dir, turn, verbose, as_json)


def _read(name: str, folder: Path) -> Log:
    from thinkagent.journal import find_log, read_log

    found = read_log(find_log(name, folder))
    if found.torn:
        print(f"note: the end of the log was left out: {found.torn}", file=sys.stderr)
    if found.altered:
        print(f"note: the log was changed by hand at event {found.altered[0]}", file=sys.stderr)
    return found


def _show(name: str, folder: Path, turn: int | None, verbose: bool, as_json: bool) -> None:
    from thinkagent.cli.output import print_json, stdout_ink
    from thinkagent.cli.render.transcript import Transcript

    log = _read(name, folder)
    records = _of_turn(log, turn) if turn is not None else list(log.records)
    if as_json:
        print_json([_as_dict(record) for record in records])
        return
    ink = stdout_ink()
    if turn is not None:
        _print_prompt(log, turn)
    transcript = Transcript(ink, verbose=verbose, show_task=turn is None)
    for record in log.records:
        if records and record.seq < records[0].seq:
            transcript.remember(record.event)
    for record in records:
        transcript.show(record)
    if turn is not None:
        transcript.settle()
        if not records:
            ink.line("Nothing: the log ends here.")
    else:
        _print_answer(transcript)
        transcript.close(str(log.path), so_far=() if transcript.ended else _changes(records))


def _changes(records: list[Any]) -> list[dict[str, Any]]:
    """Say what a run without an end has changed, as far as its log goes."""
    from thinkagent.policy.changes import change_rows
    from thinkagent.run.ending import changes_of
    from thinkagent.run.fold import fold

    return change_rows(changes_of(fold(records)))


def _print_answer(transcript: Any) -> None:
    from thinkagent.cli.output import print_text
    from thinkagent.cli.render.closing import answer_text

    answer = transcript.answer
    if answer is not None and answer.status == "done":
        print_text(answer_text(answer.answer))
    transcript.tell_status()


def _as_dict(record: Any) -> dict[str, Any]:
    from thinkagent.events import encode

    fields = encode(record.event)
    return {"seq": record.seq, "at": record.at, **fields, **record.extra}


def _of_turn(log: Log, turn: int) -> list[Any]:
    from thinkagent.events import PromptShown

    turns = sorted({number for r in log.records if (number := _turn_of(r.event))})
    if turn not in turns:
        has = f"turns {turns[0]} to {turns[-1]}" if turns[1:] else f"turn {turns[0]} alone" if turns else "no turn"
        hint = f"Pass --turn {turns[-1]} for the last" if turns else "Leave --turn out to see what there is"
        raise UsageError(f"the run has no turn {turn}; it has {has}", code="no_such_turn", where="--turn", hint=hint)
    return [r for r in log.records if _turn_of(r.event) == turn and not isinstance(r.event, PromptShown)]


def _turn_of(event: Any) -> int | None:
    for name in ("turn", "call", "think"):
        value = getattr(event, name, None)
        if value is not None:
            return int(value if name == "turn" else value.turn)
    return None


def _print_prompt(log: Log, turn: int) -> None:
    """Print the last prompt of a turn just as it was given: its blocks, joined by role."""
    from thinkagent.cli.output import print_text
    from thinkagent.cli.render.say import count, one_line
    from thinkagent.events import RunStarted, prompt_texts

    minds = [one_line(record.event.mind, 80) for record in log.records if isinstance(record.event, RunStarted)]
    shown = [(event, texts) for event, texts in prompt_texts(log.records) if event.think.turn == turn]
    if not shown:
        print_text("--- no prompt ---")
        return
    event, texts = shown[-1]
    # The offline mind reads the page that a model would be sent.
    whom = "the offline mind was given; no model was asked" if minds == ["offline"] else f"{minds[0]} was sent"
    print_text(f"--- what {whom} (turn {turn}, {count(event.tokens, 'token')}) ---")
    role = ""
    for text_role, text in texts:
        if text_role != role:
            role = text_role
            print_text(f"--- {role} ---")
        print_text(text + "\n")
    print_text("--- what came of it ---")


def _follow(name: str, folder: Path, verbose: bool) -> None:
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.transcript import Transcript
    from thinkagent.journal import find_log

    path = find_log(name, folder)
    transcript = Transcript(stdout_ink(), verbose=verbose, show_task=True)
    for record in _growing(path):
        transcript.show(record)
        sys.stdout.flush()
        if transcript.ended is not None:
            break
    _print_answer(transcript)
    transcript.close(str(path))


def _growing(path: Path) -> Iterator[Any]:
    """Give the records of a log, waiting for those that are still to come."""
    from thinkagent.journal import read_log

    given = 0
    while True:
        try:
            records = read_log(path).records
        except JournalError as error:
            if error.code != "bad_log" or given:
                raise
            records = ()
        yield from records[given:]
        given = max(given, len(records))
        time.sleep(_FOLLOW_S)


def _list(folder: Path, as_json: bool) -> None:
    from thinkagent.cli.output import print_json, stdout_ink
    from thinkagent.cli.render.ink import clip_cells
    from thinkagent.cli.render.say import one_line
    from thinkagent.journal import logs_in

    rows = [_row(path) for path in reversed(logs_in(folder))]
    if as_json:
        print_json(rows)
        return
    ink = stdout_ink()
    for row in rows:
        line = f"{row['id']}  {row['status']:<12}  {one_line(row['task'], 100)}"
        ink.line(clip_cells(line, ink.width) if ink.width else line)
    if not rows:
        print(f"note: there are no logs in {str(folder)!r}", file=sys.stderr)


def _row(path: Path) -> dict[str, Any]:
    from thinkagent.events import RunEnded, RunStarted
    from thinkagent.journal import read_log

    try:
        records = read_log(path).records
    except JournalError as error:
        return {"id": path.stem, "status": "unreadable", "task": error.message, "log": str(path)}
    first, last = records[0].event, records[-1].event
    return {
        "id": path.stem,
        "status": last.status if isinstance(last, RunEnded) else "not ended",
        "task": first.task if isinstance(first, RunStarted) else "",
        "log": str(path),
    }


def _pack(names: tuple[str, ...], folder: Path, output: Path | None) -> None:
    from thinkagent.journal import find_log, pack_log

    if len(names) != 1:
        raise UsageError(
            f"`log pack` takes one log, {len(names)} are named",
            code="bad_usage",
            where="thinkagent log pack",
            hint="Write thinkagent log pack last -o run.jsonl",
        )
    path = find_log(names[0], folder)
    data = pack_log(path).encode("utf-8", "surrogatepass")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"{str(output)!r} cannot be written: {(error.strerror or str(error)).lower()}",
            code="unwritable",
            where="--output",
            hint="Name a file in a folder that you can write",
        ) from error
    print(f"packed {path.name} into {output}", file=sys.stderr)
