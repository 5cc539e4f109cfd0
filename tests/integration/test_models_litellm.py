"""The same whole runs by way of litellm: what a model says and its server does has the outcomes of the thin mind."""

from __future__ import annotations

import asyncio

import pytest

from tests.demo.wordings import data_of, tasks
from tests.integration.gold import as_expected, turns_for
from tests.integration.model_cases import FAILED, HANGING, HOPELESS, TAKEN, UNUSABLE
from tests.integration.models import ANSWER, FINISH, LIST, run, without_trouble
from thinkagent.minds import litellm_loading
from thinkagent.run.seams import SystemClock
from thinkagent.run.world import Limits, Permission

# Importing litellm takes seconds.
pytestmark = pytest.mark.slow

# litellm makes one empty piece of whatever is no stream, so these look like an empty stream and are tried again.
HIDDEN_IN_STREAMS = ("html", "plain-text", "other-json")
VIA = {"via": "litellm", "exclude": ("getHealth",)}


@pytest.fixture(scope="module", autouse=True)
def _loaded(tmp_path_factory):
    asyncio.run(litellm_loading.load_litellm())
    # The first call imports more of it.
    run([LIST, FINISH], tmp_path_factory.mktemp("first"), **VIA)


@pytest.mark.parametrize("reply", TAKEN.values(), ids=TAKEN.keys())
def test_a_turn_in_many_forms_is_carried_out_at_once(reply, tmp_path):
    ended = run(reply if isinstance(reply, list) else [reply, FINISH], tmp_path, **VIA)
    assert (without_trouble(ended).answer, ended.repairs, ended.failures) == (ANSWER, [], [])


@pytest.mark.parametrize("case", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_reply_is_put_right(case, tmp_path):
    ended = run([case.entry, LIST, FINISH], tmp_path, **VIA)
    assert (without_trouble(ended).answer, ended.repairs, ended.failures) == (ANSWER, [case.kind], [])
    assert case.told in ended.said(1)
    assert ended.written == []


@pytest.mark.parametrize("case", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_unusable_replies_without_end_end_the_run(case, tmp_path):
    ended = run([case.entry], tmp_path, served={"repeat_last": True}, **VIA)
    assert (without_trouble(ended).status, ended.called) == ("model_error", ())
    assert len(ended.asked) == 3


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED.keys())
def test_a_failed_attempt_is_followed_by_another(case, tmp_path):
    ended = run([case.entry, LIST, case.entry, FINISH], tmp_path, **VIA)
    assert (without_trouble(ended).answer, ended.failures, ended.written) == (ANSWER, [case.kind] * 2, [])
    assert len(ended.asked) == 4


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED.keys())
def test_failed_attempts_without_end_end_the_run(case, tmp_path):
    ended = run([case.entry], tmp_path, served={"repeat_last": True}, **VIA)
    assert (without_trouble(ended).status, ended.failures) == ("model_error", [case.kind] * 3)
    assert len(ended.asked) == 3


@pytest.mark.parametrize("name", HOPELESS)
def test_what_another_attempt_would_not_change_ends_the_run_soon(name, tmp_path):
    case = HOPELESS[name]
    ended = run([case.entry], tmp_path, served={"repeat_last": True}, **VIA)
    assert (without_trouble(ended).status, set(ended.failures)) == ("model_error", {case.kind})
    assert len(ended.asked) == (3 if name in HIDDEN_IN_STREAMS else 1)


@pytest.mark.parametrize("entry", HANGING.values(), ids=HANGING.keys())
def test_a_model_that_hangs_ends_the_run_in_its_own_time(entry, tmp_path):
    times = {"timeout_s": 0.5, "idle_timeout_s": 0.4}
    ended = run([entry], tmp_path, options=times, clock=SystemClock(), **VIA)
    assert (without_trouble(ended).status, ended.failures) == ("model_error", ["timeout"])
    assert ended.seconds < 0.5 + 1


@pytest.mark.parametrize("entry", HANGING.values(), ids=HANGING.keys())
def test_a_model_that_hangs_ends_the_run_in_the_time_of_the_run(entry, tmp_path):
    ended = run([LIST, entry], tmp_path, limits=Limits(timeout_s=0.6), clock=SystemClock(), **VIA)
    assert without_trouble(ended).status == "limit"
    assert ended.seconds < 0.6 + 1


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_the_tasks_of_the_demo_are_done_right(task, tmp_path):
    permission = Permission(allow_writes=task.allow_writes)
    ended = run(
        turns_for(task), tmp_path, task=task.task, data=data_of(task), now=task.now, permission=permission, **VIA
    )
    without_trouble(ended)
    as_expected(task, ended)


def test_nothing_of_litellm_is_on_stdout(capfd, tmp_path):
    run([FAILED["500"].entry, UNUSABLE["cut"].entry, LIST, FINISH], tmp_path, **VIA)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
