from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.wire.making import make_tool
from thinkagent.documents.model import Server, ServerVariable
from thinkagent.engine.wire.servers import base_url, check_base_url, is_loopback, origin, same_origin
from thinkagent.errors import UsageError

OPERATION = make_tool().operation
A, B = Server("http://a.test/v1"), Server("https://b.test")
WEB = "http://docs.test:8080/api/openapi.json"


class TestChoice:
    @pytest.mark.parametrize(
        ("servers", "options", "url"),
        [
            pytest.param((A, B), {}, "http://a.test/v1", id="first"),
            pytest.param((A, B), {"server_index": 2}, "https://b.test", id="by-number"),
            pytest.param((A,), {"override": "http://127.0.0.1:9/x"}, "http://127.0.0.1:9/x", id="override"),
            pytest.param((A,), {"override": "http://o.test", "server_index": 7}, "http://o.test", id="override-wins"),
            pytest.param((), {"override": "http://o.test"}, "http://o.test", id="override-alone"),
            pytest.param((Server("/v2"),), {"source": WEB}, "http://docs.test:8080/v2", id="relative"),
            pytest.param((Server("v2/"),), {"source": WEB}, "http://docs.test:8080/api/v2/", id="relative-to-folder"),
            pytest.param((Server("../v2"),), {"source": WEB}, "http://docs.test:8080/v2", id="relative-up"),
            pytest.param((Server("//h.test/x"),), {"source": WEB}, "http://h.test/x", id="scheme-relative"),
            pytest.param((Server("/"),), {"source": WEB}, "http://docs.test:8080/", id="slash"),
            pytest.param((), {"source": WEB}, "http://docs.test:8080/", id="none-means-the-documents-own"),
            pytest.param((Server("http://a.test?tenant=7"),), {}, "http://a.test?tenant=7", id="query-stays"),
            pytest.param((Server(" HTTP://A.Test:80/V1#x "),), {}, "http://a.test/V1", id="normal-form"),
            pytest.param((Server("https://a.test:443/./b/../c/"),), {}, "https://a.test/c/", id="dot-segments"),
            pytest.param((Server("http://[::1]:8080/v1"),), {}, "http://[::1]:8080/v1", id="ipv6"),
        ],
    )
    def test_url(self, servers, options, url):
        assert base_url(servers, OPERATION, **options) == url

    def test_the_operations_own_servers_come_first(self):
        operation = type(OPERATION)("GET", "/x", "", "#", servers=(B,))
        assert base_url((A,), operation) == "https://b.test"
        assert base_url((A,), operation, server_index=1) == "http://a.test/v1"

    def test_variables(self):
        server = Server(
            "http://{region}.test:{port}/{base}",
            variables={
                "region": ServerVariable("eu", ("eu", "us")),
                "port": ServerVariable("8443"),
                "base": ServerVariable("v1/x"),
            },
        )
        assert base_url((server,), None) == "http://eu.test:8443/v1/x"
        assert base_url((server,), None, variables={"region": "us"}) == "http://us.test:8443/v1/x"


class TestRefusals:
    @pytest.mark.parametrize(
        ("servers", "options", "message"),
        [
            pytest.param(
                (),
                {"source": "shop.yaml"},
                "'shop.yaml' names no server and --base-url is not given (#/servers). Pass --base-url http://…",
                id="none",
            ),
            pytest.param((Server("/v1"),), {"source": "shop.yaml"}, "names the relative server '/v1'", id="relative"),
            pytest.param(
                (A, B), {"server_index": 3}, "there is no server 3; the document has 1 'http://a.test/v1', 2", id="3"
            ),
            pytest.param((A,), {"server_index": 0}, "there is no server 0", id="zero"),
            pytest.param((Server("http://{t}.test"),), {}, "has a variable 't' without a value", id="no-default"),
            pytest.param(
                (Server("http://{t}.test", variables={"t": ServerVariable("x", ("a", "b"))}),),
                {},
                "server variable 't' is 'x', not one of 'a', 'b'",
                id="outside-enum",
            ),
            pytest.param((Server("ftp://a.test"),), {}, "is no http or https address", id="ftp"),
            pytest.param((Server("file:///etc/passwd"),), {}, "is no http or https address", id="file"),
            pytest.param((), {"override": "localhost:8080"}, "is no http or https address", id="no-scheme"),
            pytest.param((), {"override": "http://"}, "is no valid address", id="no-host"),
            pytest.param((), {"override": "http:///x"}, "is no valid address", id="empty-host"),
            pytest.param((), {"override": "http://h:99999"}, "is no valid address", id="port"),
            pytest.param((), {"override": "http://h:x"}, "is no valid address", id="port-word"),
            pytest.param((), {"override": "http://a.test\\b.test"}, "is no valid address", id="backslash"),
            pytest.param((), {"override": "http://a b.test"}, "is no valid address", id="blank"),
            pytest.param((), {"override": "http://[::1"}, "is no valid address", id="bracket"),
        ],
    )
    def test_message(self, servers, options, message):
        with pytest.raises(UsageError) as told:
            base_url(servers, OPERATION, **options)
        assert message in str(told.value)

    @pytest.mark.parametrize("value", ["evil.test/", "evil.test#", "a@evil", "a:1", "a?b", "a\\b", "a b"])
    def test_a_variable_cannot_reach_another_host(self, value):
        server = Server("http://{tenant}.example.test", variables={"tenant": ServerVariable("a")})
        with pytest.raises(UsageError, match="would change the address around it"):
            base_url((server,), None, variables={"tenant": value})

    @pytest.mark.parametrize("address", ["http://us:SECRET1@h.test", "http://SECRET1@h.test/?key=SECRET2"])
    def test_credentials_in_the_address_are_not_repeated(self, address):
        with pytest.raises(UsageError) as told:
            check_base_url(address, "--base-url")
        assert "user name or password" in str(told.value)
        assert "SECRET" not in str(told.value)

    def test_a_query_is_not_repeated(self):
        with pytest.raises(UsageError) as told:
            check_base_url("ftp://us:SECRET1@h.test/?key=SECRET2", "--base-url")
        assert "SECRET" not in str(told.value)


class TestOrigin:
    @pytest.mark.parametrize(
        ("left", "right", "same"),
        [
            ("http://h/a", "http://h/b?c", True),
            ("http://h", "http://H:80", True),
            ("https://h", "https://h:443", True),
            ("http://h", "https://h", False),
            ("http://h:1", "http://h:2", False),
            ("http://h", "http://h.evil", False),
            ("http://[::1]:80", "http://[::1]", True),
        ],
    )
    def test_same(self, left, right, same):
        assert same_origin(left, right) is same

    def test_spelling(self):
        assert origin("HTTPS://Api.Test/x") == "https://api.test:443"
        assert origin("http://[::1]:9/x") == "http://[::1]:9"

    @pytest.mark.parametrize(
        ("url", "loopback"),
        [
            ("http://localhost:1", True),
            ("http://LOCALHOST.", True),
            ("http://api.localhost", True),
            ("http://127.0.0.1", True),
            ("http://127.9.9.9", True),
            ("http://[::1]:1", True),
            ("http://[::ffff:127.0.0.1]", True),
            ("http://localhost.evil.test", False),
            ("http://127.0.0.1.evil.test", False),
            ("http://10.0.0.1", False),
            ("http://0.0.0.0", False),
            ("http://", False),
        ],
    )
    def test_loopback(self, url, loopback):
        assert is_loopback(url) is loopback


@given(st.text(max_size=20))
def test_any_text_is_an_address_or_a_usage_error(text):
    for address in (text, f"http://{text}"):
        try:
            normal = check_base_url(address, "--base-url")
        except UsageError:
            continue
        assert check_base_url(normal, "--base-url") == normal
