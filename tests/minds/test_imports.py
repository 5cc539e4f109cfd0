from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("httpx", "httpx2", "httpcore", "litellm", "openai", "jsonschema_rs", "pydantic")


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import thinkagent.minds.base",
        "import thinkagent.minds.select",
        "import thinkagent.minds.scripted",
        "from thinkagent.minds.select import select_mind; select_mind(None, environ={}, offline=object)",
        "from thinkagent.testing import FakeModelServer, ScriptedMind\nwith FakeModelServer() as server: server.url",
    ],
)
def test_choosing_a_mind_imports_nothing_heavy(statement: str) -> None:
    assert loaded_after(statement) == set()


def test_the_thin_mind_needs_httpx_alone() -> None:
    code = "from thinkagent.minds.select import select_mind\n"
    code += "select_mind('openai/m', api_base='http://127.0.0.1:1', environ={}, offline=object)"
    assert not loaded_after(code) & {"litellm", "openai", "httpx2", "pydantic", "jsonschema_rs"}


def test_a_mind_behind_litellm_loads_it_in_its_first_call_only() -> None:
    code = "from thinkagent.minds.select import select_mind\n"
    code += "select_mind('anthropic/m', environ={}, offline=object)"
    assert not loaded_after(code) & {"litellm", "openai", "httpx", "httpx2"}
