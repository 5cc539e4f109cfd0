"""A real terminal with the command in it: what is typed goes in, what stands on the screen comes out."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from tests.cli.screen import screen

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="this system has no pseudo-terminals")

__all__ = ["Terminal"]

_DEADLINE_S = 30.0


class Terminal:
    """Runs `thinkagent` as the foreground process of a terminal of its own.

    Args:
        arguments: the command line.
        cwd: where it runs.
        columns: how wide the terminal is.
        environ: the environment beside PATH, HOME and TERM.
        ahead: what is typed before the command has begun.
    """

    def __init__(self, *arguments: str, cwd: Path, columns: int = 80, ahead: str = "", **environ: str) -> None:
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self._seen = ""
        self._asked = 0
        self.type(ahead)
        self._process = subprocess.Popen(
            # The first terminal that the leader of a session opens is the one whose Ctrl-C reaches it.
            ["sh", "-c", 'exec "$@" <"$0"', os.ttyname(slave), sys.executable, "-m", "thinkagent", *arguments],
            stdin=slave, stdout=slave, stderr=slave, cwd=cwd, start_new_session=True,
            env={name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
            | {"TERM": "xterm", "TZ": "UTC"} | environ,
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        """Type these keys: `\\x04` is Ctrl-D, `\\x03` Ctrl-C."""
        os.write(self._master, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until this text comes, behind what was waited for before."""
        while (at := self._seen.find(text, self._asked)) < 0:
            assert self._read(), f"it ended, and {text!r} never came: {self._seen[-2000:]!r}"
        self._asked = at + len(text)

    def end(self) -> tuple[int, str]:
        """Wait for the end of the command; give its exit code and what stands on the screen then."""
        while self._read():
            pass
        return self._process.wait(_DEADLINE_S), screen(self._seen.replace("\r\n", "\n"))

    def _read(self) -> bool:
        """Take what comes next; false at the end."""
        began = time.monotonic()
        while not select.select([self._master], [], [], 0.2)[0]:
            assert time.monotonic() - began < _DEADLINE_S, f"nothing came: {self._seen[-2000:]!r}"
        piece = b""
        # Linux tells of the end of the other side as an error.
        with contextlib.suppress(OSError):
            piece = os.read(self._master, 65536)
        self._seen += piece.decode("utf-8", "replace")
        return bool(piece)
