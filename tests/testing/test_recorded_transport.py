"""A recorded API answers a new run: equal requests in their order, anything else not at all."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.run.kit import DOCUMENT, SCENARIOS, Scenario, done, logs_of, turn
from thinkagent.errors import ReplayMismatch
from thinkagent.run.agent import Agent
from thinkagent.testing import RecordedTransport, ScriptedHuman, ScriptedMind


def ask(transport, method, url, **more):
    async def go():
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.request(method, url, **more)

    return asyncio.run(go())


def test_another_mind_runs_on_the_recorded_api(tmp_path):
    log = logs_of(tmp_path, SCENARIOS["pages"])
    transport = RecordedTransport(log)
    other = Scenario(
        [
            turn("listRows", {}, save_as="rows", pages="all"),
            turn("compute", {"expression": "len(steps['rows']['items'])"}, save_as="count"),
            done("There are <<steps.count.result>>.", "count"),
        ]
    )
    result = other.run(transport=transport)
    assert (result.status, result.answer) == ("done", "There are 7.")
    assert transport.unused == []


def test_the_nth_equal_request_gets_the_nth_answer(tmp_path):
    transport = RecordedTransport(logs_of(tmp_path, SCENARIOS["polling"]))
    rounds = [ask(transport, "GET", "http://elsewhere:99/job").json()["round"] for _ in range(3)]
    assert rounds == [1, 2, 3]
    with pytest.raises(ReplayMismatch, match="GET /job was recorded 3 times and is asked for once more"):
        ask(transport, "GET", "http://elsewhere:99/job")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("POST", "/rows", {"row": 9}, id="body"),
        pytest.param("PUT", "/rows", {"row": 1}, id="method"),
        pytest.param("GET", "/rows?page=7", None, id="query"),
        pytest.param("GET", "/nowhere", None, id="path"),
    ],
)
def test_what_was_not_recorded_is_refused_with_the_nearest(tmp_path, method, path, body):
    transport = RecordedTransport(logs_of(tmp_path, SCENARIOS["for-each"]))
    with pytest.raises(
        ReplayMismatch, match=r"is not in the log.*nearest recorded request: (GET|POST) /rows"
    ) as caught:
        ask(transport, method, f"http://h{path}", json=body)
    assert caught.value.exit_code == 1


def test_spelling_does_not_matter(tmp_path):
    transport = RecordedTransport(logs_of(tmp_path, SCENARIOS["for-each"]))
    answer = ask(transport, "POST", "http://h/rows", content=b'{ "row": 1.0 }')
    assert answer.status_code == 201
    assert 'POST /rows {"row":0}' in transport.unused


def test_the_scripted_human_answers_and_remembers():
    human = ScriptedHuman(["yes"])
    scenario = SCENARIOS["asked-yes"]
    result = scenario.run(human=human)
    assert result.status == "done"
    assert [question.count for question in human.asked] == [1]


def test_a_scripted_human_without_answers_fails_loudly():
    with pytest.raises(AssertionError, match="no answer is left"):
        SCENARIOS["asked-yes"].run(human=ScriptedHuman([]))


def test_the_agent_takes_the_fakes_by_name(tmp_path):
    log = logs_of(tmp_path, SCENARIOS["read"])
    agent = Agent(
        DOCUMENT,
        mind=ScriptedMind(list(SCENARIOS["read"].script)),
        transport=RecordedTransport(log),
        log_dir=None,
    )
    assert asyncio.run(agent.run("again")).answer == "Its id is 1."
