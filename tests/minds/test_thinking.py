from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.minds.thinking import ThinkingSplitter, split_thinking

ANSWER = '{"thought": "t", "action": {}}'


@pytest.mark.parametrize(
    ("text", "said", "reasoning"),
    [
        pytest.param(ANSWER, ANSWER, None, id="none"),
        pytest.param(f"<think>hm</think>{ANSWER}", ANSWER, "hm", id="block"),
        pytest.param(f"\n <think>\nhm\n</think>\n\n{ANSWER}", ANSWER, "hm", id="blanks"),
        pytest.param(f"<THINKING>hm</THINKING>{ANSWER}", ANSWER, "hm", id="other-name"),
        pytest.param(f"<think></think>{ANSWER}", ANSWER, None, id="empty-block"),
        pytest.param(f"<think>a</think><think>b</think>{ANSWER}", ANSWER, "a\nb", id="two-blocks"),
        pytest.param(
            f'maybe {{"tool":"delete"}} no.</think>{ANSWER}', ANSWER, 'maybe {"tool":"delete"} no.', id="only-closing"
        ),
        pytest.param(f'{{"tool":"delete"}} no.</think>{ANSWER}', ANSWER, '{"tool":"delete"} no.', id="draft-first"),
        pytest.param(f'it says "stop.</think>{ANSWER}', ANSWER, 'it says "stop.', id="odd-quote-in-prose"),
        pytest.param("<think>never closed " + ANSWER, "", "never closed " + ANSWER, id="unclosed"),
        pytest.param('{"thought": "a </think> b"}', '{"thought": "a </think> b"}', None, id="closing-in-a-string"),
        pytest.param(
            '{"thought": "<think>a</think> b"}', '{"thought": "<think>a</think> b"}', None, id="block-in-a-string"
        ),
        pytest.param(r'{"t": "\" </think>"}', r'{"t": "\" </think>"}', None, id="escaped-quote"),
        pytest.param(f"<think>a</think> so </think>{ANSWER}", ANSWER, "a\nso", id="closed-twice"),
        pytest.param("I <think> so", "I <think> so", None, id="tag-not-at-the-beginning"),
        pytest.param("", "", None, id="empty"),
    ],
)
def test_splits_thinking_from_the_answer(text: str, said: str, reasoning: str | None) -> None:
    assert split_thinking(text) == (said, reasoning)


def test_many_tags_take_linear_time() -> None:
    said, reasoning = split_thinking("</think>" * 50_000 + "x")
    assert (said, reasoning) == ("x", None)
    text = '{"a": "' + "</think>" * 50_000 + '"}'
    assert split_thinking(text) == (text, None)


def stream(text: str, cuts: list[int]) -> tuple[str, str]:
    splitter = ThinkingSplitter()
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [splitter.feed(text[start:stop]) for start, stop in pairwise(edges)]
    pieces.append(splitter.finish())
    return "".join(said for said, _ in pieces), "".join(reasoning for _, reasoning in pieces)


@given(
    before=st.sampled_from(
        ["", " ", "<think>a < b</think>", "<think>x</think>\n<thinking>y</thinking>", "<think>open <"]
    ),
    answer=st.sampled_from([ANSWER, "<thin", "plain < text", ""]),
    cuts=st.lists(st.integers(0, 60), max_size=10),
)
def test_a_stream_shows_the_same_as_the_whole_wherever_it_is_split(before: str, answer: str, cuts: list[int]) -> None:
    said, reasoning = split_thinking(before + answer)
    shown, thought = stream(before + answer, cuts)
    assert shown.strip() == said.strip()
    assert thought.replace("\n", "") == (reasoning or "").replace("\n", "")
