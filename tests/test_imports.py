"""What a command does not use it does not import: that is most of how long it takes to begin."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPEC = str(ROOT / "specs" / "shop.yaml")
TASK = "How many products are there?"

MODELS = {"litellm", "openai", "tiktoken", "aiohttp"}
NETWORK = {"httpx", "httpcore", "httpx2", "h2", "anyio"}
CHECKS = {"pydantic", "jsonschema", "jsonschema_rs", "openapi_spec_validator", "pydantic_monty"}
LOOKS = {"rich", "pygments"}


def imported_by(*arguments: str) -> set[str]:
    """Run a command line in a process of its own; give every module that it had when it ended."""
    code = (
        "import json, sys\n"
        "from thinkagent.cli.main import run_command\n"
        f"code = run_command({list(arguments)!r})\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)
    exit_code, modules = json.loads(done.stderr.splitlines()[-1])
    assert exit_code == 0, done.stderr
    return set(modules)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("logs")
    arguments = ["run", TASK, "--spec", SPEC, "--dry-run", "--log-dir", str(folder), "--quiet"]
    code = f"from thinkagent.cli.main import run_command\nrun_command({arguments!r})"
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    return str(next(folder.glob("*.jsonl")))


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_import_click_and_little_else(flag: str) -> None:
    modules = imported_by(flag)
    assert not modules & {*MODELS, *NETWORK, *CHECKS, *LOOKS, "yaml", "asyncio"}
    ours = {name for name in modules if name.startswith("thinkagent.")}
    assert not {name for name in ours if name.split(".")[1] not in ("cli", "errors", "values", "version")}


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([], id="table"),
        pytest.param(["--tool", "listProducts"], id="one"),
        pytest.param(["--search", "a product", "-k", "2"], id="search"),
        pytest.param(["--format", "openai"], id="functions"),
        pytest.param(["--json"], id="json"),
    ],
)
def test_tools_reads_a_document_and_no_more(more: list[str]) -> None:
    modules = imported_by("tools", "--spec", SPEC, *more)
    assert not modules & (MODELS | NETWORK | {"pydantic", "openapi_spec_validator", "pydantic_monty", "asyncio"})
    assert not {name for name in modules if name.startswith(("thinkagent.run", "thinkagent.minds"))}


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([], id="whole"),
        pytest.param(["--turn", "1"], id="turn"),
        pytest.param(["--json"], id="json"),
    ],
)
def test_log_reads_a_file_and_no_more(log: str, more: list[str]) -> None:
    modules = imported_by("log", log, *more)
    assert not modules & (MODELS | NETWORK | {"pydantic", "jsonschema_rs", "openapi_spec_validator", "pydantic_monty"})


def test_replay_needs_no_model_library(log: str) -> None:
    modules = imported_by("replay", log)
    assert not modules & MODELS
    assert not {name for name in modules if name.startswith(("thinkagent.minds.openai", "thinkagent.minds.litellm"))}


def test_the_package_alone_imports_nothing_of_its_own() -> None:
    code = "import sys, thinkagent\nprint(*[name for name in sys.modules if name.startswith('thinkagent.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not set(done.stdout.split()) - {"thinkagent.version"}


def test_the_whole_public_page_needs_neither_models_nor_network() -> None:
    code = "import sys, thinkagent\n[getattr(thinkagent, name) for name in thinkagent.__all__]\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not set(done.stdout.split()) & (MODELS | NETWORK)
