"""No credential, issued token or key in an address is written down or shown, however it is spelled; all still work."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.command import thinkagent
from tests.integration.canaries import found_in, traces_of
from tests.integration.echo import HOSTILE, ISSUED, EchoApi, document
from thinkagent.journal import read_log
from thinkagent.run.agent import Agent
from thinkagent.run.replay import replay_now
from thinkagent.run.world import Permission
from thinkagent.testing import FakeModelServer, ScriptedMind
from thinkagent.values import write_json

CREDENTIAL = 'c4n/ary+"one"==<&>Zx'
PAIR = "somebody:p4ss/word+two==Q"
PASSWORD = "p4ss/word+two==Q"
MODEL_KEY = "sk-model/Key+three==R"

PLACES = ("json", "error", "bare", "html", "html_error", "text", "utf16", "headers", "broken", "keys")


def turn(tool, arguments=None, **action):
    return {"thought": f"I call {tool}.", "action": {"tool": tool, "arguments": arguments or {}, **action}}


def finish(answer="ok", *evidence, status="failed"):
    return turn("finish", {"status": status, "answer": answer, "evidence": list(evidence)})


def run(api, folder: Path, script, scheme=None, credential=CREDENTIAL):
    mind = ScriptedMind(script)
    agent = Agent(
        document(scheme),
        base_url=api.url,
        mind=mind,
        auth={} if scheme is None else {scheme: "env:CANARY"},
        environ={"CANARY": credential, "TZ": "UTC"},
        permission=Permission(allow_writes=True),
        log_dir=folder / "logs",
    )
    return asyncio.run(agent.run("Use the API")), mind


def assert_nowhere(result, mind, folder: Path, *secrets: str) -> None:
    traces = traces_of(result, mind.pages, folder / "logs")
    leaks = {name: found_in(text, secrets) for name, text in traces.items()}
    assert {name: found for name, found in leaks.items() if found} == {}
    replayed = replay_now(read_log(result.log))
    assert replayed.same, replayed.difference


@pytest.mark.parametrize(
    ("scheme", "credential", "secret"),
    [
        ("bearer", CREDENTIAL.replace('"', "'"), CREDENTIAL.replace('"', "'")),
        ("basic", PAIR, PASSWORD),
        ("in_header", CREDENTIAL, CREDENTIAL),
        ("in_query", CREDENTIAL, CREDENTIAL),
    ],
)
def test_a_credential_that_the_service_repeats_is_nowhere(tmp_path, scheme, credential, secret):
    with EchoApi() as api:
        script = [turn("say", {"place": place}) for place in PLACES]
        result, mind = run(api, tmp_path, [*script, finish()], scheme, credential)
        assert len(api.seen) == len(PLACES)
    assert_nowhere(result, mind, tmp_path, secret)


@pytest.mark.parametrize(
    ("by", "reference"),
    [
        ("json", "<<steps.login.result.access_token>>"),
        ("nested", "<<steps.login.result.session[0].refreshToken>>"),
        ("header", '<<steps.login.headers["x-access-token"]>>'),
    ],
)
def test_an_issued_token_works_by_reference_and_is_nowhere(tmp_path, by, reference):
    with EchoApi() as api:
        script = [
            turn("login", {"by": by}, save_as="login"),
            turn("useQuery", {"token": reference}, save_as="query"),
            turn("useQuery", {"X-Token": reference}, save_as="header"),
            turn("usePath", {"token": reference}, save_as="path"),
            turn("useJson", {"body": {"token": reference}}, save_as="body"),
            turn("useForm", {"body": {"token": reference}}, save_as="form"),
            finish("It is <<steps.query.result.right>>.", "query", status="done"),
        ]
        result, mind = run(api, tmp_path, script)
    uses = [step for step in result.steps if step.name != "login"]
    assert [(step.name, step.http_status) for step in uses] == [
        (name, 200) for name in ("query", "header", "path", "body", "form")
    ]
    assert result.answer == "It is true."
    assert_nowhere(result, mind, tmp_path, ISSUED[by])


@pytest.mark.parametrize(
    ("tool", "arguments", "more", "secret"),
    [
        ("rows", {}, {"pages": "all"}, ISSUED["next"]),
        ("linked", {}, {"pages": "all"}, ISSUED["link"]),
        ("moved", {}, {}, ISSUED["location"]),
        ("login", {"by": "url"}, {}, ISSUED["url"]),
        ("login", {"by": "cookie"}, {}, ISSUED["cookie"]),
        ("start", {"body": {}}, {}, ISSUED["job"]),
    ],
    ids=["next link", "link header", "redirect", "address in a text", "cookie", "job"],
)
def test_a_key_in_an_address_a_cookie_or_a_field_is_nowhere(tmp_path, tool, arguments, more, secret):
    with EchoApi() as api:
        result, mind = run(api, tmp_path, [turn(tool, arguments, save_as="it", **more), finish()])
        if more:
            assert len(api.seen) == 3
    assert_nowhere(result, mind, tmp_path, secret)


def test_data_that_looks_like_a_secret_opens_nothing(tmp_path):
    with EchoApi() as api:
        script = [
            turn("hostile", save_as="data"),
            turn("useJson", {"body": {"token": "<<steps.data.result.shown>>"}}, save_as="shown"),
            turn("useJson", {"body": {"token": "x", "all": "<<steps.data.result>>"}}, save_as="whole"),
            finish(),
        ]
        result, mind = run(api, tmp_path, script, "bearer", CREDENTIAL.replace('"', "'"))
        bodies = [body for _, _, _, body in api.seen if body]
    assert not found_in("\n".join(bodies), [CREDENTIAL.replace('"', "'")])
    assert write_json(HOSTILE["object"]) in bodies[1]
    assert_nowhere(result, mind, tmp_path, CREDENTIAL.replace('"', "'"))


def test_a_short_credential_does_not_hide_ordinary_words(tmp_path):
    with EchoApi() as api:
        script = [turn("role", save_as="role"), finish("<<steps.role.result.role>>", "role", status="done")]
        result, _ = run(api, tmp_path, script, "in_header", "admin")
        assert api.seen[0][2]["x-key"] == "admin"
    assert result.answer == "admin"


def test_what_the_mind_repeats_is_nowhere(tmp_path):
    with EchoApi() as api:
        said = f"The key is {CREDENTIAL}."
        script = [
            {**turn("say", {"place": "json"}), "thought": said, "plan": [said]},
            said,
            finish(said),
        ]
        result, mind = run(api, tmp_path, script, "in_header")
    assert_nowhere(result, mind, tmp_path, CREDENTIAL)


@pytest.mark.parametrize("verbose", [(), ("--verbose",), ("--json",)], ids=["plain", "verbose", "json"])
def test_nothing_is_on_the_terminal_or_at_the_model(tmp_path, verbose):
    (tmp_path / "api.json").write_text(write_json(document("in_header")))
    replies = [turn("say", {"place": place}) for place in ("json", "error", "html")]
    with EchoApi() as api, FakeModelServer([*replies, finish(CREDENTIAL)], api_key=MODEL_KEY) as model:
        ended = thinkagent(
            "run", "Use the API", "--spec", "api.json", "--base-url", api.url, "--auth", "in_header=env:CANARY",
            "--model", "openai/x", "--api-base", model.url, "--model-option", "api_key=env:MODEL_KEY", *verbose,
            cwd=tmp_path, CANARY=CREDENTIAL, MODEL_KEY=MODEL_KEY,
        )  # fmt: skip
        prompts = "\n".join(str(request.body) for request in model.chats)
        assert len(api.seen) == 3, ended.stderr
    shown = thinkagent("log", "last", "--verbose", cwd=tmp_path)
    texts = {"stdout": ended.stdout, "stderr": ended.stderr, "prompts": prompts, "log": shown.stdout + shown.stderr}
    leaks = {name: found_in(text, [CREDENTIAL, MODEL_KEY]) for name, text in texts.items()}
    assert {name: found for name, found in leaks.items() if found} == {}


@pytest.mark.parametrize("credential", ["two-lines-of\nit-canary", "bad-\x01-canary"], ids=["newline", "control"])
def test_a_credential_that_no_header_can_carry_is_not_repeated(tmp_path, credential):
    (tmp_path / "api.json").write_text(write_json(document("in_header")))
    ended = thinkagent(
        "run", "Use the API", "--spec", "api.json", "--base-url", "http://127.0.0.1:9",
        "--auth", "in_header=env:CANARY", cwd=tmp_path, CANARY=credential,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "canary" not in ended.stderr.replace("CANARY", "")
