from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from tests.minds.asking import PAGE, Outcome, ask, ask_once, render
from tests.minds.faults import FAILURES, IDLE_S, ODD_ANSWERS, STREAM_FAILURES, TOTAL_S, TURN, WHOLE_FAILURES
from thinkagent.minds import litellm_loading
from thinkagent.minds.base import Usage
from thinkagent.minds.litellm import LiteLLMMind
from thinkagent.testing import Completion, FakeModelServer, Fault

# Importing litellm takes seconds.
pytestmark = pytest.mark.slow

CANARY = "sk-canary-0123456789"


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    asyncio.run(litellm_loading.load_litellm())
    # The first call imports more of it.
    with FakeModelServer([TURN, TURN]) as server:
        ask(LiteLLMMind("openai/m", api_base=server.url, render=render), times=1)
        ask(LiteLLMMind("openai/m", api_base=server.url, render=render, stream=False), times=1)


def mind(server: FakeModelServer, **settings: Any) -> LiteLLMMind:
    settings = {"total_s": TOTAL_S, "idle_s": IDLE_S, "render": render} | settings
    return LiteLLMMind("openai/fake-model", api_base=server.url, **settings)


def once(entry: Any, **settings: Any) -> Outcome:
    with FakeModelServer([entry]) as server:
        return ask_once(mind(server, **settings))


# litellm hides what came: of a stream that is none it makes one empty piece.
HIDDEN_IN_STREAMS = {"error-in-200": "malformed"}


@pytest.mark.parametrize(
    ("stream", "name"),
    [
        *((True, name) for name in FAILURES | STREAM_FAILURES),
        *((False, name) for name in FAILURES | WHOLE_FAILURES if name != "error-in-stream"),
    ],
)
def test_the_outcomes_are_those_of_the_thin_mind(stream: bool, name: str) -> None:
    case = (FAILURES | (STREAM_FAILURES if stream else WHOLE_FAILURES))[name]
    started = time.monotonic()
    failure = once(case.entry, stream=stream).failure
    assert time.monotonic() - started < TOTAL_S + 1
    assert failure is not None
    expected = HIDDEN_IN_STREAMS.get(name, case.kind) if stream else case.kind
    assert failure.kind == expected
    if failure.kind != "malformed":
        assert failure.retryable == case.retryable
    assert failure.message.startswith("the model 'openai/fake-model' at http://127.0.0.1:")
    for unwanted in ("Traceback", "litellm.", "OpenAIException", "\n", ".py"):
        assert unwanted not in failure.message


# What litellm loses or rewrites: unknown reasons become "stop", parts and refusals of a stream are dropped.
LOST: dict[tuple[bool, str], dict[str, Any] | None] = {
    (True, "refusal"): None,
    (True, "parts"): None,
    (False, "parts"): None,
    (True, "json-to-a-stream"): None,
    (True, "no-reason"): None,
    (False, "no-reason"): {"text": "a", "finish_reason": "stop"},
    (True, "unknown-reason"): {"finish_reason": "stop"},
    (False, "unknown-reason"): {"finish_reason": "stop"},
    (True, "other-model"): {"cost_usd": None},
    (False, "other-model"): {"model": "other", "cost_usd": None},
}


@pytest.mark.parametrize("name", ODD_ANSWERS)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_odd_answers_are_replies_or_malformed(stream: bool, name: str) -> None:
    entry, expected = ODD_ANSWERS[name]
    wanted = LOST.get((stream, name), expected)
    outcome = once(entry, stream=stream)
    if wanted is None:
        assert outcome.failure is not None
        assert outcome.failure.kind == "malformed"
    else:
        assert outcome.reply is not None
        assert {field: getattr(outcome.reply, field) for field in wanted} == wanted


def test_a_known_name_costs_nothing_at_a_custom_base() -> None:
    for stream in (True, False):
        reply = once(Completion(TURN, model="gpt-4o"), stream=stream).reply
        assert reply is not None
        assert (reply.cost_usd, reply.usage) == (None, Usage(11, 7))


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_usage_that_no_server_told_is_unknown(stream: bool) -> None:
    reply = once(Completion(TURN, usage=None, model="llama-3-8b"), stream=stream).reply
    assert reply is not None
    assert reply.usage == Usage()


def test_a_429_tells_how_long_to_wait_and_is_not_retried_here() -> None:
    with FakeModelServer([Fault.http(429, headers={"Retry-After": "2"}), TURN]) as server:
        first, second = ask(mind(server), times=2)
        assert len(server.chats) == 2
    assert first.failure is not None
    assert (first.failure.kind, first.failure.retry_after_s, first.failure.status) == ("rate_limited", 2.0, 429)
    assert second.reply is not None
    assert second.shown == TURN


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_one_attempt_is_one_request(status: int) -> None:
    with FakeModelServer([Fault.http(status)], repeat_last=True) as server:
        ask(mind(server), times=2)
        assert len(server.chats) == 2


def test_climbs_down_and_drops_settings() -> None:
    with FakeModelServer([TURN], refuses=("json_schema", "seed")) as server:
        asked = mind(server, options={"seed": 1})
        outcomes = ask(asked, times=4)
    kinds = [outcome.failure.kind if outcome.failure else "ok" for outcome in outcomes]
    assert kinds == ["unsupported"] * 3 + ["ok"]
    assert asked.rung == "tool"
    assert outcomes[-1].reply is not None
    assert outcomes[-1].reply.tool_call == ("act", TURN)
    assert outcomes[-1].shown == TURN


def test_a_setting_that_litellm_refuses_itself_is_dropped() -> None:
    from decimal import Decimal

    with FakeModelServer([TURN]) as server:
        asked = LiteLLMMind("openai/gpt-5", api_base=server.url, render=render, options={"temperature": Decimal("0.2")})
        first, second = ask(asked, times=2)
        assert "temperature" not in server.chats[0].body
    assert first.failure is not None
    assert first.failure.kind == "unsupported"
    assert "'temperature'" in first.failure.message
    assert second.reply is not None


def test_settings_arrive_as_json_numbers() -> None:
    from decimal import Decimal

    with FakeModelServer([TURN]) as server:
        ask_once(mind(server, options={"temperature": Decimal("0.25"), "seed": 7, "x": {"y": [Decimal("3")]}}))
        body = server.chats[0].body
    assert (str(body["temperature"]), body["seed"], body["x"]) == ("0.25", 7, {"y": [3]})


def test_the_key_of_the_environment_never_goes_to_a_custom_base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with FakeModelServer([TURN] * 2) as server:
        assert ask_once(mind(server)).reply is not None
        assert ask_once(LiteLLMMind("lm_studio/m", api_base=server.url, render=render)).reply is not None
        assert len(server.chats) == 2
        assert CANARY not in str(server.requests)


def test_a_key_that_the_server_repeats_is_not_in_the_failure() -> None:
    with FakeModelServer([TURN], api_key="another-key") as server:
        failure = ask_once(mind(server, api_key=CANARY)).failure
    assert failure is not None
    assert failure.kind == "auth"
    assert "***" in failure.message
    assert CANARY not in failure.message


def test_a_redirect_leaks_nothing() -> None:
    with FakeModelServer([TURN]) as other, FakeModelServer([Fault.redirect(other.url + "/chat/completions")]) as server:
        assert ask_once(mind(server, api_key=CANARY)).failure is not None
    assert other.requests == []


@pytest.mark.parametrize("model", ["openai/m", "lm_studio/m"])
def test_a_proxy_of_the_environment_never_sees_loopback(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with FakeModelServer([TURN]) as proxy, FakeModelServer([TURN]) as server:
        for name in ("HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        assert ask_once(LiteLLMMind(model, api_base=server.url, render=render)).reply is not None
    assert proxy.requests == []


def test_an_unknown_provider_names_the_nearest() -> None:
    failure = ask_once(LiteLLMMind("antropic/m", render=render)).failure
    assert failure is not None
    assert failure.kind == "bad_request"
    assert "'anthropic'" in failure.message


def test_a_missing_key_of_a_provider_is_an_auth_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    failure = ask_once(LiteLLMMind("anthropic/claude-sonnet-4-5", render=render)).failure
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("auth", False)
    assert "ANTHROPIC_API_KEY" in failure.message


def test_who_watches_may_fail_as_itself() -> None:
    def broken(delta: object) -> None:
        raise BrokenPipeError

    with FakeModelServer([TURN]) as server, pytest.raises(BrokenPipeError):
        asyncio.run(mind(server).reply(PAGE, broken))


def test_what_cannot_be_imported_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(litellm_loading, "_module", None)
    monkeypatch.setattr(litellm_loading.importlib, "import_module", broken)
    failure = ask_once(LiteLLMMind("openai/m", api_base="http://127.0.0.1:1/v1", render=render)).failure
    assert failure is not None
    assert failure.kind == "unavailable"
    assert "litellm cannot be loaded" in failure.message


SCRIPT = """
import asyncio, os
from tests.minds.asking import ask, render
from thinkagent.minds.litellm import LiteLLMMind
from thinkagent.testing import Completion, FakeModelServer, Fault

before = dict(os.environ)
entries = ["{}", Fault.http(500), Fault.http(401), Fault.html(), Fault.cut("abc"), Completion([{"type": "text"}])]
for stream in (True, False):
    with FakeModelServer(entries) as server:
        ask(LiteLLMMind("openai/m", api_base=server.url, render=render, stream=stream), times=len(entries))
        assert len(server.chats) == len(entries)
ask(LiteLLMMind("nobody/m", render=render))
added = {name for name, value in os.environ.items() if before.get(name) != value}
assert added <= {"LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_MODE", "NO_PROXY", "no_proxy"}, added
"""


def test_nothing_of_it_is_on_stdout_or_stderr_or_in_the_environment(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"OPENAI_API_KEY={CANARY}\nOPENAI_BASE_URL=http://127.0.0.1:9\n")
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))
    root = Path(__file__).resolve().parents[2]
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "LITELLM", "PYTEST"))
    }
    command = [sys.executable, "script.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=110
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
