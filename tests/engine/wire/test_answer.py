from __future__ import annotations

import base64
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.engine.scope import MISSING
from thinkagent.engine.wire.answer import decode, parse_body, receive
from thinkagent.engine.wire.bodies import write_json_text
from thinkagent.values import JsonError, Secret, SecretText, digest


def headers(content_type=None):
    return [] if content_type is None else [("content-type", content_type)]


class TestJson:
    @pytest.mark.parametrize(
        "content_type",
        [
            "application/json",
            "APPLICATION/JSON; charset=utf-8",
            "text/json",
            "application/problem+json; charset=utf-8",
            "application/vnd.api+json",
            "application/merge-patch+json",
            "*/*",
            "",
            None,
        ],
    )
    def test_by_any_name(self, content_type):
        found = decode(headers(content_type), b'{"title": "bad qty", "qty": 0}')
        assert (found.value, found.kind, found.notes) == ({"title": "bad qty", "qty": 0}, "json", ())

    def test_header_names_have_no_case(self):
        assert decode([["Content-Type", "application/problem+json"]], "[1]").value == [1]

    @pytest.mark.parametrize(
        ("body", "value"),
        [
            pytest.param(b"null", None, id="null"),
            pytest.param(b"8812349007199254741", 8812349007199254741, id="long"),
            pytest.param(b"0.10", Decimal("0.10"), id="decimal"),
            pytest.param(b'\xef\xbb\xbf{"a":1}', {"a": 1}, id="utf-8-bom"),
            pytest.param("\ufeff[1]".encode("utf-16-le"), [1], id="utf-16-bom"),
            pytest.param("\ufeff[1]".encode("utf-32-be"), [1], id="utf-32-bom"),
            pytest.param('{"é":"日本"}'.encode(), {"é": "日本"}, id="utf-8"),
            pytest.param(b'"\\ud800"', "\ud800", id="surrogate"),
        ],
    )
    def test_values(self, body, value):
        assert decode(headers("application/json"), body).value == value

    def test_wrong_charset_label(self):
        assert decode(headers("application/json; charset=iso-8859-1"), '["é"]'.encode()).value == ["é"]
        assert decode(headers("application/json; charset=iso-8859-1"), '["é"]'.encode("latin-1")).value == ["é"]
        found = decode(headers("application/json; charset=klingon"), b'["\xff"]')
        assert found.value == ["\ufffd"]
        assert found.notes == ("the charset 'klingon' is not known", "some bytes are no text in its charset")

    @pytest.mark.parametrize(
        ("body", "note"),
        [
            (b"<html><title>upstream</title></html>", "not valid JSON: Expecting value (line 1, column 1)"),
            (b'{"a": [1,', "not valid JSON: "),
            (b'{"a":1} {"b":2}', "not valid JSON: Extra data"),
            (b'{"a": NaN}', "not valid JSON: NaN is not a JSON number"),
            (b"[-Infinity]", "not valid JSON: -Infinity is not a JSON number"),
            (b"[" * 10000 + b"]" * 10000, "not valid JSON: nested deeper than 200 levels"),
            (b'{"a":' * 201 + b"1" + b"}" * 201, "not valid JSON: nested deeper than 200 levels"),
            (b"{'a': 1}", "not valid JSON: "),
        ],
        ids=["html", "cut", "two-values", "nan", "infinity", "deep-list", "deep-object", "single-quotes"],
    )
    def test_the_label_says_json_the_body_does_not(self, body, note):
        found = decode(headers("application/json"), body)
        assert (found.value, found.kind) == (body.decode(), "text")
        assert found.notes[0].startswith(note)

    def test_duplicate_keys_are_noted(self):
        found = decode(headers("application/json"), b'{"id":1,"x":{"id":3,"id":4},"id":2}')
        assert found.value == {"id": 2, "x": {"id": 4}}
        assert found.notes == ("the key 'id' comes twice; the last one counts",)

    @pytest.mark.parametrize("content_type", ["application/x-ndjson", "application/jsonl", "application/json-seq"])
    def test_lines(self, content_type):
        found = decode(headers(content_type), b'{"a":1}\r\n\n\x1e{"a":1.0}\n')
        assert (found.value, found.kind) == ([{"a": 1}, {"a": Decimal("1.0")}], "json")
        assert decode(headers(content_type), b'{"a":1}\n{').kind == "text"

    def test_no_type_and_no_json_is_text(self):
        assert decode([], b"hello <b>") == decode([], "hello <b>")
        assert decode([], b"hello <b>").value == "hello <b>"
        assert decode([], b"hello <b>").notes == ()


class TestEmpty:
    @pytest.mark.parametrize("content_type", ["application/json", "text/html", "image/png", None])
    @pytest.mark.parametrize("body", [b"", b" \r\n\t", None])
    def test_no_body_is_missing_whatever_its_type(self, content_type, body):
        found = decode(headers(content_type), body)
        assert (found.value, found.kind, found.notes) == (MISSING, "empty", ())

    def test_null_is_a_value(self):
        assert decode(headers("application/json"), b" null ").value is None


class TestText:
    @pytest.mark.parametrize(
        ("content_type", "body", "text"),
        [
            ("text/plain", b"a\nb", "a\nb"),
            ("text/plain; charset=iso-8859-1", b"\xe9", "é"),
            ("text/html; charset='windows-1252'", b"\x80", "€"),
            ("text/csv", "é".encode(), "é"),
            ("application/xml", b"<a/>", "<a/>"),
            ("application/atom+xml", b"<a/>", "<a/>"),
            ("application/octet-stream", b"plain", "plain"),
            ("text/plain", b'{"a":1}', '{"a":1}'),
        ],
    )
    def test_decoded(self, content_type, body, text):
        found = decode(headers(content_type), body)
        assert (found.value, found.kind, found.notes) == (text, "text", ())

    @pytest.mark.parametrize("charset", ["rot13", "klingon", "zip", "undefined"])
    def test_odd_charsets(self, charset):
        assert decode(headers(f"text/plain; charset={charset}"), b"abc").value == "abc"

    def test_broken_text_is_noted(self):
        found = decode(headers("text/plain"), b"a\xffb")
        assert (found.value, found.notes) == ("a\ufffdb", ("some bytes are no text in its charset",))


class TestBinary:
    @pytest.mark.parametrize(
        ("content_type", "body", "kind"),
        [
            ("image/png", b"\x89PNG\0", "image/png"),
            ("application/pdf", b"%PDF-1.4 text only", "application/pdf"),
            ("application/octet-stream", b"\xff\xfe\xfd"[1:], "application/octet-stream"),
            (None, b"\0\1\2", "application/octet-stream"),
        ],
    )
    def test_summed_up(self, content_type, body, kind):
        found = decode(headers(content_type), body)
        assert found.kind == "binary"
        assert found.value == {"type": kind, "size": len(body), "digest": digest(body)}

    def test_the_event_holds_base64(self):
        received = receive(headers("image/png"), b"\x89PNG\0")
        assert (received.text, received.encoding) == (base64.b64encode(b"\x89PNG\0").decode(), "base64")
        assert decode(headers("image/png"), received.text, encoding="base64") == decode(
            headers("image/png"), b"\x89PNG\0"
        )


class TestSecretsInBodies:
    S = Secret("t")

    @pytest.mark.parametrize(
        ("parts", "value"),
        [
            pytest.param(('{"token":"', S, '"}'), {"token": S}, id="whole-string"),
            pytest.param(('["Bearer ', S, '\\n"]'), [SecretText(("Bearer ", S, "\n"))], id="in-a-string"),
            pytest.param(("[", S, ",1]"), [S, 1], id="was-a-number"),
            pytest.param(("[-12", S, "3.5,1]"), [SecretText(("-12", S, "3.5")), 1], id="in-a-number"),
            pytest.param(("[1", S, "2", Secret("u"), "3]"), [SecretText(("1", S, "2", Secret("u"), "3"))], id="two"),
            pytest.param((S,), S, id="alone"),
            pytest.param(('["', S, S, '"]'), [SecretText((S, S))], id="twice"),
            pytest.param(('{"', S, '":1}'), {"«secret t»": 1}, id="key"),
            pytest.param(('["a\\"', S, '","', S, '"]'), [SecretText(('a"', S)), S], id="after-an-escaped-quote"),
            pytest.param(('["secret0hole0z","', S, '"]'), ["secret0hole0z", S], id="text-like-a-stand-in"),
            pytest.param(
                ('["\\u0073ecret0hole0z","', S, '"]'), ["secret0hole0z", S], id="escaped-text-like-a-stand-in"
            ),
            pytest.param(('["secret0', S, 'hole0z"]'), [SecretText(("secret0", S, "hole0z"))], id="torn-stand-in"),
        ],
    )
    def test_put_back_where_they_stood(self, parts, value):
        assert parse_body(SecretText(parts)) == value
        assert decode(headers("application/json"), SecretText(parts)).value == value

    def test_json_lines(self):
        body = SecretText(('{"t":"', self.S, '"}\n[1]\n'))
        assert decode(headers("application/jsonl"), body).value == [{"t": self.S}, [1]]

    def test_text_keeps_them(self):
        body = SecretText(("token: ", self.S))
        assert decode(headers("text/plain"), body).value == body
        broken = decode(headers("application/json"), body)
        assert (broken.value, broken.kind) == (body, "text")

    def test_data_that_looks_like_a_mark_is_data(self):
        assert parse_body('{"$secret":"auth"}') == {"$secret": "auth"}

    def test_not_json(self):
        with pytest.raises(JsonError):
            parse_body(SecretText(("{", self.S)))

    @pytest.mark.timeout(10)
    def test_long_runs_of_digits_take_no_long_time(self):
        body = SecretText(("[" + "1" * 4000 + " " + "1" * 200_000, '"', self.S, '"]'))
        with pytest.raises(JsonError):
            parse_body(body)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values, st.text(max_size=4))
def test_what_is_written_with_secrets_is_read_with_them(before, after, text):
    value = [before, Secret("t"), {"secret0hole": SecretText((f"x{text}", Secret("u"), Secret("t")))}, after]
    body = write_json_text(value)
    assert parse_body(body) == value


@given(
    st.binary(max_size=60),
    st.sampled_from(["application/json", "text/plain", "image/png", "", "x", "text/plain; charset=utf-16"]),
)
def test_any_bytes_decode_to_something(body, content_type):
    found = decode(headers(content_type), body)
    received = receive(headers(content_type), body)
    again = decode(headers(content_type), received.text, encoding=received.encoding)
    assert (again.value, again.kind) == (found.value, found.kind)
