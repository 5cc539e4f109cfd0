"""Large documents: the page shows only some of the tools, so the others are searched for before all else."""

from __future__ import annotations

from collections.abc import Sequence

from thinkagent.minds.offline.commands import making_tool
from thinkagent.minds.offline.function_words import function_words
from thinkagent.minds.offline.lexicon.concepts import english_of
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.script import Script
from thinkagent.minds.offline.vocabulary import Vocabulary
from thinkagent.minds.offline.words import Token, join_tokens, singular, tokenize

__all__ = ["search_first"]

_MOST = 8
_LONGEST = 6
_VERBS = {
    "create": ("create", "add", "make", "issue", "give", "创建", "新建", "添加", "新增", "发"),
    "update": ("create", "set", "change", "update", "mark", "rename", "创建", "新建", "改", "设"),
    "delete": ("delete", "remove", "删"),
}
"""What to search for besides the list, by the words that order it; some services create by an update."""
_NAMING = {"named", "called", "titled"}


def search_first(script: Script, shown: Sequence[Resource]) -> None:
    """Search for the tools that the words of the task may need; `page.fetched` holds the finds when it is done.

    `shown` are the resources of the tools that stand on every page: what is searched for hangs on nothing else.
    """
    say = script.language
    script.plan = {"search": say("look for the operations that fit"), "answer": say("do what is asked")}
    for number, query in enumerate(_queries(script.page.task, shown), 1):
        name = script.name(f"search_{number}")
        thought = say('The document is large and I see only a part of it. I search it for "{query}".', query=query)
        script.do("search_tools", {"query": query}, save_as=name, thought=thought, doing="search")


def _queries(task: str, shown: Sequence[Resource]) -> list[str]:
    """Write what to search for: a list of each noun that the task may speak of and that is not fully shown."""
    tokens = tokenize(task)
    words = Vocabulary(tokens, shown)
    nouns: list[str] = []
    at = 0
    while at < len(tokens):
        named = [one for one in words.resources_at(at) if one.cost < 0.3]
        if named:
            nouns += [one.resource.label for one in named if not _is_whole(one.resource)]
            at = max(one.end for one in named)
            continue
        size, noun = _noun(tokens, at)
        if noun and not (at and (tokens[at - 1].lower in _NAMING or words.covers(at - 1))):
            nouns.append(noun)
        at += size
    verbs = ["list", *(verb for verb, said in _VERBS.items() if any(_says(tokens, word) for word in said))]
    return [f"{verb} {noun}" for noun in dict.fromkeys(nouns) for verb in verbs][:_MOST]


def _says(tokens: Sequence[Token], word: str) -> bool:
    """Say whether the task has a word: an English one as a token, a Chinese one anywhere."""
    return any(token.lower == word for token in tokens) or (not word.isascii() and word in join_tokens(tokens))


def _is_whole(resource: Resource) -> bool:
    """Say whether all the usual operations of a resource are shown."""
    return bool(resource.listings and resource.get and resource.delete and making_tool(resource))


def _noun(tokens: Sequence[Token], at: int) -> tuple[int, str]:
    """Give the English noun that begins at a token, with how many tokens it takes; empty where there is none."""
    token = tokens[at]
    if token.kind == "cjk":
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            english = english_of("".join(one.text for one in tokens[at : at + size]))
            if english:
                return size, english
        return 1, ""
    plain = token.kind == "word" and len(token.text) > 2 and not (token.capitalised and at > 0)
    known = (token.lower,) in function_words()
    return 1, singular(token.lower) if plain and not known else ""
