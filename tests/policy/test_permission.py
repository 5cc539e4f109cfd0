"""Who may let a write leave: a grid of who allows and what wants to leave."""

from __future__ import annotations

import pytest

from thinkagent.policy.permission import Request, judge

ALLOWED = {"allow_writes": False, "yes": False, "person": False, "dry_run": False, "max_writes": 50}
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


@pytest.mark.parametrize("allows", ["allow_writes", "yes", "person", "dry_run"])
def test_the_limit_of_writes_beats_every_leave(allows):
    verdict = judge(Request("op", "write", 2, 49), **{**ALLOWED, allows: True})
    assert (verdict.verdict, verdict.rule) == ("deny", "max-writes")
    assert "51" in verdict.reason


@pytest.mark.parametrize("more", [{"allow_writes": True}, {"yes": True}, {"person": True}])
def test_more_leave_never_narrows(more):
    rank = {"deny": 0, "ask": 1, "allow": 2}
    for effect in ("read", "write", "delete"):
        before = judge(Request("op", effect, 1, 0), **ALLOWED)
        after = judge(Request("op", effect, 1, 0), **{**ALLOWED, **more})
        assert rank[after.verdict] >= rank[before.verdict]
