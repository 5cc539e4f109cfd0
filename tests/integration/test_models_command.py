"""The command with a model behind HTTP, in a process of its own: exit codes, what stands where, and no traceback."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest

from tests.command import thinkagent
from tests.integration.model_cases import FAILED, HANGING, HOPELESS, TAKEN, UNUSABLE
from tests.integration.models import ANSWER, FINISH, LIST, NOW, TASK
from thinkagent.journal import find_log, read_log
from thinkagent.run.replay import replay_now
from thinkagent.shop import DOCUMENT_PATH, Shop, seed
from thinkagent.testing import FakeModelServer
from thinkagent.values import read_json

KEY = "the-model-server's-key-1"
START_S = 8
"""What a process may take to begin and to end on a busy machine, beside the run."""


class Said(NamedTuple):
    code: int
    out: str
    err: str
    seconds: float


@pytest.fixture
def command(tmp_path):
    def command(entries, *more, repeat_last=False):
        with Shop(seed(NOW)) as shop, FakeModelServer(entries, api_key=KEY, repeat_last=repeat_last) as server:
            began = time.monotonic()
            ended = thinkagent(
                *("run", TASK, "--spec", str(DOCUMENT_PATH), "--base-url", shop.url, "--auth", "bearerAuth=env:SHOP"),
                *("--model", "openai/fake-model", "--api-base", server.url, "--model-option", "api_key=env:KEY"),
                *("--log-dir", str(tmp_path / "logs"), *more),
                cwd=tmp_path,
                SHOP=shop.token,
                KEY=KEY,
            )
            seconds = time.monotonic() - began
        for unwanted in ("Traceback", KEY, shop.token):
            assert unwanted not in ended.stdout + ended.stderr
        replayed = replay_now(read_log(find_log("last", tmp_path / "logs")))
        assert (replayed.same, replayed.difference) == (True, "")
        return Said(ended.returncode, ended.stdout, ended.stderr, seconds)

    return command


MENDED = {
    "fence": [TAKEN["fence"], FINISH],
    "think": [TAKEN["think"], FINISH],
    "two-objects": [UNUSABLE["two-objects"].entry, LIST, FINISH],
    "cut": [UNUSABLE["cut"].entry, LIST, FINISH],
    "429": [FAILED["429"].entry, LIST, FINISH],
    "cut-in-the-middle": [FAILED["cut-in-the-middle"].entry, LIST, FINISH],
}


@pytest.mark.parametrize("entries", MENDED.values(), ids=MENDED.keys())
def test_the_answer_alone_is_on_stdout(entries, command):
    said = command(entries)
    assert (said.code, said.out) == (0, f"{ANSWER}\n")
    assert "A list tells its total" in said.err
    assert '"thought"' not in said.err


ENDING = {
    "unusable": (UNUSABLE["prose"].entry, "model_error", "3 times in a row"),
    "html": (HOPELESS["html"].entry, "model_error", "page of HTML"),
    "401": (HOPELESS["401"].entry, "model_error", "answered 401"),
    "500-for-ever": (FAILED["500"].entry, "model_error", "answered 500"),
}


@pytest.mark.parametrize(("entry", "status", "told"), ENDING.values(), ids=ENDING.keys())
def test_a_model_that_fails_ends_the_command(entry, status, told, command):
    said = command([entry], "--json", repeat_last=True)
    result = read_json(said.out)
    assert (said.code, result["status"], result["exit_code"], result["answer"]) == (3, status, 3, None)
    assert told in result["reason"]
    assert told in said.err


@pytest.mark.parametrize("name", ["no-answer", "pings-after-a-beginning"])
def test_a_model_that_hangs_ends_the_command_in_time(name, command):
    said = command([LIST, HANGING[name]], "--timeout", "1")
    assert (said.code, said.out) == (1, "")
    assert "--timeout" in said.err
    assert said.seconds < 1 + 1 + START_S


@pytest.mark.slow
def test_litellm_says_nothing_of_its_own(command):
    said = command([FAILED["500"].entry, UNUSABLE["prose"].entry, LIST, FINISH], "--via", "litellm")
    assert (said.code, said.out) == (0, f"{ANSWER}\n")
    noise = [line for line in said.err.splitlines() if "LiteLLM" in line or "litellm." in line]
    assert noise == []
