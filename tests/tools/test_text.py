"""Descriptions become one plain line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.tools.text import first_sentence, plain_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        pytest.param("<p>Hello <b>you</b> &amp; me</p>", "Hello you & me", id="html"),
        pytest.param("a<br/>b<li>c</li>", "a b c", id="breaks"),
        pytest.param("see [the docs](https://x.y/a(b)) now", "see the docs now", id="link"),
        pytest.param("![logo](a.png) [text][ref]", "logo text", id="image-and-reference-link"),
        pytest.param("<https://example.com>", "https://example.com", id="autolink"),
        pytest.param("# Title\n\nText\n---\nmore", "Title Text more", id="headings"),
        pytest.param("**bold** and *soft* and `code`", "bold and soft and code", id="emphasis"),
        pytest.param("snake_case_name and a*b*c", "snake_case_name and a*b*c", id="no-emphasis-inside-words"),
        pytest.param("use `<id>` here", "use <id> here", id="a-placeholder-is-no-tag"),
        pytest.param("a &lt;b&gt; c", "a <b> c", id="entities-are-text"),
        pytest.param("<script>alert(1)</script>ok<!-- no -->", "ok", id="script-and-comment"),
        pytest.param("* one\n* two", "- one - two", id="bullets"),
        pytest.param("```json\n{}\n```", "{}", id="fence"),
        pytest.param("a\r\n\r\n\tb   c", "a b c", id="blanks"),
        pytest.param("x\x1b[31my\u202ez", "x␛[31my\\u202ez", id="what-steers-a-terminal"),
        pytest.param("&#x202e;x", "\\u202ex", id="what-steers-a-terminal-as-entity"),
        pytest.param("before\n| a | b |\n|---|---|\n| 1 | 2 |\nafter", "before after", id="table"),
        pytest.param("", "", id="empty"),
    ],
)
def test_plain_text(text, plain):
    assert plain_text(text, 200) == plain


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("See e.g. this one. Then that.", "See e.g. this one."),
        ("Version 1.2 works. Yes.", "Version 1.2 works."),
        ("列出客户。再来。", "列出客户。"),
        ("No end", "No end"),
    ],
)
def test_first_sentence(text, sentence):
    assert first_sentence(text, 100) == sentence


def test_the_length_is_kept():
    assert len(plain_text("word " * 10_000, 100)) <= 100


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["**a", "`", "`a``b", "[a](", "[((", "<a ", "_a ", "<!--", "<script", "&", " \n", "[", "\\"]
)
def test_hostile_text_takes_no_time(piece):
    plain_text(piece * 10_000, 200)


@given(st.text())
def test_any_text_becomes_one_line(text):
    plain = plain_text(text, 80)
    assert "\n" not in plain
    assert len(plain) <= 80
