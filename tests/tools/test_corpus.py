"""Every tool of real documents is legal, valid and has a way back to its operation."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import jsonschema_rs
import pytest

from tests.shared import SHARED, needs_shared
from tests.tools.helpers import references
from thinkagent.documents import load_bytes
from thinkagent.tools import as_dict, build_tools, describe
from thinkagent.tools.validity import compile_schema, fits
from thinkagent.values import plain, read_json, tokens, write_json

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
SPECS = SHARED / "data" / "specs"
SMALL = 40_000
"""Bytes; the documents up to this size are checked in every run."""


def _documents() -> list[str]:
    if not (SPECS / "truth.json").is_file():
        return []
    truth = json.loads((SPECS / "truth.json").read_text(encoding="utf-8"))
    known = truth.get("documents", truth)
    return sorted(
        name for name in known if "/" not in name and _path(name) is not None and not name.startswith("refuse-")
    )


def _path(name: str) -> Path | None:
    return next((path for path in (SPECS / name, SPECS / f"{name}.xz") if path.is_file()), None)


def _read(name: str) -> bytes:
    path = _path(name)
    assert path is not None
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def _is_small(name: str) -> bool:
    path = _path(name)
    return path is not None and path.suffix != ".xz" and path.stat().st_size <= SMALL


NAMES = _documents()


def check(name: str) -> None:
    document = load_bytes(_read(name), name)
    tools = build_tools(document)
    assert len(tools) + len(tools.skipped) == tools.operations == len(document.index)
    assert all(LEGAL.fullmatch(tool) for tool in tools.names)
    assert len({tool.lower() for tool in tools.names}) == len(tools)
    for tool in map(tools.__getitem__, tools.names[:300]):
        jsonschema_rs.meta.validate(plain(dict(tool.parameters)))
        compile_schema(tool.parameters)
        definitions = {f"#/$defs/{key}" for key in tool.parameters.get("$defs", {})}
        assert set(references(tool.parameters)) == definitions, tool.name
        assert set(tool.parameters["properties"]) == {item.name for item in tool.arguments}
        assert all(LEGAL.fullmatch(item.name) for item in tool.arguments)
        sources = {(item.location, item.name) for item in tool.operation.parameters} | {("body", None)}
        assert {
            (item.location, None if item.location == "body" else item.wire_name) for item in tool.arguments
        } <= sources
        assert tool.example_call == {} or fits(tool.parameters, tool.example_call), tool.name
        assert tokens(describe(tool)) == tool.tokens <= 1300
        read_json(write_json(as_dict(tool)))


@needs_shared
@pytest.mark.parametrize("name", [name for name in NAMES if _is_small(name)])
def test_small_documents(name):
    check(name)


@needs_shared
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [name for name in NAMES if not _is_small(name)])
def test_large_documents(name):
    check(name)
