"""The published schemas of what `--json` prints: every output fits, and no field is left untold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.output_schemas import (
    RUN_STATUSES,
    replay_schema,
    run_schema,
    spec_check_schema,
    spec_graph_schema,
    tools_schema,
)
from tests.run.kit import SCENARIOS, logs_of
from thinkagent.cli.main import run_command
from thinkagent.run.outcomes import EXIT_CODES
from thinkagent.values import plain, read_json, write_json

ROOT = Path(__file__).resolve().parents[1]
SPEC = str(ROOT / "specs/shop.yaml")
SWAGGER = """
swagger: '2.0'
info: {title: Old, version: '1'}
securityDefinitions: {key: {type: apiKey, in: header, name: X-Key}}
paths:
  /files:
    get: {operationId: listFiles, responses: {'200': {description: ok, schema: {$ref: '#/definitions/Nowhere'}}}}
    post:
      operationId: sendFile
      consumes: [multipart/form-data]
      parameters: [{name: file, in: formData, type: file, required: true}]
      responses: {'201': {description: sent}}
"""


def closed(schema: Any) -> Any:
    """The same schema without room for a field that it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(item) for name, item in schema.items()}
    return {**inner, "additionalProperties": False} if "required" in inner and "properties" in inner else inner


def problems(schema: Any, value: Any) -> list[str]:
    validator = Draft202012Validator(closed(schema))
    return [f"{error.instance_path}: {error.message[:500]}" for error in validator.iter_errors(plain(value))]


def printed(capsys: Any, *arguments: str) -> Any:
    """What a command line prints on stdout, read as JSON."""
    run_command([*arguments, "--json"])
    return read_json(capsys.readouterr().out)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_result_of_every_kind_of_run_fits(name):
    result = SCENARIOS[name].run()
    value = read_json(write_json(result.as_dict()))
    assert problems(run_schema(), value) == []
    assert value["exit_code"] == EXIT_CODES[value["status"]]


def test_every_status_is_one_that_a_run_can_end_with():
    assert set(RUN_STATUSES) - {scenario.status for scenario in SCENARIOS.values()} == {"interrupted"}


def test_what_run_prints_fits(capsys, tmp_path):
    value = printed(
        capsys, "run", "How many products are there?", "--spec", SPEC, "--dry-run", "--log-dir", str(tmp_path)
    )
    assert problems(run_schema(), value) == []
    assert value["status"] == "dry_run"


@pytest.mark.parametrize(
    ("arguments", "has"),
    [
        pytest.param(["--include", "GET"], "tools", id="listing"),
        pytest.param(["--search", "cancel an order", "-k", "3"], "results", id="search"),
        pytest.param(["--search", "zzzz"], "results", id="nothing-found"),
        *(pytest.param(["--tool", name], "parameters", id=name) for name in ("issueCoupon", "getHealth", "listOrders")),
        pytest.param(["--tool", "issueCoupn"], "error", id="error"),
    ],
)
def test_what_tools_prints_fits(capsys, arguments, has):
    value = printed(capsys, "tools", "--spec", SPEC, *arguments)
    assert problems(tools_schema(), value) == []
    assert has in value


def test_a_listing_of_what_cannot_be_used_fits(capsys, tmp_path):
    spec = tmp_path / "old.yaml"
    spec.write_text(SWAGGER, "utf-8")
    value = printed(capsys, "tools", "--spec", str(spec))
    assert problems(tools_schema(), value) == []
    assert value["findings"]
    assert value["operations"] == len(value["tools"]) + len(value["skipped"]) + value["excluded"] == 2


@pytest.mark.parametrize("text", [SWAGGER, Path(SPEC).read_text("utf-8"), "{"], ids=["flawed", "good", "no document"])
def test_what_spec_check_prints_fits(capsys, tmp_path, text):
    spec = tmp_path / "api.yaml"
    spec.write_text(text, "utf-8")
    assert problems(spec_check_schema(), printed(capsys, "spec", "check", str(spec))) == []


def test_what_spec_graph_prints_fits(capsys):
    assert run_command(["spec", "graph", SPEC, "--format", "json"]) == 0
    value = read_json(capsys.readouterr().out)
    assert value["edges"]
    assert problems(spec_graph_schema(), value) == []


@pytest.mark.parametrize("tool", ["listFiles", "sendFile"])
def test_a_tool_without_a_known_result_fits(capsys, tmp_path, tool):
    spec = tmp_path / "old.yaml"
    spec.write_text(SWAGGER, "utf-8")
    assert problems(tools_schema(), printed(capsys, "tools", "--spec", str(spec), "--tool", tool)) == []


def test_what_replay_prints_fits(capsys, tmp_path):
    path = logs_of(tmp_path, SCENARIOS["read"])
    same = printed(capsys, "replay", str(path))
    assert problems(replay_schema(), same) == []
    assert same["same"] is True
    path.write_text(path.read_text("utf-8").replace("/rows/1", "/rows/2"), "utf-8")
    differs = printed(capsys, "replay", str(path))
    assert problems(replay_schema(), differs) == []
    assert differs["same"] is False
    assert differs["difference"]
    assert problems(replay_schema(), printed(capsys, "replay", "nowhere", "--log-dir", str(tmp_path))) == []


def test_a_list_of_runs_has_what_the_page_says(capsys, tmp_path):
    logs_of(tmp_path, SCENARIOS["read"])
    runs = printed(capsys, "log", "--log-dir", str(tmp_path))
    assert [list(run) for run in runs] == [["id", "status", "task", "log"]]
    assert "`id`, `status`, `task`, `log`" in (ROOT / "docs/output.md").read_text("utf-8")


@pytest.mark.parametrize(
    "schema",
    [run_schema(), tools_schema(), spec_check_schema(), replay_schema()],
    ids=["run", "tools", "check", "replay"],
)
@pytest.mark.parametrize("value", [{}, [], {"error": {"code": "x"}}, {"status": "fine"}], ids=str)
def test_what_is_no_output_is_refused(schema, value):
    assert problems(schema, value)
