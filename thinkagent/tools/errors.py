"""What a status code of an operation means, and what to do about it."""

from __future__ import annotations

from http import HTTPStatus

from thinkagent.documents.model import Operation
from thinkagent.tools.model import ErrorMeaning
from thinkagent.tools.text import first_sentence

__all__ = ["advice_for", "error_meanings"]

MAX_MEANING = 100

_ADVICE = {
    400: "check the arguments",
    401: "a person has to mend the credentials",
    403: "the credentials do not allow it",
    404: "look it up first: a list or search gives what exists",
    405: "use another operation",
    406: "use another operation",
    408: "try again later",
    409: "read its present state first",
    410: "it is gone; look up what exists",
    412: "read its present state and try with that",
    413: "send less at once",
    415: "use another operation",
    422: "check the arguments",
    423: "wait until it is unlocked",
    425: "try again later",
    428: "read its present state and try with that",
    429: "wait, then try again",
    501: "use another operation",
}


def advice_for(status: str) -> str:
    """Say in a few words what to do after an answer of this status (`404`, `4XX`, `default`)."""
    code = status.upper()
    if code.isdecimal() and int(code) in _ADVICE:
        return _ADVICE[int(code)]
    if code.startswith("4"):
        return "check the arguments"
    if code.startswith("5"):
        return "the server failed; a read can be tried again later"
    return "see what the answer says"


def error_meanings(operation: Operation) -> tuple[ErrorMeaning, ...]:
    """List the unsuccessful answers that a document describes, by status; `default` last."""
    described = [response for response in operation.responses if not response.status.startswith(("1", "2", "3"))]
    has_success = len(described) < len(operation.responses)
    meanings = [
        ErrorMeaning(response.status, _meaning(response.status, response.description), advice_for(response.status))
        for response in described
        if response.status.lower() != "default" or has_success
    ]
    return tuple(sorted(meanings, key=lambda meaning: (meaning.status.lower() == "default", meaning.status)))


def _meaning(status: str, description: str) -> str:
    text = first_sentence(description, MAX_MEANING).rstrip(".")
    if text:
        return text
    try:
        return HTTPStatus(int(status)).phrase if status.isdecimal() else "any other answer"
    except ValueError:
        return "an error"
