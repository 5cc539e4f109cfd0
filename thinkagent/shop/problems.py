"""Problem details (RFC 9457): how the shop says no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from thinkagent.values import Json

__all__ = ["Problem", "invalid", "invalid_fields", "invalid_parameters"]

_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""The phrases of RFC 9110 where `http.HTTPStatus` still has older ones."""


class Problem(Exception):
    """A request that is not done; becomes the answer."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = dict(headers or {})

    def body(self) -> Json:
        """Give the problem details object."""
        title = _TITLES.get(self.status) or HTTPStatus(self.status).phrase
        body: dict[str, Json] = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail}
        if self.errors:
            body["errors"] = [dict(error) for error in self.errors]
        return body


def invalid(pointer: str, detail: str) -> Problem:
    """Refuse one field of the body, by its JSON Pointer."""
    return invalid_fields([(pointer, detail)])


def invalid_fields(found: Sequence[tuple[str, str]]) -> Problem:
    """Refuse fields of the body, each by its JSON Pointer."""
    pointer, detail = found[0]
    place = f"at {pointer!r}" if pointer else "as a whole"
    return Problem(
        422,
        f"The body is not allowed {place}: {detail}{_more(found)}",
        errors=[{"pointer": pointer, "detail": detail} for pointer, detail in found],
    )


def invalid_parameters(found: Sequence[tuple[str, str]]) -> Problem:
    """Refuse query parameters, each by its name."""
    name, detail = found[0]
    return Problem(
        422,
        f"The query parameter {name!r} is not allowed: {detail}{_more(found)}",
        errors=[{"parameter": name, "detail": detail} for name, detail in found],
    )


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""
