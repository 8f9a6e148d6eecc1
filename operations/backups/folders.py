"""The folder in which backups stand, each in a folder of its own that is named for its time."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from operations.backups.manifest import Manifest

MANIFEST = "manifest.json"
RELEASES = "releases"
DATABASE = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}
_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z")
_FORMAT = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole backup: it got its name when everything was in it."""

    folder: Path

    @property
    def made_at(self) -> datetime:
        """When it was begun, and whose rows it holds, to the second."""
        return datetime.strptime(self.folder.name, _FORMAT).replace(tzinfo=UTC)

    @property
    def releases(self) -> Path:
        """Where the files of releases are."""
        return self.folder / RELEASES

    def database(self, engine: str) -> Path:
        """Where the rows are, as the engine writes them."""
        return self.folder / DATABASE[engine]

    def manifest(self) -> Manifest:
        """Raises BackupError for a folder that is no backup."""
        return Manifest.read(self.folder / MANIFEST)


def name_at(moment: datetime) -> str:
    """What a backup of this moment is called."""
    return moment.astimezone(UTC).strftime(_FORMAT)


def all_in(folder: Path) -> list[Backup]:
    """The backups of a folder, the oldest first."""
    if not folder.is_dir():
        return []
    return [Backup(each) for each in sorted(folder.iterdir()) if _NAME.fullmatch(each.name)]


def newest(folder: Path) -> Backup | None:
    """The last one that was made; None before the first."""
    found = all_in(folder)
    return found[-1] if found else None
