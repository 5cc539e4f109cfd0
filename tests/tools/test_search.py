"""Finding tools by words."""

from __future__ import annotations

import json
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import SHARED, needs_shared
from tests.tools.helpers import answer, body, operation, toolset
from thinkagent.documents import load_bytes
from thinkagent.tools import build_tools, search
from thinkagent.tools.search_query import read_query
from thinkagent.tools.words import name_words, singular, stem, text_words

ID = {"type": "object", "properties": {"id": {"type": "string"}}}


def path(name):
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


PATHS = {
    "/customers": {
        "get": operation("listCustomers", summary="List customers", responses=answer({"type": "array", "items": ID})),
        "post": operation(
            "createCustomer", summary="Create a customer", requestBody=body({"properties": {"email": {}}})
        ),
    },
    "/customers/{customerId}": {
        "get": operation("getCustomer", summary="Get a customer", parameters=[path("customerId")]),
        "delete": operation("deleteCustomer", summary="Delete a customer", parameters=[path("customerId")]),
    },
    "/invoices": {"get": operation("listInvoices", summary="List invoices", tags=["billing"])},
    "/reports": {"get": operation("r", description="Monthly <b>revenue</b> figures")},
    "/invoices/search": {"post": operation("findInvoices", summary="Invoices by their text")},
    "/订单": {"get": operation("", summary="查询订单列表")},
}
TOOLS = toolset(PATHS)


def found(query, k=8):
    return [hit.line.name for hit in search(TOOLS, query, k)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("list all customers", "listCustomers", id="verb-and-noun"),
        pytest.param("CUSTOMERS listing", "listCustomers", id="other-forms"),
        pytest.param("please create a customer", "createCustomer", id="create"),
        pytest.param("delete customer c7", "deleteCustomer", id="delete"),
        pytest.param("billing", "listInvoices", id="tag"),
        pytest.param("invoice", "listInvoices", id="singular"),
        pytest.param("email", "createCustomer", id="field-of-the-body"),
        pytest.param("revenue per month", "r", id="description"),
        pytest.param("listCustomers", "listCustomers", id="exact-name"),
        pytest.param("how many customers exist", "listCustomers", id="a-question-is-a-read"),
        pytest.param("How many customers were created?", "listCustomers", id="whatever-its-verb"),
        pytest.param("which customer was deleted last", "listCustomers", id="one-of-many"),
        pytest.param("Number of customers to delete", "listCustomers", id="a-question-without-a-mark"),
        pytest.param("which invoices hold this text?", "findInvoices", id="a-read-by-POST"),
        pytest.param("Can you create a customer?", "createCustomer", id="an-order-put-politely"),
        pytest.param("please delete customer c7?", "deleteCustomer", id="an-order-with-a-question-mark"),
        pytest.param("查一下订单", TOOLS.names[-1], id="chinese"),
    ],
)
def test_the_best_hit(query, first):
    assert found(query)[0] == first


@pytest.mark.parametrize("query", ["", "   ", "the of and", "xyzzy", "!!!", "\x00", "𝔘𝔫𝔦", "?" * 100])
def test_words_that_are_nowhere_find_nothing(query):
    assert search(TOOLS, query) == []


@pytest.mark.parametrize("k", [0, -1])
def test_none_wanted_none_given(k):
    assert search(TOOLS, "customer", k) == []


@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_counts_everything(k):
    assert len(found("get the customer", k)) == k


def test_what_a_hit_requires_comes_right_behind_it():
    hits = search(TOOLS, "delete customer", 4)
    assert [hit.line.name for hit in hits[:2]] == ["deleteCustomer", "listCustomers"]
    assert hits[1].because == "provides customerId for deleteCustomer"


def test_a_hit_says_which_words_were_found_where():
    assert search(TOOLS, "billing for March", 1)[0].because == "tags: billing"


def test_a_verb_alone_finds_only_what_says_it():
    assert set(found("delete")) == {"deleteCustomer", "listCustomers"}


def test_a_long_query_is_read_in_part():
    assert found("customer " * 100_000)


@given(st.text(max_size=60), st.integers(1, 10))
def test_no_query_breaks_the_search(query, k):
    hits = search(TOOLS, query, k)
    assert len(hits) <= k
    assert len({hit.line.name for hit in hits}) == len(hits)


def test_no_tools_no_hits():
    assert search(toolset({}), "customer") == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("customerIDs", ("customer", "id")),
        ("customer_ids", ("customer", "id")),
        ("HTTPServerURL", ("http", "server", "url")),
        ("repos/list-for-user", ("repo", "list", "for", "user")),
        ("X-Api-Key", ("x", "api", "key")),
        ("v2Users", ("v", "2", "user")),
        ("名前", ("名前",)),
        ("", ()),
    ],
)
def test_names_are_split_into_words(name, words):
    assert name_words(name) == words


SINGULARS = {
    "categories": "category",
    "boxes": "box",
    "statuses": "status",
    "houses": "house",
    "people": "person",
    "news": "news",
    "status": "status",
    "addresses": "address",
    "address": "address",
    "gas": "gas",
    "invoices": "invoice",
    "caches": "cache",
}


@pytest.mark.parametrize(("plural", "one"), SINGULARS.items(), ids=SINGULARS)
def test_singular(plural, one):
    assert singular(plural) == one


@pytest.mark.parametrize(
    "forms",
    [
        "order orders ordered ordering",
        "cancel cancels cancelled canceled",
        "issue issued issuing",
        "category categories",
        "create created creating",
        "ship shipped shipping",
        "sell sells selling",
        "install installed",
        "direct directs directed directing director",
        "create creator created creation",
        "contribute contributor contributors contributed",
    ],
)
def test_forms_of_one_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


def test_different_words_keep_different_stems():
    words = ["order", "customer", "product", "coupon", "user", "use", "bring", "brand", "red", "thing", "sing"]
    assert len({stem(word) for word in words}) == len(words)


def test_chinese_is_read_in_pairs_of_characters():
    assert text_words("查询订单 list") == ["查询", "询订", "订单", "list"]


TEXT = {"name": "query", "in": "query", "schema": {"type": "string"}}
NUMBER = {"type": "integer"}


def _one(name):
    return {"name": name, "in": "path", "required": True, "schema": NUMBER}


def _named(**fields):
    return answer({"type": "object", "properties": {"id": NUMBER, **{name: {"type": "string"} for name in fields}}})


def _list_of(**fields):
    item = {"type": "object", "properties": {"id": NUMBER, **{name: {"type": "string"} for name in fields}}}
    return answer({"type": "array", "items": item})


LIBRARY = toolset(
    {
        "/search/author": {"get": operation("findAuthors", parameters=[TEXT], responses=_list_of(name=1))},
        "/search/book": {"get": operation("findBooks", parameters=[TEXT], responses=_list_of(title=1))},
        "/author/{author_id}": {
            "get": operation("getAuthor", parameters=[_one("author_id")], responses=_named(birthday=1))
        },
        "/author/{author_id}/books": {
            "get": operation("booksOf", parameters=[_one("author_id")], responses=_list_of(title=1))
        },
        "/book/{book_id}/parts": {
            "get": operation(
                "partsOf",
                parameters=[_one("book_id")],
                responses=answer({"type": "array"}, example=[{"role": "Illustrator"}]),
            )
        },
        "/book/recent": {"get": operation("recentBooks", summary="Recently published", responses=_list_of(title=1))},
        "/{owner}/{shelf}/label": {"get": operation("labelOf", parameters=[path("owner"), path("shelf")])},
        "/label": {"get": operation("allLabels", summary="The label of labels")},
    }
)


@pytest.mark.parametrize(
    ("query", "among_the_first"),
    [
        pytest.param("When is the birthday of an author?", {"getAuthor": 1}, id="a-field-of-the-result"),
        pytest.param("Who illustrated it?", {"partsOf": 1}, id="a-word-of-an-example-in-another-form"),
        pytest.param("birthday of Jane Austen", {"getAuthor": 1, "findAuthors": 2}, id="a-name-is-looked-up"),
        pytest.param("books by Jane Austen", {"findBooks": 9, "findAuthors": 9, "booksOf": 4}, id="of-either-kind"),
        pytest.param("birthday of author 7", {"getAuthor": 1}, id="the-number-is-given"),
        pytest.param("recent books", {"recentBooks": 1}, id="no-name"),
        pytest.param("label of ann/fiction", {"labelOf": 1}, id="two-values-of-one-path"),
        pytest.param("label", {"allLabels": 1}, id="no-values"),
    ],
)
def test_what_a_task_takes_is_among_the_first(query, among_the_first):
    names = [hit.line.name for hit in search(LIBRARY, query, 9)]
    assert {name: place for name, place in among_the_first.items() if name not in names[:place]} == {}


@pytest.mark.parametrize("query", ["birthday of author 7", "recent books"])
def test_what_the_task_gives_is_not_looked_up(query):
    assert "provides" not in search(LIBRARY, query, 2)[1].because


@pytest.mark.parametrize(
    ("query", "names", "numbers"),
    [
        ("poster of The Old Man and the Sea", ("The Old Man and the Sea",), ()),
        ("season 3 of Friends", ("Friends",), ("3",)),
        ("a poster of 2 Broke Girls", ("2 Broke Girls",), ()),
        ("bugs of octo/hello", ("octo/hello",), ()),
        ("write to jane@example.com", ("jane@example.com",), ()),
        ('the movie "up"', ("up",), ()),
        ("给《三体》写评论", ("三体",), ()),
        ("Delete the Pull Request", (), ()),
        ("pull_request", (), ()),
        ("Delete it", (), ()),
        ("Titanic", (), ()),
    ],
)
def test_values_are_told_from_words(query, names, numbers):
    read = read_query(query, {stem("pull"), stem("request")}.__contains__)
    assert (read.names, read.numbers) == (names, numbers)


@needs_shared
def test_the_tools_for_questions_of_a_real_api_are_among_the_first_ten():
    folder = SHARED / "data" / "restbench"
    tools = build_tools(load_bytes(lzma.decompress((folder / "tmdb_oas.json.xz").read_bytes())))
    tasks = json.loads((folder / "tmdb_tasks.json").read_text(encoding="utf-8"))
    shares = []
    for task in tasks:
        hits = {f"{hit.line.method} {hit.line.path}" for hit in search(tools, task["task"], 10)}
        shares.append(len(hits & set(task["needs"])) / len(task["needs"]))
    assert sum(shares) / len(shares) >= 0.8
