"""A claim is proven by the log or it is not: numbers, dates, names, quotes, evidence, refused and doubtful writes."""

from __future__ import annotations

import pytest

from thinkagent.policy.proof import Claim, Fact, prove
from thinkagent.values import read_json

VALUE = read_json(
    '{"orders":[{"id":"ord_7","total":61.475,"at":"2026-11-03T10:00:00Z","status":"PAID"},'
    '{"id":"ord_8","total":1234567.50,"at":"x","phone":"+49 151 23456"}],'
    '"count":34,"share":0.25,"part":0.125,"below":-12.5,"name":"Alice Chen","open":"14:30","version":"1.2.3",'
    '"big":9007199254740993,"long":12345678901234567890123456789012345,"huge":1e999999,"none":[],'
    '"shop":"Seven Seas","sent":"Tue, 03 Nov 2026 10:00:00 GMT"}'
)
FACTS = {
    "orders": Fact("orders", "listOrders", True, "ok", True, lambda: VALUE),
    "failed": Fact("failed", "getOrder", False, "http_error", True, lambda: {"status": 404, "is": {"id": 4711}}),
    "part": Fact("part", "listOrders", True, "ok", False, lambda: VALUE),
    "sum": Fact("sum", "compute", True, "ok", True, lambda: 77, ("part",)),
    "alone": Fact("alone", "compute", True, "ok", True, lambda: {"is": 4712}, formula="4711 + 1"),
    "known": Fact("known", "compute", True, "ok", True, lambda: {"is": 408}, formula="34 * 12"),
    "batch": Fact("batch", "createOrder", True, "http_error", True, lambda: {"counts": [2, 1]}, failed="1 of 3 items"),
}


def proof(answer, *evidence, status="done", **more):
    referenced = more.pop("referenced", ())
    return prove(
        Claim(status, answer, answer, evidence, referenced), FACTS, task="for 12 days", inputs={"limit": 99}, **more
    )


HONEST = {
    "number": [
        "There are 34 orders.",
        "34 orders were found.",
        "34 (of 34)",
        {"count": 34},
        {"count": [34, {"x": 99}]},
    ],
    "exact": ["The average is 61.475.", "34.0", "It is 9007199254740993.", "12345678901234567890123456789012345"],
    "rounded": ["The average is about 61.48.", "61.5", "roughly 61", "约61", "about 1,234,568", "≈ 1,234,567.5"],
    "thousands": ["1,234,567.50", "1 234 567.50", "1.234.567,50", "1'234'567.5", "€1,234,567.50", "1234567.50 EUR"],
    "decimal comma": ["61,48 EUR"],
    "scaled": ["1.2 million", "1.23 million", "1234.57 thousand", "1234.57k", "123.46万"],
    "percent": ["25%", "25 %", "25 percent", "12.5%", "12.50 %", "about 13%"],
    "sign": ["-12.5", "\u221212.5"],
    "date": ["It was on 2026-11-03.", "November 3, 2026", "Nov 3rd", "3 November 2026", "3rd of November 2026"],
    "date in figures": ["03.11.2026", "11/3/2026", "2026/11/03", "3/11/2026"],
    "part of a date": ["November 2026", "in 2026"],
    "Chinese date": ["2026年11月3日", "11月3号", "2026年11月"],
    "time": ["at 10:00", "10 am", "2:30 pm", "14:30", "2026-11-03T10:00:00Z", "2026-11-03 10:00 UTC"],
    "length of a list": [
        "Two were found.",
        "There are 2 orders.",
        "2 orders",
        "两个订单",
        "0 are left.",
        "two of them",
    ],
    "place": ["the 1st and the 2nd", "It is the 2nd order."],
    "list": ["1. ord_7\n2. ord_8\n", "1) Alice Chen\n2) 34\n3) 99\n"],
    "name": ["ord_7 costs most.", "(ord_7, ORD_8)", "version 1.2.3", "step orders of listOrders"],
    "phone": ["+49 151 23456"],
    "quote": ['The order "ord_8".', '"ord_8."', "“Alice Chen”", "'alice chen'", "„PAID“", "「Alice Chen」", "`PAID`"],
    "contraction": ["It's Alice's order and she'll pay 34."],
    "task and inputs": ["In the last 12 days nothing.", "at most 99"],
    "status of a failed step": ["The first call was answered with 404."],
    "word in a name": ["Seven Seas has 34."],
    "reference": ["<<steps.orders.result.count>> orders.", "-<<steps.orders.result.count>>-"],
    "worked out of what is known": ["That makes 408."],
    "one": ["One of them.", "1 order was changed."],
}
FALSE = {
    "number": [("There are 35 orders.", "35"), ("340", "340"), ({"count": 4711}, "4711"), ("共有4711个。", "4711")],
    "exact": [("9007199254740992", "9007199254740992"), ("12345678901234567890123456789012346", "2346")],
    "rounded": [("61.49", "61.49"), ("62", "62"), ("about 62", "62"), ("It costs 1,234,568.", "1,234,568")],
    "thousands": [("61,475", "61,475"), ("1,234,567.60", "567.60"), ("1.234.568,50", "568,50")],
    "scaled": [("1.3 million", "1.3"), ("61.475k", "61.475k"), ("2 million", "2 million"), ("34 thousand", "34")],
    "percent": [("26%", "26"), ("0.26", "0.26"), ("0.034", "0.034"), ("12.6 percent", "12.6")],
    "sign": [("-34", "-34"), ("12.6", "12.6"), ("The balance is 12.5.", "12.5")],
    "date": [("It was on 2026-11-04.", "2026-11-04"), ("November 4, 2026", "November 4"), ("3 Oct", "3 Oct")],
    "date in figures": [("04.11.2026", "04.11.2026"), ("11/4/2026", "11/4/2026"), ("2027/11/03", "2027")],
    "part of a date": [("October 2026", "October 2026"), ("in 2027", "2027")],
    "Chinese date": [("2026年11月4日", "11月4日"), ("10月", "10月")],
    "time": [("at 11:00", "11:00"), ("10 pm", "10 pm"), ("2:31 pm", "2:31"), ("2026-11-03T10:01:00Z", "10:01")],
    "digits of a date": [("11 customers", "11"), ("There are 03 of them.", "03")],
    "length of a list": [
        ("three orders", "three"),
        ("3 orders", "3"),
        ("thirty-five", "thirty-five"),
        ("三个订单", "三"),
    ],
    "words": [("ten orders", "ten"), ("two hundred", "two hundred"), ("十五张", "十五"), ("Sixteen.", "Sixteen")],
    "place": [("the 45th", "45th")],
    "list": [("7. ord_7", "7"), ("1. ord_7\n3. ord_8", "3")],
    "name": [
        ("ord_9 costs most.", "ord_9"),
        ("order ord_77", "ord_77"),
        ("version 1.2.4", "1.2.4"),
        ("A-113", "A-113"),
    ],
    "phone": [("+49 151 23457", "23457")],
    "full width": [("\uff16\uff12", "62"), ("\uff15个", "5")],
    "quote": [('"ord_9"', "ord_9"), ("'Bob'", "Bob"), ("«Bob Miller»", "Bob"), ("„Bob“", "Bob"), ("“Bob”", "Bob")],
    "body of a failed step": [("It has 4711.", "4711")],
    "worked out of nothing": [("It is 4712.", "4712")],
    "a deed": [("I deleted order ord_7.", "deleted"), ("I've issued 2 coupons.", "issued")],
    "inside": [({"a": [{"b": "There are 35."}]}, "35")],
}


def cases(table):
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), id=f"{kind}: {case}")
        for kind in table
        for case in table[kind]
    ]


@pytest.mark.parametrize("answer", cases(HONEST))
def test_an_honest_answer_is_proven(answer):
    found = proof(answer, "orders")
    assert found.proven, found.doubts


@pytest.mark.parametrize(("answer", "doubt"), cases(FALSE))
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


def test_a_deed_that_was_carried_out_is_proven():
    assert proof("I deleted order ord_7.", "orders", writes=["DELETE /orders/{id} dropOrder"]).proven


def test_a_batch_that_went_well_in_part_is_told():
    assert proof("Done.", "batch").notes == ("step 'batch': 1 of 3 items",)


@pytest.mark.parametrize("name", ["part", "sum"])
def test_an_answer_that_rests_on_a_part_of_a_list_says_so(name):
    assert "part" in " ".join(proof("77", name).notes)


@pytest.mark.parametrize(
    "piece",
    ["1", "1,", "1 ", "1 000 ", "a1-", "'", "“", "twenty ", "约", "1.2.", " 2026-", "Jan ", "百", "about ", "\\"],
)
def test_a_long_answer_is_read_to_its_end(piece):
    """Each of these may begin a claim; none makes the reading start over at every place."""
    assert proof(piece * (60_000 // len(piece)), "orders").as_dict()["notes"] == []
