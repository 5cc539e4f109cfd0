from __future__ import annotations

import pytest

from thinkagent.minds.endpoint import is_loopback, parse_endpoint, show_address


@pytest.mark.parametrize(
    ("base", "url", "shown"),
    [
        ("http://h/v1", "http://h/v1/chat/completions", "http://h/v1"),
        ("http://h/v1/", "http://h/v1/chat/completions", "http://h/v1"),
        ("http://h", "http://h/chat/completions", "http://h"),
        (" https://h:8443/a/b ", "https://h:8443/a/b/chat/completions", "https://h:8443/a/b"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions", "http://h/v1"),
        ("http://h/v1?api-version=3&key=k", "http://h/v1/chat/completions?api-version=3&key=k", "http://h/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1/chat/completions", "http://[::1]:80/v1"),
    ],
)
def test_joins_the_operation_to_a_base(base: str, url: str, shown: str) -> None:
    endpoint = parse_endpoint(base)
    assert (endpoint.url, endpoint.shown) == (url, shown)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("model.localhost", True),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
    ],
)
def test_knows_this_machine(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("http://u:p@h:1/x?key=1#f", "http://h:1/x"),
        ("/v1/other", "/v1/other"),
        ("http://[broken", "an address that is no URL"),
        ("http://h/\x1b[31m", "http://h/␛[31m"),
    ],
)
def test_shows_where_a_redirect_points_without_secrets(location: str, shown: str) -> None:
    assert show_address(location) == shown
