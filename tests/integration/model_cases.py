"""What models and their servers do instead of one plain turn: what is taken, what is put right, what ends a run."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.integration.models import LIST, act, finish
from thinkagent.testing import Completion, Fault, ToolCall
from thinkagent.values import write_json

__all__ = ["FAILED", "HANGING", "HOPELESS", "TAKEN", "TURN", "UNUSABLE", "WRITE", "Broken", "Failing"]

TURN = write_json(LIST)
WRITE = act("issueCoupon", {"body": {"customerId": "cus_1", "code": "WELCOME10"}}, "I issue one.", save_as="issued")
_WRITE = write_json(WRITE)
_DELETE = write_json(act("deleteCustomer", {"customerId": "cus_3"}, "I delete one."))
_THOUGHT = "A list tells its total, so I ask for one."
_CALL = ToolCall("listProducts", '{"limit": 5}')
_WRITE_CALL = ToolCall("issueCoupon", write_json(WRITE["action"]["arguments"]))


def _with(**changes: Any) -> dict[str, Any]:
    return {**LIST, "action": {**LIST["action"], **changes}}


TAKEN: dict[str, Any] = {
    "plain": LIST,
    "indented": TURN.replace('","', '",\n  "').replace('":', '" : '),
    "fence": f"```json\n{TURN}\n```",
    "fence-unmarked": f"```\n{TURN}\n```",
    "fence-tildes": f"~~~json\n{TURN}\n~~~",
    "fence-never-closed": f"Here it is:\n```json\n{TURN}",
    "fence-after-another": f"Sure! ```bash\ncurl x\n``` then: ```json\n{TURN}\n```",
    "fence-with-backticks-inside": f"```json\n{write_json({**LIST, 'thought': 'Use ```x``` and } here.'})}\n```",
    "within-prose": f"I shall list them: {TURN} That is all.",
    "trailing-comma": f"{TURN[:-1]},}}",
    "think": f"<think>Maybe {_DELETE}? No.</think>{TURN}",
    "think-only-closed": f"Maybe {_DELETE}? No.</think>{TURN}",
    "think-in-capitals": f"<THINK>Hm.</THINK>\n{TURN}",
    "think-inside-a-text": write_json({**LIST, "thought": "A <think> is only a text here."}),
    "reasoning-field": Completion(TURN, reasoning=f"Maybe {_DELETE}? No."),
    "reasoning-and-think": Completion(f"<think>Hm.</think>{TURN}", reasoning="Hm.", reasoning_field="reasoning"),
    "essay": f"**Thought Process:** {_THOUGHT}\n\n**Next Action:**\n```json\n"
    + write_json({"tool_name": "listProducts", "arguments": {"limit": 5}, "save_as": "products"})
    + "\n```",
    "tool_name": {"thought": _THOUGHT, "action": {"tool_name": "listProducts", "args": {}, "save_as": "products"}},
    "flat": {"thought": _THOUGHT, **LIST["action"]},
    "list-of-one": {"thought": _THOUGHT, "action": [LIST["action"]]},
    "action-as-text": {"thought": _THOUGHT, "action": write_json(LIST["action"])},
    "arguments-as-text": _with(arguments='{"limit": 5}'),
    "number-as-text": _with(arguments={"limit": "5"}),
    "both-as-text": _with(arguments='{"limit": "5"}'),
    "save_as-among-arguments": {
        "thought": _THOUGHT,
        "action": {"tool": "listProducts", "arguments": {"save_as": "products"}},
    },
    "nulls": {**_with(for_each=None, pages=None), "plan": None, "plan_reason": None, "doing": None},
    "native-call": [
        Completion(_THOUGHT, tool_calls=[_CALL], finish_reason="tool_calls"),
        finish("The shop sells <<steps.listProducts.result.total>> products.", "listProducts"),
    ],
    "native-call-of-the-turn": Completion(tool_calls=[ToolCall("act", TURN)], finish_reason="tool_calls"),
    "no-usage": Completion(TURN, usage=None),
    "unknown-finish-reason": Completion(TURN, finish_reason="eos"),
    "other-model-name": Completion(TURN, model="somebody-else"),
}
"""Forms of a turn that are carried out as they come; a list is the whole script."""


class Broken(NamedTuple):
    """A reply that cannot be carried out, why, and words that the model is told."""

    entry: Any
    kind: str
    told: str


UNUSABLE: dict[str, Broken] = {
    "prose": Broken("I would list the products first.", "no_json", "without a JSON object"),
    "no-thought": Broken({"action": LIST["action"]}, "no_thought", "no thought"),
    "blank-thought": Broken({**LIST, "thought": "  "}, "no_thought", "no thought"),
    "native-call-without-thought": Broken(
        Completion(tool_calls=[_CALL], finish_reason="tool_calls"), "no_thought", "without a thought"
    ),
    "no-action": Broken({"thought": _THOUGHT}, "no_action", "no action"),
    "single-quotes-and-cut": Broken("{'thought': 'I list', 'action': {'tool':", "bad_json", "plain JSON"),
    "no-comma": Broken(TURN.replace(',"action"', ' "action"'), "bad_json", "plain JSON"),
    "two-objects": Broken(f"{_WRITE}\n{TURN}", "two_actions", "One turn has one action"),
    "the-same-twice": Broken(f"{_WRITE}\n{_WRITE}", "two_actions", "One turn has one action"),
    "list-of-two": Broken({"thought": "Both.", "action": [WRITE["action"], LIST["action"]]}, "two_actions", "list of"),
    "action-and-ending": Broken({**WRITE, "answer": "Issued."}, "two_actions", "ending"),
    "pretended-observation": Broken(
        f'{_WRITE} Observation: {{"id": 7}} {write_json(finish("Issued 7.", "issued"))}',
        "two_actions",
        "One turn has one action",
    ),
    "two-native-calls": Broken(
        Completion("Both.", tool_calls=[_WRITE_CALL, ToolCall("listProducts", "{}", "call_2")]),
        "two_actions",
        "2 tool calls",
    ),
    "native-call-beside-a-turn": Broken(Completion(TURN, tool_calls=[_WRITE_CALL]), "two_actions", "a tool call and a"),
    "unknown-tool": Broken(_with(tool="getProducts"), "unknown_tool", "'listProducts'"),
    "unknown-tool-in-capitals": Broken(_with(tool="LISTPRODUCTS"), "unknown_tool", "'listProducts'"),
    "unknown-tool-with-prefix": Broken(_with(tool="functions.listProducts"), "unknown_tool", "'listProducts'"),
    "unknown-native-tool": Broken(
        Completion(_THOUGHT, tool_calls=[ToolCall("list_products", "{}")]), "unknown_tool", "'listProducts'"
    ),
    "tool-of-another-api": Broken(_with(tool="merge-pull-request"), "unknown_tool", "does not exist"),
    "excluded-tool": Broken(_with(tool="getHealth"), "excluded_tool", "left out of this run by the user"),
    "bad-argument": Broken(_with(arguments={"limit": "many"}), "bad_arguments", "limit"),
    "argument-beyond-its-range": Broken(_with(arguments={"limit": 100000}), "bad_arguments", "limit"),
    "argument-outside-its-list": Broken(_with(arguments={"sort": "colour"}), "bad_arguments", "-price"),
    "unknown-argument": Broken(_with(arguments={"colour": "red"}), "bad_arguments", "colour"),
    "missing-argument": Broken(_with(tool="getProduct", arguments={}), "bad_arguments", "productId"),
    "body-without-its-fields": Broken(
        act("issueCoupon", {"body": {"code": "WELCOME10"}}), "bad_arguments", "customerId"
    ),
    "arguments-that-cannot-be-read": Broken(_with(arguments="limit is five"), "bad_arguments", "arguments"),
    "arguments-as-list": Broken(_with(arguments=[5]), "bad_arguments", "must be an object"),
    "native-arguments-that-cannot-be-read": Broken(
        Completion("I delete.", tool_calls=[ToolCall("deleteCustomer", "cus_3")]), "bad_arguments", "deleteCustomer"
    ),
    "bad-expression": Broken(act("compute", {}), "bad_arguments", "expression"),
    "bad-name": Broken(_with(save_as="the products"), "bad_step_name", "name"),
    "reference-to-no-step": Broken(
        act("deleteCustomer", {"customerId": "<<steps.found.result.id>>"}), "reference_miss", "found"
    ),
    "reference-without-steps": Broken(
        act("deleteCustomer", {"customerId": "<<found.result.id>>"}), "reference_miss", "found"
    ),
    "reference-in-braces": Broken(
        act("deleteCustomer", {"customerId": "{{steps.found.id}}"}), "reference_miss", "steps.found"
    ),
    "answer-with-a-miss": Broken(finish("<<steps.products.result.total>>"), "reference_miss", "products"),
    "cut": Broken(Completion(_DELETE[:-20], finish_reason="length"), "cut", "output limit"),
    "cut-after-a-whole-turn": Broken(Completion(_DELETE, finish_reason="length"), "cut", "output limit"),
    "cut-by-hidden-thinking": Broken(
        Completion(None, reasoning="Hm, hm, hm", finish_reason="length"), "cut", "output limit"
    ),
    "cut-and-not-told": Broken(_DELETE[:-20], "cut", "in the middle of its JSON"),
    "cut-inside-a-number": Broken(Completion(TURN[: TURN.index("5")]), "cut", "in the middle of its JSON"),
    "native-call-cut": Broken(
        Completion("I delete.", tool_calls=[ToolCall("deleteCustomer", '{"customerId": "cus_')]), "cut", "middle"
    ),
    "refusal-by-a-filter": Broken(Completion(None, finish_reason="content_filter"), "refusal", "content_filter"),
    "only-hidden-thinking": Broken(Completion(None, reasoning=f"I could {_DELETE}"), "empty", "hidden reasoning"),
    "thinking-that-never-ends": Broken(f"<think>I could {_DELETE}", "empty", "hidden reasoning"),
}
"""Replies that are put right by asking again; none of what they hold is carried out."""


class Failing(NamedTuple):
    """An attempt that gives no reply, and what kind of failure that is."""

    entry: Any
    kind: str


_SLOW_DOWN = '{"error": {"message": "slow down", "code": 429}}'

FAILED: dict[str, Failing] = {
    "empty-stream": Failing(Fault.empty_stream(), "malformed"),
    "null-content": Failing(Completion(None), "malformed"),
    "blank-content": Failing(Completion(""), "malformed"),
    "no-choices": Failing(Completion(choices=[]), "malformed"),
    "cut-in-the-middle": Failing(Fault.cut(_DELETE), "malformed"),
    "chunk-that-is-no-json": Failing(Fault.bad_chunk(_DELETE), "malformed"),
    "error-in-the-stream": Failing(Fault.bad_chunk("{", _SLOW_DOWN), "rate_limited"),
    "429": Failing(Fault.http(429, headers={"Retry-After": "0"}), "rate_limited"),
    "429-that-names-no-time": Failing(Fault.http(429), "rate_limited"),
    "408": Failing(Fault.http(408), "timeout"),
    "500": Failing(Fault.http(500), "unavailable"),
    "502-with-html": Failing(Fault.http(502, "<html>upstream</html>", {"Content-Type": "text/html"}), "unavailable"),
    "503": Failing(Fault.http(503), "unavailable"),
    "reset": Failing(Fault.reset(), "unavailable"),
}
"""What the next attempt may mend."""

HOPELESS: dict[str, Failing] = {
    "400": Failing(Fault.http(400, '{"error": {"message": "no such thing"}}'), "bad_request"),
    "401": Failing(Fault.http(401), "auth"),
    "403": Failing(Fault.http(403), "auth"),
    "404": Failing(Fault.http(404), "not_found"),
    "quota": Failing(Fault.http(429, '{"error": {"code": "insufficient_quota"}}'), "rate_limited"),
    "html": Failing(Fault.html(), "malformed"),
    "plain-text": Failing(Fault.raw("hello", "text/plain"), "malformed"),
    "redirect": Failing(Fault.redirect("http://127.0.0.1:9/v1/chat/completions"), "bad_request"),
    "other-json": Failing(Fault.raw('{"data": []}'), "malformed"),
}
"""What another attempt would not change."""

HANGING: dict[str, Any] = {
    "no-answer": Fault.hang(),
    "late-answer": Completion(TURN, delay_s=20),
    "one-character-at-a-time": Fault.drip("abc", 0.02),
    "only-pings": Fault.pings("", 0.02),
    "pings-after-a-beginning": Fault.pings(_DELETE[:40], 0.02),
}
"""Servers that keep the line open."""
