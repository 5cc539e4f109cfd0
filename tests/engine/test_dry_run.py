from __future__ import annotations

import pytest

from tests.engine.wire.making import make_tool, parameter
from thinkagent.documents.model import MediaType, Response
from thinkagent.engine.dry_run import dry_answer
from thinkagent.engine.wire.answer import decode
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.paging import paging
from thinkagent.engine.wire.request import build_request
from thinkagent.values import read_json

ROW = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def tool(status="200", schema=ROW, media_type="application/json", method="GET", **more):
    content = () if schema is None else (MediaType(media_type, schema),)
    return make_tool(
        method, "/rows", responses=[Response(status, content=content)], result=schema, result_status=status, **more
    )


class TestAnswer:
    def test_from_the_documents_example(self):
        answer = dry_answer(tool(example_result={"id": 7}))
        assert (answer.status, answer.headers, answer.body) == (
            200,
            (("content-type", "application/json"),),
            '{"id":7}',
        )

    def test_from_the_schema_where_there_is_none(self):
        assert isinstance(read_json(dry_answer(tool()).body)["id"], int)

    @pytest.mark.parametrize(
        ("status", "method", "schema", "expected"),
        [
            ("201", "POST", ROW, 201),
            ("2XX", "GET", ROW, 200),
            ("2XX", "POST", ROW, 201),
            ("default", "GET", ROW, 200),
            ("default", "POST", None, 204),
            ("", "GET", None, 204),
            ("204", "DELETE", None, 204),
            ("404", "GET", ROW, 200),
        ],
    )
    def test_status(self, status, method, schema, expected):
        answer = dry_answer(tool(status, schema, method=method))
        assert answer.status == expected
        assert (answer.body == "") is (expected == 204)

    @pytest.mark.parametrize(
        ("media_type", "example", "kind", "value"),
        [
            ("application/vnd.api+json", {"id": 1}, "json", {"id": 1}),
            ("*/*", {"id": 1}, "json", {"id": 1}),
            ("text/plain", "hello", "text", "hello"),
            ("text/csv", [1], "text", "[1]"),
        ],
    )
    def test_reads_like_a_real_one(self, media_type, example, kind, value):
        answer = dry_answer(tool(media_type=media_type, example_result=example))
        found = decode(answer.headers, answer.body)
        assert (found.kind, found.value) == (kind, value)


class TestNoNextPage:
    """An example's `next` link would be followed for ever."""

    @pytest.mark.parametrize(
        "example",
        [
            {"rows": [{"id": 1}], "next": "/rows?page=2"},
            {"rows": [{"id": 1}], "next": "http://api.test/rows?page=2", "total": 99, "has_more": True},
            {"data": [{"id": 1}], "links": {"self": "/rows", "next": {"href": "/rows?page=2"}}},
            {"data": [{"id": 1}], "_links": {"next": {"href": "/rows?page=2"}}},
            {"value": [{"id": 1}], "@odata.nextLink": "/rows?page=2"},
            {"rows": [{"id": 1}], "next_cursor": "abc"},
            {"rows": [{"id": 1}], "meta": {"nextPageToken": "abc"}},
            {"rows": [{"id": 1}], "paging": {"cursors": {"after": "abc"}}},
        ],
    )
    def test_leads_on(self, example):
        listing = make_tool(
            path="/rows",
            parameters=[parameter("cursor"), parameter("q")],
            responses=[Response("200", content=(MediaType("application/json", ROW),))],
            result=ROW,
            example_result=example,
        )
        target = Target("http://api.test")
        answer = dry_answer(listing)
        value = decode(answer.headers, answer.body).value
        assert paging(listing, build_request(listing, {}, target), target, example, ()).next is not None
        assert paging(listing, build_request(listing, {}, target), target, value, answer.headers).next is None

    def test_the_rest_of_the_example_stays(self):
        answer = dry_answer(tool(example_result={"rows": [{"id": 1, "next": "x"}], "next": "/y", "total": 1}))
        assert read_json(answer.body) == {"rows": [{"id": 1, "next": "x"}], "next": None, "total": 1}
