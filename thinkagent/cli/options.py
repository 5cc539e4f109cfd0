"""The options that commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from thinkagent.documents.cache import Cache

__all__ = [
    "Source",
    "WholeNumber",
    "cache_option",
    "clock_options",
    "json_option",
    "log_dir_option",
    "open_cache",
    "option",
    "output_options",
    "overlay_option",
    "setting",
    "spec_options",
    "together",
]

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]


class WholeNumber(click.IntRange):
    """A whole number in a range, called so where something else is given."""

    name = "whole number"


class Source(click.types.StringParamType):
    """A path or an address, of which a variable of the environment holds one a line: both may have blanks in them."""

    envvar_list_splitter = "\n"


def option(*names: str, **attributes: Any) -> Decorator[Any]:
    """Declare an option that only the command line sets."""
    return click.option(*names, **attributes)


def setting(*names: str, **attributes: Any) -> Decorator[Any]:
    """Declare an option that the environment can set too: `--log-dir` by THINKAGENT_LOG_DIR."""
    long = next(name for name in names if name.startswith("--"))
    variable = "THINKAGENT_" + long.partition("/")[0].removeprefix("--").replace("-", "_").upper()
    return click.option(*names, envvar=variable, **attributes)


def together(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Make one decorator of several; their options appear in the given order."""

    def apply(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


overlay_option = setting(
    "--overlay",
    "overlays",
    type=Source(),
    multiple=True,
    metavar="PATH|URL",
    help="An OpenAPI Overlay that changes the document first (of several, the one that it extends). Repeatable.",
)

spec_options = together(
    setting(
        "--spec",
        "specs",
        type=Source(),
        multiple=True,
        required=True,
        metavar="PATH|URL|-",
        help="The OpenAPI document (JSON or YAML, 2.0 to 3.2). Repeatable.",
    ),
    overlay_option,
    setting(
        "--include",
        multiple=True,
        metavar="WHAT",
        help="Offer only these operations: a tag, a path glob (/users/*), a method, a name. Repeatable.",
    ),
    setting("--exclude", multiple=True, metavar="WHAT", help="Leave these operations out. Repeatable."),
    setting("--read", "reads", multiple=True, metavar="OPERATION", help="This operation changes nothing. Repeatable."),
)

json_option = option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")

cache_option = setting("--no-cache", is_flag=True, help="Remember nothing of the document, and use nothing remembered.")

log_dir_option = setting(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=True),
    default="logs",
    show_default=True,
    metavar="FOLDER",
    help="Where logs are.",
)


def open_cache(no_cache: bool) -> Cache | None:
    """Give the cache of this user, or none where it is not wanted."""
    if no_cache:
        return None
    from thinkagent.documents.cache import Cache

    return Cache()


output_options = together(
    option("--quiet", "-q", is_flag=True, help="Show only the answer."),
    option("--verbose", "-v", is_flag=True, help="Show requests, answers and what the model used."),
)

clock_options = together(
    setting("--now", metavar="TIME", help="The run's fixed now (ISO 8601) in the place of the clock's."),
    setting("--timezone", metavar="NAME", help="An IANA time zone in the place of the machine's."),
)
