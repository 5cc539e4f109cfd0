"""The JSON Schemas of what commands print with `--json`, as docs/schemas/ has them.

Every field that is there today is required; later versions may add fields, so none is forbidden.
"""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from thinkagent.documents.model import Severity
from thinkagent.run.outcomes import EXIT_CODES
from thinkagent.tools.model import Argument, Effect

__all__ = ["RUN_STATUSES", "replay_schema", "run_schema", "spec_check_schema", "spec_graph_schema", "tools_schema"]

Schema = dict[str, Any]

RUN_STATUSES = tuple(name for name in EXIT_CODES if name not in ("terminated", "journal_error", "waiting"))
"""What `status` can be. The others are no ends of a run today: SIGTERM ends it as interrupted, with exit code 143."""

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
TEXTS: Schema = {"type": "array", "items": TEXT}
EXIT_CODE: Schema = {"type": "integer", "minimum": 0, "maximum": 255}
EFFECT: Schema = {"enum": list(get_args(Effect))}
METHOD: Schema = {"type": "string", "pattern": "^[A-Z]+$"}
TOOL_NAME: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
JSON_SCHEMA: Schema = {"type": ["object", "boolean"]}


def told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def record(description: str = "", optional: tuple[str, ...] = (), **fields: Schema) -> Schema:
    """An object with these fields, all of which are there but the optional ones."""
    required = [name for name in fields if name not in optional]
    schema: Schema = {"type": "object", "required": required, "properties": fields}
    return told(schema, description) if description else schema


def many(item: Schema, description: str = "") -> Schema:
    schema: Schema = {"type": "array", "items": item}
    return told(schema, description) if description else schema


ERROR = record(
    "In the place of the result: the command line, an input or the log is wrong.",
    error=record(
        code=told(TEXT, "A stable word for programs."),
        message=told(TEXT, "What failed on which thing, found against expected."),
        where=told(TEXT, "The option, file, pointer, operation or event; may be empty."),
        hint=told(TEXT, "The one next thing to do; may be empty."),
    ),
)


def published(name: str, title: str, **results: Schema) -> Schema:
    """A schema for docs/schemas/: one of the results, or an error."""
    branches = {**results, "error": ERROR}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:thinkagent:{name}:1",
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{branch}"} for branch in branches],
        "$defs": branches,
    }


def run_schema() -> Schema:
    """What `thinkagent run --json` prints."""
    step = record(
        name=told(TEXT, "As references name it."),
        tool=told(TEXT, "An operation, or a built-in tool."),
        status=told(TEXT, "ok, or what went wrong: http_error, network_error, unknown."),
        http_status=told(or_null(NUMBER), "Of the last answer; null where the step called nothing."),
    )
    change = record(
        turn=NUMBER,
        item=told(NUMBER, "Its place in a `for_each`, from 0."),
        tool=told(TEXT, "The operation; empty where the run ended with the write on its way."),
        effect={"enum": ["write", "delete"]},
        call=told(TEXT, "Such as `POST /coupons`, of several documents `POST /coupons of shop`."),
        outcome=told(
            {"enum": ["ok", "refused", "unknown", "not_sent"]},
            "refused: the API said no. unknown: no answer tells whether it was done. not_sent: it proves unsent.",
        ),
        status=told(or_null(NUMBER), "Of the answer; null where none came."),
    )
    count = or_null(NUMBER)
    usage = record(
        "null is unknown, never 0.",
        ("failed_replies",),
        turns=NUMBER,
        calls=told(NUMBER, "Requests sent, further pages and attempts among them."),
        writes=NUMBER,
        replies=told(NUMBER, "Replies of the mind, repairs among them."),
        failed_replies=told(NUMBER, "Attempts that gave no reply; absent where there was none."),
        input_tokens=count,
        output_tokens=count,
        unknown_usage=told(NUMBER, "Replies that came without their number of tokens."),
        cost_usd=or_null({"type": "number"}),
    )
    result = record(
        status={"enum": list(RUN_STATUSES)},
        exit_code=EXIT_CODE,
        answer=told({}, "A text, or JSON that fits --answer-schema; null where the run came to none."),
        reason=told(TEXT, "Why the status is not done; empty where it is."),
        steps=many(step, "The results that were saved, in order."),
        changes=many(change, "Every write that was sent or may have been, in order."),
        notes=told(TEXTS, "What a reader of the answer should know, such as a list that was read only in part."),
        usage=usage,
        log=or_null(TEXT),
    )
    return published("run", "thinkagent run --json", result=result)


def tools_schema() -> Schema:
    """What `thinkagent tools --json` prints: a listing, with --search hits, with --tool one tool."""
    return published(
        "tools",
        "thinkagent tools --json",
        listing=_listing(),
        listing_of_several=_listing_of_several(),
        search=_search(),
        tool=_tool(),
    )


def spec_check_schema() -> Schema:
    """What `thinkagent spec check --json` prints."""
    result = record(
        document=_document(),
        operations=told(NUMBER, "Those of the document: tools and skipped together."),
        tools=NUMBER,
        skipped=_SKIPPED,
        findings=told(_FINDINGS, "Errors first, then warnings, then notes."),
        lacking=told(TEXT, "Why findings of openapi-spec-validator may be missing; empty where none is."),
    )
    return published("spec-check", "thinkagent spec check --json", result=result)


def spec_graph_schema() -> Schema:
    """What `thinkagent spec graph --format json` prints."""

    def edges(**more: Schema) -> Schema:
        edge = record(
            "A value of the producer's result can be an argument of the consumer.",
            producer=TOOL_NAME,
            consumer=TOOL_NAME,
            argument=told(TEXT, "As a mind writes it: `customerId`, `body.customerId`."),
            reason=TEXT,
            confidence=told({"type": "number", "minimum": 0, "maximum": 1}, "1 where the document says it itself."),
            **more,
        )
        return many(edge)

    several = record(
        "Of several documents.",
        documents=many(record(name=DOCUMENT_NAME, source=TEXT), "In the order in which they were given."),
        edges=edges(producer_document=DOCUMENT_NAME, consumer_document=DOCUMENT_NAME),
    )
    result = record(source=TEXT, edges=edges())
    return published("spec-graph", "thinkagent spec graph --format json", result=result, result_of_several=several)


DOCUMENT_NAME: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9_]{1,64}$",
    "description": "Which of several documents, by the name that flags take; not there where there is only one.",
}
_SKIPPED_FIELDS = {"method": TEXT, "path": TEXT, "pointer": TEXT, "reason": TEXT}
_FINDING_FIELDS = {
    "pointer": TEXT,
    "line": or_null(NUMBER),
    "severity": {"enum": list(get_args(Severity))},
    "message": TEXT,
    "consequence": told(TEXT, "What it means for the tools."),
}
_SKIPPED = many(record(**_SKIPPED_FIELDS), "What cannot be called, and why.")
_FINDINGS = many(record(**_FINDING_FIELDS))


def _document(**more: Schema) -> Schema:
    scheme = record(**{"type": TEXT, "scheme": TEXT, "in": TEXT, "name": TEXT})
    return record(
        **more,
        source=TEXT,
        version=told(TEXT, "Of OpenAPI."),
        title=TEXT,
        api_version=TEXT,
        digest=TEXT,
        servers=TEXTS,
        security_schemes={"type": "object", "additionalProperties": scheme},
        counts={"type": "object", "additionalProperties": {"type": ["integer", "string", "null"]}},
    )


_LINE_FIELDS = {
    "name": TOOL_NAME,
    "method": METHOD,
    "path": TEXT,
    "effect": EFFECT,
    "summary": TEXT,
    "deprecated": FLAG,
    "tags": TEXTS,
}


def _listing() -> Schema:
    return record(
        document=_document(),
        operations=told(NUMBER, "Those of the document: tools, skipped and excluded together."),
        excluded=told(NUMBER, "How many the user left out."),
        tools=many(record(**_LINE_FIELDS)),
        skipped=_SKIPPED,
        findings=_FINDINGS,
    )


def _listing_of_several() -> Schema:
    counts = {"operations": NUMBER, "tools": NUMBER, "skipped": NUMBER, "excluded": NUMBER}
    return record(
        "Of several documents: each row names its own.",
        documents=many(_document(name=DOCUMENT_NAME, **counts), "In the order in which they were given."),
        operations=told(NUMBER, "Those of all documents: tools, skipped and excluded together."),
        excluded=told(NUMBER, "How many the user left out."),
        tools=many(record(**_LINE_FIELDS, document=DOCUMENT_NAME)),
        skipped=many(record(**_SKIPPED_FIELDS, document=DOCUMENT_NAME), "What cannot be called, and why."),
        findings=many(record(**_FINDING_FIELDS, document=DOCUMENT_NAME)),
    )


def _search() -> Schema:
    hit = record(
        optional=("document",),
        name=TOOL_NAME,
        method=METHOD,
        path=TEXT,
        document=DOCUMENT_NAME,
        score={"type": "number"},
        because=told(TEXT, "Why it is here: words that fit, or the argument that it provides for another."),
    )
    return record(query=TEXT, results=many(hit, "Best first."))


def _tool() -> Schema:
    location = get_args(get_type_hints(Argument)["location"])
    argument = record(
        **{
            "name": told(TEXT, "As a mind writes it."),
            "in": {"enum": list(location)},
            "wire_name": told(TEXT, "As the document writes it; of the body its media type."),
            "required": FLAG,
        }
    )
    return record(
        optional=("document",),
        name=TOOL_NAME,
        method=METHOD,
        path=TEXT,
        document=DOCUMENT_NAME,
        operation_id=or_null(TEXT),
        pointer=TEXT,
        tags=TEXTS,
        summary=TEXT,
        when_to_use=TEXT,
        effect=EFFECT,
        idempotent=FLAG,
        deprecated=FLAG,
        needs={
            "type": "object",
            "additionalProperties": TEXTS,
            "description": "Argument to the tools whose result holds such a value.",
        },
        feeds=told(TEXTS, "Tools that take a value of the result."),
        arguments=many(argument),
        parameters=told(JSON_SCHEMA, "The JSON Schema (2020-12) of the arguments object."),
        result_status=TEXT,
        result=told(or_null(JSON_SCHEMA), "The schema of the main successful answer; null where none is told."),
        example_call={"type": "object"},
        example_result={},
        errors=many(record(status=TEXT, meaning=TEXT, advice=TEXT)),
        security=many(TEXTS, "Alternatives, each a list of schemes that are needed together."),
        tokens=told(NUMBER, "UTF-8 bytes of the definition divided by 4, rounded up."),
        definition=told(TEXT, "The definition as a mind reads it."),
    )


def replay_schema() -> Schema:
    """What `thinkagent replay --json` prints."""
    result = record(
        log=or_null(TEXT),
        run=told(TEXT, "The run's id."),
        same=FLAG,
        turns=NUMBER,
        calls=NUMBER,
        difference=told(or_null(TEXT), "The first thing that differs: recorded against now."),
        where=told(or_null(TEXT), "Turn, call or event of the difference."),
        notes=told(TEXTS, "What differs and does no harm, such as a prompt."),
        exit_code=EXIT_CODE,
    )
    return published("replay", "thinkagent replay --json", result=result)
