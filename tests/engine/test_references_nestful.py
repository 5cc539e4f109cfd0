"""References of a public corpus of nested calls: every one arrives with the producer's value and type."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from tests.shared import SHARED, needs_shared
from thinkagent.engine.references import Path, ReferenceMiss, Scope, StepValue, resolve
from thinkagent.values import read_json, same

pytestmark = needs_shared

REFERENCE = re.compile(r"\$(var\d+)(?:\.([^$]*))?\$")
FILES = {"executable": ("executable-data.dev.json", "executable-spec.json"), "sgd": ("sgd-data.json", "sgd-spec.json")}


@cache
def corpus(name):
    tasks, spec = (json.loads((SHARED / "data/nestful" / file).read_text("utf-8")) for file in FILES[name])
    return tasks, {operation["name"]: list(operation["output_parameters"]) for operation in spec}


def references():
    """Each reference of the corpus: its producer's fields, the field wanted, and the text round it.

    The fields are None where the task has no such producer.
    """
    for name in FILES if (SHARED / "data/nestful").is_dir() else ():
        tasks, fields = corpus(name)
        for task in tasks:
            producers = {call["label"]: call["name"] for call in task["output"] if "label" in call}
            for call in task["output"]:
                for value in call["arguments"].values():
                    for found in REFERENCE.finditer(str(value)):
                        producer = producers.get(found[1])
                        real = fields[producer] if producer else None
                        yield real, found[2] or "", str(value).replace(found[0], "@")


ALL = list(references())
MADE = read_json('[17, 1.10, "9", true, 9007199254740993, 12345678901234567890123.40]')


def way(field):
    """The corpus writes `company.cik` and `author[0].id`; a key may hold blanks."""
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"\.|\[|\]\.?", field) if part)


def produce(fields, keys, leaf):
    made = {field: f"made up {field}" for field in fields}
    if keys and keys[0] in made:
        for key in reversed(keys[1:]):
            leaf = [leaf] if key == 0 else {key: leaf}
        made[keys[0]] = leaf
    return made


def test_the_corpus_is_all_there():
    assert sum(len(corpus(name)[0]) for name in FILES) == 43 + 46
    assert len(ALL) > 200


@pytest.mark.parametrize("number", range(len(ALL)))
def test_a_reference_arrives_or_names_the_real_fields(number):
    fields, field, around = ALL[number]
    keys, leaf = way(field), MADE[number % len(MADE)]
    scope = Scope({"producer": StepValue(produce(fields, keys, leaf))} if fields is not None else {})
    text = around.replace("@", Path("steps", "producer", "result", keys).reference)
    if fields is None:
        with pytest.raises(ReferenceMiss, match="no step is called"):
            resolve(text, scope)
    elif keys and keys[0] not in fields:
        with pytest.raises(ReferenceMiss) as caught:
            resolve(text, scope)
        assert any(repr(real) in str(caught.value) for real in fields)
    elif around == "@":
        value = resolve(text, scope).value
        wanted = leaf if keys else scope.steps["producer"].result
        assert same(value, wanted)
        assert type(value) is type(wanted)
    else:
        assert "<<" not in resolve(text, scope).value
