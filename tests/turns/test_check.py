"""A parsed turn against the run: the tool, a built-in tool's arguments, the name of the result, the plan."""

from __future__ import annotations

import pytest

from tests.turns.hand_made import Shelf, make_tool
from thinkagent.turns.check import check_turn
from thinkagent.turns.model import Action, Plan, Turn
from thinkagent.turns.problem import Unusable


def turn(tool: str, arguments: dict | None = None, **more) -> Turn:
    beside = {key: more.pop(key) for key in ("save_as", "for_each", "pages") if key in more}
    return Turn("t", Action(tool, arguments or {}, **beside), **more)


def problem_of(given: Turn, **more) -> Unusable:
    with pytest.raises(Unusable) as caught:
        check_turn(given, Shelf(), **more)
    return caught.value


class TestTheTool:
    @pytest.mark.parametrize("name", ["listBooks", "getBook", "lendBook"])
    def test_it_exists(self, name):
        assert check_turn(turn(name), Shelf()) == turn(name)

    @pytest.mark.parametrize(
        ("name", "nearest"),
        [
            pytest.param("getBooks", "getBook", id="near"),
            pytest.param("LISTBOOKS", "listBooks", id="case"),
            pytest.param("list_books", "listBooks", id="underscore"),
            pytest.param("functions.listBooks", "listBooks", id="dot-prefix"),
            pytest.param("api/getBook", "getBook", id="slash-prefix"),
            pytest.param("lendBook()", "lendBook", id="brackets"),
            pytest.param("Finish", "finish", id="built-in"),
        ],
    )
    def test_an_unknown_name_is_told_with_the_nearest(self, name, nearest):
        problem = problem_of(turn(name))
        assert problem.kind == "unknown_tool"
        assert "does not exist" in problem.message
        assert f"Did you mean '{nearest}'" in problem.hint
        assert "denied" not in str(problem)

    @pytest.mark.parametrize("name", ["zzzz", "\x1b[2J", "x" * 5_000, "a b\nc", "名前"])
    def test_a_name_that_is_like_nothing(self, name):
        problem = problem_of(turn(name))
        assert problem.kind == "unknown_tool"
        assert "\x1b" not in str(problem)
        assert len(str(problem)) < 600

    def test_an_operation_that_the_user_left_out_is_not_unknown(self):
        problem = problem_of(turn("dropBooks"), excluded={"dropBooks"})
        assert problem.kind == "excluded_tool"
        assert "left out of this run by the user" in problem.message
        assert "does not exist" not in str(problem)


class TestBuiltInArguments:
    @pytest.mark.parametrize(
        ("name", "arguments", "said"),
        [
            pytest.param("compute", {}, "expression", id="missing"),
            pytest.param("finish", {"status": "ok", "answer": "x"}, "/status", id="enum"),
            pytest.param("wait", {"seconds": "soon"}, "/seconds", id="type"),
            pytest.param("ask", {"text": "?"}, "'text' was unexpected", id="unknown"),
        ],
    )
    def test_what_does_not_fit_is_told(self, name, arguments, said):
        problem = problem_of(turn(name, arguments))
        assert problem.kind == "bad_arguments"
        assert said in problem.message
        assert problem.tool == name

    def test_a_text_that_holds_the_value_is_taken_and_noted(self):
        checked = check_turn(turn("inspect", {"step": "a", "limit": "5"}), Shelf())
        assert checked.action.arguments == {"step": "a", "limit": 5}
        assert checked.notes == ("limit was a text that holds JSON integer".replace("holds JSON", "holds a JSON"),)

    def test_save_as_among_the_arguments_is_moved(self):
        checked = check_turn(turn("compute", {"expression": "1", "save_as": "n"}), Shelf())
        assert checked.action == Action("compute", {"expression": "1"}, save_as="n")

    def test_an_ending_has_no_result_to_save(self):
        given = turn("finish", {"status": "done", "answer": "x"}, save_as="end")
        assert check_turn(given, Shelf()).action.save_as is None

    @pytest.mark.parametrize("beside", [{"for_each": "<<steps.a.items>>"}, {"pages": "all"}])
    def test_what_belongs_to_calls_is_refused(self, beside):
        problem = problem_of(turn("compute", {"expression": "1"}, **beside))
        assert problem.kind == "bad_arguments"
        assert next(iter(beside)) in problem.message


class TestWhatStandsBeside:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            pytest.param(
                {"title": "a", "save_as": "x"}, Action("listBooks", {"title": "a"}, save_as="x"), id="save_as"
            ),
            pytest.param({"pages": "all"}, Action("listBooks", {}, pages="all"), id="pages"),
            pytest.param({"pages": 2}, Action("listBooks", {}, pages=2), id="pages-number"),
            pytest.param(
                {"for_each": "<<steps.a.items>>"}, Action("listBooks", {}, for_each="<<steps.a.items>>"), id="each"
            ),
            pytest.param({"pages": 0}, Action("listBooks", {"pages": 0}), id="no-pages"),
            pytest.param({"pages": True}, Action("listBooks", {"pages": True}), id="boolean-pages"),
            pytest.param({"save_as": ["x"]}, Action("listBooks", {"save_as": ["x"]}), id="no-name"),
        ],
    )
    def test_it_is_moved_out_of_the_arguments(self, arguments, expected):
        checked = check_turn(turn("listBooks", arguments), Shelf())
        assert checked.action == expected
        assert bool(checked.notes) == (checked.action.arguments != arguments)

    def test_an_argument_of_that_name_stays(self):
        shelf = Shelf([make_tool("listPages", arguments=["pages", "save_as"])])
        given = turn("listPages", {"pages": "3", "save_as": "pdf"})
        assert check_turn(given, shelf) == given

    def test_what_is_given_twice_is_left_to_the_check_of_arguments(self):
        given = turn("listBooks", {"pages": 2}, pages=3)
        assert check_turn(given, Shelf()) == given


class TestTheNameOfTheResult:
    def test_it_is_refused_with_the_reason(self):
        given = turn("listBooks", save_as="class")
        problem = problem_of(given, step_name_problem=lambda name: f"{name!r} is a word of Python")
        assert (problem.kind, problem.message) == ("bad_step_name", "'class' is a word of Python")

    def test_it_is_taken_where_nothing_is_wrong(self):
        given = turn("listBooks", save_as="books")
        assert check_turn(given, Shelf(), step_name_problem=lambda name: None) == given


class TestThePlan:
    plan = Plan(("find", "count"), 1)

    def test_the_first_is_taken(self):
        assert check_turn(turn("listBooks", plan=("a", "b"), doing=2), Shelf()).plan == ("a", "b")

    def test_a_first_turn_without_one_is_taken(self):
        assert check_turn(turn("listBooks"), Shelf()).plan is None

    def test_the_same_again_is_no_change(self):
        given = turn("listBooks", plan=("find", "count"), plan_reason="none")
        checked = check_turn(given, Shelf(), plan=self.plan)
        assert (checked.plan, checked.plan_reason, checked.notes) == (None, None, ())

    def test_a_change_with_its_reason(self):
        given = turn("listBooks", plan=("other",), plan_reason="it changed")
        checked = check_turn(given, Shelf(), plan=self.plan)
        assert (checked.plan, checked.plan_reason) == (("other",), "it changed")

    def test_a_change_without_a_reason_is_noted(self):
        checked = check_turn(turn("listBooks", plan=("other",)), Shelf(), plan=self.plan)
        assert checked.plan == ("other",)
        assert checked.notes == ("the plan was changed without a reason",)

    @pytest.mark.parametrize(
        ("doing", "new_plan", "taken"),
        [(1, None, 1), (2, None, 2), (3, None, 2), (9, ("a", "b", "c"), 3), (2, ("a",), 1), (None, None, None)],
    )
    def test_doing_stays_within_the_plan(self, doing, new_plan, taken):
        given = turn("listBooks", plan=new_plan, plan_reason="r", doing=doing)
        checked = check_turn(given, Shelf(), plan=self.plan)
        assert checked.doing == taken
        assert bool(checked.notes) == (taken != doing)

    def test_doing_without_any_plan(self):
        assert check_turn(turn("listBooks", doing=4), Shelf()).doing == 1
