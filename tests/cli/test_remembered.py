"""What is remembered of documents, through the command line."""

from __future__ import annotations

import json

import pytest

from thinkagent.cli.main import run_command

HEAD = {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}}
ENTRY = {
    **HEAD,
    "paths": {
        "/pets": {
            "get": {"operationId": "listPets", "summary": "List pets", "responses": {"200": {"description": "ok"}}}
        },
        "/vets": {"$ref": "vets.json"},
    },
}
VETS = {"get": {"operationId": "listVets", "summary": "List vets", "responses": {"200": {"description": "ok"}}}}


@pytest.fixture
def spec(tmp_path, monkeypatch):
    """A document of two files, and an empty cache beside it."""
    folder = tmp_path / "spec"
    folder.mkdir()
    (folder / "pets.json").write_text(json.dumps(ENTRY))
    (folder / "vets.json").write_text(json.dumps(VETS))
    monkeypatch.setenv("THINKAGENT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return folder / "pets.json"


def printed(capsys, *arguments):
    assert run_command(arguments) == 0
    return capsys.readouterr().out


def mark_what_is_kept(folder):
    """Change what is kept, so that it is seen where it is used."""
    for path in folder.iterdir():
        path.write_text(path.read_text().replace("List pets", "Remembered pets"))


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["table", "json"])
def test_a_listing_is_made_once(spec, tmp_path, capsys, form):
    first = printed(capsys, "tools", "--spec", str(spec), *form)
    assert printed(capsys, "tools", "--spec", str(spec), *form) == first
    mark_what_is_kept(tmp_path / "cache")
    assert "Remembered pets" in printed(capsys, "tools", "--spec", str(spec), *form)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda folder: (folder / "pets.json").write_text(json.dumps(ENTRY, indent=1)), id="the-document"),
        pytest.param(lambda folder: (folder / "vets.json").write_text(json.dumps(VETS, indent=1)), id="a-file-beside"),
        pytest.param(lambda folder: (folder / "vets.json").unlink(), id="a-file-that-went"),
    ],
)
def test_what_changed_is_read_anew(spec, tmp_path, capsys, change):
    printed(capsys, "tools", "--spec", str(spec))
    mark_what_is_kept(tmp_path / "cache")
    change(spec.parent)
    assert "Remembered" not in printed(capsys, "tools", "--spec", str(spec))


@pytest.mark.parametrize(
    "options", [("--exclude", "listVets"), ("--include", "/pets"), ("--read", "listPets")], ids=lambda value: value[0]
)
def test_what_is_asked_for_is_part_of_it(spec, tmp_path, capsys, options):
    printed(capsys, "tools", "--spec", str(spec))
    mark_what_is_kept(tmp_path / "cache")
    assert "Remembered" not in printed(capsys, "tools", "--spec", str(spec), *options)


def test_an_overlay_is_part_of_it(spec, tmp_path, capsys):
    overlay = tmp_path / "overlay.json"
    overlay.write_text(
        json.dumps(
            {
                "overlay": "1.0.0",
                "info": {"title": "t", "version": "1"},
                "actions": [{"target": "$.paths['/pets'].get", "update": {"summary": "All pets"}}],
            }
        )
    )
    printed(capsys, "tools", "--spec", str(spec))
    assert "All pets" in printed(capsys, "tools", "--spec", str(spec), "--overlay", str(overlay))
    overlay.write_text(overlay.read_text().replace("All pets", "Every pet"))
    assert "Every pet" in printed(capsys, "tools", "--spec", str(spec), "--overlay", str(overlay))


@pytest.mark.parametrize(
    "command",
    [
        ("tools", "--spec"),
        ("tools", "--search", "pets", "--spec"),
        ("spec", "graph"),
    ],
    ids=" ".join,
)
def test_nothing_is_kept_where_it_is_not_wanted(spec, tmp_path, capsys, command):
    with_it = printed(capsys, *command, str(spec))
    assert run_command(["cache", "clear"]) == 0
    capsys.readouterr()
    assert printed(capsys, *command, str(spec), "--no-cache") == with_it
    assert not list((tmp_path / "cache").iterdir())


def test_a_search_finds_the_same_when_it_is_remembered(spec, capsys):
    command = ("tools", "--spec", str(spec), "--search", "list the vets", "--json")
    assert printed(capsys, *command) == printed(capsys, *command) == printed(capsys, *command, "--no-cache")


def test_clear_says_what_it_removed(spec, tmp_path, capsys):
    printed(capsys, "tools", "--spec", str(spec))
    said = printed(capsys, "cache", "clear")
    assert said.startswith("Removed ")
    assert str(tmp_path / "cache") in said.replace("\n", "")
    assert printed(capsys, "cache", "clear").startswith("Removed 0 bytes")


def test_an_unusable_folder_costs_nothing_but_time(spec, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THINKAGENT_CACHE_DIR", str(tmp_path / "file"))
    assert "listPets" in printed(capsys, "tools", "--spec", str(spec))
