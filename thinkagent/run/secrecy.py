"""Whose a secret is: what one document's API was given or gave away is not sent to another's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from thinkagent.engine.wire.auth import Target
from thinkagent.engine.wire.request import WireRequest
from thinkagent.engine.wire.servers import same_origin
from thinkagent.errors import ArgumentError
from thinkagent.run.addressing import SECRET_KINDS
from thinkagent.run.state import RunState
from thinkagent.tools import Tool, Toolset
from thinkagent.values import Secret, text_parts

__all__ = ["check_secrets"]

_OF_A_CALL = re.compile(r"t(\d+)\.i\d")


def check_secrets(
    request: WireRequest, tool: Tool, targets: Mapping[str, Target], state: RunState, toolset: Toolset
) -> None:
    """See to it that a request holds no secret of another document's API, unless both are at one origin.

    Secrets that the user gave for this document too, and those among the inputs, are not another's.

    Raises:
        ArgumentError: it holds one; its value is not repeated.
    """
    if len(targets) == 1:
        return
    target = targets[tool.document]
    own = {secret.name for secret in _given(target)}
    for secret in _secrets_in(request):
        home = None if secret.name in own else _home(secret, targets, state, toolset)
        if home not in (None, tool.document) and not same_origin(targets[home].base_url, target.base_url):
            raise ArgumentError(
                f"{secret} is a credential of the API of {home!r} and is not sent to that of {tool.document!r}",
                code="foreign_secret",
                where=tool.name,
                hint="Use what this API's own operations give, or finish and say which credential is missing",
            )


def _given(target: Target) -> Iterator[Secret]:
    yield from (credential.secret for credential in target.credentials.values())
    yield from (secret for _, secret in (*target.headers, *target.query))


def _secrets_in(request: WireRequest) -> Iterator[Secret]:
    for text in (request.url, *(value for _, value in request.headers), request.body):
        for part in text_parts(text) if text is not None else ():
            if isinstance(part, Secret):
                yield part


def _home(secret: Secret, targets: Mapping[str, Target], state: RunState, toolset: Toolset) -> str | None:
    """Name the document whose API has a secret, by the place where it first appeared; None where it is nobody's."""
    kind, _, rest = secret.name.partition(".")
    if kind in SECRET_KINDS:
        home = rest.partition(".")[0]
        return home if home in targets else None
    call = _OF_A_CALL.match(secret.name)
    caller = state.called.get(int(call[1])) if call is not None else None
    return None if caller is None else toolset.document_of(caller)
