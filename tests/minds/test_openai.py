from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any

import httpx
import pytest

from tests.minds.asking import PAGE, Outcome, ask, ask_once, attempt, render
from tests.minds.faults import FAILURES, IDLE_S, ODD_ANSWERS, STREAM_FAILURES, TOTAL_S, TURN, WHOLE_FAILURES, Case
from thinkagent.errors import UsageError
from thinkagent.minds.base import Usage
from thinkagent.minds.openai import OpenAIMind
from thinkagent.testing import Completion, FakeModelServer, Fault, ToolCall

CANARY = "sk-canary-0123456789"


def mind(server: FakeModelServer, **settings: Any) -> OpenAIMind:
    settings = {"total_s": TOTAL_S, "idle_s": IDLE_S, "render": render} | settings
    return OpenAIMind("fake-model", api_base=server.url, **settings)


def once(entry: Any, **settings: Any) -> Outcome:
    with FakeModelServer([entry]) as server:
        return ask_once(mind(server, **settings))


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_asks_and_answers(stream: bool) -> None:
    with FakeModelServer([TURN], api_key=CANARY) as server:
        outcome = ask_once(mind(server, api_key=CANARY, stream=stream, options={"seed": 7, "x": {"y": [1]}}))
    reply = outcome.reply
    assert reply is not None
    assert (reply.text, reply.finish_reason, reply.model) == (TURN, "stop", "fake-model")
    assert (reply.usage, reply.cost_usd) == (Usage(11, 7), None)
    assert outcome.shown == TURN
    assert reply.first_token_us is not None
    assert reply.total_us is not None
    assert 0 < reply.first_token_us <= reply.total_us
    [request] = server.chats
    assert request.body["messages"] == [
        {"role": "system", "content": "Answer in JSON."},
        {"role": "user", "content": "count the planets"},
    ]
    assert (request.body["model"], request.body["stream"]) == ("fake-model", stream)
    assert (request.body["seed"], request.body["x"]) == (7, {"y": [1]})
    assert request.headers["authorization"] == f"Bearer {CANARY}"
    assert request.headers["accept-encoding"] == "identity"


def test_without_a_key_no_credential_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with FakeModelServer([TURN]) as server:
        assert ask_once(mind(server)).reply is not None
    assert "authorization" not in server.chats[0].headers
    assert CANARY not in str(server.chats)


@pytest.mark.parametrize(
    "server_settings",
    [{"piece": 1, "split_bytes": 1}, {"line_end": "\r\n", "split_bytes": 7}, {"piece": 10_000}],
    ids=["bytes", "crlf-sevens", "one-piece"],
)
def test_a_stream_may_be_split_anywhere(server_settings: dict[str, Any]) -> None:
    with FakeModelServer([TURN], **server_settings) as server:
        outcome = ask_once(mind(server, total_s=5, idle_s=5))
    assert outcome.reply is not None
    assert outcome.reply.text == outcome.shown == TURN


@pytest.mark.parametrize(
    ("stream", "case"),
    [
        *(pytest.param(True, case, id=f"stream-{name}") for name, case in (FAILURES | STREAM_FAILURES).items()),
        *(
            pytest.param(False, case, id=f"whole-{name}")
            for name, case in (FAILURES | WHOLE_FAILURES).items()
            if name != "error-in-stream"
        ),
    ],
)
def test_every_fault_has_its_typed_outcome_in_time(stream: bool, case: Case) -> None:
    started = time.monotonic()
    failure = once(case.entry, stream=stream).failure
    assert time.monotonic() - started < TOTAL_S + 1
    assert failure is not None
    assert (failure.kind, failure.retryable) == (case.kind, case.retryable)
    assert case.says in failure.message
    assert failure.message.startswith("the model 'openai/fake-model' at http://127.0.0.1:")
    assert "Traceback" not in failure.message
    assert "\n" not in failure.message


@pytest.mark.parametrize(("entry", "expected"), [pytest.param(*odd, id=name) for name, odd in ODD_ANSWERS.items()])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_odd_answers_are_replies(stream: bool, entry: Completion, expected: dict[str, Any]) -> None:
    reply = once(entry, stream=stream).reply
    assert reply is not None
    assert {name: getattr(reply, name) for name in expected} == expected


def test_thinking_is_never_shown_as_text() -> None:
    outcome = once(Completion(f"<think>secret {{}}</think>{TURN}", reasoning="more "))
    assert (outcome.shown, outcome.shown_reasoning) == (TURN, "more secret {}")


def test_a_429_then_a_reply() -> None:
    with FakeModelServer([Fault.http(429, headers={"Retry-After": "2"}), TURN]) as server:
        first, second = ask(mind(server), times=2)
    assert first.failure is not None
    assert (first.failure.kind, first.failure.retryable, first.failure.retry_after_s) == ("rate_limited", True, 2.0)
    assert first.failure.status == 429
    assert second.reply is not None
    assert len(server.chats) == 2


def test_one_attempt_is_one_request() -> None:
    with FakeModelServer([Fault.http(500)], repeat_last=True) as server:
        outcomes = ask(mind(server), times=3)
    assert [outcome.failure.kind for outcome in outcomes if outcome.failure] == ["unavailable"] * 3
    assert len(server.chats) == 3


def test_a_redirect_leaks_nothing() -> None:
    with FakeModelServer([TURN]) as other, FakeModelServer([Fault.redirect(other.url + "/chat/completions")]) as server:
        outcome = ask_once(mind(server, api_key=CANARY))
    assert outcome.failure is not None
    assert other.requests == []


def test_pings_do_not_keep_a_silent_stream_alive_but_content_does() -> None:
    with FakeModelServer([Fault.drip("abc", 0.02)]) as server:
        outcome = ask_once(mind(server, total_s=0.6, idle_s=0.2))
    assert outcome.failure is not None
    assert "0.6 s" in outcome.failure.message
    assert outcome.shown


def test_a_finished_answer_counts_although_the_server_holds_on() -> None:
    chunk = '{"choices": [{"index": 0, "delta": {"content": "done"}, "finish_reason": "stop"}]}'

    class Held(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield f"data: {chunk}\n\n".encode()
            await asyncio.sleep(60)

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Held())

    held = OpenAIMind(
        "m", api_base="http://127.0.0.1:1/v1", total_s=0.3, render=render, transport=httpx.MockTransport(answer)
    )
    outcome = ask_once(held)
    assert outcome.reply is not None
    assert outcome.reply.text == "done"


def test_a_flood_is_cut_at_the_cap() -> None:
    class Flood(httpx.AsyncByteStream):
        sent = 0

        async def __aiter__(self) -> Any:
            while True:
                Flood.sent += 1 << 20
                yield b": " + b"x" * ((1 << 20) - 3) + b"\n"

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Flood())

    flooded = OpenAIMind("m", api_base="http://127.0.0.1:1/v1", render=render, transport=httpx.MockTransport(answer))
    failure = ask_once(flooded).failure
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("malformed", False)
    assert Flood.sent < 40 << 20


def test_an_unasked_content_encoding_is_not_decoded() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"bomb"))

    zipped = OpenAIMind("m", api_base="http://127.0.0.1:1/v1", render=render, transport=httpx.MockTransport(answer))
    failure = ask_once(zipped).failure
    assert failure is not None
    assert "'gzip'" in failure.message


def test_a_port_where_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    failure = ask_once(OpenAIMind("m", api_base=f"http://127.0.0.1:{port}/v1", render=render)).failure
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("unavailable", True)
    assert "cannot be reached" in failure.message


@pytest.mark.parametrize(
    ("refuses", "rung"),
    [
        ((), "json_schema_strict"),
        (("json_schema_strict",), "json_schema"),
        (("json_schema",), "tool"),
        (("json_schema", "tools"), "json_object"),
        (("response_format", "tools"), "text"),
    ],
    ids=str,
)
def test_climbs_down_to_what_the_server_takes_and_stays_there(refuses: tuple[str, ...], rung: str) -> None:
    with FakeModelServer([TURN, TURN], refuses=refuses) as server:
        asked = mind(server)
        outcomes = ask(asked, times=6)
    refusals = [outcome.failure for outcome in outcomes if outcome.failure]
    replies = [outcome for outcome in outcomes if outcome.reply]
    unsupported = [failure for failure in refusals if failure.kind == "unsupported"]
    assert asked.rung == rung
    assert len(replies) == 2
    assert all((failure.retryable, failure.retry_after_s) == (True, 0.0) for failure in unsupported)
    # The script ends after two replies; nothing is learnt from that.
    assert {failure.kind for failure in refusals} <= {"unsupported", "bad_request"}
    assert [outcome.failure is None for outcome in outcomes[: len(unsupported)]] == [False] * len(unsupported)
    for outcome in replies:
        assert outcome.shown == TURN
        assert outcome.reply is not None
        assert outcome.reply.tool_call == (("act", TURN) if rung == "tool" else None)


def test_refused_settings_are_dropped_and_remembered() -> None:
    with FakeModelServer([TURN, TURN], refuses=("seed", "stream_options", "system")) as server:
        outcomes = ask(mind(server, options={"seed": 1, "temperature": 0}), times=5)
    assert [outcome.failure.kind if outcome.failure else "ok" for outcome in outcomes] == ["unsupported"] * 3 + [
        "ok"
    ] * 2
    last = server.chats[-1].body
    assert not {"seed", "stream_options"} & set(last)
    assert last["temperature"] == 0
    assert [item["role"] for item in last["messages"]] == ["user"]


def test_a_key_that_the_server_repeats_is_not_in_the_failure() -> None:
    with FakeModelServer([TURN], api_key="another-key") as server:
        failure = ask_once(mind(server, api_key=CANARY)).failure
    assert failure is not None
    assert failure.kind == "auth"
    assert "***" in failure.message
    chain: BaseException | None = failure
    while chain is not None:
        assert CANARY not in str(chain)
        assert CANARY not in repr(chain)
        chain = chain.__cause__ or chain.__context__


def test_a_proxy_of_the_environment_never_sees_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeModelServer([TURN]) as proxy, FakeModelServer([TURN]) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        assert ask_once(mind(server)).reply is not None
    assert proxy.requests == []


@pytest.mark.parametrize(
    ("name", "value"), [("ALL_PROXY", "gopher://127.0.0.1:9"), ("SSL_CERT_FILE", "/nonexistent/certificates.pem")]
)
def test_a_bad_environment_is_a_failure_that_names_it(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    failure = ask_once(OpenAIMind("m", api_base="https://model.invalid/v1", render=render)).failure
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("unavailable", False)
    assert name in failure.message
    assert value not in failure.message


def test_cookies_are_not_kept() -> None:
    fault = Fault.http(500, headers={"Set-Cookie": "a=b; Path=/"})
    with FakeModelServer([fault, TURN]) as server:
        ask(mind(server), times=2)
    assert "cookie" not in server.chats[1].headers


def test_cancelling_closes_the_connection_at_once() -> None:
    asked_for = threading.Event()

    def hang(body: object) -> Fault:
        asked_for.set()
        return Fault.hang()

    async def run(asked: OpenAIMind) -> float:
        task = asyncio.create_task(attempt(asked))
        assert await asyncio.to_thread(asked_for.wait, 5)
        task.cancel()
        started = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asked.aclose()
        return time.monotonic() - started

    with FakeModelServer([hang]) as server:
        assert asyncio.run(run(mind(server, total_s=60, idle_s=60))) < 1


def test_one_mind_serves_several_loops_and_after_closing() -> None:
    with FakeModelServer([TURN] * 3) as server:
        asked = mind(server)
        assert ask_once(asked).reply is not None
        assert ask_once(asked).reply is not None

        async def unclosed() -> Outcome:
            return await attempt(asked, PAGE)

        assert asyncio.run(unclosed()).reply is not None


def test_who_watches_may_fail_as_itself() -> None:
    def broken(delta: object) -> None:
        raise BrokenPipeError

    with FakeModelServer([TURN]) as server, pytest.raises(BrokenPipeError):
        asyncio.run(mind(server).reply(PAGE, broken))


@pytest.mark.parametrize("key", ["", " \n", "kéy-canary-1234", "a\nb-canary-1234", "a\x00b-canary-1234"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIMind("m", api_key=key)
    assert "canary" not in str(caught.value)


def test_nothing_empty_is_told_to_who_watches() -> None:
    for entry in (TURN, Completion(None, finish_reason="length"), Completion(tool_calls=[ToolCall("get")])):
        assert all(delta.text or delta.reasoning for delta in once(entry).deltas)
