from __future__ import annotations

from decimal import Decimal
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.wire.making import parameter
from thinkagent.engine.wire.styles import serialize_cookie, serialize_header, serialize_path, serialize_query
from thinkagent.errors import ArgumentError
from thinkagent.values import Secret, SecretText, Spelled

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}


class TestStandardsTable:
    """OpenAPI 3.1, "Style Examples", row by row."""

    @pytest.mark.parametrize(
        ("style", "explode", "value", "text"),
        [
            pytest.param("matrix", False, "blue", ";color=blue", id="matrix-string"),
            pytest.param("matrix", False, ARRAY, ";color=blue,black,brown", id="matrix-array"),
            pytest.param("matrix", False, OBJECT, ";color=R,100,G,200,B,150", id="matrix-object"),
            pytest.param("matrix", True, "blue", ";color=blue", id="matrix-explode-string"),
            pytest.param("matrix", True, ARRAY, ";color=blue;color=black;color=brown", id="matrix-explode-array"),
            pytest.param("matrix", True, OBJECT, ";R=100;G=200;B=150", id="matrix-explode-object"),
            pytest.param("label", False, "blue", ".blue", id="label-string"),
            pytest.param("label", False, ARRAY, ".blue,black,brown", id="label-array"),
            pytest.param("label", False, OBJECT, ".R,100,G,200,B,150", id="label-object"),
            pytest.param("label", True, "blue", ".blue", id="label-explode-string"),
            pytest.param("label", True, ARRAY, ".blue.black.brown", id="label-explode-array"),
            pytest.param("label", True, OBJECT, ".R=100.G=200.B=150", id="label-explode-object"),
            pytest.param("simple", False, "blue", "blue", id="simple-string"),
            pytest.param("simple", False, ARRAY, "blue,black,brown", id="simple-array"),
            pytest.param("simple", False, OBJECT, "R,100,G,200,B,150", id="simple-object"),
            pytest.param("simple", True, "blue", "blue", id="simple-explode-string"),
            pytest.param("simple", True, ARRAY, "blue,black,brown", id="simple-explode-array"),
            pytest.param("simple", True, OBJECT, "R=100,G=200,B=150", id="simple-explode-object"),
        ],
    )
    def test_path(self, style, explode, value, text):
        assert serialize_path(parameter("color", "path", style=style, explode=explode), value) == text

    @pytest.mark.parametrize(
        ("style", "explode", "value", "query"),
        [
            pytest.param("form", False, "", "color=", id="form-empty"),
            pytest.param("form", False, "blue", "color=blue", id="form-string"),
            pytest.param("form", False, ARRAY, "color=blue,black,brown", id="form-array"),
            pytest.param("form", False, OBJECT, "color=R,100,G,200,B,150", id="form-object"),
            pytest.param("form", True, "", "color=", id="form-explode-empty"),
            pytest.param("form", True, "blue", "color=blue", id="form-explode-string"),
            pytest.param("form", True, ARRAY, "color=blue&color=black&color=brown", id="form-explode-array"),
            pytest.param("form", True, OBJECT, "R=100&G=200&B=150", id="form-explode-object"),
            pytest.param("spaceDelimited", False, ARRAY, "color=blue%20black%20brown", id="space-array"),
            pytest.param("spaceDelimited", False, OBJECT, "color=R%20100%20G%20200%20B%20150", id="space-object"),
            pytest.param("pipeDelimited", False, ARRAY, "color=blue%7Cblack%7Cbrown", id="pipe-array"),
            pytest.param("pipeDelimited", False, OBJECT, "color=R%7C100%7CG%7C200%7CB%7C150", id="pipe-object"),
            pytest.param(
                "deepObject", True, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", id="deep-object"
            ),
            # What the table leaves open, decided here once.
            pytest.param("spaceDelimited", True, ARRAY, "color=blue&color=black&color=brown", id="space-explode"),
            pytest.param("pipeDelimited", True, ARRAY, "color=blue&color=black&color=brown", id="pipe-explode"),
            pytest.param("pipeDelimited", False, ["one"], "color=one", id="one-entry"),
            pytest.param("form", False, "a", "color=a", id="scalar-where-a-list-may-be"),
            pytest.param("form", False, [], "", id="empty-list"),
            pytest.param("form", True, {}, "", id="empty-object"),
            pytest.param("deepObject", True, {}, "", id="empty-deep-object"),
            pytest.param("form", True, None, "", id="null"),
            pytest.param("form", False, ["a", None, "b"], "color=a,b", id="null-member"),
            pytest.param("deepObject", True, {"a": None, "b": 1}, "color%5Bb%5D=1", id="deep-null-member"),
            pytest.param("deepObject", True, {"[é]": 1}, "color%5B%5B%C3%A9%5D%5D=1", id="deep-odd-key"),
        ],
    )
    def test_query(self, style, explode, value, query):
        pairs = serialize_query(parameter("color", "query", style=style, explode=explode), value)
        assert "&".join(f"{name}={text}" for name, text in pairs) == query

    @pytest.mark.parametrize(
        ("explode", "value", "text"),
        [
            pytest.param(False, "blue", "blue", id="string"),
            pytest.param(False, ARRAY, "blue,black,brown", id="array"),
            pytest.param(False, OBJECT, "R,100,G,200,B,150", id="object"),
            pytest.param(True, OBJECT, "R=100,G=200,B=150", id="explode-object"),
            pytest.param(False, 'a "b" %20', 'a "b" %20', id="not-percent-encoded"),
            pytest.param(False, "", "", id="empty"),
            pytest.param(False, None, None, id="null"),
            pytest.param(False, [], None, id="empty-list"),
        ],
    )
    def test_header(self, explode, value, text):
        assert serialize_header(parameter("X-Color", "header", explode=explode), value) == text

    @pytest.mark.parametrize(
        ("explode", "value", "cookies"),
        [
            pytest.param(False, ARRAY, [("color", "blue,black,brown")], id="array"),
            pytest.param(True, ARRAY, [("color", "blue"), ("color", "black"), ("color", "brown")], id="explode-array"),
            pytest.param(False, OBJECT, [("color", "R,100,G,200,B,150")], id="object"),
            pytest.param(True, 'a;b c,"é%', [("color", "a%3Bb%20c%2C%22%C3%A9%25")], id="what-cookies-forbid"),
            pytest.param(True, None, [], id="null"),
        ],
    )
    def test_cookie(self, explode, value, cookies):
        assert serialize_cookie(parameter("color", "cookie", explode=explode), value) == cookies


class TestScalars:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (True, "true"),
            (False, "false"),
            (1, "1"),
            (0, "0"),
            (Decimal("1.0"), "1.0"),
            (Decimal("1.10"), "1.10"),
            (Spelled("1e2"), "1e2"),
            (Decimal("-0"), "-0"),
            (2**53 + 1, "9007199254740993"),
            (10**40 + 7, str(10**40 + 7)),
            ("True", "True"),
            ("null", "null"),
        ],
    )
    def test_spelled_as_json_everywhere(self, value, text):
        assert serialize_path(parameter("x", "path"), value) == text
        assert serialize_query(parameter("x"), value) == [("x", text)]
        assert serialize_query(parameter("x", explode=False), [value, value]) == [("x", f"{text},{text}")]
        assert serialize_query(parameter("x", style="deepObject"), {"a": value}) == [("x%5Ba%5D", text)]
        assert serialize_header(parameter("x", "header"), value) == text
        assert serialize_cookie(parameter("x", "cookie"), value) == [("x", text)]

    def test_a_comma_within_a_value_stays_told_from_the_delimiter(self):
        assert serialize_query(parameter("ids", explode=False), ["a,b", "c"]) == [("ids", "a%2Cb,c")]
        assert serialize_query(parameter("ids", style="pipeDelimited"), ["a|b", "c"]) == [("ids", "a%7Cb%7Cc")]
        assert serialize_path(parameter("ids", "path"), ["a,b", "c"]) == "a%2Cb,c"

    def test_allow_reserved_leaves_only_what_cannot_end_the_value(self):
        pairs = serialize_query(parameter("q", allow_reserved=True), "a/b?c:d@e&f=g#h+i %41[j]")
        assert pairs == [("q", "a/b?c:d@e%26f%3Dg%23h%2Bi%20%2541%5Bj%5D")]

    def test_names_are_encoded(self):
        assert serialize_query(parameter("filter[a b]&"), 1) == [("filter%5Ba%20b%5D%26", "1")]

    def test_content_parameters_are_json(self):
        filter_ = parameter("filter", content_type="application/json")
        assert serialize_query(filter_, {"a": [Decimal("1.10"), None]}) == [
            ("filter", "%7B%22a%22%3A%5B1.10%2Cnull%5D%7D")
        ]


class TestPathSegments:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("../staff?y=2#z", "..%2Fstaff%3Fy%3D2%23z"),
            ("a/b", "a%2Fb"),
            ("%2e%2e", "%252e%252e"),
            ("a;b\\c", "a%3Bb%5Cc"),
            ("ä b", "%C3%A4%20b"),
            ("...", "..."),
            (7, "7"),
            (["a/b", 1], "a%2Fb,1"),
        ],
    )
    def test_one_segment(self, value, text):
        assert serialize_path(parameter("x", "path"), value) == text

    @pytest.mark.parametrize("value", ["", ".", "..", None, [], {}, ["."], [".."], [""], [None]], ids=repr)
    def test_refused(self, value):
        with pytest.raises(ArgumentError, match="path parameter 'x' cannot be sent"):
            serialize_path(parameter("x", "path"), value)

    def test_label_does_not_make_two_dots(self):
        with pytest.raises(ArgumentError):
            serialize_path(parameter("x", "path", style="label"), ".")


class TestRefusals:
    @pytest.mark.parametrize(
        "make",
        [
            pytest.param(lambda: serialize_query(parameter("x"), [[1]]), id="list-in-list"),
            pytest.param(lambda: serialize_query(parameter("x"), {"a": {"b": 1}}), id="object-in-object"),
            pytest.param(lambda: serialize_query(parameter("x", style="deepObject"), {"a": ["b"]}), id="deep-list"),
            pytest.param(lambda: serialize_query(parameter("x", style="deepObject"), "a"), id="deep-scalar"),
            pytest.param(lambda: serialize_path(parameter("x", "path"), [{}]), id="path-object-in-list"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), {"a": []}), id="header-list-in-object"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), ["a,b"]), id="header-comma"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), "a\r\nb: c"), id="header-crlf"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), "a\0"), id="header-nul"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), "é"), id="header-non-ascii"),
            pytest.param(lambda: serialize_header(parameter("x", "header"), " a"), id="header-blank"),
            pytest.param(lambda: serialize_query(parameter("x"), "\ud800"), id="surrogate"),
            pytest.param(
                lambda: serialize_query(parameter("x", content_type="application/json"), {"t": Secret("s")}),
                id="secret-in-json-parameter",
            ),
        ],
    )
    def test_said_never_dropped(self, make):
        with pytest.raises(ArgumentError) as told:
            make()
        assert told.value.code == "bad_arguments"
        assert "'x' cannot be sent" in str(told.value)


class TestSecrets:
    def test_stand_by_name(self):
        assert serialize_query(parameter("t"), Secret("s")) == [("t", Secret("s"))]
        assert serialize_query(parameter("t", explode=False), ["a b", Secret("s")]) == [
            ("t", SecretText(("a%20b,", Secret("s"))))
        ]
        assert serialize_path(parameter("t", "path"), SecretText(("x/", Secret("s")))) == SecretText(
            ("x%2F", Secret("s"))
        )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(texts, min_size=1, max_size=4))
def test_joined_lists_come_apart_again(items):
    """What is sent says which items there were: the delimiter is never encoded, and never raw within an item."""
    ((_, text),) = serialize_query(parameter("x", explode=False), items)
    assert [unquote(item) for item in str(text).split(",")] == items


@given(st.dictionaries(texts, texts, min_size=1, max_size=4))
def test_deep_objects_come_apart_again(value):
    pairs = serialize_query(parameter("x", style="deepObject"), value)
    assert {unquote(name)[2:-1]: unquote(str(text)) for name, text in pairs} == value


@given(texts.filter(lambda text: text not in ("", ".", "..")))
def test_a_path_value_is_one_segment(value):
    text = str(serialize_path(parameter("x", "path"), value))
    assert unquote(text) == value
    assert not set(text) & set("/?#\\;% ") - {"%"}
