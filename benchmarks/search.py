"""How much of what a task takes is among the first ten tools found, beside other rankings, in one run.

    python benchmarks/search.py --restbench DIR --github FILE [--rivals PYTHON]

`--restbench` is a folder with RestBench's `tmdb_tasks.json` and `tmdb_oas.json`, `--github` GitHub's OpenAPI document;
each may be packed (.xz). `--rivals` is the Python of the environment that `make rivals` makes. Recall is the mean over
the tasks of the share of needed operations that are found. Times are seconds for all tasks, the index included.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thinkagent.documents import load_bytes
from thinkagent.tools import Toolset, build_tools, search

__all__ = ["Task", "recall"]

K = 10
OWN_TASKS = Path(__file__).parent / "data" / "github_tasks.json"


class Task(NamedTuple):
    text: str
    needs: tuple[str, ...]
    """Operations, as `METHOD /path`."""
    language: str = "en"


def recall(tasks: Sequence[Task], ranked: Sequence[Sequence[str]], k: int = K) -> float:
    """Give the mean share of needed operations among the first `k`."""
    return sum(
        len(set(task.needs) & set(found[:k])) / len(task.needs) for task, found in zip(tasks, ranked, strict=True)
    ) / len(tasks)


def ours(toolset: Toolset, tasks: Sequence[Task], k: int = K) -> list[list[str]]:
    return [[f"{hit.line.method} {hit.line.path}" for hit in search(toolset, task.text, k)] for task in tasks]


def read(path: Path) -> bytes:
    packed = path.with_name(f"{path.name}.xz")
    return lzma.decompress(packed.read_bytes()) if not path.exists() else path.read_bytes()


def tasks_of(path: Path) -> list[Task]:
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [Task(row["task"], tuple(row["needs"]), row.get("lang", "en")) for row in rows]


def summaries(toolset: Toolset) -> list[Task]:
    return [Task(line.summary, (f"{line.method} {line.path}",)) for line in toolset.lines]


def measure(title: str, document: bytes, tasks: Sequence[Task], rivals: str | None) -> None:
    start = time.perf_counter()
    ranked = ours(build_tools(load_bytes(document)), tasks)
    rows = [("thinkagent", ranked, f"{time.perf_counter() - start:6.2f} s")]
    rows += [(name, found, "") for name, found in ranked_by(rivals, document, tasks)]
    print(f"{title}: recall at {K} of {len(tasks)} tasks")
    for name, found, took in rows:
        parts = [f"{recall(tasks, found):.3f}"]
        languages = sorted({task.language for task in tasks})
        for language in languages if len(languages) > 1 else ():
            chosen = [number for number, task in enumerate(tasks) if task.language == language]
            parts.append(f"{language} {recall([tasks[at] for at in chosen], [found[at] for at in chosen]):.3f}")
        print(f"  {name:52} {'  '.join(parts)}  {took}".rstrip())


def ranked_by(python: str | None, document: bytes, tasks: Sequence[Task]) -> Iterator[tuple[str, list[list[str]]]]:
    if python is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "document.json"
        path.write_bytes(document)
        asked = json.dumps({"document": str(path), "tasks": [task.text for task in tasks], "k": K})
        script = Path(__file__).parent / "rivals" / "search.py"
        done = subprocess.run([python, script], input=asked, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"error: the other rankings failed:\n{done.stderr}")
        yield from json.loads(done.stdout).items()


def main() -> None:
    parser = argparse.ArgumentParser(description="Recall of the tools found for a task.")
    parser.add_argument("--restbench", type=Path)
    parser.add_argument("--github", type=Path)
    parser.add_argument("--rivals", help="the Python of the environment with the other rankings")
    args = parser.parse_args()
    if args.restbench:
        tasks = tasks_of(args.restbench / "tmdb_tasks.json")
        measure("RestBench TMDB", read(args.restbench / "tmdb_oas.json"), tasks, args.rivals)
    if args.github:
        document = read(args.github)
        measure("GitHub, a person's own words", document, tasks_of(OWN_TASKS), args.rivals)
        measure("GitHub, each operation's own summary", document, summaries(build_tools(load_bytes(document))), None)


if __name__ == "__main__":
    main()
