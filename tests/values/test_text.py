"""Foreign text cannot steer a terminal."""

from __future__ import annotations

import pytest

from thinkagent.values import clip, tokens, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31mred", "␛[31mred", id="csi"),
        pytest.param("\x1b]8;;http://x\x07y", "␛]8;;http://x␇y", id="osc"),
        pytest.param("a\x9bb", "a\\u009bb", id="c1"),
        pytest.param("a\x7f\x00", "a␡␀", id="del-nul"),
        pytest.param("\u202eevil", "\\u202eevil", id="bidi"),
        pytest.param("a\u200bb\ufeff", "a\\u200bb\\ufeff", id="zero-width"),
        pytest.param("\ud800", "\\ud800", id="surrogate"),
        pytest.param("\U000e0041", "\\U000e0041", id="tag"),
        pytest.param("a\u2028b", "a\\u2028b", id="line-separator"),
        pytest.param("line\n\ttab 名前", "line\n\ttab 名前", id="harmless"),
        pytest.param("back\rover", "back␍over", id="carriage-return"),
    ],
)
def test_controls_become_visible(text, shown):
    assert visible(text) == shown


def test_one_line_when_asked():
    assert visible("a\r\nb\nc\td", newlines=False) == "a b c d"


@pytest.mark.parametrize(("text", "length", "cut"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a  bcd", 4, "a…")])
def test_clip(text, length, cut):
    assert clip(text, length) == cut


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("名前", 2)])
def test_tokens_are_bytes_by_four(text, count):
    assert tokens(text) == count
