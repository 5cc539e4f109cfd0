"""What a run leaves on a terminal of a given width, or in a pipe, as text that is the same each time."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from tests.cli.scenes import DOCUMENT, SCENES, Scene, answer
from tests.run.kit import Instant
from thinkagent import events as ev
from thinkagent.cli.render.human import TerminalHuman
from thinkagent.cli.render.ink import Ink
from thinkagent.cli.show import Shown
from thinkagent.minds.base import Delta, Reply, Usage
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.agent import Agent
from thinkagent.run.result import RunResult
from thinkagent.run.world import Permission
from thinkagent.values import write_json

__all__ = ["GOLDEN", "WIDTHS", "golden_text", "pages", "piped", "screen", "written"]

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = (60, 80, 120)
COLOURED = ("write-permitted", "recovered")
"""Of these the golden file has the colours too; they change no line."""
_LOG = Path("logs/20261130-120000-demo.jsonl")
_PIECE = 7
_TOOK_US = {"total": 12_000}


class Stream(io.StringIO):
    """A text stream that is a terminal, or not."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class Typist(TerminalHuman):
    """A person who types these lines; the terminal shows what is typed."""

    def __init__(self, ink: Ink, lines: tuple[str, ...], terminal: Stream) -> None:
        super().__init__(ink, -1)
        self._lines = iter(lines)
        self._terminal = terminal

    def _read_line(self, given_up: Any) -> str | None:
        line = next(self._lines)
        self._terminal.write(f"{line}\n")
        return line


class StreamingMind(ScriptedMind):
    """A model whose replies come in pieces and cost something."""

    async def reply(self, page: Any, on_delta: Any = None) -> Reply:
        reply = await super().reply(page)
        for at in range(0, len(reply.text or ""), _PIECE):
            on_delta(Delta((reply.text or "")[at : at + _PIECE]))
        return replace(reply, usage=Usage(input_tokens=900 + 300 * page.turn, output_tokens=60))


class SteadyAgent(Agent):
    """Takes the same time for everything and writes the same log."""

    async def run(self, task: str, *, listen: Any = None, **more: Any) -> RunResult:
        def heard(record: ev.Record) -> None:
            if listen is not None:
                listen(_steady(record))

        result = await super().run(task, listen=heard, **more)
        return replace(result, log=_LOG, records=tuple(map(_steady, result.records)))


def _steady(record: ev.Record) -> ev.Record:
    event = record.event
    if isinstance(event, ev.CallAnswered):
        event = replace(event, times_us=_TOOK_US)
    elif isinstance(event, ev.RunEnded):
        event = replace(event, wall_us=3_400_000)
    return replace(record, event=event)


def _run(scene: Scene, ink: Ink, human: Any = None) -> None:
    beforehand = human is None and scene.typed[-1:] == ("y",)
    agent = SteadyAgent(
        DOCUMENT,
        mind=StreamingMind(_said(scene), name="openai/any"),
        transport=httpx.MockTransport(answer),
        clock=Instant(),
        human=human,
        environ={"TZ": "UTC"},
        permission=Permission(yes=True) if beforehand else scene.permission,
        log_dir=None,
        now="2026-11-30T12:00:00+00:00",
    )
    result = asyncio.run(Shown(ink).result(agent, scene.task))
    assert result.status == scene.status, result.reason


def _said(scene: Scene) -> list[Any]:
    return [reply if isinstance(reply, str) else write_json(reply) for reply in scene.replies]


def written(scene: Scene, width: int, **environ: str) -> str:
    """Every byte that goes to a terminal."""
    terminal = Stream(is_terminal=True)
    environ = {"COLUMNS": str(width), "TERM": "xterm", **environ}
    ink = Ink(terminal, environ)
    with patch.dict(os.environ, environ, clear=True), contextlib.redirect_stdout(terminal):
        _run(scene, ink, Typist(ink, scene.typed, terminal) if scene.typed else None)
    return terminal.getvalue()


def screen(text: str) -> str:
    """What stands on the screen in the end: a line that passed is gone."""
    return re.sub(r"[^\n]*\r\x1b\[K", "", text)


def piped(scene: Scene) -> tuple[str, str]:
    """What goes to stdout and to stderr where neither is a terminal; nobody can be asked, a yes is given beforehand."""
    out, err = Stream(is_terminal=False), Stream(is_terminal=False)
    with contextlib.redirect_stdout(out):
        _run(scene, Ink(err, {}))
    return out.getvalue(), err.getvalue()


def pages() -> Iterator[tuple[Path, str]]:
    """Every golden file and what it must hold."""
    for name in SCENES:
        yield GOLDEN / f"{name}.txt", golden_text(name)


def golden_text(name: str) -> str:
    """What the golden file of a scene must hold."""
    return "".join(f"=== {head}\n{text}" for head, text in _sections(name, SCENES[name]))


def _sections(name: str, scene: Scene) -> Iterator[tuple[str, str]]:
    for width in WIDTHS:
        yield f"terminal, {width} columns, NO_COLOR", screen(written(scene, width, NO_COLOR="1"))
    if name in COLOURED:
        yield "terminal, 80 columns", screen(written(scene, 80)).replace("\x1b", "␛")
    out, err = piped(scene)
    yield "no terminal: stderr", err
    yield "no terminal: stdout", out
