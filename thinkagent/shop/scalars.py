"""Moments, money, ids and names, as the shop stores them and as it shows them."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from decimal import Decimal

__all__ = ["cents", "id_number", "moment_from_text", "moment_to_text", "money", "search_key"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment_from_text(text: str) -> int:
    """Read an RFC 3339 date-time as microseconds since 1970; raises `ValueError` for one that no clock shows."""
    moment = datetime.fromisoformat(text.upper())
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no offset")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_to_text(microseconds: int) -> str:
    """Write microseconds since 1970 as an RFC 3339 date-time in UTC."""
    text = (_EPOCH + timedelta(microseconds=microseconds)).isoformat()
    return text.replace("+00:00", "Z")


def cents(amount: Decimal | int) -> int:
    """Turn euros that are exact to the cent into cents."""
    return int(amount * 100)


def money(amount_cents: int) -> Decimal:
    """Turn cents into euros with two places."""
    return Decimal(amount_cents).scaleb(-2)


def id_number(prefix: str, text: str) -> int | None:
    """Give 7 for `cus_7`; None for what is no id of this kind."""
    match = re.fullmatch(rf"{prefix}_([1-9][0-9]{{0,14}})", text, re.ASCII)
    return int(match[1]) if match else None


def search_key(text: str) -> str:
    """Fold what a search does not tell apart: case, and how an accent is encoded."""
    return unicodedata.normalize("NFC", text).casefold()
