"""Security schemes and requirements."""

from __future__ import annotations

import pytest

from tests.documents.making import document, messages, operation
from thinkagent.documents.model import SecurityScheme

FLOW = {"tokenUrl": "https://h/t", "scopes": {"a": "b"}}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param(
            {"type": "apiKey", "in": "header", "name": "X-Key", "description": "d"},
            SecurityScheme("s", "apiKey", location="header", parameter="X-Key", description="d"),
            id="apiKey",
        ),
        pytest.param(
            {"type": "apiKey", "in": "cookie", "name": "sid"},
            SecurityScheme("s", "apiKey", location="cookie", parameter="sid"),
            id="cookie",
        ),
        pytest.param({"type": "http", "scheme": "Bearer"}, SecurityScheme("s", "http", "bearer"), id="bearer"),
        pytest.param({"type": "http", "scheme": "basic"}, SecurityScheme("s", "http", "basic"), id="basic"),
        pytest.param(
            {"type": "oauth2", "flows": {"clientCredentials": FLOW, "x": 7}},
            SecurityScheme("s", "oauth2", flows={"clientCredentials": FLOW}),
            id="oauth2",
        ),
        pytest.param(
            {"type": "openIdConnect", "openIdConnectUrl": "https://h"}, SecurityScheme("s", "openIdConnect"), id="oidc"
        ),
        pytest.param({"type": "mutualTLS"}, SecurityScheme("s", "mutualTLS"), id="mutual TLS"),
        pytest.param({"$ref": "#/x-s"}, SecurityScheme("s", "http", "digest"), id="reference"),
    ],
)
def test_scheme(written, expected):
    made = document(components={"securitySchemes": {"s": written}}, **{"x-s": {"type": "http", "scheme": "digest"}})
    assert made.security_schemes == {"s": expected}
    assert made.findings == ()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param({"type": "basic"}, SecurityScheme("s", "http", "basic"), id="basic"),
        pytest.param(
            {"type": "apiKey", "in": "query", "name": "k"},
            SecurityScheme("s", "apiKey", location="query", parameter="k"),
            id="apiKey",
        ),
        *(
            pytest.param(
                {"type": "oauth2", "flow": old, **FLOW}, SecurityScheme("s", "oauth2", flows={new: FLOW}), id=old
            )
            for old, new in {
                "implicit": "implicit",
                "password": "password",
                "application": "clientCredentials",
                "accessCode": "authorizationCode",
            }.items()
        ),
        pytest.param({"type": "oauth2", "flow": "odd"}, SecurityScheme("s", "oauth2"), id="unknown flow"),
    ],
)
def test_scheme_of_20(written, expected):
    assert document(version="2.0", securityDefinitions={"s": written}).security_schemes == {"s": expected}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        pytest.param({}, "has no type", id="no type"),
        pytest.param({"type": "token"}, "has the type 'token'", id="unknown type"),
        pytest.param({"type": "apiKey", "in": "header"}, "usable 'in' and 'name'", id="no name"),
        pytest.param({"type": "apiKey", "in": "body", "name": "k"}, "usable 'in' and 'name'", id="no place"),
        pytest.param({"type": "http"}, "without 'scheme'", id="no scheme"),
        pytest.param(7, "it is no object", id="number"),
        pytest.param({"$ref": "#/nope"}, "leads nowhere", id="dangling"),
    ],
)
def test_scheme_that_nothing_can_use_is_told(written, message):
    made = document({"/a": {"get": {}}}, components={"securitySchemes": {"s": written}})
    (finding,) = made.check()
    assert message in finding.message
    assert finding.consequence == "nothing can log in with it"


@pytest.mark.parametrize(
    ("root", "own", "expected"),
    [
        pytest.param(None, None, (), id="none"),
        pytest.param([{"a": []}], None, (("a",),), id="document's"),
        pytest.param([{"a": []}], [{"b": ["scope"]}], (("b",),), id="own"),
        pytest.param([{"a": []}], [], (), id="own is empty"),
        pytest.param(None, [{"a": [], "b": []}, {"a": []}, {}], (("a", "b"), ("a",), ()), id="and, or, nothing"),
        pytest.param(None, [{"a": []}, {"a": ["x"]}, 7], (("a",),), id="twice and a number"),
        pytest.param([{"a": []}], 7, (("a",),), id="own is no list"),
    ],
)
def test_requirements(root, own, expected):
    fields = {} if root is None else {"security": root}
    made = document(
        {"/a": {"get": {} if own is None else {"security": own}}},
        components={"securitySchemes": {name: {"type": "http", "scheme": "bearer"} for name in "ab"}},
        **fields,
    )
    assert operation(made).security == expected


def test_requirement_that_names_no_scheme():
    made = document({"/a": {"get": {"security": [{"nope": []}]}}})
    assert operation(made).security == (("nope",),)
    assert messages(made) == ["the security requirement 'nope' names no security scheme of the document"]
