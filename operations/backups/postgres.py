"""A PostgreSQL database: dumped by pg_dump, restored by pg_restore, rows read by COPY."""

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from operations.backups.manifest import BackupError, Census, Table

# The parameters of libpq, with their environment variables.
_VARIABLES = {
    option.keyword.decode(): option.envvar.decode()
    for option in Conninfo.get_defaults()
    if option.envvar
}
# One snapshot for all tables, and the same text format of values on every server.
_READING = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL TIME ZONE 'UTC'",
    "SET LOCAL DateStyle = 'ISO'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL extra_float_digits = 1",
)
_TABLES = """
SELECT oid::regclass::text, relname FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
AND NOT relispartition ORDER BY relname COLLATE "C" """
_COLUMNS = """
SELECT attname, typcategory = 'S', coalesce(array_position(indkey::int2[], attnum) + 1, 0)
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
ORDER BY attname COLLATE "C" """
_ANYTHING = """
SELECT FROM pg_class JOIN pg_namespace space ON space.oid = relnamespace
WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' LIMIT 1"""


class _Column(NamedTuple):
    """`place` is the position in the primary key, from 1; 0 if the column is not in it."""

    name: str
    is_text: bool
    place: int

    @property
    def in_order(self) -> sql.Composable:
        """The ORDER BY term. Text is ordered by its bytes, which is the same on every server."""
        collated = sql.SQL(' COLLATE "C"') if self.is_text else sql.SQL("")
        return sql.Identifier(self.name) + collated


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """A PostgreSQL database, by the connection parameters of libpq."""

    parameters: Mapping[str, str]
    engine = "postgresql"

    @classmethod
    def of(cls, named: Mapping[str, Any]) -> "PostgresDatabase":
        """Create it from an entry of Django's setting DATABASES."""
        keywords = {"NAME": "dbname", "HOST": "host", "PORT": "port", "USER": "user"}
        keywords["PASSWORD"] = "password"  # noqa: S105 the name of a parameter
        given = {keyword: named.get(key) for key, keyword in keywords.items()}
        given |= {key: value for key, value in named["OPTIONS"].items() if key in _VARIABLES}
        return cls({key: str(value) for key, value in given.items() if value not in (None, "")})

    def dump(self, file: Path) -> Census:
        """Write the whole database to `file`. Returns its content in the same snapshot."""
        with self._connected() as connection:
            program = _program("pg_dump", at_least=connection.info.server_version // 10000)
            _begin_reading(connection)
            snapshot = _one(connection, "SELECT pg_export_snapshot()")
            arguments = ["--format=custom", "--no-owner", "--no-privileges"]
            self._run([program, *arguments, f"--snapshot={snapshot}", f"--file={file}"])
            return _census(connection)

    def restore(self, file: Path) -> None:
        """Restore the whole dump in one transaction."""
        with self._connected() as connection:
            program = _program("pg_restore", at_least=connection.info.server_version // 10000)
        options = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]
        self._run([program, *options, f"--dbname={self.parameters['dbname']}", str(file)])
        with self._connected(autocommit=True) as connection:
            connection.execute("ANALYZE")

    def is_empty(self) -> bool:
        """Return whether nothing was ever created in it; an empty table counts as something."""
        with self._connected() as connection:
            return connection.execute(_ANYTHING).fetchone() is None

    def census(self) -> Census:
        """Return the present content."""
        with self._connected() as connection:
            _begin_reading(connection)
            return _census(connection)

    def size(self) -> int:
        """Return the bytes on the server's disk."""
        with self._connected() as connection:
            return int(_one(connection, "SELECT pg_database_size(current_database())"))

    @contextmanager
    def scratch(self) -> Iterator["PostgresDatabase"]:
        """Create a database on the same server, and drop it after the block."""
        name = f"pawsmith_drill_{secrets.token_hex(6)}"
        with self._connected(autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield PostgresDatabase({**self.parameters, "dbname": name})
        finally:
            with self._connected(autocommit=True) as connection:
                statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
                connection.execute(statement.format(sql.Identifier(name)))

    @contextmanager
    def _connected(self, *, autocommit: bool = False) -> Iterator[psycopg.Connection[Any]]:
        try:
            with psycopg.connect(
                make_conninfo(**self.parameters), autocommit=autocommit
            ) as connection:
                yield connection
        except psycopg.Error as error:
            raise BackupError(f"Postgres: {error}") from error

    def _run(self, command: list[str]) -> None:
        """Run a program; the environment passes the connection, to hide the password."""
        told = {_VARIABLES[keyword]: value for keyword, value in self.parameters.items()}
        done = subprocess.run(command, env=os.environ | told, capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise BackupError(f"{Path(command[0]).name} failed: {said}")


def _program(name: str, *, at_least: int) -> str:
    """Return the path of a PostgreSQL program of at least this version. Raises BackupError."""
    found = shutil.which(name, path=settings.PG_BIN or None)
    if found is None:
        where = settings.PG_BIN or "on the PATH"
        raise BackupError(
            f"There is no {name} in {where}: install the client programs of PostgreSQL {at_least}"
            " or newer, or name their folder in PAWSMITH_PG_BIN."
        )
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    [version] = re.findall(r"\) (\d+)", said)
    if int(version) < at_least:
        raise BackupError(f"{found} is of PostgreSQL {version}, and the server of {at_least}.")
    return found


def _begin_reading(connection: psycopg.Connection[Any]) -> None:
    for statement in _READING:
        connection.execute(statement)


def _census(connection: psycopg.Connection[Any]) -> Census:
    tables = {
        relname: _table(connection, table)
        for table, relname in connection.execute(_TABLES).fetchall()
    }
    applied = "SELECT app || '.' || name FROM django_migrations ORDER BY id"
    migrations = tuple(name for (name,) in connection.execute(applied))
    return Census(tables, migrations)


def _table(connection: psycopg.Connection[Any], table: str) -> Table:
    columns = [_Column(*row) for row in connection.execute(_COLUMNS, [table])]
    key = sorted((each for each in columns if each.place), key=lambda each: each.place) or columns
    statement = sql.SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
        sql.SQL(", ").join(sql.Identifier(each.name) for each in columns),
        sql.SQL(table),
        sql.SQL(", ").join(each.in_order for each in key),
    )
    digest, cursor = sha256(), connection.cursor()
    with cursor.copy(statement) as lines:
        for line in lines:
            digest.update(line)
    return Table(cursor.rowcount, digest.hexdigest())


def _one(connection: psycopg.Connection[Any], statement: str) -> Any:
    [value] = connection.execute(statement).fetchone() or [None]
    return value
