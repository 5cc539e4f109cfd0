"""The findings of openapi-spec-validator, in a process of its own and within a time bound.

It can take minutes on a large document, and would fetch what a reference names: the process is ended when its time is
up, and is given the files that were read and nothing else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from thinkagent.values import clip, join_pointer, write_json

__all__ = ["Complaint", "complaints"]

_BASE = "file:///document/"
_VALIDATORS = {
    "2.0": "OpenAPIV2SpecValidator",
    "3.0": "OpenAPIV30SpecValidator",
    "3.1": "OpenAPIV31SpecValidator",
    "3.2": "OpenAPIV32SpecValidator",
}
MAX_COMPLAINTS = 200
MAX_MESSAGE = 300


class Complaint(NamedTuple):
    """What it says of one place of the entry document."""

    pointer: str
    message: str


def complaints(dialect: str, entry: str, files: Mapping[str, Any], limit_s: float) -> tuple[list[Complaint], str]:
    """Give what openapi-spec-validator complains of, and why there is no more where it did not come to its end.

    `files` are the parsed files by name, `entry` among them; at most 200 complaints are given.
    """
    job = write_json({"dialect": dialect, "entry": entry, "files": dict(files)}).encode()
    command = [sys.executable, "-m", __name__]
    try:
        done = subprocess.run(command, input=job, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired as expired:
        found = _read(expired.stdout or b"")
        return found, f"openapi-spec-validator was stopped after {limit_s:g} s"
    found = _read(done.stdout)
    if len(found) >= MAX_COMPLAINTS:
        return found, f"openapi-spec-validator has more than {MAX_COMPLAINTS} complaints; the others are left out"
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return found, f"openapi-spec-validator gave up: {clip(last or 'it told no reason', 120)}"
    return found, ""


def _read(written: bytes) -> list[Complaint]:
    lines = written.decode("utf-8", "replace").split("\n")[:-1]
    return list(dict.fromkeys(Complaint(*json.loads(line)) for line in lines))


def _uri(name: str) -> str:
    return name if "://" in name else _BASE + quote(name)


def _found_by(job: Mapping[str, Any]) -> Iterator[Complaint]:
    import openapi_spec_validator
    from jsonschema.exceptions import best_match
    from jsonschema_path import SchemaPath

    files = {_uri(name): file for name, file in job["files"].items()}

    def read(uri: str) -> Any:
        if uri not in files:
            raise ValueError(f"{uri.removeprefix(_BASE)} is not read")
        return files[uri]

    base = _uri(job["entry"])
    handlers = {"<all_urls>": read, "http": read, "https": read, "file": read}
    path = SchemaPath.from_dict(files[base], base_uri=base, handlers=handlers)
    validator = getattr(openapi_spec_validator, _VALIDATORS[job["dialect"]])(path)
    for error in validator.iter_errors():
        best = best_match([error]) or error
        place = [str(part) for part in best.absolute_path]
        yield Complaint(join_pointer(place), clip(best.message, MAX_MESSAGE))


def _main() -> None:
    sys.setrecursionlimit(10_000)
    for number, complaint in enumerate(_found_by(json.load(sys.stdin.buffer)), 1):
        print(json.dumps(complaint), flush=True)  # noqa: T201 (what this process is asked for)
        if number == MAX_COMPLAINTS:
            return


if __name__ == "__main__":
    _main()
