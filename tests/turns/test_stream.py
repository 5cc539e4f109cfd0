"""While a reply streams, its thought is shown, decoded, and nothing else of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.turns.test_parse import printed, turns
from thinkagent.turns.parse import parse_reply
from thinkagent.turns.stream import ThoughtStream


def streamed(text: str, sizes: list[int]) -> str:
    """Feed a text in pieces of these sizes, over and over."""
    stream = ThoughtStream()
    shown: list[str] = []
    position, number = 0, 0
    while position < len(text):
        size = sizes[number % len(sizes)]
        shown.append(stream.feed(text[position : position + size]))
        position, number = position + size, number + 1
    return "".join([*shown, stream.close()])


SAID = "I use {id}, **bold** words and more than the forty characters that are held back.\nThen a second line."
REST = ', "action": {"tool": "x", "arguments": {"thought": "inner"}}}'


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 10_000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param('{"thought": "look"' + REST, "look", id="bare"),
        pytest.param('{ "thought" : "look"' + REST, "look", id="blanks"),
        pytest.param('Sure {id}: ```json\n{"thought": "look"' + REST, "look", id="prose-and-fence"),
        pytest.param(
            '{"plan": ["thought", {"thought": "no"}], "doing": 1, "thought": "look"' + REST, "look", id="later-key"
        ),
        pytest.param('{"other": "' + "long " * 30 + '\\"", "thought": "look"' + REST, "look", id="after-a-long-text"),
        pytest.param('{"id": 7} {"thought": "look"' + REST, "look", id="after-an-example"),
        pytest.param('<think>{"thought": "draft"} hm</think>{"thought": "look"' + REST, "look", id="think"),
        pytest.param('{"thought": "a\\n\\t\\"q\\" \\\\ \\/ \\b\\f\\r"' + REST, 'a\n\t"q" \\ / \b\f\r', id="escapes"),
        pytest.param('{"thought": "\\u00e9\\u4e2d\\ud83d\\ude00!"' + REST, "é中😀!", id="unicode"),
        pytest.param('{"thought": "a \\<<b>>"' + REST, "a \\<<b>>", id="backslash-less-than"),
        pytest.param('{"thought": "我先查"' + REST, "我先查", id="zh"),
        pytest.param('{"thought": ""' + REST, "", id="blank"),
        pytest.param('{"thought": null' + REST, "", id="null"),
        pytest.param('{"action": {"tool": "x", "arguments": {"thought": "inner"}}}', "", id="no-thought"),
        pytest.param('{"thought": "one"' + REST + ' {"thought": "two"' + REST, "one", id="only-the-first"),
        pytest.param('{"thought": "cut in the mid', "cut in the mid", id="cut"),
        pytest.param('{"thought": "cut\\', "cut", id="cut-in-escape"),
        pytest.param('{"thought": "cut\\u00', "cut", id="cut-in-unicode"),
        pytest.param("No object, only prose with a {brace} in it.", "", id="prose"),
        pytest.param('<think>never ends {"thought": "x"}', "", id="unclosed-think"),
        pytest.param(f'**Thought Process:** {SAID}\n\n**Next Action:** {{"tool_name": "x"}}', SAID, id="essay"),
        pytest.param(f'Thought: {SAID} \nAction: ```json\n{{"tool": "x"}}\n```', SAID, id="essay-plain"),
        pytest.param(f'**Thought:** {SAID}\n```json\n{{"tool": "x"}}', SAID, id="essay-no-action-heading"),
        pytest.param(f'**Thought:** {SAID}\n{{"tool": "x"}}', SAID, id="essay-object-at-once"),
        pytest.param(f'**思考：** {SAID} **行动：** {{"tool": "x"}}', SAID, id="essay-zh"),
        pytest.param("**Thought Process:** short", "short", id="essay-cut"),
        pytest.param(f"{'x' * 39}Thought: not at a line's start", "", id="no-heading"),
    ],
)
def test_the_thought_is_shown_and_nothing_else(text, shown, size):
    assert streamed(text, [size]) == shown


@given(turn=turns, sizes=st.lists(st.integers(1, 20), min_size=1, max_size=6), escaped=st.booleans())
def test_however_it_is_cut_it_equals_the_decoded_json(turn, sizes, escaped):
    text = printed(turn, strict=False)
    if escaped:
        text = json.dumps(json.loads(text), ensure_ascii=True)
    assert streamed(text, sizes) == turn.thought


@given(
    text=st.text() | st.sampled_from(["<think>", "**Thought:**", '{"thought"', "{'a"]),
    sizes=st.lists(st.integers(1, 9), min_size=1),
)
def test_any_text_can_be_fed(text, sizes):
    streamed(text, sizes)


@pytest.mark.parametrize("size", [1, 5])
def test_what_was_shown_is_the_thought_of_the_turn(size):
    text = f'**Thought Process:** {SAID}\n**Next Action:** {{"tool_name": "x"}}'
    assert streamed(text, [size]) == parse_reply(text).thought


def test_a_piece_is_shown_as_soon_as_it_is_there():
    stream = ThoughtStream()
    pieces = ['{"thou', 'ght": "I l', "ook", " it up.", '", "action": {}}']
    assert [stream.feed(piece) for piece in pieces] == ["", "I l", "ook", " it up.", ""]
    assert stream.done
    assert stream.feed('{"thought": "more"}') == ""


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text", ['{"a": "' + "x" * 300_000, "{'" * 100_000, "Thought: " + "x" * 300_000, '{"' * 50_000]
)
def test_a_long_stream_costs_little(text):
    streamed(text, [5])
