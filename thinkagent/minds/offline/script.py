"""A plan as a plain function that is run from its beginning at every turn.

The mind keeps nothing between turns. Its plan is a function that asks a `Script` for one step after another; for the
steps that the page's history holds, the script hands back what was observed, and at the first that is not there the
turn to take is known and the function is left.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from thinkagent.minds.offline.texts import Language
from thinkagent.turns.model import ObservationCard, Page
from thinkagent.values import Json

__all__ = ["NextTurn", "Script", "Seen", "escaped", "reference", "step_name"]

_TAKEN = {*dir(builtins), "steps", "inputs", "item", "today", "now", "date", "datetime", "timedelta", "timezone"}
_TEMPLATES = re.compile(r"<<|\{\{|\$\{|\{\$|\$(?=steps|inputs)|<(?=\s*steps)")


@dataclass(frozen=True)
class Seen:
    """What came of a step that was taken."""

    observation: Mapping[str, Json]
    complete: bool

    @property
    def ok(self) -> bool:
        return self.observation.get("status") == "ok"

    @property
    def status(self) -> str:
        return str(self.observation.get("status"))

    @property
    def http_status(self) -> int:
        http = self.observation.get("http")
        code = http.get("status") if isinstance(http, Mapping) else http
        return code if isinstance(code, int) else 0

    @property
    def summary(self) -> str:
        return str(self.observation.get("summary") or self.status)

    def value(self, *path: str) -> Json:
        """Give a part of the result as it was shown; None where it is not there."""
        found: Json = self.observation.get("result")
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        return found

    def number(self, *path: str) -> int:
        found = self.value(*path)
        return found if isinstance(found, int) and not isinstance(found, bool) else 0

    def counted(self, *path: str) -> int | None:
        """Give how many elements a list of the result has; None where it is not told."""
        shape: Json = self.observation.get("shape")
        for name in path:
            inner = shape.get("properties") if isinstance(shape, Mapping) else None
            shape = inner.get(name) if isinstance(inner, Mapping) else None
        told = shape.get("count") if isinstance(shape, Mapping) else None
        if isinstance(told, int):
            return told
        found = self.value(*path)
        return len(found) if isinstance(found, list) else None

    @property
    def count(self) -> int:
        """How many elements the result has."""
        return self.counted() or 0


class NextTurn(Exception):
    """The plan has come to a step that is not taken yet; `turn` is what to answer."""

    def __init__(self, turn: dict[str, Json]) -> None:
        super().__init__("the next turn")
        self.turn = turn


class Script:
    """Hands out what was observed, and stops at the first step that is still to be taken."""

    def __init__(self, page: Page, language: Language) -> None:
        self.page = page
        self.language = language
        self.plan: dict[str, str] = {}
        """Items of the plan by a word that the steps refer to."""
        self.plan_reason = language("now I know which operations there are")
        """Why the plan is not the one of the turn before."""
        self.lists: dict[str, tuple[str, Seen]] = {}
        """Steps that read a list, by operation and arguments: none is read twice."""
        self._history: Sequence[ObservationCard] = page.history
        self._place = 0
        self._cards = {card.name: card for card in page.steps}
        self.names: dict[str, None] = {}
        """All step names, in order."""
        self.results: dict[str, None] = {}
        """Those that hold something of the API or of a computation: what an answer can rest on."""

    def do(
        self,
        tool: str,
        arguments: Mapping[str, Json],
        *,
        save_as: str,
        thought: str,
        doing: str,
        pages: str | None = None,
        for_each: str | None = None,
    ) -> Seen:
        """Take a step, or give what came of it when it was taken."""
        self.names[save_as] = None
        if tool != "search_tools":
            self.results[save_as] = None
        if self._place < len(self._history):
            card = self._history[self._place]
            if card.action.tool != tool:
                self.finish(
                    "impossible",
                    self.language("this is not the run that I began: turn {turn} was not mine", turn=card.turn),
                    thought=self.language("The turns before are not mine, so I do not know what they were for."),
                )
            self._place += 1
            step = self._cards.get(save_as)
            return Seen(card.observation, step.complete if step is not None else True)
        action: dict[str, Json] = {"tool": tool, "arguments": dict(arguments)}
        if for_each is not None:
            action["for_each"] = for_each
        if pages is not None:
            action["pages"] = pages
        action["save_as"] = save_as
        return self._stop(thought, doing, action)

    def compute(self, expression: str, *, save_as: str, thought: str, doing: str) -> Seen:
        """Compute; a computation that fails ends the run."""
        seen = self.do("compute", {"expression": expression}, save_as=save_as, thought=thought, doing=doing)
        if not seen.ok:
            self.give_up(seen)
        return seen

    def give_up(self, seen: Seen, what: str = "") -> NoReturn:
        """End because a step has failed, with what was said about it."""
        told = seen.summary if not what else f"{what}: {seen.summary}"
        status = "failed"
        self.finish(
            status,
            self.language("This did not work: {told}", told=escaped(told)),
            thought=self.language("That step failed and I know no other way that is safe, so I stop and say so."),
        )

    def finish(
        self,
        status: str,
        answer: Json,
        *,
        thought: str,
        evidence: Sequence[str] = (),
        value: Json = None,
    ) -> NoReturn:
        """End the run; `value` is the bare answer for a run that wants JSON of a schema."""
        shaped: Json = answer
        if status == "done" and self.page.answer_schema is not None:
            fitted = _fit(self.page.answer_schema, answer, value)
            if fitted is None:
                status = "impossible"
                shaped = self.language("I cannot give this answer in the form that is asked for")
            else:
                shaped = fitted[0]
        arguments: dict[str, Json] = {"status": status, "answer": shaped}
        if evidence:
            arguments["evidence"] = [name for name in dict.fromkeys(evidence) if name in self.results]
        last = next(reversed(self.plan), "")
        self._stop(thought, last, {"tool": "finish", "arguments": arguments})

    def _stop(self, thought: str, doing: str, action: dict[str, Json]) -> NoReturn:
        turn: dict[str, Json] = {"thought": thought}
        plan = list(self.plan.values())
        known = list(self.page.plan.items) if self.page.plan is not None else None
        if plan and plan != known:
            turn["plan"] = plan
            if self.page.history:
                turn["plan_reason"] = self.plan_reason
        if doing in self.plan:
            turn["doing"] = list(self.plan).index(doing) + 1
        turn["action"] = action
        raise NextTurn(turn)

    def name(self, words: str) -> str:
        """Make a step name out of words that no other step has."""
        base = step_name(words)
        name, count = base, 1
        while name in self.names:
            count += 1
            name = f"{base}_{count}"
        return name


def _fit(schema: Mapping[str, Json], answer: Json, value: Json) -> tuple[Json] | None:
    """Give the answer in the form of a simple schema: a scalar, or an object with one such property."""
    kind = schema.get("type")
    if kind == "string" and value is None:
        return (answer,)
    if kind in ("string", "number", "integer", "array") and value is not None:
        return (value if kind != "string" else answer,)
    properties = schema.get("properties")
    if kind == "object" and isinstance(properties, Mapping) and len(properties) == 1:
        name, inner = next(iter(properties.items()))
        fitted = _fit(inner, answer, value) if isinstance(inner, Mapping) else None
        return ({name: fitted[0]},) if fitted is not None else None
    return None


def step_name(words: str) -> str:
    """Make words a valid step name: an identifier of Python that means nothing else in a computation."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", words).strip("_").lower() or "step"
    if name[0].isdigit() or name in _TAKEN or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        name = "the_" + name
    return name


def reference(name: str, *path: str) -> str:
    """Write a reference to a part of a step's result."""
    inner = "".join(f".{part}" if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", part) else f'["{part}"]' for part in path)
    return f"<<steps.{name}.result{inner}>>"


def escaped(text: str) -> str:
    """Make a text of the API safe inside an answer: nothing in it reads as a reference."""
    return _TEMPLATES.sub(lambda match: " ".join(match[0]), text)
