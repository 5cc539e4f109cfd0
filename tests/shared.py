"""Where the shared corpora and servers lie: beside the checkout, or where THINKAGENT_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("THINKAGENT_SHARED") or Path(__file__).resolve().parents[2] / "shared")
"""The folder with `data/`, `servers/` and `cases/`; it may be absent."""

needs_shared = pytest.mark.skipif(
    not (SHARED / "data").is_dir(), reason=f"the shared corpora are not at {SHARED} (set THINKAGENT_SHARED)"
)
