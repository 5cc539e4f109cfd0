"""Whole runs with the thin mind: whatever the model says or its server does, the run ends as a status with its log."""

from __future__ import annotations

import pytest

from tests.demo.wordings import data_of, tasks
from tests.integration.gold import as_expected, turns_for
from tests.integration.model_cases import FAILED, HANGING, HOPELESS, TAKEN, UNUSABLE
from tests.integration.models import ANSWER, FINISH, LIST, run, without_trouble
from thinkagent.run.seams import SystemClock
from thinkagent.run.world import Limits, Permission
from thinkagent.testing import Completion

EXCLUDED = {"exclude": ("getHealth",)}


@pytest.mark.parametrize("reply", TAKEN.values(), ids=TAKEN.keys())
def test_a_turn_in_many_forms_is_carried_out_at_once(reply, tmp_path):
    ended = run(reply if isinstance(reply, list) else [reply, FINISH], tmp_path)
    result = without_trouble(ended)
    assert (result.status, result.answer) == ("done", ANSWER)
    assert (ended.repairs, ended.failures) == ([], [])
    assert [seen.path.partition("?")[0] for seen in ended.called] == ["/products"]


@pytest.mark.parametrize("case", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_reply_is_put_right(case, tmp_path):
    ended = run([case.entry, LIST, FINISH], tmp_path, **EXCLUDED)
    result = without_trouble(ended)
    assert (result.status, result.answer) == ("done", ANSWER)
    assert (ended.repairs, ended.failures) == ([case.kind], [])
    assert case.told in ended.said(1)
    assert ended.written == []
    assert all(message["content"] for message in ended.asked[1].body["messages"])


@pytest.mark.parametrize("case", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_unusable_replies_without_end_end_the_run(case, tmp_path):
    ended = run([case.entry], tmp_path, served={"repeat_last": True}, **EXCLUDED)
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("model_error", 3)
    assert ended.repairs == [case.kind] * 3
    assert len(ended.asked) == 3
    assert ended.called == ()


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED.keys())
def test_a_failed_attempt_is_followed_by_another(case, tmp_path):
    ended = run([case.entry, LIST, case.entry, FINISH], tmp_path)
    result = without_trouble(ended)
    assert (result.status, result.answer) == ("done", ANSWER)
    assert (ended.repairs, ended.failures) == ([], [case.kind] * 2)
    assert ended.written == []
    assert ended.asked[0].body["messages"] == ended.asked[1].body["messages"]
    assert result.usage["failed_replies"] == 2


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED.keys())
def test_failed_attempts_without_end_end_the_run(case, tmp_path):
    ended = run([case.entry], tmp_path, served={"repeat_last": True})
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("model_error", 3)
    assert ended.failures == [case.kind] * 3
    assert "'openai/fake-model'" in result.reason


@pytest.mark.parametrize("case", HOPELESS.values(), ids=HOPELESS.keys())
def test_what_another_attempt_would_not_change_ends_the_run_at_once(case, tmp_path):
    ended = run([case.entry], tmp_path, served={"repeat_last": True})
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("model_error", 3)
    assert ended.failures == [case.kind]
    assert len(ended.asked) == 1


@pytest.mark.parametrize("entry", HANGING.values(), ids=HANGING.keys())
def test_a_model_that_hangs_ends_the_run_in_its_own_time(entry, tmp_path):
    times = {"timeout_s": 0.5, "idle_timeout_s": 0.4}
    ended = run([entry], tmp_path, options=times, clock=SystemClock())
    result = without_trouble(ended)
    assert (result.status, result.exit_code, ended.failures) == ("model_error", 3, ["timeout"])
    assert ended.seconds < 0.5 + 1


@pytest.mark.parametrize("entry", HANGING.values(), ids=HANGING.keys())
def test_a_model_that_hangs_ends_the_run_in_the_time_of_the_run(entry, tmp_path):
    ended = run([LIST, entry], tmp_path, limits=Limits(timeout_s=0.6), clock=SystemClock())
    result = without_trouble(ended)
    assert (result.status, result.exit_code) == ("limit", 1)
    assert "--timeout" in result.reason
    assert ended.seconds < 0.6 + 1


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_the_tasks_of_the_demo_are_done_right(task, tmp_path):
    ended = run(
        turns_for(task),
        tmp_path,
        task=task.task,
        data=data_of(task),
        now=task.now,
        permission=Permission(allow_writes=task.allow_writes),
    )
    without_trouble(ended)
    as_expected(task, ended)
    assert (ended.repairs, ended.failures) == ([], [])


@pytest.mark.parametrize("name", [name for name in TAKEN if name != "native-call"])
def test_a_model_that_does_not_stream_is_understood_as_well(name, tmp_path):
    ended = run([TAKEN[name], FINISH], tmp_path, options={"stream": False})
    assert (without_trouble(ended).answer, ended.repairs, ended.failures) == (ANSWER, [], [])


WHOLE = {
    **{name: FAILED[name].entry for name in FAILED},
    **{name: UNUSABLE[name].entry for name in UNUSABLE if isinstance(UNUSABLE[name].entry, Completion)},
    "parts": Completion([{"type": "text", "text": "I"}, {"type": "text", "text": " wonder."}]),
    "no-message": Completion(choices=[{"index": 0, "finish_reason": "stop"}]),
    "empty-list-of-parts": Completion([]),
    "refusal": Completion(None, refusal="I will not."),
}


@pytest.mark.parametrize("entry", WHOLE.values(), ids=WHOLE.keys())
def test_what_comes_whole_and_wrong_is_put_right_as_well(entry, tmp_path):
    ended = run([entry, LIST, FINISH], tmp_path, options={"stream": False}, **EXCLUDED)
    assert (without_trouble(ended).answer, ended.written) == (ANSWER, [])
    assert len(ended.repairs) + len(ended.failures) == 1


REFUSED_SETTINGS = {
    "strict-schemas": ({"json_schema_strict"}, {}, 1),
    "schemas": ({"json_schema"}, {}, 2),
    "schemas-and-tools": ({"json_schema", "tools"}, {}, 3),
    "all-of-structured-output": ({"response_format", "tools"}, {}, 4),
    "usage-in-streams": ({"stream_options"}, {}, 1),
    "streams": ({"stream"}, {}, 1),
    "the-system-role": ({"system"}, {}, 1),
    "a-setting-of-the-user": ({"seed"}, {"seed": 1}, 1),
    "several": ({"seed", "system", "stream_options", "json_schema"}, {"seed": 1}, 5),
}


@pytest.mark.parametrize(("refuses", "options", "lessons"), REFUSED_SETTINGS.values(), ids=REFUSED_SETTINGS.keys())
def test_a_setting_that_is_refused_is_dropped_once_for_the_run(refuses, options, lessons, tmp_path):
    ended = run([LIST, FINISH], tmp_path, options=options, served={"refuses": refuses})
    assert (without_trouble(ended).answer, ended.repairs) == (ANSWER, [])
    assert ended.failures == ["unsupported"] * lessons
    assert len(ended.asked) == lessons + 2
