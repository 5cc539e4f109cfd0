"""A secret is found in every spelling, and what is hidden comes out byte for byte."""

from __future__ import annotations

import base64
import html
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.errors import ArgumentError
from thinkagent.journal import Vault, is_secret_name, secret_fields
from thinkagent.values import Secret, write_json

SECRET = 's3cr3t/ab+cd=="<&>XY'

SPELLINGS = {
    "plain": SECRET,
    "percent": urllib.parse.quote(SECRET, safe=""),
    "percent-lower": urllib.parse.quote(SECRET, safe="").replace("%2F", "%2f").replace("%3D", "%3d"),
    "percent-all": "".join(f"%{ord(char):02X}" for char in SECRET),
    "percent-twice": urllib.parse.quote(urllib.parse.quote(SECRET, safe=""), safe=""),
    "form": urllib.parse.quote_plus(SECRET),
    "json": write_json(SECRET)[1:-1],
    "json-ascii": "".join(f"\\u{ord(char):04x}" for char in SECRET),
    "json-slash": SECRET.replace("/", "\\/").replace('"', '\\"'),
    "javascript": "".join(f"\\x{ord(char):02x}" for char in SECRET),
    "html": html.escape(SECRET),
    "html-numbers": "".join(f"&#{ord(char)};" for char in SECRET),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "base64-url": base64.urlsafe_b64encode(SECRET.encode()).decode(),
    "base64-inside": base64.b64encode(f"user:{SECRET}:more".encode()).decode(),
    "hex": SECRET.encode().hex(),
    "hex-upper": SECRET.encode().hex().upper(),
    "wrapped": SECRET[:7] + "\r\n  " + SECRET[7:],
}


@pytest.fixture
def vault():
    vault = Vault()
    vault.add("auth.key", SECRET)
    return vault


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_is_found_and_comes_back(vault, spelling):
    text = f'{{"echo": "a {spelling} z"}}'
    hidden = vault.hide(text)
    assert spelling not in str(hidden)
    assert "«secret auth.key" in str(hidden)
    assert vault.open(hidden) == text


@pytest.mark.parametrize("shift", range(3))
@given(before=st.binary(max_size=9), after=st.binary(max_size=9))
def test_base64_of_a_longer_text_shows_nothing(shift, before, after):
    vault = Vault()
    vault.add("k", "correct horse battery")
    text = base64.b64encode(b"x" * shift + before + b"correct horse battery" + after).decode()
    assert "«secret k" in vault.redact(text)


@given(st.text(min_size=8, max_size=40), st.text(), st.text())
def test_whatever_the_secret_the_text_comes_back(secret, before, after):
    vault = Vault()
    vault.add("k", secret)
    text = before + secret + after
    assert vault.open(vault.hide(text)) == text


def test_a_short_credential_hides_nothing_elsewhere(vault):
    vault.add("auth.short", "admin")
    assert vault.hide("role: admin") == "role: admin"
    assert vault.reveal(Secret("auth.short")) == "admin"


def test_the_name_is_that_of_the_first_place(vault):
    assert vault.add("t2.i0.p0.a1.token", SECRET) == Secret("auth.key")


def test_the_longer_of_two_secrets_is_found_whole(vault):
    vault.add("part", 'ab+cd=="<&')
    assert vault.hide(SECRET) == Secret("auth.key")


def test_a_lost_secret_says_to_log_in_again():
    with pytest.raises(ArgumentError, match="Log in again"):
        Vault().open(Secret("t1.token"))


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("access_token", True),
        ("accessToken", True),
        ("X-Access-Token", True),
        ("refresh_token", True),
        ("client_secret", True),
        ("password", True),
        ("apiKey", True),
        ("X-Api-Key", True),
        ("Set-Cookie", True),
        ("Authorization", True),
        ("sessionId", True),
        ("token_type", False),
        ("nextPageToken", False),
        ("next_token", False),
        ("continuationToken", False),
        ("name", False),
        ("monkey", False),
        ("key", False),
        ("tokens", False),
    ],
)
def test_which_names_carry_credentials(name, secret):
    assert is_secret_name(name) is secret


def test_credentials_that_an_answer_carries():
    value = {
        "access_token": "tok-998877665544",
        "token_type": "Bearer",
        "users": [{"password": "hunter2-hunter2", "name": "x"}],
        "report": "https://h/r?key=SECRET123&page=2",
        "mirror": "https://u:passw0rd-9@h/r",
        "short": {"token": "abc"},
    }
    assert dict(secret_fields(value)) == {
        "access_token": "tok-998877665544",
        "users[0].password": "hunter2-hunter2",
        "report.key": "SECRET123",
        "mirror.password": "passw0rd-9",
    }


@pytest.mark.parametrize("spelling", [SPELLINGS["json"], SPELLINGS["json-slash"], SPELLINGS["json-ascii"]])
def test_what_json_escaped_goes_to_the_wire_as_the_secret(vault, spelling):
    text = f'{{"token": "{spelling}"}}'
    hidden = vault.hide(text)
    (secret,) = [part for part in hidden.parts if isinstance(part, Secret)]
    assert vault.open(hidden) == text
    assert vault.reveal(secret) == SECRET


def test_a_match_behind_a_backslash_leaves_json_whole():
    from thinkagent.engine.wire.answer import parse_body

    vault = Vault()
    vault.add("k", "nabcdefghij")
    hidden = vault.hide('{"a": "line\\nabcdefghij", "b": 1}')
    assert parse_body(hidden)["b"] == 1
