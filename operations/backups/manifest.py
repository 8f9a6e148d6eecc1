"""The manifest of a backup: its time, its source and its expected content."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

FORMAT = "pawsmith-backup/1"


class BackupError(Exception):
    """A backup or restore is not possible; the text says why."""


@dataclass(frozen=True, slots=True)
class Table:
    """The number of rows, and SHA-256 over all columns of all rows in key order."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Stored:
    """The size in bytes and the digest of a file in the backup."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Census:
    """The content of a database at one moment, and its applied migrations."""

    tables: Mapping[str, Table]
    migrations: tuple[str, ...]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def digest(self) -> str:
        """SHA-256 over all tables: equal if no row differs."""
        lines = (f"{name} {table.rows} {table.digest}\n" for name, table in self._sorted())
        return sha256("".join(lines).encode()).hexdigest()

    def differing(self, other: "Census") -> list[str]:
        """Return the names of tables whose rows differ or which only one of them has."""
        names = self.tables.keys() | other.tables.keys()
        return sorted(name for name in names if self.tables.get(name) != other.tables.get(name))

    def _sorted(self) -> list[tuple[str, Table]]:
        return sorted(self.tables.items())


@dataclass(frozen=True, slots=True)
class Manifest:
    """`engine` is Django's name of the vendor; `releases` maps paths to files."""

    made_at: datetime
    version: str
    engine: str
    census: Census
    database: Stored
    releases: Mapping[str, Stored]

    @property
    def bytes(self) -> int:
        """The total size of all files."""
        return self.database.bytes + sum(file.bytes for file in self.releases.values())

    def write(self, file: Path) -> None:
        """Write the manifest as JSON."""
        told = asdict(self) | {"format": FORMAT, "made_at": self.made_at.isoformat()}
        told["census"] |= {"digest": self.census.digest}
        file.write_text(json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, file: Path) -> "Manifest":
        """Read a manifest. Raises BackupError if the file is missing or invalid."""
        try:
            return cls._of(json.loads(file.read_text()))
        except OSError as error:
            raise BackupError(f"{file.parent} is no backup: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BackupError(f"{file} is damaged: {error!r}") from error

    @classmethod
    def _of(cls, told: dict[str, Any]) -> "Manifest":
        if told["format"] != FORMAT:
            raise ValueError(f"its format is {told['format']}, not {FORMAT}")
        tables = {name: Table(**table) for name, table in told["census"]["tables"].items()}
        census = Census(tables, tuple(told["census"]["migrations"]))
        if census.digest != told["census"]["digest"]:
            raise ValueError("its digest is not that of its tables")
        return cls(
            made_at=datetime.fromisoformat(told["made_at"]),
            version=told["version"],
            engine=told["engine"],
            census=census,
            database=Stored(**told["database"]),
            releases={path: Stored(**entry) for path, entry in told["releases"].items()},
        )
