"""Pages without the secrets that became known only after what they tell of had been written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from thinkagent.journal import Vault
from thinkagent.turns.model import Page
from thinkagent.values import Secret, SecretText

__all__ = ["Discretion"]

_TOLD = ("task", "inputs", "plan", "steps", "history", "repairs")
"""The fields of a page that tell of the run; the others are the document's and the program's own words."""


class Discretion:
    """Hides secrets in what a run told before it knew them: a token that an earlier answer gave as a plain text.

    What is told anew comes in without secrets already, so that what is there is searched once, when one is learned.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._looked_for = vault.looked_for
        self._clean: dict[int, tuple[Any, Any]] = {}
        """By identity: a value, which is kept for its identity to stay taken, and what is told in its place."""

    def page(self, page: Page) -> Page:
        """Give the page as the mind may see it."""
        if self._vault.looked_for != self._looked_for:
            self._looked_for = self._vault.looked_for
            self._search(page)
        if not self._clean:
            return page
        return replace(page, **{name: self._told(getattr(page, name)) for name in _TOLD})

    def _search(self, page: Page) -> None:
        for name in _TOLD:
            value = getattr(page, name)
            for item in value if isinstance(value, tuple) else (value,):
                hidden = self._hidden(item)
                if hidden is not item:
                    self._clean[id(item)] = (item, hidden)

    def _told(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([self._told(item) for item in value])
        return self._clean.get(id(value), (value, value))[1]

    def _hidden(self, value: Any) -> Any:
        """Copy a value with its texts hidden; the same object where nothing had to be."""
        if isinstance(value, str):
            hidden = self._vault.redact(value)
            return value if hidden == value else hidden
        if isinstance(value, Secret | SecretText):
            return self._vault.hide_value(value)
        if is_dataclass(value) and not isinstance(value, type):
            before = {field.name: getattr(value, field.name) for field in fields(value)}
            changed = {name: hidden for name, old in before.items() if (hidden := self._hidden(old)) is not old}
            return replace(value, **changed) if changed else value
        if isinstance(value, Mapping):
            return value if self._vault.hide_value(value) is value else self._mapping(value)
        if isinstance(value, list | tuple):
            items = [self._hidden(item) for item in value]
            is_same = all(one is other for one, other in zip(value, items, strict=True))
            return value if is_same else type(value)(items)
        return value

    def _mapping(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        return {self._vault.redact(key): self._hidden(item) for key, item in value.items()}
