"""Give it a task in words and an OpenAPI document: it thinks out loud, calls the real API, answers with proof."""

__version__ = "0.1.0"
