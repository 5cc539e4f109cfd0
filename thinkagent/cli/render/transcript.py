"""A run turn by turn, read off its events: the same lines while it goes on and from its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from thinkagent import events as ev
from thinkagent.cli.render.calls import CallLines
from thinkagent.cli.render.closing import changed_line, figures, note_lines, signal_text, status_lines
from thinkagent.cli.render.ink import Ink, Styled, cells, dotted, whole
from thinkagent.cli.render.question import INDENT, show_question
from thinkagent.cli.render.say import arguments_text, count, document_text, duration, one_line, value_text
from thinkagent.policy.changes import changed_sentence
from thinkagent.values import write_json

__all__ = ["Transcript"]

SHOWN_RESULT = 200
SHOWN_EXPRESSION = 240
_CALL_EVENTS = (ev.CallIntended, ev.CallSending, ev.CallAnswered, ev.CallFailed, ev.Woke, ev.PollChecked)
_REPAIRED = {
    "empty": "was empty",
    "refusal": "was a refusal",
    "cut": "was cut off",
    "no_json": "had no JSON object",
    "bad_json": "was no JSON",
    "no_thought": "had no thought",
    "no_action": "had no action",
    "two_actions": "had two actions",
    "unknown_tool": "named a tool that does not exist",
    "excluded_tool": "named a tool that is left out of this run",
    "bad_arguments": "had arguments that do not fit",
    "reference_miss": "had a reference that leads nowhere",
    "bad_step_name": "named its result wrongly",
    "bad_plan": "had no usable plan",
}


class Transcript:
    """Writes each event of a run as it comes.

    Args:
        ink: where to.
        verbose: requests and answers in full, what the model used, why a call was allowed.
        hint: say how to name a model where none was named.
        show_task: begin with the task.
    """

    def __init__(self, ink: Ink, *, verbose: bool = False, hint: bool = False, show_task: bool = False) -> None:
        self.ink = ink
        self.verbose = verbose
        self._hint = hint
        self._show_task = show_task
        self._calls = CallLines(ink, verbose=verbose)
        self._started: ev.RunStarted | None = None
        self._documents: list[ev.DocumentUsed] = []
        self._tools: ev.ToolsBuilt | None = None
        self._plan: list[str] = []
        self._doing = 1
        self._yes = False
        self._turn = 1
        self._headed = 0
        self._computes = False
        self._failures = 0
        self.answer: ev.Answered | None = None
        self.ended: ev.RunEnded | None = None

    def show(self, record: ev.Record) -> None:
        """Write what an event has to say; many say nothing."""
        event = record.event
        # What stops a run comes while calls are under way; their outcomes follow it.
        stops = isinstance(event, ev.LimitReached) and self._calls.are_under_way
        if not stops and not isinstance(event, _CALL_EVENTS):
            self._calls.flush()
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            told: Callable[[ev.Event], None] = getattr(self, handler)
            told(event)

    def remember(self, event: ev.Event) -> None:
        """Take what later lines are told from, without writing one."""
        match event:
            case ev.RunStarted():
                self._started = event
                self._calls.dry_run = event.dry_run
            case ev.PolicySet():
                self._yes = event.yes
            case ev.TurnTaken():
                self._plan = list(event.plan or self._plan)
                self._doing = self._doing if event.doing is None else event.doing
            case ev.Answered():
                self.answer = event
            case ev.RunEnded():
                self.ended = event

    def settle(self) -> None:
        """Write what waits for an event that does not come."""
        self._calls.flush()
        self.ink.clear()

    def close(self, log: str | None = None, *, so_far: Sequence[Mapping[str, Any]] = ()) -> None:
        """Write how it ended: what changed, what it took, where the log is.

        Args:
            log: where the log is.
            so_far: the changes of a run that has not ended.
        """
        self.settle()
        mind = self._started.mind if self._started is not None else ""
        dry_run = self._started is not None and self._started.dry_run
        if self.ended is None:
            self.ink.blank()
            self.ink.line(Styled("The run has not ended. As far as its log goes:", "warn"))
            self.ink.line(one_line(changed_sentence(so_far, dry_run=dry_run), 1000))
            return
        for line, style in (*note_lines(self.answer), changed_line(self.ended, dry_run=dry_run)):
            self.ink.line(Styled(line, style), hang=2)
        self.ink.line(*dotted(figures(self.ended, mind, log), "dim"))

    def tell_status(self) -> None:
        """Write why there is no answer, where there is none; nothing for a run that is done."""
        if self.ended is not None:
            for line, style in status_lines(self.ended, self.answer):
                self.ink.line(Styled(line, style), hang=2)

    def tell_requests(self, records: Iterable[ev.Record]) -> None:
        """Write the requests of a dry run that was not shown."""
        for record in records:
            if isinstance(record.event, ev.CallIntended) and record.event.request:
                self._calls.would_send(record.event.request)

    def tell_dry_run(self) -> None:
        """Write what a dry run that was not shown would have changed."""
        if self.ended is not None:
            self.ink.line(Styled(*changed_line(self.ended, dry_run=True)))

    # What each event shows

    def _run_started(self, event: ev.RunStarted) -> None:
        self.remember(event)
        if self._show_task:
            self.ink.line("task: ", Styled(one_line(event.task, 2000), "bold"), hang=2)

    def _document_used(self, event: ev.DocumentUsed) -> None:
        self._documents.append(event)
        # Of several documents a path alone does not say whose it is.
        self._calls.base_url = str(event.base_url) if len(self._documents) == 1 else ""

    def _tools_built(self, event: ev.ToolsBuilt) -> None:
        self._tools = event

    def _policy_set(self, event: ev.PolicySet) -> None:
        self.remember(event)
        started, documents, tools = self._started, self._documents, self._tools
        if started is None or not documents or tools is None:
            return
        parts = [document_text(document, with_address=not started.dry_run) for document in documents]
        parts.append(count(tools.operations, "operation"))
        if tools.skipped:
            parts.append(f"{tools.skipped} of them cannot be offered")
        if started.dry_run:
            parts.append("dry run, nothing is sent")
        elif len(documents) == 1:
            parts.append(one_line(documents[0].base_url, 200))
        mind = f"mind: {one_line(started.mind, 80)}"
        if self._hint and started.mind == "offline" and not started.settings.get("model"):
            mind += " (no model named; --model openai/NAME uses one)"
        self.ink.line(*dotted([*parts, mind], "dim"))

    def _run_resumed(self, event: ev.RunResumed) -> None:
        lost = f", without {count(len(event.lost), 'secret')}" if event.lost else ""
        self.ink.line(Styled(f"— resumed{lost} —", "warn"))

    def _prompt_shown(self, event: ev.PromptShown) -> None:
        self._turn = event.think.turn
        if self.verbose:
            self._line(event.think.turn, Styled(f"prompt {event.think}: {count(event.tokens, 'token')}", "dim"))
        self.ink.transient(f"{event.think.turn:<{INDENT}}thinking …")

    def _reply_received(self, event: ev.ReplyReceived) -> None:
        self._failures = 0
        if not self.verbose:
            return
        parts = [f"reply {event.think}"]
        if event.model:
            parts.append(one_line(event.model, 80))
        parts += [f"{name.replace('_', ' ')} {number}" for name, number in event.usage.items() if number]
        if event.first_token_us is not None:
            parts.append(f"first token {duration(event.first_token_us)}")
        if event.total_us is not None:
            parts.append(duration(event.total_us))
        self.ink.line(*dotted(parts, "dim"), indent=INDENT)
        if event.reasoning is not None:
            self.ink.text(f"reasoning: {event.reasoning}", indent=INDENT, style="dim")

    def _reply_failed(self, event: ev.ReplyFailed) -> None:
        what = f"! no reply ({one_line(event.kind, 40)}): {one_line(event.message)}"
        if event.kind != "unsupported":
            self._failures += 1
        if event.retryable and event.retry is not None and self._failures < self._limit("attempts", 3):
            wait = float(event.retry["wait_s"])
            what += f"; again {f'in {wait:g} s' if wait else 'at once'}"
        self._line(event.think.turn, Styled(what, "warn"), hang=INDENT + 2)

    def _repair_asked(self, event: ev.RepairAsked) -> None:
        limit = self._limit("repairs", 2)
        fault = _REPAIRED.get(event.kind, f"could not be used ({one_line(event.kind, 40)})")
        asked = f"asked again ({event.repair} of {limit})" if event.repair <= limit else "not asked again"
        self._line(event.turn, Styled(f"! the reply {fault}; {asked}", "warn"), hang=INDENT + 2)
        first = str(event.message).partition("\n")[0]
        self.ink.line(Styled(one_line(first.partition(": ")[2] or first), "dim"), indent=INDENT + 2)
        if self.verbose:
            self.ink.text(str(event.message), indent=INDENT + 2, style="dim")

    def _turn_taken(self, event: ev.TurnTaken) -> None:
        self._thought(event)
        self._note_plan(event)
        self._action(event)
        for note in event.notes if self.verbose else ():
            self.ink.line(Styled(f"put right: {one_line(note)}", "dim"), indent=INDENT)

    def _thought(self, event: ev.TurnTaken) -> None:
        for line in str(event.thought).strip().splitlines() or [""]:
            self._line(event.turn, line)

    def _note_plan(self, event: ev.TurnTaken) -> None:
        earlier = self._plan
        self.remember(event)
        if self._plan == earlier:
            return
        changed = bool(earlier)
        items = [f"{number} {one_line(item, 120)}" for number, item in enumerate(self._plan, 1)]
        if changed and event.plan_reason:
            items.append(f"({one_line(event.plan_reason)})")
        head = "new plan  " if changed else "plan  "
        line = head + "   ".join(items)
        if not self.ink.width or INDENT + cells(line) <= self.ink.width:
            self.ink.line(Styled(line, "dim"), indent=INDENT)
            return
        for number, item in enumerate(items):
            before = " " * len(head) if number else head
            self.ink.line(Styled(before + item, "dim"), indent=INDENT, hang=INDENT + len(head) + 2)

    def _action(self, event: ev.TurnTaken) -> None:
        action = event.action
        self._computes = action["tool"] == "compute"
        parts: list[str | Styled] = ["→ ", Styled(one_line(action["tool"], 80), "name")]
        told = self._what(action)
        if told:
            parts.append(f"  {told}")
        if action.get("pages") is not None:
            parts.append(whole(f"  pages={action['pages']}"))
        if action.get("save_as"):
            parts.append(whole(f"   as {one_line(action['save_as'], 60)}", "bold"))
        if len(self._plan) > 1:
            doing = min(max(1, self._doing), len(self._plan))
            parts.append(whole(f"   ({doing} of {len(self._plan)})", "dim"))
        self.ink.line(*parts, indent=INDENT, hang=INDENT + 2)

    def _what(self, action: Any) -> str:
        tool, arguments = action["tool"], action.get("arguments") or {}
        if tool == "compute":
            lines = str(arguments.get("expression", "")).splitlines()
            told = "; ".join(line.strip() for line in lines if line.strip())
            return one_line(told, 4000 if self.verbose else SHOWN_EXPRESSION)
        if tool == "finish":
            return one_line(arguments.get("status", ""), 40)
        told = arguments_text(arguments)
        if action.get("for_each") is not None:
            return f"for each of {value_text(action['for_each'])}: {told}" if told else "for each"
        return told

    def _decided(self, event: ev.Decided) -> None:
        self._calls.expected = len(event.digests)
        if self.verbose:
            self.ink.line(Styled(f"{event.verdict}: {one_line(event.reason)}", "dim"), indent=INDENT + 2)

    def _question_asked(self, event: ev.QuestionAsked) -> None:
        show_question(self.ink, event, self._calls.base_url)

    def _person_replied(self, event: ev.PersonReplied) -> None:
        said = "nobody is there to answer" if event.answer is None else f"answered: {one_line(event.answer)}"
        if self._yes and event.answer == "yes" and not event.waited_us:
            said += " (--yes)"
        self.ink.line(Styled(said, "dim"), indent=INDENT)

    def _call_intended(self, event: ev.CallIntended) -> None:
        self._calls.intended(event)

    def _call_sending(self, event: ev.CallSending) -> None:
        self._calls.sending(event)

    def _call_answered(self, event: ev.CallAnswered) -> None:
        self._calls.answered(event)

    def _call_failed(self, event: ev.CallFailed) -> None:
        self._calls.failed(event)

    def _limit_reached(self, event: ev.LimitReached) -> None:
        detail = one_line(event.detail)
        told = f"stopped by {signal_text(detail)}" if event.kind == "interrupted" else detail
        self.ink.line(Styled(f"! {told}", "warn"), indent=INDENT, hang=INDENT + 2)

    def _observed(self, event: ev.Observed) -> None:
        observation = event.observation
        good = observation.get("status") == "ok"
        summary = one_line(observation.get("summary", ""), 600)
        if self._calls.dry_run and "http" in observation:
            summary = f"the document's example: {summary}"
        told = Styled(summary if good else f"✗ {summary}", "" if good else "bad")
        self.ink.line(told, indent=INDENT + 2, hang=INDENT + 4)
        value = observation.get("result")
        result = write_json(value) if "result" in observation else ""
        if self.verbose:
            self._result(one_line(result, 4000))
        elif good and not self._calls.dry_run and value and isinstance(value, Mapping | list | str):
            # Of a value that was computed the beginning is told too: the summary has no more than its kind.
            self._result(one_line(result, SHOWN_RESULT) if self._computes or len(result) <= SHOWN_RESULT else "")

    def _result(self, told: str) -> None:
        if told:
            self.ink.line(Styled(told, "dim"), indent=INDENT + 2, hang=INDENT + 4)

    def _answered(self, event: ev.Answered) -> None:
        self.remember(event)

    def _run_ended(self, event: ev.RunEnded) -> None:
        self.remember(event)
        self.ink.clear()
        self.ink.blank()

    def _line(self, turn: int, *parts: str | Styled, hang: int = INDENT) -> None:
        """Write a line of a turn; the first one carries the turn's number."""
        if self._headed == turn:
            self.ink.line(*parts, indent=INDENT, hang=hang)
        else:
            self.ink.line(self._number(turn), *parts, hang=hang)

    def _number(self, turn: int) -> Styled:
        """Begin a turn: a blank line, and its number for the line that follows."""
        self._headed = turn
        self.ink.blank()
        return Styled(f"{turn} ".ljust(INDENT), "bold")

    def _limit(self, name: str, default: int) -> int:
        limits = self._started.limits if self._started is not None else {}
        value = limits.get(name, default)
        return value if isinstance(value, int) else default


_HANDLERS: Mapping[type[ev.Event], str] = {
    ev.RunStarted: "_run_started",
    ev.DocumentUsed: "_document_used",
    ev.ToolsBuilt: "_tools_built",
    ev.PolicySet: "_policy_set",
    ev.RunResumed: "_run_resumed",
    ev.PromptShown: "_prompt_shown",
    ev.ReplyReceived: "_reply_received",
    ev.ReplyFailed: "_reply_failed",
    ev.RepairAsked: "_repair_asked",
    ev.TurnTaken: "_turn_taken",
    ev.Decided: "_decided",
    ev.QuestionAsked: "_question_asked",
    ev.PersonReplied: "_person_replied",
    ev.CallIntended: "_call_intended",
    ev.CallSending: "_call_sending",
    ev.CallAnswered: "_call_answered",
    ev.CallFailed: "_call_failed",
    ev.LimitReached: "_limit_reached",
    ev.Observed: "_observed",
    ev.Answered: "_answered",
    ev.RunEnded: "_run_ended",
}
