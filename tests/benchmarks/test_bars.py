"""The benchmarks keep their bars: here with room for a noisy machine, marked slow as they are promised."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import page, startup, turn

NOISE = 2.0


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[turn.Turns]:
    folder = tmp_path_factory.mktemp("turns")
    return [turn.measure_turns(folder / str(number)) for number in range(3)]


def test_a_turn_costs_little_beside_its_call(runs: list[turn.Turns]) -> None:
    assert min(run.ratio for run in runs) <= NOISE * turn.BARS["ratio"]


def test_a_late_turn_costs_what_an_early_one_does(runs: list[turn.Turns]) -> None:
    assert min(run.growth for run in runs) <= 1 + NOISE * (turn.BARS["growth"] - 1)


def test_the_log_of_a_turn_is_small(runs: list[turn.Turns]) -> None:
    assert max(run.log_bytes for run in runs) <= turn.BARS["log_bytes"]


def test_what_the_log_says_of_prompts_does_not_grow_with_the_run(runs: list[turn.Turns]) -> None:
    count, size = runs[0].events["prompt"]
    assert count == turn.TURNS + 2
    assert size / count <= 1_200


def test_every_stage_of_a_turn_is_accounted_for(runs: list[turn.Turns]) -> None:
    assert {"page", "parse", "resolve", "check", "build", "send", "decode", "observe", "journal"} <= set(runs[0].stages)


def test_an_item_of_a_batch_costs_less_than_a_turn(runs: list[turn.Turns], tmp_path: Path) -> None:
    batch = turn.measure_batch(tmp_path)
    assert batch.item_us <= NOISE * 0.5 * turn.BARS["ratio"] * min(run.bare_us for run in runs)
    assert batch.item_bytes <= 1_500


def test_reading_a_long_log_is_quick(tmp_path: Path) -> None:
    turn.measure_turns(tmp_path)
    log = next(tmp_path.glob("*.jsonl"))
    fold_us, next_us = turn.measure_fold(log)
    assert fold_us <= 200_000
    assert next_us <= 100
    assert turn.measure_append(tmp_path, log) <= 1_000


def test_help_and_version_begin_at_once() -> None:
    commands = {
        "click": [sys.executable, "-c", "import click"],
        "help": startup.command_line("--help"),
        "version": startup.command_line("--version"),
    }
    found = startup.measure_commands(commands, rounds=3)
    for name in ("help", "version"):
        assert found[name].cpu_ms <= NOISE * startup.BARS[name] * found["click"].cpu_ms


@pytest.mark.slow
def test_the_bars_of_a_turn_as_promised() -> None:
    assert turn.main() == 0


@pytest.mark.slow
def test_the_bars_of_the_start_as_promised() -> None:
    assert startup.main() == 0


@pytest.mark.parametrize("operations", [1, 10, 100, 1_000])
def test_a_prompt_is_short_whatever_the_document(operations: int) -> None:
    size = page.measure(page.made(operations))
    assert size.operations == operations
    assert size.tools <= page.BARS["tools"]
    assert size.prompt <= page.BARS["prompt"]
