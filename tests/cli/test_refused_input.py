"""Bad input, refused before anything is sent: one line that says what, where and what next, and exit code 2 or 3."""

from __future__ import annotations

import os
import socket

import pytest

from tests.cli.documents import SCHEMES, things
from thinkagent.cli.main import run_command
from thinkagent.values import read_json

TASK = "How many things are there?"
SECRET = "my-own-secret-1"
STARTED = (
    '{"seq":1,"at":"2026-11-30T12:00:00Z","type":"run.started","schema":"%s","task":"t","settings":{},"limits":{},'
    '"now":"2026-11-30T12:00:00+00:00","timezone":"UTC","mind":"offline"}\n'
)

FILES: dict[str, str | bytes] = {
    "empty.json": "",
    "broken.json": '{"openapi": "3.1.0",\n  "info": {',
    "broken.yaml": "openapi: 3.1.0\ninfo: [a\npaths: {}\n",
    "tab.yaml": "openapi: 3.1.0\ninfo:\n\ttitle: t\n",
    "page.html": "<!doctype html><html></html>",
    "list.json": "[1, 2]",
    "number.json": "42",
    "text.yaml": "just text",
    "picture.json": b"\x89PNG\r\n\x1a\n\xff\xfe\0\0",
    "async.json": '{"asyncapi": "2.6.0", "info": {"title": "t", "version": "1"}}',
    "schema.json": "{",
    "wrong.schema.json": '{"type": "objekt"}',
    "torn.jsonl": "not a log",
    "empty.jsonl": "",
    "later.jsonl": STARTED % "thinkagent.log/99",
    "begun.jsonl": STARTED % "thinkagent.log/1",
    "broken.jsonl": STARTED % "thinkagent.log/1"
    + '{"seq":2,"type":"tur\n'
    + '{"seq":3,"type":"run.ended","status":"done"}\n',
    "logs/20261130-120000-aaaa.jsonl": STARTED % "thinkagent.log/1",
    "logs/20261130-120000-aabb.jsonl": STARTED % "thinkagent.log/1",
}

RUN = ["run", TASK, "--spec", "good.json"]
MODEL = [*RUN, "--model", "openai/x", "--api-base", "http://127.0.0.1:9/v1"]
TOOLS = ["tools", "--spec", "good.json"]

CASES = {
    # the document
    "no such file": (["tools", "--spec", "nope.yaml"], 2, "nope.yaml"),
    "a name that is nearly right": (["run", TASK, "--spec", "god.json"], 2, "Did you mean 'good.json'"),
    "an empty name": (["run", TASK, "--spec", ""], 2, "the document's name is empty"),
    "a name with a zero byte": (["tools", "--spec", "a\0b"], 2, "null byte"),
    "a directory": (["tools", "--spec", "."], 2, "it is a folder"),
    "an empty document": (["tools", "--spec", "empty.json"], 2, "empty"),
    "broken json": (["tools", "--spec", "broken.json"], 2, "at line 2, column 12"),
    "broken yaml": (["tools", "--spec", "broken.yaml"], 2, "at line 3, column 6"),
    "yaml with a tab": (["tools", "--spec", "tab.yaml"], 2, "at line 3, column 1"),
    "html": (["tools", "--spec", "page.html"], 2, "HTML"),
    "a list": (["tools", "--spec", "list.json"], 2, "it holds a list"),
    "a number": (["tools", "--spec", "number.json"], 2, "it holds the value 42"),
    "a text": (["tools", "--spec", "text.yaml"], 2, "it holds the text 'just text'"),
    "no text at all": (["tools", "--spec", "picture.json"], 2, "is no text"),
    "asyncapi": (["tools", "--spec", "async.json"], 2, "AsyncAPI"),
    "an address that nobody serves": (["tools", "--spec", "http://127.0.0.1:9/x.json"], 2, "connection refused"),
    "an address that is none": (["tools", "--spec", "http://[::1"], 2, "is no address"),
    "another kind of address": (["tools", "--spec", "ftp://x/y"], 2, "'ftp://'"),
    # the server
    "no server": (["run", TASK, "--spec", "noserver.json"], 2, "Pass --base-url"),
    "a server that is not there": ([*RUN, "--server", "9"], 2, "the document has 1"),
    "server 0": ([*RUN, "--server", "0"], 2, "--server"),
    "server and base": ([*RUN, "--server", "1", "--base-url", "http://127.0.0.1:9"], 2, "exclude each other"),
    "a base that is none": ([*RUN, "--base-url", "nonsense"], 2, "'nonsense' is no http or https address"),
    "a base that is a file": ([*RUN, "--base-url", "file:///etc/passwd"], 2, "is no http or https address"),
    # the model
    "model without provider": ([*RUN, "--model", "gpt-5"], 2, "'openai/gpt-5'"),
    "provider without model": ([*RUN, "--model", "openai/"], 2, "names no provider"),
    "no model name": ([*RUN, "--model", ""], 2, "names no provider"),
    "missing key": ([*RUN, "--model", "openai/gpt-5"], 2, "Set OPENAI_API_KEY"),
    "bad api base": ([*RUN, "--model", "openai/x", "--api-base", "not a url"], 2, "'not a url' is no http"),
    "api base without model": ([*RUN, "--api-base", "http://127.0.0.1:9/v1"], 2, "Name one with --model"),
    "unknown way": ([*MODEL, "--via", "pigeon"], 2, "'http', 'litellm'"),
    "option without value": ([*MODEL, "--model-option", "temperature"], 2, "is no K=V"),
    "option that is no number": ([*MODEL, "--model-option", "timeout_s=soon"], 2, "a number of seconds"),
    "key itself": ([*MODEL, "--model-option", f"api_key={SECRET}"], 2, "api_key=env:VARIABLE"),
    "stream that is neither": ([*MODEL, "--model-option", "stream=maybe"], 2, "true or false"),
    "option of ours": ([*MODEL, "--model-option", "messages=[]"], 2, "not for the user to set"),
    "key of no variable": ([*MODEL, "--model-option", "api_key=env:NO_SUCH"], 2, "Set NO_SUCH"),
    # credentials
    "unknown scheme": ([*RUN, "--auth", "bearer=env:HOME"], 2, "Did you mean 'bearerAuth'"),
    "scheme of nothing like it": ([*RUN, "--auth", "zzz=env:HOME"], 2, "it has 'bearerAuth' (http bearer)"),
    "secret itself": ([*RUN, "--auth", f"bearerAuth={SECRET}"], 2, "env:VARIABLE"),
    "secret without scheme": ([*RUN, "--auth", SECRET], 2, "is no SCHEME=env:VARIABLE"),
    "unset variable": ([*RUN, "--auth", "bearerAuth=env:NO_SUCH"], 2, "export NO_SUCH="),
    "empty variable": ([*RUN, "--auth", "bearerAuth=env:BLANK"], 2, "is empty"),
    "variable of two lines": ([*RUN, "--auth", "bearerAuth=env:LINES"], 2, "Look for a line break"),
    "missing credential file": ([*RUN, "--auth", "bearerAuth=file:nope"], 2, "'nope' cannot be read"),
    "credential file that is a folder": ([*RUN, "--auth", "bearerAuth=file:logs"], 2, "is a directory"),
    "auth twice": ([*RUN, "--auth", "bearerAuth=env:HOME", "--auth", "bearerAuth=env:PATH"], 2, "given twice"),
    "header that is no name": ([*RUN, "--header", "X Bad=env:HOME"], 2, "'X Bad' is no header name"),
    "header of the transport": ([*RUN, "--header", "Host=env:HOME"], 2, "'Host' is set by the program"),
    "header with the secret itself": ([*RUN, "--header", f"X-Key={SECRET}"], 2, "env:VARIABLE"),
    "header of two lines": ([*RUN, "--header", "X-Key=env:LINES"], 2, "'X-Key' holds characters"),
    "header of blanks": ([*RUN, "--header", "X-Key=env:BLANK"], 2, "nothing but blanks"),
    # inputs and the answer
    "input without value": ([*RUN, "--input", "novalue"], 2, "is no NAME=VALUE"),
    "input without name": ([*RUN, "--input", "=1"], 2, "is no NAME=VALUE"),
    "input twice": ([*RUN, "--input", "a=1", "--input", "a=2"], 2, "'a' is given twice"),
    "missing input file": ([*RUN, "--input", "a=@nope.json"], 2, "nope.json"),
    "broken input file": ([*RUN, "--input", "a=@broken.json"], 2, "at line 2, column 12"),
    "inputs that are a list": ([*RUN, "--input", "@list.json"], 2, "holds no JSON object"),
    "broken answer schema": ([*RUN, "--answer-schema", "schema.json"], 2, "schema.json"),
    "wrong answer schema": ([*RUN, "--answer-schema", "wrong.schema.json"], 2, "objekt"),
    "answer schema that is a list": ([*RUN, "--answer-schema", "list.json"], 2, "no JSON Schema object"),
    # the choice of operations
    "unknown include": ([*RUN, "--include", "listThing"], 2, "Did you mean 'listThings'"),
    "unknown exclude": ([*RUN, "--exclude", "/thing"], 2, "Did you mean '/things'"),
    "nothing left": ([*RUN, "--exclude", "/*"], 2, "none of the document's 2 operations is left"),
    "unknown read": ([*RUN, "--read", "createThin"], 2, "Did you mean 'createThing'"),
    "unknown tool": ([*TOOLS, "--tool", "listThing"], 2, "Did you mean 'listThings'"),
    "unknown format": ([*TOOLS, "--format", "gemini"], 2, "'openai', 'anthropic'"),
    "search and tool": ([*TOOLS, "--search", "x", "--tool", "listThings"], 2, "exclude each other"),
    "no hits wanted": ([*TOOLS, "--search", "x", "-k", "0"], 2, "x>=1"),
    # the run
    "bad now": ([*RUN, "--now", "yesterday"], 2, "2026-11-30"),
    "bad zone": ([*RUN, "--timezone", "Mars/Base"], 2, "Europe/Berlin"),
    "zone that is a path": ([*RUN, "--timezone", "../../etc/passwd"], 2, "IANA"),
    "negative number": ([*RUN, "--max-turns", "-1"], 2, "--max-turns"),
    "no number": ([*RUN, "--max-calls", "many"], 2, "'many' is not a valid whole number"),
    "no time": ([*RUN, "--timeout", "0"], 2, "--timeout"),
    "time that never ends": ([*RUN, "--timeout", "inf"], 2, "inf is not a number of seconds"),
    "time that is no number": ([*RUN, "--timeout", "nan"], 2, "nan is not a number of seconds"),
    "quiet and verbose": ([*RUN, "--quiet", "--verbose"], 2, "exclude each other"),
    "unknown option": ([*RUN, "--modle", "x"], 2, "Did you mean '--model'"),
    "unknown command": (["rnu", TASK], 2, "Did you mean 'run'"),
    "command like no other": (["xyzzy"], 2, "'run', 'tools', 'spec', 'log', 'replay', 'cache', 'demo'"),
    "no task": (["run", "--spec", "good.json"], 2, "TASK"),
    "no document": (["run", TASK], 2, "--spec"),
    "two tasks": (["run", "a", "b", "--spec", "good.json"], 2, "unexpected extra argument"),
    "empty task": (["run", "  ", "--spec", "good.json"], 2, "the task is empty"),
    "missing task file": (["run", "@nope.txt", "--spec", "good.json"], 2, "nope.txt"),
    "task file that is empty": (["run", "@empty.json", "--spec", "good.json"], 2, "the task is empty"),
    "task file that is no text": (["run", "@picture.json", "--spec", "good.json"], 2, "not UTF-8 at byte 0"),
    "task and document on stdin": (["run", "-", "--spec", "-"], 2, "both to be read from stdin"),
    # logs
    "no such log": (["log", "nope"], 2, "'20261130-120000-aabb'"),
    "ambiguous log": (["log", "2026"], 2, "several logs begin with '2026'"),
    "ambiguous replay": (["replay", "20261130-120000-aa"], 2, "Give more of the id"),
    "no log at all": (["replay", "last", "--log-dir", "nowhere"], 2, "there is no log in 'nowhere'"),
    "two logs": (["log", "a", "b"], 2, "2 are named"),
    "no such turn": (["log", "begun.jsonl", "--turn", "3"], 2, "has no turn 3"),
    "pack nothing": (["log", "pack"], 2, "log pack last"),
    "pack into nowhere": (["log", "pack", "begun.jsonl", "-o", "nowhere/x.jsonl"], 2, "no such file or directory"),
    "torn log": (["log", "torn.jsonl"], 3, "holds no event"),
    "torn log replayed": (["replay", "torn.jsonl"], 3, "holds no event"),
    "empty log": (["log", "empty.jsonl"], 3, "holds no event"),
    "empty log replayed": (["replay", "empty.jsonl"], 3, "holds no event"),
    "log broken in the middle": (["log", "broken.jsonl"], 3, "line 2"),
    "document for a log": (["log", "good.json"], 3, "good.json"),
    "picture for a log": (["replay", "picture.json"], 3, "picture.json"),
    "log of a later version": (["log", "later.jsonl"], 3, "thinkagent.log/99"),
    "replay of a later version": (["replay", "later.jsonl"], 3, "thinkagent.log/1'"),
    "nothing to replay": (["replay", "begun.jsonl"], 3, "holds no 'document'"),
    "log folder is a file": ([*RUN, "--log-dir", "good.json"], 3, "'good.json' is no folder"),
    "log folder below a file": ([*RUN, "--log-dir", "good.json/logs"], 3, "'good.json/logs' is no folder"),
    "log folder of the kernel": ([*RUN, "--log-dir", "/proc/nowhere"], 3, "Pass --log-dir"),
    # the demo
    "demo data without serve": (["demo", "--data", "x.json"], 2, "Add --serve"),
    "demo port without serve": (["demo", "--port", "8000"], 2, "Add --serve"),
    "demo port too high": (["demo", "--serve", "--port", "99999"], 2, "--port"),
    "demo data missing": (["demo", "--serve", "--data", "nope.json"], 2, "nope.json"),
    "demo data of another shape": (["demo", "--serve", "--data", "good.json"], 2, "docs/schemas/"),
    "demo at no time": (["demo", "--now", "x"], 2, "--now"),
}


@pytest.fixture
def listening():
    """An address on which connections can be seen, and none is answered."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.setblocking(False)
        yield server


@pytest.fixture
def folder(tmp_path, monkeypatch, listening):
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    (tmp_path / "logs").mkdir()
    files = FILES | {"good.json": things(url, **SCHEMES), "noserver.json": things()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "THINKAGENT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BLANK", "  ")
    monkeypatch.setenv("LINES", "one\ntwo")
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "says"), CASES.values(), ids=CASES.keys())
def test_one_line_says_what_is_wrong(folder, listening, capsys, arguments, code, says):
    assert run_command(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1, "one line"
    assert err[:-1].isprintable()
    for unwanted in ("Traceback", "internal", "[Errno", SECRET):
        assert unwanted not in err
    with pytest.raises(BlockingIOError):
        listening.accept()


TAKES_JSON = {name: case for name, case in CASES.items() if case[0][0] in ("run", "tools", "log", "replay")}


@pytest.mark.parametrize(("arguments", "code", "says"), TAKES_JSON.values(), ids=TAKES_JSON.keys())
def test_with_json_the_error_is_one_document(folder, capsys, arguments, code, says):
    assert run_command([*arguments, "--json"]) == code
    out, err = capsys.readouterr()
    error = read_json(out)["error"]
    assert list(error) == ["code", "message", "where", "hint"]
    assert says in err
    assert error["message"] in err
    assert error["hint"], "the one next thing to do"
    assert SECRET not in out


@pytest.mark.parametrize("name", ["no server", "unknown scheme", "bad zone", "log folder is a file"])
def test_nothing_is_left_behind(folder, capsys, name):
    before = sorted(folder.rglob("*"))
    run_command(CASES[name][0])
    assert sorted(folder.rglob("*")) == before


def test_no_command_at_all_shows_the_help(capsys):
    assert run_command([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: thinkagent [OPTIONS] COMMAND")
    assert "\n  replay " in err


@pytest.mark.parametrize("command", ["run", "tools", "log", "replay", "demo"])
def test_help_goes_to_stdout(capsys, command):
    assert run_command([command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: thinkagent {command}")
    assert err == ""


def test_a_dangling_reference_costs_its_own_operation_alone(folder, capsys):
    text = things("http://127.0.0.1:9").replace(
        '"properties":{"name"', '"$ref":"#/components/schemas/Gone","x":{"name"'
    )
    (folder / "dangling.json").write_text(text, "utf-8")
    assert run_command(["tools", "--spec", "dangling.json", "--json"]) == 0
    told = read_json(capsys.readouterr().out)
    names = [tool["name"] for tool in told["tools"]]
    assert "listThings" in names
    assert told["operations"] == len(told["tools"]) + len(told["skipped"]) == 2
    finding = next(finding for finding in told["findings"] if "Gone" in finding["message"])
    assert "/paths/~1things/post" in finding["pointer"]
    assert finding["consequence"]
