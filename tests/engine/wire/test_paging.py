from __future__ import annotations

import pytest

from tests.engine.wire.making import credential, make_tool, parameter
from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.paging import more_pages, next_page, paging
from thinkagent.engine.wire.request import build_request
from thinkagent.values import Secret, SecretText

BASE = "http://api.test/v1"
ROWS = [{"id": 1}, {"id": 2}]
PAGED = make_tool(path="/rows", parameters=[parameter("q"), parameter("page"), parameter("limit")])
OFFSET = make_tool(path="/rows", parameters=[parameter("offset"), parameter("limit")])
CURSOR = make_tool(path="/rows", parameters=[parameter("cursor"), parameter("limit")])
TOKEN = make_tool(path="/rows", parameters=[parameter("pageToken")])
PLAIN = make_tool(path="/rows", parameters=[parameter("q")])


def look(tool, value, arguments=(), headers=(), target=None):
    target = target or Target(BASE)
    return paging(tool, build_request(tool, dict(arguments), target), target, value, headers)


class TestLinks:
    @pytest.mark.parametrize(
        ("value", "headers", "url"),
        [
            ({"rows": ROWS, "next": "/v1/rows?page=2"}, (), "http://api.test/v1/rows?page=2"),
            ({"rows": ROWS, "next": "http://api.test:80/v1/rows?page=2"}, (), "http://api.test:80/v1/rows?page=2"),
            ({"rows": ROWS, "next": "?page=2"}, (), "http://api.test/v1/rows?page=2"),
            ({"rows": ROWS, "links": {"next": "/v1/rows?c=x#f"}}, (), "http://api.test/v1/rows?c=x"),
            ({"rows": ROWS, "links": {"next": {"href": "/v1/rows?c=x"}}}, (), "http://api.test/v1/rows?c=x"),
            (
                {"rows": ROWS, "_links": {"next": {"href": "/v1/rows?c=é y"}}},
                (),
                "http://api.test/v1/rows?c=%C3%A9%20y",
            ),
            ({"value": ROWS, "@odata.nextLink": "/v1/rows?$skip=2"}, (), "http://api.test/v1/rows?$skip=2"),
            (ROWS, [("Link", '<http://api.test/v1/rows?page=2>; rel="next"')], "http://api.test/v1/rows?page=2"),
            (
                ROWS,
                [("link", "</v1/rows?page=9>; rel=last, </v1/rows?page=2,3>;rel=next")],
                "http://api.test/v1/rows?page=2,3",
            ),
            (
                ROWS,
                [("link", '</v1/a>; rel="prev"; title="a, b", </v1/b>; title="x"; rel="foo NEXT"')],
                "http://api.test/v1/b",
            ),
            (
                {"data": ROWS},
                [("Next-Page", "http://api.test/v1/rows?_token=a%2Bb")],
                "http://api.test/v1/rows?_token=a%2Bb",
            ),
        ],
    )
    def test_followed(self, value, headers, url):
        found = look(PLAIN, value, {"q": "x"}, headers)
        assert found.next is not None
        assert found.next.request.url == url
        assert (found.next.is_certain, found.more) == (True, True)

    @pytest.mark.parametrize(
        ("value", "headers"),
        [
            ({"rows": ROWS, "next": None}, ()),
            ({"rows": ROWS, "next": ""}, ()),
            ({"rows": ROWS, "links": {"next": None, "prev": "/x"}}, ()),
            (ROWS, [("link", '</v1/rows?page=1>; rel="prev"')]),
            (ROWS, [("x-next-page", "")]),
        ],
    )
    def test_the_last_page(self, value, headers):
        assert look(PLAIN, value, headers=headers) == paging(
            PLAIN, build_request(PLAIN, {}, Target(BASE)), Target(BASE), {"rows": [], "has_more": False}, ()
        )
        assert look(PLAIN, value, headers=headers).more is False

    @pytest.mark.parametrize(
        "link",
        [
            "http://evil.test/v1/rows",
            "//evil.test/rows",
            "https://api.test/v1/rows",
            "http://api.test:8080/v1/rows",
            "http://api.test@evil.test/",
            "http://user:pw@api.test/v1/rows",
            "http://[::1/rows",
        ],
    )
    def test_another_origin_is_not_followed_but_said(self, link):
        found = look(PLAIN, {"rows": ROWS, "next": link})
        assert (found.next, found.more) == (None, True)
        assert found.note == "the body's 'next' leads to another origin and is not followed"

    def test_a_page_that_names_itself_is_no_next_page(self):
        assert look(PLAIN, {"rows": ROWS, "next": "/v1/rows?q=x"}, {"q": "x"}).next is None

    @pytest.mark.parametrize("value", [{"id": 1, "next": "/v1/rows/2"}, "text", 7, None], ids=repr)
    def test_only_lists_have_pages(self, value):
        found = look(PLAIN, value)
        assert (found.next, found.more) == (None, None)

    def test_only_reads_by_get_have_pages(self):
        assert look(make_tool("POST", "/rows"), {"rows": ROWS, "next": "/v1/rows?page=2"}).next is None


class TestCursors:
    @pytest.mark.parametrize(
        ("tool", "value", "query"),
        [
            (CURSOR, {"rows": ROWS, "next_cursor": "a+b/="}, "limit=2&cursor=a%2Bb%2F%3D"),
            (CURSOR, {"rows": ROWS, "meta": {"nextCursor": 17}}, "limit=2&cursor=17"),
            (CURSOR, {"rows": ROWS, "next": "abc"}, "limit=2&cursor=abc"),
            (TOKEN, {"rows": ROWS, "nextPageToken": "t"}, "pageToken=t"),
        ],
    )
    def test_goes_into_the_documented_parameter(self, tool, value, query):
        arguments = {"limit": 2} if tool is CURSOR else {}
        found = look(tool, value, arguments)
        assert found.more is True
        assert found.next.request.url == f"{BASE}/rows?{query}"

    def test_takes_the_place_of_the_last_one(self):
        found = look(CURSOR, {"rows": ROWS, "next_cursor": "c"}, {"cursor": "b", "limit": 2})
        assert found.next.request.url == f"{BASE}/rows?cursor=c&limit=2"

    @pytest.mark.parametrize("value", [{"rows": ROWS, "next_cursor": None}, {"rows": ROWS, "next_cursor": ""}])
    def test_the_last_page(self, value):
        found = look(CURSOR, value)
        assert (found.next, found.more) == (None, False)

    def test_an_end_cursor_stands_on_the_last_page_too(self):
        value = {"rows": ROWS, "pageInfo": {"hasNextPage": False, "endCursor": "x"}}
        assert look(CURSOR, value).more is False

    def test_without_a_parameter_for_it_this_is_said(self):
        found = look(PLAIN, {"rows": ROWS, "next_cursor": "c"})
        assert (found.next, found.more) == (None, True)
        assert "documents no parameter for it" in found.note

    @pytest.mark.parametrize(
        ("value", "headers"), [({"rows": ROWS, "next_page": 3}, ()), (ROWS, [("X-Next-Page", "3")])]
    )
    def test_the_number_of_the_next_page(self, value, headers):
        found = look(PAGED, value, {"page": 2}, headers)
        assert found.next.request.url == f"{BASE}/rows?page=3"


class TestNumbers:
    @pytest.mark.parametrize(
        ("tool", "arguments", "value", "headers", "query"),
        [
            (PAGED, {}, {"rows": ROWS, "page": 1, "pages": 3}, (), "page=2"),
            (PAGED, {"page": 2, "q": "x"}, {"rows": ROWS, "total_pages": 3}, (), "q=x&page=3"),
            (PAGED, {"limit": 2}, {"rows": ROWS, "total": 5}, (), "limit=2&page=2"),
            (PAGED, {"page": 2, "limit": 2}, {"rows": ROWS, "meta": {"total": 5}}, (), "page=3&limit=2"),
            (PAGED, {}, {"rows": ROWS, "hasMore": True}, (), "page=2"),
            (PAGED, {}, ROWS, [("X-Total-Count", "5")], "page=2"),
            (OFFSET, {}, {"rows": ROWS, "total": 5}, (), "offset=2"),
            (OFFSET, {"offset": 2, "limit": 2}, {"rows": ROWS, "total": 5}, (), "offset=4&limit=2"),
        ],
    )
    def test_more(self, tool, arguments, value, headers, query):
        found = look(tool, value, arguments, headers)
        assert found.more is True
        assert found.next.is_certain
        assert found.next.request.url == f"{BASE}/rows?{query}"

    @pytest.mark.parametrize(
        ("tool", "arguments", "value"),
        [
            (PAGED, {"page": 3}, {"rows": ROWS, "page": 3, "pages": 3}),
            (PAGED, {"page": 3, "limit": 2}, {"rows": [1], "total": 5}),
            (PAGED, {}, {"rows": ROWS, "total": 2}),
            (PAGED, {"limit": 3}, ROWS),
            (PAGED, {"page": 4}, []),
            (OFFSET, {"offset": 3}, {"rows": ROWS, "total": 5}),
            (PLAIN, {}, {"rows": ROWS, "total": 2}),
            (PLAIN, {}, {"rows": ROWS, "has_more": False}),
        ],
    )
    def test_the_last_page(self, tool, arguments, value):
        found = look(tool, value, arguments)
        assert (found.next, found.more) == (None, False)

    def test_more_that_cannot_be_reached_is_said(self):
        found = look(PLAIN, {"rows": ROWS, "total": 5})
        assert (found.next, found.more) == (None, True)

    def test_a_full_page_without_counts_may_go_on(self):
        found = look(PAGED, ROWS, {"limit": 2})
        assert found.more is None
        assert found.next.is_certain is False
        assert found.next.request.url == f"{BASE}/rows?limit=2&page=2"

    def test_nothing_told(self):
        assert look(PLAIN, ROWS) == look(PAGED, ROWS)
        assert look(PLAIN, ROWS).more is None

    def test_pages_from_zero(self):
        tool = make_tool(path="/rows", parameters=[parameter("page", schema={"type": "integer", "default": 0})])
        assert look(tool, {"rows": ROWS, "pages": 2}).next.request.url == f"{BASE}/rows?page=1"
        assert look(tool, {"rows": ROWS, "pages": 2}, {"page": 1}).more is False

    def test_odd_numbers_are_no_numbers(self):
        assert look(PAGED, {"rows": ROWS, "pages": True, "total": "5"}).more is None
        assert look(PAGED, ROWS, {"page": 10**30}).next is None


class TestCredentials:
    def test_headers_go_along(self):
        tool = make_tool(path="/rows", security=(("key",),))
        target = Target(BASE, {"key": credential("bearer")})
        first = build_request(tool, {}, target)
        found = next_page(tool, first, target, {"rows": ROWS, "next": "?page=2"}, ())
        assert found.request.headers == first.headers
        assert ("authorization", SecretText(("Bearer ", Secret("auth.key")))) in found.request.headers

    @pytest.mark.parametrize(
        "link",
        ["?page=2", "?api_key=***&page=2", SecretText(("?api_key=", Secret("auth.key~1"), "&page=2"))],
        ids=["left-out", "blacked-out", "in-it"],
    )
    def test_a_key_in_the_query_is_put_in_again(self, link):
        tool = make_tool(path="/rows", security=(("key",),))
        target = Target(BASE, {"key": credential("query")})
        found = look(tool, {"rows": ROWS, "next": link}, target=target)
        assert found.next.request.url == SecretText((f"{BASE}/rows?page=2&api_key=", Secret("auth.key")))
        sent = open_request(found.next.request, lambda secret: "a+b")
        assert str(sent.url) == f"{BASE}/rows?page=2&api_key=a%2Bb"

    def test_a_secret_in_the_link_is_sent_as_it_was_spelled(self):
        link = SecretText(("/v1/rows?sig=", Secret("t4.sig~1"), "&p=2"))
        found = look(PLAIN, {"rows": ROWS, "next": link})
        assert str(open_request(found.next.request, lambda secret: "a%2Bb").url) == f"{BASE}/rows?sig=a%2Bb&p=2"
        assert type(found.next.request).from_log(found.next.request.as_log()) == found.next.request

    def test_a_link_cannot_name_a_secret_that_it_does_not_hold(self):
        tool = make_tool(path="/rows", security=(("key",),))
        target = Target(BASE, {"key": credential("query")})
        found = look(tool, {"rows": ROWS, "next": "?x=secret0hole0z&page=2"}, target=target)
        assert str(found.next.request.url).count("«secret") == 1
        assert "x=secret0hole0z" in str(found.next.request.url)


def test_more_pages_is_the_same_word():
    request = build_request(PAGED, {}, Target(BASE))
    assert more_pages(PAGED, request, Target(BASE), {"rows": ROWS, "pages": 2, "page": 1}, ()) is True


class TestSeveralLists:
    """Which of them goes on is not known: no page is read by itself, and none is missing in silence."""

    BOTH = {"rooms": ROWS, "beds": ROWS}

    @pytest.mark.parametrize(
        ("value", "headers", "more"),
        [
            ({**BOTH, "next": "/v1/rows?page=2"}, (), True),
            (BOTH, [("Link", '</v1/rows?page=2>; rel="next"')], True),
            ({**BOTH, "next": None}, (), None),
            (BOTH, (), None),
            ({"id": 7, **BOTH, "next": "/v1/rows/8"}, (), None),
            ({"name": "x", "tags": ["a"], "next": "/v1/rows/8"}, (), None),
        ],
        ids=["body", "header", "last", "nothing tells", "one thing", "one thing with a list"],
    )
    def test_more(self, value, headers, more):
        found = look(PAGED, value, headers=headers)
        assert (found.next, found.more) == (None, more)
        assert ("several lists" in found.note) == (more is True)
