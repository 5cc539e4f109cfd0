"""Words: how a task is cut into tokens, and the forms under which two words count as the same.

Latin script is cut at blanks and punctuation, Chinese into single characters: which characters form a word is
decided by whatever matches them, so no segmentation is needed and none can be wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

__all__ = ["PAST", "Token", "is_cjk", "join_tokens", "number_value", "root", "singular", "split_name", "tokenize"]

Kind = Literal["word", "number", "id", "quoted", "email", "date", "cjk", "mark"]

_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "《": "》", "`": "`", "‘": "’"}
_TOKEN = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?(?![\w-])"
    r"|\d{4}年\d{1,2}月\d{1,2}[日号])"
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![A-Za-z0-9_]|[-.]\w))"
    r"|(?P<word>[^\W_][\w]*(?:[-.:/@][\w]+)*)"
    r"|(?P<mark><=|>=|!=|==|≥|≤|\S)"
)
_CJK = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_SUFFIXES = {"n't": "not", "'s": "'s", "'re": "are", "'ve": "have", "'m": "am", "'d": "would", "'ll": "will"}
_SUBJECTS = {"what", "who", "where", "that", "there", "how", "it", "when", "which", "here", "he", "she"}
_CONTRACTED = {"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not"}

_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "mice": "mouse",
    "geese": "goose", "teeth": "tooth", "indices": "index", "vertices": "vertex", "matrices": "matrix",
    "analyses": "analysis", "statuses": "status", "aliases": "alias", "buses": "bus", "leaves": "leaf",
    "lives": "life", "knives": "knife", "shelves": "shelf", "wolves": "wolf", "data": "data", "media": "media",
    "series": "series", "species": "species", "news": "news", "movies": "movie", "cookies": "cookie",
    "bought": "buy", "sold": "sell", "paid": "pay", "made": "make", "sent": "send", "wrote": "write",
    "written": "write", "spent": "spend", "gave": "give", "given": "give", "took": "take", "taken": "take",
    "held": "hold", "met": "meet", "built": "build", "lent": "lend", "left": "leave", "won": "win",
    "caches": "cache", "axes": "axis", "heroes": "hero", "quizzes": "quiz",
}  # fmt: skip
PAST = frozenset(
    {
        "bought",
        "sold",
        "paid",
        "made",
        "sent",
        "wrote",
        "written",
        "spent",
        "gave",
        "given",
        "took",
        "taken",
        "held",
        "won",
        "lost",
    }
)
"""Irregular past forms that a task may use as verbs."""
_WORD_NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "ninety": 90, "hundred": 100,
}  # fmt: skip
_CJK_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a task; `lower` is what is compared, `start` and `end` are places in the task."""

    text: str
    lower: str
    kind: Kind
    start: int
    end: int

    @property
    def capitalised(self) -> bool:
        return self.text[:1].isupper()


def is_cjk(char: str) -> bool:
    """Say whether the character is a Chinese one (no punctuation)."""
    return bool(_CJK.match(char))


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; quotation marks make one token of what they hold, full width becomes half width."""
    text = unicodedata.normalize("NFC", text)
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        quoted = _quoted(text, at)
        if quoted is not None:
            tokens.append(quoted)
            at = quoted.end
        elif text[at].isspace():
            at += 1
        elif is_cjk(text[at]) and not re.match(r"\d{4}年", text[at:]):
            tokens.append(Token(text[at], text[at], "cjk", at, at + 1))
            at += 1
        else:
            found = _plain(text, at)
            tokens += found
            at = found[-1].end
    return tuple(tokens)


def _quoted(text: str, at: int) -> Token | None:
    char = text[at]
    close = _QUOTES.get(char)
    if char == "'" and (at == 0 or not text[at - 1].isalnum()):
        close = "'"
    if close is None:
        return None
    end = text.find(close, at + 1)
    while close in "'’" and end != -1 and text[end + 1 : end + 2].isalnum():
        end = text.find(close, end + 1)
    inner = text[at + 1 : end].strip() if end > at else ""
    return Token(inner, inner.lower(), "quoted", at, end + 1) if inner else None


def _plain(text: str, at: int) -> list[Token]:
    match = _TOKEN.match(text, at)
    assert match is not None  # \S matches whatever is no blank
    kind = match.lastgroup or "mark"
    found = match[0]
    for index, char in enumerate(found):
        if is_cjk(char) and kind != "date":
            found = found[:index]
            break
    end = at + len(found)
    if kind == "word":
        return _word(found, text, at, end)
    if kind == "number":
        return [Token(found, found.replace(",", ""), "number", at, end)]
    form = "." if found == "。" else unicodedata.normalize("NFKC", found) if kind == "mark" else found
    token_kind: Kind = "date" if kind == "date" else "email" if kind == "email" else "mark"
    return [Token(form, form.lower(), token_kind, at, end)]


def _word(found: str, text: str, at: int, end: int) -> list[Token]:
    rest = re.match(r"['’](s|re|ve|m|d|ll|t)\b", text[end:], re.IGNORECASE)
    folded = found.lower()
    if rest is None:
        if folded.endswith("s") and re.match(r"['’](?=\s|$)", text[end:]):
            return [_make(found, at, end), Token("'s", "'s", "word", end, end + 1)]
        if folded in _CONTRACTED:
            return [Token(found, part, "word", at, end) for part in _CONTRACTED[folded].split()]
        return [_make(found, at, end)]
    close = end + len(rest[0])
    whole = folded + "'" + rest[1].lower()
    if whole in _CONTRACTED:
        return [Token(found, part, "word", at, close) for part in _CONTRACTED[whole].split()]
    if whole.endswith("n't"):
        return [_make(found[:-1], at, end - 1), Token("n't", "not", "word", end - 1, close)]
    if folded in _SUBJECTS and rest[1].lower() == "s":
        return [_make(found, at, end), Token(rest[0], "is", "word", end, close)]
    suffix = "'" + rest[1].lower()
    if suffix not in _SUFFIXES:
        return [_make(found, at, end)]
    return [_make(found, at, end), Token(rest[0], _SUFFIXES[suffix], "word", end, close)]


def _make(found: str, at: int, end: int) -> Token:
    has_digit = any(char.isdigit() for char in found)
    kind: Kind = "id" if has_digit or "_" in found else "word"
    return Token(found, found.lower(), kind, at, end)


def join_tokens(tokens: Iterable[Token]) -> str:
    """Write tokens as a text again: blanks only where the task had them."""
    out = ""
    last: Token | None = None
    for token in tokens:
        if last is not None and token.start > last.end:
            out += " "
        out += token.text
        last = token
    return out


def number_value(token: Token) -> Decimal | None:
    """Read a token as a number: digits, or an English number word."""
    if token.kind == "number":
        return Decimal(token.lower)
    if token.kind == "word" and token.lower in _WORD_NUMBERS:
        return Decimal(_WORD_NUMBERS[token.lower])
    return None


def chinese_number(text: str) -> int | None:
    """Read Chinese numerals below ten thousand (`三十`, `两百`, `一千二百`); None where it is none."""
    total, digit = 0, None
    for char in text:
        if char in _CJK_DIGITS:
            if digit is not None:
                return None
            digit = _CJK_DIGITS[char]
        elif char in _CJK_UNITS:
            total += (1 if digit is None else digit) * _CJK_UNITS[char]
            digit = None
        else:
            return None
    return total + (digit or 0) if text else None


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """Give a lower-case English noun without its plural ending; other words as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """Give the common root of a word's forms: `ordered`, `ordering`, `orders` and `order` are one."""
    base = singular(word)
    for ending in ("ing", "ed"):
        stem = base.removesuffix(ending)
        if stem != base and len(stem) > 2 and re.search("[aeiouy]", stem) and not base.endswith("eed"):
            base = _IRREGULAR.get(base, stem)
            doubled = len(base) > 3 and base[-1] == base[-2]
            if doubled and (base[-1] not in "aeiouls" or (base[-1] == "l" and len(base) > 5)):
                base = base[:-1]
            elif base.endswith("i"):
                base = base[:-1] + "y"
            break
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """Split an identifier into lower-case words: `orderItems`, `order_items`, `OrderItems` are `order`, `items`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return tuple(part.lower() for part in re.findall(r"[^\W_]+", spaced))
