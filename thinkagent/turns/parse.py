"""From a reply as received to a turn, or to the exact reason why it is none."""

from __future__ import annotations

from thinkagent.errors import list_names
from thinkagent.turns.envelope import is_envelope, read_arguments, turn_from
from thinkagent.turns.headings import thought_before
from thinkagent.turns.model import Action, Turn
from thinkagent.turns.problem import Unusable
from thinkagent.turns.reading import read_lenient
from thinkagent.turns.scan import Found, extent, find_objects, strip_reasoning
from thinkagent.values import Json, write_json

__all__ = ["ENVELOPE_TOOL", "parse_reply"]

ENVELOPE_TOOL = "act"
"""The one native tool of the ladder's third rung: its arguments are the envelope."""

_CUT_REASONS = {"length", "max_tokens", "model_length", "max_output_tokens"}
_FILTER_REASONS = {"content_filter", "safety", "recitation", "prohibited_content", "blocklist"}
_ENVELOPE_KEYS = {"thought", "action", "tool", "tool_name"}


def parse_reply(
    text: str | None,
    *,
    tool_call: tuple[str, str] | None = None,
    extra_tool_calls: int = 0,
    finish_reason: str | None = None,
    refusal: str | None = None,
    reasoning: str | None = None,
) -> Turn:
    """Understand a reply as one turn; docs/page.md has the rule.

    `tool_call` is a native tool call: name, and the arguments as received; `text` is then its thought. `reasoning` is
    what came apart from the text; it is never a thought and never carried out.

    Raises:
        Unusable: the reply is not exactly one turn; nothing of it may be carried out.
    """
    reason = (finish_reason or "").casefold()
    if reason in _CUT_REASONS:
        raise Unusable("cut", "the reply was cut off at the model's output limit", quote=(text or "")[-120:])
    said = strip_reasoning(text or "")
    if (refusal and refusal.strip()) or (reason in _FILTER_REASONS and not said.text.strip()):
        raise _refused(refusal, reason)
    if tool_call is not None:
        if extra_tool_calls:
            message = f"the reply has {extra_tool_calls + 1} tool calls"
            raise Unusable("two_actions", message, quote=tool_call[0], tool=tool_call[0])
        return _from_tool_call(tool_call[0], tool_call[1], said.text)
    if not said.text.strip():
        raise _empty(said.reasoning or (reasoning or "").strip(), said.unclosed, reason)
    return _from_text(said.text)


def _refused(refusal: str | None, reason: str) -> Unusable:
    if refusal and refusal.strip():
        return Unusable("refusal", "the reply is a refusal", quote=refusal)
    return Unusable("refusal", f"the provider withheld the reply (finish reason {reason!r})")


def _empty(reasoning: str, unclosed: bool, reason: str) -> Unusable:
    if unclosed:
        return Unusable(
            "no_action", "the reply is a <think> block that never ends; what is inside it is not carried out"
        )
    if reasoning:
        return Unusable("empty", "the reply holds hidden reasoning and nothing else")
    told = f" (finish reason {reason!r})" if reason and reason != "stop" else ""
    return Unusable("empty", f"the reply is empty{told}")


def _from_text(text: str) -> Turn:
    found = list(find_objects(text))
    broken = next((item.problem for item in found if item.problem is not None), None)
    if broken is not None:
        raise broken
    turns = [item for item in found if is_envelope(item.value) and not item.pretended]
    if any(not item.foreign_fence for item in turns):
        turns = [item for item in turns if not item.foreign_fence]
    if len(turns) > 1:
        quote = " … ".join(write_json(item.value)[:80] for item in turns[:2])
        raise Unusable("two_actions", f"the reply has {len(turns)} JSON objects that could be the turn", quote=quote)
    if not turns:
        raise _nothing(text, found)
    chosen = turns[0]
    return turn_from(chosen.value, thought=thought_before(text, chosen.start), notes=chosen.notes)


def _nothing(text: str, found: list[Found]) -> Unusable:
    if any(item.pretended for item in found):
        return Unusable("no_action", "an observation is made by the program, never by a reply", quote=text)
    if len(found) == 1:
        keys = list_names(found[0].value)
        return Unusable("no_action", f"the object in the reply is no turn: it has {keys}", quote=text)
    if found:
        return Unusable("no_action", f"none of the {len(found)} objects in the reply is a turn", quote=text)
    return Unusable("no_json", "the reply is text without a JSON object", quote=text)


def _from_tool_call(name: str, arguments: str, text: str) -> Turn:
    if any(is_envelope(item.value) for item in find_objects(text)):
        raise Unusable("two_actions", "the reply has a tool call and a turn in its text", quote=text, tool=name)
    thought = text.strip()
    if name == ENVELOPE_TOOL:
        value, notes = _envelope_in(arguments)
        if isinstance(value, dict) and (not value or _ENVELOPE_KEYS & value.keys()):
            return turn_from(value, thought=thought, notes=notes)
    noted: list[str] = []
    given = read_arguments(arguments, name, noted)
    if not thought:
        raise Unusable("no_thought", "the tool call came without a thought", quote=f"{name} {arguments}", tool=name)
    return Turn(thought=thought, action=Action(tool=name, arguments=given))


def _envelope_in(arguments: str) -> tuple[Json, tuple[str, ...]]:
    start = len(arguments) - len(arguments.lstrip())
    if not arguments.strip():
        return {}, ()
    if arguments[start] == "{" and extent(arguments, start).state == "cut":
        raise Unusable("cut", "the tool call ends in the middle of its JSON", quote=arguments[-120:])
    return read_lenient(arguments, "the tool call's JSON")
