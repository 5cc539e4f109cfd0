"""The offline mind on a JSON store that nobody here wrote, from the document that the store itself serves."""

from __future__ import annotations

import pytest

from tests.command import thinkagent
from tests.integration.servers import INSTALL_S, served
from thinkagent.values import read_json

pytestmark = pytest.mark.timeout(INSTALL_S)


@pytest.fixture(scope="module")
def kinto():
    with served("kinto") as server:
        yield server


@pytest.fixture
def run(kinto, tmp_path):
    def run(task, *more):
        user = kinto.auth.removeprefix("basic:")
        ended = thinkagent(
            "run", task, "--spec", kinto.spec, "--auth", "basicauth=env:KINTO", "--json", *more,
            "--log-dir", str(tmp_path), cwd=tmp_path, KINTO=user,
        )  # fmt: skip
        assert "Traceback" not in ended.stderr
        return ended.returncode, read_json(ended.stdout)

    return run


def test_it_creates_what_is_asked_for_and_counts_it(run):
    code, before = run("How many buckets are there?")
    assert (code, before["answer"]) == (0, "There is 1 bucket.")

    code, made = run("Create a bucket named demo", "--allow-writes")
    assert (code, made["status"]) == (0, "done")
    assert [(change["outcome"], change["status"]) for change in made["changes"]] == [("ok", 201)]

    code, inner = run("Create a collection named tasks in bucket demo", "--allow-writes")
    assert (code, inner["status"]) == (0, "done")
    assert [(change["outcome"], change["status"]) for change in inner["changes"]] == [("ok", 201)]

    assert run("How many buckets are there?")[1]["answer"] == "There are 2 buckets."
    code, which = run("Which collections are in bucket demo?")
    assert code == 0
    assert "tasks" in which["answer"]


def test_without_leave_nothing_is_created(run):
    code, refused = run("Create a bucket named nope")
    assert (code, refused["status"], refused["changes"]) == (1, "refused", [])
    assert "--allow-writes" in refused["reason"]
    code, asked = run("Which buckets are there?")
    assert "nope" not in asked["answer"]


def test_what_it_does_not_understand_it_says(run):
    code, result = run("How many unicorns graze in the library?", "--allow-writes")
    assert (code, result["status"]) == (1, "impossible")
    assert "unicorns" in result["answer"]
    assert result["changes"] == []
