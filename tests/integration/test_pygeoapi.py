"""The offline mind on a server of maps whose document does not describe its answers; raw data says what is right."""

from __future__ import annotations

import httpx
import pytest

from tests.command import thinkagent
from tests.integration.servers import INSTALL_S, served
from thinkagent.values import read_json

pytestmark = pytest.mark.timeout(INSTALL_S)


@pytest.fixture(scope="module")
def pygeoapi():
    with served("pygeoapi") as server:
        yield server


@pytest.fixture(scope="module")
def rows(pygeoapi):
    """What the server holds, by collection."""

    def rows(name):
        answer = httpx.get(f"{pygeoapi.url}/collections/{name}/items", params={"f": "json", "limit": 50}).json()
        return [{"id": one["id"], **one["properties"]} for one in answer["features"]]

    return {name: rows(name) for name in ("stations", "lakes")}


@pytest.fixture
def ask(pygeoapi, tmp_path):
    def ask(task):
        ended = thinkagent("run", task, "--spec", pygeoapi.spec, "--json", "--log-dir", str(tmp_path), cwd=tmp_path)
        assert "Traceback" not in ended.stderr
        result = read_json(ended.stdout)
        return result["status"], result["answer"]

    return ask


def test_counts_and_lists(ask, rows):
    stations, lakes = rows["stations"], rows["lakes"]
    northern = sum(one["country"] == "Norway" for one in stations)
    guarded = [one["name"] for one in lakes if one["protected"]]
    assert ask("How many stations are there?") == ("done", f"There are {len(stations)} stations.")
    assert ask("有多少个湖？") == ("done", f"共有{len(lakes)}个湖。")
    status, answer = ask("How many stations are in Norway?")
    assert status == "done"
    assert str(northern) in answer
    status, answer = ask("Which lakes are protected?")
    assert status == "done"
    assert ", ".join(guarded) in answer
    status, answer = ask("List the collections")
    assert status == "done"
    assert "Weather stations, Lakes" in answer


def test_one_and_the_first(ask, rows):
    [station] = [one for one in rows["stations"] if one["name"] == "Station 33"]
    status, answer = ask("Show station 33")
    assert status == "done"
    assert f"elevation: {station['elevation']}" in answer
    highest = max(rows["stations"], key=lambda one: one["elevation"])
    assert ask("Which station is the highest?") == (
        "done",
        f"It is {highest['name']} (elevation: {highest['elevation']}).",
    )
    status, answer = ask("What is the total area of all lakes?")
    assert status == "done"
    assert f" {sum(one['area_km2'] for one in rows['lakes'])} " in answer


@pytest.mark.parametrize(
    "task", ["How many schemas are there?", "How many stations are cold?", "Which lakes are shallow?", "Show lake 99"]
)
def test_what_cannot_be_known_is_not_answered(ask, task):
    assert ask(task)[0] in ("impossible", "failed")
