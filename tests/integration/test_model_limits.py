"""Whole runs that use something up: turns, calls, writes, time, the model's context; and what they say they used."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.integration.models import ANSWER, FINISH, LIST, act, finish, run, without_trouble
from thinkagent.events import PromptShown, ReplyFailed
from thinkagent.run.seams import SystemClock
from thinkagent.run.world import Limits, Permission
from thinkagent.testing import Completion, Fault
from thinkagent.values import write_json

TOO_LONG = Fault.http(400, '{"error": {"message": "too many tokens", "code": "context_length_exceeded"}}')


def spoken(turn, **usage):
    return Completion(write_json(turn), usage=usage or None)


def reading(count):
    return [act("listProducts", {"page": page}, save_as=f"page{page}") for page in range(1, count + 1)]


def issuing(count):
    return [act("issueCoupon", {"body": {"customerId": f"cus_{n}", "code": "SORRY5"}}) for n in range(1, count + 1)]


# The same again and again

SAME = {
    "equal": [act("listProducts", {"limit": 5, "page": 1})],
    "other-order": [act("listProducts", {"limit": 5, "page": 1}), act("listProducts", {"page": 1, "limit": 5})],
    "other-spelling": [act("listProducts", {"limit": 5, "page": 1}), act("listProducts", {"limit": "5", "page": "1"})],
    "other-name": [act("listProducts", {"limit": 5}, save_as=name) for name in ("a", "b", "c", "d", "e")],
    "in-turn": [act("listProducts", {"limit": 5}), act("listCoupons", {"limit": 5})],
    "an-error": [act("getProduct", {"productId": "prd_99"})],
    "a-search": [act("search_tools", {"query": "products"})],
    "a-computation": [act("compute", {"expression": "1 + 1"})],
    "a-broken-computation": [act("compute", {"expression": "1 / 0"})],
}


@pytest.mark.parametrize("turns", SAME.values(), ids=SAME.keys())
def test_the_same_again_and_again_ends_as_a_loop(turns, tmp_path):
    ended = run([turn for _ in range(5) for turn in turns], tmp_path)
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("loop", 1)
    assert len(ended.asked) <= 10
    remarked = [index for index in range(len(ended.asked)) if "gave the same outcome" in ended.said(index)]
    assert remarked, "nobody said a word before the end"
    assert remarked[0] >= 3


def test_refused_again_and_again_ends_as_a_loop(tmp_path):
    ended = run(issuing(1) * 9, tmp_path, permission=Permission())
    result = without_trouble(ended)
    assert (result.status, result.exit_code, ended.written) == ("loop", 1, [])


def test_the_same_write_is_no_loop_and_is_sent_each_time(tmp_path):
    ended = run([*issuing(1) * 6, FINISH], tmp_path, limits=Limits(turns=6))
    result = without_trouble(ended)
    assert result.status == "limit"
    assert [seen.status for seen in ended.written] == [201, *[409] * 5]


# Running out

USED_UP = {
    "no-turns": (Limits(turns=0), [], "--max-turns", 0),
    "one-turn": (Limits(turns=1), reading(1), "--max-turns", 1),
    "three-turns": (Limits(turns=3), reading(3), "--max-turns", 3),
    "no-calls": (Limits(calls=0), reading(1), "--max-calls", 0),
    "two-calls": (Limits(calls=2), reading(3), "--max-calls", 2),
    "calls-inside-pages": (Limits(calls=2), [act("listOrders", {"limit": 10}, pages="all")], "--max-calls", 2),
    "no-writes": (Limits(writes=0), issuing(1), "--max-writes", 0),
    "two-writes": (Limits(writes=2), issuing(3), "--max-writes", 2),
    "writes-of-one-batch": (
        Limits(writes=2),
        [
            act("listCustomers", {"limit": 5}, save_as="some"),
            act(
                "issueCoupon",
                {"body": {"customerId": "<<item.id>>", "code": "SORRY5"}},
                for_each="<<steps.some.items>>",
            ),
        ],
        "--max-writes",
        1,
    ),
}


@pytest.mark.parametrize(("limits", "turns", "flag", "calls"), USED_UP.values(), ids=USED_UP.keys())
def test_a_limit_is_no_answer(limits, turns, flag, calls, tmp_path):
    ended = run(turns, tmp_path, task="Issue SORRY5 to cus_1, cus_2 and cus_3", limits=limits)
    result = without_trouble(ended)
    assert (result.status, result.exit_code, result.answer) == ("limit", 1, None)
    assert flag in result.reason
    assert len(ended.called) == calls


class HangsOnWrites(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request):
        await request.aread()
        await asyncio.Event().wait()


def test_time_that_runs_out_during_a_write_leaves_it_in_doubt(tmp_path):
    ended = run(issuing(1), tmp_path, limits=Limits(timeout_s=0.5), clock=SystemClock(), transport=HangsOnWrites())
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("limit", 1)
    assert [change["outcome"] for change in result.changes] == ["unknown"]
    assert ended.seconds < 1.5


# What the model cannot take


def prompts(ended):
    return [record.event.tokens for record in ended.result.records if isinstance(record.event, PromptShown)]


def test_a_page_that_is_too_long_is_shown_smaller_from_then_on(tmp_path):
    ended = run([LIST, TOO_LONG, FINISH], tmp_path)
    result = without_trouble(ended)
    assert (result.status, result.answer) == ("done", ANSWER)
    _, refused, smaller = prompts(ended)
    assert smaller < refused * 3 / 4
    assert len(write_json(ended.asked[2].body)) < len(write_json(ended.asked[1].body)) * 3 / 4
    for needed in ("How many products", "listProducts", "<data", "Answer with"):
        assert needed in ended.said(2)
    [failure] = [record.event for record in result.records if isinstance(record.event, ReplyFailed)]
    assert failure.retry["budget_tokens"] < refused


def test_a_page_gets_smaller_more_than_once(tmp_path):
    ended = run([*reading(2), TOO_LONG, TOO_LONG, finish("It is <<steps.page1.result.total>>.", "page1")], tmp_path)
    result = without_trouble(ended)
    assert (result.status, result.answer) == ("done", "It is 12.")
    sizes = prompts(ended)[2:]
    assert sizes == sorted(set(sizes), reverse=True)


def test_later_turns_stay_small(tmp_path):
    turns = reading(3)
    ended = run([turns[0], TOO_LONG, *turns[1:], finish("It is <<steps.page1.result.total>>.", "page1")], tmp_path)
    assert without_trouble(ended).status == "done"
    before, *after = prompts(ended)[1:]
    assert max(after) < before


def test_what_is_too_long_for_ever_ends_the_run(tmp_path):
    ended = run([TOO_LONG], tmp_path, served={"repeat_last": True})
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("model_error", 3)
    assert set(ended.failures) == {"context_length"}
    sizes = prompts(ended)
    assert len(sizes) <= 3
    assert sizes == sorted(set(sizes), reverse=True)


def test_big_answers_do_not_make_the_page_long(tmp_path):
    turns = [act("listOrders", {"limit": 50}, save_as=f"o{n}", pages="all") for n in range(4)]
    ended = run([*turns, finish("There are <<steps.o0.result.total>>.", "o0")], tmp_path)
    assert without_trouble(ended).answer == "There are 168."
    assert max(prompts(ended)) < 16_000


# What it used

USED = {
    "told": (
        [
            spoken(LIST, prompt_tokens=100, completion_tokens=20),
            spoken(FINISH, prompt_tokens=150, completion_tokens=30),
        ],
        (250, 50, 0),
    ),
    "never-told": ([spoken(LIST), spoken(FINISH)], (None, None, 2)),
    "told-once": ([spoken(LIST, prompt_tokens=100, completion_tokens=20), spoken(FINISH)], (100, 20, 1)),
    "told-in-part": ([spoken(LIST, completion_tokens=20), spoken(FINISH, completion_tokens=30)], (None, 50, 2)),
    "zeros": ([spoken(LIST, prompt_tokens=0, completion_tokens=0), spoken(FINISH)], (None, None, 2)),
    "nonsense": ([spoken(LIST, prompt_tokens="many", completion_tokens=-1), spoken(FINISH)], (None, None, 2)),
    "repairs-count": (["No.", spoken(LIST, prompt_tokens=1, completion_tokens=1), FINISH], (23, 15, 0)),
}


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize(("entries", "expected"), USED.values(), ids=USED.keys())
def test_unknown_usage_is_unknown_and_never_nothing(entries, expected, stream, tmp_path):
    result = without_trouble(run(entries, tmp_path, options={"stream": stream}))
    assert result.status == "done"
    usage = result.usage
    assert (usage["input_tokens"], usage["output_tokens"], usage["unknown_usage"]) == expected
    assert usage["cost_usd"] is None


def test_attempts_that_failed_are_counted(tmp_path):
    again = Fault.http(429, headers={"Retry-After": "0"})
    result = without_trouble(run([again, LIST, again, again, FINISH], tmp_path))
    assert (result.status, result.usage["replies"], result.usage["failed_replies"]) == ("done", 2, 3)
