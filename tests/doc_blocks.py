"""The code in a page of the docs, run as its reader runs it, and what the page says that it prints.

A `bash` or `python` block is run; a `text` block after the comment `prints` holds what the blocks since the one before
it print: whole lines, in their order, others between them. In such a line `…` stands for anything; ports and
milliseconds are any. Blocks of other languages illustrate and are not run.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Block", "Reader", "blocks_of", "missing_line", "served_shop"]

ADDRESS = "http://127.0.0.1:8321"
"""Where the pages have the sample API."""

_FENCE = re.compile(r"(<!-- prints -->\n)?^(`{3,})(\w*)\n(.*?)^\2\n", re.DOTALL | re.MULTILINE)
_PORT = re.compile(r"127\.0\.0\.1:(?:\d+|…)")
_SPENT = re.compile(r"\b\d+(?:\.\d)? (?:ms|s)\b")
RUN = ("bash", "python")


@dataclass(frozen=True)
class Block:
    """A block of code; `printed` where it is what the code before it prints."""

    language: str
    text: str
    printed: bool = False


def blocks_of(path: Path) -> list[Block]:
    """List the blocks of a page, in order."""
    found = _FENCE.finditer(path.read_text("utf-8"))
    return [Block(match[3], match[4], bool(match[1])) for match in found]


def missing_line(told: str, printed: str) -> str | None:
    """Give the first line of `told` that is not in `printed` after the one before it; None where all are there."""
    lines = iter(_alike(printed).splitlines())
    for line in _alike(told).splitlines():
        if line.strip() in ("", "…"):
            continue
        pattern = re.compile(".*".join(map(re.escape, line.split("…"))))
        if not any(pattern.fullmatch(other.rstrip()) for other in lines):
            return line
    return None


def _alike(text: str) -> str:
    return _SPENT.sub("N ms", _PORT.sub("127.0.0.1:PORT", text))


@dataclass
class Reader:
    """Someone with a fresh folder, the command, and the sample API up where the pages say that it is."""

    folder: Path
    address: str = ADDRESS
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        programs = self.folder / ".programs"
        programs.mkdir()
        _write_program(programs / "thinkagent", f'exec {sys.executable} -m thinkagent "$@"')
        # What `make demo` does; that it does nothing else, the Makefile's own test says.
        _write_program(programs / "make", 'case "$1" in demo) exec thinkagent demo ;; test) ;; *) exit 2 ;; esac')
        self.environ = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "TZ": "UTC",
            **self.environ,
        }

    def run(self, block: Block) -> str:
        """Run a block; give what it prints, both streams together."""
        code = block.text.replace(ADDRESS, self.address)
        command = ["bash", "-euo", "pipefail", "-c"] if block.language == "bash" else [sys.executable, "-c"]
        done = subprocess.run(
            [*command, code],
            cwd=self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"exit code {done.returncode} of:\n{block.text}\n{done.stdout}"
        return done.stdout

    def read(self, blocks: list[Block]) -> None:
        """Go down a page: run what is to be run, and compare it with what it is said to print."""
        printed = ""
        was_compared = True
        for block in blocks:
            if block.printed:
                line = missing_line(block.text, printed)
                assert line is None, f"this is not printed:\n{line}\nbut:\n{printed}"
                was_compared = True
            elif block.language in RUN:
                printed = ("" if was_compared else printed) + self.run(block)
                was_compared = False


def _write_program(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n", "utf-8")
    path.chmod(0o755)


@contextmanager
def served_shop() -> Iterator[tuple[str, str]]:
    """Keep the sample API up as a user does; give its address and its token, as they are printed."""
    command = [sys.executable, "-m", "thinkagent", "demo", "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8") as served:
        try:
            assert served.stdout is not None
            lines = [served.stdout.readline() for _ in range(5)]
            address = re.search(r"up at (http://\S+)", lines[0])
            token = re.search(r"export SHOP_TOKEN=(\S+)", lines[2])
            assert address is not None, lines
            assert token is not None, lines
            yield address[1], token[1]
        finally:
            served.send_signal(signal.SIGTERM)
            assert served.wait(10) == 0
