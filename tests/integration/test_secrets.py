"""No credential, issued token or key in an address is written down or shown, however it is spelled; all still work."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
import pytest

from tests.command import thinkagent
from tests.integration.canaries import SPELLINGS, found_in, traces_of
from tests.integration.echo import HOSTILE, ISSUED, EchoApi, document
from tests.run.kit import Instant
from thinkagent.events import Observed
from thinkagent.journal import read_log
from thinkagent.minds.base import MindFailure, Reply
from thinkagent.run.agent import Agent
from thinkagent.run.replay import replay_now
from thinkagent.run.world import Permission
from thinkagent.testing import FakeModelServer, ScriptedMind
from thinkagent.turns import render_messages
from thinkagent.values import write_json

CREDENTIAL = 'c4n/ary+"one"==<&>Zx'
PAIR = "somebody:p4ss/word+two==Q"
PASSWORD = "p4ss/word+two==Q"
MODEL_KEY = "sk-model/Key+three==R"

PLACES = ("json", "error", "bare", "html", "html_error", "text", "binary", "utf16", "headers", "broken", "keys")


def turn(tool, arguments=None, **action):
    return {"thought": f"I call {tool}.", "action": {"tool": tool, "arguments": arguments or {}, **action}}


def finish(answer="ok", *evidence, status="failed"):
    return turn("finish", {"status": status, "answer": answer, "evidence": list(evidence)})


def run(api, folder: Path, script, scheme=None, credential=CREDENTIAL, task="Use the API", **settings):
    mind = ScriptedMind(script)
    fields = {
        "base_url": api.url,
        "mind": mind,
        "auth": {} if scheme is None else {scheme: "env:CANARY"},
        "environ": {"CANARY": credential, "TZ": "UTC"},
        "permission": Permission(allow_writes=True),
        "log_dir": folder / "logs",
        "clock": Instant(),
    }
    agent = Agent(document(scheme), **fields | settings)
    return asyncio.run(agent.run(task)), mind


def assert_nowhere(result, mind, folder: Path, *secrets: str) -> None:
    traces = traces_of(result, mind.pages, folder / "logs")
    leaks = {name: found_in(text, secrets) for name, text in traces.items()}
    assert {name: found for name, found in leaks.items() if found} == {}
    replayed = replay_now(read_log(result.log))
    assert (replayed.same, replayed.difference, replayed.notes) == (True, "", ())


@pytest.mark.parametrize(
    ("scheme", "credential", "secret"),
    [
        ("bearer", CREDENTIAL.replace('"', "'"), CREDENTIAL.replace('"', "'")),
        ("basic", PAIR, PASSWORD),
        ("in_header", CREDENTIAL, CREDENTIAL),
        ("in_query", CREDENTIAL, CREDENTIAL),
        ("in_query", "c4n/ary é+two words", "c4n/ary é+two words"),
        ("in_cookie", CREDENTIAL.replace('"', "'"), CREDENTIAL.replace('"', "'")),
        ("in_header", "73192846550192", "73192846550192"),
    ],
    ids=["bearer", "basic", "header", "query", "query-words", "cookie", "digits"],
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
        ("cookie", '<<steps.login.headers["set-cookie"].sid>>'),
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
        ("login", {"by": "html"}, {}, ISSUED["html"]),
        ("login", {"by": "form"}, {}, ISSUED["form"]),
        ("login", {"by": "bearer"}, {}, ISSUED["bearer"]),
        ("login", {"by": "cookie"}, {}, ISSUED["cookie"]),
        ("start", {"body": {}}, {}, ISSUED["job"]),
    ],
    ids=["next link", "link header", "redirect", "in a text", "in a page", "form", "scheme", "cookie", "job"],
)
def test_a_key_in_an_address_a_cookie_or_a_field_is_nowhere(tmp_path, tool, arguments, more, secret):
    with EchoApi() as api:
        script = [
            turn(tool, arguments, save_as="it", **more),
            turn("useJson", {"body": {"token": "<<steps.it.result>>"}}),
        ]
        result, mind = run(api, tmp_path, [*(script if tool == "login" else script[:1]), finish()])
        if more:
            assert len(api.seen) == 3
    assert_nowhere(result, mind, tmp_path, secret)


def test_a_cookie_that_was_issued_can_be_sent_as_one(tmp_path):
    with EchoApi() as api:
        reference = '<<steps.login.headers["set-cookie"].sid>>'
        script = [turn("login", {"by": "cookie"}, save_as="login"), turn("session", {"sid": reference}), finish()]
        result, mind = run(api, tmp_path, script)
    assert [step.http_status for step in result.steps] == [200, 200]
    assert_nowhere(result, mind, tmp_path, ISSUED["cookie"])


def test_a_key_in_the_base_address_goes_with_every_request_and_is_nowhere(tmp_path):
    with EchoApi() as api:
        base = f"{api.url}?version=2026-01-01&key={quote(CREDENTIAL, safe='')}"
        script = [turn("say", {"place": "json"}), turn("rows", pages="all"), turn("say", {"place": "html"}), finish()]
        result, mind = run(api, tmp_path, script, base_url=base)
        targets = [urlsplit(target) for _, target, _, _ in api.seen]
    assert [dict(parse_qsl(target.query))["key"] for target in targets] == [CREDENTIAL] * 5
    assert [target.query.partition("&")[0] for target in targets if target.path == "/say"] == ["version=2026-01-01"] * 2
    assert_nowhere(result, mind, tmp_path, CREDENTIAL)


def test_an_input_that_is_named_as_a_secret_works_and_is_nowhere(tmp_path):
    with EchoApi() as api:
        script = [turn("useJson", {"body": {"token": "<<inputs.login.password>>"}}), finish(PASSWORD)]
        inputs = {"login": {"user": "somebody", "password": PASSWORD}}
        result, mind = run(api, tmp_path, script, task=f"Log in with {PASSWORD}", inputs=inputs)
        assert json.loads(api.seen[0][3]) == {"token": PASSWORD}
    assert_nowhere(result, mind, tmp_path, PASSWORD)


def test_the_password_of_a_proxy_is_nowhere(tmp_path):
    with EchoApi() as proxy:
        address = f"http://somebody:{quote(PASSWORD, safe='')}@127.0.0.1:{proxy.port}"
        script = [turn("say", {"place": place}) for place in ("json", "error", "html")]
        environ = {"HTTP_PROXY": address, "TZ": "UTC"}
        result, mind = run(proxy, tmp_path, [*script, finish()], base_url="http://api.test", environ=environ)
        assert proxy.seen[0][1].startswith("http://api.test/say")
    assert_nowhere(result, mind, tmp_path, PASSWORD)


def test_a_token_is_hidden_from_the_moment_it_is_known_as_one(tmp_path):
    """An answer gave the value under an innocent name before: what is shown or sent to the model later hides it."""
    with EchoApi() as api:
        script = [
            turn("note", save_as="before"),
            turn("login", {"by": "json"}, save_as="login"),
            turn("inspect", {"step": "before"}, save_as="again"),
            turn("compute", {"expression": "before['rows']"}, save_as="computed"),
            turn("useJson", {"body": {"token": "<<steps.before.result.note>>"}}, save_as="used"),
            finish("<<steps.before.result.note>>", "used", status="done"),
        ]
        result, mind = run(api, tmp_path, script)
    assert result.steps[-1].http_status == 200
    later = {f"page {page.turn}": str(render_messages(page)) for page in mind.pages[2:]}
    later |= {"answer": str(result.answer)}
    later |= {"observed": str([r.event.observation for r in result.records if isinstance(r.event, Observed)][1:])}
    assert [name for name, text in later.items() if found_in(text, [ISSUED["json"]])] == []
    replayed = replay_now(read_log(result.log))
    assert replayed.same, replayed.difference


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
    assert json.loads(bodies[1])["all"] == HOSTILE
    assert_nowhere(result, mind, tmp_path, CREDENTIAL.replace('"', "'"))


def test_a_short_credential_does_not_hide_ordinary_words(tmp_path):
    with EchoApi() as api:
        script = [turn("role", save_as="role"), finish("<<steps.role.result.role>>", "role", status="done")]
        result, _ = run(api, tmp_path, script, "in_header", "admin")
        assert api.seen[0][2]["x-key"] == "admin"
    assert result.answer == "admin"


SAID = f"The key is {CREDENTIAL}, or {SPELLINGS['base64'](CREDENTIAL)}, or {SPELLINGS['percent'](CREDENTIAL)}."
CALLED = ("say", write_json({"place": SAID}))


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param({**turn("say", {"place": "json"}), "thought": SAID, "plan": [SAID]}, id="thought and plan"),
        pytest.param(turn("say", {"place": SAID}), id="argument"),
        pytest.param(SAID, id="prose"),
        pytest.param(turn(SAID), id="tool"),
        pytest.param(turn("say", {SAID: 1}), id="argument's name"),
        pytest.param(turn("say", save_as=SAID), id="step's name"),
        pytest.param(turn("compute", {"expression": f"'{SAID}'"}, save_as="made"), id="computation"),
        pytest.param(turn("say", {"place": f"<<steps.nope.result>> {SAID}"}), id="reference that misses"),
        pytest.param(Reply(SAID, tool_call=CALLED), id="native call"),
        pytest.param(Reply("Hm.", tool_call=("say", SAID)), id="native call that cannot be read"),
        pytest.param(Reply(write_json(turn("say")), reasoning=SAID), id="reasoning"),
        pytest.param(Reply(None, refusal=SAID), id="refusal"),
        pytest.param(Reply(write_json(turn("say")), model=SAID, finish_reason=SAID), id="names"),
        pytest.param(MindFailure("unavailable", SAID, retryable=True, retry_after_s=0), id="failure"),
        pytest.param(turn("ask", {"question": SAID, "options": [SAID]}), id="question"),
        pytest.param(turn("search_tools", {"query": SAID}), id="search"),
    ],
)
def test_what_the_mind_repeats_is_nowhere(tmp_path, reply):
    with EchoApi() as api:
        result, mind = run(api, tmp_path, [reply, finish(SAID)], "in_header")
    assert result.status in ("failed", "refused")
    assert_nowhere(result, mind, tmp_path, CREDENTIAL)


@pytest.mark.parametrize(
    "error",
    [httpx.ConnectError, httpx.ReadError, httpx.LocalProtocolError, httpx.RemoteProtocolError, httpx.InvalidURL],
)
def test_what_an_exception_repeats_is_nowhere(tmp_path, error):
    def fail(request):
        raise error(f"{request.url} {request.headers} {CREDENTIAL}")

    with EchoApi() as api:
        script = [turn("say"), turn("useJson", {"body": {}}), finish()]
        result, mind = run(api, tmp_path, script, "in_header", transport=httpx.MockTransport(fail))
    assert result.status in ("api_error", "failed")
    assert_nowhere(result, mind, tmp_path, CREDENTIAL)


@pytest.mark.parametrize("known", [True, False], ids=["right key", "wrong key"])
def test_the_key_of_the_model_is_nowhere(tmp_path, known):
    replies = [{**turn("say"), "thought": f"My key is {MODEL_KEY}."}, finish(f"{MODEL_KEY} was given.")]
    with EchoApi() as api, FakeModelServer(replies, api_key=MODEL_KEY if known else "another") as model:
        settings = {
            "mind": None,
            "model": "openai/x",
            "api_base": model.url,
            "model_options": {"api_key": "env:MODEL_KEY"},
            "environ": {"MODEL_KEY": MODEL_KEY, "CANARY": CREDENTIAL, "TZ": "UTC"},
        }
        result, mind = run(api, tmp_path, [], "in_header", **settings)
        prompts = "\n".join(str(request.body) for request in model.chats)
    assert result.status == ("failed" if known else "model_error")
    assert not found_in(prompts, [MODEL_KEY, CREDENTIAL])
    assert_nowhere(result, mind, tmp_path, MODEL_KEY, CREDENTIAL)


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
    texts = {"stdout": ended.stdout, "stderr": ended.stderr, "prompts": prompts}
    for options in (["--verbose"], ["--turn", "1"], ["--json"]):
        shown = thinkagent("log", "last", *options, cwd=tmp_path)
        assert shown.stdout
        texts[f"log {options[0]}"] = shown.stdout + shown.stderr
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


CRASHING = """
import sys
import thinkagent.engine.wire.send as sending
from thinkagent.cli.main import run_command

async def crash(request, *_, **__):
    raise RuntimeError(f"{request.url} {request.headers.raw}")

sending.send = crash
sys.exit(run_command(sys.argv[1:]))
"""


@pytest.mark.parametrize("more", [(), ("--verbose",), ("--json",), ("--quiet",)], ids=lambda more: " ".join(more))
def test_a_crash_repeats_nothing(tmp_path, more):
    (tmp_path / "api.json").write_text(write_json(document("in_header")))
    with FakeModelServer([turn("say", {"place": "json"})]) as model:
        ended = subprocess.run(
            [sys.executable, "-c", CRASHING, "run", "Use the API", "--spec", "api.json", "--base-url",
             f"http://127.0.0.1:9?key={quote(ISSUED['url'], safe='')}", "--auth", "in_header=env:CANARY",
             "--model", "openai/x", "--api-base", model.url, *more],
            capture_output=True, text=True, cwd=tmp_path, timeout=60, env={**os.environ, "CANARY": CREDENTIAL},
        )  # fmt: skip
    assert ended.returncode == 3
    assert "internal" in ended.stderr
    written = "".join(path.read_text() for path in (tmp_path / "logs").rglob("*") if path.is_file())
    assert not found_in(ended.stdout + ended.stderr + written, [CREDENTIAL, ISSUED["url"]])


@pytest.mark.parametrize(
    ("query", "code"),
    [(f"key={quote(ISSUED['url'], safe='')}", 1), ("key=wrong%2Fcanary+12", 2)],
    ids=["let in", "not"],
)
def test_a_key_in_the_address_of_the_document_is_nowhere(tmp_path, query, code):
    with EchoApi() as api, FakeModelServer([turn("role"), finish()]) as model:
        ended = thinkagent(
            "run", "Use the API", "--spec", f"{api.url}/openapi.json?{query}", "--verbose",
            "--model", "openai/x", "--api-base", model.url, cwd=tmp_path,
        )  # fmt: skip
    assert ended.returncode == code, ended.stderr
    logs = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert not found_in(ended.stdout + ended.stderr + logs, [ISSUED["url"], "wrong/canary 12"])
