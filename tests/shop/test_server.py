"""The shop as a server: HTTP itself, threads, starting and stopping."""

from __future__ import annotations

import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.shop.conftest import NOW, TOKEN
from thinkagent.errors import UsageError
from thinkagent.shop import Seen, Shop, seed


def raw(shop: Shop, text: bytes) -> bytes:
    """Send bytes on a connection of their own and read until the server closes it."""
    address = ("127.0.0.1", int(shop.url.rpartition(":")[2]))
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(text)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return answer


def test_methods_that_a_path_does_not_know(client: httpx.Client) -> None:
    for method in ("PUT", "POST", "OPTIONS", "TRACE", "BREW"):
        answer = client.request(method, "/customers/cus_7")
        assert answer.status_code == 405
        assert answer.headers["Allow"] == "GET, DELETE, PATCH, HEAD"
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/customers/", "/customers/cus_7/orders", "/Customers", "//customers/a"]
)
def test_paths_where_nothing_is(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "/openapi.json" in answer.json()["detail"]


def test_head_is_get_without_the_content(client: httpx.Client) -> None:
    get, head = client.get("/customers"), client.head("/customers")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["Content-Length"] == get.headers["Content-Length"] == str(len(get.content))


def test_a_connection_is_kept_alive_over_answers_of_every_kind(shop: Shop, client: httpx.Client) -> None:
    for path in ("/customers", "/customers/cus_99", "/nothing", "/health"):
        client.get(path)
    client.delete("/customers/cus_3")
    stream = client.get("/health").extensions["network_stream"]
    assert client.get("/health").extensions["network_stream"] is stream


def test_the_request_log_holds_what_was_asked_and_answered(shop: Shop, client: httpx.Client) -> None:
    client.get("/customers?name=Alice%20Chen")
    client.get("/products/LAMP-01")
    httpx.get(f"{shop.url}/orders", trust_env=False)
    assert shop.requests == (
        Seen("GET", "/customers?name=Alice%20Chen", 200),
        Seen("GET", "/products/LAMP-01", 404),
        Seen("GET", "/orders", 401),
    )


def test_a_body_that_is_too_large_is_refused_and_the_connection_closed(client: httpx.Client, shop: Shop) -> None:
    answer = client.post("/coupons", content=b" " * 5_000_000, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.headers["Connection"] == "close"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(b"nonsense\r\n\r\n", b"400", id="no-http"),
        pytest.param(b"GET /health HTTP/9.9\r\n\r\n", b"505", id="version"),
        pytest.param(b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414", id="target"),
        pytest.param(b"GET /health HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431", id="headers"),
        pytest.param(b"POST /coupons HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400", id="length"),
        pytest.param(b"POST /coupons HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400", id="negative-length"),
        pytest.param(b"POST /coupons HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411", id="chunked"),
    ],
)
def test_what_is_hardly_http_is_a_problem_too(shop: Shop, text: bytes, status: bytes) -> None:
    answer = raw(shop, text)
    assert b'"status":' + status in answer
    assert b"<html" not in answer.lower()


def test_expect_continue_is_answered_before_the_body(shop: Shop) -> None:
    head = f"POST /coupons HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    address = ("127.0.0.1", int(shop.url.rpartition(":")[2]))
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(f"{head}Content-Length: 41\r\nExpect: 100-continue\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b'{"customerId": "cus_3", "code": "VIP20"} ')
        assert connection.recv(1000).startswith(b"HTTP/1.1 201")


def test_many_at_once_issue_one_coupon(shop: Shop) -> None:
    def issue(_: int) -> int:
        body = {"customerId": "cus_3", "code": "WELCOME10"}
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return httpx.post(f"{shop.url}/coupons", json=body, headers=headers, trust_env=False).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(issue, range(16)))
    assert sorted(statuses) == [201] + [409] * 15
    assert len(shop.requests) == 16


def test_stop_does_not_wait_for_clients_that_stay_connected() -> None:
    shop = Shop(seed(NOW), TOKEN)
    shop.start()
    address = ("127.0.0.1", int(shop.url.rpartition(":")[2]))
    with (
        socket.create_connection(address, timeout=10) as idle,
        httpx.Client(base_url=shop.url, trust_env=False) as used,
    ):
        assert used.get("/health").status_code == 200
        shop.stop()
        assert idle.recv(1) == b""
        with pytest.raises(httpx.TransportError):
            used.get("/health")
    shop.stop()
    assert len(shop.state()["customers"]) == 60


def test_a_stopped_shop_starts_again_with_its_records() -> None:
    shop = Shop(seed(NOW), TOKEN)
    with shop:
        httpx.delete(f"{shop.url}/customers/cus_3", headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False)
    with shop:
        assert httpx.get(f"{shop.url}/health", trust_env=False).status_code == 200
    assert len(shop.state()["customers"]) == 59


def test_a_taken_port_is_said() -> None:
    with Shop(seed(NOW), TOKEN) as first:
        port = int(first.url.rpartition(":")[2])
        with pytest.raises(UsageError, match=f"127.0.0.1:{port}") as caught:
            Shop(seed(NOW), TOKEN, port).start()
    assert caught.value.code == "port_taken"


def test_a_chosen_port_is_used() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Shop(seed(NOW), TOKEN, port) as shop:
        assert shop.url == f"http://127.0.0.1:{port}"


def test_a_token_is_made_up_where_none_is_given() -> None:
    first, second = Shop(seed(NOW)), Shop(seed(NOW))
    assert len(first.token) > 20
    assert first.token != second.token


def test_nothing_is_printed_and_no_client_library_is_imported() -> None:
    program = """
import sys, urllib.request
from datetime import UTC, datetime
from thinkagent.shop import Shop, seed
with Shop(seed(datetime.now(UTC))) as shop:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(shop.url + "/health").read()
assert not {"httpx", "litellm", "openai", "openapi_spec_validator", "pydantic"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
