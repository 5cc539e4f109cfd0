"""Credentials are found by where they stand: in texts, headers and addresses; words of prose are none."""

from __future__ import annotations

import pytest

from thinkagent.journal import secret_headers, secrets_in_text

TOKEN = "tok-998877665544"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(f'{{"id": 1, "access_token": "{TOKEN}"}}\n{{"id": 2}}', {"access_token": TOKEN}, id="json-lines"),
        pytest.param(f'{{"access_token": "{TOKEN}", "rows": [', {"access_token": TOKEN}, id="json-cut-short"),
        pytest.param(r'{"api_key": "ab\/cd\u002Bef-1', {}, id="json-cut-in-the-value"),
        pytest.param(r'x = {"api_key": "ab\/cd\u002Bef-1"};', {"api_key": "ab/cd+ef-1"}, id="script-with-escapes"),
        pytest.param(f"<r><AccessToken>{TOKEN}</AccessToken></r>", {"AccessToken": TOKEN}, id="xml"),
        pytest.param(f"user: somebody\npassword: {TOKEN}\n", {"password": TOKEN}, id="lines"),
        pytest.param(f"CLIENT_SECRET={TOKEN}", {"CLIENT_SECRET": TOKEN}, id="environment"),
        pytest.param(f"See http://a.test/f?page=2&sig={TOKEN}#x.", {"sig": TOKEN}, id="address"),
        pytest.param(f'<a href="/f?page=2&amp;key={TOKEN}">', {"key": TOKEN}, id="address-in-html"),
        pytest.param(f"http://a.test/cb#access_token={TOKEN}&x=1", {"access_token": TOKEN}, id="fragment"),
        pytest.param("ftp://somebody:p4ss%2Fw0rd-9@a.test/f", {"password": "p4ss/w0rd-9"}, id="user-and-password"),
        pytest.param("http://a.test/f?token=ab%2Bcd%2Fef-1", {"token": "ab+cd/ef-1"}, id="percent-encoded"),
        pytest.param("The token: please ask for one at the desk.", {}, id="prose"),
        pytest.param("http://a.test/?page=2&next_token=abcdefghijk", {}, id="a-cursor"),
        pytest.param("http://a.test/?token=short", {}, id="too-short"),
        pytest.param("http://[broken/?token=abcdefghijk", {}, id="no-address"),
    ],
)
def test_a_text(text, found):
    assert dict(secrets_in_text(text)) == found


def test_a_form():
    text = f"access_token={TOKEN}&token_type=bearer&scope=read"
    assert dict(secrets_in_text(text, is_form=True)) == {"access_token": TOKEN}


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        pytest.param("set-cookie", f"sid={TOKEN}; Path=/", [TOKEN], id="cookie"),
        pytest.param("set-cookie", f'sid="{TOKEN}"', [TOKEN], id="quoted-cookie"),
        pytest.param("set-cookie", "lang=en; Path=/", [], id="short-cookie"),
        pytest.param("x-access-token", TOKEN, [TOKEN], id="by-name"),
        pytest.param("authorization", f"Bearer {TOKEN}", [f"Bearer {TOKEN}", TOKEN], id="with-its-scheme"),
        pytest.param("location", f"/f?token={TOKEN}", [TOKEN], id="redirect"),
        pytest.param("link", f'<http://a.test/?page=2&key={TOKEN}>; rel="next"', [TOKEN], id="link"),
        pytest.param("refresh", f"0; url=http://a.test/?auth={TOKEN}", [TOKEN], id="refresh"),
        pytest.param("etag", '"tok-998877665544"', [], id="another"),
    ],
)
def test_a_header(name, value, found):
    assert [secret for _, secret in secret_headers([(name, value)])] == found


@pytest.mark.parametrize(
    "piece", ["token", "token?", "http://", "<token", '"token":', "token=", "x@", "://", '\\"token']
)
def test_a_long_text_takes_no_longer_by_the_character(piece):
    """Each of these once begins what is looked for; a search that starts over at every place would not end."""
    text = piece * (400_000 // len(piece))
    assert list(secrets_in_text(text)) == [] or len(list(secrets_in_text(text))) < 3
