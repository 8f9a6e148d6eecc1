"""The database and the data folder: what they are, and whether they can be written now."""

import os
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError, InterfaceError, connection, transaction

# What is written and then deleted: enough that a disk must have room for it.
PROBE = bytes(64 * 1024)
IS_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on'"
# More than its memory may hold, so Postgres writes a temporary file next to the tables: a few
# milliseconds, and no rows to clean up.
SPILL = ("SET LOCAL work_mem = '64kB'", "SELECT count(*) FROM generate_series(1, 20000)")


class NotWritable(Exception):
    """The message is the reason."""


def try_folder(folder: Path) -> None:
    """Write to a folder, and leave nothing. Raises NotWritable."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(PROBE)
            file.flush()
    except OSError as error:
        raise NotWritable(error.strerror or str(error)) from error


def try_database() -> None:
    """Find out whether the database can be written. Raises NotWritable if it answers but cannot."""
    if connection.vendor == "postgresql":
        _try_postgres()
    else:
        _try_sqlite()


def _try_postgres() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(IS_READ_ONLY)
        if cursor.fetchone()[0]:
            raise NotWritable("it is read-only")
        try:
            for statement in SPILL:
                cursor.execute(statement)
        except DatabaseError as error:
            raise NotWritable(str(error).partition("\n")[0]) from error


def _try_sqlite() -> None:
    """Check the file without its lock, which others may hold."""
    file = Path(connection.settings_dict["NAME"])
    if file.is_file():
        if not os.access(file, os.W_OK):
            raise NotWritable("its file is read-only")
        try_folder(file.parent)


@register(deploy=True)
def check(**_options: Any) -> list[CheckMessage]:
    """Report a database or data folder that cannot be written, for `check --deploy`."""
    errors: list[CheckMessage] = []
    try:
        try_database()
    except (NotWritable, DatabaseError, InterfaceError) as error:
        text = f"The database cannot be written: {error}"
        hint = "Free disk space, or give the database and its user write access."
        errors.append(Error(text, hint=hint, id="pawsmith.E001"))
    try:
        try_folder(Path(settings.DATA_DIR))
    except NotWritable as error:
        text = f"The data folder {settings.DATA_DIR} cannot be written: {error}"
        errors.append(Error(text, hint="Free disk space, or change its owner.", id="pawsmith.E002"))
    return errors


def describe_database() -> tuple[str, int]:
    """Return the version, such as `PostgreSQL 17.2`, and the size in bytes."""
    expressions = {
        "postgresql": "current_setting('server_version'), pg_database_size(current_database())",
        "sqlite": "sqlite_version(), page_count * page_size"
        " FROM pragma_page_count, pragma_page_size",
    }
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expressions[connection.vendor]}")
        version, size = cursor.fetchone()
    return f"{connection.display_name} {version}", size
