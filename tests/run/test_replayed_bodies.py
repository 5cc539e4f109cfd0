"""Whatever an answer's bytes are, the log replays to the same."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from typing import Any

import httpx
import pytest

from tests.run.kit import Scenario, done, turn
from thinkagent.journal import read_log
from thinkagent.run.replay import replay_now

JSON = "application/json"
ANSWERS: dict[str, tuple[dict[str, str], bytes]] = {
    "no text in its charset": ({"content-type": JSON}, b'{"id": "a\xff\xfeb", "more": "\xe6\x97"}'),
    "an unknown charset": ({"content-type": "text/plain; charset=klingon"}, b"a\xffb"),
    "half a character at the end": ({"content-type": "text/plain"}, "日".encode()[:2]),
    "another charset than it says": ({"content-type": f"{JSON}; charset=latin-1"}, '{"id": "é"}'.encode()),
    "what two charsets can read": ({"content-type": f"{JSON}; charset=latin-1"}, '{"id": "Ã©"}'.encode()),
    "latin-1": ({"content-type": f"{JSON}; charset=latin-1"}, '{"id": "é"}'.encode("latin-1")),
    "gb18030": ({"content-type": "text/csv; charset=gb18030"}, "名,数\n".encode("gb18030")),
    "utf-16 with its mark": ({"content-type": JSON}, '\ufeff{"id": "é"}'.encode("utf-16-le")),
    "utf-8 with its mark under another name": ({"content-type": "text/plain; charset=latin-1"}, "\ufeffé日".encode()),
    "a mark and no text": ({"content-type": "text/plain; charset=latin-1"}, b"\xef\xbb\xbf\xff"),
    "half a utf-16 pair": ({"content-type": "text/plain; charset=utf-16-le"}, b"a\0\x00\xd8"),
    "bytes": ({"content-type": "application/octet-stream"}, bytes(range(256))),
    "an image": ({"content-type": "image/png"}, b"\x89PNG\r\n\x1a\n\0\0"),
    "nothing": ({}, b""),
    "blanks": ({"content-type": JSON}, b" \r\n "),
    "no type": ({}, b"a\xff"),
    "an escape that is no text": ({"content-type": "text/plain; charset=unicode_escape"}, b"\\ud800\\udcff"),
    "gzip": ({"content-type": JSON, "content-encoding": "gzip"}, gzip.compress(b'{"id": 1}')),
    "deflate": ({"content-type": JSON, "content-encoding": "deflate"}, zlib.compress(b'{"id": 1}')),
    "damaged gzip": ({"content-type": JSON, "content-encoding": "gzip"}, gzip.compress(b'{"id": 1}')[:-9]),
    "a coding nobody asked for": ({"content-type": JSON, "content-encoding": "br"}, b"\x0b\x02\x80"),
    "not JSON": ({"content-type": JSON}, b"<html>\xff</html>"),
    "keys twice": ({"content-type": JSON}, b'{"id": 1, "id": 2}'),
    "lines": ({"content-type": "application/x-ndjson"}, b'{"id": 1}\n{"id": "\xff"}\n'),
}


def same_again(headers: dict[str, str], body: bytes, **settings: Any) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(body))

    script = [turn("getRow", {"id": 1}, save_as="row"), done("It was read.", status="failed")]
    agent = Scenario(script).agent(answer, **settings)  # type: ignore[arg-type]
    result = asyncio.run(agent.run("Read a row"))
    if result.log is not None:
        replayed = replay_now(read_log(result.log))
        assert replayed.same, replayed.difference
        assert [record.event for record in replayed.records][-1].status == result.status  # type: ignore[attr-defined]


@pytest.mark.parametrize(("headers", "body"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_replays_as_it_was(headers, body, tmp_path):
    same_again(headers, body, log_dir=tmp_path)
