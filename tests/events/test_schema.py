"""The published schema of a log: every line that a run writes fits it, and what is no such line does not."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.run.kit import SCENARIOS, logs_of
from thinkagent import events as ev
from thinkagent.events.schema import log_schema
from thinkagent.journal import MemoryJournal, pack_log
from thinkagent.run.agent import Agent
from thinkagent.testing import ScriptedMind
from thinkagent.values import Secret, SecretText, plain, read_json, write_json

SCHEMA: Any = plain(read_json(write_json(log_schema())))
VALIDATOR = Draft202012Validator(SCHEMA)
ENVELOPE = {"seq": 1, "at": "2026-11-30T12:00:00.000000Z", "prev": ""}
SAMPLE = Path(__file__).resolve().parents[2] / "logs/sample.jsonl"


def problems(line: Any) -> list[str]:
    return [f"{error.instance_path}: {error.message[:300]}" for error in VALIDATOR.iter_errors(line)]


def problems_of(text: str) -> dict[int, list[str]]:
    """What is wrong with which line of a log's text."""
    found = {number: problems(plain(read_json(line))) for number, line in enumerate(text.splitlines(), 1)}
    return {number: told for number, told in found.items() if told}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_line_of_every_kind_of_run_fits(name, tmp_path):
    path = logs_of(tmp_path, SCENARIOS[name])
    assert problems_of(path.read_text("utf-8")) == {}
    assert problems_of(pack_log(path)) == {}


def test_the_scenarios_write_every_type_but_those_of_what_goes_on_later(tmp_path):
    written: set[str] = set()
    for number, scenario in enumerate(SCENARIOS.values()):
        text = logs_of(tmp_path / str(number), scenario).read_text("utf-8")
        written |= {read_json(line)["type"] for line in text.splitlines()}
    assert set(ev.EVENT_TYPES) - written == {"run.resumed", "run.forked"}


def test_the_sample_log_fits():
    text = SAMPLE.read_text("utf-8")
    assert problems_of(text) == {}
    assert text.startswith('{"type":"blob"')
    assert '{"$blob":' in text


@pytest.mark.parametrize("kind", ev.EVENT_TYPES.values(), ids=ev.EVENT_TYPES.keys())
def test_a_branch_says_what_its_type_holds(kind):
    branch = SCHEMA["$defs"][kind.type]
    fields = dataclasses.fields(kind)
    assert list(branch["properties"]) == [field.name for field in fields]
    assert {n for n, schema in branch["properties"].items() if schema.get("x-volatile")} == ev.volatile_fields(kind)
    for name in branch["required"]:
        line = {**ENVELOPE, "type": kind.type, **dict.fromkeys(branch["required"], "x")}
        del line[name]
        assert any(repr(name).replace("'", '"') in told for told in problems(line))


def test_a_fields_meaning_is_the_one_its_source_tells():
    field = SCHEMA["$defs"]["person"]["properties"]["answer"]
    assert field["description"] == "null: nobody is there."
    assert {"type": "null"} in field["anyOf"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("text", id="text"),
        pytest.param(Secret("auth.key"), id="secret"),
        pytest.param(SecretText(("Bearer ", Secret("auth.key"))), id="secret-inside"),
        pytest.param("x" * 40_000, id="long"),
        pytest.param({"$secret": "data"}, id="like-a-secret"),
        pytest.param({"$blob": "sha256:0", "$text": 1}, id="like-content"),
        pytest.param({"rows": ["x" * 40_000]}, id="long-json"),
        pytest.param(None, id="null"),
        pytest.param("\ud800", id="half-a-character"),
    ],
)
def test_an_answer_of_any_kind_fits(answer):
    journal = MemoryJournal()
    journal.append(ev.Answered(1, "done", answer, proof={"proven": True}))
    journal.append(ev.ReplyReceived(ev.ThinkId(1, 0, 1), answer if isinstance(answer, str) else None))
    assert problems_of("\n".join(journal.lines)) == {}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"type": "a.later.type", "new": 1}, id="type"),
        pytest.param({"type": "call.sending", "call": "t1.i0.p0.a1", "new": {"x": 1}}, id="field"),
    ],
)
def test_what_a_later_version_adds_is_allowed(line):
    assert problems({**ENVELOPE, **line}) == []


@pytest.mark.parametrize(
    "line",
    [
        pytest.param([], id="no-object"),
        pytest.param(ENVELOPE, id="no-type"),
        pytest.param({"type": "call.sending", "call": "t1.i0.p0.a1"}, id="no-envelope"),
        pytest.param({**ENVELOPE, "type": "call.sending", "call": "the first"}, id="identity"),
        pytest.param({**ENVELOPE, "seq": 0, "type": "call.sending", "call": "t1.i0.p0.a1"}, id="place"),
        pytest.param({**ENVELOPE, "type": "run.ended", "status": 7, "exit_code": 0}, id="kind"),
        pytest.param({**ENVELOPE, "type": "run.ended", "status": {"$blob": "x"}, "exit_code": 0}, id="digest"),
        pytest.param({**ENVELOPE, "type": "person", "turn": 1, "answer": {"$secret": 1}}, id="secret"),
        pytest.param({"type": "blob", "digest": "sha256:" + "0" * 64}, id="packed-content"),
    ],
)
def test_what_is_no_line_is_refused(line):
    assert problems(line)


def test_a_document_of_any_size_fits(tmp_path):
    paths = {f"/p{n}": {"get": {"responses": {"200": {"description": "x" * 200}}}} for n in range(200)}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    agent = Agent(document, base_url="http://api.test", log_dir=tmp_path, mind=ScriptedMind(["no"] * 3))
    path = asyncio.run(agent.run("Do something")).log
    assert path is not None
    text = path.read_text("utf-8")
    assert '"content":{"$blob":"sha256:' in text
    assert problems_of(text) == {}
