"""Dates as a task says them, against the run's own now: `more than 30 days ago`, `since last Monday`, `上周`."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta

from thinkagent.minds.offline.patterns import Env, Found, Reader
from thinkagent.minds.offline.query import Bound
from thinkagent.minds.offline.words import chinese_number, number_value

__all__ = ["DATE_PATTERNS", "DATE_WORDS", "DateTerms", "shift"]

_UNITS = {
    "day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month", "months": "month", "year": "year",
    "years": "year", "hour": "hour", "hours": "hour", "minute": "minute", "minutes": "minute",
}  # fmt: skip
_CJK_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "个星期": "week", "个月": "month",
              "月": "month", "年": "year", "小时": "hour", "个小时": "hour", "分钟": "minute"}  # fmt: skip
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name} | {
    name.lower(): number for number, name in enumerate(calendar.month_abbr) if name
}
DATE_WORDS = (
    "today yesterday days day week weeks month months year years hours hour last this past",
    "(今天|昨天|前天|今日|昨日|本周|这周|上周|本月|这个月|上个月|上月|今年|本年|去年|星期|昨日|本星期|这星期|这个星期|上星期|上个星期|个月|小时|最近|过去)",
    "(天|日|周|月|年|前)",
)
_CJK_WEEKDAYS = {char: number for number, char in enumerate("一二三四五六日")} | {"天": 6}

Bounds = tuple[Bound, ...]

DATE_PATTERNS: tuple[tuple[str, str], ...] = (
    ("(more than|over|longer than) {n} {unit} ago", "before_span"),
    ("at least {n} {unit} ago", "upto_span"),
    ("(less than|under|within) {n} {unit} ago", "after_span"),
    ("{n} {unit} ago", "that_day"),
    ("[in|within|during|over|for] [the] (last|past|previous) {n} {unit}", "last_span"),
    ("(in|within|during|over) the (last|past) {unit}", "last_span"),
    ("(since|from|after) {n} {unit} ago", "from_span"),
    ("before {n} {unit} ago", "before_span"),
    ("(since|starting from) {day}", "since"),
    ("(on or after|not before) {day}", "since"),
    ("(before|prior to|earlier than) {day}", "before"),
    ("(after|later than) {day}", "after"),
    ("(until|till|up to|by|on or before|no later than) {day}", "until"),
    ("between {day:first} and {day:last}", "between"),
    ("from {day:first} (to|until|till|through) {day:last}", "between"),
    ("on {day}", "on"),
    ("[in|during|from|of] {period}", "within"),
    ("since {period}", "since_period"),
    ("before {period}", "before_period"),
    ("after {period}", "after_period"),
    ("{day}(以前|之前|前)", "before"),
    ("早于{day}", "before"),
    ("晚于{day}", "after"),
    ("{day}(以后|之后|后)", "after"),
    ("[自|从|自从]{day}(以来|起|至今|开始)", "since"),
    ("(自|从|自从){day}", "since"),
    ("(不早于){day}", "since"),
    ("(不晚于|截至|截止){day}", "until"),
    ("[从|在]{day:first}(到|至|与|和){day:last}[之间|期间]", "between"),
    ("[在|于]{day}[那天|当天]", "on"),
    ("[在|于]{period}[内|期间|里]", "within"),
    ("{period}(以前|之前)", "before_period"),
    ("[自|从]{period}(以来|起|至今)", "since_period"),
    ("(最近|过去|近|这)[的]{n}{unit}[内|里|之内|以内|以来]", "last_span"),
    ("{n}{unit}(内|之内|以内)", "last_span"),
    ("{n}{unit}(以前|之前|前就|前已|前已经)", "before_span"),
    ("(超过|大于|多于|早于)[了]{n}{unit}(前|以前|之前)", "before_span"),
)


def shift(moment: datetime, count: int, unit: str) -> datetime:
    """Move a moment by calendar units; a day that the month lacks becomes its last one."""
    if unit in ("month", "year"):
        months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        day = min(moment.day, calendar.monthrange(year, month + 1)[1])
        return moment.replace(year=year, month=month + 1, day=day)
    return moment + timedelta(**{unit + "s": count})


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time(), moment.tzinfo)


class DateTerms:
    """The terms of dates over one task: `{n}`, `{unit}`, `{day}`, `{period}`, `{when}` and `{span}`."""

    def __init__(self, reader: Reader, now: datetime) -> None:
        self.reader = reader
        self.now = now
        reader.terms |= {
            "n": self.number, "unit": self.unit, "day": self.day, "period": self.period, "when": self.when,
        }  # fmt: skip

    def number(self, at: int, env: Env) -> Iterator[Found]:
        """Read a whole number: digits, English or Chinese number words."""
        tokens = self.reader.tokens
        if at >= len(tokens):
            return
        value = number_value(tokens[at])
        if value is not None and value == int(value):
            yield Found(int(value), at + 1, 0.0)
        text = ""
        for end in range(at, min(at + 6, len(tokens))):
            text += tokens[end].lower if tokens[end].kind == "cjk" else " "
            found = chinese_number(text)
            if found is None:
                return
            yield Found(found, end + 1, 0.0)

    def unit(self, at: int, env: Env) -> Iterator[Found]:
        tokens = self.reader.tokens
        if at < len(tokens) and tokens[at].lower in _UNITS:
            yield Found(_UNITS[tokens[at].lower], at + 1, 0.0)
        for word, unit in _CJK_UNITS.items():
            if "".join(token.text for token in tokens[at : at + len(word)]) == word:
                yield Found(unit, at + len(word), 0.0)

    def day(self, at: int, env: Env) -> Iterator[Found]:
        """Read one day; its value is its midnight in the run's zone."""
        tokens = self.reader.tokens
        today = _midnight(self.now)
        if at >= len(tokens):
            return
        if tokens[at].kind == "date" and (moment := self._iso(tokens[at].text)) is not None:
            yield Found(moment, at + 1, 0.0)
        words = (("today", 0), ("yesterday", -1), ("今天", 0), ("昨天", -1), ("前天", -2), ("今日", 0), ("昨日", -1))
        for word, days in words:
            for found in self.reader.read(word, at):
                yield Found(today + timedelta(days=days), found.end, 0.0)
        yield from self._weekdays(at, today)
        yield from self._written(at)

    def _iso(self, text: str) -> datetime | None:
        chinese = re.fullmatch(r"(\d{4})年(\d{1,2})月(\d{1,2})[日号]", text)
        try:
            if chinese:
                year, month, day = (int(part) for part in chinese.groups())
                return datetime(year, month, day, tzinfo=self.now.tzinfo)
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self.now.tzinfo)
        return moment if moment == _midnight(moment) else None

    def _weekdays(self, at: int, today: datetime) -> Iterator[Found]:
        tokens = self.reader.tokens
        start = at + 1 if tokens[at].lower in ("last", "on") else at
        if start < len(tokens) and tokens[start].lower in _WEEKDAYS and tokens[at].lower != "on":
            back = (today.weekday() - _WEEKDAYS[tokens[start].lower] - 1) % 7 + 1
            yield Found(today - timedelta(days=back), start + 1, 0.0)
        for prefix, weeks in (("上周", 1), ("上星期", 1), ("本周", 0), ("这周", 0)):
            for found in self.reader.read(prefix, at):
                number = _CJK_WEEKDAYS.get(tokens[found.end].lower) if found.end < len(tokens) else None
                if number is not None:
                    monday = today - timedelta(days=today.weekday() + 7 * weeks)
                    yield Found(monday + timedelta(days=number), found.end + 1, 0.0)

    def _written(self, at: int) -> Iterator[Found]:
        """Read `January 5, 2026` and `5 January 2026`."""
        texts = [token.lower for token in self.reader.tokens[at : at + 4]]
        for order in (("month", "day", ",", "year"), ("month", "day", "year"), ("day", "month", "year")):
            parts = dict(zip(order, texts, strict=False))
            day = re.fullmatch(r"(\d{1,2})(st|nd|rd|th)?", parts.get("day", ""))
            year = re.fullmatch(r"\d{4}", parts.get("year", ""))
            month = _MONTHS.get(parts.get("month", ""))
            if day and year and month and parts.get(",", ",") == ",":
                try:
                    moment = datetime(int(year[0]), month, int(day[1]), tzinfo=self.now.tzinfo)
                except ValueError:
                    continue
                yield Found(moment, at + len(order), 0.0)

    def period(self, at: int, env: Env) -> Iterator[Found]:
        """Read a calendar period; its value is its beginning and the beginning of the next."""
        today = _midnight(self.now)
        monday = today - timedelta(days=today.weekday())
        month, year = today.replace(day=1), today.replace(month=1, day=1)
        named = {
            "today": (today, 1, "day"), "yesterday": (today - timedelta(days=1), 1, "day"),
            "this week": (monday, 1, "week"), "last week": (monday - timedelta(days=7), 1, "week"),
            "this month": (month, 1, "month"), "last month": (shift(month, -1, "month"), 1, "month"),
            "this year": (year, 1, "year"), "last year": (shift(year, -1, "year"), 1, "year"),
            "今天": (today, 1, "day"), "昨天": (today - timedelta(days=1), 1, "day"), "今日": (today, 1, "day"),
            "昨日": (today - timedelta(days=1), 1, "day"), "前天": (today - timedelta(days=2), 1, "day"),
            **dict.fromkeys(("本周", "这周", "本星期", "这星期", "这个星期"), (monday, 1, "week")),
            **dict.fromkeys(("上周", "上星期", "上个星期"), (monday - timedelta(days=7), 1, "week")),
            "本月": (month, 1, "month"), "本年": (year, 1, "year"),
            "这个月": (month, 1, "month"), "上个月": (shift(month, -1, "month"), 1, "month"),
            "上月": (shift(month, -1, "month"), 1, "month"), "今年": (year, 1, "year"),
            "去年": (shift(year, -1, "year"), 1, "year"),
        }  # fmt: skip
        for words, (start, count, unit) in named.items():
            for found in self.reader.read(words, at):
                yield Found((start, shift(start, count, unit)), found.end, 0.0)
        yield from self._year_or_month(at)

    def _year_or_month(self, at: int) -> Iterator[Found]:
        tokens = self.reader.tokens
        texts = [token.lower for token in tokens[at : at + 4]]
        if not texts:
            return
        if re.fullmatch(r"(19|20)\d\d", texts[0]):
            start = datetime(int(texts[0]), 1, 1, tzinfo=self.now.tzinfo)
            yield Found((start, shift(start, 1, "year")), at + 1, 0.0)
            if texts[1:2] == ["年"]:
                yield Found((start, shift(start, 1, "year")), at + 2, 0.0)
                if len(texts) > 3 and texts[2].isdecimal() and 1 <= int(texts[2]) <= 12 and texts[3] == "月":
                    first = start.replace(month=int(texts[2]))
                    yield Found((first, shift(first, 1, "month")), at + 4, 0.0)
        if texts[0] in _MONTHS and len(texts) > 1 and re.fullmatch(r"(19|20)\d\d", texts[1]):
            start = datetime(int(texts[1]), _MONTHS[texts[0]], 1, tzinfo=self.now.tzinfo)
            yield Found((start, shift(start, 1, "month")), at + 2, 0.0)

    def when(self, at: int, env: Env) -> Iterator[Found]:
        """Read a condition on time; its value is the bounds that hold together."""
        for pattern, meaning in DATE_PATTERNS:
            for found in self.reader.read(pattern, at, {}):
                bounds = self._bounds(meaning, found.value)
                if bounds:
                    yield Found(bounds, found.end, found.cost)

    def _bounds(self, meaning: str, env: Env) -> Bounds:
        if meaning.endswith("_span"):
            return span_bounds(meaning, self.now, env.get("n", 1), env["unit"])
        if "period" in env:
            start, end = env["period"]
            return {
                "within": (Bound(">=", start), Bound("<", end)),
                "since_period": (Bound(">=", start),),
                "before_period": (Bound("<", start),),
                "after_period": (Bound(">=", end),),
            }[meaning]
        one = timedelta(days=1)
        if meaning == "between":
            return (Bound(">=", env["first"]), Bound("<", env["last"] + one)) if env["first"] <= env["last"] else ()
        if meaning == "that_day":
            day = _midnight(shift(self.now, -env["n"], env["unit"]))
            return (Bound(">=", day), Bound("<", day + one)) if env["unit"] == "day" else ()
        if "day" not in env:
            return ()
        day = env["day"]
        return {
            "since": (Bound(">=", day),),
            "before": (Bound("<", day),),
            "after": (Bound(">=", day + one),),
            "until": (Bound("<", day + one),),
            "on": (Bound(">=", day), Bound("<", day + one)),
        }[meaning]


def span_bounds(meaning: str, now: datetime, count: int, unit: str) -> Bounds:
    """Give the bounds of so many units before now; `meaning` is one of those of `DATE_PATTERNS` that end in `_span`."""
    edge = shift(now, -count, unit)
    return {
        "before_span": (Bound("<", edge),),
        "upto_span": (Bound("<=", edge),),
        "after_span": (Bound(">", edge),),
        "from_span": (Bound(">=", edge),),
        "last_span": (Bound(">=", edge), Bound("<=", now)),
    }[meaning]
