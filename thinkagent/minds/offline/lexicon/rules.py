"""Reads the files of patterns: `conditions.txt` and `sentences.txt`."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Rule", "read_rules"]


class Rule(NamedTuple):
    """One pattern, what it means, and where it may stand (`before`, `after` or `both`; empty for sentences)."""

    pattern: str
    meaning: str
    place: str


@lru_cache(maxsize=8)
def read_rules(name: str) -> tuple[Rule, ...]:
    """Read a file of patterns; `#` begins a comment line, `NAME = text` says what `<NAME>` stands for."""
    rules: list[Rule] = []
    names: dict[str, str] = {}
    meaning = place = ""
    for line in files(__package__).joinpath(name).read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        text = re.sub(r"<(\w+)>", lambda match: names[match[1]], line.strip())
        if line[0].isspace():
            rules.append(Rule(text, meaning, place))
        elif text.endswith(":"):
            meaning, _, place = text[:-1].partition(" ")
        else:
            key, _, value = text.partition(" = ")
            names[key] = value
    return tuple(rules)
