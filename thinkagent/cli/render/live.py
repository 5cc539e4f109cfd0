"""A run as it happens: the transcript, and the thought while the model still writes it."""

from __future__ import annotations

import re

from thinkagent import events as ev
from thinkagent.cli.render.ink import Flow
from thinkagent.cli.render.question import INDENT
from thinkagent.cli.render.transcript import Transcript
from thinkagent.journal import Vault
from thinkagent.minds.base import Delta
from thinkagent.turns.stream import ThoughtStream
from thinkagent.values import Secret

__all__ = ["Live", "SafePieces"]

_BLANK = re.compile(r"\s")
_WORD_END = re.compile(r"\s|(?<=[\u2e80-\uffff])(?=[\u2e80-\uffff])")
"""Also between two characters of a script that is written without blanks; a secret in ASCII cannot stand across."""


class SafePieces:
    """Hold back the end of a text that grows, so that no part of a secret is given away before it is known as one.

    Without secrets nothing is held back; else the last words, as many as the longest secret has.
    """

    def __init__(self, vault: Vault) -> None:
        secrets = [vault.reveal(Secret(name)) for name in vault.names]
        self._redact = vault.redact
        self._words = max((len(secret.split()) or 1 for secret in secrets), default=0)
        self._end = _WORD_END if all(secret.isascii() for secret in secrets) else _BLANK
        self._raw = ""
        self.given = ""

    def feed(self, piece: str) -> str:
        """Take more of the text; give what can be shown of it now."""
        self._raw += piece
        text = self._redact(self._raw)
        if self._words:
            ends = [match.start() for match in self._end.finditer(text)]
            text = text[: ends[-self._words]] if len(ends) >= self._words else ""
        if len(text) <= len(self.given) or not text.startswith(self.given):
            return ""
        fresh, self.given = text[len(self.given) :], text
        return fresh

    def rest(self) -> str:
        """Give what was held back, now that the text is whole."""
        text = self._redact(self._raw)
        if not text.startswith(self.given):
            return ""
        fresh, self.given = text[len(self.given) :], text
        return fresh


class Live(Transcript):
    """The transcript of a run that goes on; on a terminal thoughts appear while they stream."""

    _stream: ThoughtStream | None = None
    _pieces: SafePieces | None = None
    _flow: Flow | None = None
    _vault: Vault | None = None
    _told = ""
    """The thought of the present reply, where it was shown while it came."""

    def use_vault(self, vault: Vault) -> None:
        """Keep these secrets out of what streams."""
        self._vault = vault

    def on_delta(self, delta: Delta) -> None:
        """Show what a piece of the reply adds to the thought; nothing where lines do not move."""
        if not self.ink.moves or self._vault is None or not delta.text:
            return
        if self._stream is None:
            self._stream = ThoughtStream()
            self._pieces = SafePieces(self._vault)
        assert self._pieces is not None
        shown = self._pieces.feed(self._stream.feed(delta.text))
        if shown.strip():
            self._flowing().feed(shown)

    def _flowing(self) -> Flow:
        if self._flow is None:
            self.ink.clear()
            if self._headed == self._turn:
                self.ink.raw(" " * INDENT)
            else:
                number = self._number(self._turn)
                self.ink.raw(number.text, number.style)
            self._flow = Flow(self.ink, INDENT, INDENT)
        return self._flow

    def _end_flow(self) -> None:
        """End the line of what streamed."""
        if self._flow is not None:
            self._flow.end()
        self._stream = self._pieces = self._flow = None

    def show(self, record: ev.Record) -> None:
        if isinstance(record.event, ev.ReplyReceived):
            self._take_rest()
        elif not isinstance(record.event, ev.TurnTaken):
            self._told = ""
        self._end_flow()
        super().show(record)

    def _take_rest(self) -> None:
        """Show what was held back of a thought that began to stream, now that the reply is whole."""
        if self._flow is not None and self._stream is not None and self._pieces is not None:
            fresh = self._pieces.feed(self._stream.close())
            self._flow.feed(fresh + self._pieces.rest())
            self._told = self._pieces.given.strip()

    def _thought(self, event: ev.TurnTaken) -> None:
        told, self._told = self._told, ""
        if not told or str(event.thought).strip() != told:
            super()._thought(event)
