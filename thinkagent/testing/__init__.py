"""The fakes that this project tests with, for yours too."""

from thinkagent.minds.scripted import ScriptedMind
from thinkagent.testing.fake_replies import Completion, Fault, ToolCall
from thinkagent.testing.model_server import FakeModelServer

__all__ = ["Completion", "FakeModelServer", "Fault", "ScriptedMind", "ToolCall"]
