"""What is remembered about documents between runs: derived values only, on disk, by content.

A value is found again by what it was made from and by the version that made it, so nothing is ever out of date, and
runs side by side only write the same thing twice. Whatever fails here costs time, never an answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from thinkagent.values import digest
from thinkagent.version import __version__

__all__ = ["Cache", "cache_folder"]

FORMAT = 1
"""Changes with the form of what is kept, where the version does not."""
MAX_FILES = 400
MAX_BYTES = 300_000_000
"""Beyond either, what was not used for the longest time goes."""
_SUFFIX = ".json"


def cache_folder() -> Path:
    """Give the folder of this user's cache; THINKAGENT_CACHE_DIR names another."""
    named = os.environ.get("THINKAGENT_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("thinkagent", appauthor=False)


class Cache:
    """JSON values in a folder that only this user reads."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else cache_folder()

    def get(self, *made_from: str) -> Any:
        """Give what was kept, or None: for these texts, by this version."""
        path = self._path(made_from)
        try:
            value = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return value

    def put(self, value: Any, *made_from: str) -> None:
        """Keep a JSON value; a folder that cannot be written to keeps nothing."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(json.dumps(value, separators=(",", ":")), self._path(made_from))
            self._prune()
        except (OSError, ValueError, RecursionError):
            return

    def clear(self) -> int:
        """Remove what is kept; give the number of bytes that it took."""
        removed = 0
        for path, status in self._kept():
            with contextlib.suppress(OSError):
                path.unlink()
                removed += status.st_size
        return removed

    def _path(self, made_from: tuple[str, ...]) -> Path:
        key = digest(json.dumps([FORMAT, __version__, *made_from])).partition(":")[2]
        return self.folder / f"{key}{_SUFFIX}"

    def _write(self, text: str, path: Path) -> None:
        # Under another name first: who reads beside it sees the whole or nothing. mkstemp gives 0600.
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def _kept(self) -> list[tuple[Path, os.stat_result]]:
        """Give the cache's own files, those of writers that were killed included."""
        found = []
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if path.suffix in (_SUFFIX, ".part"):
                    with contextlib.suppress(OSError):
                        found.append((path, path.stat()))
        return found

    def _prune(self) -> None:
        kept = sorted(self._kept(), key=lambda item: item[1].st_mtime, reverse=True)
        total = 0
        for number, (path, status) in enumerate(kept):
            total += status.st_size
            if number >= MAX_FILES or total > MAX_BYTES:
                with contextlib.suppress(OSError):
                    path.unlink()
