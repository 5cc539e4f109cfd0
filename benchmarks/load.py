"""What it costs to load a document: whole processes side by side, in wall time and memory.

    python benchmarks/load.py FILE … [--rivals PYTHON] [--rounds N] [--limit SECONDS]

For each document: the listing with an empty cache and with a filled one (`tools --json`), every schema built
(`tools --full --json`), `json.load` of the same file where it is JSON, `import click`, and FastMCP.from_openapi where
`--rivals` names the Python of the environment that `make rivals` makes. Each round runs everything once, one after the
other; figures are medians over the rounds, memory is the largest resident set in MB.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Cost", "cost_of", "measure"]

CLI = (sys.executable, "-m", "thinkagent", "tools", "--json", "--spec")


class Cost(NamedTuple):
    seconds: float
    megabytes: float


def cost_of(command: list[str], environ: dict[str, str], limit_s: float) -> Cost | None:
    """Run a command to its end; None where it fails or takes longer than the limit."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ)
    pid = status = 0
    while not pid and time.perf_counter() - start < limit_s:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not pid:
            time.sleep(0.002)
    if not pid:
        process.kill()
        os.wait4(process.pid, 0)
        return None
    return None if status else Cost(time.perf_counter() - start, usage.ru_maxrss / 1024)


def commands(path: Path, rivals: str | None) -> Iterator[tuple[str, list[str]]]:
    yield "import click", [sys.executable, "-c", "import click"]
    if path.suffix == ".json":
        yield "json.load", [sys.executable, "-c", f"import json; json.load(open({str(path)!r}, encoding='utf-8'))"]
    yield "listing, cold", [*CLI, str(path)]
    yield "listing, warm", [*CLI, str(path)]
    yield "every schema", [*CLI, str(path), "--full"]
    if rivals is not None:
        yield "FastMCP", [rivals, str(Path(__file__).parent / "rivals" / "load.py"), str(path)]


def measure(path: Path, rivals: str | None, rounds: int, limit_s: float) -> dict[str, Cost | None]:
    """Give the median cost of each way to load a document; None for what failed or took too long."""
    found: dict[str, list[Cost | None]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            environ = {**os.environ, "THINKAGENT_CACHE_DIR": folder}
            for name, command in commands(path, rivals):
                if found.get(name) and found[name][-1] is None:
                    continue
                found.setdefault(name, []).append(cost_of(command, environ, limit_s))
    return {name: _median(costs) for name, costs in found.items()}


def _median(costs: list[Cost | None]) -> Cost | None:
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return None
    return Cost(statistics.median(cost.seconds for cost in known), max(cost.megabytes for cost in known))


def _show(path: Path, costs: dict[str, Cost | None]) -> None:
    print(f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)")
    for name, cost in costs.items():
        if cost is None:
            print(f"  {name:16} failed or took too long")
            continue
        ratios = []
        for other, times in (("json.load", "listing, cold"), ("import click", "listing, warm")):
            base = costs.get(other)
            if name == times and base is not None:
                ratios.append(f"{cost.seconds / base.seconds:.1f} times {other}")
        rival = costs.get("FastMCP")
        if name == "every schema" and rival is not None:
            ratios.append(f"FastMCP takes {rival.seconds / cost.seconds:.1f} times as long")
        print(f"  {name:16} {cost.seconds:7.2f} s {cost.megabytes:7.0f} MB  {', '.join(ratios)}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to load a document.")
    parser.add_argument("documents", nargs="+", type=Path)
    parser.add_argument("--rivals", help="the Python of the environment with FastMCP")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for one process")
    args = parser.parse_args()
    for path in args.documents:
        _show(path, measure(path, args.rivals, args.rounds, args.limit))


if __name__ == "__main__":
    main()
