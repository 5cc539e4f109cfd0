"""Bad input and bad weather: one line that says what, where and what next; the right exit code; nothing on stdout."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.command import thinkagent
from thinkagent.cli.main import run_command
from thinkagent.events import RunEnded
from thinkagent.journal import find_log, read_log
from thinkagent.values import read_json

GOOD = (
    '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://127.0.0.1:9"}],"components":'
    '{"securitySchemes":{"bearerAuth":{"type":"http","scheme":"bearer"}}},"paths":{"/things":{"get":{"operationId":'
    '"listThings","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"array",'
    '"items":{"type":"object","properties":{"id":{"type":"string"}}}}}}}}},"post":{"operationId":"createThing",'
    '"requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["name"],"properties":'
    '{"name":{"type":"string"}}}}}},"responses":{"201":{"description":"made"}}}}}}'
)
TASK = "How many things are there?"

FILES = {
    "good.json": GOOD,
    "empty.json": "",
    "broken.json": '{"openapi": "3.1.0",\n  "info": {',
    "broken.yaml": "openapi: 3.1.0\ninfo: [a\npaths: {}\n",
    "page.html": "<!doctype html><html></html>",
    "list.json": "[1, 2]",
    "async.json": '{"asyncapi": "2.6.0", "info": {"title": "t", "version": "1"}}',
    "noserver.json": GOOD.replace('"servers":[{"url":"http://127.0.0.1:9"}],', ""),
    "schema.json": "{",
    "torn.jsonl": "not a log",
    "later.jsonl": '{"seq":1,"type":"run.started","schema":"thinkagent.log/99","task":"t","settings":{},"limits":{},'
    '"now":"","timezone":"","mind":""}\n',
}

RUN = ["run", TASK, "--spec", "good.json"]

CASES = {
    "no such file": (["tools", "--spec", "nope.yaml"], 2, "nope.yaml"),
    "a directory": (["tools", "--spec", "."], 2, "it is a folder"),
    "empty": (["tools", "--spec", "empty.json"], 2, "empty"),
    "broken json": (["tools", "--spec", "broken.json"], 2, "line 2"),
    "broken yaml": (["tools", "--spec", "broken.yaml"], 2, "line"),
    "html": (["tools", "--spec", "page.html"], 2, "HTML"),
    "a list": (["tools", "--spec", "list.json"], 2, "list"),
    "asyncapi": (["tools", "--spec", "async.json"], 2, "AsyncAPI"),
    "no server": (["run", TASK, "--spec", "noserver.json"], 2, "--base-url"),
    "server number": ([*RUN, "--server", "9"], 2, "server"),
    "model without provider": ([*RUN, "--model", "gpt-5"], 2, "names no provider"),
    "missing key": ([*RUN, "--model", "openai/gpt-5"], 2, "OPENAI_API_KEY"),
    "bad api base": ([*RUN, "--model", "openai/x", "--api-base", "not a url"], 2, "not a url"),
    "unknown scheme": ([*RUN, "--auth", "bearer=env:HOME"], 2, "'bearerAuth'"),
    "secret itself": ([*RUN, "--auth", "bearerAuth=my-own-secret-1"], 2, "env:VARIABLE"),
    "unset variable": ([*RUN, "--auth", "bearerAuth=env:NO_SUCH_VARIABLE"], 2, "NO_SUCH_VARIABLE"),
    "missing credential file": ([*RUN, "--auth", "bearerAuth=file:nope"], 2, "nope"),
    "bad input": ([*RUN, "--input", "novalue"], 2, "--input"),
    "missing input file": ([*RUN, "--input", "a=@nope.json"], 2, "nope.json"),
    "bad answer schema": ([*RUN, "--answer-schema", "schema.json"], 2, "schema.json"),
    "unknown include": ([*RUN, "--include", "listThing"], 2, "listThings"),
    "unknown read": ([*RUN, "--read", "createThin"], 2, "createThing"),
    "bad now": ([*RUN, "--now", "yesterday"], 2, "2026-11-30"),
    "bad zone": ([*RUN, "--timezone", "Mars/Base"], 2, "Mars/Base"),
    "bad number": ([*RUN, "--max-turns", "-1"], 2, "--max-turns"),
    "no number": ([*RUN, "--max-calls", "many"], 2, "--max-calls"),
    "unknown option": ([*RUN, "--modle", "x"], 2, "--model"),
    "unknown command": (["rnu", TASK], 2, "run"),
    "empty task": (["run", "  ", "--spec", "good.json"], 2, "empty"),
    "missing task file": (["run", "@nope.txt", "--spec", "good.json"], 2, "nope.txt"),
    "quiet and verbose": ([*RUN, "--quiet", "--verbose"], 2, "--quiet"),
    "unknown tool": (["tools", "--spec", "good.json", "--tool", "listThing"], 2, "'listThings'"),
    "no such log": (["log", "nope"], 2, "nope"),
    "no log at all": (["replay", "last"], 2, "no log"),
    "torn log": (["replay", "torn.jsonl"], 3, "torn.jsonl"),
    "unknown schema": (["log", "later.jsonl"], 3, "thinkagent.log/99"),
    "log folder is a file": ([*RUN, "--log-dir", "good.json"], 3, "--log-dir"),
    "pack nothing": (["log", "pack"], 2, "log pack"),
    "demo data without serve": (["demo", "--data", "x.json"], 2, "--serve"),
    "demo data missing": (["demo", "--serve", "--data", "nope.json"], 2, "nope.json"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "says"), CASES.values(), ids=CASES.keys())
def test_one_line_says_what_is_wrong(folder, capsys, arguments, code, says):
    assert run_command(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert len([line for line in err.splitlines() if line.startswith("error: ")]) == 1
    assert "Traceback" not in err
    assert "my-own-secret-1" not in err


@pytest.mark.parametrize("name", ["no server", "unknown scheme", "log folder is a file"])
def test_with_json_the_error_is_one_document(folder, capsys, name):
    arguments, code, says = CASES[name]
    assert run_command([*arguments, "--json"]) == code
    error = read_json(capsys.readouterr().out)["error"]
    assert set(error) == {"code", "message", "where", "hint"}
    assert says in " ".join(error.values())


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def test_an_api_that_is_down(folder, capsys):
    code = run_command([*RUN, "--base-url", f"http://127.0.0.1:{free_port()}"])
    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    assert "error:" in err
    assert "api_error" in err


def test_a_model_that_is_down(folder, capsys):
    base = f"http://127.0.0.1:{free_port()}/v1"
    code = run_command([*RUN, "--model", "openai/x", "--api-base", base])
    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    assert "model_error" in err


class Hangs(BaseHTTPRequestHandler):
    """Takes a request and never answers."""

    taken = threading.Event()
    over = threading.Event()

    def do_GET(self) -> None:
        Hangs.taken.set()
        Hangs.over.wait(30)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hanging():
    Hangs.taken.clear()
    Hangs.over.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hangs)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Hangs.over.set()
    server.shutdown()
    server.server_close()
    thread.join(5)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "sigterm"])
def test_a_signal_closes_the_journal(folder, hanging, number, code):
    process = subprocess.Popen(
        [sys.executable, "-m", "thinkagent", *RUN, "--base-url", hanging],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TZ": "UTC"},
    )  # fmt: skip
    assert Hangs.taken.wait(30)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in err
    last = read_log(find_log("last", folder / "logs")).records[-1].event
    assert isinstance(last, RunEnded)
    assert (last.status, last.exit_code) == ("interrupted", code)


def test_a_call_that_hangs_ends_with_the_time(folder, hanging):
    began = time.monotonic()
    ended = thinkagent(*RUN, "--base-url", hanging, "--timeout", "1", cwd=folder)
    last = read_log(find_log("last", folder / "logs")).records[-1].event
    assert ended.returncode == 1
    assert "--timeout" in ended.stderr
    assert last.wall_us < 2_000_000
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("arguments", [["--help"], ["tools", "--spec", "good.json"], ["log"]], ids=lambda a: a[0])
def test_a_closed_stdout_is_no_traceback(folder, arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "thinkagent", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) in (0, 141)
    assert "Traceback" not in err


def test_hostile_text_of_a_document_steers_no_terminal(folder, capsys):
    (folder / "hostile.json").write_text(
        GOOD.replace('"title":"t"', '"title":"\\u001b]0;owned\\u0007\\u009b31m\\u202e"').replace(
            '"operationId":"listThings"', '"operationId":"listThings","summary":"\\u001b[2Jgone\\u0000"'
        ),
        "utf-8",
    )
    assert run_command(["tools", "--spec", "hostile.json"]) == 0
    assert run_command(["tools", "--spec", "hostile.json", "--tool", "listThings"]) == 0
    assert run_command(["tools", "--spec", "hostile.json", "--json"]) == 0
    assert run_command(["run", TASK, "--spec", "hostile.json", "--dry-run"]) in (0, 1)
    out, err = capsys.readouterr()
    assert not [char for char in out + err if (ord(char) < 32 and char != "\n") or 0x7F <= ord(char) < 0xA0]
    assert "\u202e" not in out + err
