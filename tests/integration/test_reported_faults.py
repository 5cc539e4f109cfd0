"""References in whole runs: what is meant arrives as it is, what leads nowhere is not sent, and the mind is told."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import unquote

import httpx
import pytest

from tests.run.kit import Instant, done, operation, query, turn
from thinkagent.events import RepairAsked
from thinkagent.journal import read_log
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.agent import Agent
from thinkagent.run.replay import replay_now
from thinkagent.run.world import Permission

DATA = (
    '{"no": 17, "rate": 1.10, "ref": "9", "on": true, "gone": null, "big": 12345678901234567890, "many": [1, "2", 3.0],'
    ' "inner": {"a.b": {"c/d": 1.50}, "": "empty", "0": "zero", "length": 4, "items": ["x"], "it\'s": 2,'
    ' "Exchange Rate": 2}, "tricky": "<<steps.s.result.no>> and \\\\<<inputs.day>>",'
    ' "people": [{"ref": "9"}, {"ref": "10"}], "login": {"tokn": "abc"}}'
)
ANY = {"required": True, "content": {"application/json": {"schema": {}}}}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "echo", "version": "1"},
    "servers": [{"url": "http://echo.test"}],
    "paths": {
        "/data": {"get": operation("getData")},
        "/broken": {"get": operation("getBroken")},
        "/things": {
            "post": operation("send", requestBody=ANY),
            "get": operation(
                "find", parameters=[{**query("q"), "schema": {}}, {"name": "X-Q", "in": "header", "schema": {}}]
            ),
        },
        "/things/{id}": {
            "get": operation("one", parameters=[{"name": "id", "in": "path", "required": True, "schema": {}}])
        },
    },
}


class Echo:
    """Gives the data, and keeps what else it was sent."""

    def __init__(self):
        self.sent = []

    def __call__(self, request):
        if request.url.path == "/data":
            return httpx.Response(200, content=DATA, headers={"content-type": "application/json"})
        if request.url.path == "/broken":
            return httpx.Response(404, json={"detail": "no such thing"})
        self.sent.append(request)
        return httpx.Response(200, json={})


def run(script, folder):
    echo = Echo()
    agent = Agent(
        DOCUMENT,
        mind=ScriptedMind([turn("getData", save_as="s"), turn("getBroken", save_as="failed"), *script]),
        transport=httpx.MockTransport(echo),
        clock=Instant(),
        environ={"TZ": "UTC"},
        permission=Permission(allow_writes=True),
        inputs={"day": "2026-11-30"},
        log_dir=folder,
    )
    result = asyncio.run(agent.run("Send what is there"))
    replayed = replay_now(read_log(result.log))
    assert replayed.same, replayed.difference
    return echo, result


PLACES = {
    "body": lambda value: turn("send", {"body": {"value": value}}),
    "deep in a body": lambda value: turn("send", {"body": {"list": [1, {"value": [value]}]}}),
    "query": lambda value: turn("find", {"q": value}),
    "header": lambda value: turn("find", {"X-Q": value}),
    "path": lambda value: turn("one", {"id": value}),
}


@pytest.mark.parametrize(
    ("written", "body"),
    [
        pytest.param("<<steps.s.result.no>>", "17", id="number"),
        pytest.param("  <<steps.s.result.no>>  ", "17", id="blanks around"),
        pytest.param("<<steps.s.result.rate>>", "1.10", id="decimal"),
        pytest.param("<<steps.s.result.big>>", "12345678901234567890", id="big number"),
        pytest.param("<<steps.s.result.ref>>", '"9"', id="text that looks like a number"),
        pytest.param("<<steps.s.result.on>>", "true", id="boolean"),
        pytest.param("<<steps.s.result.gone>>", "null", id="null"),
        pytest.param("<<steps.s.result.many>>", '[1,"2",3.0]', id="list"),
        pytest.param('<<steps.s.result.inner["a.b"]>>', '{"c/d":1.50}', id="object"),
        pytest.param("slot-<<steps.s.result.no>>", '"slot-17"', id="inside a text"),
        pytest.param("<<steps.s.result.rate>> of <<steps.s.result.no>>", '"1.10 of 17"', id="two inside a text"),
        pytest.param('<<steps.s.result.inner["a.b"]["c/d"]>>', "1.50", id="keys with dot and slash"),
        pytest.param('<<steps.s.result.inner[""]>>', '"empty"', id="empty key"),
        pytest.param('<<steps.s.result.inner["0"]>>', '"zero"', id="numeric key"),
        pytest.param("<<steps.s.result.inner.length>>", "4", id="key called length"),
        pytest.param("<<steps.s.result.inner.items>>", '["x"]', id="key called items"),
        pytest.param('<<steps.s.result.inner["it\'s"]>>', "2", id="key with a quote"),
        pytest.param('<<steps.s.result.inner["Exchange Rate"]>>', "2", id="key with a blank"),
        pytest.param("<<steps.s.result.people[0].ref>>", '"9"', id="element"),
        pytest.param("<<steps.s.result.people[-1].ref>>", '"10"', id="last element"),
        pytest.param("<<inputs.day>>", '"2026-11-30"', id="input"),
        pytest.param(r"\<<steps.s.result.no>>", '"<<steps.s.result.no>>"', id="literal"),
    ],
)
def test_a_reference_arrives_in_a_body_as_it_is(written, body, tmp_path):
    echo, result = run([PLACES["body"](written), done("Sent.", "s")], tmp_path)
    assert result.status == "done"
    assert echo.sent[0].content.decode() == f'{{"value":{body}}}'


@pytest.mark.parametrize(
    ("field", "text"),
    [("no", "17"), ("rate", "1.10"), ("big", "12345678901234567890"), ("on", "true"), ("ref", "9")],
)
def test_a_reference_arrives_elsewhere_as_it_is_spelled(field, text, tmp_path):
    script = [PLACES[place](f"<<steps.s.result.{field}>>") for place in ("query", "header", "path")]
    echo, _ = run([*script, done("Sent.", "s")], tmp_path)
    by_query, by_header, by_path = echo.sent
    assert by_query.url.params["q"] == text
    assert by_header.headers["x-q"] == text
    assert unquote(by_path.url.path) == f"/things/{text}"


MISSES = {
    "misspelt key": ("<<steps.s.result.login.token>>", ["'tokn'"]),
    "misspelt step": ("<<steps.fialed.result>>", ["'failed'"]),
    "step that comes later": ("<<steps.later.result.id>>", ["'later'", "'s'"]),
    "failed step": ("<<steps.failed.result.id>>", ["http_error", "404"]),
    "out of range": ("<<steps.s.result.people[2].ref>>", ["[2]", "2 elements"]),
    "field of a list": ("<<steps.s.result.people.ref>>", ["people[0].ref"]),
    "field of null": ("<<steps.s.result.gone.id>>", ["null"]),
    "field of a number": ("<<steps.s.result.no.id>>", ["17"]),
    "null inside a text": ("x<<steps.s.result.gone>>", ["null"]),
    "list inside a text": ("x<<steps.s.result.many>>", ["list"]),
    "not closed": ("<<steps.s.result.no", ["not closed"]),
    "root forgotten": ("<<s.result.no>>", ["<<steps.s.result.no>>"]),
    "other template": ("{{steps.s.result.no}}", ["<<steps.s.result.no>>"]),
    "item outside for_each": ("<<item.id>>", ["for_each"]),
    "no such input": ("<<inputs.dya>>", ["'day'"]),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("written", "words"), MISSES.values(), ids=MISSES.keys())
def test_what_leads_nowhere_is_not_sent_and_told(written, words, place, tmp_path):
    echo, result = run([PLACES[place](written), done("It could not be sent.", status="failed")], tmp_path)
    told = [str(r.event.message) for r in result.records if isinstance(r.event, RepairAsked)]
    assert len(told) == 1
    assert [word for word in words if word not in told[0]] == []
    assert echo.sent == []


def test_one_item_that_leads_nowhere_keeps_the_whole_batch_back(tmp_path):
    batch = turn(
        "send", {"body": {"ref": "<<item.ref>>", "no": "<<steps.s.result.nope>>"}}, for_each="<<steps.s.result.people>>"
    )
    mixed = turn("send", {"body": "<<item.ref.x>>"}, for_each="<<steps.s.result.people>>")
    good = turn("send", {"body": {"ref": "<<item.ref>>"}}, for_each="<<steps.s.result.people>>", save_as="both")
    echo, _ = run([batch, mixed, good, done("Sent.", "both")], tmp_path)
    assert [json.loads(request.content) for request in echo.sent] == [{"ref": "9"}, {"ref": "10"}]


def test_an_answer_that_leads_nowhere_is_asked_for_again(tmp_path):
    _, result = run([done("It is <<steps.s.result.nope>>.", "s"), done("It is <<steps.s.result.no>>.", "s")], tmp_path)
    assert (result.status, result.answer) == ("done", "It is 17.")


def test_what_an_answer_of_the_api_holds_is_never_a_reference(tmp_path):
    """One pass: a value that is put in is data, whatever it looks like."""
    echo, result = run([PLACES["body"]("<<steps.s.result.tricky>>"), done("Sent.", "s")], tmp_path)
    assert json.loads(echo.sent[0].content) == {"value": "<<steps.s.result.no>> and \\<<inputs.day>>"}
    assert result.status == "done"
