"""The heart: state, fold, next, driver; and the faces that people use.

The package of this name can be called too, because `thinkagent.run("task", spec="api.yaml")` is what a user types and
Python gives the name of a subpackage to the subpackage.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinkagent.run.result import RunResult


class _Run(ModuleType):
    def __call__(self, task: str, *, spec: Any, **settings: Any) -> RunResult:
        """Carry out one task; see `thinkagent.run.agent.run`."""
        from thinkagent.run.agent import run

        return run(task, spec=spec, **settings)


sys.modules[__name__].__class__ = _Run
