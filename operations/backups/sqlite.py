"""A SQLite database: copied by its backup API while others write."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from operations.backups.manifest import BackupError, Census, Table

WAIT_SECONDS = 60.0
_TABLES = """
SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY name"""
_encode = json.JSONEncoder(separators=(",", ":"), default=bytes.hex).encode


@dataclass(frozen=True, slots=True)
class SqliteDatabase:
    """A SQLite database file."""

    path: Path
    engine = "sqlite"

    @classmethod
    def of(cls, named: Mapping[str, Any]) -> "SqliteDatabase":
        """Create it from an entry of Django's setting DATABASES."""
        return cls(Path(named["NAME"]))

    def dump(self, file: Path) -> Census:
        """Copy the whole database as of one moment. Returns the content of the copy."""
        if not self.path.exists():
            raise BackupError(f"There is no database at {self.path}.")
        _copy(self.path, file)
        return SqliteDatabase(file).census()

    def restore(self, file: Path) -> None:
        """Replace the content by that of the copy, in one step."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        _copy(file, self.path)

    def is_empty(self) -> bool:
        """Return whether nothing was ever created in it; an empty table counts as something."""
        if not self.path.exists():
            return True
        with _opened(self.path) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def census(self) -> Census:
        """Return the present content."""
        with _opened(self.path) as connection:
            connection.execute("BEGIN")
            names = [name for (name,) in connection.execute(_TABLES)]
            applied = "SELECT app || '.' || name FROM django_migrations ORDER BY id"
            migrations = tuple(name for (name,) in connection.execute(applied))
            return Census({name: _table(connection, name) for name in names}, migrations)

    def size(self) -> int:
        """Return the bytes of the file."""
        return self.path.stat().st_size

    @contextmanager
    def scratch(self) -> Iterator["SqliteDatabase"]:
        """Create a file, and delete it after the block."""
        with tempfile.TemporaryDirectory(prefix="pawsmith-drill-") as folder:
            yield SqliteDatabase(Path(folder) / "database.sqlite3")


def _copy(source: Path, target: Path) -> None:
    """Copy in one step, which reads one snapshot and blocks no writer, into a single file."""
    with _opened(source) as live, _opened(target) as copy:
        live.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file in autocommit mode. Raises BackupError."""
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)) as opened:
            yield opened
    except sqlite3.Error as error:
        raise BackupError(f"SQLite: {path}: {error}") from error


def _table(connection: sqlite3.Connection, table: str) -> Table:
    """Hash each row as a line of JSON, with bytes in hexadecimal."""
    columns = connection.execute("SELECT name, pk FROM pragma_table_info(?)", [table]).fetchall()
    names = sorted(_quoted(name) for name, _place in columns)
    key = [_quoted(name) for _place, name in sorted((at, name) for name, at in columns if at)]
    statement = (
        f"SELECT {', '.join(names)} FROM {_quoted(table)} ORDER BY {', '.join(key or names)}"  # noqa: S608 names are quoted
    )
    digest, rows = sha256(), 0
    for row in connection.execute(statement):
        digest.update(_encode(row).encode() + b"\n")
        rows += 1
    return Table(rows, digest.hexdigest())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
