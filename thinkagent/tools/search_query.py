"""What a task in words asks for: the words that tools are looked for by, the values that it names, the effect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from thinkagent.documents.cache import Cache
from thinkagent.tools.chinese import Sense, senses_in
from thinkagent.tools.words import spoken_words, stem

__all__ = ["METHODS", "READING", "Query", "read_query"]

MAX_QUERY = 2000
"""Characters of a query that are read."""

_STOPWORD_TEXT = """
a about after again all am an and any are as at be been before being both but by can could did do does doing down each
either else every few for from further had has have having he her here hers him his how i if in into is it its itself
just know let like likes many may me more most much must my need never no nor not now of off on once one only or other
our out over own per please same shall she should so some such tell than that the their them then there these they
thing this those through to too under until up upon us very want was we were what when where whether which while who
whom whose why will with without would yet you your
"""
_STOPWORDS = frozenset(stem(word) for word in _STOPWORD_TEXT.split())
_VERB_TEXTS = {
    "read": "list show find get fetch search read look display count view retrieve lookup check",
    "create": "create add new make issue register insert post invite send submit place book",
    "change": "update change set modify edit rename replace patch move adjust correct",
    "delete": "delete remove cancel drop destroy erase revoke clear purge",
}
_VERBS = {kind: frozenset(map(stem, words.split())) for kind, words in _VERB_TEXTS.items()}
READING = _VERBS["read"]
METHODS = {
    "read": frozenset({"GET", "HEAD", "QUERY"}),
    "create": frozenset({"POST", "PUT"}),
    "change": frozenset({"PUT", "PATCH", "POST"}),
    "delete": frozenset({"DELETE"}),
}
_CJK_VERBS = {
    "read": "列出|查询|查看|查找|获取|显示|搜索|多少|统计|一覧|取得|検索|表示|조회|검색|목록",
    "create": "创建|新建|新增|添加|增加|发放|发送|注册|下单|作成|追加|登録|送信|생성|추가|등록",
    "change": "修改|更新|更改|编辑|设置|改名|変更|更新|編集|수정|변경|업데이트",
    "delete": "删除|移除|取消|清除|撤销|削除|取り消し|삭제|제거|취소",
}
_QUESTION = re.compile(
    r"^\s*(?:what|which|who|whose|how|when|where|is|are|do|does|did|has|have|was|were|count|total|average|number)\b"
    r"|[?？]\s*$",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^\s*(?:please|(?:can|could|would|will)\s+(?:you|we|i))\b", re.IGNORECASE)
"""What makes an order sound like a question."""
_MANY = re.compile(
    r"\b(?:how\s+(?:many|much)|which|number\s+of|count|total|sum|average|most|least|all|every|each)\b|多少|几|所有|全部",
    re.IGNORECASE,
)

_QUOTED = re.compile(
    r"\"([^\"]{1,200})\"|(?<!\w)'([^']{1,200})'(?!\w)|[“「『《]([^”」』》]{1,200})[”」』》]|`([^`]{1,200})`"
)
# A value rather than a word: an address, a path, an identifier, a number.
_VALUE = re.compile(r"(?:\S*[A-Za-z0-9]/\S+|\S+@\S+|https?://\S+|\b\w*\d\w*\b(?:[-.:]\w+)*|\b\w+(?:_\w+)+\b)", re.ASCII)
_PAIR = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_CAPITALISED = re.compile(r"[A-Z][\w'’&.-]*")
_JOINING = {"a", "an", "and", "at", "de", "for", "in", "la", "le", "of", "on", "or", "the", "to", "van", "von", "with"}
"""What stands inside of names: Game of Thrones."""
_TOKEN = re.compile(r"[^\s,;:!?()\[\]]+|[,;:!?()\[\]]")


@dataclass(frozen=True, slots=True)
class Query:
    """A task as the ranking reads it."""

    words: Mapping[str, str]
    """Stems, each as it was spoken."""
    wanted: str
    """`answer` for a question; `read`, `create`, `change`, `delete` for an order; empty where neither is seen."""
    wants_many: bool
    """Whether it asks about many things at once."""
    numbers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """The values in it that are no numbers: quoted texts, proper names, identifiers."""
    pairs: int = 0
    """How many of the names are two of one path: owner/name."""
    senses: tuple[Sense, ...] = ()
    """Its Chinese words with what they may mean in English."""


def read_query(text: str, is_known: Callable[[str], bool], cache: Cache | None = None) -> Query:
    """Read a task; `is_known` says of a stem whether the document names something so.

    Values are no words to look for: what is quoted, numbers, identifiers, and proper names that the document does not
    know.
    """
    text = text[:MAX_QUERY]
    numbers: list[str] = []
    names: list[str] = []

    def take_quoted(match: re.Match[str]) -> str:
        names.append(next(group for group in match.groups() if group))
        return " ; "

    def take(match: re.Match[str]) -> str:
        value = match[0]
        if not value.isdigit() and _is_known(value, is_known):
            return value
        (numbers if value.isdigit() else names).append(value)
        return " ; "

    rest = " ".join(_without_names(_QUOTED.sub(take_quoted, text), is_known, names))
    rest = _VALUE.sub(take, rest)
    pairs = sum(bool(_PAIR.fullmatch(name)) for name in names)
    words: dict[str, str] = {}
    for word, spoken in spoken_words(rest):
        if word not in _STOPWORDS:
            words.setdefault(word, spoken)
    return Query(
        words,
        _wanted(text, words),
        bool(_MANY.search(text)),
        tuple(numbers),
        tuple(names),
        pairs,
        tuple(senses_in(rest, cache)),
    )


def _without_names(text: str, is_known: Callable[[str], bool], names: list[str]) -> Iterator[str]:
    """Give the tokens of a text but those of proper names, which are noted."""
    tokens = _TOKEN.findall(text)
    at = 0
    while at < len(tokens):
        end = _end_of_name(tokens, at)
        run = tokens[at:end]
        if run and not _is_known(" ".join(run), is_known):
            names.append(" ".join(run))
            at = end
        else:
            yield tokens[at]
            at += 1


def _is_known(text: str, is_known: Callable[[str], bool]) -> bool:
    return all(is_known(word) for word, _ in spoken_words(text))


def _end_of_name(tokens: list[str], start: int) -> int:
    """Say where a run of capitalised words ends that begins here; `start` where none does."""
    if not _begins_name(tokens, start):
        return start
    at = end = start + tokens[start].isdigit()
    while at < len(tokens):
        if _CAPITALISED.fullmatch(tokens[at]):
            end = at + 1
        elif tokens[at].lower() not in _JOINING:
            break
        if tokens[at].endswith(("'s", "’s")):
            break
        at += 1
    return end


def _begins_name(tokens: list[str], at: int) -> bool:
    is_capital = bool(_CAPITALISED.fullmatch(tokens[at]))
    if is_capital and at > 0:
        return True
    # A sentence begins with a capital, and a number is no name, unless a name goes on with it.
    goes_on = at + 1 < len(tokens) and bool(_CAPITALISED.fullmatch(tokens[at + 1]))
    return (is_capital or tokens[at].isdigit()) and goes_on


def _wanted(query: str, words: Iterable[str]) -> str:
    if _QUESTION.search(query) and not _POLITE.search(query):
        return "answer"
    for word in words:
        for kind, verbs in _VERBS.items():
            if word in verbs:
                return kind
    return next((kind for kind, pattern in _CJK_VERBS.items() if re.search(pattern, query)), "")
