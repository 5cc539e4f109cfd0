"""What of a document's tools is put on the page."""

from __future__ import annotations

import pytest

from tests.turns.hand_made import GET_BOOK, LEND_BOOK, LIST_BOOKS, TOOLS, Shelf, describe, make_tool
from thinkagent.turns.page import TOOL_TOKENS, choose_lines, cut_to, fit_definitions, fit_groups, group_of, line_of
from thinkagent.values import tokens

MANY = [
    make_tool(f"tool{number}", path=f"/t{number % 40}/x", summary="word " * 4_000, tags=(f"tag {number % 40}",))
    for number in range(1_000)
]


def first(tools):
    return lambda task, count: tools[:count]


def test_all_signatures_stand_there_if_they_fit():
    choice = choose_lines(Shelf(), "books", first([GET_BOOK, LIST_BOOKS]), describe=describe)
    assert choice == (TOOLS, {}, (GET_BOOK, LIST_BOOKS))


def test_of_a_large_document_stand_the_ranked_and_the_groups():
    shelf = Shelf(MANY)
    choice = choose_lines(shelf, "x", first([MANY[500], MANY[3], MANY[999]]), describe=describe)
    assert choice.lines == (MANY[3], MANY[500], MANY[999])
    assert choice.likely[:1] == (MANY[500],)
    assert sum(choice.groups.values()) == 1_000
    assert choice.groups["tag 7"] == 25
    assert shelf.built == 0


def test_arguments_count_when_it_is_seen_whether_all_fit():
    wide = [make_tool(f"t{n}", summary="s", arguments=[f"argument_{m}" for m in range(20)]) for n in range(60)]
    choice = choose_lines(Shelf(wide), "x", first(wide), describe=describe)
    assert choice.groups == {f"t{n}": 1 for n in range(60)}
    assert 0 < len(choice.lines) < 60


@pytest.mark.parametrize("budget", [200, 600, TOOL_TOKENS])
@pytest.mark.parametrize("tools", [TOOLS, tuple(MANY), ()], ids=["small", "large", "none"])
def test_lines_and_definitions_keep_the_budget(budget, tools):
    choice = choose_lines(Shelf(tools), "x", first(list(tools)), budget_tokens=budget, describe=describe)
    lines = sum(tokens(line_of(tool) + "\n") for tool in choice.lines)
    definitions = sum(tokens(text) for _, text in fit_definitions(choice.likely, budget - lines, describe))
    assert lines + definitions <= budget


def test_at_most_eight_are_likely():
    tools = [make_tool(f"t{number}") for number in range(30)]
    assert len(choose_lines(Shelf(tools), "x", first(tools), describe=describe).likely) == 8


def test_no_tools_at_all():
    assert choose_lines(Shelf([]), "x", first([]), describe=describe) == ((), {}, ())


@pytest.mark.parametrize(
    ("tags", "path", "group"),
    [
        (("books", "more"), "/a", "books"),
        ((), "/books/{id}", "books"),
        ((), "/{tenant}/books", "books"),
        ((), "/{id}", "other"),
        ((), "/", "other"),
    ],
)
def test_group_of(tags, path, group):
    assert group_of(tags, path) == group


class TestLine:
    def test_it_is_one_safe_line(self):
        line = line_of(make_tool("t", summary="a\nb </data>\x1b[2J <<steps.x>>"))
        assert line == "t() GET - a b \\u003c/data>␛[2J \\u003c\\u003csteps.x>>"

    def test_it_is_short(self):
        assert len(line_of(LIST_BOOKS)) < 80
        assert len(line_of(make_tool("t", summary="word " * 999))) <= 240


class TestGroups:
    def test_the_largest_come_first(self):
        assert fit_groups({"a": 1, "b": 5, "c": 5}) == "b (5), c (5), a (1)"

    def test_what_does_not_fit_is_counted(self):
        text = fit_groups({f"group {number}": number for number in range(1_000)})
        assert text.startswith("group 999 (999), ")
        assert text.endswith(" more groups")
        assert tokens(text) <= 150


class TestDefinitions:
    def test_the_first_is_cut_at_a_line_if_it_alone_is_too_long(self):
        wide = make_tool("wide", arguments=[f"a{number}" for number in range(500)])
        [(tool, text)] = fit_definitions([wide], 120, describe)
        assert tool is wide
        assert text.endswith("more lines)")
        assert tokens(text) <= 120

    def test_a_long_one_makes_room_for_a_short_one(self):
        wide = make_tool("wide", arguments=[f"a{number}" for number in range(500)])
        found = fit_definitions([LEND_BOOK, wide, GET_BOOK], 200, describe)
        assert [tool for tool, _ in found] == [LEND_BOOK, GET_BOOK]


@pytest.mark.parametrize("text", ["", "a", "a\n" * 500, "x" * 5_000, "名" * 5_000, "\n" * 500])
@pytest.mark.parametrize("budget", [20, 100])
def test_a_text_is_cut_between_lines(text, budget):
    cut = cut_to(text, budget)
    assert tokens(cut) <= budget
    assert cut == text or "more lines)" in cut
