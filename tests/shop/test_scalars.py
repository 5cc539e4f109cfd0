"""Moments, money and ids survive being stored."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.shop.scalars import cents, id_number, moment_from_text, moment_to_text, money, search_key
from thinkagent.values import write_json


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_read_again_is_the_same(moment: datetime) -> None:
    microseconds = moment_from_text(moment.isoformat())
    assert moment_from_text(moment_to_text(microseconds)) == microseconds
    assert datetime.fromisoformat(moment_to_text(microseconds)) == moment


@given(st.integers(0, 10**12))
def test_money_is_exact_and_has_two_places(amount: int) -> None:
    assert cents(money(amount)) == amount
    assert write_json(money(amount)) == f"{amount // 100}.{amount % 100:02}"


@given(st.decimals(0, 10**9, places=2))
def test_euros_keep_their_value(amount: Decimal) -> None:
    assert money(cents(amount)) == amount


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("cus_7", 7),
        ("cus_123456789012345", 123456789012345),
        ("cus_0", None),
        ("cus_07", None),
        ("cus_", None),
        ("cus_-1", None),
        ("cus_7 ", None),
        ("cus_7\n", None),
        ("cus_７", None),
        ("CUS_7", None),
        ("ord_7", None),
        ("cus_1234567890123456", None),
        ("7", None),
    ],
)
def test_ids(text: str, number: int | None) -> None:
    assert id_number("cus", text) == number


def test_a_search_folds_case_and_encoding_of_accents_but_not_the_accents() -> None:
    assert search_key("ZOË") == search_key("zoe\u0308")
    assert search_key("Zoë") != search_key("Zoe")
