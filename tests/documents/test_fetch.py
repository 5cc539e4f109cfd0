"""The built-in fetch against a loopback server."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from thinkagent.documents import load
from thinkagent.documents.fetch import fetch, is_loopback, public_url
from thinkagent.errors import DocumentError

TEXT = b"openapi: 3.1.0\ninfo: {title: fetched, version: '1'}\npaths: {}\n"


class Handler(BaseHTTPRequestHandler):
    hang = threading.Event()

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/hang":
            self.hang.wait(20)
        if path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path[4:])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b"x" * 5000 if path == "/large" else TEXT
        self.send_response(404 if path == "/missing" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    Handler.hang.set()
    running.shutdown()
    running.server_close()
    thread.join()


def test_document_is_fetched(server):
    assert load(f"{server}/openapi.yaml").title == "fetched"


def test_redirect_within_the_origin(server):
    assert fetch(f"{server}/to//openapi.yaml") == TEXT


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("/missing", "answered 404", id="404"),
        pytest.param("/to/http://127.0.0.2:1/x", "redirects to another origin", id="other host"),
        pytest.param("/to/https://127.0.0.1/x", "redirects to another origin", id="other scheme"),
        pytest.param("/to//to//to//to//to//to//to//x", "redirected more than 5 times", id="too often"),
    ],
)
def test_answers_that_are_no_document(server, path, message):
    with pytest.raises(DocumentError, match=message) as caught:
        load(server + path)
    assert (caught.value.code, caught.value.exit_code) == ("document_unreachable", 2)


def test_size_is_bounded(server):
    with pytest.raises(DocumentError, match="larger than 1000 bytes"):
        fetch(f"{server}/large", max_bytes=1000)


def test_deadline_holds(server):
    with pytest.raises(DocumentError, match=r"did not answer"):
        fetch(f"{server}/hang", deadline_s=0.3)


def test_nobody_listens(server):
    with pytest.raises(DocumentError, match="cannot be reached") as caught:
        fetch("http://127.0.0.1:1/a?key=SECRET")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://", "http://[::1", "http://host:99999/x", "http://a b/"])
def test_impossible_address(url):
    with pytest.raises(DocumentError):
        fetch(url, deadline_s=5)


def test_proxy_of_the_environment_is_not_used_for_loopback(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert fetch(f"{server}/x") == TEXT


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@h:8/p/a.json?k=v#f", "https://h:8/p/a.json"),
        ("http://h", "http://h"),
        ("http://[bad?x", "http://[bad"),
    ],
)
def test_public_url(url, shown):
    assert public_url(url) == shown


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://127.0.0.1:8/x", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:8", True),
        ("http://LOCALHOST", True),
        ("http://a.localhost", True),
        ("http://127.0.0.1.example.com", False),
        ("http://10.0.0.1", False),
        ("http://[bad", False),
    ],
)
def test_is_loopback(url, is_local):
    assert is_loopback(url) is is_local


def test_reading_a_file_imports_no_http_client(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(TEXT)
    code = (
        "import sys; from thinkagent.documents import load; load(sys.argv[1]).check();"
        "print([name for name in ('httpx', 'litellm', 'openai', 'openapi_spec_validator', 'jsonschema_rs') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
