"""The person at the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable

from thinkagent.cli.render.ink import Ink, Styled
from thinkagent.cli.render.question import INDENT, show_question
from thinkagent.events import QuestionAsked
from thinkagent.values import visible

try:
    import termios
except ImportError:  # on Windows
    termios = None  # type: ignore[assignment]

__all__ = ["TerminalHuman", "person_at"]

_LOOK_S = 0.2
_ANSWERS = {"y": "yes", "n": "no", "d": "details", "s": "stop"}
_MAX_TRIES = 5


def person_at(ink: Ink, *, tells: bool = False) -> TerminalHuman | None:
    """Give the person who sits at this process's terminal; None unless stdin and stderr both are one.

    `tells`: show the question too, where no events are shown.
    """
    try:
        there = sys.stdin is not None and sys.stdin.isatty() and ink.is_terminal
        return TerminalHuman(ink, sys.stdin.fileno(), tells=tells) if there else None
    except (OSError, ValueError):
        return None


class TerminalHuman:
    """Asks at the terminal.

    Args:
        ink: where the prompt is written.
        source: the file descriptor to read lines from.
        tells: show the question too; else who reads the events has shown it.
    """

    def __init__(self, ink: Ink, source: int, *, tells: bool = False) -> None:
        self._ink = ink
        self._source = source
        self._tells = tells
        self._left = b""

    async def ask(self, question: QuestionAsked) -> str | None:
        """Give the answer; None at the end of input."""
        self._forget()
        if self._tells:
            show_question(self._ink, question)
        if question.kind == "permission":
            return await self._permission(question)
        answer = await self._read("> ")
        if answer is not None and answer.isdecimal() and 1 <= int(answer) <= len(question.options):
            return question.options[int(answer) - 1]
        return answer

    def _forget(self) -> None:
        """Drop what was typed before the question stood there: it is no answer to it."""
        self._left = b""
        if termios is not None:
            with contextlib.suppress(termios.error, ValueError):
                termios.tcflush(self._source, termios.TCIFLUSH)

    async def _permission(self, question: QuestionAsked) -> str | None:
        for _ in range(_MAX_TRIES):
            typed = await self._read("Send? [y]es  [n]o  [d]etails  [s]top ")
            if typed is None:
                return None
            word = typed.casefold()
            answer = _ANSWERS.get(word[:1]) if word and _ANSWERS.get(word[:1], "").startswith(word) else None
            if answer == "details":
                self._details(question)
            elif answer is not None:
                return answer
            else:
                self._ink.line("Please type y, n, d or s.", indent=INDENT)
        return "no"

    def _details(self, question: QuestionAsked) -> None:
        for number, sample in enumerate(question.samples, 1):
            self._ink.line(Styled(f"request {number} of {question.count}", "bold"), indent=INDENT + 2)
            for name, value in sample.items() if isinstance(sample, dict) else [("request", sample)]:
                if value is not None:
                    self._ink.line(Styled(f"{name}: ", "dim"), str(value), indent=INDENT + 4, hang=INDENT + 6)
        if question.count > len(question.samples):
            self._ink.line(f"… and {question.count - len(question.samples)} more of the same", indent=INDENT + 2)

    async def _read(self, prompt: str) -> str | None:
        self._ink.prompt(prompt, INDENT)
        line = await _in_thread(self._read_line)
        if line is None:
            return None
        self._ink.typed()
        return visible(line).strip()

    def _read_line(self, given_up: threading.Event) -> str | None:
        """Read a line, and look now and then whether nobody waits for it any more."""
        while b"\n" not in self._left:
            if given_up.is_set():
                return None
            if not select.select([self._source], [], [], _LOOK_S)[0]:
                continue
            piece = os.read(self._source, 4096)
            if not piece:
                return None
            self._left += piece
        line, _, self._left = self._left.partition(b"\n")
        return line.decode("utf-8", "replace")


async def _in_thread(work: Callable[[threading.Event], str | None]) -> str | None:
    """Run a blocking read beside the loop; when the wait is cancelled, the thread ends by itself.

    A thread of a pool would be joined at the end of the loop, and Ctrl-C would have to wait for a key.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[str | None] = loop.create_future()
    given_up = threading.Event()

    def settle(line: str | None, error: Exception | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(line)

    def run() -> None:
        line: str | None = None
        failure: Exception | None = None
        try:
            line = work(given_up)
        except OSError as error:
            failure = error
        if not given_up.is_set():
            loop.call_soon_threadsafe(settle, line, failure)

    threading.Thread(target=run, name="question", daemon=True).start()
    try:
        return await outcome
    except OSError:
        return None
    finally:
        given_up.set()
