"""Databases with all tables, made once for all processes of a run: to migrate takes seconds."""

import fcntl
import hashlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from support.places import ROOT

NAME = "pawsmith_migrated"


def sqlite_file(folder: Path) -> Path:
    """A migrated database in this folder, made again when code that may migrate has changed."""
    file = folder / f"{_state_of_the_code()}.sqlite3"
    with folder.joinpath("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            # A run that is still going on may copy the file that it began with.
            for outdated in sorted(folder.glob("*.sqlite3*"), key=os.path.getmtime)[:-4]:
                outdated.unlink()
            unfinished = file.with_suffix(".unfinished")
            _migrate(f"sqlite:///{unfinished}", folder)
            # What the last writer left beside it goes with the last reader.
            sqlite3.connect(unfinished).execute("PRAGMA journal_mode = DELETE").connection.close()
            unfinished.rename(file)
    return file


def _state_of_the_code() -> str:
    """A digest of the pinned packages and of all modules that migrations are, or may import."""
    others = {"benchmarks", "scripts", "tests", "tools", "var"}
    rooms = [file.parent for file in ROOT.glob("*/__init__.py") if file.parent.name not in others]
    modules = [module for room in sorted(rooms) for module in sorted(room.glob("**/*.py"))]
    digest = hashlib.sha256()
    for file in [ROOT / "requirements.txt", *modules]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def postgres_database(server_url: str, folder: Path) -> str:
    """The name of the migrated database of this server, to copy others from; made once."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(1)")
        found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [NAME])
        if not found.rowcount:
            connection.execute(f"CREATE DATABASE {NAME}_unfinished")
            _migrate(url_of(server_url, f"{NAME}_unfinished"), folder)
            connection.execute(f"ALTER DATABASE {NAME}_unfinished RENAME TO {NAME}")
    return NAME


def url_of(server_url: str, database: str) -> str:
    """The URL of another database of a server."""
    return urlsplit(server_url)._replace(path=f"/{database}").geturl()


def _migrate(database_url: str, folder: Path) -> None:
    own = {"DATABASE_URL": database_url, "PAWSMITH_DATA_DIR": str(folder)}
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=os.environ | settings | own,
        check=True,
    )
