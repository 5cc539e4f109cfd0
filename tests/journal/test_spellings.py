"""A secret is found in any mix of spellings, at any depth, and what is no secret stays as it is."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thinkagent.journal import Vault
from thinkagent.journal.reading import readings, unescape
from thinkagent.journal.spellings import Finder
from thinkagent.values import write_json

SECRETS = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=10, max_size=24),
    st.text(st.sampled_from("nrtNRTabc019+/=-_ .%&\"'\\"), min_size=12, max_size=20),
    st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=10, max_size=12),
)
WRAPS = st.sampled_from(["", "", "\n", "\r\n", "\r", "\n \t", "\\n", "\\r\\n", "%0D%0A", "&#10;"])
AROUND = st.sampled_from(["", "x ", '{"a":"', "Bearer ", "é", "\n"])
WHOLE = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 inside": lambda text: base64.b64encode(f"ab{text}c".encode()).decode(),
    "base64 of either alphabet": lambda text: base64.urlsafe_b64encode(f"x{text}".encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "HEXADECIMAL": lambda text: text.encode().hex().upper(),
    "address": lambda text: quote(text, safe=""),
    "base64 of an address": lambda text: base64.b64encode(quote(text, safe="").encode()).decode(),
    "json": lambda text: write_json(text)[1:-1],
    "html": html.escape,
    "plain": str,
}
OUTER = {
    "as it is": str,
    "in an address": lambda text: quote(text, safe=""),
    "in JSON": lambda text: json.dumps({"said": text}),
    "in JSON in JSON": lambda text: json.dumps(json.dumps([text])),
    "in HTML": lambda text: f"<p>{html.escape(text)}</p>",
}


def held(secret: str) -> Vault:
    vault = Vault()
    vault.add("s", secret)
    return vault


def by_character(secret: str, data: st.DataObject) -> str:
    """Spell each character in its own way, with line ends between; not behind one that begins an escape."""
    return "".join(_character(char, data) + ("" if char in "\\%&" else data.draw(WRAPS)) for char in secret)


def _character(char: str, data: st.DataObject) -> str:
    ways = ["".join(f"%{byte:02X}" for byte in char.encode()), f"&#{ord(char)};", f"&#x{ord(char):x};"]
    ways += [f"\\u{ord(char):04x}" if ord(char) < 0x10000 else json.dumps(char)[1:-1]]
    if char not in "\\%&":
        ways += [char] * 6
    return data.draw(st.sampled_from(ways))


@given(SECRETS, AROUND, AROUND, st.data())
def test_a_mix_of_spellings_is_found_and_comes_back(secret, before, after, data):
    assume(len("".join(unescape(secret).split())) >= 8 and secret[-1] not in "\\%&")
    text = before + by_character(secret, data) + after
    hidden = held(secret).hide(text)
    assert "«secret s" in str(hidden)


@given(SECRETS, st.sampled_from(sorted(WHOLE)), st.sampled_from(sorted(OUTER)), AROUND, AROUND)
def test_a_spelling_in_a_spelling_is_found_and_comes_back(secret, inner, outer, before, after):
    assume(len("".join(unescape(secret).split())) >= 8)
    vault = held(secret)
    text = OUTER[outer](before + WHOLE[inner](secret) + after)
    hidden = vault.hide(text)
    assert "«secret s" in str(hidden)
    assert vault.open(hidden) == text


@given(st.text(st.sampled_from("ab%41\\nu0062&lt;#38\r\n \"'/{}x"), max_size=40))
def test_every_place_of_a_reading_leads_back_into_the_text(text):
    for reading in readings(text):
        for start in range(len(reading.text)):
            begin, end = reading.origin(start, start + 1)
            assert 0 <= begin < end <= len(text)
            assert text[begin] == reading.text[start] or end - begin > 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"at":"2026-11-30T12:00:00+00:00","url":"http://a.test/?b=1%20c&c=2"}', id="times-and-addresses"),
        pytest.param('{\n  "note": "line one\\nline \\"two\\"",\n  "path": "C:\\\\n"\n}', id="pretty-json"),
        pytest.param("Kunde Nr. 7, bitte prüfen: Grüße &amp; Dank, 100 %", id="letters"),
        pytest.param("%ZZ \\u12 &#xyz; \\", id="broken-escapes"),
        pytest.param("the-users-own-ke y-1", id="almost"),
        pytest.param("", id="nothing"),
    ],
)
def test_ordinary_texts_stay_as_they_are(text):
    assert held("the-users-own-key-1").hide(text) == text


def test_many_secrets_are_found_as_few_are():
    """The search that is used from some number of secrets on gives the same places."""
    names = [f"token-{number}-{number * 7919:x}-end" for number in range(60)]
    text = " ".join(WHOLE[kind](name) for name in names for kind in ("plain", "base64 inside", "hexadecimal"))
    many = Finder()
    for name in names:
        many.add(name, name)
    few = []
    for name in names:
        one = Finder()
        one.add(name, name)
        few += one.find(text)
    assert many.find(text) == sorted(few)


@pytest.mark.parametrize("between", [" ", "\n", " \r\n    ", "+", "%20", "\\n  ", "&nbsp;"])
def test_words_are_found_however_they_are_parted(between):
    text = f'{{"said": "it is {between.join(["correct", "horse", "battery"])}."}}'
    hidden = held("correct horse battery").hide(text)
    assert str(hidden).startswith('{"said": "it is «secret s')
    assert "battery" not in str(hidden)


def test_secrets_that_overlap_are_hidden_together():
    vault = Vault()
    vault.add("first", "abcdefgh-1234")
    vault.add("second", "1234-ijklmnop")
    text = "x abcdefgh-1234-ijklmnop y"
    hidden = vault.hide(text)
    assert str(hidden) in ("x «secret first~1» y", "x «secret second~1» y")
    assert vault.open(hidden) == text
