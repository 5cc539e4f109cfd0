"""One call on the wire: a tool and its arguments become a request, an answer becomes a value.

Everything named here is pure. `wire.send` and `wire.transport` wait and import httpx; only a run that sends imports
them.
"""

from thinkagent.engine.wire.answer import Decoded, Received, decode, parse_body, receive
from thinkagent.engine.wire.auth import Credential, Target, check_header_name, credential_value, required_schemes
from thinkagent.engine.wire.failures import SendFailure
from thinkagent.engine.wire.opening import open_request
from thinkagent.engine.wire.paging import NextPage, Paging, more_pages, next_page, paging
from thinkagent.engine.wire.request import WireRequest, build_request
from thinkagent.engine.wire.servers import base_url, check_base_url, is_loopback, origin, same_origin

__all__ = [
    "Credential",
    "Decoded",
    "NextPage",
    "Paging",
    "Received",
    "SendFailure",
    "Target",
    "WireRequest",
    "base_url",
    "build_request",
    "check_base_url",
    "check_header_name",
    "credential_value",
    "decode",
    "is_loopback",
    "more_pages",
    "next_page",
    "open_request",
    "origin",
    "paging",
    "parse_body",
    "receive",
    "required_schemes",
    "same_origin",
]
