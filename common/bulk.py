"""Many rows: inserted without model instances, selected by values, and with ids as text."""

import gc
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice, repeat
from operator import add
from os import urandom
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import (
    BooleanField,
    Count,
    F,
    Field,
    Func,
    IntegerField,
    JSONField,
    Model,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    TextField,
    UUIDField,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

ROWS_PER_STATEMENT = 5_000
# OFFSET keeps the sequence from being looked up again for each key.
NEXT_KEYS = """
SELECT nextval(sequence)
FROM (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence OFFSET 0) one,
    generate_series(1, %s)"""

# First digit and length of each part of a UUID.
UUID_PARTS = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))

Column: TypeAlias = "Field[Any, Any]"
Row: TypeAlias = tuple[Any, ...]


def insert(
    model: type[Model], rows: Iterable[Row], *, fields: Sequence[str], **shared: Any
) -> None:
    """Insert rows into the table of a model, all or none, in constant memory.

    COPY does it on Postgres, `executemany` on SQLite.

    `fields` names the attributes that each row holds (`corpus_id`), and `shared` gives values that
    are the same in all rows. Any other column gets the default of its field; a unique column
    (`public_id`) gets a new one for each row. Constraints and triggers raise IntegrityError.
    Choices and validators are not checked.

    insert(Sentence, [("A b.", digest)], fields=("text", "digest"), corpus_id=corpus.pk)
    """
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    missing_fields = {name: by_name[name] for name in by_name if name not in {*fields, *shared}}
    new_values = {
        name: _new_values(field) for name, field in missing_fields.items() if _is_made(field)
    }
    shared_values = _shared_values(by_name, shared, without={*fields, *new_values})
    names = [*fields, *new_values, *shared_values]
    converters = [
        (at, convert) for at, n in enumerate(fields) if (convert := _converter(by_name[n]))
    ]
    converted_rows = _converted_rows(rows, converters, [*new_values.values()])
    columns = [f'"{by_name[name].column}"' for name in names]
    write = _copy if connection.vendor == "postgresql" else _execute
    with transaction.atomic(savepoint=False):
        # Rows are read before each statement, not during it: reading them may query the database.
        while batch := list(islice(converted_rows, ROWS_PER_STATEMENT)):
            write(model._meta.db_table, columns, batch, tuple(shared_values.values()))


def keys(model: type[Model], number: int) -> Sequence[int]:
    """Reserve `number` primary keys, in ascending order. Use them in the same transaction."""
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
    """A transaction whose commit does not wait for the disk; inside another, a part of that one.

    If Postgres crashes it may be lost, with what was committed after it, until any other
    transaction has waited for the disk. On SQLite it is an ordinary transaction.
    """
    is_a_part = connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and not is_a_part:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit TO off")
        yield


def among(column: str, values: Collection[Any]) -> Func:
    """For `filter`: whether the column holds one of the values (UUIDs, texts or numbers).

    All values are one parameter. With one parameter for each, as `IN` has, the generic plan of
    Postgres (prepare_threshold) compares every row of the table with each of them.
    """
    plain = [_hex(value) for value in values]
    if connection.vendor != "postgresql":
        return _compare(column, json.dumps(plain), " IN (SELECT value FROM json_each(", "))")
    # UUIDs as the text of an array: the driver would convert each of them with separate calls.
    array = f"{{{','.join(plain)}}}" if isinstance(next(iter(values), None), UUID) else plain
    return _compare(column, array, " = ANY(", ")")


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """No cyclic garbage collection while the block runs.

    For work on many rows without reference cycles: the collector would walk over all of them again
    and again. Reference counting still frees what is no longer used.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Written(Func):
    """A UUID column as text. Creating a UUID object for each would double the time."""

    output_field = TextField()
    arity = 1

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        return super().as_sql(compiler, connection, template="(%(expressions)s)::text")

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        """SQLite stores the 32 digits without hyphens."""
        parts = (f"substr(%(expressions)s, {start}, {length})" for start, length in UUID_PARTS)
        return super().as_sql(
            compiler, connection, template=" || '-' || ".join(parts), **extra_context
        )


def _compare(column: str, value: Any, opening: str, closing: str) -> Func:
    """Return a condition: the column, then `opening`, the value as a parameter, and `closing`."""
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
    """A new default for each row, as the engine takes it."""
    if field.default is uuid4:
        return _new_uuids()
    make, convert = field.default, _converter(field)
    return (convert(make()) if convert else make() for _ in count())


def _new_uuids() -> Iterator[str]:
    """Yield random UUIDs (version 4) as digits, which both engines accept; no objects are made."""
    while True:
        random_digits = urandom(16 * 500).hex()
        for start in range(0, len(random_digits), 32):
            digits = random_digits[start : start + 32]
            variant = "89ab"[int(digits[16], 16) & 3]
            yield f"{digits[:12]}4{digits[13:16]}{variant}{digits[17:]}"


def _shared_values(
    by_name: dict[str, Column], shared: dict[str, Any], *, without: set[str]
) -> dict[str, Any]:
    """The values that are the same in all rows, as the engine takes them, without NULLs."""
    rest = {name: field for name, field in by_name.items() if name not in without}
    values = {name: shared.get(name, _default(field)) for name, field in rest.items()}
    return {
        name: convert(value) if (convert := _converter(rest[name])) else value
        for name, value in values.items()
        if value is not None
    }


def _default(field: Column) -> Any:
    return timezone.now() if getattr(field, "auto_now_add", False) else field.get_default()


def _converter(field: Column) -> Callable[[Any], Any] | None:
    """What converts a value for the engine; None where it takes the value as it is."""
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


def _converted_rows(
    rows: Iterable[Row],
    converters: Sequence[tuple[int, Callable[[Any], Any]]],
    new_values: Sequence[Iterator[Any]],
) -> Iterator[Row]:
    if new_values:
        rows = map(add, rows, zip(*new_values, strict=False))
    return (_change_cells(row, converters) for row in rows) if converters else iter(rows)


def _change_cells(row: Row, changed: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    cells = list(row)
    for at, change in changed:
        cells[at] = change(cells[at])
    return tuple(cells)


def _copy(table: str, columns: Sequence[str], rows: Sequence[Row], shared_values: Row) -> None:
    statement = f'COPY "{table}" ({", ".join(columns)}) FROM STDIN'
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for row in rows:
            copy.write_row(row + shared_values)


def _execute(table: str, columns: Sequence[str], rows: Sequence[Row], shared_values: Row) -> None:
    places = ", ".join(["%s"] * len(columns))
    statement = f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({places})'  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, [*map(add, rows, repeat(shared_values))])


def count_of(rows: QuerySet[Any], by: str) -> Coalesce:
    """Return the number of `rows` whose column `by` is the primary key of the outer row."""
    return aggregate_of(rows, by, Count("pk"))


def aggregate_of(rows: QuerySet[Any], by: str, what: Count | Sum) -> Coalesce:
    """Return an aggregate of such rows, or 0 if there are none."""
    groups = rows.filter(**{by: OuterRef("pk")}).order_by().values(by)
    aggregates = groups.annotate(aggregate=what).values("aggregate")
    return Coalesce(Subquery(aggregates, output_field=IntegerField()), 0)
