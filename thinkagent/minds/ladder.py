"""The ladder of ways to ask for a turn as JSON; which rung a model stands on is learnt from what it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from thinkagent.minds.failures import ServerError
from thinkagent.turns.schema import OPEN_SCHEMA, STRICT_SCHEMA

__all__ = ["ACT", "FORMAT_FIELDS", "Ladder", "Rung"]

Rung = Literal["json_schema_strict", "json_schema", "tool", "json_object", "text"]
"""From the strongest promise of a server to none."""

RUNGS: tuple[Rung, ...] = get_args(Rung)

ACT = "act"
"""The one tool of the third rung: its arguments are the turn."""

FORMAT_FIELDS = ("response_format", "tools", "tool_choice")
"""The fields of a request that are the ladder's; a user who sets one has chosen for themselves."""

_NAMED = re.compile(
    r"response.?format|json.?schema|json.?object|json.?mode|structured.?(output|generation)|guided|grammar"
    r"|tool.?choice|\btools?\b|function.?call|\bschemas?\b",
    re.IGNORECASE,
)
_UNEXPLAINED = re.compile(
    r"\W*((http|error|status|code|400|422|bad request|invalid[ _]request([ _]error)?|unprocessable (entity|content)"
    r"|validation error|invalid (input|body|parameters?|arguments?)|request contains an invalid argument)\W*)*",
    re.IGNORECASE,
)


class Ladder:
    """Stand on a rung until the server refuses it; never climb back."""

    def __init__(
        self,
        start: Rung = "json_schema_strict",
        *,
        strict_schema: Mapping[str, Any] | None = None,
        open_schema: Mapping[str, Any] | None = None,
    ) -> None:
        self.rung: Rung = start
        self._strict_schema = STRICT_SCHEMA if strict_schema is None else strict_schema
        self._open_schema = OPEN_SCHEMA if open_schema is None else open_schema
        self._held = False

    def fields(self) -> dict[str, Any]:
        """Give the top-level request fields of the present rung."""
        match self.rung:
            case "json_schema_strict":
                return {"response_format": _json_schema(self._strict_schema, strict=True)}
            case "json_schema":
                return {"response_format": _json_schema(self._open_schema, strict=False)}
            case "tool":
                function = {"name": ACT, "description": "Take one turn.", "parameters": self._open_schema}
                return {
                    "tools": [{"type": "function", "function": function}],
                    "tool_choice": {"type": "function", "function": {"name": ACT}},
                }
            case "json_object":
                return {"response_format": {"type": "json_object"}}
            case "text":
                return {}

    def held(self) -> None:
        """A reply came: from now on an unexplained refusal is not blamed on the rung."""
        self._held = True

    def refuses(self, error: ServerError) -> bool:
        """Tell whether the server refused this rung: it names it, or it says nothing about its very first refusal."""
        if self.rung == "text":
            return False
        if error.status in (400, 404, 405, 415, 422, 500, 501) and _NAMED.search(error.text):
            return True
        return not self._held and error.status in (400, 422) and bool(_UNEXPLAINED.fullmatch(error.message))

    def fall(self) -> str:
        """Go down one rung and say so."""
        refused = self.rung
        self.rung = RUNGS[RUNGS.index(refused) + 1]
        self._held = False
        return f"{refused!r} output was refused, now asking for {self.rung!r}"


def _json_schema(schema: Mapping[str, Any], *, strict: bool) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "turn", "strict": strict, "schema": schema}}
