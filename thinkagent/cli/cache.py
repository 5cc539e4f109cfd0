"""`thinkagent cache`: what is remembered of documents between runs."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.group(name="cache")
def command() -> None:
    """Look after what is remembered of documents between runs.

    Kept are the listing of a document, the words to search it by, and what leads to what: all of it is derived from the
    document, found again by its content, and made anew when it is gone. It lies in this user's cache folder, or where
    THINKAGENT_CACHE_DIR says.

    Example: thinkagent cache clear
    """


@command.command(name="clear")
def clear() -> None:
    """Remove everything that is remembered.

    Example: thinkagent cache clear
    """
    from thinkagent.cli.output import stdout_ink
    from thinkagent.cli.render.say import one_line
    from thinkagent.documents.cache import Cache

    cache = Cache()
    removed = cache.clear()
    stdout_ink().line(f"Removed {removed:,} bytes from {one_line(str(cache.folder), 200)}.")
