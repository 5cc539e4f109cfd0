"""The fakes that this project tests with, for yours too."""

from thinkagent.minds.scripted import ScriptedMind
from thinkagent.testing.fake_replies import Completion, Fault, ToolCall
from thinkagent.testing.human import ScriptedHuman
from thinkagent.testing.model_server import FakeModelServer
from thinkagent.testing.transport import RecordedTransport

__all__ = ["Completion", "FakeModelServer", "Fault", "RecordedTransport", "ScriptedHuman", "ScriptedMind", "ToolCall"]
