"""What changed, in one line; and what may be tried again."""

from __future__ import annotations

import pytest

from thinkagent.policy.changes import changed_sentence
from thinkagent.policy.retries import retry_after_s, wait_after_answer, wait_after_failure


def row(outcome, status=201, call="POST /coupons"):
    return {"call": call, "outcome": outcome, "status": status}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "Nothing was changed."),
        ([row("ok")] * 3, "Changed: 3 × POST /coupons."),
        ([row("ok"), row("refused", 409)], "Changed: 1 × POST /coupons, 1 refused by the API (409)."),
        ([row("refused", 409), row("refused", 422)], "Nothing was changed (2 refused by the API (409, 422))."),
        (
            [row("ok"), row("unknown", None)],
            "Changed: 1 × POST /coupons, 1 in doubt (1 × POST /coupons: no answer came, look before you repeat it).",
        ),
        (
            [row("unknown", 502), row("unknown", None), row("unknown", 502)],
            "Changed: 3 in doubt (2 × POST /coupons: answered 502, 1 × POST /coupons: no answer came, "
            "look before you repeat it).",
        ),
        ([row("not_sent")], "Nothing was changed (1 not sent)."),
    ],
    ids=["nothing", "done", "some refused", "all refused", "in doubt", "in doubt by its answer", "not sent"],
)
def test_what_changed(rows, said):
    assert changed_sentence(rows) == said


def test_a_dry_run_says_what_would_change():
    assert changed_sentence([row("not_sent")], dry_run=True) == (
        "Dry run: nothing was sent. Would change: 1 × POST /coupons."
    )
    assert changed_sentence([], dry_run=True).startswith("Dry run: nothing was sent")


@pytest.mark.parametrize(
    ("status", "asked", "effect", "attempt", "wait"),
    [
        (503, None, "read", 1, 0.5),
        (503, None, "read", 2, 1.0),
        (503, None, "read", 3, None),
        (429, 7, "read", 1, 7),
        (429, 7, "write", 1, 7),
        (429, 3600, "read", 1, None),
        (503, None, "write", 1, None),
        (502, 1, "delete", 1, None),
        (500, None, "read", 1, None),
        (404, None, "read", 1, None),
        (200, None, "read", 1, None),
    ],
)
def test_an_answer_is_asked_for_again_only_where_it_does_no_harm(status, asked, effect, attempt, wait):
    assert wait_after_answer(status, asked, effect, attempt, 3) == wait


@pytest.mark.parametrize(
    ("never_sent", "effect", "attempt", "wait"),
    [(True, "write", 1, 0.5), (False, "write", 1, None), (False, "read", 1, 0.5), (True, "read", 3, None)],
)
def test_a_write_is_tried_again_only_when_it_proves_unsent(never_sent, effect, attempt, wait):
    assert wait_after_failure(never_sent, effect, attempt, 3) == wait


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("5", None, 5.0),
        (" 12 ", None, 12.0),
        ("Tue, 01 Dec 2026 00:00:30 GMT", "Tue, 01 Dec 2026 00:00:00 GMT", 30.0),
        ("Tue, 01 Dec 2026 00:00:00 GMT", "Tue, 01 Dec 2026 00:01:00 GMT", 0.0),
        ("Tue, 01 Dec 2026 00:00:30 GMT", None, None),
        ("soon", None, None),
        ("-1", None, None),
        (None, None, None),
    ],
)
def test_retry_after(value, date, seconds):
    assert retry_after_s(value, date) == seconds
