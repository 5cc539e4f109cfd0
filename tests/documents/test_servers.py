"""Servers of every level and version."""

from __future__ import annotations

import pytest

from tests.documents.making import document, messages, operation
from thinkagent.documents import load_bytes
from thinkagent.documents.model import Server, ServerVariable
from thinkagent.values import write_json


def test_operation_before_path_before_document():
    made = document(
        {
            "/status": {"get": {}},
            "/echo": {"servers": [{"url": "/other"}], "get": {}, "put": {"servers": [{"url": "/own"}]}},
            "/none": {"servers": [], "get": {"servers": None}},
        },
        servers=[{"url": "http://127.0.0.1:9000/base/", "description": "d"}],
    )
    urls = [[server.url for server in built.servers] for built in made.operations()]
    root = "http://127.0.0.1:9000/base/"
    assert urls == [[root], ["/other"], ["/own"], [root]] or urls == [[root], ["/own"], ["/other"], [root]]
    assert made.servers == (Server("http://127.0.0.1:9000/base/", "d"),)


@pytest.mark.parametrize(
    "url", ["v1", "/v1", "./v1", "/", "http://h", "{scheme}://h", "<local address>", "http://h/a?b"]
)
def test_url_stays_as_written(url):
    made = document(servers=[{"url": url, "variables": {"scheme": {"default": "http"}}}])
    assert [server.url for server in made.servers] == [url]
    assert made.findings == ()


def test_variables():
    made = document(
        servers=[
            {
                "url": "http://{host}:{port}/{ver}",
                "variables": {
                    "host": {"default": "127.0.0.1", "description": "d"},
                    "port": {"default": 9000, "enum": [9000, "9001", None]},
                    "ver": {"default": True},
                    "unused": {"default": "x"},
                },
            },
            {"url": "http://{host}", "variables": {"host": {"default": "other"}}},
        ]
    )
    first, second = made.servers
    assert first.variables["host"] == ServerVariable("127.0.0.1", (), "d")
    assert first.variables["port"] == ServerVariable("9000", ("9000", "9001"))
    assert first.variables["ver"] == ServerVariable("true")
    assert second.variables == {"host": ServerVariable("other")}
    assert made.findings == ()


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        pytest.param({}, "has the variable 'zone', which is not declared", id="not declared"),
        pytest.param(7, "has the variable 'zone', which is not declared", id="no map"),
        pytest.param({"zone": 7}, "the server variable 'zone' is no object", id="no object"),
        pytest.param({"zone": {}}, "the server variable 'zone' has no default", id="no default"),
        pytest.param({"zone": {"enum": ["a"]}}, "the server variable 'zone' has no default", id="enum, no default"),
        pytest.param({"zone": {"default": []}}, "the server variable 'zone' has no default", id="default is a list"),
    ],
)
def test_variable_without_value_is_told(variables, message):
    made = document(servers=[{"url": "http://{zone}.example.test", "variables": variables}])
    assert len(made.servers) == 1
    assert any(message in found for found in messages(made))


@pytest.mark.parametrize("server", [7, {}, {"url": ""}, {"url": 7}, {"url": " "}], ids=repr)
def test_server_without_url_is_left_out(server):
    made = document(servers=[server, {"url": "/ok"}])
    assert [item.url for item in made.servers] == ["/ok"]
    assert messages(made) == ["a server without 'url'"]
    assert made.counts["servers"] == 2


@pytest.mark.parametrize("servers", [7, {"url": "/a"}, "http://h"], ids=repr)
def test_servers_that_are_no_list(servers):
    made = document({"/a": {"get": {"servers": servers}}}, servers=servers)
    assert made.servers == operation(made).servers == ()
    assert set(messages(made)) == {"'servers' is no list"}


def test_no_servers():
    assert document({"/a": {"get": {}}}).servers == ()
    data = write_json({"openapi": "3.0.0", "info": {}, "paths": {}}).encode()
    assert load_bytes(data, "https://host/a/openapi.json").servers == (Server("/"),)


@pytest.mark.parametrize(
    ("fields", "urls"),
    [
        pytest.param({"host": "h", "basePath": "/v1", "schemes": ["https"]}, ["https://h/v1"], id="all"),
        pytest.param({"host": "h", "schemes": ["http", "https"]}, ["http://h", "https://h"], id="two schemes"),
        pytest.param({"host": "h", "basePath": "/", "schemes": ["http"]}, ["http://h"], id="root"),
        pytest.param({"host": "h", "basePath": "v1/", "schemes": ["http"]}, ["http://h/v1"], id="slashes"),
        pytest.param({"host": "h:8080", "schemes": ["HTTP", "wss"]}, ["http://h:8080"], id="port, other schemes"),
        pytest.param({"host": "h"}, ["https://h"], id="no schemes"),
        pytest.param({"host": "127.0.0.1:9000"}, ["http://127.0.0.1:9000"], id="no schemes, loopback"),
        pytest.param({"host": "localhost"}, ["http://localhost"], id="no schemes, localhost"),
        pytest.param({"host": "h", "schemes": "https"}, ["https://h"], id="schemes is a text"),
        pytest.param({"host": "h", "schemes": []}, ["https://h"], id="empty schemes"),
        pytest.param({"host": "h", "schemes": ["ws"]}, ["https://h"], id="web sockets only"),
        pytest.param({"basePath": "/v1"}, ["/v1"], id="base path only"),
        pytest.param({"basePath": "/", "schemes": ["https"]}, [], id="nothing said"),
        pytest.param({}, [], id="nothing"),
        pytest.param({"host": 7, "basePath": 7}, [], id="numbers"),
    ],
)
def test_servers_of_20(fields, urls):
    made = document({"/a": {"get": {}}}, version="2.0", **fields)
    assert [server.url for server in made.servers] == urls
    assert operation(made).servers == made.servers


def test_scheme_of_the_documents_own_address():
    data = write_json({"swagger": "2.0", "host": "h", "basePath": "/b", "paths": {}}).encode()
    assert load_bytes(data, "http://other/swagger.json").servers == (Server("http://h/b"),)


def test_schemes_of_an_operation_in_20():
    made = document({"/a": {"get": {"schemes": ["http"]}}}, version="2.0", host="h", basePath="/b", schemes=["https"])
    assert operation(made).servers == (Server("http://h/b"),)
