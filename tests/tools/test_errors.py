"""What a status means and what to do."""

from __future__ import annotations

import pytest

from tests.tools.helpers import only_tool
from thinkagent.tools import advice_for


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("400", "arguments"),
        ("401", "credentials"),
        ("403", "credentials"),
        ("404", "look it up"),
        ("409", "present state"),
        ("422", "arguments"),
        ("429", "wait"),
        ("418", "arguments"),
        ("4XX", "arguments"),
        ("500", "later"),
        ("503", "later"),
        ("5xx", "later"),
        ("default", "answer says"),
        ("nonsense", "answer says"),
    ],
)
def test_advice(status, word):
    assert word in advice_for(status)


def test_the_document_s_words_come_first_and_default_last():
    responses = {
        "default": {"description": ""},
        "404": {"description": "No such customer. Really."},
        "422": {"description": ""},
        "200": {"description": "fine"},
        "304": {"description": "same"},
    }
    errors = only_tool(responses=responses).errors
    assert [(error.status, error.meaning) for error in errors] == [
        ("404", "No such customer"),
        ("422", "Unprocessable Entity"),
        ("default", "any other answer"),
    ]


def test_default_alone_is_no_error():
    assert only_tool(responses={"default": {"description": "the pets"}}).errors == ()
