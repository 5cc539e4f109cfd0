"""Hostile surroundings: what the user configured wins, and this machine is never reached through a proxy."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
import threading

import pytest

from tests.engine.wire.making import credential, make_tool
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.request import build_request
from thinkagent.engine.wire.send import send
from thinkagent.engine.wire.surroundings import proxy_for
from thinkagent.engine.wire.transport import make_transport
from thinkagent.errors import UsageError

PROXY = {"HTTP_PROXY": "http://p.test:3128"}


class TestProxy:
    @pytest.mark.parametrize(
        ("url", "environ", "proxy"),
        [
            pytest.param("http://a.test", {}, None, id="none"),
            pytest.param("http://a.test", PROXY, "http://p.test:3128", id="http"),
            pytest.param("https://a.test", PROXY, None, id="by-scheme"),
            pytest.param("https://a.test", {"https_proxy": "p.test:1"}, "http://p.test:1", id="without-scheme"),
            pytest.param("http://a.test", {"ALL_PROXY": "socks5://p.test:1"}, "socks5://p.test:1", id="all"),
            pytest.param("http://a.test", {**PROXY, "http_proxy": "http://q.test"}, "http://q.test", id="lower-case"),
            pytest.param("http://a.test", {**PROXY, "REQUEST_METHOD": "GET"}, None, id="cgi"),
            pytest.param(
                "http://a.test", {"http_proxy": "http://q", "REQUEST_METHOD": "GET"}, "http://q", id="cgi-lower"
            ),
            pytest.param("http://a.test", {"HTTP_PROXY": "  "}, None, id="blank"),
        ],
    )
    def test_chosen(self, url, environ, proxy):
        assert proxy_for(url, environ) == proxy

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.5.5.5", "localhost", "LOCALHOST.", "x.localhost", "[::1]"])
    @pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
    def test_never_for_this_machine(self, host, name):
        assert proxy_for(f"http://{host}:8080/x", {name: "http://127.0.0.1:1"}) is None

    @pytest.mark.parametrize(
        ("exceptions", "excepted"),
        [
            ("a.test", True),
            ("A.TEST", True),
            (".test", True),
            ("*.test", True),
            ("x, a.test ,y", True),
            ("*", True),
            ("a.test:8080", True),
            ("a.test:80", False),
            ("b.a.test", False),
            ("est", False),
            ("", False),
        ],
    )
    def test_exceptions_by_name(self, exceptions, excepted):
        assert (proxy_for("http://a.test:8080", {**PROXY, "NO_PROXY": exceptions}) is None) is excepted

    @pytest.mark.parametrize(
        ("exceptions", "excepted"),
        [("10.0.0.0/8", True), ("10.1.2.3", True), ("10.1.0.0/16,x", True), ("10.2.0.0/16", False), ("10", False)],
    )
    def test_exceptions_by_network(self, exceptions, excepted):
        assert (proxy_for("http://10.1.2.3", {**PROXY, "no_proxy": exceptions}) is None) is excepted

    @pytest.mark.parametrize("value", ["foo://us:SECRET1@p", "http://", "http://us:SECRET1@p:0", "http://p:SECRET1"])
    def test_a_bad_one_is_named_and_not_repeated(self, value):
        with pytest.raises(UsageError) as told:
            proxy_for("http://a.test", {"HTTP_PROXY": value})
        assert "HTTP_PROXY" in str(told.value)
        assert "SECRET" not in str(told.value)


class TestTransport:
    def test_the_environment_does_not_come_between(self, monkeypatch, tmp_path):
        """A proxy that is down, a login file for this host: the call goes straight, with the configured credential."""
        (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n", encoding="utf-8")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        received = bytearray()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                while b"\r\n\r\n" not in received:
                    received.extend(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

        async def run() -> bytes:
            target = Target(url, {"key": credential("bearer")})
            request = build_request(make_tool(security=(("key",),)), {}, target)
            transport = make_transport(url)
            answer = await send(open_request(request, lambda secret: "tok-1"), transport, total_s=5)
            await transport.aclose()
            return answer.body

        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            thread = threading.Thread(target=serve)
            thread.start()
            assert asyncio.run(run()) == b"ok"
            thread.join(5)
        assert received.startswith(b"GET /things HTTP/1.1\r\n")
        assert b"authorization: Bearer tok-1\r\n" in bytes(received).lower().replace(b"bearer", b"Bearer")
        assert received.lower().count(b"authorization") == 1

    @pytest.mark.parametrize(
        ("url", "environ", "word"),
        [
            ("https://a.test", {"SSL_CERT_FILE": "/nowhere/ca.pem"}, "SSL_CERT_FILE"),
            ("http://a.test", {"ALL_PROXY": "socks5://p.test:1"}, "socksio"),
        ],
        ids=["certificates", "socks"],
    )
    def test_what_cannot_be_used_is_a_usage_error(self, url, environ, word):
        with pytest.raises(UsageError, match=word):
            make_transport(url, environ)

    def test_certificates_do_not_matter_without_tls(self):
        assert make_transport("http://a.test", {"SSL_CERT_FILE": "/nowhere/ca.pem"})

    def test_the_libraries_below_log_nothing(self):
        logging.getLogger("httpcore").setLevel(logging.DEBUG)
        make_transport("http://a.test", {})
        assert not logging.getLogger("httpcore.http11").isEnabledFor(logging.INFO)
        assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)


def test_the_pure_part_imports_no_http_library():
    code = (
        "import sys, thinkagent.engine.wire, thinkagent.engine.arguments;"
        "print(sorted({'httpx', 'httpcore', 'litellm', 'openai', 'jsonschema_rs'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
