"""Values that the command line gives as text: tasks, inputs, credentials, schemas, model options."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from thinkagent.errors import UsageError, list_names, nearest
from thinkagent.values import Json, JsonError, read_json

__all__ = ["answer_schema", "by_document", "named_inputs", "pairs", "read_file", "read_json_file", "task_text"]

_DOCUMENT = re.compile(r"[A-Za-z0-9_-]+")
_READABLE = "Name a file that can be read"


def task_text(task: str, *, stdin_is_taken: bool) -> str:
    """Give the task: the text itself, `-` for stdin, `@FILE` for a file's content.

    Raises:
        UsageError: the file cannot be read, or stdin is needed twice.
    """
    if task == "-":
        if stdin_is_taken:
            raise UsageError(
                "the task and the document are both to be read from stdin",
                code="stdin_twice",
                where="TASK, --spec",
                hint="Name a file for one of them: @FILE, or --spec PATH",
            )
        return _decoded(_stdin(), "stdin", "TASK").strip()
    if task.startswith("@"):
        return _decoded(read_file(task[1:], "TASK"), task[1:], "TASK").strip()
    return task


def _stdin() -> bytes:
    source = getattr(sys.stdin, "buffer", None)
    try:
        if source is None:
            raise ValueError("it is closed")
        return bytes(source.read())
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(
            f"stdin cannot be read: {reason}",
            code="unreadable_file",
            where="TASK",
            hint="Give the task as text or @FILE",
        ) from error


def read_file(path: str, where: str) -> bytes:
    """Read a file that an option names; raises `UsageError` with that option's name in `where`."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(
            f"the file {path!r} cannot be read: {reason}", code="unreadable_file", where=where, hint=_like(path)
        ) from error


def _like(path: str) -> str:
    """Name the files beside `path` whose names are most like it."""
    folder, name = os.path.split(path)
    try:
        close = nearest(name, os.listdir(folder or "."), 2)
    except (OSError, ValueError):
        close = []
    return f"Did you mean {list_names(os.path.join(folder, one) for one in close)}?" if close else _READABLE


def _decoded(data: bytes, name: str, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{name!r} is not UTF-8 at byte {error.start}", code="not_utf8", where=where, hint="Save it as UTF-8 text"
        ) from error


def read_json_file(path: str, where: str) -> Json:
    """Read a JSON file that an option names.

    Raises:
        UsageError: it cannot be read, or is no JSON; with line and column.
    """
    try:
        return read_json(read_file(path, where))
    except JsonError as error:
        place = f" at line {error.line}, column {error.column}" if error.line else ""
        raise UsageError(
            f"the file {path!r} is no JSON{place}: {error}", code="bad_json", where=where, hint="Correct the JSON there"
        ) from error


def named_inputs(given: Iterable[str]) -> dict[str, Json]:
    """Read the run's inputs: `NAME=VALUE`, `NAME=@FILE` or `@FILE` with an object of them.

    A value that is JSON is taken as that value, anything else as text.

    Raises:
        UsageError: another form, a file that is no JSON (object), or a name given twice.
    """
    found: dict[str, Json] = {}
    for text in given:
        for name, value in _inputs_of(text).items():
            if name in found:
                raise UsageError(
                    f"the input {name!r} is given twice", code="bad_input", where="--input", hint="Give it once"
                )
            found[name] = value
    return found


def _inputs_of(text: str) -> Mapping[str, Json]:
    if text.startswith("@"):
        value = read_json_file(text[1:], "--input")
        if not isinstance(value, dict):
            raise UsageError(
                f"the file {text[1:]!r} holds no JSON object of inputs by name",
                code="bad_input",
                where="--input",
                hint="Use --input NAME=@FILE for a value of another kind",
            )
        return value
    name, value = _pair(text, "--input", "NAME=VALUE or @FILE")
    if value.startswith("@"):
        return {name: read_json_file(value[1:], f"--input {name}")}
    try:
        return {name: read_json(value)}
    except JsonError:
        return {name: value}


def by_document(
    given: Iterable[str], option: str, form: str, read: Callable[[str], Any] = str
) -> dict[str, Any] | None:
    """Read options of the form VALUE or DOCUMENT=VALUE, by document; a value without one stands under the empty name.

    Raises:
        UsageError: a document, or none, is given twice; or what `read` raises.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not _DOCUMENT.fullmatch(name):
            name, value = "", text
        if name in found:
            raise UsageError(
                f"{option} is given twice" + (f" for {name!r}" if name else ""),
                code="bad_option",
                where=option,
                hint=f"Give it once, or once for each document: {option} DOCUMENT={form}",
            )
        found[name] = read(value)
    return found or None


def pairs(given: Iterable[str], option: str, form: str) -> dict[str, str]:
    """Read options of the form NAME=VALUE; raises `UsageError` for another form or a name given twice."""
    found: dict[str, str] = {}
    for text in given:
        name, value = _pair(text, option, form)
        if name in found:
            raise UsageError(f"{name!r} is given twice", code="bad_option", where=option, hint="Give it once")
        found[name] = value
    return found


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        # The text itself may hold a credential that somebody put where its source belongs.
        raise UsageError(
            f"a value of {option} is no {form}", code="bad_option", where=option, hint=f"Write {option} {form}"
        )
    return name.strip(), value


def answer_schema(path: str | None) -> Mapping[str, Any] | None:
    """Read the JSON Schema that an answer has to fit.

    Raises:
        UsageError: the file cannot be read, is no JSON object, or no JSON Schema 2020-12.
    """
    if path is None:
        return None
    schema = read_json_file(path, "--answer-schema")
    if not isinstance(schema, dict):
        raise UsageError(
            f"the file {path!r} holds no JSON Schema object",
            code="bad_schema",
            where="--answer-schema",
            hint='Write an object, such as {"type": "number"}',
        )
    import jsonschema_rs

    from thinkagent.values import plain

    try:
        jsonschema_rs.Draft202012Validator(plain(schema))
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        reason = str(getattr(error, "message", "") or error).partition("\n")[0]
        raise UsageError(
            f"the file {path!r} is no JSON Schema: {reason}",
            code="bad_schema",
            where="--answer-schema",
            hint="Correct it by JSON Schema 2020-12",
        ) from error
    return schema
