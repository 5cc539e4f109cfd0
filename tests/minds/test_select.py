from __future__ import annotations

from typing import Any

import pytest

from tests.minds.asking import ask_once, render
from thinkagent.errors import UsageError
from thinkagent.minds.base import Mind
from thinkagent.minds.litellm import LiteLLMMind
from thinkagent.minds.openai import OpenAIMind
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.minds.select import select_mind
from thinkagent.testing import FakeModelServer

CANARY = "sk-canary-0123456789"
OFFLINE = ScriptedMind([], name="offline")


def select(model: str | None, environ: dict[str, str] | None = None, **settings: Any) -> Mind:
    return select_mind(model, environ=environ or {}, offline=lambda: OFFLINE, **settings)


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": CANARY}], ids=["no-key", "key"])
@pytest.mark.parametrize("model", [None, "offline"])
def test_no_model_is_the_offline_mind_whatever_keys_there_are(model: str | None, environ: dict[str, str]) -> None:
    assert select(model, environ) is OFFLINE


@pytest.mark.parametrize(
    ("model", "settings", "kind", "name"),
    [
        ("openai/gpt-5", {"environ": {"OPENAI_API_KEY": CANARY}}, OpenAIMind, "openai/gpt-5"),
        ("openai/org/model", {"api_base": "http://127.0.0.1:1/v1"}, OpenAIMind, "openai/org/model"),
        ("openai/m", {"api_base": "http://127.0.0.1:1/v1", "via": "http"}, OpenAIMind, "openai/m"),
        ("openai/m", {"api_base": "http://127.0.0.1:1/v1", "via": "litellm"}, LiteLLMMind, "openai/m"),
        ("anthropic/claude", {}, LiteLLMMind, "anthropic/claude"),
        ("ollama/m", {"api_base": "http://127.0.0.1:1"}, LiteLLMMind, "ollama/m"),
    ],
)
def test_a_name_means_a_mind(model: str, settings: dict[str, Any], kind: type, name: str) -> None:
    mind = select(model, **settings)
    assert isinstance(mind, kind)
    assert mind.name == name


@pytest.mark.parametrize(
    ("model", "settings", "code", "says"),
    [
        pytest.param("gpt-5", {}, "unknown_model", "'openai/gpt-5'", id="no-provider"),
        pytest.param("ofline", {}, "unknown_model", "Did you mean 'offline'?", id="misspelt"),
        pytest.param("openai/", {}, "unknown_model", "'openai/'", id="no-name"),
        pytest.param("/m", {}, "unknown_model", "'/m'", id="no-provider-name"),
        pytest.param("openai/m", {}, "missing_key", "'OPENAI_API_KEY' is not set", id="missing-key"),
        pytest.param("openai/m", {"environ": {"OPENAI_API_KEY": " "}}, "missing_key", "OPENAI_API_KEY", id="blank-key"),
        pytest.param("openai/m", {"via": "curl"}, "bad_via", "'http', 'litellm'", id="via"),
        pytest.param("anthropic/m", {"via": "http"}, "bad_via", "'openai/m'", id="via-http"),
        pytest.param(None, {"api_base": "http://127.0.0.1:1"}, "missing_model", "--model", id="base-without-model"),
        pytest.param("offline", {"options": {"seed": "1"}}, "missing_model", "--model", id="option-without-model"),
        pytest.param("openai/m", {"api_base": "127.0.0.1:1/v1"}, "bad_api_base", "'127.0.0.1:1/v1'", id="no-scheme"),
        pytest.param("openai/m", {"api_base": "ftp://h/v1"}, "bad_api_base", "'ftp://h/v1'", id="scheme"),
        pytest.param("openai/m", {"api_base": "http://"}, "bad_api_base", "http", id="no-host"),
        pytest.param("openai/m", {"api_base": "http://h:99999/v1"}, "bad_api_base", "http", id="port"),
        pytest.param("openai/m", {"api_base": "http://h/a b"}, "bad_api_base", "http", id="blank"),
        pytest.param("openai/m", {"api_base": f"http://u:{CANARY}@h/v1"}, "secret_in_argument", "'h'", id="userinfo"),
        pytest.param(
            "openai/m", {"options": {"api_key": CANARY}}, "secret_in_argument", "env:VARIABLE", id="key-written-out"
        ),
        pytest.param(
            "openai/m", {"options": {"api_key": "env:"}}, "secret_in_argument", "env:VARIABLE", id="no-variable"
        ),
        pytest.param(
            "openai/m", {"options": {"api_key": "env:MY_KEY"}}, "missing_key", "'MY_KEY'", id="variable-not-set"
        ),
        pytest.param(
            "anthropic/m", {"options": {"api_key": "env:MY_KEY"}}, "missing_key", "'MY_KEY'", id="litellm-key"
        ),
        pytest.param(
            "openai/m", {"environ": {"OPENAI_API_KEY": CANARY + "\nx"}}, "bad_key", "OPENAI_API_KEY", id="broken-key"
        ),
        pytest.param("openai/m", {"options": {"messages": "[]"}}, "bad_option", "'messages'", id="reserved"),
        pytest.param(
            "anthropic/m", {"options": {"base_url": "http://h"}}, "bad_option", "'base_url'", id="reserved-base"
        ),
        pytest.param("openai/m", {"options": {"stream": "yes"}}, "bad_option", "'stream'", id="stream"),
        pytest.param("openai/m", {"options": {"timeout_s": "0"}}, "bad_option", "'timeout_s'", id="zero-timeout"),
        pytest.param("openai/m", {"options": {"idle_timeout_s": "soon"}}, "bad_option", "'soon'", id="no-number"),
        pytest.param("openai/m", {"options": {"timeout_s": "nan"}}, "bad_option", "'nan'", id="nan"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_what_to_do(
    model: str | None, settings: dict[str, Any], code: str, says: str
) -> None:
    with pytest.raises(UsageError) as caught:
        select(model, **settings)
    assert caught.value.code == code
    assert says in str(caught.value)
    assert CANARY not in str(caught.value)
    assert caught.value.exit_code == 2


def sent_key(server: FakeModelServer, environ: dict[str, str], **settings: Any) -> str | None:
    mind = select("openai/fake-model", environ, **settings)
    mind._render = render  # type: ignore[attr-defined]
    assert ask_once(mind).reply is not None
    return server.chats[-1].headers.get("authorization")


def test_the_key_of_the_environment_goes_to_the_default_base_only() -> None:
    with FakeModelServer(["{}"], repeat_last=True) as server:
        environ = {"OPENAI_API_KEY": CANARY, "OTHER_KEY": "other-key"}
        assert sent_key(server, environ, api_base=server.url) is None
        assert sent_key(server, environ | {"OPENAI_BASE_URL": server.url}, api_base=server.url) is None
        assert sent_key(server, environ | {"OPENAI_BASE_URL": server.url}) == f"Bearer {CANARY}"
        assert sent_key(server, {"OPENAI_BASE_URL": server.url}) is None
        named = {"api_key": "env:OTHER_KEY"}
        assert sent_key(server, environ, api_base=server.url, options=named) == "Bearer other-key"
        named = {"api_key": "env:OPENAI_API_KEY"}
        assert sent_key(server, environ, api_base=server.url, options=named) == f"Bearer {CANARY}"


def test_options_are_values_where_they_are_json() -> None:
    options = {
        "temperature": "0.10",
        "seed": "7",
        "stop": "END",
        "flag": "true",
        "x": '{"y": [1]}',
        "stream": "false",
        "k": 3,
    }
    with FakeModelServer(["{}"]) as server:
        mind = select("openai/m", api_base=server.url, options=options)
        mind._render = render  # type: ignore[attr-defined]
        assert ask_once(mind).reply is not None
        body = server.chats[0].body
    assert str(body.pop("temperature")) == "0.10"
    assert {name: body[name] for name in ("seed", "stop", "flag", "x", "stream", "k")} == {
        "seed": 7,
        "stop": "END",
        "flag": True,
        "x": {"y": [1]},
        "stream": False,
        "k": 3,
    }
    assert "api_key" not in body


def test_the_deadlines_are_options_too() -> None:
    from thinkagent.testing import Fault

    with FakeModelServer([Fault.hang()]) as server:
        mind = select("openai/m", api_base=server.url, options={"timeout_s": "9", "idle_timeout_s": "0.2"})
        mind._render = render  # type: ignore[attr-defined]
        failure = ask_once(mind).failure
        assert "timeout_s" not in server.chats[0].body
    assert failure is not None
    assert "0.2 s" in failure.message
