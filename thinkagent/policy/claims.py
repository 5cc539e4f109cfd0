"""What a text claims that can be checked: numbers, dates, times of day, names with digits, quotations.

The same reading serves the answer and the results it is checked against, so that one thing written in two ways
(`2026-11-03` and `3 November 2026`, `1234567.5` and `1,234,567.50`) is one claim.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from thinkagent.policy.numerals import NUMERAL_WORDS, numeral_value

__all__ = ["Claims", "DateClaim", "NumberClaim", "TimeClaim", "read_claims"]


class NumberClaim(NamedTuple):
    text: str
    value: Decimal
    places: int
    """Digits after the point: how exactly it is claimed."""
    is_percent: bool = False
    is_about: bool = False
    """`about`, `roughly`: claimed as rounded."""
    scale: int = 1
    """1,000,000 in `1.2 million`."""
    is_place: bool = False
    """`3rd`: a place in a list, not a count."""
    is_word: bool = False

    @property
    def amount(self) -> Decimal:
        """The number meant, with its scale; exact whatever its length."""
        return self.value if self.scale == 1 else Decimal(f"{self.value}e{len(str(self.scale)) - 1}")


class DateClaim(NamedTuple):
    text: str
    readings: tuple[tuple[int | None, int, int | None], ...]
    """Year, month, day; None where it does not say. Two readings where day and month may be meant either way."""


class TimeClaim(NamedTuple):
    text: str
    hour: int
    minute: int


@dataclass(slots=True)
class Claims:
    numbers: list[NumberClaim] = field(default_factory=list)
    dates: list[DateClaim] = field(default_factory=list)
    times: list[TimeClaim] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """Words with digits in them: identifiers, codes, versions."""
    quotes: list[str] = field(default_factory=list)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<name>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?"
_ZONE = r"(?: ?(?:Z\b|UTC|GMT)| ?[+-]\d{2}:?\d{2}\b)?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATES = [
    re.compile(
        rf"(?<![\w-])(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}})(?:[T ]{_TIME}{_ZONE})?(?![\w-])", re.A
    ),
    re.compile(r"(?<![\w./])(?P<year>\d{4})(?P<mark>[/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\w/])", re.A),
    re.compile(
        r"(?<![\w./])(?P<either>\d{1,2})(?P<mark>[/.])(?P<other>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\w/])", re.A
    ),
    re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}}){_ORDINAL}(?!\d)(?:,? (?P<year>\d{{4}})\b)?", re.A),
    re.compile(rf"\b(?P<day>\d{{1,2}}){_ORDINAL}\.? (?:of )?{_MONTH},?(?: (?P<year>\d{{4}})\b)?", re.A),
    re.compile(rf"\b{_MONTH} (?P<year>\d{{4}})\b", re.A),
    re.compile(r"(?:(?<!\d)(?P<year>\d{4}) ?年 ?)?(?<!\d)(?P<month>\d{1,2}) ?月(?: ?(?P<day>\d{1,2}) ?[日号])?"),
]
_TIMES = [
    re.compile(rf"(?<![\w:]){_TIME}{_ZONE}(?: ?(?P<half>[ap])\.?m\b\.?)?(?![\w:])", re.A | re.I),
    re.compile(r"(?<![\w:.])(?P<hour>\d{1,2}) ?(?P<half>[ap])\.?m\b\.?", re.A | re.I),
]
_QUOTE = re.compile(
    r"\"([^\"\n]{2,120})\"|“([^”]{2,120})”|„([^“”]{2,120})[“”]|«([^»]{2,120})»|「([^」]{2,120})」|『([^』]{2,120})』"
    r"|‘([^’\n]{2,120})’(?!\w)|(?<!\w)'([^'\n]{2,120})'(?!\w)|`([^`\n]{2,120})`"
)
_MARKER = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]+", re.M | re.A)
_WORD = re.compile(r"(?<![\w.])[A-Za-z0-9](?:[\w]|[-.:/@](?=\w))*", re.A)
_UNIT = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[A-Za-z]{1,3})$")
_HAS_DIGIT = re.compile(r"\d", re.A)
_HAS_LETTER = re.compile(r"[A-Za-z_]")
_NUMBER = re.compile(
    r"(?P<about>(?:\b(?:about|approximately|approx\.|around|roughly|nearly|almost|circa|ca\.)|[~≈约]|大约) ?)?"
    r"(?<![\w.,])(?P<sign>-?)[$€£¥]?"
    r"(?P<digits>\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d[\d.,]*\d|\d)"
    r"(?P<after> ?(?:%|percent\b|per cent\b|个百分点)| ?(?:thousand|million|billion)\b| ?[千万亿]|(?:k|K|M|bn)\b)?"
    r"(?![\d])(?!(?:[A-Za-z_]|\.\d))",
    re.A,
)
_SCALES = {"thousand": 3, "k": 3, "K": 3, "千": 3, "万": 4, "million": 6, "M": 6, "亿": 8, "billion": 9, "bn": 9}


def read_claims(text: str) -> Claims:
    """Read what a text claims; each part of it is read once."""
    claims = Claims()
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u202f", " ").replace("\u00a0", " ")
    text = _taken(_QUOTE, text, lambda match: _quote(match, claims))
    for pattern in _DATES:
        text = _taken(pattern, text, lambda match: _date(match, claims))
    for pattern in _TIMES:
        text = _taken(pattern, text, lambda match: _time(match, claims))
    text = _without_markers(text)
    text = _taken(_WORD, text, lambda match: _name(match, claims))
    text = _taken(_NUMBER, text, lambda match: _number(match, claims))
    _taken(NUMERAL_WORDS, text, lambda match: _numeral(match, claims))
    return claims


def _taken(pattern: re.Pattern[str], text: str, take: Callable[[re.Match[str]], bool]) -> str:
    """Take every match that is one; blanks stand in its place."""
    return pattern.sub(lambda match: " ; " if take(match) else match[0], text)


def _quote(match: re.Match[str], claims: Claims) -> bool:
    said = next(group for group in match.groups() if group is not None)
    claims.quotes.append(" ".join(said.split()).rstrip(".,;:!?"))
    return True


def _date(match: re.Match[str], claims: Claims) -> bool:
    found = {name: text for name, text in match.groupdict().items() if text is not None}
    year = int(found["year"]) if "year" in found else None
    if "name" in found:
        pairs = [(_MONTHS.index(found["name"][:3].lower()) + 1, found.get("day"))]
    elif "either" in found:
        pairs = [(int(found["either"]), found["other"]), (int(found["other"]), found["either"])]
    else:
        pairs = [(int(found["month"]), found.get("day"))]
    readings = tuple(
        (year, month, None if day is None else int(day))
        for month, day in dict.fromkeys(pairs)
        if 1 <= month <= 12 and (day is None or 1 <= int(day) <= 31)
    )
    if not readings:
        return False
    claims.dates.append(DateClaim(match[0].strip(), readings))
    if "hour" in found:
        claims.times.append(TimeClaim(match[0].strip(), int(found["hour"]), int(found["minute"])))
    return True


def _time(match: re.Match[str], claims: Claims) -> bool:
    hour, minute = int(match["hour"]), int(match.groupdict().get("minute") or 0)
    half = (match["half"] or "").lower()
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return False
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    claims.times.append(TimeClaim(match[0].strip(), hour, minute))
    return True


def _without_markers(text: str) -> str:
    """Blank out the numbers of a numbered list, 1, 2, 3; any other number at a line's start is a claim."""
    expected = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal expected
        number = int(match[1])
        if number not in (1, expected + 1):
            return match[0]
        expected = number
        return " "

    return _MARKER.sub(blank, text)


def _name(match: re.Match[str], claims: Claims) -> bool:
    word = match[0]
    if not (_HAS_DIGIT.search(word) and _HAS_LETTER.search(word)):
        return False
    unit = _UNIT.fullmatch(word)
    if unit is None:
        claims.names.append(word)
        return True
    if unit["unit"] in ("st", "nd", "rd", "th"):
        claims.numbers.append(NumberClaim(word, Decimal(unit["number"]), 0, is_place=True))
        return True
    if unit["unit"] in _SCALES:
        return False
    claims.numbers.append(NumberClaim(word, Decimal(unit["number"]), _places(unit["number"])))
    return True


def _number(match: re.Match[str], claims: Claims) -> bool:
    spelled = _as_decimal(match["digits"])
    if spelled is None:
        claims.names.append(match["digits"])
        return True
    after = (match["after"] or "").strip()
    claims.numbers.append(
        NumberClaim(
            match[0].strip(),
            Decimal(match["sign"] + spelled),
            _places(spelled),
            is_percent=bool(after) and after not in _SCALES,
            is_about=match["about"] is not None,
            scale=10 ** _SCALES.get(after, 0),
        )
    )
    return True


def _as_decimal(digits: str) -> str | None:
    """Give a number as it is in JSON; None for what is none (`1.2.4`, `3,4,5`).

    A comma before exactly three digits parts thousands, any other is the decimal mark, as in much of the world.
    """
    plain = re.sub(r"[ ']", "", digits)
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return plain
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        return plain.replace(",", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", plain):
        return plain.replace(".", "").replace(",", ".")
    if re.fullmatch(r"\d+,\d+", plain) and len(plain.partition(",")[2]) != 3:
        return plain.replace(",", ".")
    return None


def _places(digits: str) -> int:
    return len(digits.partition(".")[2])


def _numeral(match: re.Match[str], claims: Claims) -> bool:
    value = numeral_value(match)
    if value is not None:
        claims.numbers.append(NumberClaim(match[0], value, 0, is_word=True))
    return value is not None
