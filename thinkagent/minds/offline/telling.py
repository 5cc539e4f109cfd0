"""How many there are, said in a whole sentence: out of the task's own words, which agree with the number."""

from __future__ import annotations

from dataclasses import replace

from thinkagent.minds.offline.query import Select, When
from thinkagent.minds.offline.script import escaped
from thinkagent.minds.offline.texts import Language, plural
from thinkagent.minds.offline.words import PAST, root, singular

__all__ = ["how_many", "said", "things_of"]

_AUXILIARIES = {"are": "is", "were": "was", "have": "has", "do": "does"}
_SINGULAR = {**_AUXILIARIES, "cost": "costs", "live": "lives", "own": "owns",
             "belong": "belongs", "contain": "contains"}  # fmt: skip
_VERBS = {*_SINGULAR, *_SINGULAR.values(), "had", "did", "never"}
_PLURAL = {one: many for many, one in _SINGULAR.items()}
_RELATIVE = ("who", "that", "which")
_LOOSE = {*_RELATIVE, "with", "without", "having", "whose", "where", "in", "on", "at", "to", "from", "by", "of", "for",
          "under", "within", "inside", "belonging", "called", "named", "made", "written", "created", "since", "before",
          "after", "between", "until", "during", "over", "last", "this", "past", "previous", "today",
          "yesterday", "the", "more", "less", "older", "newer", "and", "but", "not", "than"}  # fmt: skip
"""With these words goes on what is no sentence yet."""


def said(select: Select, say: Language) -> str:
    """Give the task's own words for what is selected."""
    return escaped(select.text) or say.plural(select.resource.label)


def how_many(select: Select, say: Language, shown: str, count: int) -> str:
    """Say how many were found, without a mark at the end; `shown` is what stands for the number."""
    if say.chinese:
        phrase = select.phrase
        turned = phrase.tail and select.text.endswith(phrase.tail)
        what = escaped(f"{phrase.lead}{phrase.tail}的{phrase.noun}") if turned else said(select, say)
        return say("{what}: {count}", what=what, count=shown)
    things = things_of(select, say, count)
    tail = select.phrase.tail.split()
    first = tail[0].lower() if tail else ""
    words = {word.lower() for word in tail}
    later = bool(words & _AUXILIARIES.keys()) and not words & set(_RELATIVE)
    if first in _VERBS or later or (select.asked and _is_verb(first)):
        return f"{shown[:1].upper()}{shown[1:]} {things}"
    past = any(isinstance(one, When) for one in select.conditions) and first not in _RELATIVE
    verb = ("was" if past else "is") if count == 1 else "were" if past else "are"
    return f"There {verb} {shown} {things}"


def _is_verb(word: str) -> bool:
    return bool(word) and word.isalpha() and word not in _LOOSE and not word.endswith("er")


def _agreeing(word: str, one: bool) -> str:
    """Give a verb in the form that goes with one or with many; a past form goes with both."""
    known = (_SINGULAR if one else _PLURAL).get(word.lower())
    bare = word.islower() and not word.endswith(("ed", "s")) and word not in PAST and root(word) == word
    return known or (word + "s" if one and bare and _is_verb(word) else word)


def things_of(select: Select, say: Language, count: int) -> str:
    """Give the task's words for some things, without `all` or `the`, in the form that goes with the number."""
    if say.chinese:
        return said(select, say)
    one, phrase = count == 1, select.phrase
    if phrase.lead.endswith("'s"):  # last month's orders
        phrase = replace(phrase, lead="", tail=f"{phrase.tail} {phrase.lead[:-2]}")
    *words, noun = (phrase.noun or select.resource.label).split()
    if one:
        noun = singular(noun.lower()) if singular(noun.lower()) != noun.lower() else noun
    elif singular(noun.lower()) == noun.lower():
        noun = plural(noun)
    tail = phrase.tail.split()
    place = 1 if tail[:1] and tail[0].lower() in _RELATIVE else 0
    if len(tail) > place and (select.asked or tail[place].lower() in _VERBS):
        tail[place] = _agreeing(tail[place], one)
    if one:
        tail = [_AUXILIARIES.get(word, word) for word in tail]
    return escaped(" ".join([*phrase.lead.split(), *words, noun, *tail]))
