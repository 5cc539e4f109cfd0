"""A claim is proven by the log or it is not: numbers, quotes, evidence, refused and doubtful writes."""

from __future__ import annotations

import pytest

from thinkagent.policy.proof import Claim, Fact, prove
from thinkagent.values import read_json

VALUE = read_json(
    '{"orders":[{"id":"ord_7","total":61.475,"at":"2026-11-03T10:00:00Z"},{"id":"ord_8","total":1234567.50,"at":"x"}],'
    '"count":34,"share":0.25}'
)
FACTS = {
    "orders": Fact("orders", "listOrders", True, "ok", True, lambda: VALUE),
    "failed": Fact("failed", "getOrder", False, "http_error", True, lambda: None),
    "part": Fact("part", "listOrders", True, "ok", False, lambda: VALUE),
    "sum": Fact("sum", "compute", True, "ok", True, lambda: 3, ("part",)),
}


def proof(answer, *evidence, status="done", **more):
    referenced = more.pop("referenced", ())
    return prove(Claim(status, answer, answer, evidence, referenced), FACTS, task="for 12 days", inputs={}, **more)


@pytest.mark.parametrize(
    "answer",
    [
        "There are 34 orders.",
        "The average is 61.475.",
        "The average is about 61.48.",
        "One of them, ord_7, costs 1,234,567.50.",
        "It was on 2026-11-03.",
        "In the last 12 days nothing.",
        "Two were found.",
        "There are 2 orders.",
        'The order "ord_8" is the largest.',
        "<<steps.orders.result.count>> orders.",
        {"count": 34},
    ],
    ids=str,
)
def test_an_honest_answer_is_proven(answer):
    found = proof(answer, "orders")
    assert found.proven, found.doubts


@pytest.mark.parametrize(
    ("answer", "doubt"),
    [
        ("There are 35 orders.", "35"),
        ("The average is 61.49.", "61.49"),
        ("It costs 1,234,568.", "1234568"),
        ("It was on 2026-11-04.", "2026-11-04"),
        ('The order "ord_9" is the largest.', "ord_9"),
        ({"count": 4711}, "4711"),
        ("共有4711个。", "4711"),
    ],
    ids=str,
)
def test_what_the_log_does_not_hold_is_doubted(answer, doubt):
    found = proof(answer, "orders")
    assert not found.proven
    assert doubt in " ".join(found.doubts)


@pytest.mark.parametrize(
    ("evidence", "more", "doubt"),
    [
        ((), {}, "no step"),
        (("nope",), {}, "'nope'"),
        (("failed",), {}, "http_error"),
        (("orders",), {"referenced": ("failed",)}, "http_error"),
        (("orders",), {"denied": ["createOrder: nobody could be asked"]}, "refused"),
        (("orders",), {"doubtful": 2}, "unknown outcome"),
    ],
    ids=["none", "no such step", "failed step", "referenced", "refused write", "write in doubt"],
)
def test_a_claim_needs_good_evidence(evidence, more, doubt):
    found = proof("All is well.", *evidence, **more)
    assert not found.proven
    assert doubt in " ".join(found.doubts)


@pytest.mark.parametrize("status", ["failed", "impossible"])
def test_an_honest_failure_claims_nothing(status):
    assert proof("I could not place 4711.", status=status).proven


@pytest.mark.parametrize("name", ["part", "sum"])
def test_an_answer_that_rests_on_a_part_of_a_list_says_so(name):
    assert "part" in " ".join(proof("3", name).notes)
