"""The demo's tasks, each in three wordings over three sets of data, done by the default mind over real HTTP."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.command import thinkagent
from tests.demo.wordings import Task, data_of, missing_facts, tasks
from thinkagent.shop import Shop
from thinkagent.values import read_json


def run_task(task: Task, shop: Shop, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    writes = ["--allow-writes"] if task.allow_writes else []
    return thinkagent(
        "run", task.task, "--spec", f"{shop.url}/openapi.json", "--auth", "bearerAuth=env:SHOP_TOKEN",
        "--now", task.now.isoformat(), "--log-dir", str(folder / "logs"), *writes, *more,
        cwd=folder, SHOP_TOKEN=shop.token,
    )  # fmt: skip


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_the_task_is_done_with_the_seeded_truth_and_replays_anywhere(task, tmp_path):
    with Shop(data_of(task), clock=lambda: task.now) as shop:
        before = {(coupon["customerId"], coupon["code"]) for coupon in shop.state()["coupons"]}
        ended = run_task(task, shop, tmp_path, "--json")
        coupons = {(coupon["customerId"], coupon["code"]) for coupon in shop.state()["coupons"]}
        requests = [(seen.method, seen.path.partition("?")[0], seen.status) for seen in shop.requests]
    assert ended.returncode == 0, ended.stderr
    result = read_json(ended.stdout)
    assert result["status"] == "done"
    assert missing_facts(str(result["answer"]), task.expect["answer"]) == []
    assert coupons - before == {(one["customerId"], one["code"]) for one in task.expect.get("coupons", [])}
    assert len(result["changes"]) == task.expect.get("changes", 0)
    for call in task.expect.get("calls", []):
        assert (call["method"], call["path"], call["status"]) in requests
    assert "Traceback" not in ended.stderr

    packed = thinkagent("log", "pack", result["log"], "-o", str(tmp_path / "packed.jsonl"), cwd=tmp_path)
    assert packed.returncode == 0, packed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "packed.jsonl").rename(empty / "run.jsonl")
    replayed = thinkagent("replay", "run.jsonl", cwd=empty)
    assert (replayed.returncode, replayed.stdout + replayed.stderr) == (0, replayed.stdout + replayed.stderr)
    assert "same" in replayed.stdout + replayed.stderr


def test_the_answer_alone_is_on_stdout(tmp_path):
    task = next(task for task in tasks() if task.kind == "compute")
    with Shop(data_of(task), clock=lambda: task.now) as shop:
        ended = run_task(task, shop, tmp_path)
    assert ended.returncode == 0
    assert len(ended.stdout.strip().splitlines()) == 1
    assert missing_facts(ended.stdout, task.expect["answer"]) == []


def test_without_leave_nothing_is_written_and_the_flag_is_named(tmp_path):
    task = next(task for task in tasks() if task.kind == "write")
    with Shop(data_of(task), clock=lambda: task.now) as shop:
        before = shop.state()
        ended = thinkagent(
            "run", task.task, "--spec", f"{shop.url}/openapi.json", "--auth", "bearerAuth=env:SHOP_TOKEN",
            "--now", task.now.isoformat(), "--log-dir", str(tmp_path), cwd=tmp_path, SHOP_TOKEN=shop.token,
        )  # fmt: skip
        assert shop.state() == before
    assert ended.returncode == 1
    assert "--allow-writes" in ended.stderr
