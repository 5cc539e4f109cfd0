"""Numbers in words, English and Chinese: `thirty-five orders`, `三个订单`."""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["NUMERAL_WORDS", "numeral_value"]

_ONE_TO_NINE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEN_TO_NINETEEN = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_UNITS = {word: value for value, word in enumerate((*_ONE_TO_NINE, *_TEN_TO_NINETEEN), 1)}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_HIGHER = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_COUNTED = "个位张条件笔名家项次种款台份元天年人单封页行本辆只"

_WORDS = "|".join(sorted(_UNITS, key=len, reverse=True))
_SMALL = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONE_TO_NINE)}))?|{_WORDS}"
NUMERAL_WORDS = re.compile(
    rf"\b(?P<small>{_SMALL})(?P<higher>(?: (?:{'|'.join(_HIGHER)}))*)\b(?![-'])"
    rf"|(?P<chinese>[{''.join(_DIGITS)}{''.join(_PLACES)}]{{1,12}})(?=[{_COUNTED}])",
    re.IGNORECASE,
)
"""A number in words; in Chinese before what is counted."""


def numeral_value(match: re.Match[str]) -> Decimal | None:
    """Give the value of a match; None where it says no number."""
    if match["chinese"]:
        return _chinese(match["chinese"])
    words = re.split(r"[- ]", match["small"].lower())
    value = sum(_TENS.get(word) or _UNITS[word] for word in words)
    for word in match["higher"].lower().split():
        value *= _HIGHER[word]
    return Decimal(value)


def _chinese(text: str) -> Decimal | None:
    total = section = digit = 0
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char == "万":
            total, section, digit = (section + digit) * 10_000, 0, 0
        else:
            section += (digit or 1) * _PLACES[char]
            digit = 0
    return Decimal(total + section + digit)
