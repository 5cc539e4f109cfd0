"""The tasks in refusals.json cannot be done, and what they say of the reason is true."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.demo.wordings import Refusal, data_of, refusals, tasks
from thinkagent.shop import DOCUMENT_PATH, document

REFUSALS = refusals()
DOCUMENT_TEXT = DOCUMENT_PATH.read_text(encoding="utf-8").casefold()


def with_evidence(kind: str) -> list[Any]:
    return [pytest.param(refusal, id=refusal.id) for refusal in REFUSALS if kind in refusal.evidence]


def names(refusal: Refusal) -> list[str]:
    """Everything in the data that a task may call a thing by."""
    data = data_of(refusal)
    fields = ("id", "name", "email", "sku")
    return [record[field] for records in data.values() for record in records for field in fields if field in record]


def test_there_are_forty_of_every_kind() -> None:
    assert Counter(refusal.language for refusal in REFUSALS) == {"en": 28, "zh": 12}
    kinds = Counter((refusal.kind, refusal.language) for refusal in REFUSALS)
    for kind in ("unknown_noun", "half_understood", "impossible", "ambiguous_name", "misspelt_name", "two_intents"):
        assert kinds[kind, "en"] >= 3
        assert kinds[kind, "zh"] >= 1
    assert len({refusal.id for refusal in REFUSALS}) == len({refusal.task for refusal in REFUSALS}) == 40


def test_none_is_a_task_that_must_be_done() -> None:
    assert not {refusal.task for refusal in REFUSALS} & {task.task for task in tasks()}


def test_every_one_says_why() -> None:
    assert all(refusal.why and refusal.evidence for refusal in REFUSALS)


def test_many_of_them_could_write_if_they_were_let() -> None:
    assert sum(refusal.allow_writes for refusal in REFUSALS) >= 20


@pytest.mark.parametrize("refusal", with_evidence("unknown"))
def test_unknown_words_are_in_neither_document_nor_data(refusal: Refusal) -> None:
    known = "\n".join([DOCUMENT_TEXT, *(name.casefold() for name in names(refusal))])
    assert [word for word in refusal.evidence["unknown"] if word.casefold() in known] == []
    assert any(word.casefold() in refusal.task.casefold() for word in refusal.evidence["unknown"])


@pytest.mark.parametrize("refusal", with_evidence("ambiguous"))
def test_ambiguous_names_fit_several_customers(refusal: Refusal) -> None:
    for name in refusal.evidence["ambiguous"]:
        assert name in refusal.task
        fitting = [customer for customer in data_of(refusal)["customers"] if name in customer["name"]]
        assert len(fitting) > 1
        assert sum(customer["name"] == name for customer in fitting) != 1, "one of them would be meant"


@pytest.mark.parametrize("refusal", with_evidence("missing"))
def test_misspelt_names_are_no_names_and_nearly_one(refusal: Refusal) -> None:
    for name in refusal.evidence["missing"]:
        assert name in refusal.task
        assert not [known for known in names(refusal) if name.casefold() in known.casefold()]
        assert any(_differ_little(name, known) for known in names(refusal))


def _differ_little(left: str, right: str) -> bool:
    return left != right and sum((Counter(left) - Counter(right)).values()) <= 1 and abs(len(left) - len(right)) <= 1


@pytest.mark.parametrize("refusal", with_evidence("lacks"))
def test_operations_that_would_be_needed_are_missing(refusal: Refusal) -> None:
    for operation in refusal.evidence["lacks"]:
        method, _, path = operation.partition(" ")
        assert method.lower() not in document()["paths"].get(path, {})


@pytest.mark.parametrize("refusal", with_evidence("lacks_field"))
def test_fields_that_would_be_needed_are_missing(refusal: Refusal) -> None:
    schema, field = refusal.evidence["lacks_field"]
    assert field not in document()["components"]["schemas"][schema]["properties"]
    assert document()["components"]["schemas"][schema]["additionalProperties"] is False


@pytest.mark.parametrize("refusal", with_evidence("intents"))
def test_two_intents_are_two(refusal: Refusal) -> None:
    first, second = refusal.evidence["intents"]
    assert refusal.task.index(first) < refusal.task.index(second)
