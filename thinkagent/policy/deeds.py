"""What an answer says was done: `I deleted the order`, `The coupon was issued.`, `已删除`; and what the task ordered.

Only what is surely meant so is taken. A word of change in the first person is a deed; `was deleted` is one where the
task asked for just that, else it may be a fact of the API (`Order 7 was cancelled on Monday.`). What is denied, doubted
or told as done before is none. Where the task plainly orders a change, done means that it was made, in whatever words
or language the answer puts it, unless the answer denies it (`There was nothing to delete.`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

__all__ = ["deeds", "undone"]

_OWN = (
    "create", "delete", "update", "issue", "cancel", "register", "insert", "rename", "publish", "assign", "refund",
    "approve", "book", "submit", "email", "notify", "transfer", "reset", "revoke", "upload", "archive", "send",
)  # fmt: skip
"""Words that in the first person say nothing but a change of the API."""
_ASKED = (
    *_OWN, "add", "remove", "change", "modify", "edit", "set", "replace", "mark", "move", "close", "open", "drop",
    "post", "place", "make", "give", "grant", "pay", "charge", "ship", "reject", "start", "stop", "enable", "disable",
    "restart", "deploy", "copy", "restore", "buy", "order", "tag", "invite", "subscribe", "unsubscribe",
)  # fmt: skip
"""Words that ask for a change where a task begins with them."""
_IRREGULAR = {
    "send": "sent",
    "set": "set",
    "reset": "reset",
    "make": "made",
    "give": "given",
    "pay": "paid",
    "buy": "bought",
}
_DOUBLED = {"submit", "ship", "stop", "drop", "tag", "transfer"}


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb == "cancel":
        return "cancell?ed"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1] if verb in _DOUBLED else ''}{'d' if verb.endswith('e') else 'ed'}"


_PAST = {verb: _past(verb) for verb in _ASKED}
_SAID = re.compile(
    rf"\b(?:I|we)(?:'ve| have)?(?: (?:just|now|also|then|successfully))*"
    rf" (?P<verb>{'|'.join(_PAST[verb] for verb in _OWN)})\b"
    rf"(?! (?:my|the (?:plan|search|request|quer\w+|calls?)|(?:a|\d+|one|two|three) (?:requests?|quer\w+|calls?)))",
    re.IGNORECASE,
)
_WISH = re.compile(
    rf"(?:^|[.,;:!?\n]|\b(?:and|then|please|to|also|you|must|should))\s*(?P<verb>{'|'.join(_ASKED)})\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:not|never|nothing|none|no|nobody|without|fail(?:s|ed|ing)?|unable|already|would|could|cannot|can|if|before"
    r"|previously|earlier|to be)\b|n't\b|[未没沒无無不别]|无法|失败|如果|之前|早已",
    re.IGNORECASE,
)
_NO_TROUBLE = re.compile(
    r"\b(?:no|without(?: any| a)?) (?:longer|problems?|issues?|errors?|trouble|delay|doubt|questions?|hitch|fuss)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;!?\n。；！？]+(?:\s|$)|[;。；！？\n]|\bbut\b|但", re.IGNORECASE)

_ORDER = re.compile(
    r"(?:^|[.;!\n]\s*)(?:please\s+|(?:can|could|would|will) you (?:please )?"
    r"|i (?:want|need|would like|'d like) (?:you )?to )?"
    r"(?P<verb>create|delete|remove|cancel|register|insert|rename|publish|assign|refund|approve|revoke|upload|archive"
    r"|replace|update(?! me)|change|issue(?= (?:an?|the|each|every|one|two|three) )"
    r"|add(?= (?:an?|another|new) |.{1,80} to ))\b(?! (?:nothing|no|none)\b)",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|unless|when|ensure|make sure|in case)\b|如果|除非|否则|假如|若|确保", re.IGNORECASE)
_CHINESE = (
    "创建", "新建", "删除", "移除", "更新", "修改", "发送", "发放", "发给", "取消", "注册", "添加", "增加", "重命名",
    "提交", "退款", "批准", "预订", "关闭", "开启", "启用", "禁用", "上传", "发布", "分配", "转账", "通知", "下单",
)  # fmt: skip
_ANY_CHINESE = "|".join(_CHINESE)
_CHINESE_SAID = re.compile(
    rf"(?:我|我们)(?:已经?|刚刚?|成功|把.{{1,30}}|为.{{1,30}}|给.{{1,30}}){{1,2}}(?P<verb>{_ANY_CHINESE})(?!的)"
)
_CHINESE_DONE = re.compile(
    rf"(?:已经?|成功)(?:为.{{1,30}}|给.{{1,30}}|成功)?(?P<verb>{_ANY_CHINESE})(?!的)|(?P<after>{_ANY_CHINESE})(?:完成|成功)"
)
_CHINESE_WISH = re.compile(
    rf"(?:^|[，。；、！？,;\s]|请|把.{{1,30}}|将.{{1,30}}|给.{{1,30}}|为.{{1,30}}|向.{{1,30}}|并|然后|再)(?P<verb>{_ANY_CHINESE})"
)
_CHINESE_ORDER = re.compile(
    rf"^\s*(?:请|帮我|帮忙|麻烦你?)*(?:(?:把|将|给|为|从).{{1,30}}?)?(?P<verb>{_ANY_CHINESE})(?!的|过|了)"
)
_QUESTION = re.compile(r"[?？吗]\s*$|多少|哪些|哪个|几个|什么|是否|何时")


def deeds(answer: str, task: str) -> Iterator[str]:
    """Give the words by which an answer says that the API was changed in this run."""
    answer, task = (unicodedata.normalize("NFKC", text).replace("’", "'") for text in (answer, task))
    wished = {match["verb"].lower() for match in _WISH.finditer(task)}
    asked = [_PAST[verb] for verb in _ASKED if verb in wished]
    done = re.compile(rf"(?<![\w-])(?:{'|'.join(asked)})\b(?!:)", re.IGNORECASE) if asked else None
    wished_chinese = set() if _QUESTION.search(task) else {match["verb"] for match in _CHINESE_WISH.finditer(task)}
    for clause in _CLAUSE.split(answer):
        if _denies(clause):
            continue
        yield from (match["verb"] for match in _SAID.finditer(clause))
        yield from (match["verb"] for match in _CHINESE_SAID.finditer(clause))
        if done is not None:
            yield from (match[0] for match in done.finditer(clause))
        for match in _CHINESE_DONE.finditer(clause):
            if (match["verb"] or match["after"]) in wished_chinese:
                yield match["verb"] or match["after"]


_REMOVAL = re.compile(r"delet|remov|drop|[删移]除", re.IGNORECASE)
_MAKING = re.compile(r"creat|issu|regist|insert|submit|upload|book|publish|[创新]建|发放|注册|上传|发布", re.IGNORECASE)
_REMOVES = re.compile(r"^DELETE |delet|remov|destroy|drop|purge|trash|cancel|archiv|clear|unlink|prune", re.IGNORECASE)


def undone(answer: str, task: str, writes: Collection[str]) -> str | None:
    """Say which deed no write can be: the first that an answer tells of, or what the task orders; None where none is.

    `writes` are those that succeeded, as `DELETE /orders/{id} dropOrder`. A removal needs one that removes, and what
    was made one that does more than that.
    """
    for deed in deeds(answer, task):
        if not _can_be(deed, writes):
            return f"the answer says {deed!r}, and no such write was carried out"
    order = _ordered(task)
    if order and not _can_be(order, writes) and not _denies(answer):
        return f"the task is to {order}, and no such write was carried out"
    return None


def _can_be(deed: str, writes: Collection[str]) -> bool:
    if _REMOVAL.match(deed):
        return any(_REMOVES.search(write) for write in writes)
    return any(not (_MAKING.match(deed) and write.startswith("DELETE ")) for write in writes)


def _ordered(task: str) -> str:
    """Give the verb by which a task plainly orders a change; empty where it asks, or only in some case."""
    task = unicodedata.normalize("NFKC", task).replace("’", "'")
    if _CONDITION.search(task):
        return ""
    match = _ORDER.search(task) or (None if _QUESTION.search(task) else _CHINESE_ORDER.search(task))
    return match["verb"].lower() if match else ""


def _denies(text: str) -> bool:
    return bool(_DENIED.search(_NO_TROUBLE.sub(" ", text)))
