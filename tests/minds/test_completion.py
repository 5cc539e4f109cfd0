from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.minds.base import Reply, Usage
from thinkagent.minds.completion import Draft, NotACompletion, read_usage


def whole(message: dict[str, Any], **choice: Any) -> Reply:
    draft = Draft()
    draft.add({"choices": [{"index": 0, "message": message, **choice}]})
    return draft.reply("asked")


def streamed(*deltas: dict[str, Any], **choice: Any) -> Reply:
    draft = Draft()
    for delta in deltas:
        draft.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    draft.add({"choices": [{"index": 0, "delta": {}, **choice}]})
    return draft.reply("asked")


@pytest.mark.parametrize(
    ("message", "text", "reasoning", "refusal"),
    [
        pytest.param({"content": "hi"}, "hi", None, None, id="text"),
        pytest.param({"content": ""}, "", None, None, id="empty-is-not-null"),
        pytest.param({"content": None}, None, None, None, id="null"),
        pytest.param({}, None, None, None, id="missing"),
        pytest.param({"content": [{"type": "text", "text": "a"}, "b", {"type": "x"}]}, "ab", None, None, id="parts"),
        pytest.param(
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "a"},
                ]
            },
            "a",
            "hm",
            None,
            id="thinking-part",
        ),
        pytest.param({"content": [{"type": "refusal", "refusal": "no"}]}, "", None, "no", id="refusal-part"),
        pytest.param({"content": {"thought": "t"}}, '{"thought":"t"}', None, None, id="decoded-object"),
        pytest.param({"content": None, "refusal": "no"}, None, None, "no", id="refusal"),
        pytest.param({"content": "a", "reasoning_content": "hm"}, "a", "hm", None, id="reasoning_content"),
        pytest.param({"content": "a", "reasoning": "hm"}, "a", "hm", None, id="reasoning"),
        pytest.param({"content": "a", "reasoning": "hm", "reasoning_content": "hm"}, "a", "hm", None, id="both-fields"),
        pytest.param({"content": "<think>b</think>a", "reasoning": "hm"}, "a", "hm\nb", None, id="field-and-block"),
        pytest.param({"content": "<think>b"}, "", "b", None, id="unclosed-block"),
        pytest.param({"content": None, "reasoning_content": "hm"}, None, "hm", None, id="only-reasoning"),
    ],
)
def test_reads_the_shapes_of_a_message(
    message: dict[str, Any], text: str | None, reasoning: str | None, refusal: str | None
) -> None:
    for reply in (whole(message), streamed(message)):
        assert (reply.text, reply.reasoning, reply.refusal) == (text, reasoning, refusal)


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter", "eos", None])
def test_the_finish_reason_is_kept_as_sent(reason: str | None) -> None:
    assert whole({"content": "a"}, finish_reason=reason).finish_reason == reason
    assert streamed({"content": "a"}, finish_reason=reason).finish_reason == reason


def call(name: str | None, arguments: object, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


@pytest.mark.parametrize(
    ("deltas", "first", "extra"),
    [
        pytest.param([[call("get", "{}", index=0, id="a")]], ("get", "{}"), 0, id="one"),
        pytest.param(
            [[call("get", "", index=0, id="a")], [call(None, '{"a"', index=0)], [call(None, ": 1}", index=0)]],
            ("get", '{"a": 1}'),
            0,
            id="arguments-in-pieces",
        ),
        pytest.param(
            [
                [call("get", "", index=0, id="a"), call("put", "", index=1, id="b")],
                [call(None, "2", index=1)],
                [call(None, "1", index=0)],
            ],
            ("get", "1"),
            1,
            id="two-interleaved",
        ),
        pytest.param(
            [[call("get", "1", index=0, id="a")], [call("put", "2", index=0, id="b")]],
            ("get", "1"),
            1,
            id="one-index-two-ids",
        ),
        pytest.param([[call("get", "1", id="a"), call("put", "2", id="b")]], ("get", "1"), 1, id="no-index"),
        pytest.param([[call("get", "1", index=0)], [call("get", "2", index=0)]], ("get", "12"), 0, id="name-repeated"),
        pytest.param([[call("get", None, index=0)]], ("get", ""), 0, id="null-arguments"),
        pytest.param([[call("get", {"a": 1}, index=0)]], ("get", '{"a":1}'), 0, id="object-arguments"),
        pytest.param([[call("get", "{bad", index=0)]], ("get", "{bad"), 0, id="bad-json-stays"),
        pytest.param([[{"index": 0}], ["x"]], None, 0, id="no-function"),
    ],
)
def test_native_tool_calls_are_joined(deltas: list[Any], first: tuple[str, str] | None, extra: int) -> None:
    reply = streamed(*({"tool_calls": calls} for calls in deltas), finish_reason="tool_calls")
    assert (reply.tool_call, reply.extra_tool_calls) == (first, extra)


def test_the_older_function_call_is_a_call_too() -> None:
    expected = ("get", '{"a": 1}')
    assert whole({"content": None, "function_call": {"name": "get", "arguments": '{"a": 1}'}}).tool_call == expected
    pieces = [{"function_call": {"name": "get", "arguments": '{"a"'}}, {"function_call": {"arguments": ": 1}"}}]
    assert streamed(*pieces).tool_call == expected


def test_text_beside_a_call_is_kept() -> None:
    reply = whole({"content": "I look.", "tool_calls": [call("get", "{}")]})
    assert (reply.text, reply.tool_call) == ("I look.", ("get", "{}"))


def test_the_arguments_of_the_turn_itself_are_shown_while_they_come() -> None:
    draft = Draft()
    shown = [
        draft.add({"choices": [{"delta": {"tool_calls": [call(name, piece, index=0)]}}]}).text
        for name, piece in [("act", '{"th'), (None, 'ought": 1}')]
    ]
    assert shown == ['{"th', 'ought": 1}']
    draft = Draft()
    assert draft.add({"choices": [{"delta": {"tool_calls": [call("get", "{}", index=0)]}}]}).text == ""


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param({"prompt_tokens": 5, "completion_tokens": 2}, Usage(5, 2), id="plain"),
        pytest.param({"input_tokens": 5, "output_tokens": 2}, Usage(5, 2), id="other-names"),
        pytest.param(
            {
                "prompt_tokens": 5,
                "completion_tokens": 9,
                "completion_tokens_details": {"reasoning_tokens": 7},
                "prompt_tokens_details": {"cached_tokens": 0},
            },
            Usage(5, 9, 7, 0),
            id="details",
        ),
        pytest.param({"prompt_tokens": 5}, Usage(5, None), id="partial"),
        pytest.param({"prompt_tokens": 0, "completion_tokens": 0}, Usage(), id="zero-is-unknown"),
        pytest.param({"prompt_tokens": "5", "completion_tokens": True}, Usage(), id="no-numbers"),
        pytest.param({"prompt_tokens": -1, "prompt_tokens_details": None}, Usage(), id="nonsense"),
        pytest.param({}, Usage(), id="empty"),
    ],
)
def test_unknown_usage_is_never_zero(usage: dict[str, object], expected: Usage) -> None:
    assert read_usage(usage) == expected


def test_usage_comes_from_an_extra_last_chunk() -> None:
    draft = Draft()
    draft.add({"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]})
    draft.add({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 1}})
    draft.add({"usage": {"prompt_tokens": 4, "completion_tokens": 1}})
    assert draft.reply("asked").usage == Usage(4, 1)
    assert whole({"content": "a"}).usage == Usage()


def test_only_the_first_choice_counts() -> None:
    draft = Draft()
    draft.add({"choices": [{"index": 1, "delta": {"content": "b"}}, {"index": 0, "delta": {"content": "a"}}]})
    draft.add({"choices": [{"index": 1, "delta": {"content": "b"}, "finish_reason": "length"}]})
    reply = draft.reply("asked")
    assert (reply.text, reply.finish_reason, reply.model) == ("a", None, "asked")


@pytest.mark.parametrize("value", [None, [], "x", 7, {}, {"choices": None}, {"choices": {}}, {"data": []}])
def test_what_is_no_completion_is_said(value: object) -> None:
    with pytest.raises(NotACompletion):
        Draft().add(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["content", "delta", "message", "tool_calls", "function", "name", "arguments", "index", "id", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3))
def test_no_shape_of_a_choice_is_a_crash(choices: list[Any]) -> None:
    draft = Draft()
    draft.add({"choices": choices})
    assert isinstance(draft.reply("asked"), Reply)
