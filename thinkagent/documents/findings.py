"""Where findings gather while a document is read and its operations are built."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from thinkagent.documents.model import Finding, Severity

__all__ = ["Findings"]


class Findings:
    """Findings in the order of their discovery; the same one counts once.

    `locate` writes a file's name as a user knows it, relative to the entry document.
    """

    def __init__(self, locate: Callable[[str], str]) -> None:
        self._locate = locate
        self._found: dict[tuple[str, str, str], Finding] = {}

    def add(
        self,
        file: str,
        pointer: str,
        message: str,
        *,
        severity: Severity = "warning",
        consequence: str = "",
        line: int | None = None,
    ) -> None:
        """Note one finding at a JSON Pointer of a file."""
        shown = f"{self._locate(file)}#{pointer}"
        finding = Finding(shown, message, severity, line, consequence)
        self._found.setdefault((file, pointer, message), finding)

    def __len__(self) -> int:
        return len(self._found)

    def items(self) -> Iterator[tuple[str, str, Finding]]:
        """Give (file, pointer, finding) for each."""
        for (file, pointer, _), finding in self._found.items():
            yield file, pointer, finding
