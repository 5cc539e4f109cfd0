# ruff: noqa: E501 (tables are read in rows)
"""Lists whose answers the document does not describe: the answer says where they lie, or nothing is said at all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.minds.offline.documents import answer, one_of, path, text, thing, tools_of, whole
from thinkagent.minds.offline.reading import read_resources
from thinkagent.minds.offline.wrappers import list_in_answer, list_in_schema


def untold(*query: str) -> dict[str, Any]:
    """An operation of whose answer nothing is known."""
    return {"parameters": [{"name": name, "in": "query", "schema": text()} for name in query],
            "responses": {"200": {"description": "ok"}}}  # fmt: skip


ATLAS = tools_of({
    "/layers": {"get": untold()},
    "/layers/wells": {"get": untold()},
    "/layers/wells/items": {"get": untold("limit", "offset", "name")},
    "/layers/wells/items/{id}": {"parameters": [path("id")], "get": untold()},
    "/cart/items": {"get": untold("limit")},
    "/routes": {"post": {"responses": answer(None, "201")}},
    "/routes/items": {"get": untold("limit")},
    "/status": {"get": untold()},
    "/reports": {"get": untold()},
})  # fmt: skip


def _well(number: int, name: str, depth: Any, town: str, drilled: Any) -> dict[str, Any]:
    properties = {"name": name, "depth_m": depth, "town": town, "drilled": drilled, "dry": number == 2}
    return {"type": "Feature", "id": f"w{number}", "properties": properties}


WELLS = [
    _well(1, "Old Well", 40, "Ayr", "1999-05-01"),
    _well(2, "Mill Well", 12, "Ayr", "2024-02-01"),
    _well(3, "New Well", 85, "Perth", "2024-06-30"),
    _well(4, "Far Well", None, "Oban", None),
]
COLLECTION = {
    "type": "FeatureCollection",
    "features": WELLS,
    "numberMatched": 4,
    "links": [{"rel": "self", "href": "x"}],
}
ROWS: dict[str, Any] = {
    "/layers": {"layers": [{"id": "wells", "title": "Wells"}], "links": []},
    "/layers/wells": {"id": "wells", "extent": [1, 2]},
    "/layers/wells/items": COLLECTION,
    "/layers/wells/items/w3": WELLS[2],
    "/status": {"status": "ok", "checks": [{"id": 1}]},
    "/reports": {"count": 3, "notes": [{"id": 1}]},
}


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("How many wells are there?", "There are 4 wells."),
        ("List the layers", "Wells"),
        ("How many layers are there?", "There is 1 layer."),
        ("Which wells are in Ayr?", "Old Well, Mill Well"),
        ("Which well has the highest depth?", "New Well (depth_m: 85)"),
        ("What is the average depth of all wells?", "1 without a value left out"),
        ("How many wells were drilled in 2024?", "2"),
        ("How many dry wells are there?", "1"),
        ("What is the depth of the Mill Well?", "12"),
        ("Show well w3", "name: New Well"),
        ("有多少个wells？", "4"),
    ],
)
def test_the_answer_tells(do, task, said):
    run = do("library", task, tools=ATLAS, rows=ROWS)
    assert run.status == "done", run.answer
    assert said in run.answer


@pytest.mark.parametrize(
    ("task", "changed"),
    [
        pytest.param("How many wells are there?", {**COLLECTION, "numberMatched": 9}, id="fewer-than-told"),
        pytest.param("How many wells are there?", {**COLLECTION, "rows": [{"a": 1}]}, id="two-lists"),
        pytest.param("How many wells are there?", {"id": 1, **COLLECTION}, id="one-thing"),
        pytest.param("How many wells are there?", {"type": "FeatureCollection"}, id="no-list"),
        pytest.param("How many wells are there?", {"members": WELLS}, id="of-another-name"),
        pytest.param("How many wells are deep?", COLLECTION, id="unknown-word"),
        pytest.param("How many carts are there?", COLLECTION, id="items-of-one-cart"),
        pytest.param("How many routes are there?", COLLECTION, id="routes-have-a-path-of-their-own"),
        pytest.param("How many statuses are there?", COLLECTION, id="no-list-at-all"),
        pytest.param("How many reports are there?", COLLECTION, id="a-list-of-something-else"),
        pytest.param("How many wells were drilled in 2024?", {"features": [*WELLS, _well(5, "X", 1, "Y", "unknown")]}, id="no-dates"),
        pytest.param("What is the lowest depth of all wells?", {"features": [*WELLS, _well(5, "X", "3 m", "Y", None)]}, id="no-numbers"),
    ],
)  # fmt: skip
def test_what_the_answer_leaves_open_is_not_guessed(do, task, changed):
    run = do("library", task, tools=ATLAS, rows={**ROWS, "/layers/wells/items": changed})
    assert run.status in ("impossible", "failed")


def test_what_no_word_names_is_not_read(do):
    assert do("library", "How many dragons are there?", tools=ATLAS, rows=ROWS).reads == []


def test_a_list_is_read_once(do):
    assert do("library", "Which wells are in Ayr?", tools=ATLAS, rows=ROWS).reads == ["/layers/wells/items"]


LAMP = thing("id", id=text(), state=one_of("on", "off"))
ERROR = thing("code", code=text(), detail=text())


def many(schema: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema}


@pytest.mark.parametrize(
    ("properties", "pointer", "noun"),
    [
        pytest.param({"data": {"anyOf": [many(LAMP), many({"type": "object"})]}, "errors": {"anyOf": [many(ERROR), {"type": "null"}]}}, ("data",), "lamp", id="choice-of-lists"),
        pytest.param({"data": {"anyOf": [LAMP, {"type": "null"}]}, "errors": many(ERROR)}, None, "", id="one-thing-and-errors"),
        pytest.param({"lamps": many(LAMP), "links": many(ERROR)}, ("lamps",), "lamp", id="links-beside"),
        pytest.param({"features": many(LAMP), "numberMatched": whole()}, ("features",), "lamp", id="features"),
        pytest.param({"bulbs": many(LAMP)}, ("bulbs",), "bulb", id="called-otherwise"),
        pytest.param({"data": many(LAMP), "values": many(LAMP)}, None, "", id="two-usual-keys"),
        pytest.param({"id": text(), "bulbs": many(LAMP)}, None, "", id="one-thing-with-parts"),
        pytest.param({"result": {"type": "object", "properties": {"lamps": many(LAMP)}}}, ("result", "lamps"), "lamp", id="two-levels"),
    ],
)  # fmt: skip
def test_the_list_in_a_schema(properties, pointer, noun):
    found = list_in_schema({"type": "object", "properties": properties}, ("lamp",))
    assert (found and found.pointer) == pointer
    assert (" ".join(found.noun) if found else "") == noun


@pytest.mark.parametrize(
    ("value", "sure", "pointer"),
    [
        ({"type": "array"}, False, ()),
        ({"lamps": "array", "links": "array"}, False, ("lamps",)),
        ({"items": "array"}, False, None),
        ({"items": "array"}, True, ("items",)),
        ({"items": "array", "data": "array"}, True, None),
        ({"lamps": "array", "plugs": "array"}, True, None),
        ({"plugs": "array"}, True, None),
        ({"items": "object"}, True, None),
    ],
)
def test_the_list_in_an_answer(value, sure, pointer):
    shape = (
        value
        if "type" in value
        else {"type": "object", "properties": {key: {"type": kind} for key, kind in value.items()}}
    )
    assert list_in_answer(shape, ("lamp",), sure=sure) == pointer


def test_names_come_from_the_last_named_segment():
    labels = {one.listing.tool.path: one.label for one in read_resources(ATLAS) if one.listing}
    assert labels["/layers/wells/items"] == "well"
    assert labels["/cart/items"] == "item"
    assert labels["/routes/items"] == "item"
    assert "/layers/wells" not in labels
    assert "/status" not in labels


META = thing("", version=text())
DISH = thing("id meta", id=text(), meta=META, name=text(), price=whole())
FRAMED = {"type": "object", "properties": {"data": {"anyOf": [DISH, {"type": "null"}]}, "meta": META}}
KITCHEN = tools_of({
    "/dishes": {"get": {"responses": answer({"type": "object", "properties": {"data": many(DISH), "meta": META}})}},
    "/dishes/{id}": {"parameters": [path("id")], "get": {"responses": answer(FRAMED)}},
})  # fmt: skip


@pytest.mark.parametrize(
    ("whole_answer", "status", "said"),
    [
        ({"data": {"id": "soup-1", "name": "Soup", "price": 4}, "meta": {"version": "1"}}, "done", "The price of Soup is 4."),
        ({"data": {"id": "soup-1", "name": "Soup"}, "meta": {"version": "1"}}, "done", "not given"),
        ({"data": None, "meta": {"version": "1"}}, "failed", 'No dish is called "soup-1"'),
        ({"data": {"message": "try later"}, "meta": {"version": "1"}}, "failed", 'No dish is called "soup-1"'),
        ({"meta": {"version": "1"}}, "failed", 'No dish is called "soup-1"'),
    ],
)  # fmt: skip
def test_one_thing_in_a_frame(do, whole_answer, status, said):
    """A frame that shares `meta` with what it frames; and an answer without the thing is no thing without a price."""
    rows = {"/dishes/soup-1": whole_answer, "/dishes": {"data": []}}
    run = do("library", "What is the price of dish soup-1?", tools=KITCHEN, rows=rows)
    assert run.status == status
    assert said in run.answer
