from __future__ import annotations

import http.client
import threading
from typing import Any

import pytest

from thinkagent.testing import Completion, FakeModelServer, Fault, ToolCall
from thinkagent.values import read_json, write_json


def post(server: FakeModelServer, body: Any, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], str]:
    return call(server, "POST", "/v1/chat/completions", write_json(body), headers)


def call(
    server: FakeModelServer, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(server.url.split("/")[2], timeout=5)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def events(body: str) -> list[Any]:
    data = [line.removeprefix("data: ") for line in body.split("\n") if line.startswith("data: ")]
    return [item if item == "[DONE]" else read_json(item) for item in data]


def test_answers_whole_and_in_order() -> None:
    with FakeModelServer(["one", {"thought": "two"}]) as server:
        contents = []
        for _ in range(2):
            status, _, body = post(server, {"model": "m", "messages": []})
            assert status == 200
            contents.append(read_json(body)["choices"][0]["message"]["content"])
    assert contents == ["one", '{"thought":"two"}']
    assert [request.body["model"] for request in server.requests] == ["m", "m"]


def test_streams_pieces_usage_and_the_end() -> None:
    with FakeModelServer(["abcdef"], piece=4) as server:
        _, headers, body = post(server, {"model": "m", "stream": True, "stream_options": {"include_usage": True}})
    assert headers["content-type"].startswith("text/event-stream")
    *chunks, usage, done = events(body)
    assert [chunk["choices"][0]["delta"].get("content") for chunk in chunks] == ["", "abcd", "ef", None]
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert usage["choices"] == []
    assert usage["usage"]["prompt_tokens"] == 11
    assert done == "[DONE]"


def test_usage_comes_only_if_asked_for() -> None:
    with FakeModelServer(["a"]) as server:
        _, _, body = post(server, {"stream": True})
    assert not any("usage" in event for event in events(body) if event != "[DONE]")


def test_a_callable_gets_the_request() -> None:
    with FakeModelServer([lambda body: "for " + body["model"]]) as server:
        _, _, body = post(server, {"model": "m"})
    assert read_json(body)["choices"][0]["message"]["content"] == "for m"


def test_a_script_that_runs_out_says_so() -> None:
    with FakeModelServer(["a"]) as server:
        post(server, {})
        status, _, body = post(server, {})
    assert status == 400
    assert "no more replies (request 2)" in body


def test_the_last_reply_may_go_on() -> None:
    with FakeModelServer([Fault.http(500)], repeat_last=True) as server:
        assert [post(server, {})[0] for _ in range(3)] == [500] * 3


def test_a_forced_tool_is_called() -> None:
    choice = {"type": "function", "function": {"name": "act"}}
    with FakeModelServer(['{"a": 1}', Completion("x", tool_calls=[ToolCall("other")])]) as server:
        message = read_json(post(server, {"tool_choice": choice})[2])["choices"][0]["message"]
        assert message["tool_calls"][0]["function"] == {"name": "act", "arguments": '{"a": 1}'}
        message = read_json(post(server, {"tool_choice": choice})[2])["choices"][0]["message"]
        assert message["tool_calls"][0]["function"]["name"] == "other"


@pytest.mark.parametrize(
    ("refuses", "body", "refused"),
    [
        ("response_format", {"response_format": {"type": "json_object"}}, True),
        ("json_schema", {"response_format": {"type": "json_schema"}}, True),
        ("json_schema", {"response_format": {"type": "json_object"}}, False),
        ("json_schema_strict", {"response_format": {"type": "json_schema", "json_schema": {"strict": True}}}, True),
        ("json_schema_strict", {"response_format": {"type": "json_schema", "json_schema": {"strict": False}}}, False),
        ("json_object", {"response_format": {"type": "json_object"}}, True),
        ("seed", {"seed": 1}, True),
        ("seed", {}, False),
        ("system", {"messages": [{"role": "system", "content": "x"}]}, True),
        ("system", {"messages": [{"role": "user", "content": "x"}]}, False),
    ],
)
def test_refuses_settings_by_name(refuses: str, body: dict[str, Any], refused: bool) -> None:
    with FakeModelServer(["ok"], refuses=[refuses]) as server:
        status, _, text = post(server, body)
        assert (status == 400) is refused
        if refused:
            assert ("system" if refuses == "system" else refuses) in text
            assert post(server, {})[0] == 200


def test_a_wrong_key_is_401_and_repeated() -> None:
    with FakeModelServer(["ok"], api_key="right") as server:
        status, _, body = post(server, {}, {"Authorization": "Bearer wrong"})
        assert (status, "wrong" in body) == (401, True)
        assert call(server, "GET", "/v1/models")[0] == 401
        assert post(server, {}, {"Authorization": "Bearer right"})[0] == 200


def test_lists_its_models_and_knows_no_other_address() -> None:
    with FakeModelServer(models=["a", "b"]) as server:
        _, _, body = call(server, "GET", "/v1/models")
        assert [model["id"] for model in read_json(body)["data"]] == ["a", "b"]
        assert call(server, "GET", "/v1/nothing")[0] == 404
        assert call(server, "POST", "/v1/embeddings", "{}")[0] == 404
        assert server.chats == []
        assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "status", "content_type", "body"),
    [
        pytest.param(Fault.http(429, headers={"Retry-After": "1"}), 429, "application/json", "says 429", id="http"),
        pytest.param(Fault.html(), 200, "text/html; charset=utf-8", "<!DOCTYPE html>", id="html"),
        pytest.param(Fault.raw("x", "text/plain"), 200, "text/plain", "x", id="raw"),
        pytest.param(Fault.redirect("http://h/"), 307, "application/json", "", id="redirect"),
        pytest.param(Fault.empty_stream(), 200, "text/event-stream; charset=utf-8", "data: [DONE]", id="empty"),
        pytest.param(Fault.cut("abc"), 200, "text/event-stream; charset=utf-8", '"content":"abc"', id="cut"),
        pytest.param(
            Fault.bad_chunk("abc"), 200, "text/event-stream; charset=utf-8", '{"choices": [{"delta": ', id="bad-chunk"
        ),
    ],
)
def test_faults_on_a_stream(fault: Fault, status: int, content_type: str, body: str) -> None:
    with FakeModelServer([fault]) as server:
        found, headers, text = post(server, {"stream": True})
    assert (found, headers["content-type"]) == (status, content_type)
    assert body in text
    assert fault.headers.get("Location") == headers.get("location")


def test_a_stream_that_is_cut_has_no_end() -> None:
    with FakeModelServer([Fault.cut("abc")]) as server:
        _, _, text = post(server, {"stream": True})
    assert "[DONE]" not in text
    assert '"stop"' not in text


def test_a_cut_body_is_shorter_than_it_says() -> None:
    with FakeModelServer([Fault.cut("abc")]) as server, pytest.raises(http.client.IncompleteRead):
        post(server, {})


def test_a_reset_gives_not_a_byte() -> None:
    with FakeModelServer([Fault.reset()]) as server, pytest.raises(http.client.RemoteDisconnected):
        post(server, {})


@pytest.mark.parametrize("fault", [Fault.hang(), Fault.drip("a"), Fault.pings()], ids=lambda fault: fault.kind)
def test_closing_ends_what_never_ends(fault: Fault) -> None:
    outcome: list[Any] = []

    def ask(server: FakeModelServer) -> None:
        try:
            outcome.append(post(server, {"stream": True}))
        except (OSError, http.client.HTTPException) as error:
            outcome.append(error)

    with FakeModelServer([fault]) as server:
        asking = threading.Thread(target=ask, args=(server,))
        asking.start()
        while not server.requests:
            server.closing.wait(0.005)
    asking.join(timeout=5)
    assert not asking.is_alive()
    assert len(outcome) == 1


def test_the_address_is_known_only_while_it_runs() -> None:
    server = FakeModelServer()
    with pytest.raises(RuntimeError, match="with block"):
        _ = server.url
