"""YAML gives what its JSON twin gives."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import from_yaml, operation, parameter
from thinkagent.documents import load_bytes
from thinkagent.documents.yaml_core import read_yaml
from thinkagent.errors import DocumentError
from thinkagent.values import JsonError, read_json, same, write_json


def value_of(text):
    return read_yaml(text).value


@pytest.mark.parametrize(
    "text",
    [
        "NO",
        "No",
        "no",
        "on",
        "ON",
        "Off",
        "y",
        "Y",
        "yes",
        "Yes",
        "n",
        "2019-03-07",
        "1991-11-05T10:00:00Z",
        "2024-01-31T12:00:00+02:00",
        "12:30:45",
        "1:30",
        "1:20:30",
        "012",
        "010",
        "01234",
        "-01",
        "00",
        "1_000",
        "0b11",
        "0x",
        "0o8",
        "1e",
        "1.2.3",
        ".",
        "+",
        ".e3",
        ".inf",
        "-.inf",
        ".nan",
        "nULL",
        "tRUE",
        "=",
    ],
)
def test_text_stays_text(text):
    assert value_of(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("10", "10", id="integer"),
        pytest.param("-7", "-7", id="negative"),
        pytest.param("+7", "7", id="plus"),
        pytest.param("0", "0", id="zero"),
        pytest.param("-0", "-0", id="negative zero"),
        pytest.param("1.10", "1.10", id="trailing zero"),
        pytest.param("1e3", "1e3", id="exponent"),
        pytest.param("1E+3", "1E+3", id="exponent with plus"),
        pytest.param(".5", "0.5", id="no digit before the point"),
        pytest.param("5.", "5", id="no digit after the point"),
        pytest.param("0x1F", "31", id="hexadecimal"),
        pytest.param("0o17", "15", id="octal of 1.2"),
        pytest.param("9007199254740993", "9007199254740993", id="above 2^53"),
        pytest.param("1" * 5000, "1" * 5000, id="5000 digits"),
        pytest.param("0." + "1" * 60, "0." + "1" * 60, id="60 decimals"),
        pytest.param("1e99999999999999999999", '"1e99999999999999999999"', id="beyond every decimal"),
    ],
)
def test_numbers_are_exact(text, written):
    assert write_json(value_of(f"[{text}]")) == f"[{written}]"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("~", None, id="tilde"),
        pytest.param("null", None, id="null"),
        pytest.param("Null", None, id="Null"),
        pytest.param("", None, id="nothing"),
        pytest.param("true", True, id="true"),
        pytest.param("FALSE", False, id="FALSE"),
        pytest.param('"true"', "true", id="quoted"),
        pytest.param("'1'", "1", id="single quotes"),
        pytest.param("!!str 12", "12", id="tagged text"),
        pytest.param("!!int '12'", 12, id="tagged integer"),
        pytest.param("!!float '1.50'", Decimal("1.50"), id="tagged float"),
        pytest.param("!!binary aGk=", "aGk=", id="binary stays as written"),
        pytest.param("!!timestamp 2020-01-01", "2020-01-01", id="timestamp"),
        pytest.param("!thing x", "x", id="unknown tag"),
        pytest.param("!thing {a: 1}", {"a": 1}, id="unknown tag of a mapping"),
        pytest.param("!!set {a, b}", {"a": None, "b": None}, id="set"),
        pytest.param("|\n  a\tb\n  c\n", "a\tb\nc\n", id="block text with a tab"),
        pytest.param(">-\n  a\n  b\n", "a b", id="folded"),
    ],
)
def test_other_scalars(text, value):
    found = value_of(f"k: {text}")["k"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        pytest.param("{200: a, 404: b}", ["200", "404"], id="status codes"),
        pytest.param("{on: 1, NO: 2, true: 3, null: 4, ~: 5}", ["on", "NO", "true", "null", "~"], id="words"),
        pytest.param("{1.10: a, 012: b, 0x1: c, 2020-01-01: d}", ["1.10", "012", "0x1", "2020-01-01"], id="numbers"),
        pytest.param("? [a, 1]\n: x", ['["a",1]'], id="list as key"),
        pytest.param("? {b: 1}\n: x", ['{"b":1}'], id="mapping as key"),
        pytest.param("x: &k name\n*k : y", ["x", "name"], id="alias as key"),
        pytest.param("'<<': 1", ["<<"], id="quoted merge key"),
    ],
)
def test_keys_are_the_text_as_written(text, keys):
    assert list(value_of(text)) == keys


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("{<<: *b, x: 2}", {"x": 2, "y": 1}, id="own wins"),
        pytest.param("{x: 2, <<: *b}", {"x": 2, "y": 1}, id="own wins, merge last"),
        pytest.param("{<<: [*b, *c]}", {"x": 1, "y": 1, "z": 3}, id="list, earlier wins"),
        pytest.param("{<<: [*c, *b]}", {"x": 3, "y": 1, "z": 3}, id="list turned"),
        pytest.param("{<<: {p: 1}, <<: *c}", {"p": 1, "x": 3, "z": 3}, id="two merges, one inline"),
        pytest.param("{<<: [*b, {w: {<<: *c}}]}", {"x": 1, "y": 1, "w": {"x": 3, "z": 3}}, id="nested"),
        pytest.param("{<<: 5}", {"<<": 5}, id="nothing to merge"),
    ],
)
def test_merge_keys(text, value):
    assert value_of(f"b: &b {{x: 1, y: 1}}\nc: &c {{x: 3, z: 3}}\nr: {text}")["r"] == value


def test_merge_leaves_its_source_alone():
    value = value_of("b: &b {x: 1}\nr: {<<: *b, y: 2}\ns: *b")
    assert value == {"b": {"x": 1}, "r": {"x": 1, "y": 2}, "s": {"x": 1}}


def test_aliases_share_and_are_not_copied():
    value = value_of("a: &a [1, 2]\nb: [*a, *a]")
    assert value["b"][0] is value["a"]
    assert value["b"][1] is value["a"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("&a {b: *a}", {"b": {}}, id="mapping in itself"),
        pytest.param("&a [1, *a]", [1, []], id="list in itself"),
        pytest.param("x: &a {y: {z: [*a]}}", {"x": {"y": {"z": [{}]}}}, id="deep"),
        pytest.param("&a {<<: *a, b: 1}", {"b": 1}, id="merged into itself"),
    ],
)
def test_alias_inside_its_anchor(text, value):
    found = read_yaml(text)
    assert found.value == value
    assert found.circular == ["a"]


def bomb(levels: int, width: int = 10) -> str:
    lines = ["l0: &l0 [x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(bomb(12), id="lists"),
        pytest.param(bomb(12).replace("[", "{a: [").replace("]", "]}"), id="mappings"),
        pytest.param(bomb(7, 100), id="wide"),
        pytest.param(bomb(10) + "\n? *l9\n: x", id="as key"),
        pytest.param(bomb(10) + "\nm: {<<: [{a: *l9}]}", id="merged"),
    ],
)
def test_alias_bomb_is_refused(text):
    with pytest.raises(JsonError, match="aliases stand for more than"):
        read_yaml(text)


def test_many_harmless_aliases():
    text = "a: &a {x: 1}\n" + "\n".join(f"k{n}: *a" for n in range(5000))
    assert len(value_of(text)) == 5001


def test_repeated_keys_are_told_and_the_later_counts():
    found = read_yaml("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert found.value == {"a": 3, "b": {"c": 2}}
    assert found.repeated == ["c", "a"]


def test_key_of_a_merge_is_no_repetition():
    assert read_yaml("b: &b {x: 1}\nr: {<<: *b, x: 2}").repeated == []


def test_first_of_several_documents():
    found = read_yaml("a: 1\n---\nb: 2\n")
    assert found.value == {"a": 1}
    assert found.more_documents


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        pytest.param("a: 1\n\tb: 2\n", 2, 1, "tab|token", id="tab as indent"),
        pytest.param("a: [1, 2\nb: 3\n", 2, 2, "expected", id="open list"),
        pytest.param("a: 1\nb: *nope\n", 2, 4, "undefined alias 'nope'", id="undefined alias"),
        pytest.param("a: 1\nb: c: d\n", 2, 5, "mapping values", id="two colons"),
        pytest.param("a: 'x\n", 2, 1, "end of", id="open quote"),
        pytest.param("a: 1\nb: x\x07y\n", 2, 5, "U\\+0007", id="control character"),
    ],
)
def test_syntax_error_names_line_and_column(text, line, column, problem):
    with pytest.raises(JsonError, match=problem) as caught:
        read_yaml(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "text", ["[" * 600 + "]" * 600, "{a: " * 600 + "}" * 600, "- " * 600 + "x"], ids=["[", "{", "-"]
)
def test_depth_is_bounded(text):
    with pytest.raises(JsonError, match=r"nested deeper than 500|nesting"):
        read_yaml(text)


def test_depth_counts_what_an_alias_brings():
    half = "[" * 300 + "x" + "]" * 300
    with pytest.raises(JsonError, match="nested deeper than 500"):
        read_yaml(f"a: &a {half}\nb: {'[' * 300}*a{']' * 300}")


def test_document_keeps_dates_and_versions_as_text():
    made = load_bytes(
        b"openapi: 3.0\ninfo: {title: 2020-01-01, version: 1.10}\npaths:\n  /d:\n    get:\n      operationId: d\n"
        b"      parameters: [{name: since, in: query, example: 1991-11-05,"
        b" schema: {type: string, format: date, default: 2024-02-30, enum: [NO, 012, 1e3, 2024-02-30]}}]\n"
    )
    since = parameter(operation(made), "since")
    assert (made.version, made.api_version, made.title) == ("3.0", "1.10", "2020-01-01")
    assert since.examples == ("1991-11-05",)
    assert write_json(since.schema["enum"]) == '["NO","012",1e3,"2024-02-30"]'


def test_status_codes_without_quotes():
    built = operation(from_yaml("paths: {/a: {get: {responses: {200: {description: fine}, 4XX: {description: no}}}}}"))
    assert [(item.status, item.description) for item in built.responses] == [("200", "fine"), ("4XX", "no")]


def test_tab_in_json_string_is_read():
    made = load_bytes(b'{"openapi": "3.0.0", "info": {"title": "a\tb", "version": "1"}, "paths": {}}')
    assert made.title == "a\tb"


def test_bomb_as_document_is_refused_at_once():
    with pytest.raises(DocumentError, match="alias bomb") as caught:
        from_yaml(bomb(12))
    assert caught.value.code == "document_syntax"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(str(number)))
    | st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff\u2028\u2029")),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("abc<~/1 :-", max_size=4), inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_json_text_is_the_same_in_yaml(value):
    """A flow of quoted texts and JSON numbers means the same to both readers."""
    text = write_json(value)
    if any(ord(char) > 0xFFFF or not char.isprintable() for char in text):
        return
    assert same(read_yaml(text).value, read_json(text))


@given(
    st.dictionaries(
        st.text("abcNOyes01:.-_ ", min_size=1, max_size=8).filter(lambda text: text != "<<"),
        st.integers() | st.booleans() | st.none() | st.text("abNOon012:.-_e+ ~#'\"", max_size=12),
        max_size=6,
    )
)
def test_block_yaml_gives_its_json_twin(value):
    """What PyYAML writes with every text quoted reads back as the JSON twin, keys as text."""
    lines = [f"{write_json(key)}:\n  - {write_json(item)}" for key, item in value.items()]
    assert value_of("\n".join(lines) or "{}") == {key: [item] for key, item in value.items()}


@given(st.text("0123456789.eE+-_:xo", min_size=1, max_size=8))
def test_plain_scalar_is_a_number_exactly_where_json_or_core_says(text):
    if not text.strip() or text.startswith(("-", ":", "---")) or text.endswith(":"):
        return
    try:
        found = value_of(f"[ {text} ]")[0]
    except JsonError:
        return
    is_json = re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", text) is not None
    if is_json:
        assert write_json(found) == text
    elif isinstance(found, str):
        assert found == text
    else:
        assert same(read_json(write_json(found)), found)


def test_c_parser_is_there():
    """Without it large documents take minutes."""
    assert hasattr(yaml, "CSafeLoader")
