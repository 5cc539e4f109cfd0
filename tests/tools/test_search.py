"""Finding tools by words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.helpers import answer, body, operation, toolset
from thinkagent.tools import search
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
    ],
)
def test_forms_of_one_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


def test_different_words_keep_different_stems():
    words = ["order", "customer", "product", "coupon", "user", "use", "bring", "brand", "red", "thing", "sing"]
    assert len({stem(word) for word in words}) == len(words)


def test_chinese_is_read_in_pairs_of_characters():
    assert text_words("查询订单 list") == ["查询", "询订", "订单", "list"]
