from __future__ import annotations

from typing import Any

import pytest

from tests.minds.asking import PAGE, Said, render
from thinkagent.minds.failures import ServerError
from thinkagent.minds.ladder import RUNGS, Ladder
from thinkagent.minds.request import ChatRequest

STRICT, OPEN = {"type": "object", "title": "strict"}, {"type": "object", "title": "open"}


def request(
    options: dict[str, Any] | None = None, *, rung: Any = "json_schema_strict", stream: bool = True
) -> ChatRequest:
    ladder = Ladder(rung, strict_schema=STRICT, open_schema=OPEN)
    return ChatRequest("m", options=options or {}, ladder=ladder, stream=stream)


def body(asked: ChatRequest) -> dict[str, Any]:
    return asked.body(render(PAGE))


@pytest.mark.parametrize(
    ("rung", "fields"),
    [
        (
            "json_schema_strict",
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "turn", "strict": True, "schema": STRICT},
                }
            },
        ),
        (
            "json_schema",
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "turn", "strict": False, "schema": OPEN},
                }
            },
        ),
        (
            "tool",
            {
                "tools": [
                    {
                        "type": "function",
                        "function": {"name": "act", "description": "Take one turn.", "parameters": OPEN},
                    }
                ],
                "tool_choice": {"type": "function", "function": {"name": "act"}},
            },
        ),
        ("json_object", {"response_format": {"type": "json_object"}}),
        ("text", {}),
    ],
)
def test_each_rung_asks_in_its_way(rung: Any, fields: dict[str, Any]) -> None:
    sent = body(request(rung=rung))
    assert {name: sent[name] for name in ("response_format", "tools", "tool_choice") if name in sent} == fields


@pytest.mark.parametrize(
    "error",
    [
        ServerError(400, "'response_format' is not supported"),
        ServerError(422, "no", "response_format.json_schema"),
        ServerError(400, "Invalid schema for structured outputs"),
        ServerError(500, "failed to parse grammar"),
        ServerError(404, "No endpoints found that support tool use"),
        ServerError(400, "tool_choice is unknown"),
        ServerError(400, "Bad Request"),
        ServerError(422, ""),
    ],
    ids=str,
)
def test_falls_to_the_ground_one_rung_at_a_time(error: ServerError) -> None:
    asked = request()
    seen = [asked.ladder.rung]
    while note := asked.learn(error):
        seen.append(asked.ladder.rung)
        assert repr(asked.ladder.rung) in note
    assert tuple(seen) == RUNGS


@pytest.mark.parametrize(
    "error",
    [
        ServerError(401, "response_format"),
        ServerError(429, "Bad Request"),
        ServerError(503, "tools are down"),
        ServerError(400, "the prompt is too long for response_format"),
        ServerError(400, "the model does not exist"),
        ServerError(400, "content policy"),
        ServerError(None, "response_format"),
    ],
    ids=str,
)
def test_stays_for_other_reasons(error: ServerError) -> None:
    asked = request()
    assert asked.learn(error) is None
    assert asked.ladder.rung == "json_schema_strict"


def test_an_unexplained_refusal_counts_only_before_the_first_reply() -> None:
    asked = request()
    asked.ladder.held()
    assert asked.learn(ServerError(400, "Bad Request")) is None


def test_a_user_who_sets_the_format_has_chosen() -> None:
    asked = ChatRequest("m", options={"response_format": {"type": "mine"}}, stream=True)
    assert asked.ladder.rung == "text"
    assert body(asked)["response_format"] == {"type": "mine"}


def test_the_word_json_is_in_the_prompt_of_json_object() -> None:
    sent = request(rung="json_object").body([Said("system", "Be brief."), Said("user", "Hello")])
    assert "JSON" in sent["messages"][-1]["content"]
    sent = request(rung="json_object").body([Said("system", "Use json."), Said("user", "Hello")])
    assert sent["messages"][-1]["content"] == "Hello"


def test_nothing_optional_is_sent_by_default() -> None:
    sent = body(request(rung="text"))
    assert set(sent) == {"model", "messages", "stream", "stream_options"}
    assert set(body(request(rung="text", stream=False))) == {"model", "messages", "stream"}


@pytest.mark.parametrize(
    ("options", "error", "gone", "left"),
    [
        pytest.param(
            {"temperature": 0, "seed": 1},
            ServerError(400, "Unsupported value: 'temperature' does not support 0", "temperature", "unsupported_value"),
            {"temperature"},
            {"seed": 1},
            id="param",
        ),
        pytest.param(
            {"seed": 1, "top_k": 2},
            ServerError(422, "Extra inputs are not permitted: seed, top_k"),
            {"seed", "top_k"},
            {},
            id="several-at-once",
        ),
        pytest.param(
            {"max_tokens": 9},
            ServerError(
                400, "max_tokens cannot be used here, take max_completion_tokens", "max_tokens", "unsupported_parameter"
            ),
            {"max_tokens"},
            {"max_completion_tokens": 9},
            id="renamed",
        ),
        pytest.param(
            {},
            ServerError(400, "stream_options: unknown field"),
            {"stream_options"},
            {"stream": True},
            id="stream_options",
        ),
        pytest.param({}, ServerError(400, "no streams", "stream"), {"stream_options"}, {"stream": False}, id="stream"),
        pytest.param({"stop": "x"}, ServerError(400, "unknown field 'stop'"), {"stop"}, {}, id="quoted-word"),
    ],
)
def test_a_refused_setting_is_dropped_or_renamed_once(
    options: dict[str, Any], error: ServerError, gone: set[str], left: dict[str, Any]
) -> None:
    asked = request(options)
    note = asked.learn(error)
    assert note is not None
    sent = body(asked)
    assert not gone & set(sent)
    assert left.items() <= sent.items()
    assert all(repr(name) in note for name in gone if name in options)
    # A server that says the same for ever comes to an end of what can be changed.
    assert sum(asked.learn(error) is not None for _ in range(10)) <= 1


@pytest.mark.parametrize(
    "error",
    [
        ServerError(400, "temperature must be at most 2"),
        ServerError(400, "stop this, it is not supported"),
        ServerError(500, "unknown setting temperature"),
    ],
    ids=str,
)
def test_a_refusal_for_another_reason_changes_nothing(error: ServerError) -> None:
    asked = request({"temperature": 3, "stop": "x"})
    before = body(asked)
    assert asked.learn(error) is None
    assert body(asked) == before


def test_a_rename_is_never_undone() -> None:
    asked = request({"max_tokens": 9})
    assert asked.learn(ServerError(400, "max_tokens is not supported, use max_completion_tokens"))
    assert asked.learn(ServerError(400, "max_completion_tokens is not supported, use max_tokens"))
    assert not {"max_tokens", "max_completion_tokens"} & set(body(asked))


@pytest.mark.parametrize(
    "message",
    [
        "System role not supported",
        "system messages are not allowed",
        "Unsupported role: system",
        "Conversation roles must alternate user/assistant/user/assistant/...",
    ],
)
def test_a_refused_system_role_moves_its_text_to_the_user(message: str) -> None:
    asked = request()
    assert asked.learn(ServerError(500, message))
    sent = asked.body([Said("system", "Rules"), Said("user", "Task"), Said("user", "More"), Said("assistant", "Reply")])
    assert sent["messages"] == [
        {"role": "user", "content": "Rules\n\nTask\n\nMore"},
        {"role": "assistant", "content": "Reply"},
    ]
    assert asked.ladder.rung == "json_schema_strict"
