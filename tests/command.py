"""The command as a user runs it: in a process of its own, with an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["thinkagent"]


def thinkagent(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "thinkagent", *arguments],
        cwd=cwd,
        env={**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, "TZ": "UTC", **environ},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
