"""One turn of a log: what the mind was given, told truly of each mind, and the turn as the whole log shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.kit import SCENARIOS, logs_of
from thinkagent.cli.main import run_command

SAMPLE = Path(__file__).parents[2] / "logs/sample.jsonl"


def shown(capsys, *arguments):
    assert run_command(["log", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_offline_mind_was_sent_nothing(capsys):
    first = shown(capsys, SAMPLE, "--turn", "2")[0]
    assert first.startswith("--- what the offline mind was given; no model was asked (turn 2, ")


def test_any_other_mind_is_named(tmp_path, capsys):
    first = shown(capsys, logs_of(tmp_path, SCENARIOS["read"]), "--turn", "2")[0]
    assert first.startswith("--- what scripted was sent (turn 2, ")


@pytest.mark.parametrize("name", ["dry", "for-each", "repairs", "conflict"])
def test_a_turn_alone_is_shown_as_in_the_whole_log(tmp_path, capsys, name):
    log = logs_of(tmp_path, SCENARIOS[name])
    whole = shown(capsys, log)
    turn = shown(capsys, log, "--turn", "2")
    alone = turn[turn.index("--- what came of it ---") + 1 :]
    begin = next(at for at, line in enumerate(whole) if line.startswith("2  ")) - 1
    assert [line.replace("http://rows.test", "") for line in alone] == whole[begin : begin + len(alone)]
    assert len(alone) > 2
