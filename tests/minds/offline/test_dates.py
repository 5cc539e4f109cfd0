from __future__ import annotations

from datetime import datetime

import pytest

from thinkagent.minds.offline.dates import DateTerms, shift
from thinkagent.minds.offline.patterns import Reader
from thinkagent.minds.offline.words import tokenize

NOW = datetime.fromisoformat("2026-11-30T12:00:00+08:00")  # a Monday


def bounds(text: str) -> list[str]:
    tokens = tokenize(text)
    reader = Reader(tokens)
    terms = DateTerms(reader, NOW)
    found = {
        tuple(f"{one.operator} {one.at.isoformat()}" for one in reading.value)
        for reading in terms.when(0, {})
        if reading.end == len(tokens)
    }
    assert len(found) <= 1
    return list(next(iter(found), ()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more than 30 days ago", ["< 2026-10-31T12:00:00+08:00"]),
        ("at least 2 weeks ago", ["<= 2026-11-16T12:00:00+08:00"]),
        ("less than 3 months ago", ["> 2026-08-30T12:00:00+08:00"]),
        ("in the last week", [">= 2026-11-23T12:00:00+08:00", "<= 2026-11-30T12:00:00+08:00"]),
        ("within the past 10 days", [">= 2026-11-20T12:00:00+08:00", "<= 2026-11-30T12:00:00+08:00"]),
        ("since last Monday", [">= 2026-11-23T00:00:00+08:00"]),
        ("since Friday", [">= 2026-11-27T00:00:00+08:00"]),
        ("since yesterday", [">= 2026-11-29T00:00:00+08:00"]),
        ("before 2026-01-05", ["< 2026-01-05T00:00:00+08:00"]),
        ("after 2026-01-05", [">= 2026-01-06T00:00:00+08:00"]),
        ("until 5 January 2026", ["< 2026-01-06T00:00:00+08:00"]),
        ("on January 5, 2026", [">= 2026-01-05T00:00:00+08:00", "< 2026-01-06T00:00:00+08:00"]),
        ("between 2026-01-05 and 2026-02-01", [">= 2026-01-05T00:00:00+08:00", "< 2026-02-02T00:00:00+08:00"]),
        ("last week", [">= 2026-11-23T00:00:00+08:00", "< 2026-11-30T00:00:00+08:00"]),
        ("this month", [">= 2026-11-01T00:00:00+08:00", "< 2026-12-01T00:00:00+08:00"]),
        ("in 2025", [">= 2025-01-01T00:00:00+08:00", "< 2026-01-01T00:00:00+08:00"]),
        ("in February 2024", [">= 2024-02-01T00:00:00+08:00", "< 2024-03-01T00:00:00+08:00"]),
        ("from last month", [">= 2026-10-01T00:00:00+08:00", "< 2026-11-01T00:00:00+08:00"]),
        ("from yesterday", [">= 2026-11-29T00:00:00+08:00", "< 2026-11-30T00:00:00+08:00"]),
        ("of last week", [">= 2026-11-23T00:00:00+08:00", "< 2026-11-30T00:00:00+08:00"]),
        ("from 2025", [">= 2025-01-01T00:00:00+08:00", "< 2026-01-01T00:00:00+08:00"]),
        ("since last month", [">= 2026-10-01T00:00:00+08:00"]),
        ("the past 7 days", [">= 2026-11-23T12:00:00+08:00", "<= 2026-11-30T12:00:00+08:00"]),
        ("近7日", [">= 2026-11-23T12:00:00+08:00", "<= 2026-11-30T12:00:00+08:00"]),
        ("上星期", [">= 2026-11-23T00:00:00+08:00", "< 2026-11-30T00:00:00+08:00"]),
        ("前天", [">= 2026-11-28T00:00:00+08:00", "< 2026-11-29T00:00:00+08:00"]),
        ("3 days ago", [">= 2026-11-27T00:00:00+08:00", "< 2026-11-28T00:00:00+08:00"]),
        ("最近三十天内", [">= 2026-10-31T12:00:00+08:00", "<= 2026-11-30T12:00:00+08:00"]),
        ("30天以前", ["< 2026-10-31T12:00:00+08:00"]),
        ("上周", [">= 2026-11-23T00:00:00+08:00", "< 2026-11-30T00:00:00+08:00"]),
        ("上周五以来", [">= 2026-11-27T00:00:00+08:00"]),
        ("上个月", [">= 2026-10-01T00:00:00+08:00", "< 2026-11-01T00:00:00+08:00"]),
        ("2026年1月5日之前", ["< 2026-01-05T00:00:00+08:00"]),
        ("2025年3月", [">= 2025-03-01T00:00:00+08:00", "< 2025-04-01T00:00:00+08:00"]),
        ("去年", [">= 2025-01-01T00:00:00+08:00", "< 2026-01-01T00:00:00+08:00"]),
    ],
)  # fmt: skip
def test_bounds(text, expected):
    assert bounds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "3 weeks ago",
        "from 2026-11-29",
        "上上个月",
        "next month",
        "30天前",
        "between 2026-02-01 and 2026-01-05",
        "on 2026-02-30",
        "in January",
        "on 31 February 2026",
        "soon",
    ],
)
def test_what_is_no_clear_time(text):
    """Weeks ago is no day, 30天前 is a day or all before it, a month needs a year."""
    assert bounds(text) == []


@pytest.mark.parametrize(
    ("start", "count", "unit", "expected"),
    [
        ("2026-03-31T00:00:00+00:00", -1, "month", "2026-02-28T00:00:00+00:00"),
        ("2024-02-29T00:00:00+00:00", -1, "year", "2023-02-28T00:00:00+00:00"),
        ("2026-01-15T00:00:00+00:00", -1, "month", "2025-12-15T00:00:00+00:00"),
        ("2026-12-15T00:00:00+00:00", 1, "month", "2027-01-15T00:00:00+00:00"),
        ("2026-01-01T00:00:00+00:00", -36, "hour", "2025-12-30T12:00:00+00:00"),
    ],
)
def test_shift(start, count, unit, expected):
    assert shift(datetime.fromisoformat(start), count, unit).isoformat() == expected
