"""Names: legal, unique whatever the case, the same whatever the order."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkagent.documents.model import Parameter
from thinkagent.tools.names import (
    RESERVED,
    DocumentKey,
    OperationKey,
    argument_names,
    document_names,
    tell_apart,
    tool_names,
)
from thinkagent.turns.model import BUILT_IN

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
LONG = "this_is_a_very_long_operation_name_that_goes_on_and_on_and_on_until_it_ends_"


def name_of(operation_id: str, method: str = "GET", path: str = "/a") -> str:
    return tool_names([OperationKey(method, path, operation_id)])[method, path]


@pytest.mark.parametrize(
    ("operation_id", "method", "path", "name"),
    [
        pytest.param("listPets", "GET", "/pets", "listPets", id="taken-as-it-is"),
        pytest.param("repos/list-for-user", "GET", "/r", "repos_list-for-user", id="slash"),
        pytest.param("get_/c/{x}", "GET", "/c/{x}", "get_c_x", id="braces"),
        pytest.param("a b..c", "GET", "/a", "a_b_c", id="runs-become-one"),
        pytest.param("créer", "POST", "/a", "creer", id="accents-fall"),
        pytest.param("", "GET", "/pets/{id}/toys", "get_pets_id_toys", id="method-and-path"),
        pytest.param("", "GET", "/", "get_root", id="root"),
        pytest.param("///", "DELETE", "/pets", "delete_pets", id="only-punctuation"),
        pytest.param("finish", "POST", "/a", "api_finish", id="built-in"),
        pytest.param("Wait", "POST", "/a", "api_Wait", id="built-in-in-another-case"),
        pytest.param("_private", "GET", "/a", "_private", id="leading-underscore"),
    ],
)
def test_one_name(operation_id, method, path, name):
    assert name_of(operation_id, method, path) == name


@pytest.mark.parametrize("operation_id", ["创建客户", "名前", "Список"], ids=["zh", "ja", "ru"])
def test_a_name_in_another_script_becomes_method_path_and_is_told_apart_by_a_hash(operation_id):
    assert name_of(operation_id, "POST", "/things") == "post_things"
    assert re.fullmatch(r"post_[0-9a-f]{8}", name_of(operation_id, "POST", "/物")) is not None


def test_a_half_lost_name_is_told_apart_even_alone():
    """Otherwise another such operation would change its name."""
    assert re.fullmatch(r"get_[0-9a-f]{8}", name_of("get名前")) is not None


def test_long_names_are_cut_and_stay_different():
    names = tool_names([OperationKey("GET", "/a", LONG + "A"), OperationKey("GET", "/b", LONG + "B")])
    assert len(set(names.values())) == 2
    assert all(len(name) <= 64 for name in names.values())
    assert names["GET", "/a"] == name_of(LONG + "A", "GET", "/a"), "an operation beside it changes nothing"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("a/b", "a.b", id="both-cleaned"),
        pytest.param("getUser", "getuser", id="case"),
        pytest.param("same", "same", id="repeated-id"),
        pytest.param("", "get_a", id="made-name-taken"),
        pytest.param("finish", "api_finish", id="built-in-taken"),
    ],
)
def test_names_that_fall_together_are_told_apart(left, right):
    names = tool_names([OperationKey("GET", "/a", left), OperationKey("GET", "/b", right)])
    assert len({name.lower() for name in names.values()}) == 2


def test_the_exact_name_stays_with_its_owner():
    names = tool_names([OperationKey("GET", "/a", "a/b"), OperationKey("GET", "/b", "a_b")])
    assert names["GET", "/b"] == "a_b"
    assert names["GET", "/a"].startswith("a_b_")


def test_reserved_names_are_those_of_the_turns():
    assert RESERVED == BUILT_IN


IDS = st.one_of(
    st.sampled_from(
        ["", "a", "A", "a/b", "a_b", "a.b", "finish", "FINISH", "api_finish", LONG + "A", LONG + "B", "名前"]
    ),
    st.text(max_size=80),
)
OPERATIONS = st.lists(
    st.builds(OperationKey, st.sampled_from(["GET", "POST"]), st.text(max_size=20).map(lambda text: "/" + text), IDS),
    max_size=12,
    unique_by=lambda key: (key.method, key.path),
)


@given(OPERATIONS, st.randoms(use_true_random=False))
def test_names_are_legal_unique_and_do_not_depend_on_order(operations, random):
    names = tool_names(operations)
    assert len(names) == len(operations)
    assert all(LEGAL.fullmatch(name) for name in names.values())
    assert len({name.lower() for name in names.values()}) == len(names)
    assert not {name.lower() for name in names.values()} & set(RESERVED)
    random.shuffle(operations)
    assert tool_names(operations) == names


def parameter(name: str, location: str) -> Parameter:
    return Parameter(name, location, False, {})


@pytest.mark.parametrize(
    ("parameters", "has_body", "names"),
    [
        pytest.param([("id", "path"), ("id", "query")], False, ["id", "query_id"], id="path-keeps-it"),
        pytest.param([("id", "query"), ("id", "path")], False, ["query_id", "id"], id="whatever-the-order"),
        pytest.param([("id", "header"), ("id", "query")], False, ["header_id", "id"], id="query-before-header"),
        pytest.param(
            [("id", "cookie"), ("id", "header"), ("id", "query"), ("id", "path")],
            False,
            ["cookie_id", "header_id", "query_id", "id"],
            id="four-of-one-name",
        ),
        pytest.param([("body", "query")], True, ["query_body"], id="body-beside-a-body"),
        pytest.param([("body", "query")], False, ["body"], id="body-without-a-body"),
        pytest.param([("$filter", "query")], False, ["filter"], id="dollar"),
        pytest.param(
            [("$filter", "query"), ("filter", "query")], False, ["query_filter", "filter"], id="legal-one-first"
        ),
        pytest.param([("tags[]", "query")], False, ["tags"], id="brackets"),
        pytest.param([("filter[a][b]", "query")], False, ["filter_a_b"], id="deep-brackets"),
        pytest.param([("X-Id", "header")], False, ["X-Id"], id="dash"),
        pytest.param([("a.b", "query"), ("a_b", "query")], False, ["query_a_b", "a_b"], id="dot-against-underscore"),
        pytest.param(
            [("query_id", "header"), ("id", "path"), ("id", "query")], False, ["query_id", "id"], id="taken-fallback"
        ),
    ],
)
def test_argument_names(parameters, has_body, names):
    given_names = argument_names([parameter(*item) for item in parameters], has_body=has_body)
    found = [given_names[location, name] for name, location in parameters]
    assert found[: len(names)] == names
    assert len(set(found)) == len(parameters)


ARGUMENTS = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(["id", "ID", "body", "$id", "i.d", "query_id", "名前", "é"]), st.text(max_size=80)),
        st.sampled_from(["path", "query", "header", "cookie"]),
    ),
    max_size=10,
    unique=True,
)


@given(ARGUMENTS, st.booleans(), st.randoms(use_true_random=False))
def test_argument_names_are_legal_unique_and_lead_back(arguments, has_body, random):
    parameters = [parameter(name, location) for name, location in arguments]
    names = argument_names(parameters, has_body=has_body)
    assert len(set(names.values())) == len(parameters)
    assert all(LEGAL.fullmatch(name) for name in names.values())
    assert not (has_body and "body" in names.values())
    random.shuffle(parameters)
    assert argument_names(parameters, has_body=has_body) == names


TITLES = st.sampled_from(["Shop", "shop!", "a", "A b", "订单", "", "x" * 80, "search"])
FILES = st.sampled_from(["a.yaml", "b/a.json", "b.yaml", "http://h.test/v1/openapi.json", "stdin", "订单.yaml", ""])
OWN_NAMES = st.sampled_from(["list", "LIST", "b_list", "tools", "n" * 64, "N" * 64, "get"])


class TestSeveralDocuments:
    @given(st.lists(st.tuples(TITLES, FILES), min_size=2, max_size=6), st.randoms())
    def test_documents_are_named_whatever_their_order(self, given_keys, random):
        keys = [DocumentKey(title, file, str(number)) for number, (title, file) in enumerate(given_keys)]
        names = dict(zip(keys, document_names(keys), strict=True))
        assert len(set(names.values())) == len(keys)
        assert all(re.fullmatch("[a-z0-9_]{1,64}", name) for name in names.values())
        random.shuffle(keys)
        assert dict(zip(keys, document_names(keys), strict=True)) == names

    @pytest.mark.parametrize(
        ("keys", "names"),
        [
            pytest.param([("Shop", "a.yaml")], [""], id="alone"),
            pytest.param([("Pet Store - v3.0", "a"), ("Shop", "b")], ["pet_store_v3_0", "shop"], id="titles"),
            pytest.param([("订单", "http://x.test/orders.json"), ("Shop", "b")], ["orders", "shop"], id="file"),
            pytest.param([("Joe's API", "a"), ("Ann’s API", "b")], ["joes_api", "anns_api"], id="apostrophes"),
            pytest.param([("API", "a.yaml"), ("api", "x/b.yaml")], ["api_a", "api_b"], id="one-title"),
            pytest.param(
                [("A long title that goes on and on", "a"), ("Shop", "b")],
                ["a_long_title_that_goes", "shop"],
                id="long",
            ),
        ],
    )
    def test_names_of_documents(self, keys, names):
        assert list(document_names([DocumentKey(*key, str(number)) for number, key in enumerate(keys)])) == names

    @given(st.dictionaries(st.sampled_from(["a", "b", "search"]), st.sets(OWN_NAMES), min_size=2), st.randoms())
    def test_tools_are_told_apart_whatever_the_order(self, documents, random):
        named = {
            document: {("GET", f"/{name}"): name for name in {name.lower(): name for name in sorted(names)}.values()}
            for document, names in documents.items()
        }
        apart = tell_apart(named)
        found = [name for names in apart.values() for name in names.values()]
        assert len({name.lower() for name in found}) == len(found)
        assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", name) and name not in RESERVED for name in found)
        claims = Counter(name.lower() for names in named.values() for name in names.values())
        for document, names in named.items():
            for place, name in names.items():
                assert (apart[document][place] == name) is (claims[name.lower()] == 1)
        shuffled = list(named)
        random.shuffle(shuffled)
        assert tell_apart({document: named[document] for document in shuffled}) == apart
