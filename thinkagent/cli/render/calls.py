"""The calls of one turn as lines: one for a call with its pages, one for a batch with its failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thinkagent.cli.render.ink import Ink, Styled, whole
from thinkagent.cli.render.say import count, duration, one_line, target
from thinkagent.events import CallAnswered, CallFailed, CallId, CallIntended, CallSending
from thinkagent.values import clip, visible

__all__ = ["CallLines"]

INDENT = 5
SHOWN_FAILURES = 5
SHOWN_BODY = 4000
_SHOWN_DRY = 1000
_SHOWN_SENT = 100
_FAILED = {"unknown": "in doubt", "not_sent": "not sent"}
"""By what is known of a call without an answer; of a read nothing has to be known."""


@dataclass(slots=True)
class _Item:
    """One element of a batch: its first request, its pages, how it stands or ended."""

    request: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    effect: str = "read"
    phase: str = ""
    """intended or sending while an attempt has no outcome."""
    tried: bool = False
    """An attempt ended and another was to follow."""
    statuses: list[int] = field(default_factory=list)
    spent_us: int = 0
    failure: str = ""
    known: str = ""
    """Of a failure: not_sent, unknown or failed."""

    @property
    def is_good(self) -> bool:
        return self.outcome.isdecimal() and self.statuses[-1] < 300

    @property
    def outcome(self) -> str:
        if self.failure:
            return _FAILED.get(self.known, "no answer")
        if self.phase == "sending":
            page = f" of page {len(self.statuses) + 1}" if self.statuses else ""
            return f"no answer{page} is recorded" if self.effect == "read" else "in doubt"
        if self.statuses:
            return str(self.statuses[-1])
        return "not sent again" if self.tried else "not sent"

    @property
    def why(self) -> str:
        """What the outcome's word leaves open."""
        if self.failure or self.outcome != "in doubt":
            return self.failure
        return "no answer is recorded; it may have been carried out"


class CallLines:
    """Gathers the call events of a turn and writes them once they are over."""

    def __init__(self, ink: Ink, *, verbose: bool, base_url: str = "", dry_run: bool = False) -> None:
        self._ink = ink
        self._verbose = verbose
        self._items: dict[int, _Item] = {}
        self.base_url = base_url
        self.dry_run = dry_run
        self.expected = 0
        """How many calls the batch has, where it is known."""

    def intended(self, event: CallIntended) -> None:
        item = self._items.setdefault(event.call.item, _Item(event.request, event.label, event.effect))
        item.phase = "intended"
        if self._verbose:
            self._request(event)
        self._ink.transient(self._passing(item, event.call.page))

    def sending(self, event: CallSending) -> None:
        self._items.setdefault(event.call.item, _Item()).phase = "sending"

    def answered(self, event: CallAnswered) -> None:
        item = self._ended(event.call)
        spent = int((event.times_us or {}).get("total", 0))
        if self._verbose:
            self._answer(event, spent)
        if event.retry is not None:
            self._again(event.call, item, str(event.status), spent, event.retry)
            return
        item.statuses.append(event.status)
        item.spent_us += spent
        self._ink.transient(self._passing(item, event.call.page))

    def failed(self, event: CallFailed) -> None:
        item = self._ended(event.call)
        message = one_line(event.message)
        if event.retry is not None:
            told = message.removeprefix(f"{item.label} to ")
            what = f"no answer: {message}" if told == message else f"no answer from {told}"
            self._again(event.call, item, what, 0, event.retry)
            return
        item.failure, item.known = message, event.outcome

    def _ended(self, call: CallId) -> _Item:
        item = self._items.setdefault(call.item, _Item())
        item.phase = ""
        return item

    @property
    def are_under_way(self) -> bool:
        """Whether a call has no outcome yet."""
        return any(item.phase for item in self._items.values())

    def flush(self) -> None:
        """Write what was gathered."""
        items, self._items = self._items, {}
        size, self.expected = max(self.expected, len(items)), 0
        if len(items) == 1:
            self._single(next(iter(items.values())))
        elif items:
            self._batch(items, size)

    def would_send(self, request: Mapping[str, Any], indent: int = 0) -> None:
        """Write a request that a dry run would send."""
        self._ink.line(self._head(request), indent=indent, hang=indent + 2)
        self._would_send_body(request, indent + 2)

    def _passing(self, item: _Item, page: int) -> str:
        done = sum(1 for one in self._items.values() if one.statuses or one.failure)
        bad = sum(1 for one in self._items.values() if one.failure or (one.statuses and one.statuses[-1] >= 400))
        what = self._head(item.request)
        if self.expected > 1:
            failed = f", {bad} failed" if bad else ""
            return f"{' ' * INDENT}{done} of {self.expected} done{failed}   {what}"
        return f"{' ' * INDENT}{what}" + (f"   page {page + 1}" if page else "")

    def _head(self, request: Mapping[str, Any]) -> str:
        return f"{request.get('method', '')} {target(request, self.base_url)}".strip()

    def _single(self, item: _Item) -> None:
        parts: list[str | Styled] = [self._head(item.request), "   ", self._outcome(item)]
        if item.spent_us and not self.dry_run:
            parts += [whole(f"   {duration(item.spent_us)}")]
        if len(item.statuses) > 1:
            parts += [whole(f"   +{count(len(item.statuses) - 1, 'page')}")]
        if item.why and not item.failure:
            # A failure is told by the observation that follows; here the log ends.
            parts += [f": {item.why}"]
        self._ink.line(*parts, indent=INDENT, hang=INDENT + 2)
        if self.dry_run and not self._verbose:
            self._would_send_body(item.request, INDENT + 2)

    def _outcome(self, item: _Item) -> Styled:
        if self.dry_run and item.statuses:
            return whole("not sent (dry run)", "warn")
        mark = "" if item.is_good else "✗ "
        return whole(f"{mark}{item.outcome}", "good" if item.is_good else "bad")

    def _would_send_body(self, request: Mapping[str, Any], indent: int) -> None:
        if request.get("body") is not None:
            self._ink.line(one_line(request["body"], _SHOWN_DRY), indent=indent, hang=indent + 2)

    def _batch(self, items: Mapping[int, _Item], size: int) -> None:
        first = items[min(items)]
        outcomes = Counter(item.outcome for item in items.values())
        told = ", ".join(f"{number} × {outcome}" for outcome, number in outcomes.most_common())
        good = all(item.is_good for item in items.values())
        spent = 0 if self.dry_run else sum(item.spent_us for item in items.values())
        label = one_line(first.request.get("label") or self._head(first.request))
        if self.dry_run:
            outcome = Styled("not sent (dry run)", "warn")
        else:
            outcome = Styled(f"{'' if good else '✗ '}{told}", "good" if good else "bad")
        time = [whole(f"   {duration(spent)}")] if spent else []
        self._ink.line(f"{label}   {count(len(items), 'call')}: ", outcome, *time, indent=INDENT, hang=INDENT + 2)
        if self.dry_run:
            for item in items.values():
                self.would_send(item.request, INDENT + 2)
        for line in self._failures(items, size):
            self._ink.line(Styled(line, "bad"), indent=INDENT + 2, hang=INDENT + 4)

    def _failures(self, items: Mapping[int, _Item], size: int) -> Iterator[str]:
        bad = [(number, item) for number, item in sorted(items.items()) if not item.is_good and not self.dry_run]
        for number, item in bad[:SHOWN_FAILURES]:
            why = f": {item.why}" if item.why else ""
            body = item.request.get("body")
            sent = "" if body is None else f"   {one_line(body, _SHOWN_SENT)}"
            yield f"✗ {number + 1} of {size}   {item.outcome}   {self._head(item.request)}{sent}{why}"
        if len(bad) > SHOWN_FAILURES:
            yield f"✗ and {len(bad) - SHOWN_FAILURES} more"

    def _again(self, call: CallId, item: _Item, what: str, spent_us: int, retry: Mapping[str, Any]) -> None:
        item.tried = True
        time = f"   {duration(spent_us)}" if spent_us else ""
        wait = f"{float(retry['wait_s']):g} s"
        self._ink.line(
            f"{self._head(item.request)}   ",
            Styled(what, "warn"),
            f"{time}   again in {wait} (attempt {call.attempt + 1})",
            indent=INDENT,
            hang=INDENT + 2,
        )

    def _request(self, event: CallIntended) -> None:
        request = event.request
        self._ink.line(Styled(f"> {request.get('method', '')} {request.get('url', '')}", "dim"), indent=INDENT)
        self._fields(">", request.get("headers", []))
        self._body(">", request.get("body"))

    def _answer(self, event: CallAnswered, spent_us: int) -> None:
        time = f"   {duration(spent_us)}" if spent_us else ""
        self._ink.line(Styled(f"< {event.status}{time}", "dim"), indent=INDENT)
        self._fields("<", event.headers)
        self._body("<", event.body if event.encoding == "text" else f"({event.encoding}) {event.body}")

    def _fields(self, mark: str, fields: Any) -> None:
        for name, value in fields:
            self._ink.line(Styled(f"{mark} {name}: {value}", "dim"), indent=INDENT)

    def _body(self, mark: str, body: Any) -> None:
        if body is None:
            return
        text = visible(str(body))
        left = len(text) - SHOWN_BODY
        for line in clip(text, SHOWN_BODY).splitlines():
            self._ink.line(Styled(f"{mark} {line}", "dim"), indent=INDENT)
        if left > 0:
            self._ink.line(Styled(f"{mark} … {left:,} more characters in the log", "dim"), indent=INDENT)
