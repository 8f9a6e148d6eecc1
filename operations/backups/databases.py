"""The database to back up or to restore into."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.db import connection
from environ import Env

from operations.backups.manifest import BackupError
from operations.backups.postgres import PostgresDatabase
from operations.backups.sqlite import SqliteDatabase

SCHEMES = ("postgres", "postgresql", "sqlite")
Database = PostgresDatabase | SqliteDatabase


def ours() -> Database:
    """Return the database of this installation."""
    return _of(connection.settings_dict)


def at(url: str) -> Database:
    """Return the database of a URL in the format of DATABASE_URL. Raises BackupError."""
    if urlsplit(url).scheme not in SCHEMES:
        raise BackupError("That is no URL of a database: " + ", ".join(SCHEMES))
    return _of({"OPTIONS": {}, **Env.db_url_config(url)})


def _of(named: Mapping[str, Any]) -> Database:
    is_sqlite = str(named["ENGINE"]).endswith("sqlite3")
    return SqliteDatabase.of(named) if is_sqlite else PostgresDatabase.of(named)
