from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.minds.failures import ServerError, classify, error_in, read_error, redact, retry_after


@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        pytest.param(400, "", "bad_request", False, id="400"),
        pytest.param(401, "no", "auth", False, id="401"),
        pytest.param(403, "no", "auth", False, id="403"),
        pytest.param(404, "no", "not_found", False, id="404"),
        pytest.param(405, "no", "bad_request", False, id="405"),
        pytest.param(408, "", "timeout", True, id="408"),
        pytest.param(409, "", "bad_request", False, id="409"),
        pytest.param(413, "", "context_length", False, id="413"),
        pytest.param(422, "", "bad_request", False, id="422"),
        pytest.param(429, "slow down", "rate_limited", True, id="429"),
        pytest.param(429, '{"error": {"code": "insufficient_quota"}}', "rate_limited", False, id="429-quota"),
        pytest.param(429, "Request too large for m", "context_length", False, id="429-too-large"),
        pytest.param(500, "boom", "unavailable", True, id="500"),
        pytest.param(502, "<html>", "unavailable", True, id="502"),
        pytest.param(503, "", "unavailable", True, id="503"),
        pytest.param(529, "overloaded", "unavailable", True, id="529"),
        pytest.param(
            400,
            '{"error": {"code": "context_length_exceeded", "message": "m"}}',
            "context_length",
            False,
            id="ctx-code",
        ),
        pytest.param(
            400,
            '{"error": {"message": "This model\'s maximum context length is 9"}}',
            "context_length",
            False,
            id="ctx-openai",
        ),
        pytest.param(
            400,
            '{"error": {"message": "the request exceeds the available context size"}}',
            "context_length",
            False,
            id="ctx-llama",
        ),
        pytest.param(400, '{"message": "prompt is too long: 9 tokens"}', "context_length", False, id="ctx-anthropic"),
        pytest.param(500, '{"error": "input is too long"}', "context_length", False, id="ctx-500"),
    ],
)
def test_tells_the_kind_of_a_refusal(status: int, body: str, kind: str, retryable: bool) -> None:
    assert classify(read_error(status, body)) == (kind, retryable)


@pytest.mark.parametrize(
    ("body", "message", "param", "code"),
    [
        pytest.param(
            '{"error": {"message": "m", "param": "p", "code": "c", "type": "t"}}', "m", "p", "c t", id="openai"
        ),
        pytest.param('{"error": "m"}', "m", "", "", id="text"),
        pytest.param('[{"error": {"message": "m"}}]', "m", "", "", id="list"),
        pytest.param('{"object": "error", "message": "m", "param": null, "code": 400}', "m", "", "400", id="flat"),
        pytest.param('{"detail": [{"msg": "m"}]}', '[{"msg":"m"}]', "", "", id="detail"),
        pytest.param("plain words\n", "plain words", "", "", id="no-json"),
        pytest.param("", "", "", "", id="empty"),
        pytest.param("7", "7", "", "", id="number"),
    ],
)
def test_reads_the_shapes_of_error_bodies(body: str, message: str, param: str, code: str) -> None:
    assert read_error(400, body) == ServerError(400, message, param, code)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        pytest.param({"error": {"code": 429, "message": "m"}}, "rate_limited", id="number"),
        pytest.param({"error": {"type": "rate_limit_exceeded"}}, "rate_limited", id="word"),
        pytest.param({"error": {"code": "invalid_api_key"}}, "auth", id="auth"),
        pytest.param({"error": {"type": "invalid_request_error"}}, "bad_request", id="request"),
        pytest.param({"error": {"message": "overloaded"}}, "unavailable", id="unknown"),
        pytest.param({"error": "boom"}, "unavailable", id="text"),
    ],
)
def test_an_error_inside_a_success_has_a_kind(value: object, kind: str) -> None:
    error = error_in(value)
    assert error is not None
    assert classify(error)[0] == kind


@pytest.mark.parametrize("value", [{}, {"choices": []}, {"error": None}, [], None, {"message": "hi"}])
def test_a_success_is_no_error(value: object) -> None:
    assert error_in(value) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({"retry-after": "3"}, 3.0, id="seconds"),
        pytest.param({"retry-after": " 1.5 "}, 1.5, id="decimal"),
        pytest.param({"retry-after-ms": "250", "retry-after": "9"}, 0.25, id="milliseconds"),
        pytest.param(
            {"retry-after": "Wed, 21 Oct 2026 07:28:10 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 10.0, id="date"
        ),
        pytest.param({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0, id="date-without-date"),
        pytest.param({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0, id="past"),
        pytest.param({"retry-after": "-5"}, None, id="negative"),
        pytest.param({"retry-after": "inf"}, None, id="infinite"),
        pytest.param({"retry-after": "1e99"}, None, id="exponent"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
        pytest.param({}, None, id="missing"),
    ],
)
def test_reads_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=10.0) == seconds


@given(st.text(max_size=40))
def test_any_retry_after_is_a_number_or_nothing(text: str) -> None:
    seconds = retry_after({"retry-after": text}, now=0.0)
    assert seconds is None or 0 <= seconds < 1e12


KEY = 'sk-canary/+="ü-0123'


@pytest.mark.parametrize(
    "spelling",
    [
        KEY,
        quote(KEY, safe=""),
        base64.b64encode(KEY.encode()).decode(),
        base64.urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
        KEY.encode().hex(),
        'sk-canary/+=\\"ü-0123',
    ],
)
def test_a_key_is_gone_in_every_spelling(spelling: str) -> None:
    assert redact(f"bad key {spelling}!", KEY) == "bad key ***!"


def test_foreign_words_are_made_safe_and_short() -> None:
    shown = redact("a\x1b[31m\nb\u202e" + "x" * 1000, None)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\n" not in shown
    assert len(shown) <= 300
