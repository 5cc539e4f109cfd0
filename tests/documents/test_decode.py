"""Bytes to text."""

from __future__ import annotations

import pytest

from tests.documents.making import from_yaml
from thinkagent.documents import load_bytes
from thinkagent.documents.decode import decode
from thinkagent.errors import DocumentError

TEXT = '{"openapi": "3.0.3", "info": {"title": "天気 é", "version": "1"}, "paths": {}}'


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        pytest.param("utf-8", "utf-8", id="utf-8"),
        pytest.param("utf-8-sig", "utf-8-sig", id="utf-8 with mark"),
        pytest.param("utf-16", "utf-16", id="utf-16 native"),
        pytest.param("utf-32", "utf-32", id="utf-32 native"),
    ],
)
def test_encoding_by_mark(codec, encoding):
    made = load_bytes(TEXT.encode(codec))
    assert made.title == "天気 é"
    assert made.counts["encoding"] == encoding


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_byte_order(order):
    assert decode(("\ufeff" + TEXT).encode(order)).text == TEXT


def test_windows_1252_is_a_finding():
    made = load_bytes("openapi: 3.0.0\ninfo: {title: Señal – “x”, version: '1'}\npaths: {}\n".encode("cp1252"))
    assert made.title == "Señal – “x”"
    assert [finding.message for finding in made.findings] == ["the text is not UTF-8; it is read as Windows-1252"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", id="picture"),
        pytest.param(b"openapi: \x81", id="undefined in every encoding"),
        pytest.param(b"\xff\xfe\x00", id="half a character of utf-16"),
    ],
)
def test_no_text(data):
    with pytest.raises(DocumentError, match="no text") as caught:
        load_bytes(data, "a.yaml")
    assert caught.value.code == "document_not_text"


def test_utf8_has_no_finding():
    assert from_yaml("paths: {}").findings == ()
