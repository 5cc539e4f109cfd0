"""A person at a real terminal is asked before a write: what stands there, and what the API really gets."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from tests.cli.terminal import Terminal
from thinkagent.cli.render.ink import cells
from thinkagent.events import PersonReplied, RunEnded
from thinkagent.journal import find_log, read_log
from thinkagent.shop import DOCUMENT_PATH, Shop, seed

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE = "Issue a VIP20 coupon to Grace Okafor"
FOUR = "Find customers registered more than 30 days ago who never ordered and issue each of them a WELCOME10 coupon"
PROMPT = "Send? [y]es  [n]o  [d]etails  [s]top "
DETAILS = "request 1 of "
NOTHING = "\nNothing was changed.\n"
SENT_ONE = "\nChanged: 1 × POST /coupons.\n"
SAID_NO = "error: issueCoupon: the person said no (refused)"
NOBODY = "error: issueCoupon: nobody could be asked (refused)"
STOPPED = "error: issueCoupon: the person stopped the run (refused)"

# What is typed at each prompt, the exit code, how many writes arrive, what the log holds, and what stands there.
CASES = {
    "yes": (ONE, ["y\n"], 0, 1, "yes", ["   answered: yes\n", SENT_ONE]),
    "yes in full": (ONE, ["Yes\n"], 0, 1, "yes", [SENT_ONE]),
    "no": (ONE, ["n\n"], 1, 0, "no", ["   answered: no\n", SAID_NO, NOTHING]),
    "details, then yes": (ONE, ["d\n", "y\n"], 0, 1, "yes", [DETAILS + "1\n", "url: http://127.0.0.1:", SENT_ONE]),
    "stop": (ONE, ["s\n"], 1, 0, "stop", ["   answered: stop\n", STOPPED, NOTHING]),
    "end of input": (ONE, ["\x04"], 1, 0, None, ["   nobody is there to answer\n", NOBODY, NOTHING]),
    "Ctrl-C": (ONE, ["\x03"], 130, 0, ..., ["error: stopped by Ctrl-C (interrupted)", NOTHING]),
    "Ctrl-C in the middle of a word": (ONE, ["ye\x03"], 130, 0, ..., [NOTHING]),
    "something else": (ONE, ["yep\n", "\n", "n\n"], 1, 0, "no", ["Please type y, n, d or s.\n", SAID_NO]),
    "something else, five times": (ONE, ["?\n"] * 5, 1, 0, "no", [SAID_NO, NOTHING]),
    "yes to a batch": (FOUR, ["y\n"], 0, 4, "yes", ["This will send 4 writes", "… and 1 more\n", "4 × POST"]),
    "no to a batch": (FOUR, ["d\n", "n\n"], 1, 0, "no", [DETAILS + "4\n", "… and 1 more of the same", NOTHING]),
}


@pytest.fixture
def shop():
    with Shop(seed(NOW), clock=lambda: NOW) as shop:
        yield shop


def at_terminal(shop, folder, task, *flags, **more):
    arguments = ["run", task, "--spec", str(DOCUMENT_PATH), "--base-url", shop.url, "--now", NOW.isoformat()]
    return Terminal(*arguments, "--auth", "bearerAuth=env:TOKEN", *flags, cwd=folder, TOKEN=shop.token, **more)


def writes(shop):
    return [seen for seen in shop.requests if seen.method != "GET"]


@pytest.mark.parametrize(("task", "typed", "code", "sent", "said", "shows"), CASES.values(), ids=CASES.keys())
def test_what_is_answered_is_done(shop, tmp_path, task, typed, code, sent, said, shows):
    with at_terminal(shop, tmp_path, task) as terminal:
        for keys in typed:
            terminal.wait_for(PROMPT)
            assert writes(shop) == [], "nothing leaves before the answer"
            terminal.type(keys)
        ended, shown = terminal.end()
    shown = re.sub(r"\x1b\[\d*m", "", shown)
    assert ended == code, shown
    assert [(seen.method, seen.path, seen.status) for seen in writes(shop)] == [("POST", "/coupons", 201)] * sent
    assert [text for text in shows if text not in shown] == [], shown
    assert shown.count(PROMPT) == len(typed)
    events = [record.event for record in read_log(find_log("last", tmp_path / "logs")).records]
    assert [event.answer for event in events if isinstance(event, PersonReplied)] == ([] if said is ... else [said])
    assert isinstance(events[-1], RunEnded)
    assert events[-1].exit_code == code


def test_what_was_typed_before_the_question_is_no_answer(shop, tmp_path):
    with at_terminal(shop, tmp_path, ONE, ahead="y\ny\n") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("n\n")
        code, _ = terminal.end()
    assert (code, writes(shop)) == (1, [])


def test_the_question_is_shown_also_where_nothing_else_is(shop, tmp_path):
    with at_terminal(shop, tmp_path, ONE, "--quiet", NO_COLOR="1") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("y\n")
        code, shown = terminal.end()
    assert code == 0
    assert shown.splitlines() == [
        "   This will send 1 write (issueCoupon).",
        f'     POST {shop.url}/coupons  {{"code":"VIP20","customerId":"cus_1"}}',
        f"   {PROMPT}y",
        "Issued a coupon to Grace Okafor.",
    ]


@pytest.mark.parametrize("columns", [60, 100])
def test_lines_are_as_wide_as_the_terminal(shop, tmp_path, columns):
    with at_terminal(shop, tmp_path, FOUR, "--yes", NO_COLOR="1", columns=columns) as terminal:
        code, shown = terminal.end()
    assert code == 0, shown
    assert columns - 20 < max(map(cells, shown.splitlines())) <= columns, shown
