"""Many rows at once, without an object for each: COPY on Postgres, executemany on SQLite."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import BooleanField, F, Field, Func, JSONField, Model, UUIDField, Value
from django.utils import timezone

ROWS_PER_STATEMENT = 5_000
UUIDS_AT_ONCE = 100
# The digit of a UUID of RFC 9562 that says so in its two high bits, for each that was drawn.
VARIANTS = {digit: "89ab"[int(digit, 16) % 4] for digit in "0123456789abcdef"}
# OFFSET keeps the sequence from being looked up anew for each key.
NEXT_KEYS = """
SELECT nextval(sequence)
FROM (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence OFFSET 0) one,
    generate_series(1, %s)"""

Column: TypeAlias = "Field[Any, Any]"
Row: TypeAlias = Sequence[Any]


def insert(
    model: type[Model], rows: Iterable[Row], *, fields: Sequence[str], **shared: Any
) -> None:
    """Add rows to the table of a model, all or none, in constant memory.

    `fields` names the columns that each row holds, as attributes of the model (`corpus_id`), and
    `shared` those that are the same in all rows. Any other column gets the default of its field,
    of which a new one is made for each row where the column is unique (`public_id`). Constraints
    and triggers hold as ever and raise IntegrityError; what only Python checks is left out, such as
    choices and validators.

    >>> insert(Sentence, [("A b.", digest)], fields=("text", "digest"), corpus_id=corpus.pk)
    """
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    left = {name: by_name[name] for name in by_name if name not in {*fields, *shared}}
    made = {name: _new_values(field) for name, field in left.items() if _is_made(field)}
    same = _same(by_name, shared, without={*fields, *made})
    names = [*fields, *made, *same]
    changed = [(at, change) for at, n in enumerate(fields) if (change := _change(by_name[n]))]
    cells = _cells(rows, changed, [*made.values()], [*same.values()])
    columns = ", ".join(f'"{by_name[name].column}"' for name in names)
    write = _copy if connection.vendor == "postgresql" else _execute
    with transaction.atomic(savepoint=False):
        # Cells are made before each statement, and not while it lasts: they may ask the database.
        while some := list(islice(cells, ROWS_PER_STATEMENT)):
            write(model._meta.db_table, columns, len(names), some)


def keys(model: type[Model], number: int) -> Sequence[int]:
    """Primary keys for so many new rows, in ascending order; nobody else is given them.

    To be called and used within one transaction.
    """
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(NEXT_KEYS, [table, number])
            return [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        [last] = cursor.fetchone() or [0]
        return range(last + 1, last + 1 + number)


def among(column: str, values: Iterable[Any]) -> Func:
    """For `filter`: whether the column holds one of the values, be they UUIDs, texts or numbers.

    All are one parameter. `IN` has one for each, and when Postgres plans such a statement for any
    values (prepare_threshold), it compares every row of the table with each of them.
    """
    if connection.vendor == "postgresql":
        return _compared(column, list(values), " = ANY(", ")")
    plain = json.dumps([each.hex if isinstance(each, UUID) else each for each in values])
    return _compared(column, plain, " IN (SELECT value FROM json_each(", "))")


def _compared(column: str, value: Any, opening: str, closing: str) -> Func:
    return Func(
        F(column),
        Value(value),
        arg_joiner=opening,
        template=f"%(expressions)s{closing}",
        output_field=BooleanField(),
    )


def _is_made(field: Column) -> bool:
    return field.unique and field.has_default() and callable(field.default)


def _new_values(field: Column) -> Iterator[Any]:
    """A new value for each row, as the database holds it."""
    if field.default is uuid4:
        return _random_uuids()
    make, change = field.default, _change(field)
    return (change(make()) if change else make() for _ in count())


def _random_uuids() -> Iterator[str]:
    """What uuid4 makes, sooner: digits, which both engines take, of many drawn at once."""
    while True:
        drawn = os.urandom(16 * UUIDS_AT_ONCE).hex()
        for at in range(0, len(drawn), 32):
            one = drawn[at : at + 32]
            yield f"{one[:12]}4{one[13:16]}{VARIANTS[one[16]]}{one[17:]}"


def _same(
    by_name: dict[str, Column], shared: dict[str, Any], *, without: set[str]
) -> dict[str, Any]:
    """The values that all rows have, as the database holds them; what is NULL is left to it."""
    rest = {name: field for name, field in by_name.items() if name not in without}
    values = {name: shared.get(name, _default(field)) for name, field in rest.items()}
    return {
        name: rest[name].get_db_prep_save(value, connection)
        for name, value in values.items()
        if value is not None
    }


def _default(field: Column) -> Any:
    return timezone.now() if getattr(field, "auto_now_add", False) else field.get_default()


def _change(field: Column) -> Callable[[Any], Any] | None:
    """What turns a value of a row into what the driver takes, where that is not the value itself.

    Both drivers take text, numbers and None as they are, and Postgres's takes UUIDs and times.
    """
    if connection.vendor == "sqlite" and isinstance(field, UUIDField):
        return _hex
    if connection.vendor == "postgresql" and not isinstance(field, JSONField):
        return None
    if field.get_internal_type() in ("DateTimeField", "JSONField"):
        return lambda value: field.get_db_prep_save(value, connection)
    return None


def _hex(value: Any) -> Any:
    return value and value.hex


def _cells(
    rows: Iterable[Row],
    changed: Sequence[tuple[int, Callable[[Any], Any]]],
    made: Sequence[Iterator[Any]],
    same: Sequence[Any],
) -> Iterator[Row]:
    for row, *new in zip(rows, *made, strict=False):
        cells = [*row, *new, *same]
        for at, change in changed:
            cells[at] = change(cells[at])
        yield cells


def _copy(table: str, columns: str, _width: int, rows: Sequence[Row]) -> None:
    statement = f'COPY "{table}" ({columns}) FROM STDIN'
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _execute(table: str, columns: str, width: int, rows: Sequence[Row]) -> None:
    places = ", ".join(["%s"] * width)
    with connection.cursor() as cursor:
        cursor.executemany(f'INSERT INTO "{table}" ({columns}) VALUES ({places})', rows)  # noqa: S608
