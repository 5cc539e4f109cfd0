"""References in arguments: what they become, and what is said where they lead nowhere."""

from __future__ import annotations

import pytest

from thinkagent.engine.references import (
    MISSING,
    Origin,
    Path,
    ReferenceMiss,
    Scope,
    StepValue,
    escape,
    find_references,
    parse_path,
    parse_reference,
    resolve,
    step_name_for,
    valid_step_name,
)
from thinkagent.errors import ArgumentError
from thinkagent.values import Secret, SecretText, read_json, write_json

PEOPLE = read_json(
    '{"people": [{"ref": "9", "no": 17, "rate": 1.10, "on": true, "gone": null, "first name": "Ann"}],'
    ' "a.b": {"c/d": 1}, "0": "zero", "": "empty", "length": 4, "items": ["x"], "it\'s": 2, "q\\"": 3, "日本": 5}'
)
SCOPE = Scope(
    steps={
        "s": StepValue(PEOPLE, 200, {"ETag": 'W/"1"', "X-Count": "2"}, items=PEOPLE["people"]),
        "rows": StepValue(read_json("[[1, 2], [3]]"), 200),
        "login": StepValue({"token": Secret("t1.token"), "kind": "Bearer"}, 200),
        "gone": StepValue(status=404, state="http_error", reason="404; no such customer"),
        "doubt": StepValue(state="unknown", reason="the connection closed"),
        "empty": StepValue(status=204),
        "nothing": StepValue(None, 200),
        "each": StepValue(status=None, outcomes=[{"item": 1, "status": "ok", "result": {"id": "c1"}}]),
        "average": StepValue(read_json("61.475")),
    },
    inputs={"day": "2026-11-30", "big": read_json("8812349007199254741")},
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("<<steps.s.result.people[0].no>>", "17", id="number"),
        pytest.param("<<steps.s.result.people[0].rate>>", "1.10", id="decimal-as-spelled"),
        pytest.param("<<steps.s.result.people[0].ref>>", '"9"', id="text-that-looks-like-a-number"),
        pytest.param("<<steps.s.result.people[0].on>>", "true", id="boolean"),
        pytest.param("<<steps.s.result.people[0].gone>>", "null", id="null"),
        pytest.param("<<steps.s.result.people[-1].no>>", "17", id="from-the-end"),
        pytest.param("<<steps.rows.result[0]>>", "[1,2]", id="list"),
        pytest.param("<<steps.rows.result[1][0]>>", "3", id="list-at-the-top"),
        pytest.param('<<steps.s.result["a.b"]["c/d"]>>', "1", id="key-with-dot-and-slash"),
        pytest.param("<<steps.s.result['a.b']>>", '{"c/d":1}', id="single-quotes-object"),
        pytest.param('<<steps.s.result["0"]>>', '"zero"', id="numeric-key"),
        pytest.param('<<steps.s.result[""]>>', '"empty"', id="empty-key"),
        pytest.param("<<steps.s.result.length>>", "4", id="key-called-length"),
        pytest.param("<<steps.s.result.items>>", '["x"]', id="key-called-items"),
        pytest.param("<<steps.s.result['it\\'s']>>", "2", id="escaped-quote"),
        pytest.param('<<steps.s.result["q\\""]>>', "3", id="escaped-double-quote"),
        pytest.param("<<steps.s.result.日本>>", "5", id="letters-of-any-script"),
        pytest.param('<<steps.s.result["\\u65e5\\u672c"]>>', "5", id="unicode-escape"),
        pytest.param('<<steps.s.result.people[0]["first name"]>>', '"Ann"', id="key-with-a-blank"),
        pytest.param("<< steps.s.result.people[ 0 ].no >>", "17", id="blanks-inside"),
        pytest.param("  <<steps.s.result.people[0].no>>\n", "17", id="blanks-around"),
        pytest.param("<<steps['s']['result']['people'][0]['no']>>", "17", id="all-brackets"),
        pytest.param("<<steps.s.items[0].no>>", "17", id="items"),
        pytest.param("<<steps.s.status>>", "200", id="status"),
        pytest.param('<<steps.s.headers["x-count"]>>', '"2"', id="header-in-any-case"),
        pytest.param("<<steps.s.headers.etag>>", '"W/\\"1\\""', id="header-as-a-name"),
        pytest.param("<<steps.gone.status>>", "404", id="status-of-a-failed-step"),
        pytest.param("<<steps.nothing.result>>", "null", id="body-null"),
        pytest.param("<<steps.each.outcomes[0].result.id>>", '"c1"', id="outcomes"),
        pytest.param("<<steps.average.result>>", "61.475", id="computed"),
        pytest.param("<<inputs.big>>", "8812349007199254741", id="input"),
    ],
)
def test_a_whole_reference_keeps_its_type(text, value):
    assert write_json(resolve(text, SCOPE).value) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("slot-<<steps.s.result.people[0].no>>", "slot-17", id="number"),
        pytest.param("<<steps.s.result.people[0].rate>> EUR", "1.10 EUR", id="decimal"),
        pytest.param("on=<<steps.s.result.people[0].on>>", "on=true", id="boolean"),
        pytest.param("<<inputs.day>>/<<steps.s.result.people[0].ref>>", "2026-11-30/9", id="two"),
        pytest.param("n<<inputs.big>>", "n8812349007199254741", id="long-number"),
        pytest.param("a << b", "a << b", id="shift"),
        pytest.param("<<EOF\nx\nEOF", "<<EOF\nx\nEOF", id="here-document"),
        pytest.param("<<stepsister>> and <<itemize>>", "<<stepsister>> and <<itemize>>", id="longer-words"),
        pytest.param("<<<inputs.day>>", "<2026-11-30", id="three-brackets"),
        pytest.param(r"\<<steps.s.result>>", "<<steps.s.result>>", id="one-backslash"),
        pytest.param(r"\\<<inputs.day>>", "\\2026-11-30", id="two-backslashes"),
        pytest.param(r"\\\<<inputs.day>>", r"\<<inputs.day>>", id="three-backslashes"),
        pytest.param(r"C:\dir\n", r"C:\dir\n", id="other-backslashes"),
        pytest.param(r"\{{steps.s.result}}", "{{steps.s.result}}", id="escaped-template"),
        pytest.param("{{name}} ${HOME} $5 {x}", "{{name}} ${HOME} $5 {x}", id="other-templates"),
    ],
)
def test_inside_a_text_scalars_are_written(text, value):
    assert resolve(text, SCOPE).value == value


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        pytest.param("<<steps.t.result>>", "no_such_step", ["'t'", "there are 's', 'rows'"], id="no-step"),
        pytest.param("<<steps.logn.result>>", "no_such_step", ["Did you mean 'login'?"], id="misspelt-step"),
        pytest.param("<<inputs.dya>>", "no_such_input", ["'day', 'big'", "Did you mean 'day'?"], id="no-input"),
        pytest.param("<<item.id>>", "no_item", ["for_each"], id="no-item"),
        pytest.param(
            "<<steps.login.result.tokn>>", "no_such_key", ["'token', 'kind'", "Did you mean 'token'?"], id="no-key"
        ),
        pytest.param("<<steps.s.result.people[3].no>>", "out_of_range", ["[3]", "1 element"], id="out-of-range"),
        pytest.param("<<steps.rows.result[-3]>>", "out_of_range", ["2 elements, [0] to [1]"], id="before-the-start"),
        pytest.param(
            "<<steps.s.result.people.no>>", "is_list", ["a list of 1", "people[0].no"], id="list-taken-for-its-element"
        ),
        pytest.param("<<steps.rows.result.length>>", "is_list", ["The count is 2", "len("], id="length-of-a-list"),
        pytest.param("<<steps.rows.result.append>>", "is_list", ["a list of 2"], id="method-of-a-list"),
        pytest.param("<<steps.s.result[0]>>", "no_such_key", ["an object", '["0"]'], id="place-in-an-object"),
        pytest.param("<<steps.s.result.people[0].no.x>>", "not_a_container", ["the number 17"], id="into-a-number"),
        pytest.param("<<steps.s.result.people[0].gone.x>>", "null_on_the_way", ["is null"], id="into-null"),
        pytest.param("<<steps.login.result.token.x>>", "not_a_container", ["a secret text"], id="into-a-secret"),
        pytest.param("<<steps.gone.result.id>>", "step_failed", ["http_error", "no such customer"], id="failed-step"),
        pytest.param("<<steps.doubt.items>>", "step_failed", ["unknown", "connection closed"], id="step-in-doubt"),
        pytest.param("<<steps.empty.result.id>>", "no_body", ["no body", "204"], id="no-body"),
        pytest.param("<<steps.rows.items>>", "no_such_part", ["no list", "a list of 2"], id="no-items"),
        pytest.param("<<steps.each.result>>", "no_such_part", ["steps.each.outcomes"], id="result-of-for-each"),
        pytest.param("<<steps.s.outcomes>>", "no_such_part", ["steps.s.result"], id="outcomes-of-one-call"),
        pytest.param("<<steps.average.status>>", "no_such_part", ["no call over HTTP"], id="status-of-a-computation"),
        pytest.param("x <<steps.s.result.people[0].gone>>", "null_in_text", ["null", "inside a text"], id="null-text"),
        pytest.param("x <<steps.rows.result>>", "container_in_text", ["a list of 2", "whole value"], id="list-in-text"),
        pytest.param("x <<steps.s.result>>", "container_in_text", ["an object", "whole value"], id="object-in-text"),
    ],
)
def test_a_miss_says_what_failed_and_what_is_there(text, code, told):
    with pytest.raises(ReferenceMiss) as caught:
        resolve({"deep": [{"in": text}]}, SCOPE)
    assert caught.value.code == code
    assert caught.value.reference in text
    assert all(words in str(caught.value) for words in told)
    assert caught.value.reference in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("<<s.result.people>>", "<<steps.s.result.people>>", id="root-forgotten"),
        pytest.param("<<s>>", "<<steps.s.result>>", id="bare-step-name"),
        pytest.param("<<other.result.id>>", "<<steps.other.result.id>>", id="root-forgotten-unknown-step"),
        pytest.param("<<day>>", "<<inputs.day>>", id="bare-input-name"),
        pytest.param("<<STEPS.s.result>>", "<<steps.s.result>>", id="capitals"),
        pytest.param("<<Steps['s'].result>>", "<<steps['s'].result>>", id="capital-and-brackets"),
        pytest.param("<<step.s.result>>", "<<steps.s.result>>", id="singular"),
        pytest.param("<<Item.id>>", "<<item.id>>", id="item-in-capitals"),
        pytest.param("{{steps.s.result.no}}", "<<steps.s.result.no>>", id="double-braces"),
        pytest.param("{{ s.result.no }}", "<<steps.s.result.no>>", id="double-braces-root-forgotten"),
        pytest.param("a ${steps.s.result.no} b", "<<steps.s.result.no>>", id="dollar-brace"),
        pytest.param("${{ inputs.day }}", "<<inputs.day>>", id="dollar-double-braces"),
        pytest.param("$steps.s.outputs.no", "<<steps.s.outputs.no>>", id="runtime-expression"),
        pytest.param("{$inputs.day}", "<<inputs.day>>", id="embedded-runtime-expression"),
        pytest.param("<steps.s.result.no>", "<<steps.s.result.no>>", id="single-brackets"),
        pytest.param("<<steps.", "the dot", id="unclosed-at-once"),
        pytest.param("<<steps", "names no step", id="bare-root"),
        pytest.param("<<steps.s.result.no", "not closed", id="unclosed"),
        pytest.param("<<steps.s.result.no>", "not closed", id="half-closed"),
        pytest.param("<<steps>>", "names no step", id="no-step"),
        pytest.param("<<inputs>>", "names no input", id="no-input"),
        pytest.param("<<steps.s>>", "<<steps.s.result>>", id="no-part"),
        pytest.param("<<steps.s.people[0].no>>", "<<steps.s.result.people[0].no>>", id="part-forgotten"),
        pytest.param("<<steps.s.result.Exchange Rate>>", '<<steps.s.result["Exchange Rate"]>>', id="blank-in-a-name"),
        pytest.param("<<steps.s.result.people.0>>", "[0]", id="number-after-a-dot"),
        pytest.param("<<steps.s.result.people[]>>", "neither a quoted key nor a number", id="empty-brackets"),
        pytest.param("<<steps.s.result.people[*].no>>", "neither a quoted key nor a number", id="wildcard"),
        pytest.param('<<steps.s.result["a>>', "not closed", id="unclosed-quote"),
        pytest.param("<<steps.s.result.people[0>>", "bracket is not closed", id="unclosed-bracket"),
        pytest.param("<<steps.s.result | length>>", "cannot follow", id="filter"),
        pytest.param("<<steps.s.result..x>>", "no name follows", id="two-dots"),
        pytest.param("<<len(steps.s.result.people)>>", "compute", id="function"),
        pytest.param("<<1 + inputs.day>>", "compute", id="sum"),
        pytest.param(
            f"<<steps.s.result.people[{'9' * 5000}]>>", "neither a quoted key nor a number", id="endless-index"
        ),
    ],
)
def test_what_looks_like_a_reference_and_is_none_is_an_error(text, told):
    with pytest.raises(ArgumentError) as caught:
        resolve({"x": text}, SCOPE)
    assert caught.value.code in ("bad_reference", "false_reference")
    assert told in str(caught.value)


def test_a_reference_in_a_key_is_an_error():
    with pytest.raises(ArgumentError, match="keys are not resolved"):
        resolve({"<<steps.s.result.no>>": 1}, SCOPE)


def test_results_are_never_resolved_again():
    hostile = Scope({"a": StepValue({"note": "<<steps.login.result.token>> {{steps.a.result}}"}), **SCOPE.steps})
    assert resolve("<<steps.a.result.note>>", hostile).value == "<<steps.login.result.token>> {{steps.a.result}}"
    assert resolve("note: <<steps.a.result.note>>", hostile).value.startswith("note: <<steps.login")


def test_a_secret_stays_a_secret_alone_and_inside_a_text():
    resolved = resolve({"a": "<<steps.login.result.token>>", "b": "Bearer <<steps.login.result.token>>"}, SCOPE).value
    assert resolved == {"a": Secret("t1.token"), "b": SecretText(("Bearer ", Secret("t1.token")))}


def test_every_value_tells_where_it_came_from():
    value = {
        "body": {"id": "<<steps.s.result.people[0].no>>", "n": 1},
        "day/~": ["<<inputs.day>>", "<<inputs.day>> <<steps.s.result.people[0].ref>>"],
    }
    assert resolve(value, SCOPE).origins == {
        "/body/id": (Origin("step", "s", "steps.s.result.people[0].no"),),
        "/body/n": (Origin("literal"),),
        "/day~1~0/0": (Origin("input", "day", "inputs.day"),),
        "/day~1~0/1": (Origin("input", "day", "inputs.day"), Origin("step", "s", "steps.s.result.people[0].ref")),
    }


def test_an_item_keeps_the_origin_of_its_list():
    scope = Scope(item={"id": 7}, item_path=parse_path("steps.s.items[3]"))
    resolved = resolve({"id": "<<item.id>>"}, scope)
    assert resolved.value == {"id": 7}
    assert resolved.origins["/id"] == (Origin("step", "s", "steps.s.items[3].id"),)
    assert resolve("<<item>>", Scope(item="x")).value == "x"
    assert resolve("<<item>>", Scope(item=None)).value is None


def test_references_are_listed_once_in_reading_order():
    value = {"b": ["<<inputs.x>>", {"c": "a<<steps.s.result>>b<<inputs.x>>"}], "a": r"\<<steps.t.result>>"}
    assert [str(path) for path in find_references(value)] == ["inputs.x", "steps.s.result"]


@pytest.mark.parametrize("text", ["<<steps.s.items>>", " << steps.s.items >> ", "steps.s.items"])
def test_a_single_reference_is_read(text):
    assert parse_reference(text) == Path("steps", "s", "items")


@pytest.mark.parametrize("text", ["x <<steps.s.items>>", "<<steps.s.items>><<steps.s.items>>", "s.items", "", "[1]"])
def test_what_is_not_one_reference_is_refused(text):
    with pytest.raises(ArgumentError):
        parse_reference(text)


def test_a_miss_stays_short_whatever_the_data():
    wide = Scope({"w": StepValue({f"key number {n} " + "x" * 500: n for n in range(5000)})})
    with pytest.raises(ReferenceMiss) as caught:
        resolve("<<steps.w.result.nope>>", wide)
    assert len(str(caught.value)) < 1200
    assert "and 4992 more" in str(caught.value)


def test_control_characters_of_the_data_are_made_visible_in_a_miss():
    with pytest.raises(ReferenceMiss) as caught:
        resolve("<<steps.w.result.nope>>", Scope({"w": StepValue({"\x1b[31mred": 1})}))
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("name", ["alice", "_x", "orders_2", "Orders", "result"])
def test_names_that_a_step_may_bear(name):
    assert valid_step_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "2x", "a-b", "a b", "größe", "a\n", "for", "None", "match", "list", "sum", "print", "steps", "inputs", "item"],
)
def test_names_that_a_step_may_not_bear(name):
    assert not valid_step_name(name)


@pytest.mark.parametrize("name", ["today", "now", "date", "datetime", "timedelta", "Decimal", "_thinkagent_at"])
def test_names_of_a_computation_are_no_step_names(name):
    assert not valid_step_name(name)


@pytest.mark.parametrize(
    ("tool", "taken", "name"),
    [
        ("listOrders", (), "listOrders"),
        ("listOrders", ("listOrders",), "listOrders_2"),
        ("listOrders", ("listOrders", "listOrders_2"), "listOrders_3"),
        ("get-order", (), "get_order"),
        ("list", (), "list_"),
        ("2fa", (), "step_2fa"),
        ("---", (), "step"),
    ],
)
def test_a_step_is_named_after_its_tool(tool, taken, name):
    assert step_name_for(tool, taken) == name
    assert valid_step_name(name)


def test_missing_is_not_null():
    assert repr(MISSING) == "MISSING"
    assert StepValue().result is MISSING
    assert escape("plain") == "plain"
