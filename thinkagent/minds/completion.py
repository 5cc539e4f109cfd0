"""A chat completion, gathered from stream chunks or taken whole, and turned into a Reply."""

from __future__ import annotations

import time
from dataclasses import dataclass

from thinkagent.minds.base import Delta, Reply, Usage
from thinkagent.minds.ladder import ACT
from thinkagent.minds.thinking import ThinkingSplitter, split_thinking
from thinkagent.values import write_json

__all__ = ["Draft", "NotACompletion", "read_usage"]


class NotACompletion(ValueError):
    """A decoded answer that is no chat completion; the text says what it is."""


@dataclass(slots=True)
class _Call:
    id: str
    name: str = ""
    arguments: str = ""


class Draft:
    """A reply in the making. Only the first choice counts; unknown fields are passed over."""

    def __init__(self) -> None:
        self.finish_reason: str | None = None
        self.seen = False
        """A choice has come, whatever was in it."""
        self.usage = Usage()
        self._model = ""
        self._content: list[str] | None = None
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._splitter = ThinkingSplitter()
        self.is_empty = True
        """No text, no call, no reasoning, no refusal so far."""
        self.grew = False
        """The last chunk brought content, be it for show or not."""
        self._started = time.monotonic_ns()
        self._first_token: int | None = None

    def add(self, value: object) -> Delta:
        """Take one chunk of a stream, or a whole completion; give what it adds for those who watch.

        Raises:
            NotACompletion: `value` has no list of choices.
        """
        if not isinstance(value, dict):
            raise NotACompletion(f"a JSON {_kind(value)} instead of an object")
        self.grew = False
        if isinstance(value.get("model"), str):
            self._model = value["model"] or self._model
        if isinstance(value.get("usage"), dict):
            self.usage = read_usage(value["usage"])
        choices = value.get("choices")
        if choices is None and "usage" in value:
            return Delta()
        if not isinstance(choices, list):
            raise NotACompletion("a JSON object without 'choices'")
        added = Delta()
        for choice in choices:
            if isinstance(choice, dict) and choice.get("index") in (None, 0):
                added = self._choice(choice)
                break
        return added

    def finish(self) -> Delta:
        """Give what was held back of a stream until it was clear that it ends here."""
        text, reasoning = self._splitter.finish()
        return Delta(text, reasoning)

    def reply(self, model: str) -> Reply:
        """Give the reply as it stands; `model` is the name asked for, used where the answer names none."""
        text = None if self._content is None else "".join(self._content)
        reasoning = "".join(self._reasoning) or None
        if text is not None:
            text, thinking = split_thinking(text)
            reasoning = "\n".join(filter(None, (reasoning, thinking))) or None
        first = self._calls[0] if self._calls else None
        return Reply(
            text=text,
            reasoning=reasoning,
            tool_call=(first.name, first.arguments) if first else None,
            extra_tool_calls=max(0, len(self._calls) - 1),
            finish_reason=self.finish_reason,
            refusal="".join(self._refusal) or None,
            model=self._model or model,
            usage=self.usage,
            first_token_us=self._first_token,
            total_us=self._elapsed(),
        )

    def _elapsed(self) -> int:
        return (time.monotonic_ns() - self._started) // 1000

    def _choice(self, choice: dict[str, object]) -> Delta:
        self.seen = True
        if isinstance(choice.get("finish_reason"), str):
            self.finish_reason = str(choice["finish_reason"])
        part = choice.get("delta") or choice.get("message")
        if not isinstance(part, dict):
            # The older completion form has the text beside the reason.
            part = {"content": choice.get("text")}
        text, reasoning = self._content_of(part.get("content"))
        reasoning += _text(part, "reasoning_content") or _text(part, "reasoning")
        if refusal := _text(part, "refusal"):
            self._refusal.append(refusal)
        shown = self._calls_of(part)
        if reasoning:
            self._reasoning.append(reasoning)
        if text is not None:
            self._content = self._content or []
            self._content.append(text)
        brought = (text, reasoning, part.get("refusal"), part.get("tool_calls"), part.get("function_call"))
        self.grew = any(brought)
        self.is_empty = self.is_empty and not self.grew and not self._refusal
        if self._first_token is None and not self.is_empty:
            self._first_token = self._elapsed()
        said, thinking = self._splitter.feed(text or "")
        return Delta(said + shown, reasoning + thinking)

    def _content_of(self, content: object) -> tuple[str | None, str]:
        """Read content in any of its forms: text, a list of parts, or an object that a server decoded for us."""
        if content is None or isinstance(content, str):
            return content, ""
        if not isinstance(content, list):
            return write_json(content), ""
        text, reasoning = "", ""
        for part in content:
            if isinstance(part, str):
                text += part
            elif isinstance(part, dict):
                if part.get("type") in ("thinking", "reasoning"):
                    inner = part.get("thinking", part.get("text"))
                    reasoning += "".join(filter(None, self._content_of(inner)))
                elif isinstance(part.get("refusal"), str):
                    self._refusal.append(part["refusal"])
                elif isinstance(part.get("text"), str):
                    text += part["text"]
        return text, reasoning

    def _calls_of(self, part: dict[str, object]) -> str:
        """Join native tool calls by index; give the added arguments of the call that is a turn itself."""
        calls = part.get("tool_calls")
        if not isinstance(calls, list):
            calls = []
        shown = ""
        for position, entry in enumerate(calls):
            function = entry.get("function") if isinstance(entry, dict) else None
            if isinstance(function, dict):
                shown += self._call_piece(self._call_at(entry, position), function)
        if isinstance(part.get("function_call"), dict):
            shown += self._call_piece(self._call_at({"index": 0}, 0), part["function_call"])  # type: ignore[arg-type]
        return shown

    def _call_at(self, entry: dict[str, object], position: int) -> _Call:
        index = entry.get("index")
        number = index if isinstance(index, int) else position
        identity = entry.get("id")
        identity = identity if isinstance(identity, str) else ""
        known = self._by_index.get(number)
        # Some servers number every call 0 and tell them apart by id only.
        if known is None or (identity and known.id and identity != known.id):
            known = _Call(identity)
            self._by_index[number] = known
            self._calls.append(known)
        return known

    def _call_piece(self, call: _Call, function: dict[str, object]) -> str:
        name = function.get("name")
        if isinstance(name, str) and name != call.name:
            call.name += name
        arguments = function.get("arguments")
        piece = arguments if isinstance(arguments, str) else "" if arguments is None else write_json(arguments)
        call.arguments += piece
        return piece if call.name == ACT and call is self._calls[0] else ""


def _text(part: dict[str, object], name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""


def read_usage(usage: dict[str, object]) -> Usage:
    """Read tokens; what is missing, no number, or an impossible zero is unknown."""
    return Usage(
        _count(usage, "prompt_tokens", "input_tokens") or None,
        _count(usage, "completion_tokens", "output_tokens") or None,
        _count(usage.get("completion_tokens_details"), "reasoning_tokens"),
        _count(usage.get("prompt_tokens_details"), "cached_tokens"),
    )


def _count(usage: object, *names: str) -> int | None:
    for name in names:
        value = usage.get(name) if isinstance(usage, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _kind(value: object) -> str:
    return "list" if isinstance(value, list) else "null" if value is None else "value"
