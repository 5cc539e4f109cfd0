"""The turns themselves: what a reader of the log sees."""

from __future__ import annotations

import ast
import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import thinkagent.minds.offline as room
from tests.minds.offline.conftest import WORLDS
from tests.minds.offline.world import Api, Loop
from tests.shared import SHARED, needs_shared
from thinkagent.documents import load
from thinkagent.minds.offline import OfflineMind
from thinkagent.minds.offline.lexicon.rules import read_rules
from thinkagent.minds.offline.patterns import compile_pattern
from thinkagent.minds.offline.sentences import Sentences
from thinkagent.minds.offline.texts import _chinese
from thinkagent.tools import build_tools
from thinkagent.turns.model import Exchange
from thinkagent.turns.parse import parse_reply

WRITE = "Find members who joined more than 30 days ago and never borrowed and issue each of them a READ10 voucher"


def page_of(task, world="library", **changes):
    tools, rows = WORLDS[world]
    return replace(Loop(task, tools, Api(rows)).page, **changes)


def next_turn(page):
    return parse_reply(asyncio.run(OfflineMind().reply(page)).text)


def test_plan_and_progress(do):
    run = do("library", WRITE)
    assert run.turns[0].plan == (
        "list all members",
        "list what belongs to them: loans",
        "keep those that fit",
        "issue each of them the voucher",
    )
    assert [turn.doing for turn in run.turns] == [1, 2, 3, 4, 4, 4]
    assert all(turn.plan is None for turn in run.turns[1:])


def test_thoughts_are_specific(do):
    thoughts = [turn.thought for turn in do("library", "What is Grace Hopper's email?").turns]
    assert thoughts[0] == (
        'I do not know the identifier of member "Grace Hopper". The list can be filtered by name, so I ask for that.'
    )
    assert len(set(thoughts)) == len(thoughts)


def test_a_chinese_task_is_thought_and_answered_in_chinese(do):
    run = do("library", "没有借阅记录的会员有哪些？")
    spoken = [run.answer, *run.turns[0].plan, *(turn.thought for turn in run.turns)]
    assert all(any("\u4e00" <= char <= "\u9fff" for char in text) for text in spoken)


def test_names_of_steps_can_be_read(do):
    run = do("library", WRITE)
    assert [turn.action.save_as for turn in run.turns[:-1]] == [
        "members",
        "loans",
        "targets",
        "new_vouchers",
        "outcome",
    ]


def test_one_write_for_each_by_reference(do):
    [write] = [turn.action for turn in do("library", WRITE).turns if turn.action.for_each]
    assert write.for_each == "<<steps.targets.result>>"
    assert write.arguments == {"body": {"code": "READ10", "memberId": "<<item.id>>"}}


def test_the_same_page_gives_the_same_reply():
    page = page_of("How many books are available?")
    assert asyncio.run(OfflineMind().reply(page)) == asyncio.run(OfflineMind().reply(page))


def test_a_turn_that_could_not_be_used_ends_the_run():
    turn = next_turn(
        page_of("How many books are there?", repairs=(Exchange("{}", "no tool is called 'x' <<steps.a>>"),))
    )
    assert turn.action.tool == "finish"
    assert turn.action.arguments["status"] == "failed"
    assert "<<steps" not in turn.action.arguments["answer"]


def test_a_run_that_another_mind_began(do):
    page = page_of("How many books are there?")
    begun = Loop(page.task, WORLDS["library"][0], Api({}))
    begun.page = page
    other = parse_reply(
        '{"thought": "x", "plan": ["y"], "action": {"tool": "listLoans", "arguments": {}, "save_as": "z"}}'
    )
    begun._turn_over(other, {"status": "ok", "summary": "200"})
    assert next_turn(begun.page).action.arguments["status"] == "impossible"


@pytest.mark.parametrize(
    ("schema", "task", "answer"),
    [
        ({"type": "integer"}, "How many books are available?", 4),
        (
            {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
            "How many books are available?",
            {"n": 4},
        ),
        ({"type": "array", "items": {"type": "string"}}, "unavailable books", ["Salt", "The Quiet Harbour"]),
    ],
)
def test_an_answer_of_a_schema(do, schema, task, answer):
    assert do("library", task, answer_schema=schema).answer == answer


def test_a_schema_that_is_too_rich(do):
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    assert do("library", "How many books are available?", answer_schema=schema).status == "impossible"


@needs_shared
def test_a_large_document_is_searched_first():
    toolset = build_tools(load(str(SHARED / "servers" / "docs" / "kinto.json")))
    page = page_of("有多少个桶？", "store", lines=(), likely=(), groups={"Buckets": 7})
    turn = next_turn(page)
    assert turn.action.tool == "search_tools"
    assert turn.action.arguments == {"query": "list bucket"}
    loop = Loop(page.task, toolset.tools, Api({}))
    loop.page = page
    loop._turn_over(turn, {"status": "ok", "summary": "5 tools"})
    names = ("get_buckets", "get_bucket", "get_history", "get_collections", "get_groups")
    found = next_turn(replace(loop.page, fetched=tuple(toolset.get(name) for name in names)))
    assert found.action.tool == "get_buckets"
    assert found.plan_reason


def calls_of(name):
    for file in Path(room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called in name:
                    yield node.args[0].value


def test_every_sentence_has_its_chinese():
    said = set(calls_of({"say", "language", "_bracket", "Reason"}))
    assert said - set(_chinese()) == set()
    assert set(_chinese()) - said == set()


@pytest.mark.parametrize("name", ["conditions.txt", "sentences.txt"])
def test_every_pattern_is_well_formed(name):
    """Each compiles, and each meaning has its function."""
    for rule in read_rules(name):
        compile_pattern(rule.pattern)
        prefix = "_mean_" if name == "sentences.txt" else "_on_"
        assert hasattr(Sentences, prefix + rule.meaning)
