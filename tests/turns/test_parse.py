"""Every form in which a mind may write one turn, and every reason for which a reply is none."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thinkagent.turns.model import Action, Turn
from thinkagent.turns.parse import parse_reply
from thinkagent.turns.problem import Unusable
from thinkagent.values import write_json

BARE = '{"thought": "look first", "action": {"tool": "get", "arguments": {"id": 1}}}'
TOOL = '{"tool": "get", "arguments": {"id": 1}}'


def _is_the_turn(turn: Turn, thought: str = "look first") -> bool:
    return (turn.thought, turn.action.tool, turn.action.arguments) == (thought, "get", {"id": 1})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BARE, id="bare"),
        pytest.param(f"  \n{BARE}\n ", id="blanks"),
        pytest.param("\ufeff" + BARE, id="bom"),
        pytest.param(f"```json\n{BARE}\n```", id="fence-json"),
        pytest.param(f"```\n{BARE}\n```", id="fence-plain"),
        pytest.param(f"```JSON\n{BARE}\n```", id="fence-upper"),
        pytest.param(f"```json {BARE} ```", id="fence-one-line"),
        pytest.param(f"```{BARE}```", id="fence-tight"),
        pytest.param(f"````json\n{BARE}\n````", id="fence-four"),
        pytest.param(f"~~~json\n{BARE}\n~~~", id="tildes"),
        pytest.param(f"~~~\n{BARE}", id="tildes-open"),
        pytest.param(f"```python\n{BARE}\n```", id="fence-other-language-alone"),
        pytest.param(f"```text\n{BARE}", id="fence-other-language-open"),
        pytest.param(f"```json\n{BARE}", id="fence-open"),
        pytest.param(f"```\n```\n{BARE}", id="empty-fence-before"),
        pytest.param(f"```bash\ncurl x\n```\n{BARE}", id="shell-fence-before"),
        pytest.param(f'```bash\ncurl -d \'{{"tool": "drop"}}\'\n```\n{BARE}', id="shell-fence-with-object"),
        pytest.param(f'```yaml\n{{"tool": "drop", "thought": "x"}}\n```\n```json\n{BARE}\n```', id="example-fence"),
        pytest.param(f"Sure! ```bash\ncurl x\n``` then: ```json\n{BARE}\n```", id="fences-in-a-line"),
        pytest.param(f"Here it is:\n\n{BARE}\n\nI hope this helps.", id="prose-around"),
        pytest.param(f"The path is /a/{{id}}/b and {{x}}. {BARE}", id="braces-in-prose"),
        pytest.param(f'An element is {{"id": 7}}. {BARE}', id="example-object-before"),
        pytest.param(f'{BARE} It has the form {{"id": 7}}.', id="example-object-after"),
        pytest.param(f"Not {{'id': 7}} but {BARE}", id="python-dict-in-prose"),
        pytest.param(f"[{BARE}]", id="list-of-one"),
        pytest.param(f"{BARE}}}", id="one-bracket-too-many"),
        pytest.param(f"<think>drop it</think>{BARE}", id="think"),
        pytest.param(f'<think>maybe {{"tool": "drop"}}</think>\n{BARE}', id="think-with-draft"),
        pytest.param(f'<think>{{"x": "</think>"}} no</think>{BARE}', id="think-with-tag-in-draft"),
        pytest.param(f'maybe {{"tool": "drop"}} no.</think>{BARE}', id="only-closing-tag"),
        pytest.param(f"{BARE.replace('get', 'drop')}</think>{BARE}", id="whole-draft-before-closing-tag"),
        pytest.param(f"<think>a</think><think>b</think>{BARE}", id="think-twice"),
        pytest.param(f"<THINK>a</THINK>{BARE}", id="think-upper"),
        pytest.param(f"<thinking>a</thinking>{BARE}", id="thinking"),
        pytest.param(f"{BARE}<think>now I wait", id="think-after"),
        pytest.param(f'{BARE}\nObservation: {{"id": 7}}', id="pretended-observation-after"),
        pytest.param(BARE.replace('"tool"', '"tool_name"'), id="tool_name"),
        pytest.param(BARE.replace('"arguments"', '"args"'), id="args"),
        pytest.param('{"thought": "look first", "tool": "get", "arguments": {"id": 1}}', id="action-at-top"),
        pytest.param('{"thought": "look first", "tool_name": "get", "args": {"id": 1}}', id="essay-keys-at-top"),
        pytest.param(BARE.replace('{"id": 1}', '"{\\"id\\": 1}"'), id="arguments-as-text"),
        pytest.param(BARE.replace('{"id": 1}', '"{\\"id\\": 1,}"'), id="arguments-as-text-with-comma"),
        pytest.param(
            '{"thought": "look first", "action": "{\\"tool\\":\\"get\\",\\"arguments\\":{\\"id\\":1}}"}',
            id="action-as-text",
        ),
        pytest.param('{"thought": "look first", "action": [' + TOOL + "]}", id="action-list-of-one"),
        pytest.param('{"thought": "look first", "action": ' + TOOL + ",}", id="comma-in-object"),
        pytest.param(BARE.replace("1}", "1, }\n"), id="comma-with-blanks"),
        pytest.param(
            '{"thought": "look first", "plan": null, "plan_reason": null, "doing": null, "action": {"tool": "get",'
            ' "arguments": "{\\"id\\": 1}", "save_as": null, "for_each": null, "pages": null}}',
            id="strict-with-nulls",
        ),
        pytest.param('{"action": ' + TOOL + ', "thought": "look first"}', id="thought-last"),
        pytest.param(BARE[:-1] + ', "observation": "made up"}', id="key-without-meaning"),
        pytest.param(f"**Thought Process:** look first\n**Next Action:** {TOOL}", id="essay"),
        pytest.param(f"**Thought Process:** look first **Next Action:** {TOOL}", id="essay-one-line"),
        pytest.param(f"**Thought Process**: look first\n\n**Next Action**:\n```json\n{TOOL}\n```", id="essay-fenced"),
        pytest.param(f"## Thought Process\nlook first\n## Next Action\n{TOOL}", id="essay-headings"),
        pytest.param(f"Thought: look first\nAction: {TOOL}", id="essay-plain"),
        pytest.param(f"**Thought:** look first\n```json\n{TOOL}\n```", id="essay-without-action-heading"),
        pytest.param('**Thought Process:** look first\n**Next Action:** {"action": ' + TOOL + "}", id="essay-envelope"),
        pytest.param(f"**思考：** look first **行动：** {TOOL}", id="essay-zh"),
        pytest.param(f"思考过程：look first\n下一步行动：\n{TOOL}", id="essay-zh-plain"),
    ],
)
def test_one_turn_is_found(text):
    assert _is_the_turn(parse_reply(text))


@pytest.mark.parametrize(
    "thought",
    [
        "use ```x``` and ~~~",
        "a } and a { and [",
        'it said \\"no\\"',
        "the tag <think> is odd",
        "a </think> b",
        "<<steps.a.result>> stays",
        "Observation: none",
        "**Next Action:** not yet",
        '{\\"tool\\": \\"drop\\"}',
        "我先查一下。",
    ],
)
def test_what_stands_inside_a_text_does_no_harm(thought):
    text = BARE.replace("look first", thought)
    assert parse_reply(f"Well. {text} Done.").thought == json.loads(f'"{thought}"')


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param(r'"\<<steps.a>>"', r"\<<steps.a>>", id="once"),
        pytest.param(r'"\\<<steps.a>>"', r"\<<steps.a>>", id="as-json-wants-it"),
        pytest.param(r'"\\\<<steps.a>>"', r"\\<<steps.a>>", id="after-a-backslash"),
        pytest.param(r'"a\n\<b\u00e9"', "a\n\\<b\u00e9", id="among-escapes"),
    ],
)
@pytest.mark.parametrize("form", ["object", "text", "native"])
def test_a_backslash_before_less_than_is_kept(written, read, form):
    arguments = f'{{"v": {written}}}'
    if form == "native":
        turn = parse_reply("look", tool_call=("get", arguments))
    elif form == "text":
        escaped = arguments.replace("\\", "\\\\").replace('"', '\\"')
        turn = parse_reply(f'{{"thought": "t", "action": {{"tool": "get", "arguments": "{escaped}"}}}}')
    else:
        turn = parse_reply(f'{{"thought": "t", "action": {{"tool": "get", "arguments": {arguments}}}}}')
    assert turn.action.arguments == {"v": read}


def test_numbers_stay_exact():
    text = BARE.replace('{"id": 1}', '{"a": 1.10, "b": 9007199254740993, "c": 1e2, "d": 0.1000000000000000000001}')
    arguments = parse_reply(text).action.arguments
    assert write_json(arguments) == '{"a":1.10,"b":9007199254740993,"c":1e2,"d":0.1000000000000000000001}'
    assert arguments["a"] == Decimal("1.10")


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        pytest.param('"save_as": "a"', Action("get", {}, save_as="a"), id="save_as"),
        pytest.param('"for_each": "<<steps.a.items>>"', Action("get", {}, for_each="<<steps.a.items>>"), id="for_each"),
        pytest.param('"pages": 3', Action("get", {}, pages=3), id="pages"),
        pytest.param('"pages": "all"', Action("get", {}, pages="all"), id="pages-all"),
        pytest.param('"pages": "ALL"', Action("get", {}, pages="all"), id="pages-all-upper"),
        pytest.param('"pages": "3"', Action("get", {}, pages=3), id="pages-text"),
        pytest.param('"pages": 2.0', Action("get", {}, pages=2), id="pages-decimal"),
        pytest.param('"arguments": null', Action("get", {}), id="arguments-null"),
        pytest.param('"arguments": ""', Action("get", {}), id="arguments-blank"),
        pytest.param('"save_as": "", "for_each": "", "pages": ""', Action("get", {}), id="blanks-are-absent"),
    ],
)
@pytest.mark.parametrize("place", ["inside", "beside"])
def test_what_stands_beside_the_arguments(beside, expected, place):
    inside = f'{{"thought": "t", "action": {{"tool": "get", {beside}}}}}'
    outside = f'{{"thought": "t", "action": {{"tool": "get"}}, {beside}}}'
    assert parse_reply(inside if place == "inside" else outside).action == expected


@pytest.mark.parametrize(
    ("given_plan", "plan"),
    [
        pytest.param('["a", "b"]', ("a", "b"), id="list"),
        pytest.param('["1. a", "2) b", "- c", "  "]', ("a", "b", "c"), id="numbered"),
        pytest.param('"1. a\\n2. b"', ("a", "b"), id="text"),
        pytest.param("null", None, id="null"),
        pytest.param("[]", None, id="empty"),
        pytest.param('["  "]', None, id="blank"),
    ],
)
def test_plan(given_plan, plan):
    assert parse_reply(BARE[:-1] + f', "plan": {given_plan}}}').plan == plan


@pytest.mark.parametrize(
    ("written", "doing"),
    [
        ("2", 2),
        ('"2"', 2),
        ("0", 1),
        ("-3", 1),
        ("2.0", 2),
        ("null", None),
        ('"second"', None),
        ("true", None),
        ("[1]", None),
    ],
)
def test_doing(written, doing):
    assert parse_reply(BARE[:-1] + f', "doing": {written}}}').doing == doing


def test_what_was_put_right_is_noted():
    text = BARE.replace('{"id": 1}', '"{\\"id\\": 1,}"').replace("}}", "},}")
    assert parse_reply(text).notes == (
        "a comma after the last element was left out",
        "arguments was a text that holds JSON",
        "a comma after the last element was left out",
    )


PROBLEMS = [
    # kind, text, what the message says
    pytest.param("empty", None, "empty", id="null"),
    pytest.param("empty", "", "empty", id="blank"),
    pytest.param("empty", " \n\t", "empty", id="spaces"),
    pytest.param("empty", "<think>hm</think>\n", "hidden reasoning", id="only-think"),
    pytest.param("no_action", f"<think>{BARE}", "never ends", id="unclosed-think"),
    pytest.param("empty", f"{BARE}</think>", "hidden reasoning", id="all-before-closing-tag"),
    pytest.param("no_json", "I will look it up.", "without a JSON object", id="prose"),
    pytest.param("no_json", "Call get with {id}.", "without a JSON object", id="prose-braces"),
    pytest.param("no_json", "42", "without a JSON object", id="number"),
    pytest.param("no_json", '"get"', "without a JSON object", id="text"),
    pytest.param("no_json", f"```bash\necho '{BARE}'\n```", "without a JSON object", id="in-a-shell-fence"),
    pytest.param("no_json", "<tool>get</tool>", "without a JSON object", id="markup"),
    pytest.param("cut", BARE[:-1], "middle of its JSON", id="bracket-missing"),
    pytest.param("cut", BARE[:-8], "middle of its JSON", id="in-arguments"),
    pytest.param("cut", BARE[:16], "middle of its JSON", id="in-thought"),
    pytest.param("cut", '{"thought": "a", "action": {"tool": "delete", "args": {"ids": [1, 2', "middle", id="in-list"),
    pytest.param("cut", '{"thought": "a", "action": {"tool": "d", "args": {"n": 12', "middle", id="in-number"),
    pytest.param("cut", '{"thought": "a", "action": {"tool": "d"', "middle", id="before-arguments"),
    pytest.param("cut", '{"tho', "middle", id="in-key"),
    pytest.param("cut", f"```json\n{BARE[:-1]}\n```", "middle", id="in-fence"),
    pytest.param("cut", f'{BARE} {{"thought": "b", "act', "middle", id="second-object-cut"),
    pytest.param("cut", BARE.replace('{"id": 1}', '"{\\"ids\\": [1,2"'), "'arguments' is not complete", id="in-text"),
    pytest.param("bad_json", BARE.replace('"', "'"), "single quotes", id="single-quotes"),
    pytest.param("bad_json", BARE.replace('"', "“"), "typographic quotes", id="smart-quotes"),
    pytest.param("bad_json", BARE.replace('"id"', "'id'"), "single quotes", id="one-single-quote"),
    pytest.param("bad_json", BARE.replace('"action"', "action"), "without quotes", id="bare-key"),
    pytest.param("bad_json", BARE.replace("}}", "} // done\n}"), "comment", id="comment"),
    pytest.param("bad_json", BARE.replace("{", "{ /* a */ ", 1), "comment", id="block-comment"),
    pytest.param("bad_json", BARE.replace("1}", "None}"), "None", id="python-words"),
    pytest.param("bad_json", BARE.replace("1}", "NaN}"), "NaN", id="nan"),
    pytest.param("bad_json", BARE.replace("look first", "look\nfirst"), r"\n", id="line-break-in-text"),
    pytest.param("bad_json", BARE.replace("look first", r"look\_first"), "backslash", id="bad-escape"),
    pytest.param("bad_json", BARE.replace("}}", "}]"), "line 1", id="wrong-bracket"),
    pytest.param("bad_json", BARE.replace(', "action"', ' "action"'), "line 1", id="comma-missing"),
    pytest.param("bad_json", BARE.replace("1}", "1,,}"), "line 1", id="two-commas"),
    pytest.param("bad_json", BARE.replace('{"id": 1}', '{"id": 1, "id": 2}'), "'id' twice", id="key-twice"),
    pytest.param("bad_json", BARE.replace("1}", "[" * 300 + "]" * 300 + "}"), "deeper", id="too-deep"),
    pytest.param("bad_json", f"{BARE.replace('1}', '01}')} {BARE}", "line 1", id="bad-then-good"),
    pytest.param("no_thought", f'{{"action": {TOOL}}}', "no thought", id="no-thought"),
    pytest.param("no_thought", BARE.replace("look first", " "), "no thought", id="blank-thought"),
    pytest.param("no_thought", BARE.replace('"look first"', "null"), "no thought", id="null-thought"),
    pytest.param("no_thought", BARE.replace('"look first"', '["a"]'), "a list of 1", id="list-thought"),
    pytest.param("no_thought", TOOL, "no thought", id="bare-action"),
    pytest.param("no_thought", f"I look it up. {TOOL}", "no thought", id="prose-is-no-thought"),
    pytest.param("no_thought", f"**Next Action:** {TOOL}", "no thought", id="essay-without-thought"),
    pytest.param("no_thought", f"**Thought Process:** **Next Action:** {TOOL}", "no thought", id="essay-blank-thought"),
    pytest.param("no_action", '{"thought": "a"}', "no action", id="no-action"),
    pytest.param("no_action", '{"thought": "a", "action": null}', "no action", id="null-action"),
    pytest.param("no_action", '{"thought": "a", "action": "get"}', "a text", id="action-is-text"),
    pytest.param("no_action", '{"thought": "a", "action": []}', "a list of 0", id="action-is-empty-list"),
    pytest.param("no_action", '{"thought": "a", "action": {}}', "names no tool", id="action-empty"),
    pytest.param("no_action", '{"thought": "a", "action": {"finish": "x"}}', "'finish'", id="tool-as-key"),
    pytest.param("no_action", '{"thought": "a", "action": {"tool": ""}}', "'tool' must be", id="blank-tool"),
    pytest.param("no_action", '{"thought": "a", "action": {"tool": 5}}', "a number", id="number-tool"),
    pytest.param("no_action", '{"thought": "a", "actions": []}', "'actions'", id="other-key"),
    pytest.param("no_action", '{"answer": 42}', "no turn: it has 'answer'", id="other-object"),
    pytest.param("no_action", "{}", "no turn", id="empty-object"),
    pytest.param("no_action", '{"a": 1} {"b": 2}', "none of the 2 objects", id="two-other-objects"),
    pytest.param("no_action", f"Observation: {BARE}", "made by the program", id="observation-only"),
    pytest.param("no_action", f"**Observation:**\n```json\n{BARE}\n```", "made by the program", id="observation-bold"),
    pytest.param("no_action", f"观察：{BARE}", "made by the program", id="observation-zh"),
    pytest.param("two_actions", f"{BARE}{BARE}", "2 JSON objects", id="same-twice"),
    pytest.param("two_actions", f"{BARE}\n{BARE.replace('get', 'drop')}", "2 JSON objects", id="in-a-row"),
    pytest.param("two_actions", f"[{BARE}, {BARE}]", "2 JSON objects", id="list"),
    pytest.param("two_actions", f"```json\n{BARE}\n```\n```json\n{BARE}\n```", "2 JSON objects", id="two-fences"),
    pytest.param("two_actions", f'{BARE} Observation: {{"id":7}} {BARE}', "2 JSON objects", id="made-up-dialogue"),
    pytest.param("two_actions", f'{{"thought": "a"}} {{"action": {TOOL}}}', "2 JSON objects", id="split"),
    pytest.param("two_actions", f'{{"thought": "a", "action": [{TOOL}, {TOOL}]}}', "a list of 2", id="action-list"),
    pytest.param(
        "two_actions", f'{{"thought": "a", "action": {TOOL}, "action": {TOOL}}}', "'action' twice", id="twice"
    ),
    pytest.param("two_actions", f'{{"thought": "a", "action": {TOOL}, "tool": "get"}}', "beside it", id="beside"),
    pytest.param("two_actions", f'{{"thought": "a", "action": {TOOL}, "answer": "x"}}', "an ending", id="with-answer"),
    pytest.param("two_actions", f'{{"thought": "a", "action": {TOOL}, "finish": {{}}}}', "an ending", id="with-finish"),
    pytest.param("two_actions", '{"thought": "a", "tool": "get", "tool_name": "drop"}', "two tools", id="two-names"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', "[1]"), "a list of 1", id="arguments-list"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', "7"), "a number", id="arguments-number"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', "false"), "true or false", id="arguments-boolean"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', '"[1]"'), "a list of 1", id="arguments-text-list"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', '"id=1"'), "cannot be read", id="arguments-text-no-json"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', r'"\"{}\""'), "holds a text", id="arguments-twice-encoded"),
    pytest.param("bad_arguments", BARE.replace('{"id": 1}', "\"{'id': 1}\""), "single quotes", id="arguments-python"),
    pytest.param(
        "bad_arguments", '{"thought": "a", "action": {"tool": "get", "id": 1}}', "'id'", id="no-arguments-key"
    ),
    pytest.param("bad_arguments", '{"thought": "a", "tool": "get", "id": 1}', "'id'", id="no-arguments-key-at-top"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "limit": 5}}'), "'limit'", id="key-beside-arguments"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "args": {"id": 2}}}'), "differ", id="two-arguments"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "pages": 0}}'), "'pages'", id="pages-zero"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "pages": true}}'), "'pages'", id="pages-boolean"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "pages": "some"}}'), "'pages'", id="pages-word"),
    pytest.param("bad_arguments", BARE.replace("}}", '}, "for_each": [1]}}'), "'for_each'", id="for_each-list"),
    pytest.param("bad_step_name", BARE.replace("}}", '}, "save_as": 5}}'), "'save_as'", id="save_as-number"),
    pytest.param("bad_plan", BARE[:-1] + ', "plan": {"a": 1}}', "'plan' must be", id="plan-object"),
    pytest.param("bad_plan", BARE[:-1] + ', "plan": [{"step": "a"}]}', "'plan' must be", id="plan-of-objects"),
    pytest.param("bad_plan", BARE[:-1] + ', "plan": 3}', "'plan' must be", id="plan-number"),
    pytest.param("bad_plan", BARE[:-1] + ', "plan": ' + json.dumps(["x"] * 41) + "}", "41 items", id="plan-too-long"),
]


@pytest.mark.parametrize(("kind", "text", "said"), PROBLEMS)
def test_a_reply_that_is_no_turn(kind, text, said):
    with pytest.raises(Unusable) as caught:
        parse_reply(text)
    assert caught.value.kind == kind, caught.value
    assert said in caught.value.message
    assert len(caught.value.quote) <= 200


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
@pytest.mark.parametrize("text", [None, "", BARE, BARE[:-5]], ids=["null", "blank", "whole", "part"])
def test_a_reply_that_ended_for_length_is_never_a_turn(reason, text):
    with pytest.raises(Unusable, match="output limit") as caught:
        parse_reply(text, finish_reason=reason)
    assert caught.value.kind == "cut"


@pytest.mark.parametrize("reason", ["length", "max_tokens"])
def test_a_tool_call_that_ended_for_length_is_never_a_turn(reason):
    with pytest.raises(Unusable) as caught:
        parse_reply("look", tool_call=("get", "{}"), finish_reason=reason)
    assert caught.value.kind == "cut"


@pytest.mark.parametrize("reason", [None, "stop", "tool_calls", "eos", "end_turn", ""])
def test_other_finish_reasons_say_nothing(reason):
    assert _is_the_turn(parse_reply(BARE, finish_reason=reason))


@pytest.mark.parametrize(
    ("given_reply", "said"),
    [
        pytest.param({"text": None, "refusal": "I can't help with that."}, "refusal", id="refusal"),
        pytest.param({"text": "", "finish_reason": "content_filter"}, "withheld", id="filter"),
        pytest.param({"text": None, "finish_reason": "SAFETY"}, "withheld", id="safety"),
        pytest.param({"text": BARE, "refusal": "no"}, "refusal", id="refusal-beside-text"),
    ],
)
def test_a_refusal(given_reply, said):
    text = given_reply.pop("text")
    with pytest.raises(Unusable, match=said) as caught:
        parse_reply(text, **given_reply)
    assert caught.value.kind == "refusal"


class TestNativeToolCalls:
    def test_the_text_is_the_thought(self):
        assert _is_the_turn(parse_reply("look first", tool_call=("get", '{"id": 1}')))

    def test_hidden_reasoning_is_no_thought(self):
        with pytest.raises(Unusable) as caught:
            parse_reply("<think>look first</think>", tool_call=("get", "{}"))
        assert caught.value.kind == "no_thought"

    @pytest.mark.parametrize("arguments", ["", "  ", "null", "{}"])
    def test_no_arguments(self, arguments):
        assert parse_reply("look", tool_call=("get", arguments)).action.arguments == {}

    def test_act_holds_the_envelope(self):
        assert _is_the_turn(parse_reply(None, tool_call=("act", BARE)))

    def test_act_may_leave_the_thought_to_the_text(self):
        assert _is_the_turn(parse_reply("look first", tool_call=("act", f'{{"action": {TOOL}}}')))

    def test_an_operation_may_be_called_act(self):
        assert parse_reply("go", tool_call=("act", '{"id": 1}')).action == Action("act", {"id": 1})

    @pytest.mark.parametrize(
        ("kind", "text", "call", "more"),
        [
            pytest.param("two_actions", "look", ("get", "{}"), 1, id="parallel"),
            pytest.param("two_actions", None, ("act", BARE), 2, id="parallel-envelopes"),
            pytest.param("two_actions", BARE, ("get", '{"id": 1}'), 0, id="same-in-the-text"),
            pytest.param("no_thought", None, ("get", "{}"), 0, id="no-text"),
            pytest.param("no_thought", None, ("act", f'{{"action": {TOOL}}}'), 0, id="envelope-without-thought"),
            pytest.param("cut", "look", ("get", '{"ids": [1, 2'), 0, id="cut"),
            pytest.param("cut", None, ("act", BARE[:-1]), 0, id="cut-envelope"),
            pytest.param("bad_arguments", "look", ("get", "[1]"), 0, id="list"),
            pytest.param("bad_arguments", "look", ("get", "id=1"), 0, id="no-json"),
            pytest.param("bad_json", None, ("act", BARE.replace('"', "'")), 0, id="envelope-no-json"),
            pytest.param("no_action", None, ("act", ""), 0, id="envelope-empty"),
        ],
    )
    def test_not_a_turn(self, kind, text, call, more):
        with pytest.raises(Unusable) as caught:
            parse_reply(text, tool_call=call, extra_tool_calls=more)
        assert caught.value.kind == kind


@pytest.mark.timeout(20)
def test_a_large_reply_is_read_in_little_time():
    """No reply makes the reader slow: it looks at each character a bounded number of times."""
    hostile = [
        '{"a' * 50_000,
        "{" * 100_000,
        "```" * 50_000,
        "<think></think>" * 2_000,
        "{'a" * 50_000,
        '{"a":1}' * 20_000,
    ]
    for text in (*hostile, "x" * 1_000_000 + BARE):
        try:
            parse_reply(text)
        except Unusable:
            continue


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
some_text = st.text(min_size=1).map(str.strip).filter(bool)
turns = st.builds(
    Turn,
    thought=some_text,
    action=st.builds(
        Action,
        tool=some_text,
        arguments=st.dictionaries(st.text(max_size=10), json_values, max_size=4),
        save_as=st.none() | st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        for_each=st.none() | st.just("<<steps.a.items>>"),
        pages=st.none() | st.integers(1, 99) | st.just("all"),
    ),
    plan=st.none() | st.lists(st.from_regex(r"[a-z]{1,10}", fullmatch=True), min_size=1, max_size=5).map(tuple),
    plan_reason=st.none() | st.just("because"),
    doing=st.none() | st.integers(1, 9),
)


def printed(turn: Turn, *, strict: bool) -> str:
    action = turn.action
    arguments = write_json(action.arguments) if strict else action.arguments
    inner = {"tool": action.tool, "arguments": arguments, "save_as": action.save_as, "for_each": action.for_each}
    envelope = {"thought": turn.thought, "plan": turn.plan, "plan_reason": turn.plan_reason, "doing": turn.doing}
    return write_json({**envelope, "action": {**inner, "pages": action.pages}})


@given(
    turn=turns, strict=st.booleans(), around=st.sampled_from(["{}", "```json\n{}\n```", "Well:\n{}\nDone.", "~~~\n{}"])
)
def test_a_printed_turn_reads_back(turn, strict, around):
    read = parse_reply(around.replace("{}", printed(turn, strict=strict)))
    assert Turn(read.thought, read.action, read.plan, read.plan_reason, read.doing) == turn


_marks = ["{", "}", "[", "]", '"', "\\", ",", ":", "{'", "“", "\n", " ", "null", "1", "\\<", "//", "text"]
_words = ["```", "```json\n", "~~~", "<think>", "</think>", "Observation:", "**Thought Process:**", "**Next Action:**"]
_pieces = ['{"thought": "a", "action": {"tool": "x"}}', '"thought"', '"action"', *_marks, *_words]
_fragments = st.lists(st.sampled_from(_pieces), max_size=25).map("".join)


@settings(max_examples=400)
@given(text=st.text() | _fragments, name=st.none() | st.sampled_from(["act", "get"]), more=st.integers(0, 1))
@example(text='{"thought": "\ud800", "action": {"tool": "x"}}', name=None, more=0)
def test_any_text_is_a_turn_or_unusable(text, name, more):
    for call in [None] if name is None else [(name, text)]:
        try:
            turn = parse_reply(text, tool_call=call, extra_tool_calls=more)
        except Unusable:
            continue
        assert turn.thought
        assert turn.action.tool
        assert isinstance(turn.action.arguments, dict)


@given(turn=turns, cut=st.integers(1, 400))
def test_a_reply_that_was_cut_anywhere_is_never_a_turn(turn, cut):
    text = printed(turn, strict=False)
    with pytest.raises(Unusable):
        parse_reply(text[: max(0, len(text) - cut)])
