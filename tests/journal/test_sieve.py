"""The sieve may let a text through that holds nothing; it never keeps one back that the slow search would find."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkagent.journal import Vault
from thinkagent.journal.sieve import Sieve
from thinkagent.journal.spellings import Finder
from thinkagent.values import Secret, SecretText, write_json

SECRETS = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=24),
    st.text(st.sampled_from("nrtNRTabc019+/=-_ .%&\"'\\"), min_size=8, max_size=16),
    st.text(min_size=8, max_size=12),
)
WRAPS = st.sampled_from(["", "\n", "\r\n", "\r", "\n \t", "\\n", "\\r\\n", "\\\\n", "%0A", "\\\n  "])
AROUND = st.sampled_from(["", "x", "\\", '{"a":"', "Bearer ", "50%", "&", "\\u", "C:\\", "é", "\n"])


def spelled(secret: str, draw: st.DataObject) -> str:
    """Spell a secret in one of many ways, each character perhaps in its own, with line ends between."""
    raw = secret.encode("utf-8", "surrogatepass")
    whole = draw.draw(st.sampled_from(["by character", "base64", "urlsafe", "hex", "HEX", "address", "json"]))
    if whole == "base64":
        text = base64.b64encode(b"ab"[: draw.draw(st.integers(0, 2))] + raw).decode()
    elif whole == "urlsafe":
        text = base64.urlsafe_b64encode(raw).decode()
    elif whole in ("hex", "HEX"):
        text = raw.hex() if whole == "hex" else raw.hex().upper()
    elif whole == "address":
        return quote(secret, safe="", errors="replace")
    elif whole == "json":
        return write_json(secret)[1:-1]
    else:
        return "".join(_character(char, draw) + draw.draw(WRAPS) for char in secret)
    place = draw.draw(st.integers(0, len(text)))
    return text[:place] + draw.draw(WRAPS) + text[place:]


def _character(char: str, draw: st.DataObject) -> str:
    ways = [char] * 6 + ["".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass")), f"&#{ord(char)};"]
    if ord(char) < 0x10000:
        ways.append(f"\\u{ord(char):04x}")
    if char in '"/\\':
        ways.append("\\" + char)
    return draw.draw(st.sampled_from(ways))


@settings(max_examples=150)
@given(SECRETS, AROUND, AROUND, st.data())
def test_what_the_search_finds_passes_the_sieve(secret: str, before: str, after: str, data: st.DataObject) -> None:
    finder = Finder()
    finder.add("s", secret)
    text = before + spelled(secret, data) + after
    assert finder.find(text) == finder.search(text)


@settings(max_examples=40)
@given(SECRETS, AROUND, AROUND, st.data())
def test_what_is_hidden_text_by_text_is_hidden_in_a_value(
    secret: str, before: str, after: str, data: st.DataObject
) -> None:
    text = before + spelled(secret, data) + after
    one, other = Vault(), Vault()
    one.add("s", secret)
    other.add("s", secret)
    assert one.hide_value({"rows": [{"note": text, "n": 1}]}) == {"rows": [{"note": other.hide(text), "n": 1}]}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"at":"2026-11-30T12:00:00+00:00","url":"http://a.test/?b=1&c=2"}', id="times-and-addresses"),
        pytest.param('{\n  "note": "line one\\nline \\"two\\"",\n  "path": "C:\\\\n"\n}', id="pretty-json"),
        pytest.param("Kunde Nr. 7, bitte prüfen: Grüße", id="letters"),
    ],
)
def test_ordinary_texts_are_kept_back(text: str) -> None:
    sieve = Sieve()
    sieve.add("the-users-own-key-1", ["the-users-own-key-1"])
    assert not sieve.may_hold(text)


def test_without_secrets_nothing_passes() -> None:
    assert not Sieve().may_hold("%41 the-users-own-key-1")


@pytest.mark.parametrize("secret", ["--------", "with\\back", "a\tb\tc\td\te"], ids=["marks", "backslash", "tabs"])
def test_a_secret_too_odd_to_compare_lets_every_text_through(secret: str) -> None:
    sieve = Sieve()
    sieve.add(secret, [secret])
    assert sieve.may_hold("anything")


def test_a_value_that_holds_a_secret_already_stays_as_it_is() -> None:
    vault = Vault()
    vault.add("key", "the-users-own-key-1")
    value = {"a": Secret("key"), "b": SecretText(("Bearer ", Secret("key"))), "c": "the-users-own-key-1"}
    assert vault.hide_value(value) == {
        "a": Secret("key"),
        "b": SecretText(("Bearer ", Secret("key"))),
        "c": Secret("key"),
    }
