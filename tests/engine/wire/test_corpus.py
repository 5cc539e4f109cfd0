"""Real documents: every tool's own example call passes its own check and has one form on the wire."""

from __future__ import annotations

import pytest

from tests.shared import SHARED, needs_shared
from thinkagent.documents import load
from thinkagent.engine.arguments import check_arguments
from thinkagent.engine.dry_run import dry_answer
from thinkagent.engine.wire import Target, build_request, decode, open_request
from thinkagent.errors import ArgumentError
from thinkagent.tools import build_tools

SPECS = SHARED / "data" / "specs"
FILES = [
    "adyen-terminal-v31.json",
    "all-the-components-v31.yaml",
    "aspnet-basic-v2.json",
    "autorest-collectionformat-v2.json",
    "autorest-url-v2.json",
    "nestjs-v3.json",
    "roundtrip-parameters-v3.yaml",
]
NOT_SENDABLE = {
    "paths_stringEmpty": "it is empty",
    "paths_byteEmpty": "it is empty",
    "getDeepObject": "one level only",
    "CatsController_findAllWithRichStandardQuery": "one level only",
}
"""Example calls that the standard gives no form for, and what is said."""


@needs_shared
@pytest.mark.parametrize("name", FILES)
def test_example_calls_go_on_the_wire(name):
    if not (SPECS / name).exists():
        pytest.skip(f"{name} is not in the corpus")
    sent = 0
    refused: dict[str, str] = {}
    for tool in build_tools(load(str(SPECS / name))).tools:
        if not tool.example_call and any(argument.required for argument in tool.arguments):
            continue
        checked = check_arguments(tool, tool.example_call)
        assert checked.notes == (), tool.name
        try:
            request = build_request(tool, checked.value, Target("http://127.0.0.1:1/v1"))
        except ArgumentError as error:
            refused[tool.name] = str(error)
            continue
        assert str(open_request(request, lambda secret: "").url) == request.url
        assert "{" not in str(request.url)
        answer = dry_answer(tool)
        assert decode(answer.headers, answer.body).kind in ("json", "text", "empty")
        sent += 1
    assert sent > 0
    assert all(NOT_SENDABLE.get(tool, "!") in told for tool, told in refused.items()), refused
