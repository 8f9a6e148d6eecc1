"""Keyset pagination: each page begins after the last row of the one before, at any depth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)
Key = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of rows, with the keys of the pages before and after it."""

    rows: list[Row]
    before: Key | None
    after: Key | None


def page(
    rows: QuerySet[Row],
    *,
    columns: Sequence[str],
    size: int,
    after: Key | None = None,
    before: Key | None = None,
) -> Page[Row]:
    """Return `size` rows after the key `after`, or before the key `before`.

    `columns` give the order, ascending or with "-" descending. They hold numbers and are unique
    together.
    """
    backwards = before is not None
    order = [_turned(column) for column in columns] if backwards else list(columns)
    start = before if backwards else after
    wanted = rows if start is None else rows.filter(beyond(order, start))
    found = list(wanted.order_by(*order)[: size + 1])
    more, found = len(found) > size, found[:size]
    if backwards:
        found.reverse()
    first, last = (_key(found[0], columns), _key(found[-1], columns)) if found else (None, None)
    return Page(
        rows=found,
        before=first if (more if backwards else after is not None) else None,
        after=last if (backwards or more) else None,
    )


def beyond(order: Sequence[str], place: Sequence[Any]) -> Q:
    """Condition for rows after `place` in this order, in a form that can use an index.

    (a, b) > (x, y) becomes a >= x and (a > x or b > y), as columns may differ in their direction.
    """
    (column, *others), (value, *rest) = order, place
    name, comparison = column.removeprefix("-"), "lt" if column.startswith("-") else "gt"
    later = Q(**{f"{name}__{comparison}": value})
    if not others:
        return later
    return Q(**{f"{name}__{comparison}e": value}) & (later | beyond(others, rest))


def _turned(column: str) -> str:
    return column.removeprefix("-") if column.startswith("-") else f"-{column}"


def _key(row: Any, columns: Sequence[str]) -> Key:
    return tuple(getattr(row, column.removeprefix("-")) for column in columns)
