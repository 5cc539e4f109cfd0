from __future__ import annotations

from tests.minds.asking import PAGE, ask, ask_once
from thinkagent.minds.base import MindFailure, Reply
from thinkagent.minds.scripted import ScriptedMind


def test_gives_every_kind_of_entry_in_order() -> None:
    replies = ["text", {"thought": "数"}, Reply("r", reasoning="hm"), lambda page: {"turn": page.turn}]
    mind = ScriptedMind(replies)
    outcomes = ask(mind, times=4)
    assert [outcome.reply.text for outcome in outcomes if outcome.reply] == [
        "text",
        '{"thought":"数"}',
        "r",
        '{"turn":1}',
    ]
    assert [outcome.shown for outcome in outcomes] == ["text", '{"thought":"数"}', "r", '{"turn":1}']
    assert outcomes[2].shown_reasoning == "hm"
    assert (mind.pages, mind.name) == ([PAGE] * 4, "scripted")


def test_raises_a_failure_given_or_made() -> None:
    failure = MindFailure("rate_limited", "wait", retryable=True)
    outcomes = ask(ScriptedMind([failure, lambda page: failure, "x"]), times=3)
    assert [outcome.failure for outcome in outcomes] == [failure, failure, None]


def test_runs_out_loudly() -> None:
    mind = ScriptedMind(["only"])
    ask_once(mind)
    failure = ask_once(mind).failure
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("bad_request", False)
    assert failure.message == "the script has no more replies (turn 1)"


def test_takes_replies_one_at_a_time() -> None:
    taken: list[int] = []

    def script():  # type: ignore[no-untyped-def]
        for number in range(3):
            taken.append(number)
            yield str(number)

    mind = ScriptedMind(script())
    ask(mind, times=2)
    assert taken == [0, 1]


def test_one_script_gives_the_same_twice() -> None:
    first, second = (ask(ScriptedMind(["a", {"b": 1}]), times=2) for _ in range(2))
    assert first == second
