"""What a tool is for, in the document's own words made plain."""

from __future__ import annotations

from thinkagent.documents.model import Operation
from thinkagent.tools.text import first_sentence, plain_text
from thinkagent.tools.words import split_name
from thinkagent.values import clip

__all__ = ["summary_of", "when_to_use"]

MAX_SUMMARY = 120
MAX_WHEN = 400

_VERB_TEXT = """
accept activate add append apply approve archive assign attach authenticate authorize block book bulk cancel change
check clear clone close commit compare complete compute configure confirm connect convert copy count create
deactivate decline define delete deliver deny deploy destroy detach disable disconnect dismiss download edit enable
end enqueue execute export fetch filter find finish follow generate get grant import initiate insert inspect install
invite invoke issue join kill leave like link list load lock log look make mark merge modify move open partially
patch pause perform pin post preview process publish purchase put query queue read record redeem refresh refund
register reject release remove rename render reopen replace report request reset resolve restart restore resume
retrieve retry return revoke rotate run save schedule search select send set share show sign star start stop store
stream submit subscribe suspend swap sync tag terminate test toggle track transfer trigger unassign unblock
uninstall unlink unlock unpin unpublish unstar unsubscribe update upgrade upload upsert validate verify view vote
watch write
"""
_VERBS = frozenset(_VERB_TEXT.split())
"""First words of a summary that reads as an order: `List all pets`."""


def summary_of(operation: Operation) -> str:
    """Give one plain line about an operation.

    Its summary, else its description's first sentence, else the words of its operationId, else its request.
    """
    text = plain_text(operation.summary, MAX_SUMMARY) or first_sentence(operation.description, MAX_SUMMARY)
    words = split_name(operation.operation_id)
    if not text and len(words) > 1:
        text = plain_text(" ".join(words), MAX_SUMMARY)
    return text.rstrip(" .") or _request(operation)


def _request(operation: Operation) -> str:
    return plain_text(f"{operation.method} {operation.path}", MAX_SUMMARY)


def when_to_use(operation: Operation) -> str:
    """Say when the tool is the right one: what it does, and the first sentences of its description."""
    summary = summary_of(operation)
    first, _, rest = summary.partition(" ")
    if first.lower() in _VERBS and rest and summary != _request(operation):
        text = f"Use it to {first.lower()} {rest}."
    else:
        text = f"{summary}."
    more = plain_text(operation.description, MAX_WHEN)
    if more and not _says_the_same(more, summary):
        text += f" {more}"
    return clip(text, MAX_WHEN)


def _says_the_same(left: str, right: str) -> bool:
    return left.casefold().rstrip(" .…") == right.casefold().rstrip(" .…")
