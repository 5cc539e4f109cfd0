"""The event types, once; their JSON; what is volatile in them."""

from thinkagent.events.codec import comparable, decode, encode, volatile_fields
from thinkagent.events.ids import CallId, ThinkId
from thinkagent.events.prompts import prompt_texts, whole_prompt
from thinkagent.events.types import *  # noqa: F403
from thinkagent.events.types import __all__ as _types

__all__ = ["CallId", "ThinkId", "comparable", "decode", "encode", "prompt_texts", "volatile_fields", "whole_prompt"]
__all__ += _types
