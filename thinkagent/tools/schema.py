"""The one JSON Schema of an operation's arguments, and the way back from its names to the document's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thinkagent.documents.model import Operation, Parameter, Schema, SecurityScheme
from thinkagent.tools.media import BodyChoice, ResultChoice, choose_body, essence, is_json
from thinkagent.tools.model import Argument
from thinkagent.tools.names import argument_names
from thinkagent.tools.shape import MAX_TEXT, Shaper, usable_examples
from thinkagent.tools.text import plain_text
from thinkagent.tools.validity import compile_schema, mend_schema

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

__all__ = [
    "Inputs",
    "Owned",
    "Result",
    "offered_parameters",
    "owned_parameters",
    "read_inputs",
    "read_result",
    "unsupported",
]

Owned = frozenset[tuple[str, str]]
"""(location, name) of what carries credentials; header names in lower case."""

_CREDENTIAL_HEADERS = ("authorization", "proxy-authorization")
_LOCATIONS = ("path", "query", "header", "cookie")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What an operation takes, as a tool says it."""

    parameters: dict[str, Any]
    validator: Draft202012Validator
    """Of `parameters`."""
    arguments: tuple[Argument, ...]
    problems: tuple[str, ...]
    """What had to be left out, and why."""


@dataclass(frozen=True, slots=True)
class Result:
    """What an operation gives, as a tool says it."""

    schema: Schema | None
    """None where the document says nothing."""
    validator: Draft202012Validator | None
    problems: tuple[str, ...]


def owned_parameters(schemes: Mapping[str, SecurityScheme]) -> Owned:
    """Collect the parameters that belong to a security scheme; they are filled in when a request is built."""
    owned = {("header", name) for name in _CREDENTIAL_HEADERS}
    for scheme in schemes.values():
        if scheme.type == "apiKey" and scheme.parameter:
            owned.add(_place(scheme.location, scheme.parameter))
            if scheme.location == "cookie":
                # The header holds every cookie: who may write it may write the scheme's too.
                owned.add(("header", "cookie"))
    return frozenset(owned)


def _place(location: str, name: str) -> tuple[str, str]:
    return location, name.lower() if location == "header" else name


def unsupported(operation: Operation, owned: Owned) -> str:
    """Say why an operation could not work as a tool; empty where it can. Builds no schema."""
    body = operation.request_body
    if body is not None and body.required:
        choice = choose_body(body)
        if choice.reason:
            return choice.reason
    for parameter in operation.parameters:
        if (
            parameter.required
            and not _is_sendable(parameter)
            and _place(parameter.location, parameter.name) not in owned
        ):
            return (
                f"the required {parameter.location} parameter {parameter.name!r} is of type "
                f"{essence(parameter.content_type)!r}, which is not supported yet"
            )
    return ""


def _is_sendable(parameter: Parameter) -> bool:
    return not parameter.content_type or is_json(parameter.content_type) or essence(parameter.content_type) == "*/*"


def offered_parameters(operation: Operation, owned: Owned) -> list[Parameter]:
    """Give the parameters that are arguments, by location: path, query, header, cookie."""
    offered = [
        parameter
        for parameter in operation.parameters
        if parameter.location in _LOCATIONS
        and _is_sendable(parameter)
        and _place(parameter.location, parameter.name) not in owned
    ]
    return sorted(offered, key=lambda parameter: _LOCATIONS.index(parameter.location))


def read_inputs(operation: Operation, owned: Owned, shaper: Shaper) -> Inputs:
    """Build the arguments' schema of an operation that is not `unsupported`."""
    offered = offered_parameters(operation, owned)
    problems = [
        f"the {parameter.location} parameter {parameter.name!r} is left out: its type {parameter.content_type!r} "
        "is not supported yet"
        for parameter in operation.parameters
        if not _is_sendable(parameter)
    ]
    body = operation.request_body
    choice = choose_body(body) if body is not None else BodyChoice("")
    if choice.reason:
        problems.append(f"the optional body is left out: {choice.reason}")
    has_body = body is not None and choice.media is not None
    names = argument_names(offered, has_body=has_body)
    known = len(shaper.problems)
    properties: dict[str, Any] = {}
    arguments: list[Argument] = []
    for parameter in offered:
        name = names[parameter.location, parameter.name]
        required = parameter.required or parameter.location == "path"
        properties[name] = _parameter_schema(parameter, shaper.shape(parameter.schema))
        arguments.append(Argument(name, parameter.location, parameter.name, required))
    if body is not None and choice.media is not None:
        properties["body"] = _described(shaper.shape(_body_schema(choice)), body.description)
        arguments.append(Argument("body", "body", choice.media_type, body.required))
    required_names = [argument.name for argument in arguments if argument.required]
    parameters = _object(properties, required_names, shaper.definitions(properties))
    validator, mended = mend_schema(parameters)
    return Inputs(parameters, validator, tuple(arguments), (*problems, *shaper.problems[known:], *mended))


def read_result(choice: ResultChoice, shaper: Shaper) -> Result:
    """Build the schema of the main successful answer."""
    if choice.schema is None:
        return Result(None, None, ())
    known = len(shaper.problems)
    shaped = shaper.shape(choice.schema)
    if not isinstance(shaped, dict):
        return Result(shaped, compile_schema(shaped), tuple(shaper.problems[known:]))
    definitions = shaper.definitions(shaped)
    if definitions:
        shaped = {**shaped, "$defs": definitions}
    validator, mended = mend_schema(shaped)
    return Result(shaped, validator, (*shaper.problems[known:], *mended))


def _object(properties: dict[str, Any], required: list[str], definitions: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    if definitions:
        schema["$defs"] = definitions
    return schema


def _body_schema(choice: BodyChoice) -> Schema:
    schema = choice.media.schema if choice.media is not None else None
    kind = essence(choice.media_type)
    if kind == "application/x-www-form-urlencoded":
        return schema if schema is not None else {"type": "object"}
    if kind == "text/plain":
        return schema if schema else {"type": "string"}
    return schema if schema is not None else {}


def _parameter_schema(parameter: Parameter, schema: Schema) -> dict[str, Any]:
    described = _described(schema, parameter.description)
    examples = usable_examples(parameter.examples)
    if examples:
        described["examples"] = examples
    if parameter.deprecated:
        described["deprecated"] = True
    return described


def _described(schema: Schema, description: str) -> dict[str, Any]:
    shaped: dict[str, Any] = {"not": {}} if schema is False else {} if schema is True else dict(schema)
    text = plain_text(description, MAX_TEXT)
    return {**shaped, "description": text} if text else shaped
