"""Real documents, counted by another program."""

from __future__ import annotations

import json
import lzma
import time
from pathlib import Path

import jsonschema_rs
import pytest

from tests.documents.making import assert_bundled, schemas_of
from tests.shared import SHARED, needs_shared
from thinkagent.documents import load, unpack
from thinkagent.errors import DocumentError
from thinkagent.values import plain

SPECS = SHARED / "data" / "specs"
TRUTH = json.loads((SPECS / "truth.json").read_text())["documents"] if (SPECS / "truth.json").is_file() else {}

# The counting program applies an `$id` at the end of a reference twice, and so misses a file that is there.
DIFFERENT = {
    ("multi/ids-anchors-v31/$id-uri-external/root.json", key) for key in ("dangling_refs", "dangling_targets", "files")
}

pytestmark = needs_shared


def smallest(count: int) -> list[str]:
    """Name the smallest documents of each version that stand there unpacked."""
    found = []
    for version in ("2.", "3.0", "3.1", "3.2"):
        names = [name for name, truth in TRUTH.items() if truth.get("version", "").startswith(version)]
        names.sort(key=lambda name: TRUTH[name]["bytes"])
        found += [name for name in names[:count] if (SPECS / name).is_file()]
    return found


def differences(counts, name):
    wanted = {key: value for key, value in TRUTH[name].items() if (name, key) not in DIFFERENT}
    return {key: (counts.get(key), value) for key, value in wanted.items() if counts.get(key) != value}


@pytest.mark.parametrize("name", smallest(15))
def test_counts_of_the_smallest(name):
    made = load(str(SPECS / name))
    assert differences(made.counts, name) == {}
    assert len(made.index) == made.counts["operations"]
    assert len(list(made.operations())) + len(made.skipped) == len(made.index)


@pytest.mark.parametrize("name", smallest(15))
def test_schemas_of_the_smallest_are_bundled(name):
    for built in load(str(SPECS / name)).operations():
        for schema in schemas_of(built):
            assert_bundled(schema)


@pytest.mark.parametrize("name", smallest(8))
def test_pack_of_the_smallest(name):
    made = load(str(SPECS / name))
    again = unpack(made.pack())
    assert again.check() == made.check()
    assert list(again.operations()) == list(made.operations())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("refuse-alias-bomb.yaml", "document_syntax"),
        ("refuse-asyncapi.json", "document_not_openapi"),
        ("refuse-truncated.json", "document_syntax"),
    ],
)
def test_refused(name, code):
    start = time.perf_counter()
    with pytest.raises(DocumentError) as caught:
        load(str(SPECS / name))
    assert (caught.value.code, caught.value.exit_code) == (code, 2)
    assert time.perf_counter() - start < 2


def unpacked(name: str, folder: Path) -> Path:
    packed = SPECS / f"{name}.xz"
    if not packed.is_file():
        return SPECS / name
    path = folder / name
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, truth in TRUTH.items() if "refuse" not in truth])
def test_every_document(name, tmp_path):
    """Counts agree, every operation is built or skipped, every schema is bundled and can be compiled."""
    made = load(str(unpacked(name, tmp_path)))
    assert differences(made.counts, name) == {}
    assert len(made.index) == TRUTH[name]["operations"]
    known = {id(None): None}
    for built in made.operations():
        for schema in schemas_of(built):
            if id(schema) not in known:
                known[id(schema)] = schema
                if TRUTH[name]["operations"] < 5000:
                    assert_bundled(schema)
    assert len(made._built) + len(made.skipped) == len(made.index)
    made.check()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qdrant-v3.json", "combinatorial-v3.json", "xsoar-v2.json", "discord-v31.json"])
def test_schemas_compile(name, tmp_path):
    for built in load(str(unpacked(name, tmp_path))).operations():
        for schema in schemas_of(built)[:3]:
            if schema is not None:
                jsonschema_rs.validator_for(plain(schema))


@pytest.mark.slow
def test_index_of_a_large_document_is_there_at_once(tmp_path):
    path = unpacked("github-v3.json", tmp_path)
    start = time.perf_counter()
    made = load(str(path))
    taken = time.perf_counter() - start
    assert len(made.index) == 1223
    # About half a second alone; the bound leaves room for a busy machine.
    assert taken < 5
