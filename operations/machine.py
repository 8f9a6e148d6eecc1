"""What the installation runs on: disk, memory, database and message broker, as they are now."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu import Connection

MEMORY = Path("/proc/meminfo")
BROKER_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Capacity:
    """The total and the free amount of a resource, in bytes."""

    total: int
    free: int

    @property
    def share_free(self) -> float:
        return self.free / self.total if self.total else 0.0


def disk() -> Capacity:
    """Return the space on the disk of the data folder, also before the folder exists."""
    places = (settings.DATA_DIR, *settings.DATA_DIR.parents)
    usage = shutil.disk_usage(next(place for place in places if place.exists()))
    return Capacity(usage.total, usage.free)


def memory() -> Capacity | None:
    if not MEMORY.exists():
        return None
    lines = (line.split() for line in MEMORY.read_text().splitlines())
    kibibytes = {name.rstrip(":"): int(value) for name, value, *_ in lines}
    return Capacity(kibibytes["MemTotal"] * 1024, kibibytes["MemAvailable"] * 1024)


def database_version() -> str:
    """Return the version, such as `PostgreSQL 17.2`."""
    if connection.vendor == "postgresql":
        return f"PostgreSQL {ask('SHOW server_version')}"
    return f"SQLite {ask('SELECT sqlite_version()')}"


def database_size() -> int:
    if connection.vendor == "postgresql":
        return int(ask("SELECT pg_database_size(current_database())"))
    return int(ask("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"))


def missing_migrations() -> list[str]:
    """Return the migrations that the code has and the database has not, in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [str(migration) for migration, _backwards in plan]


def ask(statement: str) -> str:
    """Return the only value that a statement returns, as text."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return str(cursor.fetchone()[0])


def broker_answers() -> bool:
    seconds = BROKER_SECONDS
    options = {"socket_connect_timeout": seconds, "socket_timeout": seconds}
    url = settings.CELERY_BROKER_URL
    try:
        with Connection(url, connect_timeout=seconds, transport_options=options) as broker:
            broker.connect()
            broker.channel().close()  # Redis connects only here
    except Exception:  # each transport has its own errors
        return False
    return True
