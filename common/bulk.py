"""Many rows at once, without an object for each: COPY on Postgres, executemany on SQLite."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice, repeat
from operator import add
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import BooleanField, F, Field, Func, JSONField, Model, UUIDField, Value
from django.utils import timezone

ROWS_PER_STATEMENT = 5_000
ROWS_PER_WRITE = 200  # Postgres takes them in while the next are told
UUIDS_AT_ONCE = 100
# The digit of a UUID of RFC 9562 that says so in its two high bits, for each that was drawn.
VARIANTS = {digit: "89ab"[int(digit, 16) % 4] for digit in "0123456789abcdef"}
# What ends a cell or a row of COPY, and what stands for it.
ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
NULL = r"\N"
# OFFSET keeps the sequence from being looked up anew for each key.
NEXT_KEYS = """
SELECT nextval(sequence)
FROM (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence OFFSET 0) one,
    generate_series(1, %s)"""

Column: TypeAlias = "Field[Any, Any]"
Row: TypeAlias = tuple[Any, ...]


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
    cells = _cells(rows, changed, [*made.values()])
    columns = [f'"{by_name[name].column}"' for name in names]
    write = _copy if connection.vendor == "postgresql" else _execute
    with transaction.atomic(savepoint=False):
        # Cells are made before each statement, and not while it lasts: they may ask the database.
        while some := list(islice(cells, ROWS_PER_STATEMENT)):
            write(model._meta.db_table, columns, some, tuple(same.values()))


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


@contextmanager
def transaction_ahead_of_the_disk() -> Iterator[None]:
    """A transaction that is committed before it is on disk; inside another, a part of that one.

    A crash of Postgres can take it back, and with it all that was committed after it, until a
    transaction has waited for the disk, as any other does. On SQLite this is such another.
    """
    is_a_part = connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and not is_a_part:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit TO off")
        yield


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
        name: change(value) if (change := _change(rest[name])) else value
        for name, value in values.items()
        if value is not None
    }


def _default(field: Column) -> Any:
    return timezone.now() if getattr(field, "auto_now_add", False) else field.get_default()


def _change(field: Column) -> Callable[[Any], Any] | None:
    """What turns a value of a row into what the engine takes, where that is not the value itself.

    Both take text, numbers and None as they are, and COPY takes UUIDs and times as they are told.
    """
    if isinstance(field, JSONField):
        return lambda value: None if value is None else json.dumps(value, cls=field.encoder)
    if connection.vendor == "postgresql":
        return None
    if isinstance(field, UUIDField):
        return _hex
    if field.get_internal_type() == "DateTimeField":
        return lambda value: field.get_db_prep_save(value, connection)
    return None


def _hex(value: Any) -> Any:
    return value.hex if isinstance(value, UUID) else value


def _cells(
    rows: Iterable[Row],
    changed: Sequence[tuple[int, Callable[[Any], Any]]],
    made: Sequence[Iterator[Any]],
) -> Iterator[Row]:
    if made:
        rows = map(add, rows, zip(*made, strict=False))
    return (_changed(row, changed) for row in rows) if changed else iter(rows)


def _changed(row: Row, changed: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    cells = list(row)
    for at, change in changed:
        cells[at] = change(cells[at])
    return tuple(cells)


def _copy(table: str, columns: Sequence[str], rows: Sequence[Row], same: Row) -> None:
    statement = f'COPY "{table}" ({", ".join(columns)}) FROM STDIN'
    end = "".join([f"\t{_told(cell)}" for cell in same]) + "\n"
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for at in range(0, len(rows), ROWS_PER_WRITE):
            some = rows[at : at + ROWS_PER_WRITE]
            copy.write("".join(["\t".join(map(_told, row)) + end for row in some]))


def _told(cell: Any) -> str:
    """A cell of COPY. The driver, which looks up how to tell each kind of value, takes longer."""
    if cell is None:
        return NULL
    text = str(cell)
    plain = not ("\\" in text or "\t" in text or "\n" in text or "\r" in text)
    return text if plain else text.translate(ESCAPES)


def _execute(table: str, columns: Sequence[str], rows: Sequence[Row], same: Row) -> None:
    places = ", ".join(["%s"] * len(columns))
    statement = f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({places})'  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, [*map(add, rows, repeat(same))])
