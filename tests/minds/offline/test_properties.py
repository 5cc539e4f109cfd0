"""What holds for every task: no word is passed over, and the order of the tools does not matter."""

from __future__ import annotations

import random
import re
from datetime import datetime

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.minds.offline.conftest import WORLDS
from tests.minds.offline.test_orders import ORDERS
from tests.minds.offline.test_questions import QUESTIONS
from tests.minds.offline.world import NOW
from thinkagent.minds.offline.function_words import function_words
from thinkagent.minds.offline.parse import parse
from thinkagent.minds.offline.query import Create, Refusal
from thinkagent.minds.offline.reading import read_resources
from thinkagent.minds.offline.vocabulary import Vocabulary
from thinkagent.minds.offline.words import tokenize

MOMENT = datetime.fromisoformat(NOW)
RESOURCES = {name: read_resources(tools) for name, (tools, _) in WORLDS.items()}
UNDERSTOOD = [(row[0], row[1]) for row in QUESTIONS if row[2] is not None] + [(row[0], row[1]) for row in ORDERS]
ENGLISH = [row for row in UNDERSTOOD if row[1].isascii()]
CHINESE = [row for row in UNDERSTOOD if re.search("[\u4e00-\u9fff]", row[1])]

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=10)
signs = st.text(alphabet="龘靐齉爩鱻麤龗灪", min_size=2, max_size=4)


def is_unknown(word: str, world: str) -> bool:
    tokens = tokenize(word)
    known = any((token.lower,) in function_words() for token in tokens)
    return not known and not Vocabulary(tokens, RESOURCES[world]).covers(0)


@given(st.sampled_from(ENGLISH), words)
@example(("library", "How many books are available?"), "zorgle")
@settings(max_examples=150, deadline=None)
def test_a_word_behind_the_task_is_never_passed_over(row, word):
    """It is named in a refusal, or it has become part of a name that has to be in the data exactly."""
    world, task = row
    assume(is_unknown(word, world))
    found = parse(f"{task.rstrip('.?')} {word}", RESOURCES[world], MOMENT)
    if isinstance(found, Refusal):
        assert word in " ".join([*found.words, *found.readings]) or found.reason is not None
    else:
        assert re.search(rf"Literal\(text='[^']*{word}", repr(found))
        assert not (isinstance(found, Create) and found.name is not None and word in found.name.text)


@given(st.sampled_from(ENGLISH), words, st.integers(0, 20))
@settings(max_examples=200, deadline=None)
def test_a_word_inside_the_task_is_never_passed_over(row, word, place):
    world, task = row
    assume(is_unknown(word, world))
    parts = task.split(" ")
    parts.insert(min(place, len(parts)), word)
    found = parse(" ".join(parts), RESOURCES[world], MOMENT)
    assert isinstance(found, Refusal) or word in repr(found)


@given(st.sampled_from(CHINESE), signs)
@settings(max_examples=100, deadline=None)
def test_chinese_behind_the_task_is_never_passed_over(row, word):
    world, task = row
    found = parse(task.rstrip("？。?") + word, RESOURCES[world], MOMENT)
    assert isinstance(found, Refusal) or word in repr(found)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_understood_or_refused(text):
    parse(text, RESOURCES["library"], MOMENT)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_tools_does_not_matter(do, seed):
    for world, task in UNDERSTOOD[seed::12]:
        tools = list(WORLDS[world][0])
        random.Random(seed).shuffle(tools)
        plain, shuffled = do(world, task), do(world, task, tools=tools)
        assert (plain.answer, plain.writes, plain.reads) == (shuffled.answer, shuffled.writes, shuffled.reads)
