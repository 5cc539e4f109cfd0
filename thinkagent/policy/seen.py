"""What is in the log for a claim to rest on: numbers, lengths of lists, texts and the dates and times in them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any

from thinkagent.policy.claims import Claims, DateClaim, TimeClaim, read_claims

__all__ = ["Seen"]

_DIGIT = re.compile(r"\d")
_QUOTING = re.compile(r"[\"'`“”„«»「」『』‘’]")


class Seen:
    """Collects values; what stands in their texts is read when it is asked for, once."""

    def __init__(self) -> None:
        self.longest = 0
        """Elements of the longest list."""
        self._numbers: set[Decimal] = set()
        self._texts: list[str] = []

    def add(self, value: Any) -> None:
        """Take in a JSON value: its numbers and texts, and how many elements its lists have."""
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, int | Decimal):
            self._numbers.add(Decimal(value))
        elif isinstance(value, Mapping):
            for key, item in value.items():
                self._texts.append(str(key))
                self.add(item)
        elif isinstance(value, list | tuple):
            self._numbers.add(Decimal(len(value)))
            self.longest = max(self.longest, len(value))
            for item in value:
                self.add(item)
        else:
            self._texts.append(str(value))

    @cached_property
    def _read(self) -> Claims:
        # Quotation marks part what they quote from what it is read as.
        with_digits = dict.fromkeys(text for text in self._texts if _DIGIT.search(text))
        return read_claims(_QUOTING.sub(" ", "\n".join(with_digits)))

    @cached_property
    def numbers(self) -> set[Decimal]:
        """All numbers, those in texts and the years of dates too."""
        found = {claim.amount for claim in self._read.numbers}
        years = {Decimal(year) for claim in self._read.dates for year, _, _ in claim.readings if year is not None}
        return self._numbers | found | years

    @cached_property
    def _everything(self) -> str:
        return _folded("\n".join(self._texts))

    def has_text(self, text: str) -> bool:
        """Say whether a text stands in some text, blanks and case aside."""
        return _folded(text) in self._everything

    def has_word(self, word: str) -> bool:
        """Say whether a word stands in some text as a whole."""
        folded = re.escape(_folded(word))
        return re.search(rf"(?<![A-Za-z0-9_]){folded}(?![A-Za-z0-9_])", self._everything) is not None

    def has_date(self, claim: DateClaim) -> bool:
        known = [reading for other in self._read.dates for reading in other.readings]
        return any(
            (year is None or year == wanted_year or wanted_year is None)
            and month == wanted_month
            and (wanted_day is None or day == wanted_day)
            for wanted_year, wanted_month, wanted_day in claim.readings
            for year, month, day in known
        )

    def has_time(self, claim: TimeClaim) -> bool:
        return any((other.hour, other.minute) == (claim.hour, claim.minute) for other in self._read.times)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).casefold()
