"""Free disk space and memory, and the size of the database, measured when requested."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

MEMORY = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class Room:
    """The total and the free amount of a resource, in bytes."""

    total: int
    free: int

    @property
    def share_free(self) -> float:
        """The free share, 0 to 1."""
        return self.free / self.total if self.total else 0.0


def disk() -> Room:
    """Return the space on the disk of the data folder, also before the folder exists."""
    places = (settings.DATA_DIR, *settings.DATA_DIR.parents)
    usage = shutil.disk_usage(next(place for place in places if place.exists()))
    return Room(usage.total, usage.free)


def memory() -> Room | None:
    """Return the memory of the machine; None unless it runs Linux."""
    if not MEMORY.exists():
        return None
    lines = (line.split() for line in MEMORY.read_text().splitlines())
    kibibytes = {name.rstrip(":"): int(value) for name, value, *_ in lines}
    return Room(kibibytes["MemTotal"] * 1024, kibibytes["MemAvailable"] * 1024)


def database_version() -> str:
    """Return the version, such as `PostgreSQL 17.2`."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            return f"PostgreSQL {cursor.fetchone()[0]}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()")
        return f"SQLite {cursor.fetchone()[0]}"


def database_size() -> int:
    """Return the bytes of all tables and indexes."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return int(cursor.fetchone()[0])
