"""What an API may send to make the search for secrets long: each text takes a time that grows with its length alone."""

from __future__ import annotations

import json

import pytest

from thinkagent.engine.wire.holes import Holes
from thinkagent.journal.vault import Vault

SECRET = "Zq9-canary.SECRET+77/xyz=="
TOKENS = [f"tokenvalue{number:09d}" for number in range(3_000)]

# With a cost of the square each of these would take minutes to days.
TEXTS = {
    "backslashes": "\\" * 3_000_000,
    "quoted-backslashes": '{"n":"' + "\\\\" * 1_000_000 + '"}',
    "percent": "%25" * 1_000_000,
    "percent-not-utf-8": "%ff" * 500_000,
    "entities": "&#90;" * 500_000,
    "line-ends": "\r\n    " * 300_000,
    "hexadecimal": "5a71392d" * 300_000,
    "base64": "WnE5LWNh" * 300_000,
    "beginnings-of-the-secret": SECRET[:-1] * 60_000,
    "blanks": " " * 3_000_000,
}


@pytest.mark.timeout(40)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("ending", ["", SECRET], ids=["alone", "before-the-secret"])
def test_a_long_text_is_searched_in_time(text, ending):
    vault = Vault()
    vault.add("key", SECRET)
    vault.add("words", "several words of a secret")
    hidden = vault.hide(text + ending)
    assert isinstance(hidden, str) is not bool(ending)
    assert SECRET not in str(hidden)


@pytest.mark.timeout(40)
def test_many_secrets_that_begin_alike_are_found_in_time():
    vault = Vault()
    vault.learn("call", [(f"[{number}].token", token) for number, token in enumerate(TOKENS)])
    text = json.dumps([{"id": number, "token": token, "again": token.upper()} for number, token in enumerate(TOKENS)])
    hidden = str(vault.hide(text))
    assert not any(token in hidden for token in TOKENS)
    assert vault.hide("nothing of the kind " * 20_000) == "nothing of the kind " * 20_000


@pytest.mark.timeout(40)
def test_a_text_full_of_stand_ins_still_leaves_one():
    text = " ".join(f"secret{number}hole" for number in range(100_000))
    assert Holes(text, f"{text} secret007hole").pattern == r"secret100000hole(\d+)z"
