"""Bad weather: servers that are down, output that nobody takes, a disk that is full."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.documents import things
from thinkagent.cli.main import run_command
from thinkagent.events import CallSending, RunEnded
from thinkagent.journal import find_log, read_log
from thinkagent.shop import DOCUMENT_PATH, Shop, seed
from thinkagent.testing import FakeModelServer, Fault
from thinkagent.values import read_json

TASK = "How many things are there?"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
COUPONS = "Find customers registered more than 30 days ago who never ordered and issue each of them a WELCOME10 coupon"


def refused() -> str:
    """An address where nobody listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "things.json").write_text(things(), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


def last_event(folder: Path) -> RunEnded:
    event = read_log(find_log("last", folder / "logs")).records[-1].event
    assert isinstance(event, RunEnded)
    return event


def error_lines(err: str) -> list[str]:
    assert "Traceback" not in err
    return [line for line in err.splitlines() if line.startswith("error: ")]


def test_an_api_that_is_down(folder, capsys):
    base = refused()
    began = time.monotonic()
    code = run_command(["run", TASK, "--spec", "things.json", "--base-url", base, "--json"])
    spent = time.monotonic() - began
    out, err = capsys.readouterr()
    result = read_json(out)
    assert (code, result["status"], result["exit_code"]) == (3, "api_error", 3)
    assert "no connection: refused" in result["reason"]
    assert error_lines(err) == [
        f"error: GET /things to {base}: no connection: refused (api_error). "
        "Check that the API is up, and its address (--base-url)"
    ]
    assert err.count("again in") == 2
    assert 1.5 <= spent < 4, "two waits, of half a second and of one"


def test_a_model_that_is_down(folder, capsys):
    base = f"{refused()}/v1"
    code = run_command(
        ["run", TASK, "--spec", "things.json", "--base-url", refused(), "--model", "openai/x", "--api-base", base]
    )
    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    (line,) = error_lines(err)
    assert line.startswith(f"error: the model 'openai/x' at {base} cannot be reached")
    assert "(model_error). Check the model and its address" in line
    assert last_event(folder).status == "model_error"


def test_a_model_that_hangs_costs_the_given_time(folder, capsys):
    with FakeModelServer([Fault.hang()]) as server:
        began = time.monotonic()
        model = ("--model", "openai/x", "--api-base", server.url)
        code = run_command(["run", TASK, "--spec", "things.json", "--base-url", refused(), *model, "--timeout", "1"])
        spent = time.monotonic() - began
    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert error_lines(err) == [
        "error: the limit of 1 s is reached (--timeout, limit). A larger --timeout lets it go on"
    ]
    assert 1 <= spent < 2
    assert last_event(folder).status == "limit"


def test_an_api_that_wants_a_credential_names_the_flag(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Shop(seed(NOW)) as shop:
        code = run_command(
            ["run", "How many products are there?", "--spec", str(DOCUMENT_PATH), "--base-url", shop.url]
        )
    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert "names 'bearerAuth'. Pass --auth bearerAuth=env:VARIABLE\n" in err


# Where the output goes

WRITES = {
    "help": ["--help"],
    "run": ["run", TASK, "--spec", "things.json", "--dry-run", "--json"],
    "tools": ["tools", "--spec", "things.json"],
    "tools as json": ["tools", "--spec", "things.json", "--json"],
    "one tool": ["tools", "--spec", "things.json", "--tool", "listThings"],
    "search": ["tools", "--spec", "things.json", "--search", "thing"],
    "logs": ["log"],
    "log": ["log", "sample.jsonl"],
    "turn": ["log", "sample.jsonl", "--turn", "1"],
    "pack": ["log", "pack", "sample.jsonl"],
    "replay": ["replay", "sample.jsonl"],
    "serve": ["demo", "--serve"],
}


@pytest.fixture
def sample(folder):
    whole = Path(__file__).parents[2] / "logs/sample.jsonl"
    (folder / "sample.jsonl").write_bytes(whole.read_bytes())
    (folder / "logs").mkdir()
    (folder / "logs" / "sample.jsonl").write_bytes(whole.read_bytes())
    return folder


@pytest.mark.parametrize("arguments", WRITES.values(), ids=WRITES.keys())
def test_a_closed_stdout_ends_it_quietly(sample, arguments):
    read, write = os.pipe()
    os.close(read)
    ended = _ended(arguments, stdout=write)
    os.close(write)
    assert ended.returncode == 141
    assert error_lines(ended.stderr) == []
    if arguments[0] == "run":
        assert "Dry run: nothing was sent" in ended.stderr
        assert last_event(sample).status == "dry_run"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", WRITES.values(), ids=WRITES.keys())
def test_a_full_stdout_is_told(sample, arguments):
    with open("/dev/full", "wb") as full:
        ended = _ended(arguments, stdout=full.fileno())
    assert ended.returncode == 3
    assert error_lines(ended.stderr) == [
        "error: the output cannot be written: no space left on device (stdout). Make room, or send it elsewhere"
    ]


CLOSED = {
    "stdin": ("<&-", ["tools", "--spec", "-"], 2, "error: the document on stdin cannot be read: it is closed (stdin)"),
    "stdin of a task": ("<&-", ["run", "-", "--spec", "things.json"], 2, "error: stdin cannot be read: it is closed"),
    "stdin of a run": ("<&-", ["run", TASK, "--spec", "things.json", "--dry-run"], 0, "mind: offline"),
    "stderr": ("2>&-", ["run", TASK, "--spec", "things.json", "--dry-run"], 0, ""),
    "stderr of an error": ("2>&-", ["tools", "--spec", "nope.json"], 2, ""),
    "all": ("<&- >&- 2>&-", ["run", TASK, "--spec", "things.json", "--dry-run"], 0, ""),
    "all, of a listing": ("<&- >&- 2>&-", ["tools", "--spec", "things.json", "--json"], 0, ""),
}


@pytest.mark.parametrize(("how", "arguments", "code", "says"), CLOSED.values(), ids=CLOSED.keys())
def test_streams_that_are_closed_from_the_start(folder, how, arguments, code, says):
    line = f'exec "$0" -m thinkagent "$@" {how}'
    ended = subprocess.run(
        ["sh", "-c", line, sys.executable, *arguments],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == code
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def _ended(arguments: list[str], **how: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "thinkagent", *arguments],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60, check=False, **how,
    )  # fmt: skip


# A disk that is full


@pytest.mark.parametrize("limit", [200, 3_000, 30_000, 45_000, 60_000, 75_000, 90_000])
def test_a_log_that_cannot_grow_stops_the_run(tmp_path, limit):
    with Shop(seed(NOW), clock=lambda: NOW) as shop:
        ended = subprocess.run(
            [
                *(sys.executable, "-m", "thinkagent", "run", COUPONS, "--spec", str(DOCUMENT_PATH), "--allow-writes"),
                *("--base-url", shop.url, "--auth", "bearerAuth=env:TOKEN", "--now", NOW.isoformat()),
            ],
            cwd=tmp_path, env={**os.environ, "TOKEN": shop.token}, capture_output=True, text=True, timeout=60,
            check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )  # fmt: skip
        written = [seen for seen in shop.requests if seen.method == "POST"]
    assert (ended.returncode, ended.stdout) == (3, "")
    (line,) = error_lines(ended.stderr)
    assert "file too large" in line.lower()
    for log in (tmp_path / "logs").glob("*.jsonl"):
        if not log.stat().st_size:
            continue
        sending = [record for record in read_log(log).records if isinstance(record.event, CallSending)]
        assert len(written) <= len(sending)
    assert len(written) <= 4
