"""A person with answers given beforehand."""

from __future__ import annotations

from collections.abc import Iterable

from thinkagent.events import QuestionAsked

__all__ = ["ScriptedHuman"]


class ScriptedHuman:
    """Answer with the given answers, in order; `asked` holds every question.

    An answer is a text (`yes`, `no` or `stop` to a question of permission), or None for nobody there.

    Raises:
        AssertionError: a question comes and no answer is left.
    """

    def __init__(self, answers: Iterable[str | None]) -> None:
        self.asked: list[QuestionAsked] = []
        self._answers = iter(answers)

    async def ask(self, question: QuestionAsked) -> str | None:
        self.asked.append(question)
        for answer in self._answers:
            return answer
        raise AssertionError(f"no answer is left for the question {question.text!r}")
