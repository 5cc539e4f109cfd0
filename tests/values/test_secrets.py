"""Secrets stand by name in the log, and data from outside can never name one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thinkagent.values import Secret, SecretText, from_log, join_text, read_json, to_log, write_json

SECRETS = st.text(min_size=1, max_size=6).map(Secret)
TEXTS = st.lists(st.one_of(st.text(max_size=5), SECRETS), max_size=4).map(join_text)
KEYS = st.sampled_from(["$secret", "$text", "$data", "$blob", "a", "json"])
VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_comes_back_from_the_log_as_it_went_in(value):
    assert from_log(read_json(write_json(to_log(value)))) == value


@given(VALUES)
def test_data_that_looks_like_a_secret_stays_data(value):
    hostile = {"$secret": "auth.key", "rest": value}
    assert from_log(to_log({"$secret": "auth.key"})) == {"$secret": "auth.key"}
    assert from_log(to_log(hostile)) == hostile


def test_joining_keeps_a_secret_whole():
    assert join_text(["Bearer ", Secret("t")]) == SecretText(("Bearer ", Secret("t")))
    assert join_text(["", Secret("t"), ""]) == Secret("t")
    assert join_text(["a", "b"]) == "ab"
