"""A log tells each text of a prompt once, and gives every prompt back just as it was shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.kit import SCENARIOS, Rows
from thinkagent.events import PromptShown, prompt_texts
from thinkagent.events.prompts import prompt_changes, prompt_parts, whole_prompt
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.turns import render_blocks
from thinkagent.values import tokens

PARTS = st.lists(st.sampled_from([["user", text] for text in "abcdefgh"] + [["system", "a"]]), max_size=90)


@given(PARTS, PARTS)
def test_a_prompt_comes_back_from_its_changes(before, now):
    assert whole_prompt(before, prompt_changes(before, now)) == now


def test_what_stays_is_named_by_its_place():
    before = [["user", str(number)] for number in range(100)]
    now = [*before[:60], ["user", "new"], *before[61:]]
    assert prompt_changes(before, now) == [[0, 60], ["user", "new"], [61, 39]]
    assert prompt_changes(before, before) == [[0, 100]]


@given(st.text(max_size=20), st.text("ab{}", min_size=40, max_size=60), st.text("cd", min_size=40), st.text(max_size=9))
def test_a_shared_text_is_named_where_it_stands(head, observation, thought, tail):
    text = f"{head}{thought}:{observation}{tail}"
    shared = {"observation": observation, "thought": thought}
    parts = prompt_parts(text, 3, shared)
    pieces = parts if isinstance(parts, list) else [parts]
    assert "".join(one if isinstance(one, str) else shared[one["part"]] for one in pieces) == text
    assert {"turn": 3, "part": "observation"} in pieces


def test_a_short_text_is_told_again():
    assert prompt_parts("so: yes", 1, {"thought": "yes"}) == "so: yes"


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "secrets"])
def test_every_prompt_of_a_log_is_what_the_mind_was_shown(name):
    scenario = SCENARIOS[name]
    mind = ScriptedMind(list(scenario.script))
    result = scenario.run(Rows(), mind=mind)
    told = list(prompt_texts(result.records))
    assert [[(block.role, block.text) for block in render_blocks(page)] for page in mind.pages] == [
        texts for _, texts in told
    ]
    assert [event.tokens for event, _ in told] == [sum(tokens(text) for _, text in texts) for _, texts in told]


def test_a_secret_in_a_prompt_is_told_by_name():
    result = SCENARIOS["secrets"].run(Rows())
    last = list(prompt_texts(result.records))[-1][1]
    assert "tok-998877665544" not in str(last)
    assert "«secret t1.i0.p0.a1.access_token»" in str(last)


def test_the_same_text_twice_is_shown_twice():
    """Two replies that could not be used may be equal; both are on the page."""
    result = SCENARIOS["unusable"].run(Rows())
    last = list(prompt_texts(result.records))[-1][1]
    assert [text for role, text in last if role == "assistant"] == ["no", "no"]


def test_a_prompt_names_only_what_the_one_before_it_has():
    length = 0
    for record in SCENARIOS["repairs"].run(Rows()).records:
        if isinstance(record.event, PromptShown):
            runs = [block for block in record.event.blocks if isinstance(block[0], int)]
            assert all(first + count <= length for first, count in runs)
            length = sum(block[1] if isinstance(block[0], int) else 1 for block in record.event.blocks)
