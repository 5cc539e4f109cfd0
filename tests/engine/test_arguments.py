from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.wire.making import make_tool, parameter
from thinkagent.documents.model import SecurityScheme
from thinkagent.engine.arguments import BadArguments, check_arguments, check_names
from thinkagent.values import Secret, SecretText, Spelled, read_json

INTEGER, STRING, BOOLEAN = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
BODY = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "enum": ["WELCOME10", "SORRY5"]},
        "customerId": {"type": "string", "pattern": "^cus_[0-9]+$"},
        "qty": {"type": "integer", "minimum": 1},
        "note": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": STRING, "maxItems": 2},
        "address": {"$ref": "#/$defs/Address"},
    },
    "required": ["code"],
    "additionalProperties": False,
}
DEFS = {
    "Address": {
        "type": "object",
        "properties": {"zip": STRING, "number": INTEGER},
        "required": ["zip"],
        "additionalProperties": False,
    }
}
ISSUE = make_tool(
    "POST",
    "/things/{id}",
    [
        parameter("id", "path", STRING),
        parameter("limit", "query", {"type": "integer", "maximum": 50}),
        parameter("deep", "query", BOOLEAN),
        parameter("ids", "query", {"type": "array", "items": INTEGER}),
        parameter("X-Trace", "header", STRING),
    ],
    body=BODY,
    body_required=False,
    defs=DEFS,
    name="issue",
)


def checked(arguments, tool=ISSUE, **more):
    return check_arguments(tool, arguments, **more)


def problems(arguments, tool=ISSUE):
    with pytest.raises(BadArguments) as told:
        check_arguments(tool, arguments)
    return told.value


def one_of(schema, value):
    """Check one argument `x` of this schema."""
    return checked({"x": value}, make_tool("POST", parameters=[parameter("x", "query", schema)]))


def body_of(schema, value, body_type="application/json"):
    return checked({"body": value}, make_tool("PATCH", body=schema, body_type=body_type, defs=DEFS))


class TestWhatFits:
    @pytest.mark.parametrize(
        "arguments",
        [
            {"id": "a"},
            {"id": "a", "limit": 20, "deep": False, "ids": [1, 2]},
            {"id": "a", "limit": Decimal("20.0")},
            {"id": "a", "limit": Spelled("2e1")},
            {"id": "a", "body": {"code": "SORRY5", "note": None, "address": {"zip": "1", "number": 10**40}}},
            {"id": "\ud800"},
            {"id": Secret("t")},
            {"id": SecretText(("a", Secret("t"))), "body": {"code": Secret("t"), "customerId": Secret("u")}},
        ],
    )
    def test_is_left_as_it_is(self, arguments):
        found = checked(arguments)
        assert found.value == arguments
        assert found.notes == ()

    def test_numbers_keep_their_spelling(self):
        value = read_json('{"x": 1e2}')
        found = checked(value, make_tool(parameters=[parameter("x", "query", {"type": "number"})]))
        assert found.value["x"].spelling == "1e2"

    @given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.none(), max_size=4))
    def test_what_comes_back_fits(self, body):
        """Checking is idempotent: nothing that was taken is complained of, or changed, a second time."""
        tool = make_tool("POST", body={"type": "object", "additionalProperties": INTEGER})
        try:
            first = check_arguments(tool, {"body": body})
        except BadArguments:
            return
        second = check_arguments(tool, first.value)
        assert (second.value, second.notes) == (first.value, ())


class TestTextForValues:
    @pytest.mark.parametrize(
        ("schema", "text", "value"),
        [
            (INTEGER, "20", 20),
            (INTEGER, "-3", -3),
            (INTEGER, "8812349007199254741", 8812349007199254741),
            ({"type": "number"}, "1.10", Decimal("1.10")),
            (BOOLEAN, "true", True),
            ({"type": ["integer", "boolean"]}, "false", False),
            ({"type": "array", "items": INTEGER}, "[1,2]", [1, 2]),
            ({"type": "array", "items": INTEGER}, '["1", "2"]', [1, 2]),
            ({"type": "array", "items": INTEGER}, ["1", "2"], [1, 2]),
            ({"type": "object"}, ' {"a": 1}\n', {"a": 1}),
            ({"type": "object", "properties": {"eq": INTEGER}}, '{"eq": "5"}', {"eq": 5}),
            ({"type": "object", "properties": {"eq": STRING}}, '{"eq": "5"}', {"eq": "5"}),
            ({"$ref": "#/$defs/Address"}, '{"zip": "1", "number": "2"}', {"zip": "1", "number": 2}),
            ({"allOf": [{"$ref": "#/$defs/Address"}]}, '{"zip": "1"}', {"zip": "1"}),
            ({"anyOf": [INTEGER, {"type": "null"}]}, "7", 7),
            ({"oneOf": [INTEGER, {"type": "object"}]}, '{"a": "1"}', {"a": "1"}),
            ({"oneOf": [BOOLEAN, {"type": "object", "properties": {"n": INTEGER}}]}, {"n": "1"}, {"n": 1}),
            ({"enum": [1, 2]}, "2", 2),
            ({"const": 5}, "5", 5),
        ],
    )
    def test_is_taken_once_and_noted(self, schema, text, value):
        found = body_of(schema, text)
        assert found.value == {"body": value}
        assert found.notes

    @pytest.mark.parametrize(
        ("schema", "text"),
        [
            (STRING, "20"),
            (STRING, '{"a":1}'),
            ({"type": ["string", "integer"]}, "20"),
            ({"anyOf": [STRING, INTEGER]}, "20"),
            ({"oneOf": [INTEGER, STRING]}, "true"),
            ({"anyOf": [INTEGER, {"enum": ["5"]}]}, "5"),
            (True, "20"),
            ({}, "[1]"),
        ],
    )
    def test_is_left_alone_where_text_is_allowed(self, schema, text):
        found = body_of(schema, text)
        assert (found.value, found.notes) == ({"body": text}, ())

    @pytest.mark.parametrize(
        ("schema", "text"),
        [
            (INTEGER, "twenty"),
            (INTEGER, "20.5"),
            (INTEGER, " 20"),
            (INTEGER, ""),
            (INTEGER, "0x10"),
            (INTEGER, "020"),
            (INTEGER, '"20"'),
            (INTEGER, "NaN"),
            (BOOLEAN, "True"),
            (BOOLEAN, "1"),
            (BOOLEAN, "yes"),
            ({"type": "array"}, "a,b"),
            ({"type": "object"}, "null"),
            ({"type": "object"}, "[]"),
            ({"type": "object"}, "7"),
            ({"type": "object"}, '{"a":1'),
            ({"type": "object"}, '"{\\"a\\":1}"'),
            ({"type": "object"}, ""),
            ({"type": "object"}, ["a"]),
            ({"anyOf": [{"type": "string", "pattern": "^a"}, INTEGER]}, "7"),
            (
                {
                    "oneOf": [
                        {"properties": {"n": INTEGER}, "type": "object"},
                        {"properties": {"n": BOOLEAN}, "type": "object"},
                    ]
                },
                {"n": "x"},
            ),
            ({"enum": [1, "a"]}, "1"),
        ],
    )
    def test_anything_else_is_refused(self, schema, text):
        with pytest.raises(BadArguments) as told:
            body_of(schema, text)
        assert told.value.problems[0].pointer.startswith("/body")

    @pytest.mark.parametrize("arguments", ["{}", '{"id":"a"}'])
    def test_the_arguments_as_a_whole(self, arguments):
        if arguments == "{}":
            assert problems(arguments).problems[0].pointer == "/id"
        else:
            assert checked(arguments).value == {"id": "a"}

    @pytest.mark.parametrize("arguments", ["", "{", "null", None, [], "[]", 7, True, '"{}"', "call it"], ids=repr)
    def test_unreadable_arguments_never_become_an_empty_object(self, arguments):
        tool = make_tool()
        assert "where an object belongs" in str(problems(arguments, tool))
        with pytest.raises(BadArguments):
            check_names(tool, arguments)


class TestScalarsForText:
    """On the wire a parameter has no type: the number 7 and the text "7" are the same there, and nowhere else."""

    @pytest.mark.parametrize(
        ("value", "text"),
        [(7, "7"), (True, "true"), (Spelled("1e2"), "1e2"), (2**63, "9223372036854775808")],
    )
    def test_taken_in_a_parameter(self, value, text):
        found = checked({"id": value, "X-Trace": value})
        assert found.value == {"id": text, "X-Trace": text}
        assert len(found.notes) == 2

    def test_refused_in_a_body(self):
        assert problems({"id": "a", "body": {"code": 7}}).problems[0].pointer == "/body/code"

    def test_checked_as_text(self):
        tool = make_tool(parameters=[parameter("x", "query", {"type": "string", "pattern": "^[a-z]+$"})])
        assert "does not match" in str(problems({"x": 7}, tool))


class TestNull:
    def test_counts_as_not_given(self):
        found = checked({"id": "a", "limit": None, "X-Trace": None, "body": {"code": "SORRY5", "qty": None}})
        assert found.value == {"id": "a", "body": {"code": "SORRY5"}}
        assert [note for note in found.notes if "null counts as not given" in note] == list(found.notes)
        assert len(found.notes) == 3

    def test_for_an_optional_body(self):
        assert checked({"id": "a", "body": None}).value == {"id": "a"}

    def test_stays_where_it_is_allowed(self):
        value = {"id": "a", "body": {"code": "SORRY5", "note": None}}
        assert checked(value).value == value

    def test_is_said_where_the_input_was_required(self):
        told = problems({"id": None})
        assert told.problems[0].rule == "required"
        assert "/id is missing" in str(told)
        assert "null counts as not given" in str(told)
        assert "/body/code is missing" in str(problems({"id": "a", "body": {"code": None}}))

    def test_means_removal_in_a_merge_patch(self):
        schema = {"type": "object", "properties": {"qty": INTEGER, "a": {"$ref": "#/$defs/Address"}}}
        value = {"qty": None, "a": {"zip": None}}
        assert body_of(schema, value, "application/merge-patch+json; charset=utf-8").value == {"body": value}
        assert body_of(schema, {"qty": None}).value == {"body": {}}

    def test_in_a_list_is_refused(self):
        assert problems({"id": "a", "ids": [1, None]}).problems[0].pointer == "/ids/1"

    def test_in_a_union(self):
        union = {"type": "object", "properties": {"x": {"anyOf": [INTEGER, STRING]}}}
        assert body_of(union, {"x": None}).value == {"body": {}}


class TestNames:
    def test_an_unknown_one_is_told_the_nearest(self):
        assert "'limitt' is no argument; did you mean 'limit'?" in str(problems({"id": "a", "limitt": 1}))
        assert "'zzz' is no argument; there are 'id', 'limit'" in str(problems({"id": "a", "zzz": 1}))

    def test_a_field_of_the_body_is_told_its_place(self):
        assert "'customerId' is no argument; it is a field of 'body'" in str(
            problems({"id": "a", "customerId": "cus_1"})
        )

    def test_an_unknown_field_is_told_the_nearest(self):
        told = str(problems({"id": "a", "body": {"code": "SORRY5", "custmerId": "cus_1"}}))
        assert "/body has no field 'custmerId'; did you mean 'customerId'?" in told
        told = str(problems({"id": "a", "body": {"code": "SORRY5", "address": {"zip": "1", "nmber": 1}}}))
        assert "/body/address has no field 'nmber'; did you mean 'number'?" in told

    def test_the_documents_own_name_is_taken(self):
        tool = make_tool(parameters=[parameter("$filter", "query", STRING)], names={"$filter": "filter"})
        found = checked({"$filter": "x"}, tool)
        assert (found.value, found.notes) == ({"filter": "x"}, ("/$filter: taken as 'filter'",))
        assert "'$filter' is no argument" in str(problems({"$filter": "x", "filter": "y"}, tool))

    @pytest.mark.parametrize("name", ["X-Key", "x-key", "Authorization", "api_key"])
    def test_what_a_security_scheme_owns_is_dropped(self, name):
        tool = make_tool(parameters=[parameter("X-Key", "header", STRING)], owned=["X-Key"])
        scheme = SecurityScheme("k", "apiKey", location="query", parameter="api_key")
        found = check_arguments(tool, {name: "mine"}, schemes=[scheme])
        assert found.value == {}
        assert "the program sends this credential itself" in found.notes[0]
        assert "mine" not in found.notes[0]

    def test_checked_before_references_are_resolved(self):
        check_names(ISSUE, {"id": "<<steps.a.result.id>>", "limit": "<<item.n>>", "body": "<<steps.b.result>>"})
        with pytest.raises(BadArguments, match="'idd' is no argument; did you mean 'id'"):
            check_names(ISSUE, {"idd": "<<steps.a.result.id>>"})
        with pytest.raises(BadArguments, match="/id is missing"):
            check_names(ISSUE, {})


class TestMessages:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                {"body": {"code": "WELCOME"}},
                "/body/code is 'WELCOME', not one of 'WELCOME10', 'SORRY5' (did you mean 'WELCOME10'?)",
            ),
            ({"limit": "many"}, "/limit is 'many', not integer"),
            ({"limit": 51}, "/limit: 51 is greater than the maximum of 50"),
            ({"body": {"code": "SORRY5", "customerId": "7"}}, "/body/customerId: '7' does not match \"^cus_[0-9]+$\""),
            ({"body": {"code": "SORRY5", "tags": ["a", "b", "c"]}}, "/body/tags: a list of 3 has more than 2 items"),
            ({"body": {}}, "/body/code is missing"),
            ({"body": []}, "/body is a list of 0, not object"),
            ({"ids": 1}, "/ids is 1, not array"),
        ],
    )
    def test_place_rule_found_and_valid_values(self, arguments, message):
        told = problems({"id": "a", **arguments})
        assert message in str(told)
        assert told.code == "bad_arguments"
        assert told.exit_code == 1
        assert told.where.startswith("issue /")

    def test_unions_name_their_alternatives(self):
        tool = make_tool("POST", body={"oneOf": [INTEGER, {"type": "object", "required": ["n"]}]})
        told = str(problems({"body": "x"}, tool))
        assert "/body is 'x' and fits none of the alternatives: (1) /body is 'x', not integer; (2)" in told

    def test_all_are_collected_and_five_are_shown(self):
        told = problems({"id": "a", **{f"x{number}": 1 for number in range(9)}})
        assert len(told.problems) == 9
        assert "and 4 more" in str(told)
        assert str(told).count("is no argument") == 5

    def test_large_hostile_values_stay_short_and_harmless(self):
        value = "\x1b[31m" + "x" * 100_000
        told = str(problems({"id": "a", "limit": value, "ids": {value: 1}, value: 2}))
        assert len(told) < 1500
        assert "\x1b" not in told

    def test_a_secrets_value_is_not_known_here(self):
        told = str(problems({"id": "a", "limit": Secret("auth.key")}))
        assert "/limit is «secret auth.key», not integer" in told

    def test_deep_values_are_refused_before_any_validator(self):
        value: list = []
        for _ in range(100_000):
            value = [value]
        assert "nested deeper than" in str(problems({"id": "a", "ids": value}))


class TestSchemas:
    @pytest.mark.timeout(10)
    def test_a_pattern_of_the_document_cannot_hang(self):
        tool = make_tool(parameters=[parameter("x", "query", {"type": "string", "pattern": "^(a+)+$"})])
        assert "does not match" in str(problems({"x": "a" * 5000 + "!"}, tool))

    @pytest.mark.parametrize("reference", ["http://127.0.0.1:1/x", "file:///etc/passwd", "other.json", "#/$defs/none"])
    def test_no_reference_leaves_the_schema(self, reference):
        tool = make_tool(parameters=[parameter("x", "query", {"$ref": reference})])
        found = checked({"x": 1}, tool)
        assert "only the names were checked" in found.notes[0]
        assert "'y' is no argument" in str(problems({"y": 1}, tool))

    def test_overlapping_alternatives_are_no_ones_fault(self):
        found = one_of({"oneOf": [INTEGER, {"type": "number", "minimum": 0}]}, 3)
        assert found.value == {"x": 3}

    def test_validators_are_kept(self):
        import jsonschema_rs

        tool = make_tool(parameters=[parameter("x", "query", INTEGER)])
        checked({"x": 1}, tool)
        made = []
        original = jsonschema_rs.Draft202012Validator

        class Counting:
            def __new__(cls, *args, **more):
                made.append(1)
                return original(*args, **more)

        jsonschema_rs.Draft202012Validator = Counting
        try:
            checked({"x": 2}, tool)
        finally:
            jsonschema_rs.Draft202012Validator = original
        assert made == []


FAN = {f"S{number}": {"anyOf": [{"$ref": f"#/$defs/S{number + 1}"}] * 10} for number in range(30)} | {"S30": INTEGER}
COSTLY = make_tool(
    "POST", "/fan", [parameter("id", "query", STRING, required=True)], body={"$ref": "#/$defs/S0"}, defs=FAN
)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("body", ["text", 7, "7", {"a": [1]}])
def test_a_schema_that_asks_for_endless_checks_is_not_checked(body):
    found = checked({"id": "a", "body": body}, COSTLY)
    assert found.value == {"id": "a", "body": body}
    assert found.notes == (
        "the schema of this tool asks for more checks than can be made; only the names were checked",
    )


def test_the_names_are_checked_however_costly_the_rest():
    assert [problem.pointer for problem in problems({"body": 7, "other": 1}, COSTLY).problems] == ["/other", "/id"]
