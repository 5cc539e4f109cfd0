from __future__ import annotations

import pytest

from tests.engine.wire.making import BASE, credential, make_tool, opened
from thinkagent.documents.model import SecurityScheme
from thinkagent.engine.wire.auth import Target, check_header_name, credential_value, required_schemes
from thinkagent.errors import UsageError
from thinkagent.values import Secret

BEARER = SecurityScheme("b", "http", "bearer")
BASIC = SecurityScheme("u", "http", "basic")
KEY = SecurityScheme("k", "apiKey", location="header", parameter="X-Key")


class TestWhereItStands:
    @pytest.mark.parametrize(
        ("kind", "header", "value"),
        [
            ("bearer", "authorization", "Bearer tok-1"),
            ("basic", "authorization", "Basic tok-1"),
            ("header", "x-key", "tok-1"),
            ("cookie", "cookie", "api_key=tok-1"),
        ],
    )
    def test_header(self, kind, header, value):
        target = Target(BASE, {"key": credential(kind)})
        request = opened(make_tool(security=(("key",),)), {}, target, {"auth.key": "tok-1"})
        assert request.headers[header] == value

    def test_query(self):
        target = Target(BASE, {"key": credential("query")})
        request = opened(make_tool(security=(("key",),)), {}, target, {"auth.key": "a&b"})
        assert str(request.url) == "http://api.test/things?api_key=a%26b"

    @pytest.mark.parametrize("kind", ["oauth2", "openIdConnect"])
    def test_access_tokens_are_bearer_tokens(self, kind):
        given = credential("bearer")
        target = Target(BASE, {"key": type(given)(SecurityScheme("key", kind), given.secret)})
        request = opened(make_tool(security=(("key",),)), {}, target, {"auth.key": "tok-1"})
        assert request.headers["authorization"] == "Bearer tok-1"

    def test_the_users_headers_go_with_every_request_and_win(self):
        target = Target(
            BASE, {"key": credential("bearer")}, (("Authorization", Secret("own")), ("X-Org", Secret("org")))
        )
        request = opened(make_tool(security=(("key",),)), {}, target, {"own": "Token 1", "org": "7", "auth.key": "no"})
        assert request.headers.get_list("authorization") == ["Token 1"]
        assert request.headers["x-org"] == "7"

    def test_nothing_goes_to_another_origin(self):
        credentials = {"key": credential("bearer"), "q": credential("query", "q")}
        target = Target(
            "http://other.test", credentials, (("X-Org", Secret("org")),), credential_origin="http://api.test:80"
        )
        request = opened(make_tool(security=(("key", "q"),)), {}, target)
        assert "authorization" not in request.headers
        assert "x-org" not in request.headers
        assert str(request.url) == "http://other.test/things"
        same = Target("http://API.test:80/v1", credentials, credential_origin="http://api.test:80")
        assert "authorization" in opened(make_tool(security=(("key",),)), {}, same, {"auth.key": "t"}).headers


class TestWhichScheme:
    @pytest.mark.parametrize(
        ("security", "given", "chosen"),
        [
            pytest.param((("a",),), ["a"], ("a",), id="the-one"),
            pytest.param((("a",), ("b",)), ["b"], ("b",), id="the-covered-alternative"),
            pytest.param((("a",), ("b",)), ["a", "b"], ("a",), id="the-first-alternative"),
            pytest.param((("a", "b"), ("c",)), ["a", "c"], ("c",), id="only-whole-alternatives"),
            pytest.param((("a", "b"),), ["a", "b"], ("a", "b"), id="together"),
            pytest.param(((), ("a",)), ["a"], ("a",), id="optional-but-given"),
            pytest.param(((), ("a",)), ["b"], (), id="optional"),
            pytest.param(((),), ["a"], (), id="none-needed"),
            pytest.param((), ["a"], (), id="none-said"),
            pytest.param((("a",),), [], (), id="none-given"),
            pytest.param((("a",),), ["b"], (), id="another-given"),
            pytest.param((("c",), ("a", "b")), ["a"], ("a",), id="what-there-is"),
        ],
    )
    def test_choice(self, security, given, chosen):
        target = Target(BASE, {name: credential("bearer", name) for name in given})
        assert required_schemes(make_tool(security=security).operation, target) == chosen

    def test_where_a_document_asks_for_nothing_at_all(self):
        target = Target(BASE, {"a": credential("bearer", "a")}, always=True)
        assert required_schemes(make_tool().operation, target) == ("a",)


class TestWhatIsKept:
    @pytest.mark.parametrize(
        ("scheme", "given", "kept"),
        [
            (BEARER, "tok-1", "tok-1"),
            (BEARER, " tok-1\n", "tok-1"),
            (BEARER, "Bearer tok-1", "tok-1"),
            (BASIC, "alice:p:w", "YWxpY2U6cDp3"),
            (BASIC, "é:ü", "w6k6w7w="),
            (BASIC, "Basic YWxpY2U6cDp3", "YWxpY2U6cDp3"),
            (KEY, "Bearer x", "Bearer x"),
            (SecurityScheme("k", "apiKey", location="query", parameter="k"), "é", "é"),
            (SecurityScheme("t", "http", "token"), "Token abc", "abc"),
        ],
    )
    def test_form(self, scheme, given, kept):
        assert credential_value(scheme, given) == kept

    @pytest.mark.parametrize(
        ("scheme", "given"),
        [
            (BEARER, ""),
            (BEARER, "  "),
            (BEARER, "SECRETtok\nX-Evil: 1"),
            (KEY, "SECRETtök"),
            (BASIC, "SECRETalone"),
            (SecurityScheme("d", "http", "digest"), "SECRETa:b"),
            (SecurityScheme("m", "mutualTLS"), "SECRET"),
            (SecurityScheme("k", "apiKey", location="body", parameter="k"), "SECRET"),
        ],
        ids=["empty", "blank", "line-break", "non-ascii", "no-colon", "digest", "mutual-tls", "odd-place"],
    )
    def test_refused_without_repeating_it(self, scheme, given):
        with pytest.raises(UsageError) as told:
            credential_value(scheme, given)
        assert repr(scheme.name) in str(told.value)
        assert "SECRET" not in str(told.value)


class TestHeaderNames:
    def test_taken(self):
        assert check_header_name("X-Access_Token.1") == "X-Access_Token.1"

    @pytest.mark.parametrize("name", ["", "a b", "a:b", "é", "a\n", "Host", "content-length", "Content-Type"])
    def test_refused(self, name):
        with pytest.raises(UsageError) as told:
            check_header_name(name)
        assert told.value.where == "--header"
