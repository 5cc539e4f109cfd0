"""What changes from turn to turn fits its budget; the oldest is shortened first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thinkagent.turns.fit import Part, fit
from thinkagent.turns.pieces import Piece


def parts(name: str, count: int, size: int = 100, *, level: int = 0) -> list[Part]:
    return [Part(Piece(f"{name}{n}", lambda: "x" * 4 * size, lambda: "x" * 40), level) for n in range(count)]


def levels(some: list[Part]) -> list[int]:
    return [part.level for part in some]


def test_nothing_is_shortened_that_fits():
    turns, steps = parts("turn", 3), parts("step", 3)
    fit(turns, steps, [], 600)
    assert levels([*turns, *steps]) == [0] * 6


def test_old_turns_go_to_a_line_first():
    turns, steps = parts("turn", 3), parts("step", 3)
    fit(turns, steps, [], 550)
    assert (levels(turns), levels(steps)) == ([1, 0, 0], [0, 0, 0])


def test_then_fetched_definitions_then_old_steps():
    turns, steps, fetched = parts("turn", 3), parts("step", 5), parts("fetched", 3)
    fit(turns, steps, fetched, 600)
    assert (levels(turns), levels(fetched), levels(steps)) == ([1, 1, 0], [1, 1, 0], [1, 1, 0, 0, 0])


def test_lines_are_left_out_last_and_the_last_turn_stays():
    turns, steps, fetched = parts("turn", 40, level=1), parts("step", 40), parts("fetched", 5)
    fit(turns, steps, fetched, 10)
    assert levels(turns) == [2] * 39 + [1]
    assert levels(steps) == [2] * 40
    assert levels(fetched) == [2] * 5


@given(
    counts=st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 8)),
    size=st.integers(10, 500),
    budget=st.integers(20, 5_000),
)
def test_the_sum_keeps_the_budget(counts, size, budget):
    turns, steps, fetched = (parts(name, count, size) for name, count in zip("tsf", counts, strict=True))
    fit(turns, steps, fetched, budget)
    assert sum(part.size for part in (*turns, *steps, *fetched)) <= budget
    assert not turns or turns[-1].block
