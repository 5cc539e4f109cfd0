"""Give it a task in words and an OpenAPI document: it thinks out loud, calls the real API, answers with proof.

import thinkagent

result = thinkagent.run("How many products are there?", spec="shop.yaml", base_url="http://127.0.0.1:8321")
print(result.status, result.answer)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from thinkagent.version import __version__

if TYPE_CHECKING:
    from thinkagent.errors import (
        ArgumentError,
        DocumentError,
        JournalError,
        ModelError,
        PermissionRefused,
        ReplayMismatch,
        ThinkagentError,
        TransportError,
        UsageError,
    )
    from thinkagent.run.agent import Agent, load_tools, run
    from thinkagent.run.result import RunResult
    from thinkagent.run.settings import Settings
    from thinkagent.run.world import Limits, Permission

__all__ = [
    "Agent",
    "ArgumentError",
    "DocumentError",
    "JournalError",
    "Limits",
    "ModelError",
    "Permission",
    "PermissionRefused",
    "ReplayMismatch",
    "RunResult",
    "Settings",
    "ThinkagentError",
    "TransportError",
    "UsageError",
    "__version__",
    "load_tools",
    "run",
]

_HOMES = {
    "Agent": "thinkagent.run.agent",
    "Limits": "thinkagent.run.world",
    "Permission": "thinkagent.run.world",
    "RunResult": "thinkagent.run.result",
    "Settings": "thinkagent.run.settings",
    "load_tools": "thinkagent.run.agent",
}
"""Where each name lives; the errors are in thinkagent.errors. Nothing is imported before it is asked for."""


def __getattr__(name: str) -> Any:
    if name == "run":
        return importlib.import_module("thinkagent.run")
    if name not in __all__:
        raise AttributeError(f"module 'thinkagent' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES.get(name, "thinkagent.errors")), name)


def __dir__() -> list[str]:
    return list(__all__)
