from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.minds.sse import ServerEvent, SseReader


def read(*chunks: bytes) -> list[ServerEvent]:
    reader = SseReader()
    return [event for chunk in chunks for event in reader.feed(chunk)] + reader.finish()


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b"data: a\n\n", ["a"], id="lf"),
        pytest.param(b"data: a\r\n\r\n", ["a"], id="crlf"),
        pytest.param(b"data: a\r\rdata: b\r\r", ["a", "b"], id="cr"),
        pytest.param(b"data:a\n\n", ["a"], id="no-blank-after-colon"),
        pytest.param(b"data:  a\n\n", [" a"], id="only-one-blank-goes"),
        pytest.param(b"data: a\ndata: b\n\n", ["a\nb"], id="several-lines"),
        pytest.param(b"data\n\n", [""], id="field-without-colon"),
        pytest.param(b": ping\n\ndata: a\n\n", ["a"], id="comment"),
        pytest.param(b"id: 7\nretry: 10\ndata: a\n\n", ["a"], id="other-fields"),
        pytest.param(b"event: x\n\n\n", [], id="event-without-data"),
        pytest.param(b"data: a\n\ndata: [DONE]", ["a", "[DONE]"], id="no-end-of-the-last-line"),
        pytest.param("\ufeffdata: a\n\n".encode(), ["a"], id="bom"),
        pytest.param(b"data: \xff\n\n", ["\ufffd"], id="not-utf-8"),
        pytest.param(b"", [], id="nothing"),
    ],
)
def test_reads_the_forms_of_the_standard(raw: bytes, expected: list[str]) -> None:
    assert [event.data for event in read(raw)] == expected


def test_names_the_event() -> None:
    assert read(b"event: error\ndata: a\n\ndata: b\n\n") == [ServerEvent("a", "error"), ServerEvent("b", "message")]


LINE = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=("Cs",)), max_size=12)


@given(
    payloads=st.lists(st.lists(LINE, min_size=1, max_size=3), max_size=5),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    data=st.data(),
)
def test_does_not_depend_on_where_the_bytes_are_split(payloads: list[list[str]], end: str, data: st.DataObject) -> None:
    raw = "".join("".join(f"data: {line}{end}" for line in lines) + end for lines in payloads).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    chunks = [raw[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert [event.data for event in read(*chunks)] == ["\n".join(lines) for lines in payloads]


def test_one_endless_line_is_read_in_linear_time() -> None:
    reader = SseReader()
    for _ in range(20_000):
        assert reader.feed(b"x" * 50) == []
    assert reader.feed(b"\n\n") == []
