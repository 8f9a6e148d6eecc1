"""manage.py restore_drill: test whether a backup can be restored."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from operations import backups
from operations.backups import Backup, BackupError, databases
from operations.backups.restore import Restored


class Command(BaseCommand):
    """The exit status is 1 if it cannot, or if a row differs. Live data stays unchanged."""

    help = "Restore a backup into a database of its own, compare every row, and drop it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "backup", nargs="?", type=Path, help="the folder of one backup; default: the newest"
        )
        parser.add_argument(
            "--into",
            metavar="URL",
            help="another server, by a database there; default: the server of this installation",
        )

    def handle(self, **options: Any) -> None:
        """Print the times, the sizes and the result."""
        try:
            backup = Backup(options["backup"].absolute()) if options["backup"] else _newest()
            beside = databases.at(options["into"]) if options["into"] else databases.ours()
            drilled = backups.drill(backup, beside=beside)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        for line in _told(backup, drilled):
            self.stdout.write(line)
        if drilled.differing:
            raise CommandError(
                f"These tables are not what they were: {', '.join(drilled.differing)}."
            )
        self.stdout.write("Every row is what it was.")


def _newest() -> Backup:
    folder = backups.folder()
    found = backups.newest(folder) if folder else None
    if found is None:
        raise BackupError("There is no backup: name one, or set PAWSMITH_BACKUP_DIR.")
    return found


def _told(backup: Backup, drilled: Restored) -> list[str]:
    manifest = drilled.manifest
    minutes, compared = drilled.seconds / 60, drilled.seconds_compared / 60
    return [
        f"{backup.folder}",
        f"made {manifest.made_at:%Y-%m-%d %H:%M} UTC by version {manifest.version}",
        f"restored in {minutes:.1f} minutes, compared in {compared:.1f} more",
        f"{manifest.database.bytes:,} bytes became a database of {drilled.size:,}",
        f"{drilled.census.rows:,} rows in {len(drilled.census.tables)} tables",
        f"{len(manifest.releases):,} files of releases are whole",
    ]
