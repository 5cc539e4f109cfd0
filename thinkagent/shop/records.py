"""What all kinds of records have in common: lists in pages, looking up by id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from thinkagent.shop.call import Answer, Call
from thinkagent.shop.problems import Problem, invalid_parameters
from thinkagent.shop.scalars import id_number, moment_from_text, search_key
from thinkagent.shop.store import Row, Store
from thinkagent.values import Json

__all__ = ["Filter", "Kind", "after", "before", "contains", "equals", "equals_key", "of_customer"]

_DEFAULT_LIMIT = 20

Filter = Callable[[Call, str], tuple[str, object]]
"""Turns a query parameter's value into an SQL condition with one mark, and the value for the mark."""


@dataclass(frozen=True)
class Kind:
    """One kind of record: its words, its table, and how a row is shown."""

    singular: str
    plural: str
    """The table, the path and the key of the list."""
    prefix: str
    """What its ids begin with."""
    show: Callable[[Store, Row], Json]
    filters: Mapping[str, Filter]
    sorts: Mapping[str, str]
    """`sort` without its sign to the column."""
    hint: Callable[[str], str]
    """What to do with an id that is unknown."""

    def list(self, call: Call) -> Answer:
        """Give one page of the records that pass every filter of the query."""
        conditions = [
            self.filters[name](call, str(value)) for name, value in call.query.items() if name in self.filters
        ]
        where = " AND ".join(sql for sql, _ in conditions) or "TRUE"
        values = [value for _, value in conditions]
        counted = call.store.rows(f"SELECT count(*) AS total FROM {self.plural} WHERE {where}", values)
        total: int = counted[0]["total"]
        page, limit = int(call.query.get("page", 1)), int(call.query.get("limit", _DEFAULT_LIMIT))
        sql = f"SELECT * FROM {self.plural} WHERE {where} ORDER BY {self._order(call)} LIMIT ? OFFSET ?"
        rows = call.store.rows(sql, [*values, limit, (page - 1) * limit])
        pages = -(-total // limit)
        return Answer(
            200,
            {
                self.plural: [self.show(call.store, row) for row in rows],
                "total": total,
                "page": page,
                "pages": pages,
                "next": self._address(call, page + 1, limit) if page < pages else None,
            },
        )

    def _order(self, call: Call) -> str:
        sort = str(call.query.get("sort", ""))
        if not sort:
            return "number"
        return f"{self.sorts[sort.removeprefix('-')]} {'DESC' if sort.startswith('-') else 'ASC'}, number"

    def _address(self, call: Call, page: int, limit: int) -> str:
        kept = {name: value for name, value in call.query.items() if name not in ("page", "limit")}
        return f"/{self.plural}?{urlencode({**kept, 'page': page, 'limit': limit})}"

    def find(self, store: Store, identifier: str) -> Row | None:
        """Give the row with this id."""
        number = id_number(self.prefix, identifier)
        if number is None:
            return None
        return store.row(f"SELECT * FROM {self.plural} WHERE number = ?", (number,))

    def get(self, call: Call) -> Row:
        """Give the row that the path names.

        Raises:
            Problem: 404, saying how to find the id.
        """
        identifier = call.path[f"{self.singular}Id"]
        row = self.find(call.store, identifier)
        if row is None:
            raise Problem(404, f"No {self.singular} has the id {identifier!r}. {self.hint(identifier)}")
        return row

    def answer(self, call: Call) -> Answer:
        """Show the record that the path names."""
        return Answer(200, self.show(call.store, self.get(call)))

    def stored(self, call: Call, number: int, status: int = 200) -> Answer:
        """Show a record after a change; with 201 also where it is."""
        row = call.store.rows(f"SELECT * FROM {self.plural} WHERE number = ?", (number,))[0]
        headers = {"Location": f"/{self.plural}/{self.prefix}_{number}"} if status == 201 else {}
        return Answer(status, self.show(call.store, row), headers)


def equals(column: str) -> Filter:
    """Compare letter by letter."""
    return lambda call, value: (f"{column} = ?", value)


def equals_key(column: str) -> Filter:
    """Compare without regard to case."""
    return lambda call, value: (f"{column} = ?", search_key(value))


def contains(column: str) -> Filter:
    """Look for a part, without regard to case."""
    return lambda call, value: (f"instr({column}, ?) > 0", search_key(value))


def before(column: str, parameter: str) -> Filter:
    """Keep what is earlier than a moment."""
    return lambda call, value: (f"{column} < ?", _moment(parameter, value))


def after(column: str, parameter: str) -> Filter:
    """Keep what is later than a moment."""
    return lambda call, value: (f"{column} > ?", _moment(parameter, value))


def of_customer(find: Callable[[Store, str], Row | None]) -> Filter:
    """Keep what belongs to a customer; an id of nobody is refused, so that a mistake does not look like "none"."""

    def condition(call: Call, value: str) -> tuple[str, object]:
        row = find(call.store, value)
        if row is None:
            detail = f"no customer has the id {value!r}; GET /customers finds customers by name or email"
            raise invalid_parameters([("customerId", detail)])
        return "customer = ?", row["number"]

    return condition


def _moment(parameter: str, value: str) -> int:
    try:
        return moment_from_text(value)
    except ValueError as error:
        raise invalid_parameters([(parameter, f"{value!r} is not a moment that a clock shows")]) from error
