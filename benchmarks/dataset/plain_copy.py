"""A bare COPY of the rows of a release or an import: what moving them takes, and nothing done.

On SQLite, which has no COPY, rows of an import go in by executemany.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from benchmarks.dataset.build import Clock, stopwatch

EXAMPLES = "SELECT * FROM releases_example WHERE release_id = {release}"
ANSWERS = "SELECT * FROM annotation_slot WHERE project_id = {project} AND kind = 'judge'"
# The rows of an import, in the order in which they come to be.
CORPUS = ("generation_sentence WHERE candidate_id IS NULL", "generation_candidate")
PROJECT = (
    "generation_sentence WHERE candidate_id IS NOT NULL",
    "annotation_item",
    "annotation_slot",
)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a table with all their columns, as its engine takes them in at once."""

    table: str
    columns: str
    rows: bytes | list[tuple[Any, ...]]


def copy_out(release: Any, postgres: int) -> tuple[Clock, bytes]:
    """Copy the rows that the files are made of out of the database; the pairs are returned."""
    keys = {"release": release.pk, "project": release.project_id}
    with stopwatch(postgres) as clock:
        pairs = _copy_out(EXAMPLES.format(**keys))
        _copy_out(ANSWERS.format(**keys))
    return clock, pairs


def copy_pairs_in(pairs: bytes, postgres: int) -> Clock:
    """Copy pairs into a table like theirs, with its constraints and indexes."""
    return _copy_in("releases_example", "", pairs, postgres)


def copy_table(table: str, postgres: int) -> Clock:
    """Copy rows of a table, which may be followed by a condition, into one with its indexes."""
    [part] = rows_of([table])
    return _copy_in(part.table, f"({part.columns})", part.rows, postgres)


def _copy_in(table: str, columns: str, rows: Any, postgres: int) -> Clock:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE plain_copy (LIKE {table} INCLUDING ALL)")
        with (
            stopwatch(postgres) as clock,
            cursor.copy(f"COPY plain_copy {columns} FROM STDIN") as copy,
        ):
            copy.write(rows)
        cursor.execute("DROP TABLE plain_copy")
    return clock


def rows_of(tables: Sequence[str]) -> list[Rows]:
    """What these tables hold, each of which may be followed by a condition."""
    return [_rows_of(table) for table in tables]


def empty_tables() -> None:
    """Take all rows of imports out of the database, on Postgres with all that point at them."""
    from django.db import connection, transaction

    names = sorted({table.split()[0] for table in (*CORPUS, *PROJECT)})
    connection.disable_constraint_checking()
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Triggers would refuse to empty tables of answers.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f"TRUNCATE {', '.join(names)} CASCADE")
        else:
            for name in names:
                cursor.execute(f"DELETE FROM {name}")  # noqa: S608
    connection.enable_constraint_checking()


def insert_rows(parts: Sequence[Rows]) -> None:
    """Insert rows again, with all keys, indexes and triggers, in one transaction."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for part in parts:
            if isinstance(part.rows, bytes):
                with cursor.copy(f"COPY {part.table} ({part.columns}) FROM STDIN") as copy:
                    copy.write(part.rows)
            else:
                placeholders = ", ".join(["%s"] * len(part.columns.split(", ")))
                insertion = f"INSERT INTO {part.table} ({part.columns})"
                cursor.executemany(f"{insertion} VALUES ({placeholders})", part.rows)


def _rows_of(table: str) -> Rows:
    from django.db import connection

    name = table.split()[0]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {name} LIMIT 0")  # noqa: S608
        columns = ", ".join(f'"{column[0]}"' for column in cursor.description)
    query = f"SELECT {columns} FROM {table} ORDER BY id"  # noqa: S608
    if connection.vendor == "postgresql":
        return Rows(name, columns, _copy_out(query))
    # Not by Django's connection, which turns times and truth values into those of Python.
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as plain_connection:
        return Rows(name, columns, plain_connection.execute(query).fetchall())


def _copy_out(query: str) -> bytes:
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
        return b"".join(map(bytes, copy))
