"""The `thinkagent` command: finds the subcommand, and is the last one to see an error."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

import click

from thinkagent.errors import ThinkagentError, UsageError
from thinkagent.version import __version__

__all__ = ["COMMANDS", "cli", "main", "run_command"]

COMMANDS: Mapping[str, str] = {
    "run": "Carry out a task on an API and answer with proof.",
    "tools": "Show what an OpenAPI document offers, as a mind reads it.",
    "spec": "Check an OpenAPI document, or show what leads to what in it.",
    "log": "Show a run turn by turn, list the runs, or pack one.",
    "replay": "Run a log again without network, model or key, and compare.",
    "cache": "Remove what is remembered of documents between runs.",
    "demo": "Try three real tasks on a sample API, or keep that API up.",
}
"""Every command by its name and one line of help; its module is imported only when it is used."""

INTERRUPTED = 130
BROKEN_PIPE = 141
INTERNAL = 3
_UNWRITABLE = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EBADF)

_EPILOG = """Options can be set by the environment too: --log-dir by THINKAGENT_LOG_DIR, and so on; --allow-writes,
--yes, --input and --header cannot.

Exit codes: 0 done; 1 not done, refused, not proven, a limit; 2 bad usage or input; 3 the API, the model or the log
failed; 130 Ctrl-C; 141 stdout was closed; 143 SIGTERM."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"thinkagent.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise _unknown_command(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for paragraph in _EPILOG.split("\n\n"):
            formatter.write_paragraph()
            formatter.write_text(" ".join(paragraph.split()))


def _unknown_command(name: str) -> UsageError:
    from thinkagent.errors import list_names, nearest

    near = nearest(name, COMMANDS)
    hint = f"Did you mean {near[0]!r}?" if near else "thinkagent --help tells what each does"
    return UsageError(
        f"there is no command {name[:60]!r}; there are {list_names(COMMANDS)}", code="bad_usage", hint=hint
    )


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100}, name="thinkagent"
)
@click.version_option(__version__, message="thinkagent %(version)s")
def cli() -> None:
    """Give it a task in words and an OpenAPI document: it thinks out loud, calls the real API one step at a time,
    answers with proof, and leaves a log that anyone can read and replay.

    Begin with: thinkagent demo
    """


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    _take_places()
    # httpx imports its own command line, and that all of rich, unless it is told that there is none.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
    code = run_command(sys.argv[1:])
    if "asyncio" not in sys.modules:
        sys.exit(code)
    from thinkagent.cli.loop import leave

    leave(code)


def _take_places() -> None:
    """Open what the process was started without, so that no log or connection gets the number of a standard stream."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            place = os.open(os.devnull, os.O_RDWR)
            if place > 2:
                os.close(place)
            if number:
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for the process's life)


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line; give its exit code. Whatever goes wrong is told in one line, never as a traceback."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _invoke(list(arguments))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _closed_stdout()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        print(
            f"error: the output cannot be written: {reason} (stdout). Make room, or send it elsewhere", file=sys.stderr
        )
        _closed_stdout()
        return INTERNAL


def _invoke(arguments: list[str]) -> int:
    if "_THINKAGENT_COMPLETE" in os.environ:
        cli.main(arguments, prog_name="thinkagent")
    try:
        with cli.make_context("thinkagent", list(arguments)) as context:
            cli.invoke(context)
        return 0
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    except ThinkagentError as error:
        return _failed(error, arguments)
    except click.ClickException as error:
        return _failed(_as_usage_error(error), arguments)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        if _is_of_stdout(error):
            raise
        return _internal(error, arguments)
    except Exception as error:
        # The outermost edge: what gets here is a fault of this program, and even then a user sees one line.
        return _internal(error, arguments)


def _failed(error: ThinkagentError, arguments: Sequence[str]) -> int:
    from thinkagent.cli.output import print_error, without_secrets

    print_error(error, as_json="--json" in arguments)
    if "--verbose" in arguments and error.__cause__ is not None:
        print(without_secrets(f"cause: {type(error.__cause__).__name__}: {error.__cause__}"), file=sys.stderr)
    return error.exit_code


def _as_usage_error(error: click.ClickException) -> UsageError:
    """Give click's errors the one shape."""
    message = " ".join(error.format_message().split()).rstrip(".")
    message = message[:1].lower() + message[1:]
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "thinkagent"
    message, _, guess = message.partition(". Did you mean")
    message, _, guess = (message, "", guess) if guess else message.partition(" Did you mean")
    hint = f"Did you mean{guess}" if guess else f"{path} --help tells how it is used"
    return UsageError(message.rstrip("."), code="bad_usage", where=path, hint=hint)


def _internal(error: Exception, arguments: Sequence[str]) -> int:
    from thinkagent.cli.output import without_secrets
    from thinkagent.values import clip, visible

    if "--verbose" in arguments:
        import traceback

        print(visible(without_secrets("".join(traceback.format_exception(error)))), file=sys.stderr)
    told = clip(visible(without_secrets(f"{type(error).__name__}: {error}"), newlines=False), 300)
    print(
        f"error: internal: {told}. "
        "This is a fault of thinkagent; run it again with --verbose to see where, and report it",
        file=sys.stderr,
    )
    return INTERNAL


def _is_of_stdout(error: OSError) -> bool:
    """Say whether stdout could not be written: every room turns the errors of its own files into ThinkagentErrors."""
    return error.filename is None and error.errno in _UNWRITABLE


def _closed_stdout() -> int:
    """Let the interpreter's own last flush go nowhere: whoever read stdout has had enough."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
