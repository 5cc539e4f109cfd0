"""Every scripted run ends as it must, replays exactly, and folds the same from memory and from its file."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.run.kit import DOCUMENT, ISSUED, ROWS, SCENARIOS, Rows, Scenario, done, logs_of, operation, turn
from thinkagent.events import Answered, CallIntended, Observed, RepairAsked
from thinkagent.journal import parse_log, read_log
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.agent import Agent
from thinkagent.run.compare import first_difference
from thinkagent.run.fold import apply, fold
from thinkagent.run.next import next_commands
from thinkagent.run.replay import replay_now
from thinkagent.run.state import RunState
from thinkagent.run.world import Permission

ALL = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())


@ALL
def test_it_ends_as_it_must(scenario):
    result = scenario.run()
    assert (result.status, result.reason) == (scenario.status, result.reason)


@ALL
def test_the_fold_is_the_same_from_memory_and_from_the_file(scenario, tmp_path):
    result = scenario.run(log_dir=tmp_path)
    assert fold(result.records) == fold(read_log(result.log).records)


@ALL
def test_every_prefix_folds_and_next_is_deterministic(scenario):
    agent = scenario.agent(Rows())
    world = agent.prepare("x").world
    state = RunState()
    for record in scenario.run().records:
        state = apply(state, record.event)
        assert next_commands(state, world) == next_commands(state, world)
    assert next_commands(state, world) == ()


@ALL
def test_it_replays_exactly_with_no_server(scenario, tmp_path):
    log = read_log(logs_of(tmp_path, scenario))
    replayed = replay_now(log)
    assert (replayed.same, replayed.difference, replayed.notes) == (True, "", ())
    assert first_difference(log.records, replayed.records) is None


@ALL
def test_any_prefix_of_a_log_replays_as_far_as_it_goes(scenario, tmp_path):
    path = logs_of(tmp_path, scenario)
    lines = path.read_bytes().split(b"\n")
    for count in range(12, len(lines) - 1, 3):
        replayed = replay_now(parse_log(b"\n".join(lines[:count]) + b"\n", path))
        assert replayed.same, replayed.difference


def test_pages_are_read_to_the_end_and_numbers_are_exact():
    result = SCENARIOS["pages"].run()
    assert result.answer == "The sizes are 9007199254741012.10."


def test_the_items_of_a_batch_are_sent_once_each():
    rows = Rows()
    result = SCENARIOS["for-each"].run(rows)
    assert dict(rows.written) == {f'POST /rows {{"row":{n}}}': 1 for n in range(3)}
    assert [change["outcome"] for change in result.changes] == ["ok", "ok", "ok"]


def test_the_outcomes_of_a_batch_stand_in_the_order_of_its_items():
    observed = [r.event for r in SCENARIOS["for-each-reads"].run().records if isinstance(r.event, Observed)]
    result = observed[1].observation["result"]
    assert [row["item"] for row in result] == [0, 1, 2, 3]
    assert [row["http"] for row in result] == [200, 404, 200, 200]
    assert observed[1].observation["summary"] == "4 items: 3 ok, 1 http error (404)"


def test_a_write_in_doubt_is_sent_once_and_told():
    rows = Rows()
    result = SCENARIOS["doubt"].run(rows)
    assert list(rows.written.values()) == [1]
    assert [change["outcome"] for change in result.changes] == ["unknown"]


@pytest.mark.parametrize("status", ["500", "502", "307"])
def test_a_write_that_a_server_or_gateway_failed_is_in_doubt(status):
    script = [turn("putRow", {"id": status, "body": {"row": 1}}, save_as="put"), done("Done!", "put")]
    rows = Rows()
    result = Scenario(script).run(rows)
    assert [(change["outcome"], change["status"]) for change in result.changes] == [("unknown", int(status))]
    assert len(rows.seen) == 1
    assert result.status == "unproven"


@pytest.mark.parametrize("name", ["nobody", "asked-no", "conflict", "api-down", "dry"])
def test_nothing_is_changed_without_leave(name):
    rows = Rows()
    SCENARIOS[name].run(rows)
    assert not [key for key in rows.written if key.startswith("DELETE")]
    assert name != "dry" or not rows.seen


def test_the_issued_token_works_and_is_nowhere():
    rows = Rows()
    result = SCENARIOS["secrets"].run(rows)
    assert result.answer == "It was right: true."
    assert any(ISSUED in url for _, url, _ in rows.seen)
    from thinkagent.events import encode
    from thinkagent.values import write_json

    log = "\n".join(write_json(encode(record.event)) for record in result.records)
    assert ISSUED not in log
    assert "the-users-own-key-1" not in log


def test_a_repair_names_what_is_wrong():
    asked = [r.event for r in SCENARIOS["repairs"].run().records if isinstance(r.event, RepairAsked)]
    assert [event.kind for event in asked] == ["no_json", "unknown_tool", "reference_miss"]
    assert "'getRow'" in str(asked[1].message)
    assert "'row'" in str(asked[2].message)


def test_an_answer_without_end_is_asked_for_again():
    asked = [str(r.event.message) for r in SCENARIOS["wordy"].run().records if isinstance(r.event, RepairAsked)]
    assert len(asked) == 1
    assert "the answer has 120002 characters, at most 100000 may be written" in asked[0]


def test_the_limit_of_calls_holds_inside_pages():
    result = SCENARIOS["calls"].run()
    assert sum(1 for r in result.records if isinstance(r.event, CallIntended)) == 2
    assert result.answer is None


def test_the_loop_is_told_and_then_ended():
    observed = [r.event for r in SCENARIOS["loop"].run().records if isinstance(r.event, Observed)]
    assert len(observed) == 5
    assert ROWS == 7


def test_no_folder_of_this_machine_is_in_a_log(tmp_path):
    from thinkagent.values import write_json

    document = tmp_path / "private" / "rows.json"
    document.parent.mkdir()
    document.write_text(write_json(DOCUMENT), "utf-8")
    agent = Agent(
        document,
        mind=ScriptedMind(list(SCENARIOS["read"].script)),
        transport=httpx.MockTransport(Rows()),
        log_dir=tmp_path / "logs",
    )
    result = asyncio.run(agent.run("Read row 1"))
    assert result.log is not None
    written = b"".join(path.read_bytes() for path in (tmp_path / "logs").rglob("*") if path.is_file())
    assert b"rows.json" in written
    assert str(tmp_path).encode() not in written
    assert replay_now(read_log(result.log)).same


DOCUMENTED = operation(
    "createRow",
    requestBody={"content": {"application/json": {"schema": {"properties": {"name": {"example": "Ada"}}}}}},
)
NAMES = {
    "of the document's example": ("Ada", "Make a row", "failed", []),
    "of the task": ("Ada", "Make a row for Ada", "done", ["ok"]),
    "of the mind's own": ("Bo", "Make a row", "done", ["ok"]),
}


@pytest.mark.parametrize(("name", "task", "status", "outcomes"), NAMES.values(), ids=NAMES)
def test_a_write_is_not_sent_with_a_value(name, task, status, outcomes):
    spec = {**DOCUMENT, "paths": {"/rows": {"post": DOCUMENTED}}}
    endings = {"failed": done("No name is known.", status="failed"), "done": done("It is made.", "made")}
    script = [turn("createRow", {"body": {"name": name}}, save_as="made"), endings[status]]
    sent = []

    def answer(request):
        sent.append(request)
        return httpx.Response(201, json={})

    agent = Agent(
        spec,
        mind=ScriptedMind(script),
        transport=httpx.MockTransport(answer),
        permission=Permission(allow_writes=True),
        log_dir=None,
    )
    result = asyncio.run(agent.run(task))
    assert (result.status, [change["outcome"] for change in result.changes]) == (status, outcomes)
    assert len(sent) == len(outcomes)
    told = next(r.event for r in result.records if isinstance(r.event, Observed)).observation
    assert ("only an example" in str(told)) == (not outcomes)
    answered = next(r.event for r in result.records if isinstance(r.event, Answered))
    notes = ["createRow was sent with values that the model made up: body.name"] if name == "Bo" else []
    assert answered.proof["notes"] == notes
