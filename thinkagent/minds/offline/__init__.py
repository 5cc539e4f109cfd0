"""The offline mind: the default when no model is named."""

from thinkagent.minds.offline.mind import OfflineMind

__all__ = ["OfflineMind"]
