"""Values as they travel between the API, the log and the mind: exact numbers, secrets by name, JSON Pointers."""

from thinkagent.values.json import Json, JsonError, Spelled, digest, plain, read_json, same, write_json, write_plain
from thinkagent.values.pointer import join_pointer, parse_pointer, resolve_pointer
from thinkagent.values.secrets import Secret, SecretText, from_log, join_text, text_parts, to_log
from thinkagent.values.text import clip, tokens, visible

__all__ = [
    "Json",
    "JsonError",
    "Secret",
    "SecretText",
    "Spelled",
    "clip",
    "digest",
    "from_log",
    "join_pointer",
    "join_text",
    "parse_pointer",
    "plain",
    "read_json",
    "resolve_pointer",
    "same",
    "text_parts",
    "to_log",
    "tokens",
    "visible",
    "write_json",
    "write_plain",
]
