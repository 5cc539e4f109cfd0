"""What an answer says was done: `I deleted the order`, `The coupon was issued.`, `已删除`.

Only what is surely meant so is taken. A word of change in the first person is a deed; `was deleted` is one where the
task asked for just that, else it may be a fact of the API (`Order 7 was cancelled on Monday.`). What is denied, doubted
or told as done before is none.
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
_CLAUSE = re.compile(r"[.;!?\n。；！？]+(?:\s|$)|[;。；！？\n]|\bbut\b|但", re.IGNORECASE)

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
_QUESTION = re.compile(r"[?？吗]\s*$|多少|哪些|哪个|几个|什么|是否|何时")


def deeds(answer: str, task: str) -> Iterator[str]:
    """Give the words by which an answer says that the API was changed in this run."""
    answer, task = (unicodedata.normalize("NFKC", text).replace("’", "'") for text in (answer, task))
    wished = {match["verb"].lower() for match in _WISH.finditer(task)}
    asked = [_PAST[verb] for verb in _ASKED if verb in wished]
    done = re.compile(rf"(?<![\w-])(?:{'|'.join(asked)})\b(?!:)", re.IGNORECASE) if asked else None
    wished_chinese = set() if _QUESTION.search(task) else {match["verb"] for match in _CHINESE_WISH.finditer(task)}
    for clause in _CLAUSE.split(answer):
        if _DENIED.search(clause):
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
    """Give the first deed that an answer tells of and no write can be; None where there is none.

    `writes` are those that succeeded, as `DELETE /orders/{id} dropOrder`. A removal needs one that removes, and what
    was made one that does more than that.
    """
    for deed in deeds(answer, task):
        if _REMOVAL.match(deed):
            able = [write for write in writes if _REMOVES.search(write)]
        else:
            able = [write for write in writes if not (_MAKING.match(deed) and write.startswith("DELETE "))]
        if not able:
            return deed
    return None
