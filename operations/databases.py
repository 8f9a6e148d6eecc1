"""Databases as backups see them: dumped, restored, and their rows counted and digested."""

import os
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.utils import ConnectionHandler
from environ import Env
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

WAIT_SECONDS = 60.0
MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY id"


class BackupError(Exception):
    """A backup or restore is not possible; the text says why."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The migrations of a database, and the number and the digest of the rows of each table.

    Digests of the same rows are equal on the same engine only.
    """

    migrations: list[str]
    rows: dict[str, int]
    digests: dict[str, str]

    def differing(self, other: "Contents") -> list[str]:
        """Return the names of tables whose rows differ, or which only one of them has."""
        differing = {name for name, _ in self.digests.items() ^ other.digests.items()}
        return sorted(differing | {name for name, _ in self.rows.items() ^ other.rows.items()})


class Postgres:
    """A PostgreSQL database, by an entry of Django's setting DATABASES."""

    engine, file_name = "postgresql", "database.dump"
    # A transaction reads one snapshot, and values have the same text format on every server.
    OPTIONS = (
        r"-c default_transaction_isolation=repeatable\ read -c TimeZone=UTC -c DateStyle=ISO"
        " -c bytea_output=hex -c extra_float_digits=1"
    )
    TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    # A sum needs no order and no memory. The half of an MD5 becomes a number by way of bits.
    ROWS = """
    SELECT count(*), coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint), 0)::text
    FROM {} t"""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.entry = dict(entry)

    def dump(self, file: Path) -> Contents:
        """Write the database to `file`, and return its contents in the same snapshot."""
        with self._connected() as opened:
            [snapshot] = opened.execute("SELECT pg_export_snapshot()").fetchone() or [""]
            self._run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}")
            return self._contents(opened)

    def restore(self, file: Path) -> None:
        self._run("pg_restore", "--exit-on-error", "--single-transaction", str(file))
        with self._connected() as opened:
            opened.execute("ANALYZE")

    def is_empty(self) -> bool:
        with self._connected() as opened:
            return not opened.execute("SELECT FROM pg_stat_user_tables LIMIT 1").rowcount

    def contents(self) -> Contents:
        with self._connected() as opened:
            return self._contents(opened)

    @contextmanager
    def scratch(self) -> Iterator["Postgres"]:
        """Create a database on the same server, and drop it after the block."""
        name = f"pawsmith_drill_{secrets.token_hex(6)}"
        self._execute_alone(f'CREATE DATABASE "{name}"')
        try:
            yield Postgres({**self.entry, "NAME": name})
        finally:
            self._execute_alone(f'DROP DATABASE "{name}" WITH (FORCE)')

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Any]]:
        """Open a connection and a transaction. Raises BackupError."""
        try:
            with psycopg.connect(make_conninfo(**self._parameters())) as opened:
                yield opened
        except psycopg.Error as error:
            raise BackupError(f"Postgres: {error}") from error

    def _parameters(self) -> dict[str, str]:
        """Return Django's parameters of a connection, those that libpq knows."""
        django = ConnectionHandler({"default": self.entry})["default"]
        names = {option.keyword.decode() for option in Conninfo.get_defaults()}
        given = django.get_connection_params() | {"options": self.OPTIONS}
        return {name: str(value) for name, value in given.items() if name in names}

    def _execute_alone(self, statement: str) -> None:
        with self._connected() as opened:
            opened.autocommit = True
            opened.execute(statement.encode())

    def _contents(self, opened: psycopg.Connection[Any]) -> Contents:
        contents = Contents([name for (name,) in opened.execute(MIGRATIONS)], {}, {})
        for (name,) in opened.execute(self.TABLES).fetchall():
            statement = sql.SQL(self.ROWS).format(sql.Identifier(name))
            [(contents.rows[name], contents.digests[name])] = opened.execute(statement).fetchall()
        return contents

    def _run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL; the environment passes the password, to hide it."""
        path = shutil.which(program, path=settings.PG_BIN or None)
        if path is None:
            raise BackupError(
                f"{program} was not found: install the client programs of PostgreSQL, at least as"
                " new as the server, or set PAWSMITH_PG_BIN to their folder."
            )
        parameters = self._parameters()
        environment = os.environ | {"PGPASSWORD": parameters.pop("password", "")}
        command = [path, "--no-owner", "--no-privileges", *arguments]
        command.append(f"--dbname={make_conninfo(**parameters)}")
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise BackupError(f"{program} failed: {said}")


class Sqlite:
    """A SQLite database file. A copy is one step of SQLite's backup API, which blocks no writer."""

    engine, file_name = "sqlite", "database.sqlite3"
    TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"

    def __init__(self, path: Path) -> None:
        self.path = path

    def dump(self, file: Path) -> Contents:
        """Copy the database as of one moment, and return the contents of the copy."""
        if not self.path.exists():
            raise BackupError(f"There is no database at {self.path}.")
        self._copy_to(file)
        return Sqlite(file).contents()

    def restore(self, file: Path) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        Sqlite(file)._copy_to(self.path)

    def is_empty(self) -> bool:
        if not self.path.exists():
            return True
        with self._opened() as opened:
            return opened.execute("SELECT 1 FROM sqlite_schema").fetchone() is None

    def contents(self) -> Contents:
        with self._opened() as opened:
            opened.execute("BEGIN")
            contents = Contents([name for (name,) in opened.execute(MIGRATIONS)], {}, {})
            for (name,) in opened.execute(self.TABLES).fetchall():
                digest, number = sha256(), 0
                for row in opened.execute(f'SELECT * FROM "{name}" ORDER BY rowid'):  # noqa: S608
                    digest.update(repr(row).encode())
                    number += 1
                contents.rows[name], contents.digests[name] = number, digest.hexdigest()
            return contents

    @contextmanager
    def scratch(self) -> Iterator["Sqlite"]:
        """Create a file, and delete it after the block."""
        with tempfile.TemporaryDirectory(prefix="pawsmith-drill-") as place:
            yield Sqlite(Path(place) / self.file_name)

    def _copy_to(self, target: Path) -> None:
        with self._opened() as live, Sqlite(target)._opened() as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file in autocommit mode. Raises BackupError."""
        connect = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            with closing(connect) as opened:
                yield opened
        except sqlite3.Error as error:
            raise BackupError(f"SQLite: {self.path}: {error}") from error


Database = Postgres | Sqlite


def installed() -> Database:
    return _of(connection.settings_dict)


def at(url: str) -> Database:
    """Return the database of a URL in the format of DATABASE_URL. Raises BackupError."""
    if not url.startswith(("postgres://", "postgresql://", "sqlite://")):
        raise BackupError("A database URL starts with postgres:// or sqlite://.")
    return _of({"OPTIONS": {}, **Env.db_url_config(url)})


def _of(entry: Mapping[str, Any]) -> Database:
    is_sqlite = str(entry["ENGINE"]).endswith("sqlite3")
    return Sqlite(Path(entry["NAME"])) if is_sqlite else Postgres(entry)
