"""What the mind says, in English and in Chinese."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.lexicon.concepts import chinese_of
from thinkagent.minds.offline.query import Reason
from thinkagent.minds.offline.words import is_cjk

MEASURES = "个位名本件条张份家笔台只辆部种次篇间座所款项批封场套门支幅棵头艘架枚块则户"
_NOUNS = {"kind", "kinds", "parent", "child"}

__all__ = ["MEASURES", "Language", "language_of"]


class Language:
    """Turns an English sentence of ours, a template, into the language of the task.

    The Chinese of each stands in `lexicon/chinese.txt`; an English sentence that is missing there is a defect that a
    test finds.
    """

    def __init__(self, chinese: bool, measure: str = "个") -> None:
        self.chinese = chinese
        self.measure = measure
        """The measure word that the task counts with."""

    def __call__(self, template: str, /, **parts: object) -> str:
        if not self.chinese:
            return template.format(**parts)
        told = {key: self.noun(str(part)) if key in _NOUNS else part for key, part in parts.items()}
        return _chinese()[template].format(measure=self.measure, **told)

    def reason(self, reason: Reason) -> str:
        return self(reason.template, **dict(reason.parts))

    def noun(self, word: str) -> str:
        """Give an English noun of the document in the task's language."""
        return (chinese_of(word) or word) if self.chinese else word

    def field(self, field: Field) -> str:
        """Give the name of a field: as the document writes it, in Chinese where a dictionary has all of it."""
        return (chinese_of(" ".join(field.words)) or field.label) if self.chinese else field.label

    def plural(self, word: str) -> str:
        """Give the plural of an English noun of the document; Chinese has none."""
        return self.noun(word) if self.chinese else plural(word)

    @property
    def comma(self) -> str:
        return "、" if self.chinese else ", "


def language_of(task: str) -> Language:
    """Choose the language of the task: Chinese where it has Chinese characters outside quotation marks."""
    found = re.search(f"[多几][少]?([{MEASURES}])", task)
    return Language(any(is_cjk(char) for char in task), found[1] if found else "个")


def plural(word: str) -> str:
    """Give the plural of an English noun."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word if word.endswith("ies") else word + "es"
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u"):
        return word[:-1] + "ies"
    return word + "s"


@lru_cache(maxsize=1)
def _chinese() -> dict[str, str]:
    """Read the pairs of sentences: an English line, and below it, indented, the Chinese one."""
    pairs: dict[str, str] = {}
    english = ""
    for line in files("thinkagent.minds.offline.lexicon").joinpath("chinese.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            pairs[english] = line.strip()
        else:
            english = line
    return pairs
