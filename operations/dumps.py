"""Dumps of the database: written by the programs of PostgreSQL, and by the backup API of SQLite."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

FILES = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}


class BackupError(Exception):
    """A backup or restore is not possible; the text says why."""


def write(file: Path) -> None:
    """Write the database as of one moment to `file`; others may write meanwhile."""
    if connection.vendor == "postgresql":
        _run("pg_dump", "--format=custom", f"--file={file}")
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)  # one step, which blocks no writer
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file


def load(file: Path) -> None:
    """Fill the empty database."""
    if connection.vendor == "postgresql":
        _run("pg_restore", "--exit-on-error", "--single-transaction", str(file))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        copy.backup(connection.connection)


def _run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL; the environment passes the password, to hide it."""
    path = shutil.which(program, path=settings.PG_BIN or None)
    if path is None:
        raise BackupError(
            f"{program} was not found: install the client programs of PostgreSQL, at least as"
            " new as the server, or set PAWSMITH_PG_BIN to their folder."
        )
    # Of Django's parameters of a connection, those that libpq knows.
    names = {option.keyword.decode() for option in Conninfo.get_defaults()}
    options = connection.get_connection_params().items()
    parameters = {name: str(value) for name, value in options if name in names}
    environment = os.environ | {"PGPASSWORD": parameters.pop("password", "")}
    command = [path, "--no-owner", "--no-privileges", *arguments]
    command.append(f"--dbname={make_conninfo(**parameters)}")
    result = subprocess.run(command, env=environment, capture_output=True, check=False)
    if result.returncode:
        message = result.stderr.decode(errors="replace").strip()
        raise BackupError(f"{program} failed: {message}")
