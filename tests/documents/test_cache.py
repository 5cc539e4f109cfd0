"""What is remembered of documents: found again by what it was made from, and never in the way."""

from __future__ import annotations

import os
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.documents import cache as module
from thinkagent.documents.cache import Cache

VALUE = {"rows": [1, "二", None, {"a": 0.5}]}


def test_what_was_put_is_found_by_all_that_it_was_made_from(tmp_path):
    cache = Cache(tmp_path / "new" / "folder")
    cache.put(VALUE, "listing", "one")
    assert cache.get("listing", "one") == VALUE
    assert [cache.get(*other) for other in [("listing",), ("listing", "two"), ("listingone",), ()]] == [None] * 4


def test_another_version_finds_nothing(tmp_path, monkeypatch):
    Cache(tmp_path).put(VALUE, "x")
    monkeypatch.setattr(module, "__version__", "another")
    assert Cache(tmp_path).get("x") is None


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000], ids=["empty", "torn", "binary", "deep"])
def test_what_cannot_be_read_is_not_there(tmp_path, data):
    cache = Cache(tmp_path)
    cache.put(VALUE, "x")
    [file] = tmp_path.iterdir()
    file.write_bytes(data)
    assert cache.get("x") is None
    cache.put(VALUE, "x")
    assert cache.get("x") == VALUE


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path):
    place = tmp_path / "file"
    place.write_text("here")
    cache = Cache(place / "below")
    cache.put(VALUE, "x")
    assert cache.get("x") is None
    assert cache.clear() == 0


def test_only_the_user_reads_it(tmp_path):
    cache = Cache(tmp_path / "mine")
    cache.put(VALUE, "x")
    [file] = cache.folder.iterdir()
    assert [stat.S_IMODE(os.stat(path).st_mode) for path in (cache.folder, file)] == [0o700, 0o600]


def test_clear_removes_its_own_files_only(tmp_path):
    cache = Cache(tmp_path)
    cache.put(VALUE, "x")
    (tmp_path / "killed.part").write_text("half")
    (tmp_path / "notes.txt").write_text("somebody's")
    assert cache.clear() > 4
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("bound", ["MAX_FILES", "MAX_BYTES"])
def test_what_was_not_used_for_the_longest_time_goes_first(tmp_path, monkeypatch, bound):
    monkeypatch.setattr(module, bound, {"MAX_FILES": 2, "MAX_BYTES": 2 * len('"value"')}[bound])
    cache = Cache(tmp_path)
    for name in ("used", "unused"):
        cache.put("value", name)
    for path in tmp_path.iterdir():
        os.utime(path, (1e9, 1e9))
    cache.get("used")
    cache.put("value", "new")
    assert [cache.get(name) for name in ("used", "unused", "new")] == ["value", None, "value"]


def test_runs_side_by_side_see_the_whole_or_nothing(tmp_path):
    big = {"rows": ["x" * 100] * 2_000}
    seen = []

    def work():
        for _ in range(30):
            Cache(tmp_path).put(big, "x")
            seen.append(Cache(tmp_path).get("x"))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(value == big for value in seen)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists), st.lists(st.text()))
def test_any_value_for_any_texts(tmp_path_factory, value, made_from):
    cache = Cache(tmp_path_factory.mktemp("any"))
    cache.put(value, *made_from)
    assert cache.get(*made_from) == value
