"""The protocol between a mind and the program: the page that it is shown and the turn that it answers with."""

from thinkagent.turns.check import ToolSource, check_turn
from thinkagent.turns.model import (
    BUILT_IN,
    Action,
    DocumentCard,
    Exchange,
    ObservationCard,
    Page,
    Plan,
    StepCard,
    Turn,
)
from thinkagent.turns.page import Choice, choose_lines, group_of
from thinkagent.turns.parse import ENVELOPE_TOOL, parse_reply
from thinkagent.turns.problem import ProblemKind, Unusable
from thinkagent.turns.render import Block, Message, join_blocks, render_blocks, render_messages
from thinkagent.turns.repair import repair_message
from thinkagent.turns.schema import BUILT_IN_SCHEMAS, OPEN_SCHEMA, STRICT_SCHEMA
from thinkagent.turns.stream import ThoughtStream

__all__ = [
    "BUILT_IN",
    "BUILT_IN_SCHEMAS",
    "ENVELOPE_TOOL",
    "OPEN_SCHEMA",
    "STRICT_SCHEMA",
    "Action",
    "Block",
    "Choice",
    "DocumentCard",
    "Exchange",
    "Message",
    "ObservationCard",
    "Page",
    "Plan",
    "ProblemKind",
    "StepCard",
    "ThoughtStream",
    "ToolSource",
    "Turn",
    "Unusable",
    "check_turn",
    "choose_lines",
    "group_of",
    "join_blocks",
    "parse_reply",
    "render_blocks",
    "render_messages",
    "repair_message",
]
