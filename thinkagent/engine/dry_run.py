"""What an API would answer, from its document alone: a dry run sends nothing and is answered by this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from thinkagent.documents.model import MediaType, Response
from thinkagent.engine.wire.media import essence, is_json, is_wildcard
from thinkagent.engine.wire.page_facts import CURSOR_FIELDS, LINK_FIELDS
from thinkagent.tools.examples import example_result
from thinkagent.tools.model import Tool
from thinkagent.values import Json, write_json

__all__ = ["DryAnswer", "dry_answer"]

_MORE = ("has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "has_next_page")
_DEFAULT_STATUS = {"POST": 201}


class DryAnswer(NamedTuple):
    """An answer as it would stand in the log."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


def dry_answer(tool: Tool) -> DryAnswer:
    """Give the documented answer of a call: its example, or one made from its schema.

    It never leads to another page: an example's `next` link would be followed for ever. Where the document describes
    no body there is none.
    """
    status = _status(tool)
    media = _media(tool)
    if status in (204, 205, 304) or tool.method == "HEAD" or (media is None and tool.result is None):
        return DryAnswer(status, (), "")
    media_type = media.media_type if media and not is_wildcard(media.media_type) else "application/json"
    value = tool.example_result if tool.example_result is not None else example_result(tool)
    headers = (("content-type", media_type),)
    if is_json(media_type):
        return DryAnswer(status, headers, write_json(_last_page(value)))
    return DryAnswer(status, headers, value if isinstance(value, str) else write_json(value))


def _status(tool: Tool) -> int:
    """The documented status; of a range (`2XX`) or `default` the usual one of the method."""
    word = tool.result_status
    if word.isdecimal() and 200 <= int(word) < 300:
        return int(word)
    if word.upper() == "2XX" or word in ("", "default"):
        return _DEFAULT_STATUS.get(tool.method, 200) if tool.result is not None else 204
    return 200


def _media(tool: Tool) -> MediaType | None:
    response = _response(tool)
    if response is None or not response.content:
        return None
    return next((media for media in response.content if is_json(essence(media.media_type))), response.content[0])


def _response(tool: Tool) -> Response | None:
    return next((response for response in tool.operation.responses if response.status == tool.result_status), None)


def _last_page(value: Json) -> Json:
    """Take out what would lead on: links and cursors become null, `has_more` false."""
    for path in (*LINK_FIELDS, *CURSOR_FIELDS):
        value = _without(value, path)
    if isinstance(value, Mapping):
        value = {key: False if key in _MORE and item is True else item for key, item in value.items()}
    return value


def _without(value: Json, path: tuple[str, ...]) -> Json:
    if not isinstance(value, Mapping) or path[0] not in value:
        return value
    inner = value[path[0]]
    return {**value, path[0]: None if len(path) == 1 else _without(inner, path[1:])}
