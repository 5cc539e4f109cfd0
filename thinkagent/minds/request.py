"""The body of a chat request, and what was learnt from refusals about how this model wants it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from thinkagent.minds.failures import ServerError, classify
from thinkagent.minds.ladder import FORMAT_FIELDS, Ladder
from thinkagent.turns.model import Page

__all__ = ["ChatRequest", "Message", "Render"]


class Message(Protocol):
    """A rendered message of a page."""

    @property
    def role(self) -> str: ...

    @property
    def content(self) -> str: ...


Render = Callable[[Page], Iterable[Message]]

_UNSUPPORTED = re.compile(
    r"un-?supported|(not|n't|no longer) (be )?(support|allow|permit|accept|recogni[sz]|implement|available|used?\b)"
    r"|unknown|unrecogni[sz]ed|unexpected|cannot be used|extra (field|input|param|key)|additional propert"
    r"|deprecated|only the default|instead|remove",
    re.IGNORECASE,
)
_SYSTEM_ROLE = re.compile(
    r"\bsystem\b.{0,30}\b(role|message|prompt|instruction)|\brole\b.{0,30}\bsystem\b|roles? must alternate"
    r"|developer instruction",
    re.IGNORECASE | re.DOTALL,
)
_RENAMES = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_WORDS = frozenset({"n", "stop", "user", "store", "stream", "functions", "modalities", "metadata", "prediction"})
"""Field names that are also plain words: only a quoted mention is one."""

_KEPT = frozenset({"model", "messages"})


class ChatRequest:
    """Build request bodies for one model and remember what it refused.

    Nothing optional is sent but what the user set, the ladder's field and the wish for usage. Each refusal drops or
    renames a setting once, so a model can cause only as many changes as there are settings and rungs.
    """

    def __init__(self, model: str, *, options: Mapping[str, Any], ladder: Ladder | None = None, stream: bool) -> None:
        chosen = any(name in options for name in FORMAT_FIELDS)
        self.ladder = ladder or Ladder("text" if chosen else "json_schema_strict")
        self.stream = stream
        self._model = model
        self._options = dict(options)
        self._with_usage = True
        self._fold_system = False
        self._renamed = False

    def body(self, messages: Iterable[Message]) -> dict[str, Any]:
        """Give the whole body of the next attempt."""
        written = [{"role": message.role, "content": message.content} for message in messages]
        if self._fold_system:
            written = _without_system(written)
        if self.ladder.rung == "json_object" and not any("json" in item["content"].lower() for item in written):
            # Servers refuse this rung when no message has the word.
            written[-1]["content"] += "\n\nAnswer with one JSON object."
        body: dict[str, Any] = {"model": self._model, "messages": written, "stream": self.stream}
        if self.stream and self._with_usage:
            body["stream_options"] = {"include_usage": True}
        return body | self.ladder.fields() | self._options

    def learn(self, error: ServerError) -> str | None:
        """Take a refusal as a lesson: what was changed, or None where the next attempt would be the same."""
        if error.status is None or not (400 <= error.status <= 501) or error.status in (401, 403, 408, 429):
            return None
        if classify(error)[0] == "context_length":
            return None
        notes = [note for note in (self._learn_settings(error), self._learn_roles(error)) if note]
        if not notes and self.ladder.refuses(error):
            notes.append(self.ladder.fall())
        return "; ".join(notes) or None

    def _learn_settings(self, error: ServerError) -> str | None:
        if error.status not in (400, 422):
            return None
        # The longest name first: the refusal of `max_completion_tokens` is none of `max_tokens`.
        names = sorted(self._settable(), key=len, reverse=True)
        head = re.split(r"[.\[]", error.param)[0]
        if head in FORMAT_FIELDS and head not in self._options:
            return None
        named = [head] if head in names else [name for name in names if _mentions(error.message, name)]
        ours = {"stream", "stream_options"} - self._options.keys()
        unsupported = bool(_UNSUPPORTED.search(error.text))
        notes = [self._give_up(name, error.message) for name in named if unsupported or name in ours]
        return "; ".join(filter(None, notes)) or None

    def _settable(self) -> set[str]:
        names = set(self._options) - _KEPT
        if self.stream:
            names |= {"stream", "stream_options"} if self._with_usage else {"stream"}
        return names

    def _give_up(self, name: str, message: str) -> str | None:
        other = _RENAMES.get(name)
        if other and other not in self._options and not self._renamed and _mentions(message, other):
            self._renamed = True
            self._options[other] = self._options.pop(name)
            return f"setting {name!r} was refused, now sent as {other!r}"
        if name == "stream":
            self.stream = False
        elif name == "stream_options":
            self._with_usage = False
        self._options.pop(name, None)
        return f"setting {name!r} was refused and is no longer sent"

    def _learn_roles(self, error: ServerError) -> str | None:
        if self._fold_system or not _SYSTEM_ROLE.search(error.message):
            return None
        self._fold_system = True
        return "the role 'system' was refused, its text now stands in the first user message"


def _mentions(message: str, name: str) -> bool:
    quoted = re.search(rf"""['"`]{re.escape(name)}['"`.\[]""", message)
    if quoted or name in _WORDS:
        return bool(quoted)
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", message))


def _without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Call system text the user's and join neighbours of one role, for chat templates that demand turns in turn."""
    folded: list[dict[str, str]] = []
    for message in messages:
        role = "user" if message["role"] == "system" else message["role"]
        if folded and folded[-1]["role"] == role:
            folded[-1]["content"] += "\n\n" + message["content"]
        else:
            folded.append({"role": role, "content": message["content"]})
    return folded
