"""`thinkagent run`: a task in words, carried out on an API."""

from __future__ import annotations

import os
from math import isfinite
from pathlib import Path
from typing import Any

import click

from thinkagent.cli.inputs import answer_schema, by_document, named_inputs, pairs, task_text
from thinkagent.cli.options import (
    WholeNumber,
    cache_option,
    clock_options,
    json_option,
    log_dir_option,
    option,
    output_options,
    setting,
    spec_options,
    together,
)
from thinkagent.errors import UsageError

__all__ = ["command"]

_api_options = together(
    setting(
        "--base-url",
        multiple=True,
        metavar="[DOC=]URL",
        help="The API's address in the place of the document's servers.",
    ),
    setting("--server", multiple=True, metavar="[DOC=]N", help="Which of the document's servers, from 1."),
    setting(
        "--auth",
        multiple=True,
        metavar="[DOC:]SCHEME=env:VAR",
        help="The credential of a security scheme, from a variable or file:PATH. Repeatable.",
    ),
    option(
        "--header",
        multiple=True,
        metavar="[DOC:]NAME=env:VAR",
        help="A header for every request, where the document names no scheme. Repeatable.",
    ),
)
_model_options = together(
    setting("--model", metavar="NAME", help="provider/NAME; without it the offline mind thinks and nothing is spent."),
    setting("--api-base", metavar="URL", help="The model server's address (any OpenAI-compatible one)."),
    setting("--via", metavar="WAY", help="litellm: ask through litellm also for openai/NAME."),
    setting(
        "--model-option", multiple=True, metavar="K=V", help="A setting of the model, also api_key=env:VAR. Repeatable."
    ),
)
_task_options = together(
    option(
        "--input",
        multiple=True,
        metavar="NAME=VALUE",
        help="An input that the task can use; JSON or text, NAME=@FILE, or @FILE with an object. Repeatable.",
    ),
    setting("--answer-schema", metavar="FILE", help="A JSON Schema that the answer has to fit; the answer is JSON."),
)
_permission_options = together(
    option("--allow-writes", is_flag=True, help="Let this run's writes and deletes leave, up to --max-writes."),
    option("--yes", is_flag=True, help="Answer yes to what would be asked."),
    setting("--max-turns", type=WholeNumber(min=0), metavar="N", default=30, show_default=True, help="Turns at most."),
    setting("--max-calls", type=WholeNumber(min=0), metavar="N", default=200, show_default=True, help="Calls at most."),
    setting(
        "--max-writes", type=WholeNumber(min=0), metavar="N", default=50, show_default=True, help="Writes at most."
    ),
    setting(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        callback=lambda context, parameter, value: _finite(context, parameter, value),
        default=600,
        show_default=True,
        metavar="SECONDS",
        help="Seconds at most.",
    ),
    setting("--dry-run", is_flag=True, help="Show every request and send none; answers are the document's examples."),
)


@click.command(name="run")
@click.argument("task", metavar="TASK|-|@FILE")
@spec_options
@_api_options
@_model_options
@_task_options
@_permission_options
@clock_options
@cache_option
@log_dir_option
@json_option
@output_options
def command(
    task: str,
    specs: tuple[str, ...],
    log_dir: Path,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **given: Any,
) -> None:
    """Carry out a task on an API and answer with proof.

    The answer alone goes to stdout; what is thought, called and observed goes to stderr, and every event into a log.
    Reads are sent; writes need --allow-writes, --yes, or a yes at the terminal.

    With several --spec, each call goes to its own document's server with its own credential. DOC is a document's name,
    as `thinkagent tools` shows it; it is needed where an option could be for more than one.

    \b
    Example:
      thinkagent run "How many products are there?" \\
        --spec http://127.0.0.1:8321/openapi.json --auth bearerAuth=env:SHOP_TOKEN
    """
    if quiet and verbose:
        raise UsageError(
            "--quiet and --verbose exclude each other",
            code="bad_usage",
            where="thinkagent run",
            hint="Pass one of them",
        )
    task = task_text(task, stdin_is_taken="-" in specs)
    settings = _settings(log_dir, given)
    from thinkagent.cli.loop import wait_for
    from thinkagent.cli.output import stderr_ink
    from thinkagent.cli.render.human import person_at
    from thinkagent.cli.show import Shown
    from thinkagent.run.agent import Agent

    ink = stderr_ink()
    agent = Agent(specs, settings, human=person_at(ink, tells=quiet), environ=os.environ)
    shown = Shown(ink, verbose=verbose, quiet=quiet, as_json=as_json)
    raise click.exceptions.Exit(wait_for(shown.run(agent, task)))


def _finite(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not isfinite(value):
        raise click.BadParameter(f"{value} is not a number of seconds", context, parameter)
    return value


def _server_number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise UsageError(
            f"{text!r} is no server's number", code="bad_option", where="--server", hint="Pass 1 for the first"
        )
    return int(text)


def _settings(log_dir: Path, given: dict[str, Any]) -> Any:
    from thinkagent.run.settings import Settings
    from thinkagent.run.world import Limits, Permission

    return Settings(
        model=given["model"],
        api_base=given["api_base"],
        via=given["via"],
        model_options=pairs(given["model_option"], "--model-option", "K=V"),
        base_url=by_document(given["base_url"], "--base-url", "URL"),
        server=by_document(given["server"], "--server", "N", _server_number),
        auth=pairs(given["auth"], "--auth", "SCHEME=env:VARIABLE or SCHEME=file:PATH"),
        headers=pairs(given["header"], "--header", "NAME=env:VARIABLE or NAME=file:PATH"),
        inputs=named_inputs(given["input"]),
        answer_schema=answer_schema(given["answer_schema"]),
        overlays=given["overlays"],
        include=given["include"],
        exclude=given["exclude"],
        reads=given["reads"],
        permission=Permission(given["allow_writes"], given["yes"]),
        limits=Limits(
            turns=given["max_turns"],
            calls=given["max_calls"],
            writes=given["max_writes"],
            timeout_s=given["timeout"],
        ),
        dry_run=given["dry_run"],
        now=given["now"],
        timezone=given["timezone"],
        cache=not given["no_cache"],
        log_dir=log_dir,
    )
