"""Chinese words find the tools of an English document."""

from __future__ import annotations

import importlib.util

import pytest

from tests.tools.helpers import operation, toolset
from thinkagent.cli.main import run_command
from thinkagent.documents.cache import Cache
from thinkagent.tools import chinese, search
from thinkagent.tools.chinese import senses_in

TOOLS = toolset(
    {
        "/members/{name}": {"delete": operation("removeMember", summary="Remove a member of the team")},
        "/members": {"get": operation("listMembers", summary="List members")},
        "/comments": {"post": operation("addComment", summary="Write a comment")},
        "/releases/latest": {"get": operation("latestRelease", summary="Get the latest release")},
        "/invoices": {"get": operation("listInvoices", summary="List invoices")},
    }
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("把小明从团队成员中删除", "removeMember"),
        ("有多少个成员？", "listMembers"),
        ("写一条评论", "addComment"),
        ("寫一條評論", "addComment"),
        ("最新发布的版本", "latestRelease"),
        ("列出发票 invoices", "listInvoices"),
    ],
)
def test_the_best_hit(query, first):
    assert search(TOOLS, query, 3)[0].line.name == first


def test_a_hit_names_the_chinese_words_that_found_it():
    assert search(TOOLS, "评论", 1)[0].because == "name: 评论"


@pytest.mark.parametrize("text", ["", "no Chinese", "한국어", "的了吗", "かな"])
def test_nothing_to_translate(text):
    assert senses_in(text) == []


def test_the_longest_word_is_taken_and_its_asides_are_left_out():
    [word] = senses_in("信用卡")
    assert word.word == "信用卡"
    assert {"credit", "card"} <= word.stems
    assert not any(stem == "cl" for stem in word.stems)


def test_what_the_dictionary_says_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(chinese, "_meanings", None)
    before = senses_in("评论", Cache(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(chinese, "_meanings", None)
    monkeypatch.setattr(chinese, "_read", lambda: pytest.fail("it is kept"))
    assert senses_in("评论", Cache(tmp_path)) == before


@pytest.fixture
def no_dictionary(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == chinese.PACKAGE else find(name, *more)
    )


@pytest.mark.usefixtures("no_dictionary")
def test_without_the_dictionary_it_is_said_how_to_get_it(tmp_path, capsys):
    spec = tmp_path / "spec.yaml"
    spec.write_text("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/pets: {get: {responses: {}}}}\n")
    assert run_command(["tools", "--spec", str(spec), "--search", "宠物"]) == 0
    assert "thinkagent[chinese]" in capsys.readouterr().out
    assert run_command(["tools", "--spec", str(spec), "--search", "cats"]) == 0
    assert "thinkagent[chinese]" not in capsys.readouterr().out
