"""`thinkagent spec check`: every loss is told with its place, how bad it is, and what it means for a tool."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from thinkagent.cli.main import run_command

GOOD = """openapi: 3.1.0
info: {title: Good, version: '1'}
paths:
  /things:
    get: {operationId: listThings, responses: {'200': {description: ok}}}
"""
DANGLING = (
    GOOD
    + """  /lost:
    post:
      operationId: makeLost
      requestBody: {$ref: '#/components/requestBodies/Nowhere'}
      responses: {'200': {description: ok}}
"""
)
UPLOAD = (
    GOOD
    + """  /files:
    post:
      operationId: sendFile
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object}}}}
      responses: {'201': {description: ok}}
"""
)
TWICE = (
    GOOD
    + """  /again:
    get: {operationId: listThings, responses: {'200': {description: ok}}}
"""
)
SECRET = "file:///etc/hostname"
OUTSIDE = (
    GOOD
    + f"""  /out:
    get:
      operationId: getOut
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {{$ref: '{SECRET}'}}}}}}}}}}
"""
)

FOUND: dict[str, tuple[str, list[tuple[str, int | None, str, str]]]] = {
    "good": (GOOD, []),
    "a reference that leads nowhere": (
        DANGLING,
        [
            ("error", 7, "#/paths/~1lost/post", "POST /lost is left out"),
            ("warning", 9, "/requestBody", "leads nowhere"),
        ],
    ),
    "a body that is not supported": (UPLOAD, [("error", 7, "#/paths/~1files/post", "'multipart/form-data'")]),
    "not as the specification says": (
        TWICE,
        [("warning", None, "#", "listThings"), ("warning", None, "#", "(openapi-spec-validator)")],
    ),
}


@pytest.fixture
def check(tmp_path, capsys):
    def run(text: str, *more: str) -> tuple[int, str, str]:
        path = tmp_path / "api.yaml"
        path.write_text(text, "utf-8")
        code = run_command(["spec", "check", str(path), *more])
        return (code, *capsys.readouterr())

    return run


def findings(printed: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed)["findings"]
    return found


@pytest.mark.parametrize(("text", "rows"), FOUND.values(), ids=FOUND)
def test_what_is_found(check, text, rows):
    code, out, err = check(text, "--json")
    assert (code, err) == (0, "")
    assert bool(findings(out)) == bool(rows)
    for severity, line, pointer, message in rows:
        assert [
            one
            for one in findings(out)
            if one["severity"] == severity
            and pointer in one["pointer"]
            and message in one["message"]
            and (line is None or one["line"] == line)
        ], (severity, line, pointer, message, out)


@pytest.mark.parametrize(("text", "rows"), FOUND.values(), ids=FOUND)
def test_strict_fails_where_something_is_found(check, text, rows):
    code, out, _ = check(text, "--strict")
    assert code == (1 if rows else 0)
    assert out.splitlines()[-1].startswith("Good (OpenAPI 3.1.0): ")


def test_what_a_person_reads(check):
    _, out, _ = check(DANGLING, "--validator-s", "0")
    lines = out.splitlines()
    assert lines[0] == "error    line 7  #/paths/~1lost/post"
    assert lines[1].startswith("         POST /lost is left out: ")
    assert lines[-1] == "Good (OpenAPI 3.1.0): 2 operations, 1 tool, 1 skipped · 1 error, 1 warning"


def test_nothing_is_skipped_without_a_finding(check):
    out = json.loads(check(UPLOAD, "--json")[1])
    assert out["operations"] == out["tools"] + len(out["skipped"])
    assert {one["pointer"] for one in out["skipped"]} <= {one["pointer"] for one in out["findings"]}


def test_the_validator_is_stopped_in_time(check):
    paths = "".join(
        f"  /r{n}:\n    get: {{operationId: r{n}, responses: {{'200': {{description: ok}}}}}}\n" for n in range(4000)
    )
    started = time.monotonic()
    code, out, _ = check(GOOD + paths, "--validator-s", "0.2", "--json")
    assert code == 0
    assert json.loads(out)["lacking"] == "openapi-spec-validator was stopped after 0.2 s"
    assert time.monotonic() - started < 30


def test_what_the_validator_does_not_survive_is_told(check):
    text = GOOD.replace("operationId", "parameters: [{$ref: '#/components/parameters/Nowhere'}], operationId")
    code, out, _ = check(text, "--json")
    assert code == 0
    assert json.loads(out)["lacking"].startswith("openapi-spec-validator gave up: ")


def test_nothing_is_fetched_or_read_that_was_not_named(check):
    asked: list[str] = []

    class Counting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Counting)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        remote = OUTSIDE.replace(SECRET, f"http://127.0.0.1:{server.server_port}/schema.json")
        for text in (OUTSIDE, remote):
            code, out, _ = check(text, "--json")
            assert code == 0
            assert findings(out)
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []


@pytest.mark.parametrize(
    "arguments", [["spec"], ["spec", "check"], ["spec", "chek", "x"], ["spec", "check", "nowhere"]]
)
def test_bad_usage_is_told_in_one_line(capsys, arguments):
    assert run_command(arguments) == 2
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
