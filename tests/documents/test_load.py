"""Files, addresses, stdin."""

from __future__ import annotations

import io
import os

import pytest

from thinkagent.documents import load, load_bytes
from thinkagent.documents.model import Server
from thinkagent.errors import DocumentError

TEXT = b"openapi: 3.1.0\ninfo: {title: shop, version: '2'}\npaths: {/a: {get: {operationId: a}}}\n"


def refuse(url):
    raise AssertionError(f"{url} was fetched")


def test_file(tmp_path):
    path = tmp_path / "shop.yaml"
    path.write_bytes(TEXT)
    made = load(str(path), fetch=refuse)
    assert (made.title, made.source, made.base_uri, made.servers) == ("shop", str(path), None, ())
    assert [entry.operation_id for entry in made.index] == ["a"]


def test_relative_path(tmp_path, monkeypatch):
    (tmp_path / "shop.yaml").write_bytes(TEXT)
    monkeypatch.chdir(tmp_path)
    assert load("shop.yaml").source == "shop.yaml"


def test_stdin():
    made = load("-", stdin=io.BytesIO(TEXT))
    assert (made.title, made.source, made.base_uri) == ("shop", "stdin", None)


def test_url_is_the_base_of_servers():
    asked = []
    made = load("http://127.0.0.1:9/v2/openapi.yaml", fetch=lambda url: asked.append(url) or TEXT)
    assert asked == ["http://127.0.0.1:9/v2/openapi.yaml"]
    assert made.base_uri == "http://127.0.0.1:9/v2/openapi.yaml"
    assert made.servers == (Server("/"),)


def test_secrets_of_the_address_are_fetched_with_and_shown_nowhere():
    asked = []
    made = load("https://me:pw@host/o.json?key=SECRET#x", fetch=lambda url: asked.append(url) or TEXT)
    assert asked == ["https://me:pw@host/o.json?key=SECRET#x"]
    shown = f"{made.source} {made.base_uri} {made!r} {made.pack()}"
    assert "SECRET" not in shown
    assert "pw" not in shown


@pytest.mark.parametrize(
    ("make", "code", "message"),
    [
        pytest.param(lambda folder: folder / "nope.yaml", "no_such_document", "there is no file", id="missing"),
        pytest.param(lambda folder: folder, "document_unreadable", "it is a folder", id="folder"),
        pytest.param(
            lambda folder: folder / "shop.yaml" / "x", "document_unreadable", "cannot be read", id="below a file"
        ),
        pytest.param(lambda folder: f"{folder}/a\0b", "document_unreadable", "cannot be read", id="NUL"),
        pytest.param(
            lambda folder: f"file://{folder}/shop.yaml", "document_unreachable", "'file://'", id="file address"
        ),
        pytest.param(lambda folder: "ftp://host/a.yaml", "document_unreachable", "'ftp://'", id="ftp"),
    ],
)
def test_unreadable(tmp_path, make, code, message):
    (tmp_path / "shop.yaml").write_bytes(TEXT)
    with pytest.raises(DocumentError, match=message) as caught:
        load(str(make(tmp_path)))
    assert (caught.value.code, caught.value.exit_code) == (code, 2)


def test_misspelt_file_names_the_nearest(tmp_path):
    (tmp_path / "shop.yaml").write_bytes(TEXT)
    with pytest.raises(DocumentError) as caught:
        load(str(tmp_path / "shpo.yaml"))
    assert caught.value.hint == "Did you mean 'shop.yaml'?"


def test_folder_names_the_documents_in_it(tmp_path):
    (tmp_path / "a.json").write_bytes(TEXT)
    (tmp_path / "b.txt").write_bytes(TEXT)
    with pytest.raises(DocumentError, match=r"Name the file: it holds 'a\.json'"):
        load(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_reference_to_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "a.yaml").write_text("openapi: 3.0.0\ninfo: {}\npaths: {/a: {$ref: pipe.yaml}}\n")
    (finding,) = load(str(tmp_path / "a.yaml")).findings
    assert "no regular file" in finding.message


def test_load_bytes_takes_an_address_as_base():
    assert load_bytes(TEXT, "https://host/a/openapi.json").base_uri == "https://host/a/openapi.json"
    assert load_bytes(TEXT).base_uri is None
