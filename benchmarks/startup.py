"""How long a command takes to begin, whole process, side by side with what it is measured against.

Rounds are interleaved, so that every command meets the same machine; wall times in milliseconds, medians.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from thinkagent.testing import FakeModelServer
from thinkagent.values import write_json

__all__ = ["BARS", "Startup", "command_line", "measure_commands", "measure_first_request", "sample_log"]

BARS = {"help": 3.0, "version": 3.0, "first request": 2.5}
"""`--help` and `--version` against `import click`; the first request at the model against a bare post."""
ROUNDS = 9
ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "specs" / "shop.yaml"
TASK = "How many products are there?"
TURN = {
    "thought": "This is not to be found here, so I say so.",
    "action": {"tool": "finish", "arguments": {"status": "impossible", "answer": "I do not know.", "evidence": []}},
}
BARE = """
import sys, httpx
with open(sys.argv[2], "rb") as file:
    body = file.read()
httpx.post(sys.argv[1], content=body, headers={"content-type": "application/json"})
"""


@dataclass(frozen=True, slots=True)
class Startup:
    """One command: wall time of its whole process, and the CPU that it took, in milliseconds."""

    wall_ms: float
    cpu_ms: float


def command_line(*arguments: str) -> list[str]:
    """Give the command as installed beside this Python, else as its module would run it."""
    script = Path(sys.executable).parent / "thinkagent"
    start = [str(script)] if script.exists() else [sys.executable, "-c", "from thinkagent.cli.main import main; main()"]
    return [*start, *arguments]


def measure_commands(commands: Mapping[str, Sequence[str]], rounds: int = ROUNDS) -> dict[str, Startup]:
    """Run every command once a round; give the medians."""
    found: dict[str, list[Startup]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(_timed(command))
    return {name: _median(runs) for name, runs in found.items()}


def _timed(command: Sequence[str]) -> Startup:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environ())
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Startup(wall * 1000, (used.ru_utime + used.ru_stime) * 1000)


def _median(runs: Sequence[Startup]) -> Startup:
    return Startup(statistics.median(run.wall_ms for run in runs), statistics.median(run.cpu_ms for run in runs))


def _environ() -> dict[str, str]:
    """Leave out what would make this machine special: settings of the command, keys, other paths of import."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")
    return {name: os.environ[name] for name in kept if name in os.environ}


def measure_first_request(folder: Path, rounds: int = ROUNDS) -> tuple[float, float]:
    """Give the time from the start of a process to its request at the model: of a run, and of a bare script."""
    arrived: list[float] = []

    def note(body: object) -> str:
        arrived.append(time.perf_counter())
        return write_json(TURN)

    runs: list[float] = []
    bare: list[float] = []
    with FakeModelServer([note], repeat_last=True) as server:
        run = command_line("run", TASK, "--spec", str(SPEC), "--base-url", "http://127.0.0.1:9")
        run += ["--model", "openai/fake-model", "--api-base", server.url, "--log-dir", str(folder / "logs"), "--quiet"]
        _until_arrival(run, arrived)
        sent = folder / "body.json"
        sent.write_text(write_json(server.chats[0].body), encoding="utf-8")
        post = [sys.executable, "-c", BARE, f"{server.url}/chat/completions", str(sent)]
        for _ in range(rounds):
            runs.append(_until_arrival(run, arrived))
            bare.append(_until_arrival(post, arrived))
    return statistics.median(runs), statistics.median(bare)


def _until_arrival(command: Sequence[str], arrived: list[float]) -> float:
    arrived.clear()
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environ(), check=False)
    if not arrived:
        raise SystemExit(f"no request came from {' '.join(command)}")
    return (arrived[0] - start) * 1000


def sample_log(folder: Path) -> Path:
    """Make the log of a short run, without network, for `log` and `replay` to read."""
    dry = command_line("run", TASK, "--spec", str(SPEC), "--dry-run", "--log-dir", str(folder), "--quiet")
    subprocess.run(dry, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environ(), check=False)
    return next(folder.glob("*.jsonl"))


def commands(folder: Path) -> dict[str, list[str]]:
    """Give what is measured, and first what it is measured against."""
    log = str(sample_log(folder))
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import click'": [sys.executable, "-c", "import click"],
        "thinkagent --help": command_line("--help"),
        "thinkagent --version": command_line("--version"),
        "thinkagent tools": command_line("tools", "--spec", str(SPEC)),
        "thinkagent log": command_line("log", log),
        "thinkagent replay": command_line("replay", log),
    }


def main() -> int:
    """Measure, print, and give 1 where a bar is missed."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        found = measure_commands(commands(folder / "logs"))
        run_ms, bare_ms = measure_first_request(folder)
    click_ms = found["python -c 'import click'"].wall_ms
    print(f"Whole processes, medians of {ROUNDS} interleaved rounds:")
    for name, one in found.items():
        against = f"{one.wall_ms / click_ms:5.2f} x import click"
        print(f"  {name:<26} {one.wall_ms:7.0f} ms wall  {one.cpu_ms:7.0f} ms CPU  {against}")
    print("From the start of the process to the request at the model:")
    print(f"  {'a bare script with httpx':<26} {bare_ms:7.0f} ms wall")
    print(f"  {'thinkagent run':<26} {run_ms:7.0f} ms wall  {run_ms / bare_ms:5.2f} x bare")
    ratios = {
        "help": found["thinkagent --help"].wall_ms / click_ms,
        "version": found["thinkagent --version"].wall_ms / click_ms,
        "first request": run_ms / bare_ms,
    }
    for name, bar in BARS.items():
        print(f"  {name}: {ratios[name]:.2f} (at most {bar:g})")
    return 1 if any(ratios[name] > bar for name, bar in BARS.items()) else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
