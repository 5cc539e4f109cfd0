"""The search for secrets finds each in every spelling, and nothing where there is none."""

from __future__ import annotations

import json

import pytest

from tests.integration.canaries import SPELLINGS, found_in

SECRET = 'Kd9/7Q+x==a"&<z>e4T~w'


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
@pytest.mark.parametrize("wrap", [str, json.dumps], ids=["bare", "in JSON"])
def test_it_finds_every_spelling(spelling, wrap):
    text = wrap(f"before {spelling(SECRET)} after")
    assert found_in(text, [SECRET, "other-secret-12"]) == {SECRET}


def test_it_finds_nothing_where_nothing_is():
    assert found_in(json.dumps({"a": "«secret auth.x»", "digest": "sha256:" + "ab" * 32}), [SECRET]) == set()
