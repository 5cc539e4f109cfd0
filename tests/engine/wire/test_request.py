from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.wire.making import BASE, credential, make_tool, opened, parameter
from thinkagent import __version__
from thinkagent.documents.model import MediaType, Response
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.request import WireRequest, build_request
from thinkagent.errors import ArgumentError
from thinkagent.values import Secret, SecretText, Spelled, read_json, write_json

GET_DOC = make_tool("GET", "/docs/{name}", [parameter("name", "path"), parameter("q"), parameter("deep")])


def url_of(tool, arguments, base=BASE, **target):
    return build_request(tool, arguments, Target(base, **target)).url


class TestUrl:
    @pytest.mark.parametrize(
        ("base", "path", "url"),
        [
            ("http://h", "/users", "http://h/users"),
            ("http://h/", "/users", "http://h/users"),
            ("http://h/v1", "/users", "http://h/v1/users"),
            ("http://h/v1/", "/users/", "http://h/v1/users/"),
            ("http://h/v1//", "users", "http://h/v1/users"),
            ("http://h", "/", "http://h/"),
            ("http://h/v1", "/", "http://h/v1/"),
            ("http://h/a b", "/c d", "http://h/a%20b/c%20d"),
            ("http://h", "/a%20b#top", "http://h/a%20b"),
        ],
    )
    def test_base_and_path_meet_in_one_slash(self, base, path, url):
        assert url_of(make_tool(path=path), {}, base) == url

    @pytest.mark.parametrize(
        ("arguments", "url"),
        [
            ({"name": "../staff?y=2#z"}, "http://api.test/docs/..%2Fstaff%3Fy%3D2%23z"),
            ({"name": "a", "q": "Alice Chen"}, "http://api.test/docs/a?q=Alice%20Chen"),
            ({"name": "a", "q": "1+1=2&x"}, "http://api.test/docs/a?q=1%2B1%3D2%26x"),
            ({"name": "a", "deep": False}, "http://api.test/docs/a?deep=false"),
            ({"name": "a", "deep": None, "q": ""}, "http://api.test/docs/a?q="),
            (
                {"deep": True, "q": "x", "name": 8812349007199254741},
                "http://api.test/docs/8812349007199254741?q=x&deep=true",
            ),
        ],
    )
    def test_arguments_in_document_order(self, arguments, url):
        assert url_of(GET_DOC, arguments) == url

    @pytest.mark.parametrize(
        ("base", "path", "arguments", "query"),
        [
            ("http://h/api?tenant=7", "/list", {"page": 2}, "tenant=7&page=2"),
            ("http://h/api?tenant=7", "/list", {}, "tenant=7"),
            ("http://h/api?tenant=7&blank=", "/list?kind=a+b%20c&", {"page": 2}, "tenant=7&blank=&kind=a+b%20c&page=2"),
            ("http://h/api?page=1", "/list", {"page": 2}, "page=1&page=2"),
            ("http://h/api?", "/list?", {}, ""),
        ],
    )
    def test_fixed_query_parts_stay(self, base, path, arguments, query):
        url = url_of(make_tool(path=path, parameters=[parameter("page")]), arguments, base)
        assert str(url).partition("?")[2] == query

    def test_a_credential_takes_the_place_of_its_namesake(self):
        tool = make_tool(path="/list?api_key=old&a=1", parameters=[parameter("api_key")], security=(("key",),))
        url = url_of(tool, {"api_key": "mine"}, "http://h?api_key=older", credentials={"key": credential("query")})
        assert url == SecretText(("http://h/list?a=1&api_key=", Secret("auth.key")))

    def test_placeholders_within_a_segment(self):
        tool = make_tool(path="/r/{a}-{b}.json", parameters=[parameter("a", "path"), parameter("b", "path")])
        assert url_of(tool, {"a": "x", "b": 2}) == "http://api.test/r/x-2.json"

    @pytest.mark.parametrize("placeholder", ["{id}", "{id*}", "{.id}", "{;id*}", "{id:3}"])
    def test_placeholders_of_rfc_6570(self, placeholder):
        assert url_of(make_tool(path=f"/r/{placeholder}/x", parameters=[parameter("id", "path")]), {"id": 7}) == (
            "http://api.test/r/7/x"
        )

    def test_a_path_parameter_that_is_json(self):
        tool = make_tool(path="/r/{f}", parameters=[parameter("f", "path", content_type="application/json")])
        assert url_of(tool, {"f": {"a": [1]}}) == "http://api.test/r/%7B%22a%22%3A%5B1%5D%7D"

    @pytest.mark.parametrize(
        "arguments",
        [{"name": ".."}, {"name": "."}, {"name": ""}, {"name": None}, {}, {"name": "a", "unknown": 1}],
        ids=["dots", "dot", "empty", "null", "missing", "unknown"],
    )
    def test_refused(self, arguments):
        with pytest.raises(ArgumentError):
            build_request(GET_DOC, arguments, Target(BASE))

    def test_two_values_do_not_make_a_dot_segment(self):
        tool = make_tool(path="/r/{a}{b}", parameters=[parameter("a", "path"), parameter("b", "path", style="label")])
        with pytest.raises(ArgumentError):
            build_request(tool, {"a": "x", "b": "."}, Target(BASE))
        dotted = make_tool(path="/r/.{a}", parameters=[parameter("a", "path")])
        assert url_of(dotted, {"a": "x"}) == "http://api.test/r/.x"

    @given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text not in (".", "..")))
    def test_what_is_decided_on_is_what_is_sent(self, value):
        request = build_request(GET_DOC, {"name": value, "q": value}, Target("http://api.test/v1?x=[1]"))
        assert str(open_request(request, lambda secret: "").url) == request.url


class TestHeaders:
    def test_of_every_request(self):
        request = opened(make_tool(), {})
        assert request.headers["user-agent"] == f"thinkagent/{__version__}"
        assert request.headers["accept-encoding"] == "gzip, identity"
        assert request.headers["accept"] == "application/json, */*;q=0.1"
        assert request.headers["host"] == "api.test"
        assert "content-type" not in request.headers
        assert "cookie" not in request.headers

    def test_accept_names_what_the_document_offers_json_first(self):
        responses = [
            Response("404", content=(MediaType("application/problem+json", True),)),
            Response("200", content=(MediaType("text/csv", True), MediaType("application/vnd.api+json; v=1", True))),
        ]
        accept = opened(make_tool(responses=responses), {}).headers["accept"]
        assert accept == "application/vnd.api+json, application/problem+json, text/csv, */*;q=0.1"

    def test_header_and_cookie_arguments(self):
        tool = make_tool(
            parameters=[
                parameter("X-Trace", "header"),
                parameter("X-Tags", "header"),
                parameter("X-None", "header"),
                parameter("session", "cookie"),
                parameter("flag", "cookie"),
            ]
        )
        arguments = {"X-Trace": "a b", "X-Tags": ["x", "y"], "X-None": None, "session": "s;1", "flag": True}
        request = opened(tool, arguments)
        assert request.headers["x-trace"] == "a b"
        assert request.headers["x-tags"] == "x,y"
        assert "x-none" not in request.headers
        assert request.headers["cookie"] == "session=s%3B1; flag=true"

    @pytest.mark.parametrize("name", ["Host", "Content-Length", "Transfer-Encoding", "content-type", "Authorization"])
    def test_the_message_itself_is_not_an_arguments_to_set(self, name):
        with pytest.raises(ArgumentError, match="the program sets this header itself"):
            build_request(make_tool(parameters=[parameter(name, "header")]), {name: "x"}, Target(BASE))

    def test_a_documented_user_agent_is_sent(self):
        assert (
            opened(make_tool(parameters=[parameter("User-Agent", "header")]), {"User-Agent": "me"}).headers[
                "user-agent"
            ]
            == "me"
        )


class TestBodies:
    @pytest.mark.parametrize(
        ("body_type", "sent_type"),
        [
            ("application/json", "application/json"),
            ("application/json; charset=utf-8", "application/json; charset=utf-8"),
            ("application/merge-patch+json", "application/merge-patch+json"),
            ("APPLICATION/VND.API+JSON", "APPLICATION/VND.API+JSON"),
            ("text/json", "text/json"),
            ("*/*", "application/json"),
            ("application/*", "application/json"),
        ],
    )
    def test_json_by_any_name(self, body_type, sent_type):
        request = opened(make_tool("PATCH", body=True, body_type=body_type), {"body": {"note": None, "é": [True]}})
        assert request.headers["content-type"] == sent_type
        assert request.content == '{"note":null,"é":[true]}'.encode()
        assert request.headers["content-length"] == "25"

    @pytest.mark.parametrize("text", ["1.10", "1e2", "-0", "9007199254740993", "0.10", "1E400", str(10**40 + 7)])
    def test_numbers_leave_as_they_came(self, text):
        request = opened(make_tool("POST", body=True), {"body": {"n": read_json(text)}})
        assert request.content == f'{{"n":{text}}}'.encode()

    @pytest.mark.parametrize(
        ("value", "sent"),
        [
            ({"a": 1, "b": "x y&z=é*"}, "a=1&b=x+y%26z%3D%C3%A9*"),
            ({"tags": ["a", "b"], "none": None, "on": True}, "tags=a&tags=b&on=true"),
            ({"address": {"zip": Decimal("1.0")}}, "address=%7B%22zip%22%3A1.0%7D"),
            ({}, ""),
        ],
    )
    def test_forms(self, value, sent):
        tool = make_tool("POST", body=True, body_type="application/x-www-form-urlencoded")
        request = opened(tool, {"body": value})
        assert request.content.decode() == sent
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"

    def test_forms_with_an_encoding(self):
        tool = make_tool(
            "POST",
            body=True,
            body_type="application/x-www-form-urlencoded",
            encoding={"created": {"style": "deepObject", "explode": True}, "ids": {"explode": False}},
        )
        request = opened(tool, {"body": {"created": {"gte": 5}, "ids": [1, 2]}})
        assert request.content.decode() == "created%5Bgte%5D=5&ids=1,2"

    @pytest.mark.parametrize(
        ("value", "sent", "content_type"),
        [
            ("plain", b"plain", "text/plain"),
            ("é", "é".encode(), "text/plain; charset=utf-8"),
            (Spelled("1e2"), b"1e2", "text/plain"),
        ],
    )
    def test_text(self, value, sent, content_type):
        request = opened(make_tool("POST", body=True, body_type="text/plain"), {"body": value})
        assert request.content == sent
        assert request.headers["content-type"] == content_type

    @pytest.mark.parametrize(
        ("body_type", "value"),
        [
            ("text/plain", {"a": 1}),
            ("text/plain", None),
            ("application/x-www-form-urlencoded", [1]),
            ("multipart/form-data", {"a": 1}),
        ],
    )
    def test_refused(self, body_type, value):
        with pytest.raises(ArgumentError):
            build_request(make_tool("POST", body=True, body_type=body_type), {"body": value}, Target(BASE))

    def test_no_body(self):
        post = opened(make_tool("POST", body=True, body_required=False), {})
        assert post.headers["content-length"] == "0"
        assert "content-type" not in post.headers
        assert "content-length" not in opened(make_tool("GET"), {}).headers

    def test_half_a_surrogate_pair_travels_as_an_escape(self):
        assert opened(make_tool("POST", body=True), {"body": ["\ud800"]}).content == b'["\\ud800"]'


VALUE = 'a"b/c d\\é+&'


class TestSecrets:
    """Each secret is encoded for where it stands, when the request is opened and not before."""

    def test_in_every_place(self):
        token = Secret("t")
        tool = make_tool(
            "POST",
            "/x/{p}",
            [parameter("p", "path"), parameter("q"), parameter("X-T", "header"), parameter("c", "cookie")],
            body=True,
        )
        arguments = {
            "p": token,
            "q": SecretText(("a ", token)),
            "X-T": SecretText(("T ", Secret("h"))),
            "c": Secret("h"),
            "body": {"t": SecretText(("Bearer ", token, '"')), "u": [token], "secret0hole0z": "secret0hole0z"},
        }
        request = opened(tool, arguments, secrets={"t": VALUE, "h": "tok-1"})
        encoded = "a%22b%2Fc%20d%5C%C3%A9%2B%26"
        assert str(request.url) == f"http://api.test/x/{encoded}?q=a%20{encoded}"
        assert request.headers["x-t"] == "T tok-1"
        assert request.headers["cookie"] == "c=tok-1"
        assert read_json(request.content) == {
            "t": f'Bearer {VALUE}"',
            "u": [VALUE],
            "secret0hole0z": "secret0hole0z",
        }

    def test_in_a_form(self):
        tool = make_tool("POST", body=True, body_type="application/x-www-form-urlencoded")
        request = opened(tool, {"body": {"t": Secret("t")}}, secrets={"t": VALUE})
        assert request.content == b"t=a%22b%2Fc+d%5C%C3%A9%2B%26"

    def test_in_text(self):
        tool = make_tool("POST", body=True, body_type="text/plain")
        assert opened(tool, {"body": Secret("t")}, secrets={"t": VALUE}).content == VALUE.encode()

    def test_nothing_but_the_name_stands_in_the_event(self):
        tool = make_tool("POST", "/x/{p}", [parameter("p", "path")], body=True)
        request = build_request(tool, {"p": Secret("t"), "body": {"t": Secret("t")}}, Target(BASE))
        assert request.as_log() == {
            "method": "POST",
            "url": {"$text": ["http://api.test/x/", {"$secret": "t"}]},
            "headers": [
                ["accept", "application/json, */*;q=0.1"],
                ["accept-encoding", "gzip, identity"],
                ["content-type", "application/json"],
            ],
            "body": {"$text": ['{"t":"', {"$secret": "t"}, '"}']},
            "content_type": "application/json",
            "label": "POST /x/{p}",
        }
        assert WireRequest.from_log(read_json(write_json(request.as_log()))) == request
        assert WireRequest.from_dict(request.as_dict()) == request

    @pytest.mark.parametrize("value", ["", ".", ".."])
    def test_no_secret_changes_the_path(self, value):
        with pytest.raises(ArgumentError, match="a secret cannot stand in"):
            opened(GET_DOC, {"name": Secret("t")}, secrets={"t": value})

    @pytest.mark.parametrize("value", ["tok\r\nX: 1", "tok\n1", "tok\0", "tök", "日本"], ids=ascii)
    def test_no_secret_breaks_a_header(self, value):
        tool = make_tool(parameters=[parameter("X-T", "header")])
        with pytest.raises(ArgumentError) as told:
            opened(tool, {"X-T": Secret("t")}, secrets={"t": value})
        assert value not in str(told.value)
        assert "'X-T'" in str(told.value)
        assert told.value.__cause__ is None

    def test_a_stray_line_end_around_it_is_taken_off(self):
        tool = make_tool(parameters=[parameter("X-T", "header")])
        assert opened(tool, {"X-T": Secret("t")}, secrets={"t": " tok-1\n"}).headers["x-t"] == "tok-1"

    @pytest.mark.parametrize("value", ["a;b", "a b", "a,b", 'a"b'])
    def test_no_secret_breaks_a_cookie(self, value):
        with pytest.raises(ArgumentError, match="header 'cookie'"):
            opened(make_tool(parameters=[parameter("c", "cookie")]), {"c": Secret("t")}, secrets={"t": value})


class TestDigest:
    def test_same_call_same_digest(self):
        tool = make_tool("POST", body=True, parameters=[parameter("a"), parameter("b")])
        one = build_request(tool, {"a": 1, "b": 2, "body": {"x": 1}}, Target(BASE))
        other = build_request(tool, {"body": {"x": 1}, "b": 2, "a": 1}, Target(BASE))
        assert one == other
        assert one.digest == other.digest
        assert one.digest.startswith("sha256:")

    @pytest.mark.parametrize(
        "changed",
        [
            {"a": 2, "body": {"x": 1}},
            {"a": 1, "body": {"x": 2}},
            {"a": 1, "body": {"x": "1"}},
            {"a": 1, "body": {"x": Secret("1")}},
            {"a": 1},
        ],
    )
    def test_another_call_another_digest(self, changed):
        tool = make_tool("POST", body=True, body_required=False, parameters=[parameter("a")])
        first = build_request(tool, {"a": 1, "body": {"x": 1}}, Target(BASE))
        assert build_request(tool, changed, Target(BASE)).digest != first.digest


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, st.text(max_size=4))
def test_secrets_never_disturb_the_json_around_them(value, secret):
    body = {"before": value, "token": Secret("t"), "text": SecretText(("secret0", Secret("t"), "hole")), "after": value}
    sent = opened(make_tool("POST", body=True), {"body": body}, secrets={"t": secret}).content
    assert sent.decode() == write_json({**body, "token": secret, "text": f"secret0{secret}hole"})


@given(json_values)
def test_a_body_is_byte_identical_to_the_writers(value):
    assert opened(make_tool("POST", body=True), {"body": value}).content == write_json(value).encode()
