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
    order = [_reverse_order(column) for column in columns] if backwards else list(columns)
    start = before if backwards else after
    beyond_start = rows if start is None else rows.filter(beyond(order, start))
    page_rows = list(beyond_start.order_by(*order)[: size + 1])
    has_more, page_rows = len(page_rows) > size, page_rows[:size]
    if backwards:
        page_rows.reverse()
    if not page_rows:
        return Page(rows=[], before=None, after=None)
    has_before = has_more if backwards else after is not None
    has_after = has_more or backwards
    return Page(
        rows=page_rows,
        before=_key(page_rows[0], columns) if has_before else None,
        after=_key(page_rows[-1], columns) if has_after else None,
    )


def beyond(order: Sequence[str], place: Sequence[Any]) -> Q:
    """Condition for rows after `place` in this order, in a form that can use an index.

    (a, b) > (x, y) becomes a >= x and (a > x or b > y), as columns may differ in their direction.
    """
    (column, *further_columns), (value, *further_values) = order, place
    name, comparison = column.removeprefix("-"), "lt" if column.startswith("-") else "gt"
    later = Q(**{f"{name}__{comparison}": value})
    if not further_columns:
        return later
    return Q(**{f"{name}__{comparison}e": value}) & (
        later | beyond(further_columns, further_values)
    )


def _reverse_order(column: str) -> str:
    return column.removeprefix("-") if column.startswith("-") else f"-{column}"


def _key(row: Any, columns: Sequence[str]) -> Key:
    return tuple(getattr(row, column.removeprefix("-")) for column in columns)
