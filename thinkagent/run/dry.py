"""A transport that answers from the document: nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thinkagent.engine.dry_run import dry_answer
from thinkagent.tools import Toolset

if TYPE_CHECKING:
    import httpx

__all__ = ["dry_transport"]


def dry_transport(toolset: Toolset) -> httpx.AsyncBaseTransport:
    """Make a transport that gives each call the document's own example of its answer."""
    import httpx

    class DryTransport(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            tool = toolset.get(request.extensions["thinkagent.tool"])
            assert tool is not None
            answer = dry_answer(tool)
            return httpx.Response(
                answer.status, headers=list(answer.headers), content=answer.body.encode("utf-8", "surrogatepass")
            )

    return DryTransport()
