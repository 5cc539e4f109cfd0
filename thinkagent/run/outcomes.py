"""How a run can end, and what that means to a shell."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["EXIT_CODES"]

EXIT_CODES: Mapping[str, int] = {
    "done": 0,
    "dry_run": 0,
    "failed": 1,
    "impossible": 1,
    "unproven": 1,
    "refused": 1,
    "limit": 1,
    "loop": 1,
    "model_error": 3,
    "api_error": 3,
    "journal_error": 3,
    "waiting": 4,
    "interrupted": 130,
    "terminated": 143,
}
"""Exit code by status; 2 is bad usage or bad input and belongs to no run."""
