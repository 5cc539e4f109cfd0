"""Whatever hangs, the command ends within its time and a second, with its log closed."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from thinkagent.events import RunEnded
from thinkagent.journal import find_log, read_log

HANGING_NAMES = """
import socket, sys, time
def hang(*arguments, **more):
    time.sleep(20)
socket.getaddrinfo = hang
from thinkagent.cli.main import main
main()
"""


@pytest.mark.parametrize("timeout", [1])
def test_a_host_name_that_is_never_looked_up(tmp_path, timeout):
    document = tmp_path / "api.json"
    document.write_text(
        '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://slow.invalid"}],'
        '"paths":{"/things":{"get":{"operationId":"listThings","responses":{"200":{"description":"ok","content":'
        '{"application/json":{"schema":{"type":"array","items":{"type":"object","properties":'
        '{"id":{"type":"string"}}}}}}}}}}}}'
    )
    began = time.monotonic()
    ended = subprocess.run(
        [
            *(sys.executable, "-c", HANGING_NAMES, "run", "How many things are there?", "--spec", str(document)),
            *("--timeout", str(timeout), "--log-dir", str(tmp_path / "logs")),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    spent = time.monotonic() - began
    last = read_log(find_log("last", tmp_path / "logs")).records[-1].event
    assert isinstance(last, RunEnded)
    assert last.wall_us < (timeout + 1) * 1_000_000
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "--timeout" in ended.stderr
    assert spent < 15, "the process waited for the look-up"
