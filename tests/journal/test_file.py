"""The log file: whole lines only, 0600, one writer, long content beside it, and a torn end that costs only itself."""

from __future__ import annotations

import os
import re
import stat
from datetime import UTC, datetime, timedelta

import pytest

from thinkagent import events as ev
from thinkagent.errors import JournalError, UsageError
from thinkagent.journal import FileJournal, MemoryJournal, find_log, new_run_id, pack_log, parse_log, read_log
from thinkagent.values import Secret, join_text

CALL = ev.CallId(2, 0, 0, 1)


def some_events():
    yield ev.RunStarted(
        ev.SCHEMA_VERSION, "the task", {}, {}, "2026-11-30T00:00:00+00:00", "UTC", "scripted", run_id="r"
    )
    yield ev.InputsGiven({"odd": {"$secret": "no secret"}, "list": [1, None, True]})
    yield ev.CallIntended(CALL, "t", "read", "GET /x", {"url": join_text(["http://h/?k=", Secret("auth.k")])}, "d")
    yield ev.CallAnswered(CALL, 200, [["content-type", "application/json"]], '{"n": 1.10, "u": "\u2028\ud800"}')
    yield ev.CallAnswered(CALL._replace(item=1), 200, [], "x" * 40_000, times_us={"total": 3})
    yield ev.ResultSaved(2, "big", "compute", value=[{"row": number} for number in range(5000)])
    yield ev.RunEnded("done", 0, usage={"turns": 1})


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "logs" / "r.jsonl"
    journal = FileJournal(path)
    for event in some_events():
        journal.append(event, sync=True)
    journal.close()
    return path


def test_what_was_appended_is_what_is_read(log):
    memory = MemoryJournal()
    expected = [memory.append(event).event for event in some_events()]
    assert [record.event for record in read_log(log).records] == expected
    assert expected == list(some_events())


def test_only_the_owner_may_read(log):
    for path in [log, *(log.parent / "blobs").iterdir()]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_long_content_lies_beside_the_log_once(log):
    assert log.stat().st_size < 8_000
    assert len(list((log.parent / "blobs").iterdir())) == 2


def test_a_packed_log_is_read_anywhere(log, tmp_path):
    packed = tmp_path / "elsewhere.jsonl"
    packed.write_bytes(pack_log(log).encode("utf-8", "surrogatepass"))
    assert [r.event for r in read_log(packed).records] == [r.event for r in read_log(log).records]
    assert pack_log(packed) == packed.read_bytes().decode("utf-8", "surrogatepass")


def test_a_log_cut_anywhere_is_read_to_its_last_whole_line(log):
    data = log.read_bytes()
    whole = read_log(log).records
    ends = [number + 1 for number, byte in enumerate(data) if byte == 10]
    for cut in range(ends[0], len(data), 7):
        found = parse_log(data[:cut], log)
        assert [r.event for r in found.records] == [r.event for r in whole[: sum(1 for end in ends if end <= cut)]]
        assert bool(found.torn) is (cut not in ends)


def test_a_line_changed_by_hand_is_told(log):
    text = log.read_text("utf-8", "surrogatepass").replace("the task", "another task")
    assert parse_log(text.encode("utf-8", "surrogatepass"), log).altered == (2,)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"", "holds no event", id="empty"),
        pytest.param(b"\0\0\0\0", "holds no event", id="nul-bytes"),
        pytest.param(b'{"seq":1,"type":"turn"}\n{"type":"run.ended"}\n', "lacks turn, thought, action", id="lacking"),
        pytest.param(b'{"a":1}\n{"type":"reply"}\n', "has no type", id="other-json"),
        pytest.param(b'{"seq":1,"type":"later.kind"}\n', "begins with 'later.kind'", id="not-a-run"),
        pytest.param(b"<html>\n</html>\n{}\n", "no JSON", id="html"),
        pytest.param(
            b'{"seq":1,"type":"run.started","schema":"thinkagent.log/99","task":"t","settings":{},"limits":{},'
            b'"now":"","timezone":"","mind":""}\n',
            "has schema 'thinkagent.log/99', this version reads 'thinkagent.log/1'",
            id="later-schema",
        ),
    ],
)
def test_what_is_no_log_is_refused_with_the_reason(tmp_path, content, says):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=says.replace("/", "/")):
        read_log(path)


def test_unknown_events_and_fields_are_kept(log):
    line = (
        '{"seq":8,"type":"later.kind","x":1,"prev":""}\n{"seq":9,"type":"woke","what":"wait t1","waited_s":1,"y":2}\n'
    )
    found = parse_log(log.read_bytes() + line.encode(), log).records[-2:]
    assert found[0].event == ev.UnknownEvent("later.kind", {"x": 1})
    assert found[1].extra == {"y": 2}


def test_a_missing_blob_before_the_end_names_the_way_out(log):
    for blob in (log.parent / "blobs").iterdir():
        blob.unlink()
    with pytest.raises(JournalError, match="log pack"):
        read_log(log)


def test_a_changed_blob_is_not_believed(log):
    for blob in (log.parent / "blobs").iterdir():
        blob.write_text("something else")
    with pytest.raises(JournalError, match="was changed"):
        read_log(log)


def test_a_second_writer_is_refused(log):
    first = FileJournal(log, seq=7)
    with pytest.raises(JournalError, match="another process"):
        FileJournal(log, seq=7)
    first.close()


def test_an_existing_log_is_never_written_over(log):
    with pytest.raises(JournalError, match="cannot be written"):
        FileJournal(log)


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"cannot be written.*--log-dir"):
        FileJournal(tmp_path / "file" / "logs" / "r.jsonl")


def test_a_write_that_fails_half_way_leaves_whole_lines(log, monkeypatch):
    journal = FileJournal(log, seq=7)
    real, before = os.write, log.read_bytes()
    sizes = iter([10])

    def full_disk(descriptor, data):
        try:
            return real(descriptor, data[: next(sizes)])
        except StopIteration:
            raise OSError(28, "No space left on device") from None

    monkeypatch.setattr(os, "write", full_disk)
    with pytest.raises(JournalError, match="No space left"):
        journal.append(ev.LimitReached("time", "x"))
    monkeypatch.undo()
    journal.close()
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "found"), [("last", "20260102-b"), ("20260101", "20260101-a"), ("20260102-b", "20260102-b")]
)
def test_logs_are_found_by_the_beginning_of_their_id(tmp_path, name, found):
    for stem in ("20260101-a", "20260102-b", "20260102-bc"):
        (tmp_path / f"{stem}.jsonl").write_text("")
    expected = "20260102-bc" if name == "last" else found
    assert find_log(name, tmp_path).stem == expected


def test_a_file_of_another_name_is_never_the_last_run(tmp_path):
    for stem in ("20260101-120000-ab3f", "20260102-120000-ab3f", "sample"):
        (tmp_path / f"{stem}.jsonl").write_text("")
    assert find_log("last", tmp_path).stem == "20260102-120000-ab3f"
    assert find_log("sample", tmp_path).stem == "sample"


@pytest.mark.parametrize(
    ("name", "says"),
    [("2026", "several logs begin with '2026'"), ("1999", "no log is called '1999'"), ("", "no log is called ''")],
)
def test_a_name_that_fits_none_or_several_is_told(tmp_path, name, says):
    for stem in ("20260101-a", "20260102-b"):
        (tmp_path / f"{stem}.jsonl").write_text("")
    with pytest.raises(UsageError, match=says):
        find_log(name, tmp_path)


def test_ids_sort_by_time_within_a_second():
    begin = datetime(2026, 11, 30, 23, 11, 7, tzinfo=UTC)
    ids = [new_run_id(begin + timedelta(milliseconds=step)) for step in range(0, 2000, 2)]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"\d{8}-\d{6}-[0-9a-z]{4}", one) for one in ids)
