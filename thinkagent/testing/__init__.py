"""The fakes that this project tests with, for yours too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thinkagent.minds.scripted import ScriptedMind
from thinkagent.testing.fake_replies import Completion, Fault, ToolCall
from thinkagent.testing.human import ScriptedHuman
from thinkagent.testing.model_server import FakeModelServer

if TYPE_CHECKING:
    from thinkagent.testing.transport import RecordedTransport

__all__ = ["Completion", "FakeModelServer", "Fault", "RecordedTransport", "ScriptedHuman", "ScriptedMind", "ToolCall"]


def __getattr__(name: str) -> Any:
    # It is an httpx transport, and httpx costs more than all the other fakes together.
    if name == "RecordedTransport":
        from thinkagent.testing.transport import RecordedTransport

        return RecordedTransport
    raise AttributeError(f"module 'thinkagent.testing' has no attribute {name!r}")
