"""Real servers that nobody here wrote, started as their own README says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tests.shared import SHARED

__all__ = ["Server", "served"]

INSTALL_S = 300


@dataclass(frozen=True)
class Server:
    url: str
    spec: str
    auth: str
    """`basic:USER:PASSWORD`, `bearer:TOKEN`, `header:NAME=VALUE` or `none`."""


@contextmanager
def served(name: str) -> Iterator[Server]:
    """Start a server on a free port and stop it; skip the test with its reason where it cannot be installed here."""
    serve = SHARED / "servers" / "serve"
    if not serve.is_file():
        pytest.skip(f"there is no {serve} (set THINKAGENT_SHARED)")
    process = subprocess.Popen(
        [sys.executable, str(serve), name, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        while line and not line.startswith(("READY", "UNAVAILABLE", "FAILED")):
            line = process.stdout.readline().strip()
        if line.startswith("UNAVAILABLE"):
            pytest.skip(line)
        assert line.startswith("READY"), line or f"{name} ended before it was ready"
        fields = dict(part.split("=", 1) for part in line.removeprefix("READY ").split(" ", 2))
        yield Server(fields["url"], fields["spec"], fields["auth"])
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        if process.stdout is not None:
            process.stdout.close()
