"""Who may let a write leave: a grid of who allows and what wants to leave."""

from __future__ import annotations

import pytest

from thinkagent.policy.permission import Request, judge, over_limit

ALLOWED = {"allow_writes": False, "yes": False, "person": False, "dry_run": False}
GRID = {
    ("read", "nothing"): ("allow", "read"),
    ("write", "nothing"): ("deny", "nobody"),
    ("delete", "nothing"): ("deny", "nobody"),
    ("write", "person"): ("ask", "ask"),
    ("delete", "person"): ("ask", "ask"),
    ("write", "yes"): ("ask", "yes"),
    ("write", "allow_writes"): ("allow", "allow-writes"),
    ("delete", "allow_writes"): ("allow", "allow-writes"),
    ("write", "dry_run"): ("allow", "dry-run"),
    ("read", "dry_run"): ("allow", "read"),
}


@pytest.mark.parametrize(("case", "expected"), GRID.items(), ids=[" ".join(case) for case in GRID])
def test_the_grid(case, expected):
    effect, allows = case
    given = ALLOWED if allows == "nothing" else {**ALLOWED, allows: True}
    verdict = judge(Request("op", effect, 1, 0), **given)
    assert (verdict.verdict, verdict.rule) == expected


LIMITED = {
    "writes within": (Request("op", "write", 2, 48, 0), None),
    "writes beyond": (Request("op", "write", 2, 49, 0), ("max-writes", "51 writes; the limit is 50")),
    "a delete is a write": (Request("op", "delete", 1, 50, 0), ("max-writes", "51 writes; the limit is 50")),
    "reads are no writes": (Request("op", "read", 100, 50, 0), None),
    "calls within": (Request("op", "read", 2, 0, 198), None),
    "calls beyond": (Request("op", "read", 10_000, 0, 1), ("max-calls", "10001 calls; the limit is 200")),
    "writes are calls": (Request("op", "write", 2, 0, 199), ("max-calls", "201 calls; the limit is 200")),
}


@pytest.mark.parametrize(("request_", "expected"), LIMITED.values(), ids=LIMITED)
def test_a_batch_is_within_the_limits_as_a_whole(request_, expected):
    over = over_limit(request_, max_writes=50, max_calls=200)
    assert (over and (over.verdict, over.rule)) == (expected and ("deny", expected[0]))
    assert over is None or expected[1] in over.reason


@pytest.mark.parametrize("more", [{"allow_writes": True}, {"yes": True}, {"person": True}])
def test_more_leave_never_narrows(more):
    rank = {"deny": 0, "ask": 1, "allow": 2}
    for effect in ("read", "write", "delete"):
        before = judge(Request("op", effect, 1, 0), **ALLOWED)
        after = judge(Request("op", effect, 1, 0), **{**ALLOWED, **more})
        assert rank[after.verdict] >= rank[before.verdict]
