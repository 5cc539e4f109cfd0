"""Several `--spec` in one run: names, servers, credentials, the log."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

import thinkagent
from tests.cli.rows_api import RowsApi, rows_document
from tests.output_schemas import run_schema, tools_schema
from tests.test_output_schemas import problems
from thinkagent.cli.main import run_command
from thinkagent.journal import find_log, read_log
from thinkagent.shop import Shop, seed
from thinkagent.testing import FakeModelServer, RecordedTransport, ScriptedMind
from thinkagent.values import read_json

CATS, DOGS = "token-of-the-cats", "token-of-the-dogs"
BOTH = ["--spec", "cats.json", "--spec", "dogs.json"]


@pytest.fixture
def cats():
    with RowsApi("Tom", "Kitty") as api:
        yield api


@pytest.fixture
def dogs():
    with RowsApi("Rex") as api:
        yield api


@pytest.fixture
def folder(tmp_path, monkeypatch, cats, dogs):
    cats.write(tmp_path / "cats.json", "Cat Shelter", "cats")
    dogs.write(tmp_path / "dogs.json", "Kennel", "dogs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATS", CATS)
    monkeypatch.setenv("DOGS", DOGS)
    return tmp_path


def turn(tool, save_as=None, **arguments):
    action = {"tool": tool, "arguments": arguments, **({"save_as": save_as} if save_as else {})}
    return json.dumps({"thought": "So be it.", "action": action})


def finish(answer, *evidence):
    return turn("finish", status="done", answer=answer, evidence=list(evidence))


def run_with(replies, *arguments):
    """Run with a model that gives these replies; gives the exit code."""
    with FakeModelServer(list(replies)) as model:
        return run_command(["run", "Look at both", *arguments, "--model", "openai/m", "--api-base", model.url])


READ_BOTH = (
    turn("cat_shelter_listRows", "cats"),
    turn("kennel_listRows", "dogs"),
    finish("<<steps.cats.result[0].name>> and <<steps.dogs.result[0].name>>", "cats", "dogs"),
)


class TestTools:
    def test_only_names_that_clash_are_told_apart(self, folder, capsys):
        (folder / "birds.json").write_text(
            json.dumps(rows_document("Birds", "birds", None, **{"/eggs": {"get": {"operationId": "LISTROWS"}}}))
        )
        for order in (["cats", "dogs", "birds"], ["birds", "dogs", "cats"]):
            specs = [part for name in order for part in ("--spec", f"{name}.json")]
            assert run_command(["tools", *specs, "--json"]) == 0
            listing = read_json(capsys.readouterr().out)
            names = {(row["document"], row["path"], row["method"]): row["name"] for row in listing["tools"]}
            assert [one["name"] for one in listing["documents"]] == [
                {"cats": "cat_shelter", "dogs": "kennel", "birds": "birds"}[name] for name in order
            ]
            assert names["cat_shelter", "/cats", "GET"] == "cat_shelter_listRows"
            assert names["kennel", "/dogs", "POST"] == "kennel_makeRow"
            assert len({name.lower() for name in names.values()}) == len(names) == 7
            assert [row["document"] for row in listing["tools"]] == sorted(
                [row["document"] for row in listing["tools"]],
                key=[one["name"] for one in listing["documents"]].index,
            )

    def test_names_that_nobody_else_has_stay(self, folder, capsys):
        assert run_command(["tools", "--spec", "cats.json", "--json"]) == 0
        alone = read_json(capsys.readouterr().out)
        assert [row["name"] for row in alone["tools"]] == ["listRows", "makeRow"]
        assert "document" not in alone["tools"][0]
        text = (folder / "dogs.json").read_text().replace("listRows", "listDogs").replace("makeRow", "ask")
        (folder / "dogs.json").write_text(text)
        assert run_command(["tools", *BOTH, "--json"]) == 0
        listing = read_json(capsys.readouterr().out)
        assert [row["name"] for row in listing["tools"]] == ["listRows", "makeRow", "listDogs", "api_ask"]

    @pytest.mark.parametrize("more", [["--include", "GET"], ["--exclude", "/dogs"], ["--read", "kennel_makeRow"]])
    def test_the_listing_fits_its_schema_and_adds_up(self, folder, capsys, more):
        flawed = json.loads((folder / "dogs.json").read_text())
        flawed["paths"]["/dogs"]["put"] = {
            "requestBody": {"required": True, "content": {"image/png": {}}},
            "responses": {},
        }
        (folder / "dogs.json").write_text(json.dumps(flawed))
        assert run_command(["tools", *BOTH, *more, "--json"]) == 0
        listing = read_json(capsys.readouterr().out)
        assert problems(tools_schema(), listing) == []
        assert listing["operations"] == len(listing["tools"]) + len(listing["skipped"]) + listing["excluded"] == 5
        for one in listing["documents"]:
            assert one["operations"] == one["tools"] + one["skipped"] + one["excluded"]
        assert all(row["document"] == "kennel" for row in listing["skipped"])

    def test_one_tool_and_hits_name_their_document(self, folder, capsys):
        assert run_command(["tools", *BOTH, "--tool", "kennel_listRows", "--json"]) == 0
        tool = read_json(capsys.readouterr().out)
        assert run_command(["tools", *BOTH, "--search", "list dogs", "--json"]) == 0
        found = read_json(capsys.readouterr().out)
        assert problems(tools_schema(), tool) == problems(tools_schema(), found) == []
        assert tool["document"] == found["results"][0]["document"] == "kennel"

    def test_the_title_of_a_document_finds_its_tools(self, folder, capsys):
        for words, first in (
            ("rows of the kennel", "kennel_listRows"),
            ("rows of the shelter", "cat_shelter_listRows"),
        ):
            assert run_command(["tools", *BOTH, "--search", words, "--json"]) == 0
            assert read_json(capsys.readouterr().out)["results"][0]["name"] == first

    def test_what_a_person_reads(self, folder, capsys):
        assert run_command(["tools", *BOTH]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "cat_shelter: Cat Shelter (cats.json)"
        assert "kennel: Kennel (dogs.json)" in lines
        assert lines[-1] == "2 documents · 4 operations, 4 tools"

    def test_documents_in_the_environment_stand_one_a_line(self, folder, capsys, monkeypatch):
        (folder / "cats.json").rename(folder / "the cats.json")
        monkeypatch.setenv("THINKAGENT_SPEC", "the cats.json\ndogs.json")
        assert run_command(["tools"]) == 0
        assert "(the cats.json)" in capsys.readouterr().out


class TestServersAndCredentials:
    def test_each_call_goes_to_its_own_server_with_its_own_credential(self, folder, capsys, cats, dogs):
        code = run_with(
            READ_BOTH, *BOTH, "--auth", "cat_shelter:key=env:CATS", "--auth", "Kennel:key=env:DOGS", "--json"
        )
        out, err = capsys.readouterr()
        result = read_json(out)
        assert (code, result["answer"]) == (0, "Tom and Rex")
        assert problems(run_schema(), result) == []
        assert cats.seen == [("GET", "/cats", f"Bearer {CATS}", None)]
        assert dogs.seen == [("GET", "/dogs", f"Bearer {DOGS}", None)]
        assert f"GET {dogs.url}/dogs" in err

    def test_a_scheme_that_one_document_has_needs_no_name(self, folder, capsys, cats, dogs):
        dogs.write(folder / "dogs.json", "Kennel", "dogs", scheme="collar")
        assert run_with(READ_BOTH, *BOTH, "--auth", "collar=env:DOGS", "--header", "kennel:X-Trace=env:CATS") == 0
        assert cats.seen == [("GET", "/cats", None, None)]
        assert dogs.seen == [("GET", "/dogs", f"Bearer {DOGS}", CATS)]

    def test_one_credential_for_both(self, folder, capsys, cats, dogs):
        flags = ["--auth", "cat_shelter:key=env:CATS", "--auth", "kennel:key=env:CATS"]
        assert run_with(READ_BOTH, *BOTH, *flags) == 0
        assert cats.seen[0][2] == dogs.seen[0][2] == f"Bearer {CATS}"
        assert run_command(["replay", "last"]) == 0
        assert "\nsame\n" in capsys.readouterr().out

    def test_servers_are_set_by_document(self, folder, capsys, cats, dogs):
        (folder / "cats.json").write_text(json.dumps(rows_document("Cat Shelter", "cats", "http://127.0.0.1:9")))
        other = rows_document("Kennel", "dogs", None)
        other["servers"] = [{"url": "http://127.0.0.1:9"}, {"url": dogs.url}]
        (folder / "dogs.json").write_text(json.dumps(other))
        assert run_with(READ_BOTH, *BOTH, "--base-url", f"cat_shelter={cats.url}/v2", "--server", "kennel=2") == 0
        assert [cats.seen[0][:2], dogs.seen[0][:2]] == [("GET", "/v2/cats"), ("GET", "/dogs")]

    @pytest.mark.parametrize(
        ("flags", "told"),
        [
            pytest.param(
                ["--auth", "key=env:CATS"],
                "error: the documents 'cat_shelter', 'kennel' all have a scheme 'key' (--auth). "
                "Name the document: --auth cat_shelter:key=env:VAR",
                id="a-scheme-of-both",
            ),
            pytest.param(
                ["--auth", "kenel:key=env:CATS"],
                "error: no document is called 'kenel'; there are 'cat_shelter' (cats.json), 'kennel' (dogs.json) "
                "(--auth). Did you mean 'kennel'?",
                id="no-such-document",
            ),
            pytest.param(
                ["--auth", "kennel:keys=env:CATS"],
                "error: scheme 'keys' is not in the document; it has 'kennel:key' (http bearer) (--auth). "
                "Did you mean 'kennel:key'?",
                id="no-such-scheme-there",
            ),
            pytest.param(
                ["--auth", "lock=env:CATS"],
                "error: scheme 'lock' is not in any of the documents; they have 'cat_shelter:key' (http bearer), "
                "'kennel:key' (http bearer) (--auth). Pass one of them, --auth SCHEME=env:VAR",
                id="no-such-scheme-anywhere",
            ),
            pytest.param(
                ["--auth", "kennel:key=env:CATS", "--auth", "KENNEL:key=env:DOGS"],
                "error: 'KENNEL:key' is given twice (--auth). Give it once",
                id="one-scheme-twice",
            ),
            pytest.param(
                ["--header", "X-Trace=env:CATS"],
                "error: --header is for one document, and there are 2: 'cat_shelter', 'kennel' (--header). "
                "Name it, as in --header cat_shelter:X-Trace=env:VAR",
                id="a-header-of-none",
            ),
            pytest.param(
                ["--base-url", "http://127.0.0.1:9"],
                "error: --base-url is for one document, and there are 2: 'cat_shelter', 'kennel' (--base-url). "
                "Name it, as in --base-url cat_shelter=URL",
                id="a-base-of-none",
            ),
            pytest.param(
                ["--server", "1"],
                "error: --server is for one document, and there are 2: 'cat_shelter', 'kennel' (--server). "
                "Name it, as in --server cat_shelter=N",
                id="a-server-of-none",
            ),
            pytest.param(
                ["--server", "kennel=1", "--base-url", "kennel=http://127.0.0.1:9"],
                "error: --server and --base-url exclude each other (--server, --base-url). Pass one of them",
                id="server-and-base-of-one",
            ),
            pytest.param(
                ["--base-url", "kennel=http://a.test", "--base-url", "kennel=http://b.test"],
                "error: --base-url is given twice for 'kennel' (--base-url). "
                "Give it once, or once for each document: --base-url DOCUMENT=URL",
                id="a-base-twice",
            ),
            pytest.param(
                ["--server", "kennel=x"],
                "error: 'x' is no server's number (--server). Pass 1 for the first",
                id="no-number",
            ),
            pytest.param(
                ["--spec", "dogs.json"], "error: 'dogs.json' is given twice (--spec). Give it once", id="a-file-twice"
            ),
            pytest.param(
                ["--spec", "./dogs.json"],
                "error: 'dogs.json' and './dogs.json' are the same document (--spec). Give it once",
                id="a-file-by-two-names",
            ),
            pytest.param(["--spec", "-", "--spec", "-"], "error: two documents are to be read from stdin", id="stdin"),
            pytest.param(["--spec", "birds.json"], "error: there is no file 'birds.json'", id="not-there"),
            pytest.param(
                ["--read", "makeRow"],
                "error: 'makeRow' is an operation of several documents (--read). "
                "Name one tool: 'cat_shelter_makeRow', 'kennel_makeRow'",
                id="a-read-of-both",
            ),
        ],
    )
    def test_what_is_not_clear_is_an_error_before_anything_is_sent(self, folder, capsys, cats, dogs, flags, told):
        assert run_command(["run", "How many cats are there?", *BOTH, *flags]) == 2
        out, err = capsys.readouterr()
        assert (out, cats.seen, dogs.seen) == ("", [], [])
        assert err.startswith(told)
        assert not (folder / "logs").exists()

    def test_task_and_document_on_stdin(self, folder, capsys):
        assert run_command(["run", "-", "--spec", "cats.json", "--spec", "-"]) == 2
        assert "both to be read from stdin" in capsys.readouterr().err

    def test_with_one_document_there_is_nothing_to_name(self, folder, capsys):
        assert run_command(["run", "x", "--spec", "cats.json", "--base-url", "cat_shelter=http://127.0.0.1:9"]) == 2
        assert "is no document: there is only one, and it needs no name" in capsys.readouterr().err

    def test_a_login_that_is_wanted_is_named_with_its_document(self, folder, capsys, monkeypatch):
        document = rows_document("Shop", "products", None)
        document["paths"]["/products"]["get"]["operationId"] = "listProducts"
        (folder / "shop.json").write_text(json.dumps(document))
        now = datetime(2026, 11, 30, 12, tzinfo=UTC)
        with Shop(seed(now), clock=lambda: now) as shop:
            replies = [turn("listProducts", "p"), turn("finish", status="failed", answer="No.", evidence=[])]
            run_with(replies, *BOTH, "--spec", "shop.json", "--base-url", f"shop={shop.url}")
        told = "the API of 'shop' wants a credential (401); its document names 'key'. Pass --auth shop:key=env:VARIABLE"
        assert f"note: {told}" in capsys.readouterr().err


class TestSecretsOfOneApi:
    """What one API was given, or gives away, is not sent to another by way of an argument."""

    TOKEN = "issued-by-the-cats-only"

    @pytest.fixture
    def issuing(self, folder, cats, dogs):
        """The cats give a token away, and the dogs would take one."""
        cats.rows[0]["access_token"] = self.TOKEN
        taking = {"name": "token", "in": "query", "schema": {"type": "string"}}
        entry = {"get": {"operationId": "enter", "parameters": [taking], "responses": {"200": {"description": "ok"}}}}
        dogs.write(folder / "dogs.json", "Kennel", "dogs", **{"/entry": entry})

    @pytest.mark.parametrize(
        "token",
        ["<<steps.cats.result[0].access_token>>", "x <<steps.cats.result[0].access_token>>"],
        ids=["whole", "in-a-text"],
    )
    def test_an_issued_token_stays_with_its_api(self, folder, issuing, capsys, cats, dogs, token):
        replies = [
            turn("cat_shelter_listRows", "cats"),
            turn("enter", "entry", token=token),
            turn("finish", status="failed", answer="It may not be sent.", evidence=[]),
        ]
        assert run_with(replies, *BOTH) == 1
        assert dogs.seen == []
        told = "is a credential of the API of 'cat_shelter' and is not sent to that of 'kennel' (enter)"
        assert told in capsys.readouterr().err
        assert run_command(["replay", "last"]) == 0

    def test_one_origin_is_one_api(self, issuing, capsys, cats, dogs):
        replies = [
            turn("cat_shelter_listRows", "cats"),
            turn("enter", "entry", token="<<steps.cats.result[0].access_token>>"),
            finish("Entered.", "entry"),
        ]
        assert run_with(replies, *BOTH, "--base-url", f"kennel={cats.url}/kennel") == 0
        assert cats.seen[-1][1] == f"/kennel/entry?token={self.TOKEN}"

    def test_a_given_credential_that_comes_back_stays_too(self, folder, capsys, cats, dogs):
        cats.rows[0]["name"] = CATS
        replies = [
            turn("cat_shelter_listRows", "cats"),
            turn("kennel_makeRow", "made", body={"name": "<<steps.cats.result[0].name>>"}),
            turn("finish", status="failed", answer="It may not be sent.", evidence=[]),
        ]
        run_with(replies, *BOTH, "--allow-writes", "--auth", "cat_shelter:key=env:CATS")
        assert dogs.seen == []


class TestWritesAndTheLog:
    def test_what_was_changed_says_where(self, folder, capsys, cats, dogs):
        replies = [
            turn("kennel_makeRow", "made", body={"name": "Bello"}),
            turn("cat_shelter_makeRow", "more", body={"name": "Minka"}),
            turn("finish", status="done", answer="I created both.", evidence=["made", "more"]),
        ]
        with FakeModelServer(replies) as model:
            flags = ["--allow-writes", "--model", "openai/m", "--api-base", model.url]
            assert run_command(["run", "Create Bello and Minka", *BOTH, *flags]) == 0
        assert "Changed: 1 × POST /dogs of kennel, 1 × POST /cats of cat_shelter." in capsys.readouterr().err
        assert [one[0] for one in (*cats.seen, *dogs.seen)] == ["POST", "POST"]

    def test_the_name_of_a_document_proves_no_deed(self, folder, capsys, cats, dogs):
        for name, api in (("cats", cats), ("dogs", dogs)):
            api.write(folder / f"{name}.json", f"Delete {name}", name)
        replies = [
            turn("delete_dogs_makeRow", "made", body={"name": "Rex"}),
            turn("finish", status="done", answer="I deleted Rex.", evidence=["made"]),
        ]
        with FakeModelServer(replies) as model:
            flags = ["--allow-writes", "--model", "openai/m", "--api-base", model.url]
            assert run_command(["run", "Delete Rex", *BOTH, *flags]) == 1
        assert "unproven" in capsys.readouterr().err

    def test_a_run_replays_from_its_log_alone(self, folder, capsys, cats, dogs):
        flags = ["--auth", "cat_shelter:key=env:CATS", "--auth", "kennel:key=env:DOGS"]
        flags += ["--header", "cat_shelter:X-Trace=env:DOGS"]
        assert run_with(READ_BOTH, *BOTH, *flags) == 0
        assert cats.seen[0][3] == DOGS
        log = find_log("last", folder / "logs")
        text = log.read_text("utf-8")
        assert CATS not in text
        assert DOGS not in text
        assert [record.event.type for record in read_log(log).records][:3] == ["run.started", "document", "document"]
        for name in ("cats.json", "dogs.json"):
            (folder / name).unlink()
        capsys.readouterr()
        assert run_command(["replay", "last"]) == 0
        assert "\nsame\n" in capsys.readouterr().out
        assert run_command(["log", "last"]) == 0
        shown = capsys.readouterr().out
        assert f"cat_shelter (OpenAPI 3.1.0) {cats.url}" in shown
        assert f"GET {cats.url}/cats" in shown
        assert len(cats.seen) == len(dogs.seen) == 1

    def test_a_dry_run_answers_from_the_right_document(self, folder, capsys, cats, dogs):
        for name, api in (("cats", cats), ("dogs", dogs)):
            document = rows_document(name, "rows", api.url)
            content = document["paths"]["/rows"]["get"]["responses"]["200"]["content"]["application/json"]
            content["example"] = [{"id": "1", "name": f"one of the {name}"}]
            (folder / f"{name}.json").write_text(json.dumps(document))
        replies = [turn("dogs_listRows", "rows"), finish("<<steps.rows.result[0].name>>", "rows")]
        assert run_with(replies, *BOTH, "--dry-run", "--json") == 0
        assert cats.seen == dogs.seen == []
        observed = [
            r.event for r in read_log(find_log("last", folder / "logs")).records if r.event.type == "observation"
        ]
        assert "one of the dogs" in json.dumps(observed[0].observation)


class TestInPython:
    def test_a_recorded_api_tells_the_servers_apart(self, folder, capsys, cats, dogs):
        for name, api in (("cats", cats), ("dogs", dogs)):
            api.write(folder / f"{name}.json", name, "rows")
        replies = [
            turn("cats_listRows", "cats"),
            turn("dogs_listRows", "dogs"),
            finish("<<steps.cats.result[0].name>> and <<steps.dogs.result[0].name>>", "cats", "dogs"),
        ]
        assert run_with(replies, *BOTH) == 0
        api = RecordedTransport(find_log("last", folder / "logs"))
        settings = {"transport": api, "log_dir": None, "mind": ScriptedMind(replies)}
        result = thinkagent.run("Look at both", spec=[folder / "dogs.json", "cats.json"], **settings)
        assert (result.status, result.answer, api.unused) == ("done", "Tom and Rex", [])
        assert len(cats.seen) == len(dogs.seen) == 1

    def test_tools_of_several_documents_in_any_form(self, folder):
        parsed = json.loads((folder / "cats.json").read_text())
        tools = thinkagent.load_tools([parsed, "dogs.json"])
        assert list(tools.documents) == ["cat_shelter", "kennel"]
        assert [tool.document for tool in tools.tools] == ["cat_shelter", "cat_shelter", "kennel", "kennel"]
        with pytest.raises(thinkagent.UsageError, match="these are tools of 2 documents"):
            _ = tools.document

    @pytest.mark.parametrize("spec", [[], ["cats.json", "cats.json"]], ids=["none", "twice"])
    def test_what_are_no_documents(self, folder, spec):
        with pytest.raises(thinkagent.UsageError):
            thinkagent.load_tools(spec)


class TestOverlays:
    OVERLAY = {
        "overlay": "1.0.0",
        "info": {"title": "better", "version": "1"},
        "actions": [{"target": "$.info", "update": {"title": "Better"}}],
    }

    @pytest.mark.parametrize("extends", ["../specs/dogs.json", "dogs.json", "https://example.com/api/dogs.json"])
    def test_an_overlay_changes_the_document_that_it_extends(self, folder, capsys, extends):
        (folder / "overlays").mkdir()
        (folder / "overlays/better.json").write_text(json.dumps({**self.OVERLAY, "extends": extends}))
        assert run_command(["tools", *BOTH, "--overlay", "overlays/better.json", "--json"]) == 0
        titles = [one["title"] for one in read_json(capsys.readouterr().out)["documents"]]
        assert titles == ["Cat Shelter", "Better"]

    @pytest.mark.parametrize(
        ("members", "told"),
        [
            ({}, "error: the overlay 'better.json' has no 'extends' that says which of 2 documents it is for"),
            (
                {"extends": "birds.json"},
                "error: the overlay 'better.json' extends 'birds.json', which is none of the documents 'cats.json', "
                "'dogs.json'",
            ),
        ],
        ids=["none-named", "another-named"],
    )
    def test_an_overlay_of_none_is_an_error(self, folder, capsys, members, told):
        (folder / "better.json").write_text(json.dumps({**self.OVERLAY, **members}))
        assert run_command(["tools", *BOTH, "--overlay", "better.json"]) == 2
        assert capsys.readouterr().err.startswith(told)

    def test_alone_a_document_takes_every_overlay(self, folder, capsys):
        (folder / "better.json").write_text(json.dumps({**self.OVERLAY, "extends": "birds.json"}))
        assert run_command(["tools", "--spec", "dogs.json", "--overlay", "better.json", "--json"]) == 0
        assert read_json(capsys.readouterr().out)["document"]["title"] == "Better"


class TestOfflineMind:
    """It takes what belongs together from one document, and asks where two have what is named."""

    def run(self, task, capsys, *flags):
        code = run_command(["run", task, *BOTH, *flags, "--json"])
        out, _ = capsys.readouterr()
        return code, read_json(out)["answer"]

    def test_it_finds_the_document_by_what_it_has(self, folder, capsys, cats, dogs):
        assert self.run("How many dogs are there?", capsys) == (0, "There is 1 dog.")
        assert self.run("How many cats are there?", capsys) == (0, "There are 2 cats.")
        assert len(cats.seen) == len(dogs.seen) == 1

    def test_what_both_have_is_told_apart_by_the_document(self, folder, capsys, cats, dogs):
        cats.write(folder / "cats.json", "Cat Shelter", "animals")
        dogs.write(folder / "dogs.json", "Kennel", "animals")
        code, answer = self.run("How many animals are there?", capsys)
        assert code == 1
        assert "/animals of cat_shelter" in answer
        assert "/animals of kennel" in answer
        assert cats.seen == dogs.seen == []
        assert self.run("How many kennel animals are there?", capsys) == (0, "There is 1 animal.")
        assert self.run("How many cat shelter animals are there?", capsys) == (0, "There are 2 animals.")
        assert self.run('Create a kennel animal named "Bello"', capsys, "--allow-writes")[0] == 0
        assert [one[0] for one in dogs.seen][-1] == "POST"
        assert "POST" not in [one[0] for one in cats.seen]
