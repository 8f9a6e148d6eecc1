"""The folder of all backups, with one folder for each backup, named after its time."""

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
    """A complete backup: its folder gets its name when everything is in it."""

    folder: Path

    @property
    def made_at(self) -> datetime:
        """The time at which the backup was started, to the second."""
        return datetime.strptime(self.folder.name, _FORMAT).replace(tzinfo=UTC)

    @property
    def releases(self) -> Path:
        """The folder of the release files."""
        return self.folder / RELEASES

    def database(self, engine: str) -> Path:
        """Return the file with the rows, in the format of the engine."""
        return self.folder / DATABASE[engine]

    def manifest(self) -> Manifest:
        """Read the manifest. Raises BackupError if the folder is not a backup."""
        return Manifest.read(self.folder / MANIFEST)


def name_at(moment: datetime) -> str:
    """Return the name of a backup started at this time."""
    return moment.astimezone(UTC).strftime(_FORMAT)


def all_in(folder: Path) -> list[Backup]:
    """Return the backups in a folder, oldest first."""
    if not folder.is_dir():
        return []
    return [Backup(each) for each in sorted(folder.iterdir()) if _NAME.fullmatch(each.name)]


def newest(folder: Path) -> Backup | None:
    """Return the newest backup in a folder, or None."""
    found = all_in(folder)
    return found[-1] if found else None
