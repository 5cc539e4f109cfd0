"""References in arguments: `<<steps.found.result.people[0].id>>`.

A text that is one reference, blanks around it allowed, becomes the value with its type. Inside a longer text only
scalars may stand: numbers as they were spelled, `true` and `false`, texts and secrets. `<<` that is not followed
by a root is text. What looks like a reference and is none (`<<found.result.id>>`, `<<STEPS.x>>`, `{{steps.x}}`,
`${steps.x}`) is an error, so that no template text is ever sent. Of the backslashes before such an opening two
mean one and an odd one makes it literal. Values are put in once: what a result contains is never resolved again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from thinkagent.engine.lookup import ReferenceMiss, describe, look_up
from thinkagent.engine.paths import Path, PathError, Root, parse_path, read_path
from thinkagent.engine.scope import MISSING, Origin, Scope, StepValue, step_name_for, valid_step_name
from thinkagent.errors import ArgumentError
from thinkagent.values import Json, Secret, SecretText, clip, join_pointer, join_text, visible, write_json

__all__ = [
    "MISSING",
    "Origin",
    "Path",
    "PathError",
    "ReferenceMiss",
    "Resolved",
    "Root",
    "Scope",
    "StepValue",
    "escape",
    "find_references",
    "look_up",
    "parse_path",
    "parse_reference",
    "resolve",
    "step_name_for",
    "valid_step_name",
]

_ROOTS = ("steps", "inputs", "item")
_PARTS = "result|status|headers|items|outcomes"
# What templates elsewhere look like; the bare dollar is Arazzo's runtime expression.
_TEMPLATE = (
    rf"(?i:(?:\{{\{{|\$\{{\{{?|\{{\$)\s*(?:steps|inputs|item)\s*[.\[])|\$(?:steps|inputs)\."
    rf"|\{{\{{\s*[^\W\d][\w-]*\s*\.\s*(?:{_PARTS})\b|<\s*steps\s*[.\[][^<>]*>"
)
_OPENING = re.compile(rf"(?<!\\)(\\*)(<<|{_TEMPLATE})")
_REFERENCE = re.compile(r"<<\s*(?=(?:steps|inputs|item)\s*(?:>>|[.\[]|\Z))")
_CLOSING = re.compile(r"\s*>>")
_LIKE_EXPRESSION = re.compile(r"<<[^<>]*\b(?:steps|inputs|item)\s*[.\[][^<>]*>>")
_LIKE_REFERENCE = re.compile(r"<<\s*([^\W\d][\w-]*)\s*((?:\.\s*[\w-]|\[)[^<>]*)?>>")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A value with its references filled in."""

    value: Json
    origins: Mapping[str, tuple[Origin, ...]] = field(default_factory=dict)
    """JSON Pointer to where the value there came from: one origin for each scalar and each reference; several
    where a text was put together. What lies below a reference has the reference's origin."""


@dataclass(frozen=True, slots=True)
class _Found:
    path: Path
    written: str


def resolve(value: Json, scope: Scope) -> Resolved:
    """Fill the references in a JSON value.

    Raises:
        ReferenceMiss: a reference leads nowhere, or to what cannot stand inside a text.
        ArgumentError: something looks like a reference and is none.
    """
    origins: dict[str, tuple[Origin, ...]] = {}
    return Resolved(_resolve(value, scope, (), origins), origins)


def _resolve(value: Json, scope: Scope, place: tuple[str | int, ...], origins: dict[str, tuple[Origin, ...]]) -> Json:
    if isinstance(value, Mapping):
        for key in value:
            _refuse_in_key(key, scope)
        return {key: _resolve(item, scope, (*place, key), origins) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_resolve(item, scope, (*place, number), origins) for number, item in enumerate(value)]
    if not isinstance(value, str):
        origins[join_pointer(place)] = (Origin("literal"),)
        return value
    filled, origins[join_pointer(place)] = _resolve_text(value, scope)
    return filled


def _resolve_text(text: str, scope: Scope) -> tuple[Json, tuple[Origin, ...]]:
    pieces = list(_scan(text, scope))
    if not any(isinstance(piece, _Found) for piece in pieces):
        return "".join(piece for piece in pieces if isinstance(piece, str)), (Origin("literal"),)
    alone = [piece for piece in pieces if isinstance(piece, _Found) or piece.strip()]
    if len(alone) == 1 and isinstance(alone[0], _Found):
        return look_up(alone[0].path, scope, alone[0].written), (_origin(alone[0].path, scope),)
    parts: list[str | Secret | SecretText] = []
    origins: list[Origin] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(piece)
            continue
        parts.append(_as_text(look_up(piece.path, scope, piece.written), piece.written))
        origins.append(_origin(piece.path, scope))
    return join_text(parts), tuple(dict.fromkeys(origins))


def _as_text(value: Json, written: str) -> str | Secret | SecretText:
    if isinstance(value, str | Secret | SecretText):
        return value
    if value is None:
        raise ReferenceMiss(written, "it is null, which cannot stand inside a text", code="null_in_text")
    if isinstance(value, Mapping | list | tuple):
        raise ReferenceMiss(
            written,
            f"it is {describe(value)}, which cannot stand inside a text",
            code="container_in_text",
            hint="Let the reference be the whole value, or name one scalar in it",
        )
    return write_json(value)


def _origin(path: Path, scope: Scope) -> Origin:
    if path.root == "item" and scope.item_path is not None:
        source = scope.item_path
        path = Path(source.root, source.name, source.part, (*source.keys, *path.keys))
    if path.root == "steps":
        return Origin("step", path.name, str(path))
    if path.root == "inputs":
        return Origin("input", path.name, str(path))
    return Origin("item", "", str(path))


def parse_reference(text: str) -> Path:
    """Read a text that is one reference, as in `for_each`; the bare path is taken as well.

    Raises:
        ArgumentError: it is none, or more than one.
    """
    pieces = list(_scan(text, Scope()))
    alone = [piece for piece in pieces if isinstance(piece, _Found) or piece.strip()]
    if len(alone) == 1 and isinstance(alone[0], _Found):
        return alone[0].path
    if "<<" not in text:
        return parse_path(text)
    raise ArgumentError(
        f"{_shown(text)} is not one reference", code="bad_reference", hint="Write <<steps.NAME.items>> and nothing else"
    )


def find_references(value: Json) -> list[Path]:
    """List the references in a JSON value, each once, in reading order.

    Raises:
        ArgumentError: something looks like a reference and is none.
    """
    found: dict[Path, None] = {}
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            stack.extend(reversed(list(here.values())))
        elif isinstance(here, list | tuple):
            stack.extend(reversed(here))
        elif isinstance(here, str):
            found.update((piece.path, None) for piece in _scan(here, Scope()) if isinstance(piece, _Found))
    return list(found)


def escape(text: str) -> str:
    """Write a text so that `resolve` gives it back as it is, whatever it holds."""
    return _OPENING.sub(lambda match: f"{match[1]}{match[1]}\\{match[2]}", text)


def _scan(text: str, scope: Scope) -> Iterator[str | _Found]:
    """Split a text into what stays and what is referred to; raises `ArgumentError` for a false reference."""
    at = 0
    while opening := _OPENING.search(text, at):
        yield text[at : opening.start()] + "\\" * (len(opening[1]) // 2)
        start, at = opening.start(2), opening.end()
        if len(opening[1]) % 2:
            yield opening[2]
        elif opening[2] != "<<":
            raise _false_template(opening[2], text[start:])
        elif reference := _REFERENCE.match(text, start):
            found, at = _read_reference(text, start, reference.end())
            yield found
        else:
            _refuse_false_reference(text, start, scope)
            # The second `<` may begin the next opening.
            yield "<"
            at = start + 1
    yield text[at:]


def _read_reference(text: str, start: int, path_start: int) -> tuple[_Found, int]:
    try:
        path, end = read_path(text, path_start)
    except PathError as error:
        raise _malformed(text, start, error.message, error.hint) from error
    closing = _CLOSING.match(text, end)
    if closing is None:
        if ">>" in text[end:]:
            rest = text[end : text.index(">>", end)]
            message = f"{_shown(rest.strip())} cannot follow {_shown(text[path_start:end])}"
            raise _malformed(text, start, message, _quote_hint(path, rest))
        raise _malformed(text, start, "it is not closed", f"Write {path.reference}")
    return _Found(path, text[start : closing.end()]), closing.end()


def _quote_hint(path: Path, rest: str) -> str:
    if path.keys and isinstance(path.keys[-1], str) and not re.search(r"[.\[\]<>\"']", rest):
        whole = Path(path.root, path.name, path.part, (*path.keys[:-1], path.keys[-1] + rest.rstrip()))
        return f"Keys with blanks or signs are quoted. Did you mean {_plain(whole.reference)}?"
    return 'Keys with blanks or signs are quoted: ["any key"]'


def _malformed(text: str, start: int, message: str, hint: str) -> ArgumentError:
    end = text.find(">>", start)
    written = text[start:] if end < 0 else text[start : end + 2]
    return ArgumentError(f"{_shown(written)} is no reference: {message}", code="bad_reference", hint=hint)


def _refuse_false_reference(text: str, start: int, scope: Scope) -> None:
    match = _LIKE_REFERENCE.match(text, start)
    if match is None:
        if expression := _LIKE_EXPRESSION.match(text, start):
            raise ArgumentError(
                f"{_shown(expression[0])} is no reference: between << and >> stands a path alone",
                code="false_reference",
                hint="Let compute work it out first and refer to its step. If it is meant as text, write \\ before it",
            )
        return
    name, rest = match[1], (match[2] or "").strip()
    if name.casefold() in (*_ROOTS, "step", "input"):
        root = {"step": "steps", "input": "inputs"}.get(name.casefold(), name.casefold())
        better = f"<<{root}{rest}>>"
    elif name in scope.inputs and name not in scope.steps:
        better = f"<<inputs.{name}{rest}>>"
    elif rest or name in scope.steps:
        better = f"<<steps.{name}{rest or '.result'}>>"
    else:
        return
    raise ArgumentError(
        f"{_shown(match[0])} looks like a reference and is none: references begin with steps, inputs or item",
        code="false_reference",
        hint=f"Did you mean {_plain(better)}? If it is meant as text, write \\ before it",
    )


def _false_template(opening: str, text: str) -> ArgumentError:
    inner = re.sub(r"^[<{$\s]+", "", text)
    path = re.match(r"[\w-]+(?:\.[\w-]+|\[[^\]]*\])*", inner)
    word = path[0] if path else inner
    root, _, rest = word.partition(".")
    if root.casefold() in _ROOTS or "[" in root:
        better = f"<<{root.casefold() if root.casefold() in _ROOTS else root}{'.' if rest else ''}{rest}>>"
    else:
        better = f"<<steps.{word}>>"
    return ArgumentError(
        f"{_shown(clip(text, len(opening) + 40))} looks like a reference and is none: references are written <<…>>",
        code="false_reference",
        hint=f"Did you mean {_plain(better)}? If it is meant as text, write \\ before it",
    )


def _refuse_in_key(key: object, scope: Scope) -> None:
    if isinstance(key, str) and any(isinstance(piece, _Found) for piece in _scan(key, scope)):
        raise ArgumentError(
            f"the key {_shown(key)} holds a reference, and keys are not resolved",
            code="reference_in_key",
            hint="Put references into values only",
        )


def _plain(text: str) -> str:
    return visible(clip(text, 120), newlines=False)


def _shown(text: str) -> str:
    return repr(_plain(text))
